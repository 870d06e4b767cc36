// Cholesky with the matrix on the chip: read once, factored in one launch, written once. What later columns
// need lies in shared memory, as tiles that the tensor units multiply.
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "potrf_table.hpp"
#include "potrf_tile.cuh"
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

/// What is in shared memory.
template <class T, int THREADS, int TILES, bool SOLVES>
struct potrf_smem_memory {
  static constexpr bool keeps = SOLVES && potrf_smem_keeps(sizeof(T), TILES);
  int tiles;
  T* solved;     // the first right-hand side
  T* diagonal;   // what trsm wants of the tile on the diagonal
  int* verdict;  // the first column of it that failed, where warps share the matrix
  T* below;      // the tiles that later panels need

  __device__ explicit potrf_smem_memory(int tiles_)
      : tiles(tiles_),
        solved(shared_memory<T>()),
        diagonal(solved + (SOLVES ? posv_at_once : 0)),
        verdict(reinterpret_cast<int*>(diagonal + potrf_smem_diagonal(tiles, keeps))),
        below(diagonal + potrf_smem_diagonal(tiles, keeps) + (THREADS > 32 ? 8 : 0)) {}

  /// Where the factor of tile (P, P) is. If all are kept, the inverses of one lie where the next one's blocks
  /// will be.
  __device__ T* factored(int P) const { return diagonal + (keeps ? P * 3 * 64 : 0); }
  /// What follows on the tiles: of other right-hand sides.
  __device__ T* rest() const { return below + tiles * (tiles - 1) / 2 * square_elements; }
  /// Where a lane finds its part of tile (I, P), I > P.
  __device__ T* tile(int I, int P, int lane) const {
    const int slot = SOLVES ? I * (I - 1) / 2 + P : potrf_smem_slot_of.at[tiles][I][P];
    return below + slot * square_elements + lane * tile_piece<T>;
  }
};

/// Left-looking Cholesky in panels of tiles of 16 x 16, all in one launch.
///
/// Thread map  THREADS per matrix, one matrix per block. A warp has every (THREADS / 32)th tile of the panel,
///             TILES at most, all its lanes work on one tile at a time. The warp that has the tile on the
///             diagonal goes ahead with it while the others update theirs
/// Stored      the tiles of the panel in registers; finished ones that later panels need in shared memory, a
///             quarter of the square; the factor of the tile on the diagonal there, too, with its inverse.
///             If the factor is solved with, all tiles below, and the right-hand sides
/// Launch      count blocks, potrf_smem_elements of shared memory
/// Needs       n <= THREADS / 32 * TILES * 16
/// Barriers    two per panel; none within a warp
/// Info        j: as LAPACK
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive
/// Bound by    up to n = 64 memory as tiles use it (a copy in this order reaches 70 % of the floor), and the
///             chain of the tile on the diagonal, which few matrices per multiprocessor hide above
template <class T, int THREADS, int TILES, uplo UPLO, class THEN>
__global__ void __launch_bounds__(THREADS, potrf_smem_warps(sizeof(T), TILES, !std::is_same_v<T, real_t<T>>,
                                                            THEN::solves&& THREADS == 32) *
                                               32 / THREADS)
    potrf_smem(std::int64_t first_block, batch<T> A, int* info_array, THEN then) {
  constexpr int WARPS = THREADS / 32;
  constexpr bool SOLVES = THEN::solves;
  auto number = [&] { return first_block + recomputed(static_cast<int>(blockIdx.x)); };
  const int n = A.n, tiles = ceil_div(n, square_order), lane = static_cast<int>(threadIdx.x) % 32;

  const potrf_smem_memory<T, THREADS, TILES, SOLVES> memory(tiles);
  auto factored = [&](int P) { return memory.factored(P) + 2 * lane; };
  auto slot = [&](int I, int K) { return memory.tile(I, K, lane); };
  const stored_triangle<T, UPLO> stored(A[number()], n, tile_lane(lane));

  // Tile u of this warp is tile P + role + u * WARPS of the panel; so the one on the diagonal is the first of
  // the warp with role 0. Shuffled, that the compiler knows it to be the same for all lanes.
  int role = WARPS == 1 ? 0 : __shfl_sync(~0u, static_cast<int>(threadIdx.x) / 32, 0);
  square<T> a[TILES];
  auto for_each_tile = [&](int P, auto work) {  // below the diagonal
#pragma unroll
    for (int u = WARPS == 1; u < TILES; ++u) {
      const int I = P + role + u * WARPS;
      if (I < tiles && !(u == 0 && role == 0)) work(u, I);
    }
  };
  if (role == 0) stored.template fetch<true>(a[0], 0, 0);
  for_each_tile(0, [&](int u, int I) { stored.template fetch<false>(a[u], I, 0); });
  if constexpr (SOLVES) {
    if (role == 0) then.template fetch<UPLO>(memory, number(), lane);
  }

  int info = 0;
  for (int P = 0; P < tiles; ++P) {
    int failed = square_order;
    if (role == 0) {
#pragma unroll 1
      for (int K = 0; K < P; ++K) {
        const T* const left = slot(P, K);
        subtract_product(a[0], left, facing_square<T>(left));
      }
      if constexpr (SOLVES) {
        then.subtract_left(memory, P, lane);
        failed = potrf<true>(a[0], factored(P), n - P * square_order, lane, memory.solved + P * square_order);
        then.keep_diagonal(memory, P, lane);
      } else {
        failed = potrf(a[0], factored(P), n - P * square_order, lane);
      }
      stored.template store<true>(a[0], P, P);
      if (WARPS > 1 && lane == 0) *memory.verdict = failed;
    }
#pragma unroll 1
    for (int K = 0; K < P; ++K) {
      const facing_square<T> facing(slot(P, K));
      for_each_tile(P, [&](int u, int I) { subtract_product(a[u], slot(I, K), facing); });
    }
    if constexpr (WARPS > 1) {
      __syncthreads();
      failed = *memory.verdict;
    }
    if (failed < square_order && P * square_order + failed < n) info = P * square_order + failed + 1;

    for_each_tile(P, [&](int u, int I) {
      trsm(a[u], factored(P));
      put(slot(I, P), a[u]);
      stored.template store<false>(a[u], I, P);
      // What this warp needs next takes the place that is free now. Role 0 will have the last role: its first
      // tile is then what its second is now.
      if (P + 1 == tiles) return;
      auto fetch_next = [&](square<T>& next) {
        if (u <= 1 && I == P + 1) {
          stored.template fetch<true>(next, I, P + 1);
        } else {
          stored.template fetch<false>(next, I, P + 1);
        }
      };
      if (u > 0 && role == 0) {
        fetch_next(a[u > 0 ? u - 1 : 0]);
      } else {
        fetch_next(a[u]);
      }
    });
    if constexpr (WARPS > 1) {
      __syncthreads();
      role = role == 0 ? WARPS - 1 : role - 1;
    }
    if (info != 0) break;
  }
  if (threadIdx.x == 0) info_array[number()] = info;
  if constexpr (SOLVES) {
    if (info == 0 && (WARPS == 1 || threadIdx.x < 32)) then.finish(memory, stored, number(), lane);
  }
}

template <class T, int THREADS, int TILES, class THEN = nothing>
int launch_potrf_smem(uplo uplo, batch<T> A, int* info, queue q, THEN then = {}) {
  const std::size_t bytes =
      static_cast<std::size_t>(potrf_smem_elements(A.n, THREADS, then.nrhs(),
                                                   THEN::solves && potrf_smem_keeps(sizeof(T), TILES))) *
      sizeof(T);
  const dim3 threads(THREADS);
  return uplo == uplo::lower ? launch<potrf_smem<T, THREADS, TILES, uplo::lower, THEN>>(
                                   A.count, threads, bytes, q, A, info, then)
                             : launch<potrf_smem<T, THREADS, TILES, uplo::upper, THEN>>(
                                   A.count, threads, bytes, q, A, info, then);
}

}  // namespace talus::cuda
