// The kernels of front_smem.hpp.
#pragma once

#include "batched/cholesky/families/front_smem.hpp"
#include "batched/cholesky/pieces/either_fronts.cuh"
#include "batched/cholesky/pieces/front.cuh"
#include "batched/cholesky/pieces/potrf_tile.cuh"
#include "gpu/tile.cuh"
#include "gpu/trsm.cuh"

namespace talus::cuda::cholesky {

/// Left-looking, panel by panel of tiles of 16 x 16: those of the pivots are factored, of the others only the
/// pivots' columns are subtracted.
///
/// Thread map  a warp per front, all lanes work on one tile at a time
/// Stored      the tiles of the panel, TILES at most, in registers; finished ones in shared memory; the
///             factor of the tile on the diagonal there, too, with its inverse
/// Launch      a block of a warp per front
/// Barriers    none
/// Info        j: as LAPACK
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive, with fewer columns
/// Bound by    the chain of the tile on the diagonal, which several fronts per multiprocessor hide in part
template <class T, int TILES>
__device__ __forceinline__ void factor_front_in_smem(uplo uplo, const front<T>& A, int* info) {
  constexpr bool WHOLE = sizeof(real_t<T>) == 4;  // in double few instructions matter more than few cycles
  const int lane = static_cast<int>(threadIdx.x);
  const int pivots = ceil_div(A.k, square_order), tiles = pivots + ceil_div(A.n2, square_order);
  const stored_front<T> stored(uplo, A, pivots, tile_lane(lane));
  T* const factored = shared_memory<T>() + 2 * lane;
  // Tile (I, P), I > P, of a panel of pivots.
  const auto slot = [&](int I, int P) {
    return shared_memory<T>() + factored_elements + (I * (I - 1) / 2 + P) * square_elements +
           lane * tile_piece<T>;
  };
  square<T> a[TILES];  // of panel P tile u is tile (P + u, P)
  const auto for_each = [&](int first, int P, auto work) {
#pragma unroll
    for (int u = 0; u < TILES; ++u) {
      if (u >= first && P + u < tiles) work(u, P + u);
    }
  };
  const auto fetch = [&](square<T>& to, int u, int I, int P) {
    if (u == 0) {
      stored.template fetch<true>(to, I, P);
    } else {
      stored.template fetch<false>(to, I, P);
    }
  };
  for_each(0, 0, [&](int u, int I) { fetch(a[u], u, I, 0); });
#pragma unroll 1
  for (int P = 0; P < tiles; ++P) {
#pragma unroll 1
    for (int K = 0; K < min(P, pivots); ++K) {
      const facing_square<T> facing(slot(P, K));
      for_each(0, P, [&](int u, int I) { subtract_product(a[u], slot(I, K), facing); });
    }
    const bool solves = P < pivots;
    if (solves) {
      const int rest = A.k - P * square_order;
      const int failed = potrf_tile<WHOLE>(a[0], factored, 0, rest, lane);
      stored.template store<true>(a[0], P, P);
      if (failed < square_order && failed < rest) {
        if (lane == 0) *info = P * square_order + failed + 1;
        return;
      }
    } else {
      make_diagonal_real(a[0], tile_lane(lane));
      stored.template store<true>(a[0], P, P);
    }
    for_each(1, P, [&](int u, int I) {
      if (solves) {
        trsm_tile(a[u], factored);
        put(slot(I, P), a[u]);
      }
      stored.template store<false>(a[u], I, P);
      fetch(a[u - 1], u - 1, I, P + 1);
    });
    __syncwarp();
  }
  if (lane == 0) *info = 0;
}

template <class T, int TILES>
__global__ void __launch_bounds__(32)
    potrf_front_smem(std::int64_t first_block, either_fronts<T> fronts, uplo uplo, int* info_array) {
  fronts.for_each_front(uplo, first_block, [&](std::int64_t b, const front<T>& A) {
    factor_front_in_smem<T, TILES>(uplo, A, info_array + b);
  });
}

template <class Line, uplo UPLO, class Source, class Then>
int front_smem::launch(Source fronts, int* info, queue q, Then) {
  using T = typename Source::element;
  constexpr int TILES = Line::kernel.tiles;
  return launch_subset<potrf_front_smem<T, TILES>>(fronts.s, fronts.A.equal.count, 1, dim3(32),
                                                   elements(TILES) * sizeof(T), fronts.A.is_equal() ? -1 : 0,
                                                   q, fronts, UPLO, info);
}

}  // namespace talus::cuda::cholesky
