// What is illegal of a matrix whose sizes lie where the matrices lie: numbers as in the argument lists of
// QR's routines, found on either backend. Compiles without nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batch.hpp"
#include "batched/qr/backends.hpp"
#include "gpu/table.hpp"
#include "validate.hpp"
#include "vbatched/schedule.hpp"

namespace talus::householder {

TALUS_HOST_DEVICE constexpr int smaller(int a, int b) { return a < b ? a : b; }
TALUS_HOST_DEVICE constexpr int larger(int a, int b) { return a > b ? a : b; }

// Each says -i of the first argument i that is illegal of matrix b, or above the promised bound, else 0.
// Nothing of the matrix is touched then.

template <class T>
TALUS_HOST_DEVICE int check_geqrf(const matrix<T>& A, const T* tau, int m_max, int n_max) {
  if (A.m < 0) return -1;
  if (A.n < 0) return -2;
  if (is_missing(A.A, A.m > 0 && A.n > 0)) return -3;
  if (A.lda < larger(1, A.m)) return -4;
  if (is_missing(tau, A.m > 0 && A.n > 0)) return -5;
  if (is_above(A.m, m_max)) return -8;
  return is_above(A.n, n_max) ? -9 : 0;
}

/// A: as many rows as C has on the side that Q is on, k columns.
template <class T>
TALUS_HOST_DEVICE int check_ormqr(side where, const matrix<const T>& A, const T* tau, const matrix<T>& C,
                                  int m_max, int n_max, int k_max) {
  const int order = where == side::left ? C.m : C.n;
  if (C.m < 0) return -3;
  if (C.n < 0) return -4;
  if (A.n < 0 || A.n > order) return -5;
  if (is_missing(A.A, A.n > 0)) return -6;
  if (A.lda < larger(1, order)) return -7;
  if (is_missing(tau, A.n > 0)) return -8;
  if (is_missing(C.A, C.m > 0 && C.n > 0)) return -9;
  if (C.lda < larger(1, C.m)) return -10;
  if (is_above(C.m, m_max)) return -13;
  if (is_above(C.n, n_max)) return -14;
  return is_above(A.n, k_max) ? -15 : 0;
}

template <class T>
TALUS_HOST_DEVICE int check_orgqr(int k, const matrix<T>& A, const T* tau, int m_max, int n_max, int k_max) {
  if (A.m < 0) return -1;
  if (A.n < 0 || A.n > A.m) return -2;
  if (k < 0 || k > A.n) return -3;
  if (is_missing(A.A, A.n > 0)) return -4;
  if (A.lda < larger(1, A.m)) return -5;
  if (is_missing(tau, k > 0)) return -6;
  if (is_above(A.m, m_max)) return -9;
  if (is_above(A.n, n_max)) return -10;
  return is_above(k, k_max) ? -11 : 0;
}

/// B: nrhs columns; what it says of its rows is not looked at.
template <class T>
TALUS_HOST_DEVICE int check_gels(const matrix<T>& A, const matrix<T>& B, int m_max, int n_max, int nrhs_max) {
  const int rows = larger(A.m, A.n);
  if (A.m < 0) return -2;
  if (A.n < 0) return -3;
  if (B.n < 0) return -4;
  if (is_missing(A.A, A.m > 0 && A.n > 0)) return -5;
  if (A.lda < larger(1, A.m)) return -6;
  if (is_missing(B.A, rows > 0 && B.n > 0)) return -7;
  if (B.lda < larger(1, rows)) return -8;
  if (is_above(A.m, m_max)) return -11;
  if (is_above(A.n, n_max)) return -12;
  return is_above(B.n, nrhs_max) ? -13 : 0;
}

/// R: what it says of its sizes is not looked at.
template <class T>
TALUS_HOST_DEVICE int check_qr(const matrix<T>& A, const matrix<T>& R, int m_max, int n_max) {
  if (A.m < 0) return -1;
  if (A.n < 0) return -2;
  if (is_missing(A.A, A.m > 0 && A.n > 0)) return -3;
  if (A.lda < larger(1, A.m)) return -4;
  if (is_missing(R.A, A.m > 0 && A.n > 0)) return -5;
  if (R.lda < larger(1, smaller(A.m, A.n))) return -6;
  if (is_above(A.m, m_max)) return -9;
  return is_above(A.n, n_max) ? -10 : 0;
}

}  // namespace talus::householder

namespace talus::cuda::householder {

TALUS_HOST_DEVICE constexpr int work_of(int rows, int columns) {
  const std::int64_t all = static_cast<std::int64_t>(rows) * (columns > 1 ? columns : 1), most = 1 << 30;
  return static_cast<int>(all < most ? all : most);
}

/// The matrices of geqrf, to be ordered and to be worked on: a `Check` (vbatched/schedule.hpp).
template <class T>
struct matrix_check {
  using element = T;
  static constexpr bool in_kernels = true;
  variable_batch<T> A;
  vectors<T> tau;
  extents<2> bounds;

  TALUS_HOST_DEVICE static extents<2> sizes_of(const matrix<T>& one) { return {{one.m, one.n}}; }
  TALUS_HOST_DEVICE static int work(const extents<2>& sizes) {
    return sizes.of[0] > 0 && sizes.of[1] > 0 ? work_of(sizes.of[0], sizes.of[1]) : 0;
  }
  TALUS_HOST_DEVICE static int columns(const extents<2>& sizes) {
    return talus::householder::smaller(sizes.of[0], sizes.of[1]);
  }
  TALUS_HOST_DEVICE int info_of(std::int64_t b, const matrix<T>& one) const {
    return talus::householder::check_geqrf(one, tau[b], bounds.of[0], bounds.of[1]);
  }
  TALUS_HOST_DEVICE checked<2> operator()(std::int64_t b) const {
    const matrix<T> one = A[b];
    return {info_of(b, one), sizes_of(one)};
  }
  matrix_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(tau, first), bounds};
  }
  matrix_check<std::byte> erased() const { return {as_bytes(A), as_bytes(tau), bounds}; }
};

/// What a call promises of all its matrices, each unknown_bound if it does not: the largest m and n, and k or
/// nrhs.
struct bounds_of_qr {
  int m, n, other;
};

// The matrices of the other routines, to be ordered: a `Check` each. Its extents are the rows of the
// reflectors and how many there are.

template <class Check>
struct task_check {
  static constexpr bool in_kernels = false;

  TALUS_HOST_DEVICE static int work(const extents<2>& sizes) {
    return sizes.of[0] > 0 ? work_of(sizes.of[0], sizes.of[1]) : 0;
  }
  TALUS_HOST_DEVICE checked<2> operator()(std::int64_t b) const {
    const Check& all = static_cast<const Check&>(*this);
    return {all.info_of(b), all.sizes_of(b)};
  }
};

template <class T>
struct ormqr_check : task_check<ormqr_check<T>> {
  side where;
  variable_batch<const T> A;
  vectors<const T> tau;
  variable_batch<T> C;
  bounds_of_qr most;
  extents<2> bounds;

  TALUS_HOST_DEVICE int info_of(std::int64_t b) const {
    return talus::householder::check_ormqr(where, A[b], tau[b], C[b], most.m, most.n, most.other);
  }
  TALUS_HOST_DEVICE extents<2> sizes_of(std::int64_t b) const { return {{A.m[b], A.n[b]}}; }
  ormqr_check part(std::int64_t first, std::int64_t count) const {
    return {{}, where, part_of(A, first, count), part_of(tau, first), part_of(C, first, count), most, bounds};
  }
  ormqr_check<std::byte> erased() const {
    return {{}, where, as_bytes(A), as_bytes(tau), as_bytes(C), most, bounds};
  }
};

template <class T>
struct orgqr_check : task_check<orgqr_check<T>> {
  const int* k;
  variable_batch<T> A;
  vectors<const T> tau;
  bounds_of_qr most;
  extents<2> bounds;

  TALUS_HOST_DEVICE int info_of(std::int64_t b) const {
    return talus::householder::check_orgqr(k[b], A[b], tau[b], most.m, most.n, most.other);
  }
  TALUS_HOST_DEVICE extents<2> sizes_of(std::int64_t b) const { return {{A.n[b] > 0 ? A.m[b] : 0, k[b]}}; }
  orgqr_check part(std::int64_t first, std::int64_t count) const {
    return {{}, k + first, part_of(A, first, count), part_of(tau, first), most, bounds};
  }
  orgqr_check<std::byte> erased() const { return {{}, k, as_bytes(A), as_bytes(tau), most, bounds}; }
};

template <class T>
struct gels_check : task_check<gels_check<T>> {
  variable_batch<T> A, B;
  bounds_of_qr most;
  extents<2> bounds;

  TALUS_HOST_DEVICE int info_of(std::int64_t b) const {
    return talus::householder::check_gels(A[b], B[b], most.m, most.n, most.other);
  }
  TALUS_HOST_DEVICE extents<2> sizes_of(std::int64_t b) const {
    return {{talus::householder::larger(A.m[b], A.n[b]), talus::householder::smaller(A.m[b], A.n[b])}};
  }
  gels_check part(std::int64_t first, std::int64_t count) const {
    return {{}, part_of(A, first, count), part_of(B, first, count), most, bounds};
  }
  gels_check<std::byte> erased() const { return {{}, as_bytes(A), as_bytes(B), most, bounds}; }
};

template <class T>
struct thin_check : task_check<thin_check<T>> {
  variable_batch<T> A, R;
  bounds_of_qr most;
  extents<2> bounds;

  TALUS_HOST_DEVICE int info_of(std::int64_t b) const {
    return talus::householder::check_qr(A[b], R[b], most.m, most.n);
  }
  TALUS_HOST_DEVICE extents<2> sizes_of(std::int64_t b) const {
    const int k = talus::householder::smaller(A.m[b], A.n[b]);
    return {{k > 0 ? A.m[b] : 0, k}};
  }
  thin_check part(std::int64_t first, std::int64_t count) const {
    return {{}, part_of(A, first, count), part_of(R, first, count), most, bounds};
  }
  thin_check<std::byte> erased() const { return {{}, as_bytes(A), as_bytes(R), most, bounds}; }
};

}  // namespace talus::cuda::householder
