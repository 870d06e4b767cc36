// What is illegal of a matrix, and of a system, whose sizes lie where the matrices lie: numbers as in the
// argument lists of Cholesky's routines, found on either backend. Compiles without nvcc.
#pragma once

#include <cstdint>

#include "batch.hpp"
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

/// The same for a system A X = B.
template <class T, class U>  // T or const T, T
TALUS_HOST_DEVICE int check_system(const matrix<T>& A, const matrix<U>& B, int n_max, int nrhs_max) {
  if (A.n < 0) return -2;
  if (B.n < 0) return -3;
  if (A.n > 0 && A.A == nullptr) return -4;
  if (A.lda < (A.n > 1 ? A.n : 1)) return -5;
  if (A.n > 0 && B.n > 0 && B.A == nullptr) return -6;
  if (B.lda < (A.n > 1 ? A.n : 1)) return -7;
  if (n_max != unknown_bound && A.n > n_max) return -10;
  return nrhs_max != unknown_bound && B.n > nrhs_max ? -11 : 0;
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
};

/// Those of systems, for posv and potrs, to be ordered: there is more to look at than a kernel looks at.
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
    return {talus::cholesky::check_system(one, B[b], bounds.of[0], nrhs_max), {{one.n}}};
  }
  system_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(B, first, part_count), bounds, nrhs_max};
  }
};

}  // namespace talus::cuda::cholesky
