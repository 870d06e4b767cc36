// Powers of two by which columns near the ends of the range are multiplied before they are factored. The QR
// of A D is Q and R D, with the same reflectors, so that R alone is scaled back.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "batch.hpp"
#include "host/numbers.hpp"
#include "talus/batched.hpp"

namespace talus::host {

/// Numbers beyond 2^+-far_exponent are far from 1.
template <class T>
constexpr int far_exponent = std::numeric_limits<real_type<T>>::max_exponent * 7 / 8;

/// True if the sum of the magnitudes is far from 1, infinite or NaN, but not zero.
template <class T>
bool is_far(const T* x, int length) {
  const real_type<T> power = std::scalbn(real_type<T>(1), far_exponent<T>);
  real_type<T> sum = 0;
  for (int i = 0; i < length; ++i) sum += std::abs(std::real(x[i])) + std::abs(std::imag(x[i]));
  return !(sum < power && sum > 1 / power) && sum != 0;
}

/// Returns the power that brings the largest x[i] 2^by_row[i] near 1: 0 if it is not far from 1, or if an
/// x[i] is infinite or NaN. by_row may be null.
template <class T>
int power_for(const T* x, int length, const int* by_row) {
  if (by_row == nullptr && !is_far(x, length)) return 0;
  constexpr int none = std::numeric_limits<int>::min();
  int most = none;
  for (int i = 0; i < length; ++i) {
    if (x[i] == T(0)) continue;
    if (!std::isfinite(std::real(x[i])) || !std::isfinite(std::imag(x[i]))) return 0;
    most = std::max(most, std::ilogb(largest_part(x[i])) + (by_row != nullptr ? by_row[i] : 0));
  }
  return most != none && std::abs(most) > far_exponent<T> ? -most : 0;
}

/// Factors with factor() what copy() puts into X. If a column of R, which is as large as A's, is far from 1,
/// does both again and scales each column of A by 2^powers[j] between them. Returns powers then, and else
/// null.
template <class T, class Copy, class Factor>
const int* factor_scaled(const matrix<T>& X, int* powers, Copy copy, Factor factor) {
  copy();
  factor();
  bool far = false;
  for (int j = 0; j < X.n; ++j) far = far || is_far(&X(0, j), std::min(j + 1, X.m));
  if (!far) return nullptr;
  copy();
  for (int j = 0; j < X.n; ++j) {
    powers[j] = power_for(&X(0, j), X.m, nullptr);
    scale(&X(0, j), X.m, powers[j]);
  }
  factor();
  return powers;
}

/// Scales R, the upper triangle or trapezoid of X, back. powers may be null.
template <class T>
void scale_triangle_back(const matrix<T>& X, const int* powers) {
  for (int j = 0; powers != nullptr && j < X.n; ++j) scale(&X(0, j), std::min(j + 1, X.m), -powers[j]);
}

/// Finds powers[v] for each column of Y and scales its first rows by 2^(powers[v] + by_row[i]). by_row may be
/// null.
template <class T>
void scale_sides(const matrix<T>& Y, int rows, const int* by_row, int* powers) {
  for (int v = 0; v < Y.n; ++v) {
    powers[v] = power_for(&Y(0, v), rows, by_row);
    if (by_row == nullptr) scale(&Y(0, v), rows, powers[v]);
    for (int i = 0; by_row != nullptr && i < rows; ++i) Y(i, v) = times_power(Y(i, v), powers[v] + by_row[i]);
  }
}

/// Scales solutions back: column v by 2^-powers[v], and its first rows also by 2^by_row[i]. by_row may be
/// null.
template <class T>
void scale_solutions_back(const matrix<T>& Y, int rows, const int* by_row, const int* powers) {
  for (int v = 0; v < Y.n; ++v) {
    const int first = by_row != nullptr ? rows : 0;
    for (int i = 0; i < first; ++i) Y(i, v) = times_power(Y(i, v), by_row[i] - powers[v]);
    if (first < Y.m) scale(&Y(first, v), Y.m - first, -powers[v]);
  }
}

}  // namespace talus::host
