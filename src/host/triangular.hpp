// Solves with one triangle on the calling thread. OpenBLAS's xTRSM and xTRTRI multiply by reciprocals of the
// diagonal. Where a reciprocal would overflow, or lose digits, Talus substitutes and divides instead.
#pragma once

#include <complex>
#include <cstddef>
#include <type_traits>

#include "host/lapack.hpp"
#include "host/numbers.hpp"

namespace talus::host {

/// True if every diagonal element of a triangle has a normal reciprocal.
template <class T>
bool has_normal_reciprocals(const T* A, int lda, int n) {
  for (int j = 0; j < n; ++j) {
    if (!has_normal_reciprocal(A[j + static_cast<std::ptrdiff_t>(j) * lda])) return false;
  }
  return true;
}

/// Solves as solve_triangle, one right-hand side after the other, and divides by the diagonal.
template <class T>
void substitute_and_divide(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* A,
                           int lda, T* B, int ldb) {
  const bool left = side == 'L', plain = (trans == 'N') == left;  // X op(A) = B is op(A)^T X^T = B^T
  const bool forward = (uplo == 'L') == plain;
  const int order = left ? m : n, sides = left ? n : m;
  const std::ptrdiff_t step = left ? 1 : ldb, next = left ? ldb : 1;
  const auto element = [&](int i, int j) {
    const T a =
        plain ? A[i + static_cast<std::ptrdiff_t>(j) * lda] : A[j + static_cast<std::ptrdiff_t>(i) * lda];
    if constexpr (!std::is_floating_point_v<T>) {
      if (trans == 'C') return std::conj(a);
    }
    return a;
  };
  for (int v = 0; v < sides; ++v) {
    T* const x = B + v * next;
    for (int p = 0; p < order; ++p) {
      const int i = forward ? p : order - 1 - p;
      T left_over = times(alpha, x[i * step]);
      for (int q = 0; q < p; ++q) {
        const int j = forward ? q : order - 1 - q;
        left_over -= times(element(i, j), x[j * step]);
      }
      x[i * step] = diag == 'U' ? left_over : quotient(left_over, element(i, i));
    }
  }
}

/// BLAS's xTRSM for every diagonal: op(A) X = alpha B or X op(A) = alpha B.
template <class T>
void solve_triangle(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* A, int lda,
                    T* B, int ldb) {
  if (diag == 'U' || has_normal_reciprocals(A, lda, side == 'L' ? m : n)) {
    lapack::trsm(side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb);
  } else {
    substitute_and_divide(side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb);
  }
}

}  // namespace talus::host
