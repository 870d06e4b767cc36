// One Householder reflector  H = I - tau v v^H,  v = (1; x scale),  which takes a column (alpha; x) to
// (beta; 0) by H^H, beta real: LAPACK's xLARFG.
#pragma once

#include "gpu/reciprocal.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::householder {

// Sums of squares and products neither overflow nor vanish where the largest element of each column lies
// between 2^-30 and 2^30 (double: 2^-250 and 2^250), and a column's sum of squares is at least `least_sum`.
// Other columns are multiplied by a power of two while they are worked on, which changes no reflector. What
// is below the diagonal is multiplied once more while its reflector is made, if its squares vanish.
template <class R>
constexpr R least_sum = sizeof(R) == 4 ? R(0x1p-100) : R(0x1p-900);

/// 2^-e for a number about 2^e, in absolute value at most what has a normal reciprocal; of zero, infinity and
/// NaN 1.
template <class R>
__device__ R inverse_power_of(R about) {
  if (!(about > 0) || about - about != 0) return R(1);
  constexpr int most = sizeof(R) == 4 ? 126 : 1022;
  return scalbn(R(1), max(-most, min(most, -ilogb(about))));
}

/// Whether a column whose largest element is this is to be multiplied, and by which power of two: else by 1.
template <class R>
__device__ bool needs_power(R largest) {
  constexpr R limit = sizeof(R) == 4 ? R(0x1p30) : R(0x1p250);
  return largest > limit || (largest < 1 / limit && largest > 0);
}
template <class R>
__device__ R power_for_column(R largest) {
  return needs_power(largest) ? inverse_power_of(largest) : R(1);
}

/// Returns x 2^power, rounded once.
template <class R>
__device__ R times_power(R x, int power) {
  return scalbn(x, power);
}
template <class R>
__device__ complex<R> times_power(complex<R> x, int power) {
  return {scalbn(x.re, power), scalbn(x.im, power)};
}

template <class R>
__device__ R imaginary(R) {
  return 0;
}
template <class R>
__device__ R imaginary(complex<R> x) {
  return x.im;
}
/// sum += |x|^2
template <class R>
__device__ void add_square(R& sum, R x) {
  sum = fma(x, x, sum);
}
template <class R>
__device__ void add_square(R& sum, complex<R> x) {
  sum = fma(x.re, x.re, sum);
  sum = fma(x.im, x.im, sum);
}

template <class T>
struct reflector {
  using R = real_t<T>;
  T tau, scale;  // v below its one is scale * (x * power)
  R beta, power;

  reflector() = default;
  /// sum: of |x * power|^2. `scale` is begun with the approximation that the root is refined from, so that
  /// columns wait for less.
  __device__ __forceinline__ reflector(T alpha_, R sum, R power_) : power(power_), alpha(alpha_ * power_) {
    const R re = real(alpha), im = imaginary(alpha);
    R all = sum;
    add_square(all, alpha);
    const R y = approximate_reciprocal_sqrt(all), almost = all * y, e = fma(-almost, y, R(1));
    const R by = sizeof(R) == 4 ? R(0.5) : fma(e, R(0.375), R(0.5));
    const R root = fma(almost * e, by, almost), inverse = fma(y * e, by, y);
    one_over_beta = -copysign(inverse, re);
    scale = one_over(alpha + from_real<T>(copysign(root, re)), alpha + from_real<T>(copysign(almost, re)));
    set_tau(tau, fma(fabs(re), inverse, R(1)), im * copysign(inverse, re));
    const R undo = power == 1 ? R(1) : approximate_reciprocal(power);  // exact
    beta = -copysign(corrected_root(all, inverse), re) * undo;
  }
  /// If the column's alpha is real: H = I, as is to be where x is zero.
  __device__ __forceinline__ void leave_real(T its_alpha) {
    if (imaginary(its_alpha) != 0) return;
    tau = scale = T{};
    beta = real(its_alpha);
    alpha = from_real<T>(1);
    one_over_beta = 1;
  }

  /// H^H times a column a: its element a_j becomes this. product: of (x * power)^H with the part of a below
  /// it. (<H^H x, H^H a> = <x, a>.)
  __device__ __forceinline__ T of_row(T a_j, T product) const {
    multiply_add(product, conj(alpha), a_j);
    return product * one_over_beta;
  }
  /// What is below a_j becomes itself less x * power times this.
  __device__ __forceinline__ T factor(T a_j, T of_row) const {
    T all{};
    multiply_add(all, a_j - of_row, scale);
    return all;
  }

 private:
  T alpha;  // times power, as is
  R one_over_beta;

  /// 1 / x, with y about x to 20 bits.
  static __device__ __forceinline__ R one_over(R x, R y) {
    const R z = approximate_reciprocal(y), e = fma(-x, z, R(1));
    return fma(z, sizeof(R) == 4 ? e : fma(e, e, e), z);
  }
  static __device__ __forceinline__ complex<R> one_over(complex<R> x, complex<R> y) {
    const R by = one_over(fma(x.re, x.re, x.im * x.im), fma(y.re, y.re, y.im * y.im));
    return {x.re * by, -x.im * by};
  }
  static __device__ void set_tau(R& tau, R re, R) { tau = re; }
  static __device__ void set_tau(complex<R>& tau, R re, R im) { tau = {re, im}; }
};

}  // namespace talus::cuda::householder
