// Inverses in place by threads: of matrices so large that no panel of 16 columns fits in shared memory.
// Panels of IB columns do.
#pragma once

#include "batch.hpp"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/triangle.cuh"
#include "batched/blas/solve_plan.hpp"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/triangle.cuh"

namespace talus::cuda::blas {

/// Of shared memory, in bytes: a panel of IB columns of n rows, and a block of its diagonal.
template <class T>
constexpr std::size_t thin_bytes(int n, int IB) {
  return (static_cast<std::size_t>(n) + static_cast<std::size_t>(IB)) * static_cast<std::size_t>(IB) *
         sizeof(T);
}

/// A^-1 from a Cholesky factor, in its triangle: L <- L^-1 from right to left, then L^-H L^-1 from top to
/// bottom. By a block; in L^-1 a thread owns rows, in L^-H L^-1 columns.
template <class T, int IB>
__device__ __forceinline__ void invert_cholesky_by_threads(uplo uplo, const matrix<T>& A) {
  const int n = A.n, tx = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  T* const sP = shared_memory<T>();  // the panel: row i at sP[i * IB]
  T* const sD = sP + n * IB;         // the inverse of its diagonal block
  const triangle<T> L(A, uplo);

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
#pragma unroll
      for (int c = 0; c < IB; ++c) {
        T x = {};
#pragma unroll
        for (int k = c; k < IB; ++k) multiply_add(x, -sum[k], sD[k * IB + c]);
        if (c < jb) L.store(i, j + c, x);
      }
    }
    for (int e = tx; e < IB * IB; e += threads) {
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
        if (c < ib && r <= i + c) L.store(i + c, r, r == i + c ? from_real<T>(real(sum[c])) : sum[c]);
      }
    }
    __syncthreads();
  }
}

/// U <- U^-1 in the upper triangle of M, which is n x n. Of X U = I row i is solved for alone, in order of
/// columns, whatever IB is: so the residual X U - I is small, and each width of panels gives the same bits.
template <class T, int IB>
__device__ __forceinline__ void invert_upper(const matrix<T>& M, T* panel, T* inverse) {
  const int n = M.n, tx = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int j = 0; j < n; j += IB) {
    const int jb = min(IB, n - j), end = j + jb;
    for (int k = tx; k < end; k += threads) {
#pragma unroll
      for (int c = 0; c < IB; ++c) panel[k * IB + c] = c < jb && k < j + c ? M(k, j + c) : T{};
      if (k >= j) inverse[k - j] = from_real<T>(1) / M(k, k);
    }
    __syncthreads();
    for (int i = tx; i < end; i += threads) {
      T x[IB];
#pragma unroll
      for (int c = 0; c < IB; ++c) x[c] = from_real<T>(i == j + c ? 1 : 0);
      for (int k = i; k < j; ++k) {
        const T before = -M(i, k);
#pragma unroll
        for (int c = 0; c < IB; ++c) multiply_add(x[c], before, panel[k * IB + c]);
      }
#pragma unroll
      for (int c = 0; c < IB; ++c) {
        if (c >= jb || i > j + c) continue;
#pragma unroll
        for (int k = 0; k < c; ++k) multiply_add(x[c], -x[k], panel[(j + k) * IB + c]);
        T quotient = {};
        multiply_add(quotient, x[c], inverse[c]);
        M(i, j + c) = x[c] = quotient;
      }
    }
    __syncthreads();
  }
}

/// M <- X of X L = M, where L, with ones on its diagonal, is below the diagonal of M and M is zero there. Row
/// i of X is solved for alone, from the last column to the first.
template <class T, int IB>
__device__ __forceinline__ void solve_from_right(const matrix<T>& M, T* panel) {
  const int n = M.n, tx = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int j = (n - 1) / IB * IB; j >= 0; j -= IB) {
    const int jb = min(IB, n - j), end = j + jb;
    for (int k = j + tx; k < n; k += threads) {
#pragma unroll
      for (int c = 0; c < IB; ++c) panel[k * IB + c] = c < jb && k > j + c ? M(k, j + c) : T{};
    }
    __syncthreads();
    for (int i = tx; i < n; i += threads) {
      T x[IB];
#pragma unroll
      for (int c = 0; c < IB; ++c) x[c] = c < jb && i <= j + c ? M(i, j + c) : T{};
      for (int k = n - 1; k >= end; --k) {
        const T after = -M(i, k);
#pragma unroll
        for (int c = 0; c < IB; ++c) multiply_add(x[c], after, panel[k * IB + c]);
      }
#pragma unroll
      for (int c = IB - 1; c >= 0; --c) {
#pragma unroll
        for (int k = IB - 1; k > c; --k) {
          if (k < jb) multiply_add(x[c], -x[k], panel[(j + k) * IB + c]);
        }
        if (c < jb) M(i, j + c) = x[c];
      }
    }
    __syncthreads();
  }
}

/// A^-1 from L and U, in their place: U^-1, X L = U^-1, and the exchanges of X's columns. By a block, whose
/// threads own rows.
template <class T, int IB>
__device__ __forceinline__ void invert_lu_by_threads(const matrix<T>& M, const int* ipiv) {
  T* const panel = shared_memory<T>();  // row k at panel[k * IB], and reciprocals of U's diagonal behind it
  invert_upper<T, IB>(M, panel, panel + static_cast<std::size_t>(M.n) * IB);
  solve_from_right<T, IB>(M, panel);
  for (int i = static_cast<int>(threadIdx.x); i < M.n; i += static_cast<int>(blockDim.x)) {
    for (int j = M.n - 1; j >= 0; --j) {
      const int other = ipiv[j] - 1;
      if (other == j) continue;
      const T kept = M(i, j);
      M(i, j) = M(i, other);
      M(i, other) = kept;
    }
  }
}

/// C <- A. All threads of a block call it.
template <class T>
__device__ __forceinline__ void copy_by_threads(const matrix<const T>& A, const matrix<T>& C) {
  for (int j = 0; j < A.n; j += 32) {  // 32 columns at a time: A.n * A.n may exceed an int
    const int columns = min(32, A.n - j);
    in_batches<T>(
        columns * A.n, [&](int e) { return A(e % A.n, j + e / A.n); },
        [&](int e, const T& x) { C(e % A.n, j + e / A.n) = x; });
  }
  __syncthreads();
}

constexpr int threads_of_thin_inverse = 256;

/// C <- A^-1. A holds a Cholesky factor, or L and U. C may be A. For a Cholesky factor C must be A: one
/// triangle is read, and overwritten with a triangle of the inverse.
///
/// Thread map  a block per matrix; a thread per row, or per column
/// Stored      a panel of IB columns of a factor in shared memory
/// Barriers    two per panel
/// Info        j > 0: diagonal element or pivot j is bad, C is unchanged; null: not written
/// Source      LAPACK's xPOTRI and xGETRI, by panels
/// Bound by    memory: the whole triangle is read once per panel
template <class T, int IB>
__global__ void __launch_bounds__(threads_of_thin_inverse, 1)
    invert_by_threads(std::int64_t first_block, either_systems<T> systems, int* info_array,
                      solve_plan<T> plan) {
  systems.for_each_whole(first_block, [&](std::int64_t b, const matrix<const T>& A, const matrix<T>& C) {
    const int* const ipiv = plan.ipiv[b];
    if (!is_usable(plan.bad, A, ipiv, info_array != nullptr ? info_array + b : nullptr)) return;
    if (plan.has_cholesky_factor()) {
      invert_cholesky_by_threads<T, IB>(plan.part == written::lower ? uplo::lower : uplo::upper, C);
    } else {
      if (C.A != A.A) copy_by_threads(A, C);
      invert_lu_by_threads<T, IB>(C, ipiv);
    }
  });
}

}  // namespace talus::cuda::blas
