// Cholesky with the matrix on the chip: read once, factored in one launch, written once. What later columns
// need lies in shared memory, as tiles that the tensor units multiply.
#pragma once

#include "batch.hpp"
#include "lane_rows.cuh"
#include "launch.cuh"
#include "potf2_lane.cuh"
#include "potrf_table.hpp"
#include "scalar.cuh"
#include "tile.cuh"

namespace talus::cuda {

/// potrf_smem_slot for every number of tiles, ready to be looked up.
struct potrf_smem_slots {
  unsigned char at[potrf_smem_tiles + 1][potrf_smem_tiles][potrf_smem_tiles];
};
constexpr potrf_smem_slots all_potrf_smem_slots() {
  potrf_smem_slots slots{};
  for (int tiles = 1; tiles <= potrf_smem_tiles; ++tiles) {
    for (int I = 0; I < tiles; ++I) {
      for (int P = 0; P < I; ++P)
        slots.at[tiles][I][P] = static_cast<unsigned char>(potrf_smem_slot(I, P, tiles));
    }
  }
  return slots;
}
static __constant__ potrf_smem_slots potrf_smem_slot_of = all_potrf_smem_slots();

__device__ inline void prefetch_line(const void* line) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
}

/// Left-looking Cholesky in panels of 16 columns, each of two halves of 8, all in one launch.
///
/// Thread map  (THREADS, tbc): thread i owns rows i, i + THREADS, ... of its matrix, ROWS of them, when it
///             solves and when it reads and writes memory; its warp multiplies the tiles of the same rows
/// Stored      the rows of the panel in registers; finished tiles that later panels need in shared memory, a
///             quarter of the square; the 8 x 8 diagonal block in the registers of every thread
/// Launch      ceil(count / tbc) blocks, potrf_smem_elements of shared memory per matrix
/// Needs       n <= THREADS * ROWS; tbc = 1 if THREADS > 32
/// Barriers    four per panel; a matrix within one warp uses the warp's
/// Info        first + j; with first > 0 the matrix is the diagonal block of a larger one that starts at
///             column `first`, and is skipped if info says that an earlier block failed
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive, with tbc
/// Bound by    issue slots and latency: factoring the diagonal blocks in every lane and solving are three
///             fifths of all instructions, and three warps per scheduler hide only part of their chains
template <class T, int THREADS, int ROWS, uplo UPLO>
__global__ void __launch_bounds__(THREADS > 32 ? THREADS : 64,
                                  32 * potrf_smem_warps(sizeof(T), ROWS, !std::is_same_v<T, real_t<T>>) /
                                      (THREADS > 32 ? THREADS : 64))
    potrf_smem(std::int64_t first_block, batch<T> A, int* info_array, int first) {
  constexpr int WARPS = THREADS / 32, HALF = tile_columns, PANEL = 2 * HALF;
  auto number = [&] {
    return (first_block + recomputed(static_cast<int>(blockIdx.x))) * blockDim.y + threadIdx.y;
  };
  const std::int64_t b = number();
  if (b >= A.count) return;
  if (first > 0 && info_array[b] != 0) return;
  const int n = A.n, tiles = ceil_div(n, tile_rows);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32, g = lane / 4,
            t = lane % 4;

  // In shared memory: a tile of the diagonal, two tiles per warp to pass through, the factor; and this
  // lane's corner of the tensor units' factors in them.
  T* const diagonal = shared_memory<T>() + threadIdx.y * potrf_smem_elements(n, THREADS);
  T* const scratch = diagonal + tile_elements * (1 + 2 * warp);
  T* const factors = diagonal + tile_elements * (1 + 2 * WARPS);
  const int my_corner = tile_at<T>(tile_row<T>(g), 2 * t), next = tile_next<T>(g);
  const T* const diagonal_corner = kept(diagonal + my_corner);
  const T* const factors_corner = kept(factors + my_corner);
  auto slot = [&](int I, int P) { return potrf_smem_slot_of.at[tiles][I][P] * 2 * tile_elements; };
  auto sync = [] {
    if constexpr (WARPS == 1) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  };
  auto row_of = [&](int u) { return thread + u * THREADS; };
  auto first_row_of = [&](int u) { return 32 * warp + u * THREADS; };  // of this warp

  const matrix<T> stored = A[b];
  const std::ptrdiff_t lda = stored.lda;
  const lane_rows<T, UPLO> rows(stored, n, scratch, lane);

  // 16 rows of products, from those of 16 facing rows
  auto multiply = [&](product<T>(&sum)[4], int pair, const T* corner, const factor<T, 4>& facing) {
    multiply_add(sum[2 * pair], load_right(corner, next), facing);
    multiply_add(sum[2 * pair + 1], load_right(corner + 8 * tile_columns, next), facing);
  };

  int info = 0;
  for (int P = 0; P < tiles; ++P) {
    const int j = P * PANEL;
    auto active = [&](int u) { return first_row_of(u) + 32 > j && first_row_of(u) < n; };
    if (P + 1 < tiles) {  // the next panel's lines of 16 elements, into the L2
      const int e = recomputed(thread), k = min(j + PANEL + e % PANEL, n - 1);
      for (int i = j + PANEL + e / PANEL * tile_rows; i < n; i += WARPS * 2 * tile_rows)
        prefetch_line(stored.A + (UPLO == uplo::lower ? i + k * lda : i * lda + k));
    }

    // A(j:n, j:j+16) - L(j:n, 0:j) L(j:j+16, 0:j)^H
    T x[ROWS][HALF], later[ROWS][HALF];
    {
      product<T> sum[ROWS][4];
      for (int K = 0; K < P; ++K) {
        const T* const facing_corner = factors_corner + slot(P, K);
        const factor<T, 4> facing[2] = {load_left(facing_corner, next),
                                        load_left(facing_corner + tile_elements, next)};
#pragma unroll
        for (int u = 0; u < ROWS; ++u) {
#pragma unroll
          for (int pair = 0; pair < 2; ++pair) {
            const int I = first_row_of(u) / tile_rows + pair;
            if (I < P || I >= tiles) continue;
            const T* const corner = factors_corner + slot(I, K);
            multiply(sum[u], pair, corner, facing[0]);
            multiply(sum[u], pair, corner + tile_elements, facing[1]);
          }
        }
      }
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        if (!active(u)) {
#pragma unroll
          for (int c = 0; c < HALF; ++c) x[u][c] = later[u][c] = T{};
          continue;
        }
        rows.fetch(x[u], first_row_of(u), j);
        rows.fetch(later[u], first_row_of(u), j + HALF);
        rows.arrange(x[u]);
        rows.arrange(later[u]);
        if (P == 0) continue;
        rows.subtract(x[u], sum[u], 0);
        rows.subtract(later[u], sum[u], 1);
      }
    }

#pragma unroll 1
    for (int h = 0; h < 2; ++h) {
      const int jh = j + h * HALF;
      if (jh >= n) break;
      if (h == 1) {  // A(j+8:n, j+8:j+16) -= L(j+8:n, j:j+8) L(j+8:j+16, j:j+8)^H
        // Its rows 8 ... 15, twice: the block above them is being replaced by the next.
        const factor<T, 4> facing = load_left(diagonal_corner + HALF * tile_columns, next, 0);
#pragma unroll
        for (int u = 0; u < ROWS; ++u) {
          if (!active(u)) continue;
          product<T> sum[4];
#pragma unroll
          for (int pair = 0; pair < 2; ++pair) {
            const int I = first_row_of(u) / tile_rows + pair;
            if (I < P || I >= tiles) continue;
            multiply(sum, pair, I == P ? diagonal_corner : factors_corner + slot(I, P), facing);
          }
#pragma unroll
          for (int c = 0; c < HALF; ++c) x[u][c] = later[u][c];
          rows.subtract(x[u], sum, 1);
        }
      }
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        if (row_of(u) >= jh && row_of(u) < jh + HALF)
          store_row(diagonal, recomputed(tile_row<T>(lane % HALF)), x[u]);
      }
      sync();

      // In the last panels the first rows of all lanes are done.
      const int failed = ROWS == 1 || active(0) ? potf2_lane<0>(diagonal, x, thread - jh, THREADS)
                                                : potf2_lane<(ROWS > 1)>(diagonal, x, thread - jh, THREADS);
      if (failed < HALF && jh + failed < n) info = first + jh + failed + 1;
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        if (!active(u)) continue;
        const int i = row_of(u), I = i / tile_rows, row = recomputed(tile_row<T>(lane % tile_rows));
        if (I > P && I < tiles) store_row(factors + slot(I, P) + h * tile_elements, row, x[u]);
        if (h == 0 && I == P && i % tile_rows >= HALF) store_row(diagonal, row, x[u]);
        rows.store(x[u], first_row_of(u), jh);
      }
      sync();
      if (info != 0) break;
    }
    if (info != 0) break;
  }
  if (thread == 0) info_array[number()] = info;
}

template <class T, int THREADS, int ROWS>
int launch_potrf_smem(int tbc, uplo uplo, batch<T> A, int* info, int first, queue q) {
  const std::size_t bytes = static_cast<std::size_t>(tbc * potrf_smem_elements(A.n, THREADS)) * sizeof(T);
  const std::int64_t blocks = ceil_div<std::int64_t>(A.count, tbc);
  const dim3 threads(THREADS, static_cast<unsigned>(tbc));
  return uplo == uplo::lower
             ? launch<potrf_smem<T, THREADS, ROWS, uplo::lower>>(blocks, threads, bytes, q, A, info, first)
             : launch<potrf_smem<T, THREADS, ROWS, uplo::upper>>(blocks, threads, bytes, q, A, info, first);
}

}  // namespace talus::cuda
