#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/fronts.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

template <class BatchA, class BatchB, class... Bounds>
int posv(uplo uplo, BatchA A, BatchB B, int* info, queue q, Bounds... bounds) {  // n_max, nrhs_max
  const int status = arguments(A.count, q).list(uplo, A.n, B.n, A, B).info(info).end(bounds...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::posv(uplo, A, B, info, bounds...)
                                  : cuda::posv(uplo, A, B, info, bounds..., q);
}

}  // namespace

template <>
int posv_batched(uplo uplo, int n, int nrhs, TALUS_T* const* A_array, int lda, TALUS_T* const* B_array,
                 int ldb, int* info_array, std::int64_t batch_count, queue q) {
  return posv(uplo, pointer_batch(A_array, n, n, lda, batch_count),
              pointer_batch(B_array, n, nrhs, ldb, batch_count), info_array, q);
}

template <>
int posv_strided_batched(uplo uplo, int n, int nrhs, TALUS_T* A, int lda, std::int64_t stride_A, TALUS_T* B,
                         int ldb, std::int64_t stride_B, int* info_array, std::int64_t batch_count, queue q) {
  return posv(uplo, strided(A, n, n, lda, stride_A, batch_count),
              strided(B, n, nrhs, ldb, stride_B, batch_count), info_array, q);
}

template <>
int posv_vbatched(uplo uplo, const int* n, const int* nrhs, TALUS_T* const* A_array, const int* lda,
                  TALUS_T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count,
                  int n_max, int nrhs_max, queue q) {
  return posv(uplo, bounded(A_array, n, n, lda, batch_count, n_max, n_max),
              bounded(B_array, n, nrhs, ldb, batch_count, n_max, nrhs_max), info_array, q, n_max, nrhs_max);
}

template <>
std::size_t posv_work<TALUS_T>(int n, int, std::int64_t batch_count) noexcept {
  return fronts_bytes<TALUS_T>(n, batch_count);
}

template <>
std::size_t posv_vbatched_work<TALUS_T>(int n_max, int, std::int64_t batch_count) noexcept {
  return mixed_fronts_bytes<TALUS_T>(n_max, batch_count);
}

}  // namespace talus
