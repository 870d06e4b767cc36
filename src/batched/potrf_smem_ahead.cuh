// potrf_smem where many warps share a matrix and few matrices a multiprocessor: with look-ahead.
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "potrf_smem.cuh"
#include "potrf_table.hpp"
#include "potrf_tile.cuh"
#include "scalar.cuh"
#include "tile.cuh"

namespace talus::cuda {

/// potrf_smem, but while one warp factors the tile on the diagonal the others update the tiles of the next
/// panel, with all but the panel that is being factored.
///
/// Thread map  as potrf_smem; the warp that has the tile on the diagonal does its part of the next panel
///             after it, while the others solve
/// Stored      the tiles of two panels in registers; else as potrf_smem
/// Launch      count blocks, potrf_smem_elements of shared memory
/// Needs       n <= THREADS / 32 * TILES * 16, THREADS > 32
/// Barriers    two per panel
/// Info        as potrf_smem
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive, with look-ahead of one panel
/// Bound by    the chain of the tile on the diagonal
template <class T, int THREADS, int TILES, uplo UPLO>
__global__ void __launch_bounds__(THREADS, 1)
    potrf_smem_ahead(std::int64_t first_block, batch<T> A, int* info_array, int first) {
  constexpr int WARPS = THREADS / 32;
  auto number = [&] { return first_block + recomputed(static_cast<int>(blockIdx.x)); };
  if (first > 0 && info_array[number()] != 0) return;
  const int n = A.n, tiles = ceil_div(n, square_order), lane = static_cast<int>(threadIdx.x) % 32;

  T* const factored = potrf_smem_factored<T>(lane);
  int* const verdict = potrf_smem_verdict<T>();
  T* const finished = potrf_smem_finished<T, THREADS>(lane);
  auto slot = [&](int I, int K) { return finished + potrf_smem_slot_of.at[tiles][I][K] * square_elements; };
  const stored_triangle<T, UPLO> stored(A[number()], n, tile_lane(lane));

  // Tile u of the warp with this role is tile P + role + u * WARPS of panel P.
  int role = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / 32, 0);
  square<T> now[TILES], next[TILES];
  auto fetch = [&](square<T>(&a)[TILES], int P, int of) {
#pragma unroll
    for (int u = 0; u < TILES; ++u) {
      const int I = P + of + u * WARPS;
      if (I >= tiles) continue;
      if (u == 0 && of == 0) {
        stored.template fetch<true>(a[u], I, P);
      } else {
        stored.template fetch<false>(a[u], I, P);
      }
    }
  };
  // The tiles of panel P, with what panel K gives.
  auto update = [&](square<T>(&a)[TILES], int P, int of, int K) {
    const facing_square<T> facing(slot(P, K));
#pragma unroll
    for (int u = 0; u < TILES; ++u) {
      const int I = P + of + u * WARPS;
      if (I < tiles) subtract_product(a[u], slot(I, K), facing);
    }
  };

  fetch(now, 0, role);
  int info = 0;
  for (int P = 0; P < tiles; ++P) {
    const int next_role = role == 0 ? WARPS - 1 : role - 1;
    auto update_next = [&] {
#pragma unroll 1
      for (int K = 0; K < P; ++K) update(next, P + 1, next_role, K);
    };
    const bool more = P + 1 < tiles;
    if (more) fetch(next, P + 1, next_role);
    if (P > 0) update(now, P, role, P - 1);
    if (role == 0) {
      const int failed = potrf(now[0], factored, n - P * square_order, lane);
      stored.template store<true>(now[0], P, P);
      if (lane == 0) *verdict = failed;
    } else if (more) {
      update_next();
    }
    __syncthreads();
    const int failed = *verdict;
    if (failed < square_order && P * square_order + failed < n) info = first + P * square_order + failed + 1;
#pragma unroll
    for (int u = 0; u < TILES; ++u) {
      const int I = P + role + u * WARPS;
      if (I >= tiles || (u == 0 && role == 0)) continue;
      trsm(now[u], factored);
      put(slot(I, P), now[u]);
      stored.template store<false>(now[u], I, P);
    }
    if (role == 0 && more) update_next();  // reads none of the places that are written meanwhile
    __syncthreads();
    if (info != 0) break;
    role = next_role;
#pragma unroll
    for (int u = 0; u < TILES; ++u) now[u] = next[u];
  }
  if (threadIdx.x == 0) info_array[number()] = info;
}

template <class T, int THREADS, int TILES>
int launch_potrf_smem_ahead(uplo uplo, batch<T> A, int* info, int first, queue q) {
  const std::size_t bytes = static_cast<std::size_t>(potrf_smem_elements(A.n, THREADS)) * sizeof(T);
  return uplo == uplo::lower ? launch<potrf_smem_ahead<T, THREADS, TILES, uplo::lower>>(
                                   A.count, dim3(THREADS), bytes, q, A, info, first)
                             : launch<potrf_smem_ahead<T, THREADS, TILES, uplo::upper>>(
                                   A.count, dim3(THREADS), bytes, q, A, info, first);
}

}  // namespace talus::cuda
