#include "batched/lu/backends.hpp"
#include "batched/lu/floors.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

/// For the C names: real numbers of the precision.
#define TALUS_R talus::real_type<TALUS_T>

using T = TALUS_T;
using R = real_type<T>;

/// What all four have in common, once their arguments are legal.
template <class Batch, class... Bounds>
int eliminate(pivoting how, Batch A, const eliminations<R>& each, int* info, queue q, Bounds... bounds) {
  return q.where == backend::host ? host::getrf(how, A, each, info, bounds...)
                                  : cuda::getrf(how, A, each, info, bounds..., q);
}

/// One k for all matrices, or an array with one for each.
void set_k(eliminations<R>& each, int k) { each.k = k; }
void set_k(eliminations<R>& each, const int* k) { each.k_array = k; }

template <class Batch, class Pivots, class... Bounds>
int getrf(Batch A, Pivots ipiv, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q).list(A.m, A.n, A, ipiv).info(info).end(bounds...).status;
  if (status != 0 || A.count == 0) return status;
  eliminations<R> each;
  each.ipiv = ipiv;
  if constexpr (sizeof...(bounds) > 0) {
    return eliminate(pivoting::partial, A, each, info, q, bounds..., unknown_bound);
  } else {
    return eliminate(pivoting::partial, A, each, info, q);
  }
}

template <class Batch, class... Bounds>
int getrf_nopiv(Batch A, const eliminations<R>& each, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q)
                         .list(A.m, A.n, A)
                         .check(each.floor >= 0)
                         .anything()
                         .anything()
                         .info(info)
                         .end(bounds...)
                         .status;
  if (status != 0 || A.count == 0) return status;
  if constexpr (sizeof...(bounds) > 0) {
    return eliminate(pivoting::none, A, each, info, q, bounds..., unknown_bound);
  } else {
    return eliminate(pivoting::none, A, each, info, q);
  }
}

template <class Batch, class K, class Pivots, class... Bounds>
int getrf_partial(Batch A, K k, Pivots ipiv, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q)
                         .list(A.m, A.n)
                         .at_most(k, A.m, A.n)
                         .list(A, ipiv)
                         .info(info)
                         .end(bounds...)
                         .status;
  if (status != 0 || A.count == 0) return status;
  eliminations<R> each;
  each.ipiv = ipiv;
  each.partial = true;
  set_k(each, k);
  return eliminate(pivoting::partial, A, each, info, q, bounds...);
}

template <class Batch, class K, class... Bounds>
int getrf_partial_nopiv(Batch A, K k, eliminations<R> each, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q)
                         .list(A.m, A.n)
                         .at_most(k, A.m, A.n)
                         .list(A)
                         .check(each.floor >= 0)
                         .anything()
                         .anything()
                         .info(info)
                         .end(bounds...)
                         .status;
  if (status != 0 || A.count == 0) return status;
  each.partial = true;
  set_k(each, k);
  return eliminate(pivoting::none, A, each, info, q, bounds...);
}

}  // namespace

template <>
int getrf_batched(int m, int n, T* const* A_array, int lda, int* const* ipiv_array, int* info_array,
                  std::int64_t batch_count, queue q) {
  return getrf(pointer_batch(A_array, m, n, lda, batch_count), vector_pointers(ipiv_array, std::min(m, n)),
               info_array, q);
}

template <>
int getrf_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, int* ipiv,
                          std::int64_t stride_ipiv, int* info_array, std::int64_t batch_count, queue q) {
  return getrf(strided(A, m, n, lda, stride_A, batch_count), vector_slab(ipiv, stride_ipiv, std::min(m, n)),
               info_array, q);
}

template <>
int getrf_vbatched(const int* m, const int* n, T* const* A_array, const int* lda, int* const* ipiv_array,
                   int* info_array, std::int64_t batch_count, int m_max, int n_max, queue q) {
  return getrf(bounded(A_array, m, n, lda, batch_count, m_max, n_max),
               vector_pointers(ipiv_array, least_bound(m_max, n_max)), info_array, q, m_max, n_max);
}

template <>
std::size_t getrf_work<T>(int, int, std::int64_t batch_count) noexcept {
  return lu_work_bytes(batch_count);
}

template <>
std::size_t getrf_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return mixed_lu_work_bytes(batch_count);
}

template <>
int getrf_nopiv_batched(int m, int n, T* const* A_array, int lda, R pivot_floor, const R* pivot_floor_array,
                        int* replaced_array, int* info_array, std::int64_t batch_count, queue q) {
  return getrf_nopiv(pointer_batch(A_array, m, n, lda, batch_count),
                     with_floors(pivot_floor, pivot_floor_array, replaced_array), info_array, q);
}

template <>
int getrf_nopiv_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, R pivot_floor,
                                const R* pivot_floor_array, int* replaced_array, int* info_array,
                                std::int64_t batch_count, queue q) {
  return getrf_nopiv(strided(A, m, n, lda, stride_A, batch_count),
                     with_floors(pivot_floor, pivot_floor_array, replaced_array), info_array, q);
}

template <>
int getrf_nopiv_vbatched(const int* m, const int* n, T* const* A_array, const int* lda, R pivot_floor,
                         const R* pivot_floor_array, int* replaced_array, int* info_array,
                         std::int64_t batch_count, int m_max, int n_max, queue q) {
  return getrf_nopiv(bounded(A_array, m, n, lda, batch_count, m_max, n_max),
                     with_floors(pivot_floor, pivot_floor_array, replaced_array), info_array, q, m_max,
                     n_max);
}

template <>
std::size_t getrf_nopiv_work<T>(int, int, std::int64_t batch_count) noexcept {
  return lu_work_bytes(batch_count);
}

template <>
std::size_t getrf_nopiv_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return mixed_lu_work_bytes(batch_count);
}

template <>
int getrf_partial_batched(int m, int n, int k, T* const* A_array, int lda, int* const* ipiv_array,
                          int* info_array, std::int64_t batch_count, queue q) {
  return getrf_partial(pointer_batch(A_array, m, n, lda, batch_count), k, vector_pointers(ipiv_array, k),
                       info_array, q);
}

template <>
int getrf_partial_strided_batched(int m, int n, int k, T* A, int lda, std::int64_t stride_A, int* ipiv,
                                  std::int64_t stride_ipiv, int* info_array, std::int64_t batch_count,
                                  queue q) {
  return getrf_partial(strided(A, m, n, lda, stride_A, batch_count), k, vector_slab(ipiv, stride_ipiv, k),
                       info_array, q);
}

template <>
int getrf_partial_vbatched(const int* m, const int* n, const int* k, T* const* A_array, const int* lda,
                           int* const* ipiv_array, int* info_array, std::int64_t batch_count, int m_max,
                           int n_max, int k_max, queue q) {
  return getrf_partial(bounded(A_array, m, n, lda, batch_count, m_max, n_max), k,
                       vector_pointers(ipiv_array, k_max), info_array, q, m_max, n_max, k_max);
}

template <>
std::size_t getrf_partial_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return lu_work_bytes(batch_count);
}

template <>
std::size_t getrf_partial_vbatched_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return mixed_lu_work_bytes(batch_count);
}

template <>
int getrf_partial_nopiv_batched(int m, int n, int k, T* const* A_array, int lda, R pivot_floor,
                                const R* pivot_floor_array, int* replaced_array, int* info_array,
                                std::int64_t batch_count, queue q) {
  return getrf_partial_nopiv(pointer_batch(A_array, m, n, lda, batch_count), k,
                             with_floors(pivot_floor, pivot_floor_array, replaced_array), info_array, q);
}

template <>
int getrf_partial_nopiv_strided_batched(int m, int n, int k, T* A, int lda, std::int64_t stride_A,
                                        R pivot_floor, const R* pivot_floor_array, int* replaced_array,
                                        int* info_array, std::int64_t batch_count, queue q) {
  return getrf_partial_nopiv(strided(A, m, n, lda, stride_A, batch_count), k,
                             with_floors(pivot_floor, pivot_floor_array, replaced_array), info_array, q);
}

template <>
int getrf_partial_nopiv_vbatched(const int* m, const int* n, const int* k, T* const* A_array, const int* lda,
                                 R pivot_floor, const R* pivot_floor_array, int* replaced_array,
                                 int* info_array, std::int64_t batch_count, int m_max, int n_max, int k_max,
                                 queue q) {
  return getrf_partial_nopiv(bounded(A_array, m, n, lda, batch_count, m_max, n_max), k,
                             with_floors(pivot_floor, pivot_floor_array, replaced_array), info_array, q,
                             m_max, n_max, k_max);
}

template <>
std::size_t getrf_partial_nopiv_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return lu_work_bytes(batch_count);
}

template <>
std::size_t getrf_partial_nopiv_vbatched_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return mixed_lu_work_bytes(batch_count);
}

}  // namespace talus
