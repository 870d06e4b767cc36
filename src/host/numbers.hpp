// Products, quotients and powers of two, of real and of complex numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "talus/batched.hpp"

namespace talus::host {

/// Returns a b by four products. The product of std::complex looks for infinities.
template <class T>
T times(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a * b;
  } else {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
}

/// Returns x 2^power, rounded once.
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

/// Returns the larger part of x without its sign; NaN if x is real and NaN.
template <class T>
real_type<T> largest_part(const T& x) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::abs(x);
  } else {
    return std::max(std::abs(x.real()), std::abs(x.imag()));
  }
}

/// The largest divisor, by its larger part, whose reciprocal is normal and with which OpenBLAS's division
/// does not overflow.
template <class T>
constexpr real_type<T> largest_divisor = real_type<T>(0.25) / std::numeric_limits<real_type<T>>::min();

/// True if 1 / x is a normal number that OpenBLAS can compute. True for NaN.
template <class T>
bool has_normal_reciprocal(const T& x) {
  using R = real_type<T>;
  const R size = largest_part(x);
  return !(size < 2 * std::numeric_limits<R>::min() || size > largest_divisor<T>);
}

/// Returns a / b. Powers of two bring complex numbers near 1 first.
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

}  // namespace talus::host
