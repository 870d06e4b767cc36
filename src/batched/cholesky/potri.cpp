#include "batched/cholesky/backends.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

template <class Batch, class... Bounds>
int potri(uplo uplo, Batch A, int* info, queue q, Bounds... n_max) {
  const int status = arguments(A.count, q).list(uplo, A.n, A).info(info).end(n_max...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::potri(uplo, A, info, n_max...)
                                  : cuda::potri(uplo, A, info, n_max..., q);
}

}  // namespace

template <>
int potri_batched(uplo uplo, int n, TALUS_T* const* A_array, int lda, int* info_array,
                  std::int64_t batch_count, queue q) {
  return potri(uplo, pointer_batch(A_array, n, n, lda, batch_count), info_array, q);
}

template <>
int potri_strided_batched(uplo uplo, int n, TALUS_T* A, int lda, std::int64_t stride_A, int* info_array,
                          std::int64_t batch_count, queue q) {
  return potri(uplo, strided(A, n, n, lda, stride_A, batch_count), info_array, q);
}

template <>
int potri_vbatched(uplo uplo, const int* n, TALUS_T* const* A_array, const int* lda, int* info_array,
                   std::int64_t batch_count, int n_max, queue q) {
  return potri(uplo, bounded(A_array, n, n, lda, batch_count, n_max, n_max), info_array, q, n_max);
}

template <>
std::size_t potri_work<TALUS_T>(int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t potri_vbatched_work<TALUS_T>(int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
