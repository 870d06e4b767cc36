// A product of two tiles by one warp: what the tensor units of a multiprocessor multiply, in all four
// precisions.
#pragma once

#include "gpu/scalar.cuh"

namespace talus::cuda {

/// A tile has 8 columns and 16 rows.
constexpr int tile_columns = 8, tile_rows = 16, tile_elements = tile_rows * tile_columns;

/// 16 x 8 elements as a warp has the sum of products: lane 4 g + t those at (g, 2t), (g, 2t+1), (g+8, 2t) and
/// (g+8, 2t+1). What is called row or column g here may be any; kernels say which.
template <class T>
struct tile {
  T x[4] = {};
};

/// N real numbers as the tensor units read them. A single precision number is the sum of two of 11 bits;
/// three of the four products of two such sums are what an FMA would give, but for about two bits.
template <class R, int N>
struct operand;
template <int N>
struct operand<double, N> {
  double x[N];
  __device__ void set(int e, double value) { x[e] = value; }
  __device__ operand negative() const {
    operand o;
#pragma unroll
    for (int e = 0; e < N; ++e) o.x[e] = -x[e];
    return o;
  }
};
template <int N>
struct operand<float, N> {
  unsigned high[N], low[N];
  __device__ void set(int e, float value) {
    high[e] = (__float_as_uint(value) + 0x1000u) & 0xffffe000u;  // rounded to 11 bits
    low[e] = __float_as_uint(value - __uint_as_float(high[e]));  // exact; NaN where the value is
  }
  __device__ operand negative() const {
    operand o;
#pragma unroll
    for (int e = 0; e < N; ++e) {
      o.high[e] = high[e] ^ 0x80000000u;
      o.low[e] = low[e] ^ 0x80000000u;
    }
    return o;
  }
};

/// c += left right^T of a 16 x 8 and an 8 x 8 tile, as lanes hold them: lane 4 g + t has
///   left   (g, 2t), (g+8, 2t), (g, 2t+1), (g+8, 2t+1)
///   right  (g, 2t), (g, 2t+1)
///   c      (g, 2t), (g, 2t+1), (g+8, 2t), (g+8, 2t+1)
/// (The columns of left and right are summed over, in whichever order: 2t and 2t+1 stand where PTX has t and
/// t+4.)
__device__ inline void mma(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif __CUDA_ARCH__ >= 800
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[e % 2 * 2]), "+d"(c[e % 2 * 2 + 1])
        : "d"(a[e]), "d"(b[e / 2]));
  }
#endif
}
__device__ inline void mma(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// The same by FMA, for GPUs that have no tensor units for R.
template <class R>
__device__ void multiply_by_fma(R (&c)[4], const R (&a)[4], const R (&b)[2]) {
  const int lane = static_cast<int>(threadIdx.x % 32), g = lane / 4, t = lane % 4;
#pragma unroll
  for (int k = 0; k < tile_columns; ++k) {
    const R left0 = __shfl_sync(~0u, a[k % 2 * 2], 4 * g + k / 2);
    const R left1 = __shfl_sync(~0u, a[k % 2 * 2 + 1], 4 * g + k / 2);
    const R right0 = __shfl_sync(~0u, b[k % 2], 8 * t + k / 2);
    const R right1 = __shfl_sync(~0u, b[k % 2], 8 * t + 4 + k / 2);
    c[0] = fma(left0, right0, c[0]);
    c[1] = fma(left0, right1, c[1]);
    c[2] = fma(left1, right0, c[2]);
    c[3] = fma(left1, right1, c[3]);
  }
}

__device__ inline void multiply_add(double (&c)[4], const operand<double, 4>& a,
                                    const operand<double, 2>& b) {
#if __CUDA_ARCH__ >= 800
  mma(c, a.x, b.x);
#else
  multiply_by_fma(c, a.x, b.x);
#endif
}
__device__ inline void multiply_add(float (&c)[4], const operand<float, 4>& a, const operand<float, 2>& b) {
#if __CUDA_ARCH__ >= 800
  mma(c, a.low, b.high);
  mma(c, a.high, b.low);
  mma(c, a.high, b.high);
#else
  const auto whole = [](unsigned high, unsigned low) { return __uint_as_float(high) + __uint_as_float(low); };
  const float l[4] = {whole(a.high[0], a.low[0]), whole(a.high[1], a.low[1]), whole(a.high[2], a.low[2]),
                      whole(a.high[3], a.low[3])};
  const float r[2] = {whole(b.high[0], b.low[0]), whole(b.high[1], b.low[1])};
  multiply_by_fma(c, l, r);
#endif
}

/// N elements of each lane as a factor: real numbers, or real and imaginary parts.
template <class T, int N>
struct factor {
  operand<T, N> re;
  __device__ void set(int e, T x) { re.set(e, x); }
  __device__ factor negative() const { return {re.negative()}; }
};
template <class R, int N>
struct factor<complex<R>, N> {
  operand<R, N> re, im;
  __device__ void set(int e, complex<R> x) {
    re.set(e, x.re);
    im.set(e, x.im);
  }
  __device__ factor negative() const { return {re.negative(), im.negative()}; }
};
template <class T>
using left_factor = factor<T, 4>;  // 16 x 8
template <class T>
using right_factor = factor<T, 2>;  // 8 x 8

/// c += left right^H
template <class R>
__device__ void multiply_add(tile<R>& c, const left_factor<R>& left, const right_factor<R>& right) {
  multiply_add(c.x, left.re, right.re);
}
template <class R>
__device__ void multiply_add(tile<complex<R>>& c, const left_factor<complex<R>>& left,
                             const right_factor<complex<R>>& right) {
  R re[4], im[4];
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    re[e] = c.x[e].re;
    im[e] = c.x[e].im;
  }
  multiply_add(re, left.re, right.re);
  multiply_add(re, left.im, right.im);
  multiply_add(im, left.im, right.re);
  multiply_add(im, left.re, right.im.negative());
#pragma unroll
  for (int e = 0; e < 4; ++e) c.x[e] = {re[e], im[e]};
}

}  // namespace talus::cuda
