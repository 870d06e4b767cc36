#include "talus/batched.hpp"

#include "backends.hpp"
#include "validate.hpp"

namespace talus {
namespace {

template <class T>
int potrs(uplo uplo, batch<const T> A, batch<T> B, int* info, queue q) {
  if (A.count == 0) return 0;
  return q.where == backend::host ? host::potrs(uplo, A, B, info) : cuda::potrs(uplo, A, B, info, q);
}

}  // namespace

template <class T>
int potrs_batched(uplo uplo, int n, int nrhs, const T* const* A_array, int lda, T* const* B_array, int ldb,
                  int* info_array, std::int64_t batch_count, queue q) {
  const int status =
      check_system_batched(uplo, n, nrhs, A_array, lda, B_array, ldb, info_array, batch_count, q);
  return status ? status
                : potrs(uplo, pointer_batch(A_array, n, n, lda, batch_count),
                        pointer_batch(B_array, n, nrhs, ldb, batch_count), info_array, q);
}

template <class T>
int potrs_strided_batched(uplo uplo, int n, int nrhs, const T* A, int lda, std::int64_t stride_A, T* B,
                          int ldb, std::int64_t stride_B, int* info_array, std::int64_t batch_count,
                          queue q) {
  const bool A_is_written = false;
  const int status = check_system_strided_batched(uplo, n, nrhs, A, lda, stride_A, A_is_written, B, ldb,
                                                  stride_B, info_array, batch_count, q);
  return status ? status
                : potrs(uplo, strided_batch(A, n, n, lda, stride_A, batch_count),
                        strided_batch(B, n, nrhs, ldb, stride_B, batch_count), info_array, q);
}

template <class T>
std::size_t potrs_work(int, int, std::int64_t) noexcept {
  return 0;
}

template int potrs_batched(uplo, int, int, const TALUS_T* const*, int, TALUS_T* const*, int, int*,
                           std::int64_t, queue);
template int potrs_strided_batched(uplo, int, int, const TALUS_T*, int, std::int64_t, TALUS_T*, int,
                                   std::int64_t, int*, std::int64_t, queue);
template std::size_t potrs_work<TALUS_T>(int, int, std::int64_t) noexcept;

}  // namespace talus
