// A panel of a few columns is factored by all warps of a block: one reflector after the other, a warp per
// column.
#pragma once

#include "batched/qr/pieces/reflector.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::householder {

/// The sum over a warp's lanes, in every lane, added in the same order whatever the values.
template <class T>
__device__ T sum_of_warp(T x) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) x = x + shuffle_xor(x, mask);
  return x;
}
template <class R>
__device__ R largest_of_warp(R x) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) x = fmax(x, shuffle_xor(x, mask));
  return x;
}

/// Panel: a view of m rows and `columns` <= NB columns, in shared memory or in memory.
template <class T, class Policy, class Panel>
struct panel_of {
  using R = real_t<T>;
  static constexpr int WARPS = Policy::WARPS, NB = Policy::NB, OF_WARP = ceil_div(NB, WARPS);
  static constexpr int AT_ONCE = 4;  // rows of a lane that are read at once

  Panel A;
  int lane = static_cast<int>(threadIdx.x) % 32, warp = uniform(static_cast<int>(threadIdx.x) / 32);

  __device__ explicit panel_of(const Panel& A_) : A(A_) {}

  /// Reflectors of columns 0 ... A.n - 1: v below the diagonal, R on and above it, tau beside it. Every
  /// thread of the block calls it when the panel is there; it is done for all when it returns.
  ///
  /// Barriers  one per column, and two
  __device__ __forceinline__ void factor(T* tau) const {
    R power[OF_WARP];  // of this warp's columns
#pragma unroll
    for (int q = 0; q < OF_WARP; ++q) power[q] = make_safe(warp + q * WARPS);
    __syncthreads();
    const int reflectors = min(A.m, A.n);
    for (int j = 0; j < A.n; ++j) {
      if (j < reflectors) {
        eliminate(j, tau);
      } else if (warp == 0 && lane == 0) {
        tau[j] = T{};
      }
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < OF_WARP; ++q) {
      const int c = warp + q * WARPS;
      if (power[q] != 1) multiply(c, 1 / power[q], min(c + 1, A.m));
    }
    __syncthreads();
  }

 private:
  /// Multiplies a column so that reflectors can be made of it, and returns by what.
  __device__ R make_safe(int c) const {
    if (c >= A.n) return R(1);
    R largest = 0;
    for (int i = lane; i < A.m; i += 32) largest = fmax(largest, size_of(A.read(i, c)));
    const R power = power_for_column(largest_of_warp(largest));
    if (power != 1) multiply(c, power, A.m);
    return power;
  }

  /// The first `rows` of column c.
  __device__ __noinline__ void multiply(int c, R by, int rows) const {
    for (int i = lane; i < rows; i += 32) A.write(i, c, A.read(i, c) * by);
  }

  /// The reflector of column j, and what it makes of the columns right of it. A warp that has any of them
  /// makes the reflector for itself: so one barrier is enough.
  __device__ __forceinline__ void eliminate(int j, T* tau) const {
    const int first = j + 1 + (warp + WARPS - (j + 1) % WARPS) % WARPS;  // of this warp's columns
    const bool finishes = j % WARPS == warp;
    reflector<T> h;
    if (first < A.n || finishes) {
      T products[OF_WARP];
      h = make_reflector(j, first, products);
#pragma unroll
      for (int q = 0; q < OF_WARP; ++q) {
        const int c = first + q * WARPS;
        if (c < A.n) apply(h, j, c, products[q]);
      }
    }
    __syncthreads();
    if (finishes) finish(h, j, tau);
  }

  __device__ __forceinline__ reflector<T> make_reflector(int j, int first, T (&products)[OF_WARP]) const {
    const T alpha = A.read(j, j);
    R sum = 0, power = 1;
    add_up(j, first, power, sum, products);
    bool is_zero = false;
    if (!(sum >= least_sum<R>)) {
      const R largest = largest_below(j);
      is_zero = largest == 0 && sum == 0;
      power = inverse_power_of(fmax(largest, size_of(alpha)));
      add_up(j, first, power, sum, products);
    }
    reflector<T> h(alpha, sum, power);
    if (is_zero) h.leave_real(alpha);
    return h;
  }

  /// x = power * column j below its diagonal: |x|^2, and x^H times this warp's columns.
  __device__ __forceinline__ void add_up(int j, int first, R power, R& sum, T (&products)[OF_WARP]) const {
    sum = 0;
#pragma unroll
    for (int q = 0; q < OF_WARP; ++q) products[q] = T{};
#pragma unroll 4
    for (int i = j + 1 + lane; i < A.m; i += 32) {
      const T x = A.read(i, j) * power;
      add_square(sum, x);
#pragma unroll
      for (int q = 0; q < OF_WARP; ++q) {
        if (first + q * WARPS < A.n) multiply_add(products[q], conj(x), A.read(i, first + q * WARPS));
      }
    }
    sum = sum_of_warp(sum);
#pragma unroll
    for (int q = 0; q < OF_WARP; ++q) {
      if (first + q * WARPS < A.n) products[q] = sum_of_warp(products[q]);
    }
  }

  __device__ __noinline__ R largest_below(int j) const {
    R largest = 0;
    for (int i = j + 1 + lane; i < A.m; i += 32) largest = fmax(largest, size_of(A.read(i, j)));
    return largest_of_warp(largest);
  }

  /// Column c <- H^H times it.
  __device__ __forceinline__ void apply(const reflector<T>& h, int j, int c, T product) const {
    const T a = A.read(j, c), row = h.of_row(a, product), factor = h.factor(a, row);
    __syncwarp();
    if (lane == 0) A.write(j, c, row);
    for (int i0 = j + 1 + lane; i0 < A.m; i0 += 32 * AT_ONCE) {
      T next[AT_ONCE];
#pragma unroll
      for (int b = 0; b < AT_ONCE; ++b) {
        const int i = i0 + b * 32;
        if (i >= A.m) continue;
        next[b] = A.read(i, c);
        multiply_add(next[b], -factor, A.read(i, j) * h.power);
      }
#pragma unroll
      for (int b = 0; b < AT_ONCE; ++b) {
        if (i0 + b * 32 < A.m) A.write(i0 + b * 32, c, next[b]);
      }
    }
  }

  __device__ __forceinline__ void finish(const reflector<T>& h, int j, T* tau) const {
    for (int i = j + 1 + lane; i < A.m; i += 32) {
      T v{};
      multiply_add(v, A.read(i, j) * h.power, h.scale);
      A.write(i, j, v);
    }
    if (lane == 0) {
      A.write(j, j, from_real<T>(h.beta));
      tau[j] = h.tau;
    }
  }
};

}  // namespace talus::cuda::householder
