#include "batched/qr/backends.hpp"
#include "c_api.hpp"
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

extern "C" {

int TALUS_NAME(orgqr_batched)(int m, int n, int k, TALUS_T* const* A_array, int lda,
                              TALUS_T* const* tau_array, int* info_array, int64_t batch_count,
                              talus_queue q) {
  return talus::orgqr_batched<TALUS_T>(m, n, k, A_array, lda, tau_array, info_array, batch_count,
                                       talus::to_queue(q));
}
int TALUS_NAME(orgqr_strided_batched)(int m, int n, int k, TALUS_T* A, int lda, int64_t stride_A,
                                      const TALUS_T* tau, int64_t stride_tau, int* info_array,
                                      int64_t batch_count, talus_queue q) {
  return talus::orgqr_strided_batched<TALUS_T>(m, n, k, A, lda, stride_A, tau, stride_tau, info_array,
                                               batch_count, talus::to_queue(q));
}
int TALUS_NAME(orgqr_vbatched)(const int* m, const int* n, const int* k, TALUS_T* const* A_array,
                               const int* lda, TALUS_T* const* tau_array, int* info_array,
                               int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q) {
  return talus::orgqr_vbatched<TALUS_T>(m, n, k, A_array, lda, tau_array, info_array, batch_count, m_max,
                                        n_max, k_max, talus::to_queue(q));
}
size_t TALUS_NAME(orgqr_work)(int m, int n, int k, int64_t batch_count) {
  return talus::orgqr_work<TALUS_T>(m, n, k, batch_count);
}
size_t TALUS_NAME(orgqr_vbatched_work)(int m_max, int n_max, int k_max, int64_t batch_count) {
  return talus::orgqr_vbatched_work<TALUS_T>(m_max, n_max, k_max, batch_count);
}

#if TALUS_IS_COMPLEX
int TALUS_NAME(ungqr_batched)(int m, int n, int k, TALUS_T* const* A_array, int lda,
                              TALUS_T* const* tau_array, int* info_array, int64_t batch_count,
                              talus_queue q) {
  return TALUS_NAME(orgqr_batched)(m, n, k, A_array, lda, tau_array, info_array, batch_count, q);
}
int TALUS_NAME(ungqr_strided_batched)(int m, int n, int k, TALUS_T* A, int lda, int64_t stride_A,
                                      const TALUS_T* tau, int64_t stride_tau, int* info_array,
                                      int64_t batch_count, talus_queue q) {
  return TALUS_NAME(orgqr_strided_batched)(m, n, k, A, lda, stride_A, tau, stride_tau, info_array,
                                           batch_count, q);
}
int TALUS_NAME(ungqr_vbatched)(const int* m, const int* n, const int* k, TALUS_T* const* A_array,
                               const int* lda, TALUS_T* const* tau_array, int* info_array,
                               int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q) {
  return TALUS_NAME(orgqr_vbatched)(m, n, k, A_array, lda, tau_array, info_array, batch_count, m_max, n_max,
                                    k_max, q);
}
size_t TALUS_NAME(ungqr_work)(int m, int n, int k, int64_t batch_count) {
  return TALUS_NAME(orgqr_work)(m, n, k, batch_count);
}
size_t TALUS_NAME(ungqr_vbatched_work)(int m_max, int n_max, int k_max, int64_t batch_count) {
  return TALUS_NAME(orgqr_vbatched_work)(m_max, n_max, k_max, batch_count);
}
#endif

}  // extern "C"
