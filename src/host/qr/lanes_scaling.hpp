// host/qr/scaling.hpp for a group of matrices, one per SIMD lane: each lane has its own powers of two.
#pragma once

#include "host/qr/lanes_reflect.hpp"

namespace talus::host::TALUS_ISA {
namespace {

template <class T>
constexpr int fraction_bits = sizeof(real_of<T>) == 4 ? 23 : 52;
/// The exponent field of 1.
template <class T>
constexpr int bias = sizeof(real_of<T>) == 4 ? 127 : 1023;
/// Numbers of 2^+-far_exponent are as large or small as QR takes them.
template <class T>
constexpr int far_exponent = (bias<T> + 1) * 7 / 8;

/// The power by which numbers with this biased exponent are multiplied: 0 unless they are far from 1.
template <class T>
TALUS_INLINE mask_of<T> power_for(mask_of<T> exponent) {
  const mask_of<T> power = bias<T> - exponent;
  return (power > far_exponent<T>) | (power < -far_exponent<T>) ? power : mask_of<T>{};
}

/// x 2^power, for every power.
template <class T>
TALUS_INLINE lanes<T> times_power(const lanes<T>& x, mask_of<T> power) {
  const mask_of<T> quarter = power >> 2, rest = power - 3 * quarter;
  const auto q = reinterpret_cast<real_lanes<T>>((quarter + bias<T>) << fraction_bits<T>);
  const auto r = reinterpret_cast<real_lanes<T>>((rest + bias<T>) << fraction_bits<T>);
  return x * r * q * q * q;
}

/// True in lanes where numbers with this sum of magnitudes, not all zero, are far from 1, infinite or NaN.
template <class T>
TALUS_INLINE mask_of<T> is_far(real_lanes<T> sum) {
  constexpr auto power = static_cast<real_of<T>>(sizeof(real_of<T>) == 4 ? 0x1p112 : 0x1p896);
  return ~((sum < power) & (sum > 1 / power)) & (sum != 0);
}

template <class T>
TALUS_INLINE void add_magnitude(real_lanes<T>& sum, const lanes<T>& x) {
  sum += absolute<real_of<T>>(x.re);
  if constexpr (is_complex<T>) sum += absolute<real_of<T>>(x.im);
}

/// True if a lane of the QR in X has a column from `first` on in R, as large as the column of A, that is far from 1.
template <class T>
bool has_far_columns(const rectangle<T>& X, int first) {
  mask_of<T> far = {};
  for (int j = first; j < X.n; ++j) {
    const lanes<T>* const column = X.data + X.E * j;
    real_lanes<T> sum = {};
    for (int i = 0; i <= j && i < X.m; ++i) add_magnitude<T>(sum, column[X.row[i]]);
    far |= is_far<T>(sum);
  }
  return any<T>(far);
}

/// True if A must be scaled. Where R's diagonal is not far from 1, no step overflowed and no column was small.
template <class T>
TALUS_INLINE bool must_be_scaled(const rectangle<T>& X) {
  const int k = X.m < X.n ? X.m : X.n;
  mask_of<T> far = {};
  for (int j = 0; j < k; ++j) {
    real_lanes<T> size = {};
    add_magnitude<T>(size, X(j, j));
    far |= is_far<T>(size) | (size == 0);
  }
  return (any<T>(far) && has_far_columns(X, 0)) || (X.n > k && has_far_columns(X, k));
}

/// Scales each column of X by 2^work.powers[j].
template <class T>
void scale_columns(const workspace<T>& work) {
  const rectangle<T>& X = work.X;
  for (int j = 0; j < X.n; ++j) {
    lanes<T>* const column = X.data + X.E * j;
    mask_of<T> size = {};
    for (int i = 0; i < X.m; ++i) size = larger<T>(size, size_of<T>(column[X.row[i]]));
    const mask_of<T> exponent = size >> fraction_bits<T>;
    const mask_of<T> normal = (size != 0) & (exponent <= 2 * bias<T>);  // neither zero nor infinite nor NaN
    work.powers[j] = power_for<T>(exponent) & normal;
    for (int i = 0; i < X.m; ++i) column[X.row[i]] = times_power<T>(column[X.row[i]], work.powers[j]);
  }
}

/// Factors what load() puts into X, with scaled columns. Not inlined, because columns far from 1 are rare.
template <class T, class Load>
__attribute__((noinline)) void factor_scaled(const workspace<T>& work, Load load) {
  load();
  scale_columns(work);
  factor(work);
}

/// Factors what load() puts into X. Returns true if a column was far from 1, so that the columns were scaled.
template <class T, class Load>
TALUS_INLINE bool factor_loaded(const workspace<T>& work, Load load) {
  load();
  factor(work);
  if (!must_be_scaled(work.X)) return false;
  factor_scaled(work, load);
  return true;
}

/// Undoes that in R, the upper triangle or trapezoid of X.
template <class T>
__attribute__((noinline)) void scale_triangle_back(const workspace<T>& work) {
  const rectangle<T>& X = work.X;
  for (int j = 0; j < X.n; ++j) {
    lanes<T>* const column = X.data + X.E * j;
    for (int i = 0; i <= j && i < X.m; ++i)
      column[X.row[i]] = times_power<T>(column[X.row[i]], -work.powers[j]);
  }
}

/// True if a lane has a column among the first N of Y that is far from 1, or infinite, or NaN, in its first rows.
template <int N, class T>
TALUS_INLINE bool has_far_sides(const rectangle<T>& Y, int rows) {
  real_lanes<T> sums[N] = {};
  for (int i = 0; i < rows; ++i) {
    TALUS_UNROLL
    for (int v = 0; v < N; ++v) add_magnitude<T>(sums[v], Y(i, v));
  }
  mask_of<T> far = {};
  for (int v = 0; v < N; ++v) far |= is_far<T>(sums[v]);
  return any<T>(far);
}

/// Finds powers[v] for the first `columns` columns of Y and scales their first rows by 2^(powers[v] + by_row[i]).
/// by_row may be null. Not inlined, because columns far from 1 are rare.
template <class T>
__attribute__((noinline)) void scale_sides(const rectangle<T>& Y, int rows, int columns,
                                           const mask_of<T>* by_row, mask_of<T>* powers) {
  for (int v = 0; v < columns; ++v) {
    constexpr int none = -8 * bias<T>;
    mask_of<T> most = mask_of<T>{} + none, infinite = {};
    for (int i = 0; i < rows; ++i) {
      const mask_of<T> size = size_of<T>(Y(i, v));
      mask_of<T> exponent = size >> fraction_bits<T>;
      infinite |= exponent > 2 * bias<T>;
      if (by_row != nullptr) exponent += by_row[i];
      most = (size != 0) & (exponent > most) ? exponent : most;
    }
    powers[v] = power_for<T>(most) & ~infinite & (most != none);
    for (int i = 0; i < rows; ++i)
      Y(i, v) = times_power<T>(Y(i, v), by_row != nullptr ? powers[v] + by_row[i] : powers[v]);
  }
}

/// Scales solutions back: column v by 2^-powers[v], and its first rows also by 2^by_row[i]. by_row may be null.
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
