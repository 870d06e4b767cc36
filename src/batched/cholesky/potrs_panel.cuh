// Solve with a Cholesky factor: the right-hand sides stay on the chip, the factor streams by in panels of
// columns.
#pragma once

#include "batch.hpp"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/triangle.cuh"

namespace talus::cuda::cholesky {

/// Of matrix b, if it exists, for right-hand sides from first_column on: L Y = B, then L^H X = Y.
///
/// Thread map  (THREADS, tbc): the threads of a matrix own its rows, THREADS apart, in the updates; in the
///             solves with a diagonal block each group of IB lanes owns a right-hand side
/// Stored      X (n x columns) in shared memory if `resident`, else in place; the current IB x IB diagonal
///             block and its inverted diagonal in shared memory
/// Launch      ceil(count / tbc) * groups blocks, groups = ceil(nrhs / columns)
/// Needs       tbc = 1 unless resident
/// Barriers    three per IB rows in each direction
/// Info        j > 0: element (j, j) of the factor is not > 0, B untouched
/// Source      LAPACK's xPOTRS; blocked, right-looking in both directions, so that each row of L is read
///             where it lies
/// Bound by    reading the factor, twice
template <class T, int THREADS, class Factors, class Sides>
__device__ __forceinline__ void solve_columns(uplo uplo, std::int64_t b, bool exists, Factors A, Sides B,
                                              int* info_array, int first_column, int columns, bool resident) {
  using R = real_t<T>;
  constexpr int IB = THREADS < 32 ? THREADS : 32;
  const int n = A.n, tx = static_cast<int>(threadIdx.x);
  const int nrhs = min(columns, B.n - first_column);

  const std::size_t each = IB * IB + IB + (resident ? static_cast<std::size_t>(n) * columns : 0);
  T* const sL = shared_memory<T>() + threadIdx.y * each;  // IB x IB: L(k0 + i, k0 + k) at sL[i + k * IB]
  R* const inverse = reinterpret_cast<R*>(sL + IB * IB);  // IB
  __shared__ int failed[32];  // per matrix of the block: first bad diagonal element
  const matrix<T> mine = B[exists ? b : 0];
  T* const X = resident ? sL + IB * IB + IB : &mine(0, first_column);
  const std::ptrdiff_t ldx = resident ? n : mine.lda;
  const triangle<const T> L(A[exists ? b : 0], uplo);

  if (tx == 0) failed[threadIdx.y] = n;
  __syncthreads();
  for (int j = tx; exists && j < n; j += THREADS) {
    if (!(real(L(j, j)) > 0)) atomicMin(&failed[threadIdx.y], j);
  }
  __syncthreads();
  const bool alive = exists && failed[threadIdx.y] == n;
  if (exists && tx == 0 && first_column == 0) info_array[b] = alive ? 0 : failed[threadIdx.y] + 1;
  if (!__syncthreads_or(alive)) return;

  if (resident) {
    for (int c = 0; c < nrhs; ++c) {
      for (int i = tx; i < n; i += THREADS) X[i + c * ldx] = alive ? mine(i, first_column + c) : T{};
    }
  }

  auto load_block = [&](int k0, int kb) {
    __syncthreads();  // whoever read the block before this one, or wrote X, is done
    for (int e = tx; e < IB * IB; e += THREADS) {
      const int i = e % IB, k = e / IB;
      if (i < kb && k < i) sL[e] = L(k0 + i, k0 + k);
      if (i < kb && k == i) inverse[i] = 1 / real(L(k0 + i, k0 + i));
    }
    __syncthreads();
  };
  // X(k0:k0+kb, :) <- L^-1 X or L^-H X with the block in shared memory: lane i holds row i of one right-hand
  // side
  auto solve_block = [&](int k0, int kb, bool forward) {
    for (int c0 = 0; c0 < nrhs;
         c0 += THREADS / IB) {  // every lane goes round equally often: it meets barriers
      const int i = c0 + tx / IB < nrhs ? tx % IB : kb;
      T* const x = X + k0 + min(c0 + tx / IB, nrhs - 1) * ldx;
      for (int step = 0; step < kb; ++step) {
        const int k = forward ? step : kb - 1 - step;
        if (i == k) x[k] = x[k] * inverse[k];
        __syncwarp();
        if (forward && i > k && i < kb) multiply_add(x[i], -sL[i + k * IB], x[k]);
        if (!forward && i < k) multiply_add(x[i], -conj(sL[k + i * IB]), x[k]);
        __syncwarp();
      }
    }
    __syncthreads();
  };
  // X(i, :) -= factor(k) X(k0 + k, :) summed over k, for one row i outside the block, four right-hand sides
  // at a time
  auto update_row = [&](int i, int k0, int kb, auto factor) {
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
  };

  for (int k0 = 0; k0 < n; k0 += IB) {
    const int kb = min(IB, n - k0);
    load_block(k0, kb);
    solve_block(k0, kb, true);
    for (int i = k0 + kb + tx; i < n; i += THREADS)
      update_row(i, k0, kb, [&](int k) { return L(i, k0 + k); });
  }
  for (int k0 = (n - 1) / IB * IB; k0 >= 0; k0 -= IB) {
    const int kb = min(IB, n - k0);
    load_block(k0, kb);
    solve_block(k0, kb, false);
    for (int i = tx; i < k0; i += THREADS) update_row(i, k0, kb, [&](int k) { return conj(L(k0 + k, i)); });
  }

  if (resident && alive) {
    __syncthreads();
    for (int c = 0; c < nrhs; ++c) {
      for (int i = tx; i < n; i += THREADS) mine(i, first_column + c) = X[i + c * ldx];
    }
  }
}

template <class T, int THREADS>
__global__ void __launch_bounds__(THREADS > 128 ? THREADS : 128)
    potrs_panel(std::int64_t first_block, uplo uplo, batch<const T> A, batch<T> B, int* info_array,
                int columns, int groups, bool resident) {
  const std::int64_t block = first_block + blockIdx.x, b = block / groups * blockDim.y + threadIdx.y;
  solve_columns<T, THREADS>(uplo, b, b < A.count, A, B, info_array,
                            static_cast<int>(block % groups) * columns, columns, resident);
}

template <class T, int THREADS>
int launch_potrs_panel(uplo uplo, batch<const T> A, batch<T> B, int* info, queue q) {
  constexpr std::size_t IB = THREADS < 32 ? THREADS : 32,
                        budget = 47 * 1024;  // every device grants that much
  const std::size_t n = static_cast<std::size_t>(A.n), fixed = (IB * IB + IB) * sizeof(T),
                    column = n * sizeof(T);
  int tbc = std::max(1, 128 / THREADS);
  while (tbc > 1 && tbc * (fixed + column) > budget) tbc /= 2;
  const std::size_t fit = (budget / static_cast<std::size_t>(tbc) - fixed) / column;
  const bool resident = fit > 0;
  const int columns = std::max(1, resident ? std::min(B.n, static_cast<int>(fit)) : B.n);
  const int groups = std::max(1, ceil_div(B.n, columns));
  const std::size_t each = fixed + (resident ? column * static_cast<std::size_t>(columns) : 0);
  return launch<potrs_panel<T, THREADS>>({}, ceil_div<std::int64_t>(A.count, tbc) * groups,
                                         dim3(THREADS, tbc), static_cast<std::size_t>(tbc) * each, q, uplo, A,
                                         B, info, columns, groups, resident);
}

}  // namespace talus::cuda::cholesky
