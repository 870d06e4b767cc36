#include "batched/lu/backends.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

template <class Batch, class Pivots, class Sides, class... Bounds>
int getrs(op op, Batch A, Pivots ipiv, Sides B, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q).list(op, A.n, B.n, A, ipiv, B).anything().end(bounds...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::getrs(op, A, ipiv, B, info, bounds...)
                                  : cuda::getrs(op, A, ipiv, B, info, bounds..., q);
}

template <class Batch, class Sides, class... Bounds>
int getrs_nopiv(op op, Batch A, Sides B, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q).list(op, A.n, B.n, A, B).anything().end(bounds...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::getrs_nopiv(op, A, B, info, bounds...)
                                  : cuda::getrs_nopiv(op, A, B, info, bounds..., q);
}

}  // namespace

template <>
int getrs_batched(op op, int n, int nrhs, const T* const* A_array, int lda, const int* const* ipiv_array,
                  T* const* B_array, int ldb, int* info_array, std::int64_t batch_count, queue q) {
  return getrs(op, pointer_batch(A_array, n, n, lda, batch_count), vector_pointers(ipiv_array, n),
               pointer_batch(B_array, n, nrhs, ldb, batch_count), info_array, q);
}

template <>
int getrs_strided_batched(op op, int n, int nrhs, const T* A, int lda, std::int64_t stride_A, const int* ipiv,
                          std::int64_t stride_ipiv, T* B, int ldb, std::int64_t stride_B, int* info_array,
                          std::int64_t batch_count, queue q) {
  return getrs(op, strided(A, n, n, lda, stride_A, batch_count), vector_slab(ipiv, stride_ipiv, n),
               strided(B, n, nrhs, ldb, stride_B, batch_count), info_array, q);
}

template <>
int getrs_vbatched(op op, const int* n, const int* nrhs, const T* const* A_array, const int* lda,
                   const int* const* ipiv_array, T* const* B_array, const int* ldb, int* info_array,
                   std::int64_t batch_count, int n_max, int nrhs_max, queue q) {
  return getrs(op, bounded(A_array, n, n, lda, batch_count, n_max, n_max), vector_pointers(ipiv_array, n_max),
               bounded(B_array, n, nrhs, ldb, batch_count, n_max, nrhs_max), info_array, q, n_max, nrhs_max);
}

template <>
std::size_t getrs_work<T>(int, int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t getrs_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

template <>
int getrs_nopiv_batched(op op, int n, int nrhs, const T* const* A_array, int lda, T* const* B_array, int ldb,
                        int* info_array, std::int64_t batch_count, queue q) {
  return getrs_nopiv(op, pointer_batch(A_array, n, n, lda, batch_count),
                     pointer_batch(B_array, n, nrhs, ldb, batch_count), info_array, q);
}

template <>
int getrs_nopiv_strided_batched(op op, int n, int nrhs, const T* A, int lda, std::int64_t stride_A, T* B,
                                int ldb, std::int64_t stride_B, int* info_array, std::int64_t batch_count,
                                queue q) {
  return getrs_nopiv(op, strided(A, n, n, lda, stride_A, batch_count),
                     strided(B, n, nrhs, ldb, stride_B, batch_count), info_array, q);
}

template <>
int getrs_nopiv_vbatched(op op, const int* n, const int* nrhs, const T* const* A_array, const int* lda,
                         T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count,
                         int n_max, int nrhs_max, queue q) {
  return getrs_nopiv(op, bounded(A_array, n, n, lda, batch_count, n_max, n_max),
                     bounded(B_array, n, nrhs, ldb, batch_count, n_max, nrhs_max), info_array, q, n_max,
                     nrhs_max);
}

template <>
std::size_t getrs_nopiv_work<T>(int, int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t getrs_nopiv_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
