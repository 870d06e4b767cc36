// Solves with a triangle by a block that has other things to do, too: the triangle streams by in panels of
// columns. Those that have a kernel of their own are batched/blas/.
#pragma once

#include "batch.hpp"
#include "gpu/scalar.cuh"

namespace talus::cuda {

// A `Triangle` is lower, and says of its elements:
//
//   (i, k)                 the one below the diagonal
//   kept(i)                what is kept of diagonal element i
//   over_diagonal(x, kept) x divided by that element
//   unrolled               steps of a solve that are unrolled: where they divide, registers are short

/// Right-hand sides X (n x nrhs) of one matrix, and the room to solve with a triangle for them.
template <class T, int THREADS>
struct panel_solve {
  static constexpr int IB = THREADS < 32 ? THREADS : 32;
  static constexpr int room = IB * IB + IB;  // elements of shared memory

  T* block;  // IB x IB: L(k0 + i, k0 + k) at block[i + k * IB]; then what is kept of its diagonal
  T* X;
  std::ptrdiff_t ldx;
  int n, nrhs;

  /// X <- L^-1 X
  template <class Triangle>
  __device__ __forceinline__ void forward(const Triangle& L) const {
    for (int k0 = 0; k0 < n; k0 += IB) {
      const int kb = min(IB, n - k0);
      load_block(L, k0, kb);
      solve_block<true>(L, k0, kb);
      for (int i = k0 + kb + thread(); i < n; i += THREADS)
        update_row(i, k0, kb, [&](int k) { return L(i, k0 + k); });
    }
  }

  /// X <- L^-T X; X can be read when it returns.
  template <class Triangle>
  __device__ __forceinline__ void backward(const Triangle& L) const {
    for (int k0 = (n - 1) / IB * IB; k0 >= 0; k0 -= IB) {
      const int kb = min(IB, n - k0);
      load_block(L, k0, kb);
      solve_block<false>(L, k0, kb);
      for (int i = thread(); i < k0; i += THREADS) update_row(i, k0, kb, [&](int k) { return L(k0 + k, i); });
    }
  }

 private:
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }

  template <class Triangle>
  using kept_of = decltype(std::declval<const Triangle&>().kept(0));
  template <class Triangle>
  __device__ kept_of<Triangle>* kept() const {
    return reinterpret_cast<kept_of<Triangle>*>(block + IB * IB);
  }

  template <class Triangle>
  __device__ __forceinline__ void load_block(const Triangle& L, int k0, int kb) const {
    __syncthreads();  // whoever read the block before this one, or wrote X, is done
    for (int e = thread(); e < IB * IB; e += THREADS) {
      const int i = e % IB, k = e / IB;
      if (i < kb && k < i) block[e] = L(k0 + i, k0 + k);
      if (i < kb && k == i) kept<Triangle>()[i] = L.kept(k0 + i);
    }
    __syncthreads();
  }

  /// X(k0:k0+kb, :) <- L^-1 X or L^-T X with the block in shared memory: lane i holds row i of one right-hand
  /// side.
  template <bool FORWARD, class Triangle>
  __device__ __forceinline__ void solve_block(const Triangle& L, int k0, int kb) const {
    const int tx = thread();
    for (int c0 = 0; c0 < nrhs;
         c0 += THREADS / IB) {  // every lane goes round equally often: it meets barriers
      const int i = c0 + tx / IB < nrhs ? tx % IB : kb;
      T* const x = X + k0 + min(c0 + tx / IB, nrhs - 1) * ldx;
#pragma unroll Triangle::unrolled
      for (int step = 0; step < kb; ++step) {
        const int k = FORWARD ? step : kb - 1 - step;
        if (i == k) x[k] = L.over_diagonal(x[k], kept<Triangle>()[k]);
        __syncwarp();
        if (FORWARD && i > k && i < kb) multiply_add(x[i], -block[i + k * IB], x[k]);
        if (!FORWARD && i < k) multiply_add(x[i], -block[k + i * IB], x[k]);
        __syncwarp();
      }
    }
    __syncthreads();
  }

  /// X(i, :) -= factor(k) X(k0 + k, :) summed over k, for one row i outside the block, four right-hand sides
  /// at a time.
  template <class Factor>
  __device__ __forceinline__ void update_row(int i, int k0, int kb, Factor factor) const {
    for (int c = 0; c < nrhs; c += 4) {
      T sum[4] = {};
      for (int k = 0; k < kb; ++k) {
        const T l = factor(k);
#pragma unroll
        for (int v = 0; v < 4; ++v) multiply_add(sum[v], l, X[k0 + k + min(c + v, nrhs - 1) * ldx]);
      }
#pragma unroll
      for (int v = 0; v < 4; ++v) {
        if (c + v < nrhs) X[i + (c + v) * ldx] = X[i + (c + v) * ldx] - sum[v];
      }
    }
  }
};

}  // namespace talus::cuda
