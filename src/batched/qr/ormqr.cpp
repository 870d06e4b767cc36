#include "batched/qr/backends.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

/// Rows of A: as many as C has on the side that Q is on.
template <class Extent>
Extent order_of(side side, Extent m, Extent n) {
  return side == side::left ? m : n;
}

template <class Batch, class Tau, class Product, class... Bounds>
int ormqr(side side, op op, Batch A, Tau tau, Product C, int* info, queue q, Bounds... bounds) {
  const int status = arguments(C.count, q)
                         .list(side)
                         .check(is_legal_of_q<T>(op))
                         .list(C.m, C.n)
                         .at_most(A.n, A.m)
                         .list(A, tau, C)
                         .anything()
                         .end(bounds...)
                         .status;
  if (status != 0 || C.count == 0) return status;
  return q.where == backend::host ? host::ormqr(side, conjugated(op), A, tau, C, info, bounds...)
                                  : cuda::ormqr(side, conjugated(op), A, tau, C, info, bounds..., q);
}

}  // namespace

template <>
int ormqr_batched(side side, op op, int m, int n, int k, const T* const* A_array, int lda,
                  const T* const* tau_array, T* const* C_array, int ldc, int* info_array,
                  std::int64_t batch_count, queue q) {
  return ormqr(side, op, pointer_batch(A_array, order_of(side, m, n), k, lda, batch_count),
               vector_pointers(tau_array, k), pointer_batch(C_array, m, n, ldc, batch_count), info_array, q);
}

template <>
int ormqr_strided_batched(side side, op op, int m, int n, int k, const T* A, int lda, std::int64_t stride_A,
                          const T* tau, std::int64_t stride_tau, T* C, int ldc, std::int64_t stride_C,
                          int* info_array, std::int64_t batch_count, queue q) {
  return ormqr(side, op, strided(A, order_of(side, m, n), k, lda, stride_A, batch_count),
               vector_slab(tau, stride_tau, k), strided(C, m, n, ldc, stride_C, batch_count), info_array, q);
}

template <>
int ormqr_vbatched(side side, op op, const int* m, const int* n, const int* k, const T* const* A_array,
                   const int* lda, const T* const* tau_array, T* const* C_array, const int* ldc,
                   int* info_array, std::int64_t batch_count, int m_max, int n_max, int k_max, queue q) {
  return ormqr(
      side, op,
      bounded(A_array, order_of(side, m, n), k, lda, batch_count, order_of(side, m_max, n_max), k_max),
      vector_pointers(tau_array, least_bound(order_of(side, m_max, n_max), k_max)),
      bounded(C_array, m, n, ldc, batch_count, m_max, n_max), info_array, q, m_max, n_max, k_max);
}

template <>
std::size_t ormqr_work<T>(int, int, int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t ormqr_vbatched_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
