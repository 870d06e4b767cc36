#include "talus/batched.hpp"

#include "backends.hpp"
#include "validate.hpp"

namespace talus {
namespace {

template <class T>
int potrf(uplo uplo, batch<T> A, int* info, queue q) {
  if (A.count == 0) return 0;
  return q.where == backend::host ? host::potrf(uplo, A, info) : cuda::potrf(uplo, A, info, q);
}

}  // namespace

template <class T>
int potrf_batched(uplo uplo, int n, T* const* A_array, int lda, int* info_array, std::int64_t batch_count,
                  queue q) {
  const int status = check_matrix_batched(uplo, n, A_array, lda, info_array, batch_count, q);
  return status ? status : potrf(uplo, pointer_batch(A_array, n, n, lda, batch_count), info_array, q);
}

template <class T>
int potrf_strided_batched(uplo uplo, int n, T* A, int lda, std::int64_t stride_A, int* info_array,
                          std::int64_t batch_count, queue q) {
  const int status = check_matrix_strided_batched(uplo, n, A, lda, stride_A, info_array, batch_count, q);
  return status ? status : potrf(uplo, strided_batch(A, n, n, lda, stride_A, batch_count), info_array, q);
}

template <class T>
std::size_t potrf_work(int, std::int64_t) noexcept {
  return 0;
}

template int potrf_batched(uplo, int, TALUS_T* const*, int, int*, std::int64_t, queue);
template int potrf_strided_batched(uplo, int, TALUS_T*, int, std::int64_t, int*, std::int64_t, queue);
template std::size_t potrf_work<TALUS_T>(int, std::int64_t) noexcept;

}  // namespace talus
