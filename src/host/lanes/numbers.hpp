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

/// True if x is not zero in a lane.
template <class T>
TALUS_INLINE bool any(mask_of<T> x) {
  constexpr int words = sizeof(mask_of<T>) / sizeof(long long);
  long long parts[words];
  __builtin_memcpy(parts, &x, sizeof(parts));
  long long found = 0;
  for (int i = 0; i < words; ++i) found |= parts[i];
  return found != 0;
}

/// True in lanes where x is subnormal or zero.
template <class T>
TALUS_INLINE mask_of<T> is_subnormal(const lanes<T>& x) {
  using R = real_of<T>;
  constexpr R least_normal = sizeof(R) == 4 ? R(0x1p-126) : R(0x1p-1022);
  mask_of<T> small = absolute<R>(x.re) < least_normal;
  if constexpr (is_complex<T>) small &= absolute<R>(x.im) < least_normal;
  return small;
}

/// Returns 2^60 (float 2^30) in lanes where x is subnormal or zero, so that the product is normal; 1
/// elsewhere.
template <class T>
TALUS_INLINE real_lanes<T> scale_up(const lanes<T>& x) {
  constexpr auto power = static_cast<real_of<T>>(sizeof(real_of<T>) == 4 ? 0x1p30 : 0x1p60);
  return is_subnormal<T>(x) ? ones<T>() * power : ones<T>();
}

/// A number x, not zero, as near_one / inverse / up: the largest part of near_one is 1 or -1, so that its
/// square neither overflows nor vanishes. `up` is scale_up(x), which keeps `inverse` finite.
template <class T>
struct normalized {
  real_lanes<T> up, inverse;
  lanes<T> near_one;

  TALUS_INLINE explicit normalized(const lanes<T>& x) {
    using R = real_of<T>;
    real_lanes<T> most = absolute<R>(x.re);
    if constexpr (is_complex<T>) {
      const real_lanes<T> other = absolute<R>(x.im);
      most = other > most ? other : most;
    }
    up = scale_up<T>(x);
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

/// Returns a / by. reciprocal: 1 / (by scale_up(by)). subnormal: true if `by` may be subnormal in a lane.
template <class T, class Reciprocal>
TALUS_INLINE lanes<T> divide(const lanes<T>& a, const lanes<T>& by, const Reciprocal& reciprocal,
                             bool subnormal) {
  return (__builtin_expect(subnormal, false) ? a * scale_up<T>(by) : a) * reciprocal;
}

/// A group's diagonals after a look for elements that cannot be divided by.
template <class T>
struct diagonal_check {
  mask_of<T> info;  // 0, or the first such element's number, from 1
  bool subnormal;   // true if an element is subnormal in a lane
};

}  // namespace
}  // namespace talus::host::TALUS_ISA
