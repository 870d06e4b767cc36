#include "batched/qr/backends.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

/// k: one for all matrices, or an array with one for each, which the backends take too.
template <class Batch, class K, class Tau, class... Bounds>
int orgqr(Batch A, K k, Tau tau, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q)
                         .list(A.m)
                         .at_most(A.n, A.m)
                         .at_most(k, A.n)
                         .list(A, tau)
                         .anything()
                         .end(bounds...)
                         .status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::orgqr(k, A, tau, info, bounds...)
                                  : cuda::orgqr(k, A, tau, info, bounds..., q);
}

}  // namespace

template <>
int orgqr_batched(int m, int n, int k, T* const* A_array, int lda, const T* const* tau_array, int* info_array,
                  std::int64_t batch_count, queue q) {
  return orgqr(pointer_batch(A_array, m, n, lda, batch_count), k, vector_pointers(tau_array, k), info_array,
               q);
}

template <>
int orgqr_strided_batched(int m, int n, int k, T* A, int lda, std::int64_t stride_A, const T* tau,
                          std::int64_t stride_tau, int* info_array, std::int64_t batch_count, queue q) {
  return orgqr(strided(A, m, n, lda, stride_A, batch_count), k, vector_slab(tau, stride_tau, k), info_array,
               q);
}

template <>
int orgqr_vbatched(const int* m, const int* n, const int* k, T* const* A_array, const int* lda,
                   const T* const* tau_array, int* info_array, std::int64_t batch_count, int m_max, int n_max,
                   int k_max, queue q) {
  return orgqr(bounded(A_array, m, n, lda, batch_count, m_max, n_max), k,
               vector_pointers(tau_array, least_bound(m_max, n_max, k_max)), info_array, q, m_max, n_max,
               k_max);
}

template <>
std::size_t orgqr_work<T>(int, int, int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t orgqr_vbatched_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
