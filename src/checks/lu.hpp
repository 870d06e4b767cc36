// Checks of a matrix and of a front in blocks of a batch of mixed sizes, for LU's routines. They return
// info: minus the number of the illegal argument. Both backends use them. checks/blas.hpp has the checks of
// systems. Compiles without nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/fronts.hpp"
#include "checks/blas.hpp"
#include "gpu/table.hpp"
#include "validate.hpp"
#include "vbatched/schedule.hpp"

namespace talus::lu {

/// What a call promises of all its matrices, each unknown_bound if it does not.
struct bounds_of_lu {
  int m_max, n_max, k_max;
};

/// What info says of a matrix if its own sizes or its pointers are illegal, or sizes above the promised
/// bounds: -i of the first such argument of getrf, getrf_nopiv, getrf_partial or getrf_partial_nopiv, else 0.
/// Nothing of the matrix is touched then.
template <class T, class R>
TALUS_HOST_DEVICE int check_matrix(pivoting how, bool partial, const matrix<T>& A, const elimination<R>& each,
                                   const bounds_of_lu& most) {
  const int k = each.columns, A_array = partial ? 4 : 3,
            batch_count = (how == pivoting::none ? 6 : 4) + A_array;
  if (A.m < 0) return -1;
  if (A.n < 0) return -2;
  if (partial && (k < 0 || k > A.m || k > A.n)) return -3;
  if (is_missing(A.A, A.m > 0 && A.n > 0)) return -A_array;
  if (A.lda < (A.m > 1 ? A.m : 1)) return -A_array - 1;
  if (how == pivoting::partial && is_missing(each.ipiv, k > 0)) return -A_array - 2;
  if (is_above(A.m, most.m_max)) return -batch_count - 1;
  if (is_above(A.n, most.n_max)) return -batch_count - 2;
  return partial && is_above(k, most.k_max) ? -batch_count - 3 : 0;
}

/// The same for getri, and with C for getri_outofplace.
template <class T>
TALUS_HOST_DEVICE int check_factors(const matrix<T>& A, const int* ipiv, int n_max, int n_max_argument = 7) {
  if (A.n < 0) return -1;
  if (is_missing(A.A, A.n > 0)) return -2;
  if (A.lda < (A.n > 1 ? A.n : 1)) return -3;
  if (is_missing(ipiv, A.n > 0)) return -4;
  return is_above(A.n, n_max) ? -n_max_argument : 0;
}
template <class T>
TALUS_HOST_DEVICE int check_factors(const matrix<const T>& A, const int* ipiv, const matrix<T>& C,
                                    int n_max) {
  const int info = check_factors(A, ipiv, unknown_bound);
  if (info != 0) return info;
  if (is_missing(C.A, A.n > 0)) return -5;
  if (C.lda < (A.n > 1 ? A.n : 1)) return -6;
  return is_above(A.n, n_max) ? -9 : 0;
}

/// What a call promises of all its fronts in blocks, each unknown_bound if it does not.
struct bounds_of_split {
  int k_max, m2_max, n2_max;
};

/// The same for a front in blocks, of getrf_partial_split and getrf_partial_split_nopiv.
template <class T>
TALUS_HOST_DEVICE int check_split(pivoting how, const matrix<T>& A11, const matrix<T>& A12,
                                  const matrix<T>& A21, const matrix<T>& A22, const int* ipiv,
                                  const bounds_of_split& most) {
  const int k = A11.n, m2 = A22.m, n2 = A22.n, batch_count = how == pivoting::none ? 18 : 16;
  if (k < 0) return -3;
  if (m2 < 0) return -4;
  if (n2 < 0) return -5;
  if (is_missing(A11.A, k > 0)) return -6;
  if (A11.lda < (k > 1 ? k : 1)) return -7;
  if (is_missing(A12.A, k > 0 && n2 > 0)) return -8;
  if (A12.lda < (k > 1 ? k : 1)) return -9;
  if (is_missing(A21.A, k > 0 && m2 > 0)) return -10;
  if (A21.lda < (m2 > 1 ? m2 : 1)) return -11;
  if (is_missing(A22.A, m2 > 0 && n2 > 0)) return -12;
  if (A22.lda < (m2 > 1 ? m2 : 1)) return -13;
  if (how == pivoting::partial && is_missing(ipiv, k > 0)) return -14;
  if (is_above(k, most.k_max)) return -batch_count - 1;
  if (is_above(m2, most.m2_max)) return -batch_count - 2;
  return is_above(n2, most.n2_max) ? -batch_count - 3 : 0;
}

}  // namespace talus::lu

namespace talus::cuda::lu {

/// The matrices of a call, to be ordered and to be worked on: a `Check` (vbatched/schedule.hpp). R: real
/// numbers of T's precision.
template <class T, class R>
struct matrix_check {
  using element = T;
  static constexpr bool in_kernels = true;
  variable_batch<T> A;
  eliminations<R> each;
  pivoting how;
  extents<2> bounds;
  int k_max;

  TALUS_HOST_DEVICE static extents<2> sizes_of(const matrix<T>& one) { return {{one.m, one.n}}; }
  TALUS_HOST_DEVICE static int work(const extents<2>& sizes) {
    const std::int64_t all = static_cast<std::int64_t>(sizes.of[0]) * sizes.of[1], most = 1 << 30;
    return static_cast<int>(all < most ? all : most);
  }
  TALUS_HOST_DEVICE static int columns(const extents<2>& sizes) {
    return sizes.of[0] < sizes.of[1] ? sizes.of[0] : sizes.of[1];
  }
  TALUS_HOST_DEVICE int info_of(std::int64_t b, const matrix<T>& one) const {
    return talus::lu::check_matrix(how, each.partial, one, each.of(b, one.m, one.n),
                                   {bounds.of[0], bounds.of[1], k_max});
  }
  TALUS_HOST_DEVICE checked<2> operator()(std::int64_t b) const {
    const matrix<T> one = A[b];
    return {info_of(b, one), sizes_of(one)};
  }
  matrix_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), each.part(first), how, bounds, k_max};
  }
  matrix_check<std::byte, float> erased() const {
    return {as_bytes(A), each.without_floors(), how, bounds, k_max};
  }
};

/// The matrices of systems that gesv factors, to be ordered: a `Check` (vbatched/schedule.hpp). getrf's lines
/// choose by m and n, which are the same here.
template <class T>
struct system_check {
  static constexpr bool in_kernels = false;
  variable_batch<const T> A;
  vectors<const int> ipiv;
  variable_batch<T> B;
  extents<2> bounds;
  int nrhs_max;

  TALUS_HOST_DEVICE static int work(const extents<2>& sizes) { return sizes.of[0]; }
  TALUS_HOST_DEVICE checked<2> operator()(std::int64_t b) const {
    const matrix<const T> one = A[b];
    return {talus::blas::check_system(1, true, one, ipiv[b], B[b], bounds.of[0], nrhs_max), {{one.n, one.n}}};
  }
  system_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(ipiv, first), part_of(B, first, part_count), bounds,
            nrhs_max};
  }
  system_check<std::byte> erased() const { return {as_bytes(A), ipiv, as_bytes(B), bounds, nrhs_max}; }
};

/// Checks a matrix of getri or getri_outofplace, in blas::systems_check.
struct infos_of_getri {
  vectors<const int> ipiv;
  bool in_place;

  template <class T>
  TALUS_HOST_DEVICE int operator()(std::int64_t b, const matrix<const T>& A, const matrix<T>& C,
                                   const extents<2>& bounds) const {
    return in_place ? talus::lu::check_factors(A, ipiv[b], bounds[0])
                    : talus::lu::check_factors(A, ipiv[b], C, bounds[0]);
  }
  infos_of_getri part(std::int64_t first) const { return {part_of(ipiv, first), in_place}; }
};

/// An extent of a front from those of its blocks, as far as an int holds it; 0 where they are illegal: no
/// kernel gets to see it.
TALUS_HOST_DEVICE constexpr int extent_of_front(int k, int rest) {
  return k > 0 && rest > any_extent - k ? any_extent : k < 0 || rest < 0 ? 0 : k + rest;
}
/// The same of their bounds, of which any may be unknown.
constexpr int bound_of_front(int k_max, int rest_max) {
  return k_max == unknown_bound || rest_max == unknown_bound ? unknown_bound
                                                             : extent_of_front(k_max, rest_max);
}

/// Fronts in blocks, to be ordered and to be worked on: a `Check` (vbatched/schedule.hpp). Extents are those
/// of whole fronts, m = k + m2 and n = k + n2, and the order k of their pivot blocks.
template <class T, class R>
struct split_check {
  using element = T;
  static constexpr bool in_kernels = true;
  struct : lu_fronts<variable_batch<T>> {
    std::int64_t count;
  } A;
  eliminations<R> each;
  pivoting how;
  talus::form form;
  talus::schur schur;
  talus::lu::bounds_of_split promised;
  extents<3> bounds;

  split_check(const lu_fronts<variable_batch<T>>& fronts, const eliminations<R>& of, pivoting by,
              talus::form leaves, talus::schur makes, const talus::lu::bounds_of_split& most)
      : split_check(fronts, of, by, leaves, makes, most,
                    upto(bound_of_front(most.k_max, most.m2_max), bound_of_front(most.k_max, most.n2_max),
                         most.k_max)) {}
  split_check(const lu_fronts<variable_batch<T>>& fronts, const eliminations<R>& of, pivoting by,
              talus::form leaves, talus::schur makes, const talus::lu::bounds_of_split& most,
              const extents<3>& largest)
      : A{fronts, fronts.A11.count},
        each(of),
        how(by),
        form(leaves),
        schur(makes),
        promised(most),
        bounds(largest) {}

  /// Where no column is eliminated there is work, too: A22 may become zero.
  TALUS_HOST_DEVICE static int work(const extents<3>& sizes) {
    const std::int64_t all = static_cast<std::int64_t>(sizes.of[0]) * sizes.of[1], most = 1 << 30;
    return static_cast<int>(all < most ? all : most);
  }
  TALUS_HOST_DEVICE checked<3> operator()(std::int64_t b) const {
    const matrix<T> A11 = A.A11[b], A22 = A.A22[b];
    const int* const ipiv = each.has_ipiv() ? each.ipiv[b] : nullptr;
    return {talus::lu::check_split(how, A11, A.A12[b], A.A21[b], A22, ipiv, promised),
            {{extent_of_front(A11.n, A22.m), extent_of_front(A11.n, A22.n), extent_of_front(A11.n, 0)}}};
  }
  split_check part(std::int64_t first, std::int64_t part_count) const {
    return {{part_of(A.A11, first, part_count), part_of(A.A12, first, part_count),
             part_of(A.A21, first, part_count), part_of(A.A22, first, part_count)},
            each.part(first),
            how,
            form,
            schur,
            promised,
            bounds};
  }
  split_check<std::byte, float> erased() const {
    return {{as_bytes(A.A11), as_bytes(A.A12), as_bytes(A.A21), as_bytes(A.A22)},
            each.without_floors(),
            how,
            form,
            schur,
            promised,
            bounds};
  }
};

}  // namespace talus::cuda::lu
