#include "batched/lu/backends.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

template <class Batch, class Pivots, class Sides, class... Bounds>
int gesv(Batch A, Pivots ipiv, Sides B, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q).list(A.n, B.n, A, ipiv, B).info(info).end(bounds...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::gesv(A, ipiv, B, info, bounds...)
                                  : cuda::gesv(A, ipiv, B, info, bounds..., q);
}

}  // namespace

template <>
int gesv_batched(int n, int nrhs, T* const* A_array, int lda, int* const* ipiv_array, T* const* B_array,
                 int ldb, int* info_array, std::int64_t batch_count, queue q) {
  return gesv(pointer_batch(A_array, n, n, lda, batch_count), vector_pointers(ipiv_array, n),
              pointer_batch(B_array, n, nrhs, ldb, batch_count), info_array, q);
}

template <>
int gesv_strided_batched(int n, int nrhs, T* A, int lda, std::int64_t stride_A, int* ipiv,
                         std::int64_t stride_ipiv, T* B, int ldb, std::int64_t stride_B, int* info_array,
                         std::int64_t batch_count, queue q) {
  return gesv(strided(A, n, n, lda, stride_A, batch_count), vector_slab(ipiv, stride_ipiv, n),
              strided(B, n, nrhs, ldb, stride_B, batch_count), info_array, q);
}

template <>
int gesv_vbatched(const int* n, const int* nrhs, T* const* A_array, const int* lda, int* const* ipiv_array,
                  T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count, int n_max,
                  int nrhs_max, queue q) {
  return gesv(bounded(A_array, n, n, lda, batch_count, n_max, n_max), vector_pointers(ipiv_array, n_max),
              bounded(B_array, n, nrhs, ldb, batch_count, n_max, nrhs_max), info_array, q, n_max, nrhs_max);
}

template <>
std::size_t gesv_work<T>(int, int, std::int64_t batch_count) noexcept {
  return lu_work_bytes(batch_count);
}

template <>
std::size_t gesv_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return mixed_lu_work_bytes(batch_count);
}

}  // namespace talus
