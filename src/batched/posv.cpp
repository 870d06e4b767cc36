#include "talus/batched.hpp"

#include "backends.hpp"
#include "validate.hpp"

namespace talus {
namespace {

template <class T>
int posv(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  if (A.count == 0) return 0;
  return q.where == backend::host ? host::posv(uplo, A, B, info) : cuda::posv(uplo, A, B, info, q);
}

}  // namespace

template <class T>
int posv_batched(uplo uplo, int n, int nrhs, T* const* A_array, int lda, T* const* B_array, int ldb,
                 int* info_array, std::int64_t batch_count, queue q) {
  const int status = arguments{}
                         .check(1, is_legal(uplo))
                         .check(2, n >= 0)
                         .check(3, nrhs >= 0)
                         .check(4, is_legal_data(A_array, batch_count, n))
                         .check(5, is_legal_ld(lda, n))
                         .check(6, is_legal_data(B_array, batch_count, n, nrhs))
                         .check(7, is_legal_ld(ldb, n))
                         .check(8, is_legal_data(info_array, batch_count))
                         .check(9, batch_count >= 0)
                         .check(10, is_legal(q.where))
                         .status;
  return status ? status
                : posv(uplo, pointer_batch(A_array, n, n, lda, batch_count),
                       pointer_batch(B_array, n, nrhs, ldb, batch_count), info_array, q);
}

template <class T>
int posv_strided_batched(uplo uplo, int n, int nrhs, T* A, int lda, std::int64_t stride_A, T* B, int ldb,
                         std::int64_t stride_B, int* info_array, std::int64_t batch_count, queue q) {
  const int status = arguments{}
                         .check(1, is_legal(uplo))
                         .check(2, n >= 0)
                         .check(3, nrhs >= 0)
                         .check(4, is_legal_data(A, batch_count, n))
                         .check(5, is_legal_ld(lda, n))
                         .check(6, is_legal_stride(stride_A, n, n, batch_count))
                         .check(7, is_legal_data(B, batch_count, n, nrhs))
                         .check(8, is_legal_ld(ldb, n))
                         .check(9, is_legal_stride(stride_B, n, nrhs, batch_count))
                         .check(10, is_legal_data(info_array, batch_count))
                         .check(11, batch_count >= 0)
                         .check(12, is_legal(q.where))
                         .status;
  return status ? status
                : posv(uplo, strided_batch(A, n, n, lda, stride_A, batch_count),
                       strided_batch(B, n, nrhs, ldb, stride_B, batch_count), info_array, q);
}

template <class T>
std::size_t posv_work(int, int, std::int64_t) noexcept {
  return 0;
}

template int posv_batched(uplo, int, int, TALUS_T* const*, int, TALUS_T* const*, int, int*, std::int64_t,
                          queue);
template int posv_strided_batched(uplo, int, int, TALUS_T*, int, std::int64_t, TALUS_T*, int, std::int64_t,
                                  int*, std::int64_t, queue);
template std::size_t posv_work<TALUS_T>(int, int, std::int64_t) noexcept;

}  // namespace talus
