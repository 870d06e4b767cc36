#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/fronts.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

template <class Batch, class... Bounds>
int potrf(uplo uplo, Batch A, int* info, queue q, Bounds... n_max) {
  const int status = arguments(A.count, q).list(uplo, A.n, A).info(info).end(n_max...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::potrf(uplo, A, info, n_max...)
                                  : cuda::potrf(uplo, A, info, n_max..., q);
}

}  // namespace

template <>
int potrf_batched(uplo uplo, int n, TALUS_T* const* A_array, int lda, int* info_array,
                  std::int64_t batch_count, queue q) {
  return potrf(uplo, pointer_batch(A_array, n, n, lda, batch_count), info_array, q);
}

template <>
int potrf_strided_batched(uplo uplo, int n, TALUS_T* A, int lda, std::int64_t stride_A, int* info_array,
                          std::int64_t batch_count, queue q) {
  return potrf(uplo, strided(A, n, n, lda, stride_A, batch_count), info_array, q);
}

template <>
int potrf_vbatched(uplo uplo, const int* n, TALUS_T* const* A_array, const int* lda, int* info_array,
                   std::int64_t batch_count, int n_max, queue q) {
  return potrf(uplo, bounded(A_array, n, n, lda, batch_count, n_max, n_max), info_array, q, n_max);
}

template <>
std::size_t potrf_work<TALUS_T>(int n, std::int64_t batch_count) noexcept {
  return fronts_bytes<TALUS_T>(n, batch_count);
}

template <>
std::size_t potrf_vbatched_work<TALUS_T>(int n_max, std::int64_t batch_count) noexcept {
  return mixed_fronts_bytes<TALUS_T>(n_max, batch_count);
}

}  // namespace talus
