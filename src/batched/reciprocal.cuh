// Reciprocals and reciprocal square roots for pivots: the chip's approximation, refined, without a branch.
#pragma once

namespace talus::cuda {

template <class R>
constexpr R least_normal = sizeof(R) == 4 ? R(1.17549435e-38) : R(2.2250738585072014e-308);

/// 1 / x to within an ulp, exact for powers of two, where x >= least_normal<R>.
__device__ inline float reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(y, fmaf(-x, y, 1.0f), y);
}
__device__ inline double reciprocal(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));  // to 20 bits
  const double e = fma(-x, y, 1.0);
  return fma(y, fma(e, e, e), y);
}

/// 1 / sqrt(x) to within an ulp, exact for powers of four, where x >= least_normal<R>.
__device__ inline float reciprocal_sqrt(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(0.5f * y, fmaf(-x * y, y, 1.0f), y);
}
__device__ inline double reciprocal_sqrt(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));  // to 20 bits
  const double e = fma(-x * y, y, 1.0);
  return fma(y * e, fma(e, 0.375, 0.5), y);
}

/// What makes a subnormal pivot normal.
template <class R>
constexpr R scale_up = sizeof(R) == 4 ? R(1 << 24) : R(1ll << 54);
template <class R>
constexpr R sqrt_of_scale_up = sizeof(R) == 4 ? R(1 << 12) : R(1 << 27);

}  // namespace talus::cuda
