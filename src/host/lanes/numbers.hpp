// What is zero or NaN in each lane, selection, and division that is safe for tiny and huge numbers.
#pragma once

#include "host/lanes/simd.hpp"

namespace talus::host::TALUS_ISA {
namespace {

template <class T>
TALUS_INLINE mask_of<T> is_zero(const lanes<T>& x) {
  if constexpr (is_complex<T>) {
    return (x.re == 0) & (x.im == 0);
  } else {
    return x.re == 0;
  }
}

template <class T>
TALUS_INLINE mask_of<T> is_nan(const lanes<T>& x) {
  if constexpr (is_complex<T>) {
    return (x.re != x.re) | (x.im != x.im);
  } else {
    return x.re != x.re;
  }
}

template <class T>
TALUS_INLINE lanes<T> select(mask_of<T> where, const lanes<T>& a, const lanes<T>& b) {
  lanes<T> c;
  c.re = where ? a.re : b.re;
  if constexpr (is_complex<T>) c.im = where ? a.im : b.im;
  return c;
}

template <class T>
TALUS_INLINE real_lanes<T> ones() {
  return real_lanes<T>{} + 1;
}

/// A number x, not zero, as near_one / inverse / up: the largest part of near_one is 1 or -1, so that its
/// square neither overflows nor vanishes. up is a power of two that keeps `inverse` finite, 1 but for the
/// least numbers.
template <class T>
struct normalized {
  real_lanes<T> up, inverse;
  lanes<T> near_one;

  TALUS_INLINE explicit normalized(const lanes<T>& x) {
    using R = real_of<T>;
    constexpr R least_normal = sizeof(R) == 4 ? R(0x1p-126) : R(0x1p-1022);
    constexpr R power = sizeof(R) == 4 ? R(0x1p30) : R(0x1p60);
    real_lanes<T> most = absolute<R>(x.re);
    if constexpr (is_complex<T>) {
      const real_lanes<T> other = absolute<R>(x.im);
      most = other > most ? other : most;
    }
    up = most < least_normal ? ones<T>() * power : ones<T>();
    inverse = 1 / (most * up);
    near_one = x * up * inverse;
  }
};

/// Divides by a number, unless that is zero: what is under a zero pivot stays undivided.
template <class T>
struct divisor {
  real_lanes<T> up;
  lanes<T> reciprocal;  // of the number times up

  TALUS_INLINE explicit divisor(const lanes<T>& by) {
    const mask_of<T> zero = is_zero(by);
    const normalized<T> x(select(zero, element<T>(ones<T>()), by));
    up = x.up;
    if constexpr (is_complex<T>) {
      const real_lanes<T> norm = x.near_one.re * x.near_one.re + x.near_one.im * x.near_one.im;
      reciprocal = conj<T>(x.near_one) * (x.inverse / norm);
    } else {
      reciprocal.re = x.near_one.re * x.inverse;
    }
  }

  /// Of all numbers: what is divided by zero becomes infinite or NaN.
  static TALUS_INLINE divisor of_any(const lanes<T>& by) {
    divisor one(by);
    one.reciprocal.re = is_zero(by) ? real_lanes<T>{} + __builtin_inff() : one.reciprocal.re;
    return one;
  }

  TALUS_INLINE lanes<T> divide(const lanes<T>& a) const { return (a * up) * reciprocal; }
};

}  // namespace
}  // namespace talus::host::TALUS_ISA
