// Rank-nb update of the trailing matrix, lower tiles only, for the blocked factorization: C -= P P^H.
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "scalar.cuh"
#include "triangle.cuh"

namespace talus::cuda {

/// A(j+nb:n, j+nb:n) -= A(j+nb:n, j:j+nb) A(j+nb:n, j:j+nb)^H on and below the diagonal.
///
/// Thread map  16 x 16 threads per TILE x TILE tile of C, TILE/16 x TILE/16 elements each, 16 apart
/// Stored      C in registers; TILE x KB slices of the two row blocks of P in shared memory
/// Launch      one block per tile on or below the diagonal of every matrix
/// Needs       j + NB < n; a failed matrix (info > 0) is skipped
/// Bound by    device memory while the trailing matrix is read and written once per nb columns
template <class T, int NB, int TILE>
__global__ void __launch_bounds__(256, 2)
    syrk_lower(std::int64_t first_block, uplo uplo, batch<T> A, const int* info_array, int j, int tiles) {
  constexpr int KB = 8, EACH = TILE / 16;
  const std::int64_t block = first_block + blockIdx.x, b = block / tiles;
  if (info_array[b] != 0) return;
  __shared__ T sI[KB][TILE + 1], sJ[KB][TILE + 1];
  const triangle<T> mine(A[b], uplo);

  // Tile t of the lower triangle, counted row by row: row I holds I + 1 of them.
  const int t = static_cast<int>(block % tiles);
  int I = static_cast<int>((sqrtf(8.0f * static_cast<float>(t) + 1) - 1) / 2);
  while (I * (I + 1) / 2 > t) --I;
  while ((I + 1) * (I + 2) / 2 <= t) ++I;
  const int J = t - I * (I + 1) / 2;
  const int row0 = j + NB + I * TILE, column0 = j + NB + J * TILE;

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
      rC[u][v] = row < A.n && row >= column ? mine(row, column) : T{};
    }
  }
  for (int k0 = 0; k0 < NB; k0 += KB) {
    for (int e = static_cast<int>(threadIdx.x); e < KB * TILE; e += 256) {
      const int i = uplo == uplo::lower ? e % TILE : e / KB, k = uplo == uplo::lower ? e / TILE : e % KB;
      sI[k][i] = row0 + i < A.n ? -mine(row0 + i, j + k0 + k) : T{};
      sJ[k][i] = column0 + i < A.n ? conj(mine(column0 + i, j + k0 + k)) : T{};
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < KB; ++k) {
#pragma unroll
      for (int u = 0; u < EACH; ++u) {
#pragma unroll
        for (int v = 0; v < EACH; ++v) multiply_add(rC[u][v], sI[k][r + 16 * u], sJ[k][c + 16 * v]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int u = 0; u < EACH; ++u) {
#pragma unroll
    for (int v = 0; v < EACH; ++v) {
      const int row = row0 + r + 16 * u, column = column0 + c + 16 * v;
      if (row < A.n && row >= column) mine.store(row, column, rC[u][v]);
    }
  }
}

template <class T, int NB>
int launch_syrk_lower(uplo uplo, batch<T> A, const int* info, int j, queue q) {
  constexpr int tile = 64;
  const int side = ceil_div(A.n - j - NB, tile), tiles = side * (side + 1) / 2;
  return launch(syrk_lower<T, NB, tile>, tiles * A.count, dim3(256), 0, q, uplo, A, info, j, tiles);
}

}  // namespace talus::cuda
