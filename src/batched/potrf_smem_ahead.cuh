// Cholesky with the matrix on the chip by several warps: one goes ahead with the tiles on the diagonal, the
// others follow with those below.
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "potrf_smem.cuh"
#include "potrf_table.hpp"
#include "potrf_tile.cuh"
#include "scalar.cuh"
#include "tile.cuh"

namespace talus::cuda {

/// Left-looking Cholesky in panels of tiles of 16 x 16, all in one launch.
///
/// Thread map  THREADS per matrix, one matrix per block. Warp 0 has the tile on the diagonal, of those below
///             each other warp every (THREADS / 32 - 1)th, TILES at most; all lanes work on one tile at a
///             time
/// Stored      the tiles of the panel in registers; finished ones that later panels need in shared memory, a
///             quarter of the square; the factor of the tile on the diagonal there, too, with its inverse.
///             If the factor is solved with, all tiles below, and the right-hand sides
/// Launch      count blocks, potrf_smem_elements of shared memory
/// Needs       n <= (1 + (THREADS / 32 - 1) * TILES) * 16
/// Barriers    two per panel: when the tile on the diagonal is factored and those below are updated; when
///             those are solved with it. While the others solve, warp 0 updates the next tile on the
///             diagonal, and factors it while they store, load and update theirs
/// Info        j: as LAPACK
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive, with look-ahead
/// Bound by    the chain of the tiles on the diagonal, which few matrices per multiprocessor hide
template <class T, int THREADS, int TILES, uplo UPLO, class THEN>
__global__ void __launch_bounds__(THREADS, potrf_smem_warps(sizeof(T), !std::is_same_v<T, real_t<T>>, THREADS,
                                                            TILES) *
                                               32 / THREADS)
    potrf_smem_ahead(std::int64_t first_block, batch<T> A, int* info_array, THEN then) {
  constexpr int FOLLOWING = THREADS / 32 - 1;
  constexpr bool SOLVES = THEN::solves;
  constexpr bool TURNS = std::is_same_v<T, double> && !SOLVES;  // else it costs more than it saves
  auto number = [&] { return first_block + recomputed(static_cast<int>(blockIdx.x)); };
  const int n = A.n, tiles = ceil_div(n, square_order), lane = static_cast<int>(threadIdx.x) % 32;
  // Shuffled, that the compiler knows it to be the same for all lanes.
  const int warp = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / 32, 0);
  const bool ahead = warp == 0;
  const int follower = FOLLOWING == 1 ? 1 : warp;  // of those that are not

  const potrf_smem_memory<T, THREADS, TILES, SOLVES> memory(tiles);
  auto factored = [&](int P) { return memory.factored(P) + 2 * lane; };
  auto slot = [&](int I, int K) { return memory.tile(I, K, lane); };
  const stored_triangle<T, UPLO, TURNS> stored(A[number()], n, tile_lane(lane));

  // Of the warp that goes ahead: the tile on the diagonal and, on its way, the next one. Of the others: tile
  // I = follower + u * FOLLOWING of a panel in a[u].
  square<T> a[TILES > 2 ? TILES : 2];
  [[maybe_unused]] pack<T, 2> left = {};  // what is subtracted from the right-hand side
  auto update_diagonal = [&](int P, int K) {
    if constexpr (SOLVES) then.add_left(memory, left, P, K, lane);
    subtract_product(a[0], slot(P, K), facing_square<T>(slot(P, K)));
  };
  auto below = [&](int P, auto work) {
#pragma unroll
    for (int u = 0; u < TILES; ++u) {
      const int I = follower + u * FOLLOWING;
      if (I > P && I < tiles) work(a[u], recomputed(I));  // or addresses live on in registers
    }
  };
  if (ahead) {
    stored.template fetch<true>(a[0], 0, 0);
    if (TURNS) a[0] = stored.turned(a[0]);
    if constexpr (SOLVES) then.template fetch<UPLO>(memory, number(), lane);
  } else {
    below(0, [&](square<T>& a, int I) { stored.template fetch<false>(a, I, 0); });
  }
  int info = 0;
  for (int P = 0;; ++P) {
    const bool last = P + 1 == tiles;
    const int rest = n - P * square_order;
    if (ahead) {
      if (!last) stored.template fetch<true>(a[1], P + 1, P + 1);
      if constexpr (SOLVES) then.subtract_left(memory, left, P, lane);
      left = {};
      const int failed = potrf<SOLVES>(a[0], factored(P), rest, lane, memory.solved + P * square_order);
      if constexpr (SOLVES) then.keep_diagonal(memory, P, lane);
      if (lane == 0) *memory.verdict = failed;
#pragma unroll
      for (int u = 2; u < TILES; ++u) a[u] = {};  // of the others: no registers are kept for them here
    } else {
#pragma unroll 1
      for (int I = P + follower; I < tiles; I += FOLLOWING) stored.prefetch(I, P + 1);
      if (TURNS) below(P, [&](square<T>& a, int) { a = stored.turned(a); });
#pragma unroll 1
      for (int K = 0; K < P; ++K) {
        const facing_square<T> facing(slot(P, K));
        below(P, [&](square<T>& a, int I) { subtract_product(a, slot(I, K), facing); });
      }
    }
    __syncthreads();
    const int failed = *memory.verdict;
    if (failed < square_order && failed < rest) info = P * square_order + failed + 1;
    if (ahead) {
      stored.template store<true>(a[0], P, P);
    } else {
      below(P, [&](square<T>& a, int I) {
        trsm(a, factored(P));
        put(slot(I, P), a);
        if (info != 0) stored.template store<false>(a, I, P);
      });
    }
    if (last || info != 0) break;
    if (ahead) {
      a[0] = TURNS ? stored.turned(a[1]) : a[1];
#pragma unroll 1
      for (int K = 0; K < P; ++K) update_diagonal(P + 1, K);
    }
    __syncthreads();
    if (ahead) {
      update_diagonal(P + 1, P);
    } else {
      // What is needed next is loaded where there is room now.
      below(P, [&](square<T>& a, int I) {
        stored.template store<false>(a, I, P);
        if (I > P + 1) stored.template fetch<false>(a, I, P + 1);
      });
    }
  }
  if (ahead) {
    if (lane == 0) info_array[number()] = info;
    if constexpr (SOLVES) {
      if (info == 0) then.finish(memory, stored, number(), lane, a[0]);
    }
  }
}

template <class T, int THREADS, int TILES, class THEN = nothing>
int launch_potrf_smem_ahead(uplo uplo, batch<T> A, int* info, queue q, THEN then = {}) {
  const std::size_t bytes = potrf_smem_memory<T, THREADS, TILES, THEN::solves>::bytes(A.n, then.nrhs());
  const dim3 threads(THREADS);
  return uplo == uplo::lower ? launch<potrf_smem_ahead<T, THREADS, TILES, uplo::lower, THEN>>(
                                   A.count, threads, bytes, q, A, info, then)
                             : launch<potrf_smem_ahead<T, THREADS, TILES, uplo::upper, THEN>>(
                                   A.count, threads, bytes, q, A, info, then);
}

}  // namespace talus::cuda
