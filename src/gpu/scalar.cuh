// Arithmetic of the four precisions in device code. std::complex is for hosts: its operators are no device
// functions and its product checks for NaN, so kernels compute with this plain pair of the same layout.
#pragma once

#include <complex>

#include "batch.hpp"

namespace talus::cuda {

template <class R>
struct alignas(2 * sizeof(R)) complex {
  R re, im;
};

template <class T>
struct device_scalar {
  using type = T;
};
template <class R>
struct device_scalar<std::complex<R>> {
  using type = complex<R>;
};
template <class T>
struct device_scalar<const T> {
  using type = const typename device_scalar<T>::type;
};
template <class T>
using device_t = typename device_scalar<T>::type;

template <class T>
struct real_scalar {
  using type = T;
};
template <class R>
struct real_scalar<complex<R>> {
  using type = R;
};
template <class T>
using real_t = typename real_scalar<T>::type;

__device__ inline float real(float x) { return x; }
__device__ inline double real(double x) { return x; }
template <class R>
__device__ R real(complex<R> x) {
  return x.re;
}

/// The scalar with this real part and imaginary part zero. Not T{x}: in `condition ? T{x} : y`, nvcc 13.0
/// leaves the imaginary part that is not named undefined.
template <class T>
__device__ T from_real(real_t<T> x) {
  if constexpr (std::is_same_v<T, real_t<T>>) {
    return x;
  } else {
    return {x, 0};
  }
}

__device__ inline float conj(float x) { return x; }
__device__ inline double conj(double x) { return x; }
template <class R>
__device__ complex<R> conj(complex<R> x) {
  return {x.re, -x.im};
}

template <class R>
__device__ complex<R> operator+(complex<R> a, complex<R> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class R>
__device__ complex<R> operator-(complex<R> a, complex<R> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class R>
__device__ complex<R> operator-(complex<R> a) {
  return {-a.re, -a.im};
}
template <class R>
__device__ complex<R> operator*(complex<R> a, R b) {
  return {a.re * b, a.im * b};
}
template <class R>
__device__ complex<R> operator/(complex<R> a, R b) {
  return {a.re / b, a.im / b};
}

/// Returns the larger of |re x| and |im x|.
__device__ inline float size_of(float x) { return fabsf(x); }
__device__ inline double size_of(double x) { return fabs(x); }
template <class R>
__device__ R size_of(complex<R> x) {
  return max(fabs(x.re), fabs(x.im));
}

/// Divides by the larger part of b first, so that |b|^2 need not be in range (Smith, CACM 5, 1962). A power
/// of two scales both numbers if a sum of parts would overflow or lose digits.
template <class R>
__device__ complex<R> operator/(complex<R> a, complex<R> b) {
  constexpr R far = sizeof(R) == 4 ? R(0x1p60) : R(0x1p480),
              tiny = sizeof(R) == 4 ? R(0x1p-100) : R(0x1p-960),
              huge = sizeof(R) == 4 ? R(0x1p126) : R(0x1p1022);
  const R size = size_of(b);
  const R scale = size > far                            ? 1 / far
                  : size < 1 / far || size_of(a) < tiny ? far / 2
                  : size_of(a) > huge                   ? R(0.25)
                                                        : R(1);
  a = a * scale;
  b = b * scale;
  const bool upright = fabs(b.re) < fabs(b.im);
  const R large = upright ? b.im : b.re, ratio = (upright ? b.re : b.im) / large;
  const R by = upright ? fma(b.re, ratio, large) : fma(b.im, ratio, large);
  const R re = upright ? fma(a.re, ratio, a.im) : fma(a.im, ratio, a.re);
  const R im = upright ? fma(a.im, ratio, -a.re) : fma(-a.re, ratio, a.im);
  return {re / by, im / by};
}

/// a b, without a look for infinities and NaN.
__device__ inline float product(float a, float b) { return a * b; }
__device__ inline double product(double a, double b) { return a * b; }
template <class R>
__device__ complex<R> product(complex<R> a, complex<R> b) {
  return {fma(a.re, b.re, -(a.im * b.im)), fma(a.re, b.im, a.im * b.re)};
}

template <class R>
__device__ bool is_zero(R x) {
  return x == 0;
}
template <class R>
__device__ bool is_zero(complex<R> x) {
  return x.re == 0 && x.im == 0;
}
/// What no factor may have on its diagonal to be solved with.
template <class R>
__device__ bool is_zero_or_nan(R x) {
  return !(x < 0 || x > 0);
}
template <class R>
__device__ bool is_zero_or_nan(complex<R> x) {
  return x.re != x.re || x.im != x.im || (x.re == 0 && x.im == 0);
}

/// c += a * b
__device__ inline void multiply_add(float& c, float a, float b) { c = fmaf(a, b, c); }
__device__ inline void multiply_add(double& c, double a, double b) { c = fma(a, b, c); }
template <class R>
__device__ void multiply_add(complex<R>& c, complex<R> a, complex<R> b) {
  multiply_add(c.re, a.re, b.re);
  multiply_add(c.re, -a.im, b.im);
  multiply_add(c.im, a.re, b.im);
  multiply_add(c.im, a.im, b.re);
}

/// c += a * b, b real
template <class R>
__device__ void multiply_add(complex<R>& c, complex<R> a, R b) {
  multiply_add(c.re, a.re, b);
  multiply_add(c.im, a.im, b);
}

template <class T>
__device__ T shuffle(T x, int from, int width = 32) {
  if constexpr (std::is_same_v<real_t<T>, T>) {
    return __shfl_sync(~0u, x, from, width);
  } else {
    return {__shfl_sync(~0u, x.re, from, width), __shfl_sync(~0u, x.im, from, width)};
  }
}

template <class T>
__device__ T shuffle_xor(T x, int mask) {
  if constexpr (std::is_same_v<real_t<T>, T>) {
    return __shfl_xor_sync(~0u, x, mask);
  } else {
    return {__shfl_xor_sync(~0u, x.re, mask), __shfl_xor_sync(~0u, x.im, mask)};
  }
}

/// The largest of the keys of a group of LANES consecutive lanes. All lanes of the warp call.
template <int LANES>
__device__ unsigned largest_of_group(unsigned key) {
#if __CUDA_ARCH__ >= 800
  if constexpr (LANES == 32) {
    key = __reduce_max_sync(~0u, key);
  } else if constexpr (LANES == 16) {  // one after the other; they overlap
    const bool upper = threadIdx.x % 32 + threadIdx.y * blockDim.x & 16;
    const unsigned low = __reduce_max_sync(~0u, upper ? 0 : key);
    const unsigned high = __reduce_max_sync(~0u, upper ? key : 0);
    key = upper ? high : low;
  } else {
    for (int step = LANES / 2; step > 0; step /= 2) key = max(key, __shfl_xor_sync(~0u, key, step));
  }
#else
  for (int step = LANES / 2; step > 0; step /= 2) key = max(key, __shfl_xor_sync(~0u, key, step));
#endif
  return key;
}

/// Returns the largest x of a warp. All lanes call it.
__device__ inline int largest_of_lanes(int x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(~0u, x);
#else
  for (int step = 16; step > 0; step /= 2) x = max(x, __shfl_xor_sync(~0u, x, step));
  return x;
#endif
}

/// The upper 32 bits of a number's magnitude. They are ordered as magnitudes are, a NaN above all of them.
__device__ inline unsigned high_bits_of(float x) { return __float_as_uint(x) & 0x7fffffff; }
__device__ inline unsigned high_bits_of(double x) {
  return static_cast<unsigned>(__double2hiint(x)) & 0x7fffffff;
}

template <class T, int N>
struct alignas(N * sizeof(T)) pack {
  T x[N];
};

/// Elements that move in one 16-byte access.
template <class T>
constexpr int piece = 16 / static_cast<int>(sizeof(T));

/// A piece as one access has it.
template <class T>
using vector_of_16_bytes = std::conditional_t<sizeof(real_t<T>) == 4, float4, double2>;

template <class T>
__device__ vector_of_16_bytes<T> as_vector(const pack<T, piece<T>>& x) {
  vector_of_16_bytes<T> all;
  memcpy(&all, &x, 16);
  return all;
}
/// To a place at a multiple of 16 bytes, at once.
template <class T>
__device__ void store(T* to, const pack<T, piece<T>>& x) {
  *reinterpret_cast<vector_of_16_bytes<T>*>(to) = as_vector<T>(x);
}

/// x, but what is computed of it here is not computed once for all and kept in registers.
__device__ inline int recomputed(int x) {
  asm volatile("" : "+r"(x));
  return x;
}

/// x, which is the same in all lanes of a warp, so that the compiler knows it: after branches on it all lanes
/// are still together, which is then not looked after again. All lanes call it.
__device__ inline int uniform(int x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(~0u, x);
#else
  return __shfl_sync(~0u, x, 0);
#endif
}

/// x, and what is computed of it is computed after this point: so that what is before need not wait for it.
__device__ inline float from_here(float x) {
  asm volatile("" : "+f"(x));
  return x;
}
__device__ inline double from_here(double x) {
  asm volatile("" : "+d"(x));
  return x;
}
template <class R>
__device__ complex<R> from_here(complex<R> x) {
  return {from_here(x.re), from_here(x.im)};
}

/// p + step, and not what was computed of step long before.
template <class T>
__device__ T* next_line(T* p, std::ptrdiff_t step) {
  asm volatile("" : "+l"(step));
  return p + step;
}

/// *to = x, which this kernel does not read again: the L2 keeps what is yet to be read instead.
__device__ inline void store_last(float* to, float x) { __stcs(to, x); }
__device__ inline void store_last(double* to, double x) { __stcs(to, x); }
__device__ inline void store_last(complex<float>* to, complex<float> x) {
  __stcs(reinterpret_cast<float2*>(to), make_float2(x.re, x.im));
}
__device__ inline void store_last(complex<double>* to, complex<double> x) {
  __stcs(reinterpret_cast<double2*>(to), make_double2(x.re, x.im));
}

template <class T>
__device__ void store_last(T* to, const pack<T, piece<T>>& x) {
  __stcs(reinterpret_cast<vector_of_16_bytes<T>*>(to), as_vector<T>(x));
}

/// A number as device code has it.
template <class T>
device_t<T> to_device(T x) {
  if constexpr (std::is_same_v<T, device_t<T>>) {
    return x;
  } else {
    return {x.real(), x.imag()};
  }
}

/// The same batch, its elements named as device code names them.
template <class T>
batch<device_t<T>> on_device(batch<T> A) {
  using D = device_t<T>;
  return {reinterpret_cast<D* const*>(A.array),
          reinterpret_cast<D*>(A.slab),
          A.stride,
          A.offset,
          A.m,
          A.n,
          A.lda,
          A.count};
}

template <class T>
vectors<device_t<T>> on_device(vectors<T> v) {
  return {reinterpret_cast<device_t<T>* const*>(v.array), reinterpret_cast<device_t<T>*>(v.slab), v.stride};
}

template <class T>
variable_batch<device_t<T>> on_device(variable_batch<T> A) {
  return {reinterpret_cast<device_t<T>* const*>(A.array), A.m, A.n, A.lda, A.count};
}

}  // namespace talus::cuda
