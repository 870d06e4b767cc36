// Checks of one matrix of a batch of mixed sizes, for BLAS's routines and for solves with factors. They return
// info: minus the number of the illegal argument. Both backends use them. Compiles without nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batch.hpp"
#include "batched/blas/backends.hpp"
#include "gpu/table.hpp"
#include "validate.hpp"
#include "vbatched/schedule.hpp"

namespace talus::blas {

/// Of a matrix as it is stored: the number of A_array if it is null although there is something to point at,
/// of lda, which follows, if that is too small; else 0.
template <class T>
TALUS_HOST_DEVICE int check_stored(const matrix<T>& A, int A_array) {
  if (is_missing(A.A, A.m > 0 && A.n > 0)) return -A_array;
  return A.lda < (A.m > 1 ? A.m : 1) ? -A_array - 1 : 0;
}

/// What info says of a system of trsm if its own sizes or its pointers are illegal, or sizes above the
/// promised bounds: -i of the first such argument, else 0. Nothing of it is touched then.
template <class T, class U>  // T or const T, T
TALUS_HOST_DEVICE int check_trsm(side where, const matrix<T>& A, const matrix<U>& B, int m_max, int n_max) {
  if (B.m < 0) return -5;
  if (B.n < 0) return -6;
  const int order = where == side::left ? B.m : B.n;
  int info = check_stored(matrix<T>{A.A, order, order, A.lda}, 8);
  if (info == 0) info = check_stored(B, 10);
  if (info != 0) return info;
  if (is_above(B.m, m_max)) return -14;
  return is_above(B.n, n_max) ? -15 : 0;
}

/// The same of a system A X = B of potrs, posv, getrs, getrs_nopiv and gesv. has_ipiv: the routine has an
/// argument ipiv.
template <class T, class U>  // T or const T, T
TALUS_HOST_DEVICE int check_system(int n_argument, bool has_ipiv, const matrix<T>& A, const int* ipiv,
                                   const matrix<U>& B, int n_max, int nrhs_max) {
  const int B_array = n_argument + (has_ipiv ? 5 : 4);
  if (A.n < 0) return -n_argument;
  if (B.n < 0) return -n_argument - 1;
  if (is_missing(A.A, A.n > 0)) return -n_argument - 2;
  if (A.lda < (A.n > 1 ? A.n : 1)) return -n_argument - 3;
  if (has_ipiv && is_missing(ipiv, A.n > 0)) return -n_argument - 4;
  if (is_missing(B.A, A.n > 0 && B.n > 0)) return -B_array;
  if (B.lda < (A.n > 1 ? A.n : 1)) return -B_array - 1;
  if (is_above(A.n, n_max)) return -B_array - 4;
  return is_above(B.n, nrhs_max) ? -B_array - 5 : 0;
}

/// The same of a product of gemm, C is m x n. A and B as they are stored, transposed or not.
template <class T, class U>
TALUS_HOST_DEVICE int check_gemm(const matrix<T>& A, const matrix<T>& B, const matrix<U>& C, int k, int m_max,
                                 int n_max, int k_max) {
  if (C.m < 0) return -3;
  if (C.n < 0) return -4;
  if (k < 0) return -5;
  int info = check_stored(A, 7);
  if (info == 0) info = check_stored(B, 9);
  if (info == 0) info = check_stored(C, 12);
  if (info != 0) return info;
  if (is_above(C.m, m_max)) return -16;
  if (is_above(C.n, n_max)) return -17;
  return is_above(k, k_max) ? -18 : 0;
}

/// The same of a product of gemv, with what x and y start at and their steps.
template <class T, class X, class Y>
TALUS_HOST_DEVICE int check_gemv(op of_A, const matrix<T>& A, const X* x, int incx, const Y* y, int incy,
                                 int m_max, int n_max) {
  if (A.m < 0) return -2;
  if (A.n < 0) return -3;
  const int info = check_stored(A, 5);
  if (info != 0) return info;
  const int length_x = of_A == op::none ? A.n : A.m, length_y = of_A == op::none ? A.m : A.n;
  if (is_missing(x, length_x > 0)) return -7;
  if (incx == 0) return -8;
  if (is_missing(y, length_y > 0)) return -10;
  if (incy == 0) return -11;
  if (is_above(A.m, m_max)) return -14;
  return is_above(A.n, n_max) ? -15 : 0;
}

}  // namespace talus::blas

// ---- checks (vbatched/schedule.hpp) --------------------------------------------------------------------

namespace talus::cuda {

/// Vectors b = 0, 1, ... of those from `first` on. A bound of 0 allows no array at all.
template <class T>
stepped_vectors<T> part_of(const stepped_vectors<T>& v, std::int64_t first) {
  return {v.array ? v.array + first : nullptr, v.step + first};
}

namespace blas {

/// The systems of a call that solves or inverts, to be ordered. Extents are the order and the number of
/// right-hand sides. infos(b, A_b, B_b, bounds) returns info of system b, 0 or -i. infos.part(first) belongs
/// to the systems from number `first` on.
template <class T, class Infos>
struct systems_check {
  static constexpr bool in_kernels = false;
  variable_batch<const T> A;
  variable_batch<T> B;
  Infos infos;
  bool sides_are_rows;
  extents<2> bounds;

  /// A step of the tensor units is taken for 16 right-hand sides.
  TALUS_HOST_DEVICE static int work(const extents<2>& sizes) {
    const std::int64_t all = static_cast<std::int64_t>(sizes.of[0]) * (sizes.of[1] / 16 + 1), most = 1 << 30;
    return static_cast<int>(all < most ? all : most);
  }
  TALUS_HOST_DEVICE checked<2> operator()(std::int64_t b) const {
    const matrix<const T> one = A[b];
    const matrix<T> sides = B[b];
    return {infos(b, one, sides, bounds), {{one.n, sides_are_rows ? sides.m : sides.n}}};
  }
  systems_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(B, first, part_count), infos.part(first), sides_are_rows,
            bounds};
  }
  systems_check<std::byte, Infos> erased() const {
    return {as_bytes(A), as_bytes(B), infos, sides_are_rows, bounds};
  }
};

/// Checks a system of trsm.
struct infos_of_trsm {
  side where;

  template <class T>
  TALUS_HOST_DEVICE int operator()(std::int64_t, const matrix<const T>& A, const matrix<T>& B,
                                   const extents<2>& bounds) const {
    const bool left = where == side::left;
    return talus::blas::check_trsm(where, A, B, bounds[left ? 0 : 1], bounds[left ? 1 : 0]);
  }
  infos_of_trsm part(std::int64_t) const { return *this; }
};

/// Checks a system of potrs, getrs or getrs_nopiv.
struct infos_of_solve {
  vectors<const int> ipiv;
  bool has_ipiv;

  template <class T>
  TALUS_HOST_DEVICE int operator()(std::int64_t b, const matrix<const T>& A, const matrix<T>& B,
                                   const extents<2>& bounds) const {
    return talus::blas::check_system(2, has_ipiv, A, ipiv[b], B, bounds[0], bounds[1]);
  }
  infos_of_solve part(std::int64_t first) const { return {part_of(ipiv, first), has_ipiv}; }
};

/// The products of gemm, to be ordered and to be worked on. A: the matrices C, which give the number of
/// products.
template <class T>
struct gemm_check {
  static constexpr bool in_kernels = true;
  variable_batch<T> A;
  variable_batch<const T> left, right;
  const int* k;
  extents<3> bounds;

  TALUS_HOST_DEVICE static int work(const extents<3>& sizes) {
    const std::int64_t most = 1 << 30, terms = sizes.of[2] / 16 + 1;
    const std::int64_t all = static_cast<std::int64_t>(sizes.of[0]) * sizes.of[1];
    const std::int64_t steps = (all < most ? all : most) * terms;
    return static_cast<int>(steps < most ? steps : most);
  }
  TALUS_HOST_DEVICE checked<3> operator()(std::int64_t b) const {
    const matrix<T> C = A[b];
    const int info = talus::blas::check_gemm(left[b], right[b], C, k[b], bounds[0], bounds[1], bounds[2]);
    return {info, {{C.m, C.n, k[b]}}};
  }
  gemm_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(left, first, part_count),
            part_of(right, first, part_count), k + first, bounds};
  }
  gemm_check<std::byte> erased() const { return {as_bytes(A), as_bytes(left), as_bytes(right), k, bounds}; }
};

/// The products of gemv, to be ordered.
template <class T>
struct gemv_check {
  variable_batch<const T> A;
  stepped_vectors<const T> x;
  stepped_vectors<T> y;
  op of_A;
  extents<2> bounds;

  TALUS_HOST_DEVICE static int work(const extents<2>& sizes) {
    const std::int64_t all = static_cast<std::int64_t>(sizes.of[0]) * sizes.of[1], most = 1 << 30;
    return static_cast<int>(all < most ? all : most);
  }
  TALUS_HOST_DEVICE checked<2> operator()(std::int64_t b) const {
    const matrix<const T> one = A[b];
    const T* const from = x.array != nullptr ? x.array[b] : nullptr;
    const T* const to = y.array != nullptr ? y.array[b] : nullptr;
    return {talus::blas::check_gemv(of_A, one, from, x.step[b], to, y.step[b], bounds[0], bounds[1]),
            {{one.m, one.n}}};
  }
  gemv_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(x, first), part_of(y, first), of_A, bounds};
  }
  gemv_check<std::byte> erased() const { return {as_bytes(A), as_bytes(x), as_bytes(y), of_A, bounds}; }
};

}  // namespace blas
}  // namespace talus::cuda
