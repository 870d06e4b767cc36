// What is illegal of one matrix among those of mixed sizes, of BLAS's routines: numbers as in their argument
// lists, found on either backend. Compiles without nvcc.
#pragma once

#include "batch.hpp"
#include "batched/blas/backends.hpp"
#include "validate.hpp"

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
