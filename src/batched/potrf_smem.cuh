// Cholesky with the whole matrix in shared memory: read once, factored on the chip, written once.
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "potf2.cuh"
#include "scalar.cuh"
#include "triangle.cuh"

namespace talus::cuda {

/// Packed lower triangle: element (i, j), i >= j, of an n-by-n matrix lies at packed_column(j, n) + i.
__host__ __device__ constexpr int packed_column(int j, int n) { return j * (2 * n - j - 1) / 2; }
__host__ __device__ constexpr int packed_size(int n) { return n * (n + 1) / 2; }

/// Left-looking Cholesky in steps of IB columns, all in one launch (loop-inclusive).
///
/// Thread map  (THREADS, TBC): thread (i, t) owns row i of matrix TBC * block + t.
/// Stored      the matrix as packed lower triangle in shared memory, the current panel's row in registers
/// Launch      ceil(count / TBC) blocks, potrf_smem_bytes of shared memory
/// Needs       n <= THREADS: every row has its thread; THREADS a power of two up to 32 or a multiple of 32
/// Barriers    one per column and one per panel; a matrix within one warp uses the warp's barrier
/// Info        first + j; with first > 0 the matrix is the diagonal block of a larger one that starts at
/// column
///             `first`, and is skipped if info says that an earlier block failed
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive, with tbc
/// Bound by    shared-memory loads: IB + 1 of them for IB multiply-adds
template <class T, int IB, int TBC, int THREADS>
__global__ void __launch_bounds__(THREADS* TBC)
    potrf_smem(std::int64_t first_block, uplo uplo, batch<T> A, int* info_array, int first) {
  const int n = A.n, i = static_cast<int>(threadIdx.x);
  const std::int64_t b = (first_block + blockIdx.x) * TBC + threadIdx.y;
  T* const L = shared_memory<T>() + threadIdx.y * (packed_size(n) + 2 * IB);  // packed
  T* const published = L + packed_size(n);                                    // 2 x IB

  const bool exists = b < A.count;
  int info = !exists ? -1 : first > 0 ? info_array[b] : 0;
  const bool alive = info == 0;
  auto sync = [] {
    if constexpr (THREADS <= 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  };

  // Consecutive threads take consecutive addresses, whichever triangle is stored. Several columns are under
  // way before the first is put in its place: loads do not pass stores that they might overlap.
  constexpr int AHEAD = 8;
  const bool lower = uplo == uplo::lower;
  auto holds = [&](int j) {
    return j < n && i < n && (lower ? i >= j : i <= j);
  };  // element i of stored column j
  auto place = [&](int j) { return lower ? packed_column(j, n) + i : packed_column(i, n) + j; };
  if (alive) {
    const matrix<T> stored = A[b];
    for (int j = 0; j < n; j += AHEAD) {
      T column[AHEAD];
#pragma unroll
      for (int c = 0; c < AHEAD; ++c) {
        if (holds(j + c)) column[c] = stored(i, j + c);
      }
#pragma unroll
      for (int c = 0; c < AHEAD; ++c) {
        if (holds(j + c)) L[place(j + c)] = lower ? column[c] : conj(column[c]);
      }
    }
  }
  sync();

  for (int j = 0; j < n; j += IB) {
    const int jb = min(IB, n - j);
    const bool below = i >= j && i < n;
    T row[IB];  // A(i, j : j+IB)
#pragma unroll
    for (int c = 0; c < IB; ++c)
      row[c] = below && c < jb && i >= j + c ? L[packed_column(j + c, n) + i] : T{};

    // A(j:n, j:j+ib) -= L(j:n, 0:j) L(j:j+ib, 0:j)^H
    if (below) {
      for (int k = 0; k < j; ++k) {
        const T* column = L + packed_column(k, n);
        const T a = -column[i];
#pragma unroll
        for (int c = 0; c < IB; ++c) multiply_add(row[c], a, conj(column[j + c]));  // beyond jb: never stored
      }
    }
    potf2(row, i - j, jb, first + j, info, published, sync);
#pragma unroll
    for (int c = 0; c < IB; ++c) {
      if (below && c < jb && i >= j + c) L[packed_column(j + c, n) + i] = row[c];
    }
    sync();
  }

  if (alive) {
    const matrix<T> stored = A[b];
    for (int j = 0; j < n; ++j) {
      if (holds(j)) stored(i, j) = lower ? L[place(j)] : conj(L[place(j)]);
    }
  }
  if (exists && i == 0 && (alive || first == 0)) info_array[b] = info;
}

template <class T, int IB, int TBC>
std::size_t potrf_smem_bytes(int n) {
  return TBC * (static_cast<std::size_t>(packed_size(n)) + 2 * IB) * sizeof(T);
}

template <class T, int IB, int TBC, int THREADS>
int launch_potrf_smem(uplo uplo, batch<T> A, int* info, int first, queue q) {
  return launch<potrf_smem<T, IB, TBC, THREADS>>(ceil_div<std::int64_t>(A.count, TBC), dim3(THREADS, TBC),
                                                 potrf_smem_bytes<T, IB, TBC>(A.n), q, uplo, A, info, first);
}

}  // namespace talus::cuda
