// Triangular solve from the right, for the blocked factorization: X L^H = B.
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "scalar.cuh"
#include "triangle.cuh"

namespace talus::cuda {

/// A(j+nb:n, j:j+nb) <- A(j+nb:n, j:j+nb) L(j:j+nb, j:j+nb)^-H, where the diagonal block holds L already.
///
/// Thread map  one thread per row of X, its NB elements in registers; ROWS rows per block
/// Stored      L, packed as rows, in shared memory, its diagonal inverted
/// Launch      tiles * count blocks of ROWS threads, where tiles cover the n - j - NB rows
/// Needs       j + NB < n; a failed matrix (info > 0) is skipped
/// Bound by    shared-memory broadcasts, one per multiply-add
template <class T, int NB, int ROWS>
__global__ void __launch_bounds__(ROWS)
    trsm_right(std::int64_t first_block, uplo uplo, batch<T> A, const int* info_array, int j, int tiles) {
  using R = real_t<T>;
  const std::int64_t block = first_block + blockIdx.x, b = block / tiles;
  if (info_array[b] != 0) return;
  T* const sL = shared_memory<T>();                       // NB x NB, conj(L(c, k)) at sL[c * NB + k]
  R* const inverse = reinterpret_cast<R*>(sL + NB * NB);  // NB
  const triangle<T> mine(A[b], uplo);

  for (int e = static_cast<int>(threadIdx.x); e < NB * NB; e += ROWS) {
    const int c = e % NB, k = e / NB;
    if (c > k) sL[c * NB + k] = conj(mine(j + c, j + k));
    if (c == k) inverse[c] = 1 / real(mine(j + c, j + c));
  }
  __syncthreads();

  const int row = j + NB + static_cast<int>(block % tiles) * ROWS + static_cast<int>(threadIdx.x);
  if (row >= A.n) return;
  T x[NB];
#pragma unroll
  for (int c = 0; c < NB; ++c) x[c] = mine(row, j + c);
#pragma unroll
  for (int c = 0; c < NB; ++c) {
#pragma unroll
    for (int k = 0; k < c; ++k) multiply_add(x[c], -x[k], sL[c * NB + k]);
    x[c] = x[c] * inverse[c];
  }
#pragma unroll
  for (int c = 0; c < NB; ++c) mine.store(row, j + c, x[c]);
}

template <class T, int NB>
int launch_trsm_right(uplo uplo, batch<T> A, const int* info, int j, queue q) {
  constexpr int rows = 128;
  const int tiles = ceil_div(A.n - j - NB, rows);
  return launch<trsm_right<T, NB, rows>>(
      tiles * A.count, dim3(rows), NB * NB * sizeof(T) + NB * sizeof(real_t<T>), q, uplo, A, info, j, tiles);
}

}  // namespace talus::cuda
