#include <algorithm>

#include "batched/qr/backends.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

template <class Batch, class Tau, class... Bounds>
int geqrf(Batch A, Tau tau, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q).list(A.m, A.n, A, tau).info(info).end(bounds...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::geqrf(A, tau, info, bounds...)
                                  : cuda::geqrf(A, tau, info, bounds..., q);
}

}  // namespace

template <>
int geqrf_batched(int m, int n, T* const* A_array, int lda, T* const* tau_array, int* info_array,
                  std::int64_t batch_count, queue q) {
  return geqrf(pointer_batch(A_array, m, n, lda, batch_count), vector_pointers(tau_array, std::min(m, n)),
               info_array, q);
}

template <>
int geqrf_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, T* tau, std::int64_t stride_tau,
                          int* info_array, std::int64_t batch_count, queue q) {
  return geqrf(strided(A, m, n, lda, stride_A, batch_count), vector_slab(tau, stride_tau, std::min(m, n)),
               info_array, q);
}

template <>
int geqrf_vbatched(const int* m, const int* n, T* const* A_array, const int* lda, T* const* tau_array,
                   int* info_array, std::int64_t batch_count, int m_max, int n_max, queue q) {
  return geqrf(bounded(A_array, m, n, lda, batch_count, m_max, n_max),
               vector_pointers(tau_array, least_bound(m_max, n_max)), info_array, q, m_max, n_max);
}

template <>
std::size_t geqrf_work<T>(int, int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t geqrf_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
