// Inverse from the factors of an LU factorization: U <- U^-1 from left to right, X L = U^-1 from right to
// left, then the columns of X are exchanged; one panel of IB columns in shared memory at a time.
#pragma once

#include "batch.hpp"
#include "gpu/diagonal.cuh"
#include "gpu/launch.cuh"
#include "gpu/panel.cuh"
#include "gpu/panel_solve.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

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

/// Of shared memory, what one matrix takes.
template <class T, int IB, bool RESIDENT>
TALUS_HOST_DEVICE constexpr std::size_t getri_bytes(int n) {
  return panel_bytes<T, IB>(n) + (RESIDENT ? static_cast<std::size_t>(n) * n * sizeof(T) : 0);
}

/// C <- A^-1 of one matrix, if it exists, from its factors A; C may be A itself.
///
/// Thread map  (threads, tbc): a thread owns rows, blockDim.x apart, and alone writes and multiplies them
/// Stored      M, n x n, which becomes the inverse, in shared memory if RESIDENT, else it is C; the panel,
///             n x IB, row k at panel[k * IB], and reciprocals of U's diagonal behind it; sums in registers
/// Launch      ceil(count / tbc) blocks
/// Needs       tbc = 1 unless RESIDENT
/// Barriers    two per panel in each half
/// Info        j > 0: U(j, j) is zero or NaN, C untouched; null: nobody asks
/// Source      LAPACK's xGETRI, blocked, its residual X A - I small; N. Higham, Accuracy and Stability of
///             Numerical Algorithms, 2002, chapter 14
/// Bound by    not RESIDENT: device memory, where M is read n / IB times
template <class T, int IB, bool RESIDENT>
__device__ __forceinline__ void invert_in_panels(bool exists, const matrix<const T>& A, const int* ipiv,
                                                 const matrix<T>& C, int* info) {
  const int n = A.n, tx = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  T* const panel = shared_memory<T>() + threadIdx.y * (getri_bytes<T, IB, RESIDENT>(n) / sizeof(T));
  matrix<T> M = C;
  if constexpr (RESIDENT) M = {panel + panel_bytes<T, IB>(n) / sizeof(T), n, n, n};

  const usable_factors usable =
      check_diagonal(exists, n, info, [&](int j) { return is_zero_or_nan(A(j, j)); });
  if (!usable.any) return;

  if (RESIDENT || M.A != A.A) {
    for (int i = tx; i < n; i += threads) {
      for (int j = 0; j < n; ++j) M(i, j) = usable.mine ? A(i, j) : T{};
    }
  }
  invert_upper<T, IB>(M, panel, panel + static_cast<std::size_t>(n) * IB);
  solve_from_right<T, IB>(M, panel);
  if (!usable.mine) return;
  for (int i = tx; i < n; i += threads) {
    row_exchanges{ipiv, n}.undo(&M(i, 0), M.lda);
    for (int j = 0; RESIDENT && j < n; ++j) C(i, j) = M(i, j);
  }
}

template <class T, int IB, bool RESIDENT>
__global__ void __launch_bounds__(256) getri_panel(std::int64_t first_block, batch<const T> A,
                                                   vectors<const int> ipiv, batch<T> C, int* info_array) {
  const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
  const bool exists = b < A.count;
  const std::int64_t mine = exists ? b : 0;
  invert_in_panels<T, IB, RESIDENT>(exists, A[mine], ipiv[mine], C[mine],
                                    info_array != nullptr ? info_array + mine : nullptr);
}

/// work(IB, RESIDENT) with the matrix in shared memory if it fits there, else with the widest panel that
/// does.
template <class T, class Work>
int with_getri_panel(int n, Work work) {
  std::size_t limit = 0;
  if (const int status = shared_memory_for_panels(limit)) return status;
  if (getri_bytes<T, 8, true>(n) <= limit) return work(std::integral_constant<int, 8>{}, std::true_type{});
  return with_widest_panel<T>(n, [&](auto IB) { return work(IB, std::false_type{}); });
}

/// C <- A^-1 for all matrices of a batch; C may be A itself.
template <class T>
int invert_all(batch<const T> A, vectors<const int> ipiv, batch<T> C, int* info, queue q) {
  if (A.n == 0) return clear_info(info, A.count, q);
  return with_getri_panel<T>(A.n, [&](auto IB, auto RESIDENT) {
    const std::size_t each = getri_bytes<T, IB, RESIDENT>(A.n);
    dim3 block = block_of_rows(A.n, 4, each);
    if (!RESIDENT) block.y = 1;
    return launch<getri_panel<T, IB, RESIDENT>>({}, ceil_div<std::int64_t>(A.count, block.y), block,
                                                block.y * each, q, A, ipiv, C, info);
  });
}

}  // namespace talus::cuda::lu
