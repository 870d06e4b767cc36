// Inverse from a Cholesky factor, in place: L <- L^-1 from right to left, then A^-1 = L^-H L^-1 from top to
// bottom, one panel of IB columns in shared memory at a time.
#pragma once

#include "batch.hpp"
#include "gpu/launch.cuh"
#include "gpu/panel.cuh"
#include "gpu/scalar.cuh"
#include "gpu/triangle.cuh"

namespace talus::cuda::cholesky {

/// Inverts matrix b, if it exists.
///
/// Thread map  (threads, tbc): in L^-1 a thread owns rows, in L^-H L^-1 columns, blockDim.x apart
/// Stored      sP: the panel, n x IB; sD: the inverse of its diagonal block, IB x IB; sums in registers
/// Launch      ceil(count / tbc) blocks
/// Barriers    three per panel in each half
/// Info        j > 0: element (j, j) of the factor is not > 0, matrix untouched
/// Source      LAPACK's xTRTRI and xLAUUM, blocked
/// Bound by    device memory: the triangle is read n / IB times
template <class T, int IB, class Batch>
__device__ __forceinline__ void invert_in_panels(uplo uplo, std::int64_t b, bool exists, Batch A,
                                                 int* info_array) {
  const int n = A.n, tx = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  T* const sP =
      shared_memory<T>() + threadIdx.y * static_cast<std::size_t>(n * IB + IB * IB);  // row i at sP[i * IB]
  T* const sD = sP + n * IB;
  __shared__ int failed[32];
  const triangle<T> L(A[exists ? b : 0], uplo);

  if (tx == 0) failed[threadIdx.y] = n;
  __syncthreads();
  for (int j = tx; exists && j < n; j += threads) {
    if (!(real(L(j, j)) > 0)) atomicMin(&failed[threadIdx.y], j);
  }
  __syncthreads();
  const bool alive = exists && failed[threadIdx.y] == n;
  if (exists && tx == 0) info_array[b] = alive ? 0 : failed[threadIdx.y] + 1;
  if (!__syncthreads_or(alive)) return;

  // L(j:n, j:j+jb) <- L^-1: the columns to the right are inverted already
  for (int j = (n - 1) / IB * IB; j >= 0; j -= IB) {
    const int jb = min(IB, n - j), below = j + jb;
    if (tx < IB) {  // column tx of the inverse of the diagonal block, by substitution
#pragma unroll
      for (int i = 0; i < IB; ++i) {
        T x = {};
        if (tx <= i && i < jb) {
          for (int k = tx; k < i; ++k) multiply_add(x, -L(j + i, j + k), sD[k * IB + tx]);
          if (i == tx) x = from_real<T>(1);
          x = x * (1 / real(L(j + i, j + i)));
        }
        sD[i * IB + tx] = x;
      }
    }
    for (int i = below + tx; i < n; i += threads) {
#pragma unroll
      for (int c = 0; c < IB; ++c) sP[i * IB + c] = c < jb ? L(i, j + c) : T{};
    }
    __syncthreads();
    for (int i = below + tx; i < n; i += threads) {  // -L^-1(i, below:) P, times the diagonal block's inverse
      T sum[IB] = {};
      for (int k = below; k <= i; ++k) {
        const T l = k < i ? L(i, k) : from_real<T>(real(L(i, i)));
#pragma unroll
        for (int c = 0; c < IB; ++c) multiply_add(sum[c], l, sP[k * IB + c]);
      }
      if (alive) {
#pragma unroll
        for (int c = 0; c < IB; ++c) {
          T x = {};
#pragma unroll
          for (int k = c; k < IB; ++k) multiply_add(x, -sum[k], sD[k * IB + c]);
          if (c < jb) L.store(i, j + c, x);
        }
      }
    }
    for (int e = tx; alive && e < IB * IB; e += threads) {
      const int i = e / IB, c = e % IB;
      if (i < jb && c <= i) L.store(j + i, j + c, sD[e]);
    }
    __syncthreads();
  }

  // Rows i ... i+ib-1 of L^-H L^-1: L(i:n, i:i+ib)^H L(i:n, 0:i+ib)
  for (int i = 0; i < n; i += IB) {
    const int ib = min(IB, n - i);
    for (int k = i + tx; k < n; k += threads) {
#pragma unroll
      for (int c = 0; c < IB; ++c) sP[k * IB + c] = c < ib && i + c <= k ? L(k, i + c) : T{};
    }
    __syncthreads();
    for (int r = tx; r < i + ib; r += threads) {
      T sum[IB] = {};
      for (int k = max(i, r); k < n; ++k) {
        const T l = r < i ? L(k, r) : sP[k * IB + r - i];  // its own panel is being overwritten
#pragma unroll
        for (int c = 0; c < IB; ++c) multiply_add(sum[c], conj(sP[k * IB + c]), l);
      }
#pragma unroll
      for (int c = 0; c < IB; ++c) {
        if (alive && c < ib && r <= i + c)
          L.store(i + c, r, r == i + c ? from_real<T>(real(sum[c])) : sum[c]);
      }
    }
    __syncthreads();
  }
}

template <class T, int IB>
__global__ void __launch_bounds__(256)
    potri_panel(std::int64_t first_block, uplo uplo, batch<T> A, int* info_array) {
  const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
  invert_in_panels<T, IB>(uplo, b, b < A.count, A, info_array);
}

template <class T, int IB>
int launch_potri_panel(uplo uplo, batch<T> A, int* info, queue q) {
  const dim3 block = block_of_rows(A.n, IB, panel_bytes<T, IB>(A.n));
  return launch<potri_panel<T, IB>>({}, ceil_div<std::int64_t>(A.count, block.y), block,
                                    block.y * panel_bytes<T, IB>(A.n), q, uplo, A, info);
}

}  // namespace talus::cuda::cholesky
