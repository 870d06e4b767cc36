#include "batched/lu/backends.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

template <class Batch, class Pivots, class... Bounds>
int getri(Batch A, Pivots ipiv, int* info, queue q, Bounds... n_max) {
  const int status = arguments(A.count, q).list(A.n, A, ipiv).anything().end(n_max...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::getri(A, ipiv, info, n_max...)
                                  : cuda::getri(A, ipiv, info, n_max..., q);
}

template <class Batch, class Pivots, class Inverses, class... Bounds>
int getri_outofplace(Batch A, Pivots ipiv, Inverses C, int* info, queue q, Bounds... n_max) {
  const int status = arguments(A.count, q).list(A.n, A, ipiv, C).anything().end(n_max...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::getri_outofplace(A, ipiv, C, info, n_max...)
                                  : cuda::getri_outofplace(A, ipiv, C, info, n_max..., q);
}

}  // namespace

template <>
int getri_batched(int n, T* const* A_array, int lda, const int* const* ipiv_array, int* info_array,
                  std::int64_t batch_count, queue q) {
  return getri(pointer_batch(A_array, n, n, lda, batch_count), vector_pointers(ipiv_array, n), info_array, q);
}

template <>
int getri_strided_batched(int n, T* A, int lda, std::int64_t stride_A, const int* ipiv,
                          std::int64_t stride_ipiv, int* info_array, std::int64_t batch_count, queue q) {
  return getri(strided(A, n, n, lda, stride_A, batch_count), vector_slab(ipiv, stride_ipiv, n), info_array,
               q);
}

template <>
int getri_vbatched(const int* n, T* const* A_array, const int* lda, const int* const* ipiv_array,
                   int* info_array, std::int64_t batch_count, int n_max, queue q) {
  return getri(bounded(A_array, n, n, lda, batch_count, n_max, n_max), vector_pointers(ipiv_array, n_max),
               info_array, q, n_max);
}

template <>
std::size_t getri_work<T>(int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t getri_vbatched_work<T>(int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

template <>
int getri_outofplace_batched(int n, const T* const* A_array, int lda, const int* const* ipiv_array,
                             T* const* C_array, int ldc, int* info_array, std::int64_t batch_count, queue q) {
  return getri_outofplace(pointer_batch(A_array, n, n, lda, batch_count), vector_pointers(ipiv_array, n),
                          pointer_batch(C_array, n, n, ldc, batch_count), info_array, q);
}

template <>
int getri_outofplace_strided_batched(int n, const T* A, int lda, std::int64_t stride_A, const int* ipiv,
                                     std::int64_t stride_ipiv, T* C, int ldc, std::int64_t stride_C,
                                     int* info_array, std::int64_t batch_count, queue q) {
  return getri_outofplace(strided(A, n, n, lda, stride_A, batch_count), vector_slab(ipiv, stride_ipiv, n),
                          strided(C, n, n, ldc, stride_C, batch_count), info_array, q);
}

template <>
int getri_outofplace_vbatched(const int* n, const T* const* A_array, const int* lda,
                              const int* const* ipiv_array, T* const* C_array, const int* ldc,
                              int* info_array, std::int64_t batch_count, int n_max, queue q) {
  return getri_outofplace(bounded(A_array, n, n, lda, batch_count, n_max, n_max),
                          vector_pointers(ipiv_array, n_max),
                          bounded(C_array, n, n, ldc, batch_count, n_max, n_max), info_array, q, n_max);
}

template <>
std::size_t getri_outofplace_work<T>(int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t getri_outofplace_vbatched_work<T>(int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
