// Solves with one triangle on the calling thread. OpenBLAS's xTRSM and xTRTRI multiply by reciprocals of the diagonal.
// Where a reciprocal would overflow, or lose digits, Talus substitutes and divides instead.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "batch.hpp"
#include "host/lapack.hpp"
#include "talus/batched.hpp"

namespace talus::host {

/// a b as four products: the product of std::complex looks for infinities.
template <class T>
T times(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a * b;
  } else {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
}

/// x 2^power, rounded once.
template <class T>
T times_power(const T& x, int power) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::scalbn(x, power);
  } else {
    return {std::scalbn(x.real(), power), std::scalbn(x.imag(), power)};
  }
}

/// Multiplies numbers by 2^power.
template <class T>
void scale(T* x, int length, int power) {
  if (power == 0) return;
  for (int i = 0; i < length; ++i) x[i] = times_power(x[i], power);
}

/// The larger part of x without its sign; NaN if x is real and NaN.
template <class T>
real_type<T> largest_part(const T& x) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::abs(x);
  } else {
    return std::max(std::abs(x.real()), std::abs(x.imag()));
  }
}

/// Up to this size of its larger part a number has a normal reciprocal, and OpenBLAS divides by it without overflow.
template <class T>
constexpr real_type<T> largest_divisor = real_type<T>(0.25) / std::numeric_limits<real_type<T>>::min();

/// True if 1 / x is a normal number that OpenBLAS can compute. True for NaN.
template <class T>
bool has_normal_reciprocal(const T& x) {
  using R = real_type<T>;
  const R size = largest_part(x);
  return !(size < 2 * std::numeric_limits<R>::min() || size > largest_divisor<T>);
}

/// True if every diagonal element of a triangle has a normal reciprocal.
template <class T>
bool has_normal_reciprocals(const T* A, int lda, int n) {
  for (int j = 0; j < n; ++j) {
    if (!has_normal_reciprocal(A[j + static_cast<std::ptrdiff_t>(j) * lda])) return false;
  }
  return true;
}

/// a / b. Complex numbers are brought near to 1 first, by powers of two, so that no step overflows or underflows.
template <class T>
T quotient(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else {
    const auto size_of_a = largest_part(a), size_of_b = largest_part(b);
    if (!std::isfinite(size_of_a) || !std::isfinite(size_of_b) || size_of_a == 0 || size_of_b == 0)
      return a / b;
    const int of_a = std::ilogb(size_of_a), of_b = std::ilogb(size_of_b);
    const T x = times_power(a, -of_a), y = times_power(b, -of_b);
    const auto norm = y.real() * y.real() + y.imag() * y.imag();
    return times_power(times(x, std::conj(y)) / norm, of_a - of_b);
  }
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
