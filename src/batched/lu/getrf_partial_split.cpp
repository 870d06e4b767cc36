// getrf_partial_split and getrf_partial_split_nopiv: fronts in blocks of their own.
#include <cstddef>
#include <cstdint>

#include "batched/lu/backends.hpp"
#include "batched/lu/floors.hpp"
#include "batched/lu/fronts.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

/// For the C names: real numbers of the precision.
#define TALUS_R talus::real_type<TALUS_T>

using T = TALUS_T;
using R = real_type<T>;

// What backends take of blocks.
lu_fronts<batch<T>> plain(const lu_fronts<batch<T>>& A) { return A; }
lu_fronts<batch<T>> plain(const lu_fronts<strided<T>>& A) { return {A.A11, A.A12, A.A21, A.A22}; }
lu_fronts<variable_batch<T>> plain(const lu_fronts<bounded<T>>& A) { return {A.A11, A.A12, A.A21, A.A22}; }

/// What both routines have in common, once their arguments are legal.
template <class Batch, class... Bounds>
int eliminate(pivoting how, form form, schur schur, const lu_fronts<Batch>& A, const eliminations<R>& each,
              int* info, queue q, Bounds... bounds) {
  return q.where == backend::host
             ? host::getrf_partial_split(how, form, schur, plain(A), each, info, bounds...)
             : cuda::getrf_partial_split(how, form, schur, plain(A), each, info, bounds..., q);
}

template <class Batch, class Pivots, class... Bounds>
int getrf_partial_split(form form, schur schur, const lu_fronts<Batch>& A, Pivots ipiv, int* info, queue q,
                        Bounds... bounds) {
  const int status = arguments(A.A11.count, q)
                         .list(form, schur, A.A11.n, A.A22.m, A.A22.n, A.A11, A.A12, A.A21, A.A22, ipiv)
                         .info(info)
                         .end(bounds...)
                         .status;
  if (status != 0 || A.A11.count == 0) return status;
  eliminations<R> each;
  each.ipiv = ipiv;
  return eliminate(pivoting::partial, form, schur, A, each, info, q, bounds...);
}

template <class Batch, class... Bounds>
int getrf_partial_split_nopiv(form form, schur schur, const lu_fronts<Batch>& A, const eliminations<R>& each,
                              int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.A11.count, q)
                         .list(form, schur, A.A11.n, A.A22.m, A.A22.n, A.A11, A.A12, A.A21, A.A22)
                         .check(each.floor >= 0)
                         .anything()
                         .anything()
                         .info(info)
                         .end(bounds...)
                         .status;
  if (status != 0 || A.A11.count == 0) return status;
  return eliminate(pivoting::none, form, schur, A, each, info, q, bounds...);
}

}  // namespace

template <>
int getrf_partial_split_batched(form form, schur schur, int k, int m2, int n2, T* const* A11_array, int lda11,
                                T* const* A12_array, int lda12, T* const* A21_array, int lda21,
                                T* const* A22_array, int lda22, int* const* ipiv_array, int* info_array,
                                std::int64_t batch_count, queue q) {
  return getrf_partial_split(form, schur,
                             lu_fronts<batch<T>>{pointer_batch(A11_array, k, k, lda11, batch_count),
                                                 pointer_batch(A12_array, k, n2, lda12, batch_count),
                                                 pointer_batch(A21_array, m2, k, lda21, batch_count),
                                                 pointer_batch(A22_array, m2, n2, lda22, batch_count)},
                             vector_pointers(ipiv_array, k), info_array, q);
}

template <>
int getrf_partial_split_strided_batched(form form, schur schur, int k, int m2, int n2, T* A11, int lda11,
                                        std::int64_t stride_A11, T* A12, int lda12, std::int64_t stride_A12,
                                        T* A21, int lda21, std::int64_t stride_A21, T* A22, int lda22,
                                        std::int64_t stride_A22, int* ipiv, std::int64_t stride_ipiv,
                                        int* info_array, std::int64_t batch_count, queue q) {
  return getrf_partial_split(form, schur,
                             lu_fronts<strided<T>>{strided(A11, k, k, lda11, stride_A11, batch_count),
                                                   strided(A12, k, n2, lda12, stride_A12, batch_count),
                                                   strided(A21, m2, k, lda21, stride_A21, batch_count),
                                                   strided(A22, m2, n2, lda22, stride_A22, batch_count)},
                             vector_slab(ipiv, stride_ipiv, k), info_array, q);
}

template <>
int getrf_partial_split_vbatched(form form, schur schur, const int* k, const int* m2, const int* n2,
                                 T* const* A11_array, const int* lda11, T* const* A12_array, const int* lda12,
                                 T* const* A21_array, const int* lda21, T* const* A22_array, const int* lda22,
                                 int* const* ipiv_array, int* info_array, std::int64_t batch_count, int k_max,
                                 int m2_max, int n2_max, queue q) {
  return getrf_partial_split(
      form, schur,
      lu_fronts<bounded<T>>{bounded(A11_array, k, k, lda11, batch_count, k_max, k_max),
                            bounded(A12_array, k, n2, lda12, batch_count, k_max, n2_max),
                            bounded(A21_array, m2, k, lda21, batch_count, m2_max, k_max),
                            bounded(A22_array, m2, n2, lda22, batch_count, m2_max, n2_max)},
      vector_pointers(ipiv_array, k_max), info_array, q, k_max, m2_max, n2_max);
}

template <>
std::size_t getrf_partial_split_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return lu_work_bytes(batch_count);
}

template <>
std::size_t getrf_partial_split_vbatched_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return mixed_lu_work_bytes(batch_count);
}

template <>
int getrf_partial_split_nopiv_batched(form form, schur schur, int k, int m2, int n2, T* const* A11_array,
                                      int lda11, T* const* A12_array, int lda12, T* const* A21_array,
                                      int lda21, T* const* A22_array, int lda22, R pivot_floor,
                                      const R* pivot_floor_array, int* replaced_array, int* info_array,
                                      std::int64_t batch_count, queue q) {
  return getrf_partial_split_nopiv(form, schur,
                                   lu_fronts<batch<T>>{pointer_batch(A11_array, k, k, lda11, batch_count),
                                                       pointer_batch(A12_array, k, n2, lda12, batch_count),
                                                       pointer_batch(A21_array, m2, k, lda21, batch_count),
                                                       pointer_batch(A22_array, m2, n2, lda22, batch_count)},
                                   with_floors(pivot_floor, pivot_floor_array, replaced_array), info_array,
                                   q);
}

template <>
int getrf_partial_split_nopiv_strided_batched(form form, schur schur, int k, int m2, int n2, T* A11,
                                              int lda11, std::int64_t stride_A11, T* A12, int lda12,
                                              std::int64_t stride_A12, T* A21, int lda21,
                                              std::int64_t stride_A21, T* A22, int lda22,
                                              std::int64_t stride_A22, R pivot_floor,
                                              const R* pivot_floor_array, int* replaced_array,
                                              int* info_array, std::int64_t batch_count, queue q) {
  return getrf_partial_split_nopiv(
      form, schur,
      lu_fronts<strided<T>>{strided(A11, k, k, lda11, stride_A11, batch_count),
                            strided(A12, k, n2, lda12, stride_A12, batch_count),
                            strided(A21, m2, k, lda21, stride_A21, batch_count),
                            strided(A22, m2, n2, lda22, stride_A22, batch_count)},
      with_floors(pivot_floor, pivot_floor_array, replaced_array), info_array, q);
}

template <>
int getrf_partial_split_nopiv_vbatched(form form, schur schur, const int* k, const int* m2, const int* n2,
                                       T* const* A11_array, const int* lda11, T* const* A12_array,
                                       const int* lda12, T* const* A21_array, const int* lda21,
                                       T* const* A22_array, const int* lda22, R pivot_floor,
                                       const R* pivot_floor_array, int* replaced_array, int* info_array,
                                       std::int64_t batch_count, int k_max, int m2_max, int n2_max, queue q) {
  return getrf_partial_split_nopiv(
      form, schur,
      lu_fronts<bounded<T>>{bounded(A11_array, k, k, lda11, batch_count, k_max, k_max),
                            bounded(A12_array, k, n2, lda12, batch_count, k_max, n2_max),
                            bounded(A21_array, m2, k, lda21, batch_count, m2_max, k_max),
                            bounded(A22_array, m2, n2, lda22, batch_count, m2_max, n2_max)},
      with_floors(pivot_floor, pivot_floor_array, replaced_array), info_array, q, k_max, m2_max, n2_max);
}

template <>
std::size_t getrf_partial_split_nopiv_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return lu_work_bytes(batch_count);
}

template <>
std::size_t getrf_partial_split_nopiv_vbatched_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return mixed_lu_work_bytes(batch_count);
}

}  // namespace talus
