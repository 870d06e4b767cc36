// Quotients and reciprocal square roots for pivots: the chip's approximation, refined, without a branch.
#pragma once

#include "gpu/scalar.cuh"

namespace talus::cuda {

template <class R>
constexpr R least_normal = sizeof(R) == 4 ? R(1.17549435e-38) : R(2.2250738585072014e-308);

template <class R>
constexpr R infinity = sizeof(R) == 4 ? R(__builtin_huge_valf()) : R(__builtin_huge_val());

/// Whether least_normal<R> <= x < 1 / least_normal<R>, beyond which 1 / x is subnormal; false for a NaN.
__device__ inline bool has_normal_reciprocal(float x) {
  constexpr int least = 0x00800000, beyond = 0x7e800000;
  return static_cast<unsigned>(__float_as_int(x) - least) < beyond - least;
}
__device__ inline bool has_normal_reciprocal(double x) {
  constexpr int least = 0x00100000, beyond = 0x7fd00000;  // upper halves
  return static_cast<unsigned>(__double2hiint(x) - least) < beyond - least;
}

/// Whether x is a pivot that an elimination may begin with, and its rows be multiplied by: false for a NaN.
__device__ inline bool far_from_limits(float x) { return has_normal_reciprocal(x); }
__device__ inline bool far_from_limits(double x) {
  constexpr int least = (1023 - 480) << 20, beyond = (1023 + 480) << 20;  // upper halves
  return static_cast<unsigned>(__double2hiint(x) - least) < beyond - least;
}
/// 2^(-2 e) for x = m 2^e with 1 <= m < 2, where x is far from limits, else anything.
__device__ inline double inverse_square_of_power(double x) {
  const unsigned power = static_cast<unsigned>(__double2hiint(x)) & 0x7ff00000;
  return __hiloint2double(static_cast<int>((3u * 1023 << 20) - 2 * power), 0);
}

/// Exact for powers of two, where x has a normal reciprocal.
__device__ inline float approximate_reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ inline double approximate_reciprocal(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));  // to 20 bits
  return y;
}
/// x / by to within an ulp or so, exact where `by` is a power of two. The reciprocal is refined and
/// multiplied at once, so that few instructions wait for `by`, which has to have a normal reciprocal.
template <class T>
__device__ T divide(T x, real_t<T> by) {
  using R = real_t<T>;
  const R y = approximate_reciprocal(by), e = fma(-by, y, R(1));
  const R more = sizeof(R) == 4 ? e : fma(e, e, e);
  T quotient = x * y;
  multiply_add(quotient, quotient, more);
  return quotient;
}

/// Returns 2^-e for x = m 2^e with 1 <= m < 2. x has a normal reciprocal.
__device__ inline float inverse_power(float x) {
  return __int_as_float((254 << 23) - (__float_as_int(x) & 0x7f800000));
}
__device__ inline double inverse_power(double x) {
  return __hiloint2double((2046 << 20) - (__double2hiint(x) & 0x7ff00000), 0);
}

/// Returns 1 / x to within about an ulp, exactly if x is a power of two. The larger part of x has a normal
/// reciprocal.
template <class R>
__device__ R reciprocal(R x) {
  return divide(R(1), x);
}
template <class R>
__device__ complex<R> reciprocal(complex<R> x) {
  const R scale = inverse_power(size_of(x)), re = x.re * scale, im = x.im * scale;
  const R y = divide(R(1), fma(re, re, im * im)) * scale;
  return {re * y, -im * y};
}

/// To 20 bits or more, exact for powers of four, where x >= least_normal<R>.
__device__ inline float approximate_reciprocal_sqrt(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ inline double approximate_reciprocal_sqrt(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
/// 1 / sqrt(x) to within an ulp, exact for powers of four, where x >= least_normal<R>.
__device__ inline float reciprocal_sqrt(float x) {
  const float y = approximate_reciprocal_sqrt(x);
  return fmaf(0.5f * y, fmaf(-x * y, y, 1.0f), y);
}
__device__ inline double reciprocal_sqrt(double x) {
  const double y = approximate_reciprocal_sqrt(x), e = fma(-x * y, y, 1.0);
  return fma(y * e, fma(e, 0.375, 0.5), y);
}

/// sqrt(x) rounded, with inverse = 1 / sqrt(x) to within an ulp.
template <class R>
__device__ R corrected_root(R x, R inverse) {
  const R almost = x * inverse;
  return fma(R(0.5) * inverse, fma(-almost, almost, x), almost);
}

/// What makes a subnormal pivot normal.
template <class R>
constexpr R scale_up = sizeof(R) == 4 ? R(1 << 24) : R(1ll << 54);
template <class R>
constexpr R sqrt_of_scale_up = sizeof(R) == 4 ? R(1 << 12) : R(1 << 27);

}  // namespace talus::cuda
