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

/// The power of two for a column whose largest element is this: 1 where it is safe.
template <class R>
__device__ R power_for_column(R largest) {
  constexpr R limit = sizeof(R) == 4 ? R(0x1p30) : R(0x1p250);
  return largest <= limit && largest >= 1 / limit ? R(1) : inverse_power_of(largest);
}

template <class R>
__device__ R magnitude_of(R x) {
  return fabs(x);
}
/// The larger one of its parts.
template <class R>
__device__ R magnitude_of(complex<R> x) {
  return fmax(fabs(x.re), fabs(x.im));
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
  /// sum: of |x * power|^2. is_zero: x has no element but zeros.
  __device__ reflector(T alpha, R sum, bool is_zero, R power_) : power(power_) {
    alpha = alpha * power;
    const R re = real(alpha), im = imaginary(alpha);
    if (is_zero && im == 0) {
      tau = scale = T{};
      beta = re / power;
      return;
    }
    R all = sum;
    add_square(all, alpha);
    beta = -copysign(corrected_root(all, reciprocal_sqrt(all)), re);
    tau = tau_of(alpha);
    scale = inverse(alpha - from_real<T>(beta));
    beta = beta / power;
  }

  /// What H^H takes off a column a: v times this. product: of (x * power)^H with the part of a below its
  /// element a_j.
  __device__ T times(T a_j, T product) const {
    T w = a_j;
    multiply_add(w, conj(scale), product);
    T all{};
    multiply_add(all, conj(tau), w);
    return all;
  }

 private:
  __device__ R tau_of(R alpha) const { return divide(beta - alpha, beta); }
  __device__ complex<R> tau_of(complex<R> alpha) const {
    return divide(complex<R>{beta - alpha.re, -alpha.im}, beta);
  }
  static __device__ R inverse(R x) { return divide(R(1), x); }
  static __device__ complex<R> inverse(complex<R> x) { return from_real<complex<R>>(1) / x; }
};

}  // namespace talus::cuda::householder
