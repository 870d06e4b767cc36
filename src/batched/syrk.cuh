// Symmetric update of part of the trailing matrix, lower tiles only, for the blocked factorization: C -= P
// P^H.
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "scalar.cuh"
#include "triangle.cuh"

namespace talus::cuda {

/// A(c0:n, c0:c1) -= A(c0:n, k0:k1) A(c0:c1, k0:k1)^H on and below the diagonal.
///
/// Thread map  16 x 16 threads per TILE x TILE tile of C, TILE/16 x TILE/16 elements each, 16 apart
/// Stored      C in registers; TILE x KB slices of the two row blocks of P in shared memory
/// Launch      row_tiles * column_tiles blocks per matrix; those above the diagonal end at once
/// Needs       k1 <= c0; k1 - k0 a multiple of KB; a failed matrix (info > 0) is skipped
/// Barriers    two per KB columns
/// Bound by    latency: slices are fetched between barriers, two blocks per multiprocessor
template <class T, int TILE, int KB>
__global__ void __launch_bounds__(256, 2)
    syrk_lower(std::int64_t first_block, uplo uplo, batch<T> A, const int* info_array, int k0, int k1, int c0,
               int c1, int row_tiles, int column_tiles) {
  constexpr int EACH = TILE / 16;
  const std::int64_t block = first_block + blockIdx.x, b = block / (row_tiles * column_tiles);
  const int t = static_cast<int>(block % (row_tiles * column_tiles)), I = t % row_tiles, J = t / row_tiles;
  if (I < J || info_array[b] != 0) return;
  __shared__ T sI[KB][TILE + 1], sJ[KB][TILE + 1];
  const triangle<T> mine(A[b], uplo);
  const int row0 = c0 + I * TILE, column0 = c0 + J * TILE;

  // Neighbouring threads take neighbouring addresses: down a column of lower storage, along a row of upper.
  const int fast = static_cast<int>(threadIdx.x % 16), slow = static_cast<int>(threadIdx.x / 16);
  const int r = uplo == uplo::lower ? fast : slow, c = uplo == uplo::lower ? slow : fast;

  // All of C is fetched before any of it is stored: a load behind a store that it might overlap would have to
  // wait.
  T rC[EACH][EACH];
#pragma unroll
  for (int u = 0; u < EACH; ++u) {
#pragma unroll
    for (int v = 0; v < EACH; ++v) {
      const int row = row0 + r + 16 * u, column = column0 + c + 16 * v;
      rC[u][v] = row < A.n && column < c1 && row >= column ? mine(row, column) : T{};
    }
  }
  for (int k = k0; k < k1; k += KB) {
    for (int e = static_cast<int>(threadIdx.x); e < KB * TILE; e += 256) {
      const int i = uplo == uplo::lower ? e % TILE : e / KB, kk = uplo == uplo::lower ? e / TILE : e % KB;
      sI[kk][i] = row0 + i < A.n ? -mine(row0 + i, k + kk) : T{};
      sJ[kk][i] = column0 + i < c1 ? conj(mine(column0 + i, k + kk)) : T{};
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < KB; ++kk) {
#pragma unroll
      for (int u = 0; u < EACH; ++u) {
#pragma unroll
        for (int v = 0; v < EACH; ++v) multiply_add(rC[u][v], sI[kk][r + 16 * u], sJ[kk][c + 16 * v]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int u = 0; u < EACH; ++u) {
#pragma unroll
    for (int v = 0; v < EACH; ++v) {
      const int row = row0 + r + 16 * u, column = column0 + c + 16 * v;
      if (row < A.n && column < c1 && row >= column) mine.store(row, column, rC[u][v]);
    }
  }
}

template <class T>
int launch_syrk_lower(uplo uplo, batch<T> A, const int* info, int k0, int k1, int c0, int c1, queue q) {
  constexpr int tile = 64, kb = 8;
  const int row_tiles = ceil_div(A.n - c0, tile), column_tiles = ceil_div(c1 - c0, tile);
  return launch<syrk_lower<T, tile, kb>>(A.count * row_tiles * column_tiles, dim3(256), 0, q, uplo, A, info,
                                         k0, k1, c0, c1, row_tiles, column_tiles);
}

}  // namespace talus::cuda
