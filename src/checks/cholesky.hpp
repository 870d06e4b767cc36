// Checks of a matrix and of a front of a batch of mixed sizes, for Cholesky's routines. They return
// info: minus the number of the illegal argument. Both backends use them. checks/blas.hpp has the checks of
// systems. Compiles without nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batch.hpp"
#include "batched/cholesky/fronts.hpp"
#include "checks/blas.hpp"
#include "gpu/table.hpp"
#include "validate.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cholesky {

/// What info says of a matrix if its own sizes or its pointer are illegal, or n above the promised bound: -i
/// of the first such argument, else 0. Nothing of the matrix is touched then.
template <class T>
TALUS_HOST_DEVICE int check_matrix(const matrix<T>& A, int n_max) {
  if (A.n < 0) return -2;
  if (A.n > 0 && A.A == nullptr) return -3;
  if (A.lda < (A.n > 1 ? A.n : 1)) return -4;
  return n_max != unknown_bound && A.n > n_max ? -7 : 0;
}

/// The same for a front of which the first k columns are eliminated.
template <class T>
TALUS_HOST_DEVICE int check_front(const matrix<T>& A, int k, int n_max, int k_max) {
  if (A.n < 0) return -2;
  if (k < 0 || k > A.n) return -3;
  if (is_missing(A.A, A.n > 0)) return -4;
  if (A.lda < (A.n > 1 ? A.n : 1)) return -5;
  if (is_above(A.n, n_max)) return -8;
  return is_above(k, k_max) ? -9 : 0;
}

/// The same for a front in three blocks. Where not `lower`, A21 is A12.
template <class T>
TALUS_HOST_DEVICE int check_split(const matrix<T>& A11, const matrix<T>& A21, const matrix<T>& A22,
                                  bool lower, int k_max, int n2_max) {
  const int k = A11.n, n2 = A22.n, rows = lower ? n2 : k;  // of A21
  if (k < 0) return -2;
  if (n2 < 0) return -3;
  if (is_missing(A11.A, k > 0)) return -4;
  if (A11.lda < (k > 1 ? k : 1)) return -5;
  if (is_missing(A21.A, k > 0 && n2 > 0)) return -6;
  if (A21.lda < (rows > 1 ? rows : 1)) return -7;
  if (is_missing(A22.A, n2 > 0)) return -8;
  if (A22.lda < (n2 > 1 ? n2 : 1)) return -9;
  if (is_above(k, k_max)) return -12;
  return is_above(n2, n2_max) ? -13 : 0;
}

}  // namespace talus::cholesky

namespace talus::cuda::cholesky {

/// The matrices of a call, to be ordered and to be worked on: a `Check` (vbatched/schedule.hpp).
template <class T>
struct matrix_check {
  using element = T;
  static constexpr bool in_kernels = true;
  variable_batch<T> A;
  extents<1> bounds;

  TALUS_HOST_DEVICE static extents<1> sizes_of(const matrix<T>& one) { return {{one.n}}; }
  TALUS_HOST_DEVICE static int work(const extents<1>& sizes) { return sizes.of[0]; }
  TALUS_HOST_DEVICE static int columns(const extents<1>& sizes) { return sizes.of[0]; }
  /// Of which all columns are eliminated.
  TALUS_HOST_DEVICE static front<T> front_of_matrix(uplo uplo, const matrix<T>& one) {
    return front_of(uplo, one, one.n);
  }
  TALUS_HOST_DEVICE int info_of(std::int64_t, const matrix<T>& one) const {
    return talus::cholesky::check_matrix(one, bounds.of[0]);
  }
  TALUS_HOST_DEVICE checked<1> operator()(std::int64_t b) const {
    const matrix<T> one = A[b];
    return {info_of(b, one), sizes_of(one)};
  }
  matrix_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), bounds};
  }
  matrix_check<std::byte> erased() const { return {as_bytes(A), bounds}; }
};

/// The matrices of systems that posv factors, to be ordered: kernels do not look at B.
template <class T>
struct system_check {
  static constexpr bool in_kernels = false;
  variable_batch<const T> A;
  variable_batch<T> B;
  extents<1> bounds;
  int nrhs_max;

  TALUS_HOST_DEVICE static int work(const extents<1>& sizes) { return sizes.of[0]; }
  TALUS_HOST_DEVICE checked<1> operator()(std::int64_t b) const {
    const matrix<const T> one = A[b];
    return {talus::blas::check_system(2, false, one, nullptr, B[b], bounds.of[0], nrhs_max), {{one.n}}};
  }
  system_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(B, first, part_count), bounds, nrhs_max};
  }
  system_check<std::byte> erased() const { return {as_bytes(A), as_bytes(B), bounds, nrhs_max}; }
};

/// Checks a matrix of potri, in blas::systems_check.
struct infos_of_potri {
  template <class T>
  TALUS_HOST_DEVICE int operator()(std::int64_t, const matrix<const T>& A, const matrix<T>&,
                                   const extents<2>& bounds) const {
    return talus::cholesky::check_matrix(A, bounds[0]);
  }
  infos_of_potri part(std::int64_t) const { return {}; }
};

/// What a call promises of its fronts, each unknown_bound if it does not: of whole matrices n_max and k_max,
/// of blocks of their own k_max and n2_max.
struct bounds_of_fronts {
  int n_max, k_max, n2_max;

  int order_max() const {
    if (n_max != unknown_bound || n2_max == unknown_bound || k_max == unknown_bound) return n_max;
    return k_max < any_extent - n2_max ? k_max + n2_max : any_extent;
  }
};

/// Fronts, to be ordered and to be worked on. Extents are n and k.
template <class T>
struct front_check {
  using element = T;
  static constexpr bool in_kernels = false;
  variable_fronts<T> A;
  bounds_of_fronts promised;
  extents<2> bounds;

  front_check(const variable_fronts<T>& fronts, const bounds_of_fronts& most)
      : A(fronts), promised(most), bounds(upto(most.order_max(), most.k_max)) {}
  front_check(const variable_fronts<T>& fronts, const bounds_of_fronts& most, const extents<2>& largest)
      : A(fronts), promised(most), bounds(largest) {}

  /// Where no column is eliminated nothing is done.
  TALUS_HOST_DEVICE static int work(const extents<2>& sizes) { return sizes.of[1] == 0 ? 0 : sizes.of[0]; }
  TALUS_HOST_DEVICE static front<T> front_of_matrix(uplo, const front<T>& one) { return one; }
  TALUS_HOST_DEVICE checked<2> operator()(std::int64_t b) const {
    const bool lower = A.uplo == uplo::lower;
    if (A.split) {
      const matrix<T> A11 = A.A[b], A22 = A.A22[b];
      return {talus::cholesky::check_split(A11, A.A21[b], A22, lower, promised.k_max, promised.n2_max),
              {{A11.n + A22.n, A11.n}}};
    }
    const matrix<T> one = A.A[b];
    return {talus::cholesky::check_front(one, A.k[b], promised.n_max, promised.k_max), {{one.n, A.k[b]}}};
  }
  front_check part(std::int64_t first, std::int64_t part_count) const {
    variable_fronts<T> rest = A;
    rest.A = part_of(A.A, first, part_count);
    rest.count = part_count;
    if (A.split) {
      rest.A21 = part_of(A.A21, first, part_count);
      rest.A22 = part_of(A.A22, first, part_count);
    } else {
      rest.k = A.k + first;
    }
    return {rest, promised, bounds};
  }
  front_check<std::byte> erased() const {
    return {
        {A.uplo, A.split, as_bytes(A.A), A.k, as_bytes(A.A21), as_bytes(A.A22), A.count}, promised, bounds};
  }
};

}  // namespace talus::cuda::cholesky
