// Powers of two by which columns near the ends of the range are multiplied before they are factored. The QR of A D is
// Q and R D, with the same reflectors, so that R alone is scaled back.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "batch.hpp"
#include "host/triangular.hpp"
#include "talus/batched.hpp"

namespace talus::host {

/// Numbers of 2^+-far_exponent are as large or small as QR takes them.
template <class T>
constexpr int far_exponent = std::numeric_limits<real_type<T>>::max_exponent * 7 / 8;

/// The power by which numbers of at most 2^exponent are multiplied.
template <class T>
int power_for(int exponent) {
  return std::abs(exponent) > far_exponent<T> ? -exponent : 0;
}

/// True if numbers, not all zero, are far from 1, infinite or NaN.
template <class T>
bool is_far(const T* x, int length) {
  constexpr int digits = far_exponent<T>;
  const real_type<T> power = std::scalbn(real_type<T>(1), digits);
  real_type<T> sum = 0;
  for (int i = 0; i < length; ++i) sum += std::abs(std::real(x[i])) + std::abs(std::imag(x[i]));
  return !(sum < power && sum > 1 / power) && sum != 0;
}

/// The power for the largest of some numbers times 2^powers[i]; powers may be null. 0 if one is infinite or NaN.
template <class T>
int power_for(const T* x, int length, const int* powers) {
  if (powers == nullptr && !is_far(x, length)) return 0;
  int most = std::numeric_limits<int>::min();
  for (int i = 0; i < length; ++i) {
    if (x[i] == T(0)) continue;
    if (!std::isfinite(std::real(x[i])) || !std::isfinite(std::imag(x[i]))) return 0;
    most = std::max(most, std::ilogb(largest_part(x[i])) + (powers != nullptr ? powers[i] : 0));
  }
  return most == std::numeric_limits<int>::min() ? 0 : power_for<T>(most);
}

/// Scales each column of X by 2^powers[j].
template <class T>
void scale_columns(const matrix<T>& X, int* powers) {
  for (int j = 0; j < X.n; ++j) {
    powers[j] = power_for(&X(0, j), X.m, static_cast<const int*>(nullptr));
    scale(&X(0, j), X.m, powers[j]);
  }
}

/// Factors what copy() puts into X with factor(): again, with scaled columns, where a column of R, as large as the
/// column of A, was far from 1. Returns the powers of the columns then, and else null.
template <class T, class Copy, class Factor>
const int* factor_scaled(const matrix<T>& X, int* powers, Copy copy, Factor factor) {
  copy();
  factor();
  bool far = false;
  for (int j = 0; j < X.n; ++j) far = far || is_far(&X(0, j), std::min(j + 1, X.m));
  if (!far) return nullptr;
  copy();
  scale_columns(X, powers);
  factor();
  return powers;
}

/// Scales R, the upper triangle or trapezoid of X, back. powers may be null.
template <class T>
void scale_triangle_back(const matrix<T>& X, const int* powers) {
  for (int j = 0; powers != nullptr && j < X.n; ++j) scale(&X(0, j), std::min(j + 1, X.m), -powers[j]);
}

}  // namespace talus::host
