// Powers of two by which columns near the ends of the range are multiplied, as in host/qr/scaling.hpp, for a
// group of matrices, one per SIMD lane. Each lane has its own powers, and what it holds alone decides on
// them, so that a matrix gets the same bits beside any neighbours.
#pragma once

#include "host/qr/lanes_reflect.hpp"

namespace talus::host::TALUS_ISA {
namespace {

template <class T>
constexpr int fraction_bits = sizeof(real_of<T>) == 4 ? 23 : 52;
/// The exponent field of 1.
template <class T>
constexpr int bias = sizeof(real_of<T>) == 4 ? 127 : 1023;
/// Numbers beyond 2^+-far_exponent are far from 1.
template <class T>
constexpr int far_exponent = (bias<T> + 1) * 7 / 8;

/// Returns 2^power; |power| < bias.
template <class T>
TALUS_INLINE real_lanes<T> power_of_two(mask_of<T> power) {
  return reinterpret_cast<real_lanes<T>>((power + bias<T>) << fraction_bits<T>);
}

/// Returns x 2^power in four steps, because 2^power may overflow.
template <class T>
TALUS_INLINE lanes<T> times_power(const lanes<T>& x, mask_of<T> power) {
  const mask_of<T> quarter = power >> 2;
  const real_lanes<T> q = power_of_two<T>(quarter);
  return x * power_of_two<T>(power - 3 * quarter) * q * q * q;
}

/// Returns the power that brings numbers with this biased exponent near 1; 0 if they are not far from 1.
template <class T>
TALUS_INLINE mask_of<T> power_for(mask_of<T> exponent) {
  const mask_of<T> power = bias<T> - exponent;
  return ((power > far_exponent<T>) | (power < -far_exponent<T>)) ? power : mask_of<T>{};
}

template <class T>
TALUS_INLINE void add_magnitude(real_lanes<T>& sum, const lanes<T>& x) {
  sum += absolute<real_of<T>>(x.re);
  if constexpr (is_complex<T>) sum += absolute<real_of<T>>(x.im);
}

/// True where a sum of magnitudes is far from 1, infinite or NaN, but not zero.
template <class T>
TALUS_INLINE mask_of<T> is_far(real_lanes<T> sum) {
  const real_lanes<T> power = power_of_two<T>(mask_of<T>{} + far_exponent<T>);
  return ~((sum < power) & (sum > 1 / power)) & (sum != 0);
}

/// True in lanes where R has a far column from column `first` on. A column of R is as large as A's.
template <class T>
mask_of<T> has_far_columns(const rectangle<T>& X, int first) {
  mask_of<T> far = {};
  for (int j = first; j < X.n; ++j) {
    const lanes<T>* const column = X.data + X.E * j;
    real_lanes<T> sum = {};
    for (int i = 0; i <= j && i < X.m; ++i) add_magnitude<T>(sum, column[X.row[i]]);
    far |= is_far<T>(sum);
  }
  return far;
}

/// True in lanes whose A must be scaled. Where R's diagonal is not far from 1, no step overflowed and no
/// column was small.
template <class T>
TALUS_INLINE mask_of<T> must_be_scaled(const rectangle<T>& X) {
  const int k = X.m < X.n ? X.m : X.n;
  mask_of<T> far = {};
  for (int j = 0; j < k; ++j) {
    real_lanes<T> size = {};
    add_magnitude<T>(size, X(j, j));
    far |= is_far<T>(size) | (size == 0);
  }
  if (any<T>(far)) far &= has_far_columns(X, 0);
  if (X.n > k) far |= has_far_columns(X, k);
  return far;
}

/// Factors what load() puts into X again, after it has scaled each column by 2^work.powers[j] in the lanes of
/// `where`. Not inlined, because columns far from 1 are rare.
template <class T, class Load>
__attribute__((noinline)) void factor_scaled(const workspace<T>& work, mask_of<T> where, Load load) {
  const rectangle<T>& X = work.X;
  load();
  for (int j = 0; j < X.n; ++j) {
    lanes<T>* const column = X.data + X.E * j;
    mask_of<T> size = {};
    for (int i = 0; i < X.m; ++i) size = larger<T>(size, size_of<T>(column[X.row[i]]));
    const mask_of<T> exponent = size >> fraction_bits<T>;
    const mask_of<T> finite = (size != 0) & (exponent <= 2 * bias<T>);
    work.powers[j] = power_for<T>(exponent) & finite & where;
    for (int i = 0; i < X.m; ++i) column[X.row[i]] = times_power<T>(column[X.row[i]], work.powers[j]);
  }
  factor(work);
}

/// Factors what load() puts into X. Returns true in lanes whose columns were scaled.
template <class T, class Load>
TALUS_INLINE mask_of<T> factor_loaded(const workspace<T>& work, Load load) {
  load();
  factor(work);
  const mask_of<T> scaled = must_be_scaled(work.X);
  if (any<T>(scaled)) factor_scaled(work, scaled, load);
  return scaled;
}

/// Scales R, the upper triangle or trapezoid of X, back.
template <class T>
__attribute__((noinline)) void scale_triangle_back(const workspace<T>& work) {
  const rectangle<T>& X = work.X;
  for (int j = 0; j < X.n; ++j) {
    lanes<T>* const column = X.data + X.E * j;
    for (int i = 0; i <= j && i < X.m; ++i)
      column[X.row[i]] = times_power<T>(column[X.row[i]], -work.powers[j]);
  }
}

/// True in lanes that have a far column among the first N of Y, in its first rows.
template <int N, class T>
TALUS_INLINE mask_of<T> has_far_sides(const rectangle<T>& Y, int rows) {
  real_lanes<T> sums[N] = {};
  for (int i = 0; i < rows; ++i) {
    TALUS_UNROLL
    for (int v = 0; v < N; ++v) add_magnitude<T>(sums[v], Y(i, v));
  }
  mask_of<T> far = {};
  for (int v = 0; v < N; ++v) far |= is_far<T>(sums[v]);
  return far;
}

/// In the lanes of `where`, finds powers[v] for the first `columns` columns of Y and scales their first rows
/// by 2^(powers[v] + by_row[i]). by_row may be null.
template <class T>
__attribute__((noinline)) void scale_sides(const rectangle<T>& Y, int rows, int columns, mask_of<T> where,
                                           const mask_of<T>* by_row, mask_of<T>* powers) {
  constexpr int none = -8 * bias<T>;
  for (int v = 0; v < columns; ++v) {
    mask_of<T> most = mask_of<T>{} + none, infinite = {};
    for (int i = 0; i < rows; ++i) {
      const mask_of<T> size = size_of<T>(Y(i, v));
      mask_of<T> exponent = size >> fraction_bits<T>;
      infinite |= exponent > 2 * bias<T>;
      if (by_row != nullptr) exponent += by_row[i];
      most = ((size != 0) & (exponent > most)) ? exponent : most;
    }
    powers[v] = power_for<T>(most) & ~infinite & (most != none) & where;
    for (int i = 0; i < rows; ++i)
      Y(i, v) = times_power<T>(Y(i, v), by_row != nullptr ? powers[v] + by_row[i] : powers[v]);
  }
}

/// Scales solutions back: column v by 2^-powers[v], and its first rows also by 2^by_row[i]. by_row may be
/// null.
template <class T>
__attribute__((noinline)) void scale_solutions_back(const rectangle<T>& Y, int rows, int columns,
                                                    const mask_of<T>* by_row, const mask_of<T>* powers) {
  for (int v = 0; v < columns; ++v) {
    for (int i = 0; i < Y.m; ++i)
      Y(i, v) = times_power<T>(Y(i, v), by_row != nullptr && i < rows ? by_row[i] - powers[v] : -powers[v]);
  }
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
