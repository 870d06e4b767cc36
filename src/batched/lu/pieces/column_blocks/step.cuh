// A step of LU whose panels are factored, and what that does to other columns: rows are exchanged, U12 <-
// L11^-1 A12, A22 <- A22 - L21 U12. Each by a block on its own.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/lu/pieces/column_blocks/column_block.cuh"
#include "batched/lu/pieces/column_blocks/exchanges.cuh"
#include "batched/lu/pieces/column_blocks/update_tiles.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/trsm.cuh"

namespace talus::cuda::lu {

/// What blocks of 256 threads have of columns at a time: less where they may have little shared memory.
template <class T, bool FEW>
struct step_policy {
  static constexpr int THREADS = 256, WARPS = THREADS / 32;
  static constexpr bool few = FEW, wide = sizeof(T) == 16;

  // A tile that is updated. Slabs in shared memory: one is used, the others are on their way.
  static constexpr int SLABS = few ? 2 : wide ? 3 : 5;
  using update = update_shape<few ? 1 : 2, (wide ? 2 : 4) / (few ? 2 : 1), 4, 2, SLABS>;
  static_assert(update::THREADS == THREADS);
  static constexpr int ROWS = square_order * update::HIGH, COLUMNS = square_order * update::WIDE;

  // Unknowns that are solved for together, in tiles of 16, and how many of these a warp has, of 16 columns.
  static constexpr int TILES = (few ? 4 : 16) / (wide ? 2 : 1), SIDES = 2,
                       OWN = ceil_div(TILES * SIDES, WARPS);
  static constexpr int STAGES = few ? 2 : 3;
  using ring = slab_ring<T, TILES, THREADS, STAGES>;
  struct solve_memory {
    T slabs[ring::elements], factored[TILES][factored_elements], solved[2][SIDES][square_elements];
  };

  static constexpr std::size_t bytes =
      std::max({sizeof(solve_memory), sizeof(exchanges<THREADS>), sizeof(T) * update::elements});
};

// Each is out of line, so that it has the registers for itself.

/// Rows of some columns, of which the first begins at A, as pivots begin ... end - 1 of a matrix exchange
/// them: 256 pivots at a time, a thread for each.
template <class T>
__device__ __noinline__ void exchange_rows(T* A, int lda, int columns, const int* ipiv, int begin, int end) {
  constexpr int THREADS = 256, COLUMNS = 128 / static_cast<int>(sizeof(T));
  auto& rows = *shared_memory<exchanges<THREADS>>();
  const int t = static_cast<int>(threadIdx.x);
  const std::ptrdiff_t ld = lda;
#pragma unroll 1
  for (int first = begin; first < end; first += THREADS) {
    const int count = min(THREADS, end - first);
    __syncthreads();
    if (t < count) rows.pivot[t] = ipiv[first + t] - 1 - first;
    __syncthreads();
    rows.template find<THREADS>(0, count);
    const bool moves_up = t < count && rows.source[t] != t, moves_down = t < count && rows.target[t] >= 0;
    T* const to = A + first + t;
    const T* const from = A + first + (moves_up ? rows.source[t] : 0);
    const T* const above = A + first + (moves_down ? rows.origin[t] : 0);
    T* const below = A + first + (moves_down ? rows.target[t] : 0);
#pragma unroll 1
    for (int c = 0; c < columns; c += COLUMNS) {
      T up[COLUMNS], down[COLUMNS];
#pragma unroll
      for (int e = 0; e < COLUMNS; ++e) {
        if (moves_up && c + e < columns) up[e] = from[(c + e) * ld];
        if (moves_down && c + e < columns) down[e] = above[(c + e) * ld];
      }
      __syncthreads();
#pragma unroll
      for (int e = 0; e < COLUMNS; ++e) {
        if (moves_up && c + e < columns) to[(c + e) * ld] = up[e];
        if (moves_down && c + e < columns) below[(c + e) * ld] = down[e];
      }
    }
  }
  __syncthreads();
}

/// X <- L^-1 X for up to 32 columns, with L unit lower of order n, at most 16 Policy::TILES.
///
/// Thread map  a warp has 16 columns, and every fourth tile of 16 unknowns, in registers
/// Stored      slabs of 16 columns of L, and the tile of unknowns that is solved for
/// Barriers    one per tile
template <class T, class Policy>
__device__ __noinline__ void solve_unit_lower(const T* L, int lda, int n, T* X, int ldx, int columns) {
  constexpr int SIDES = Policy::SIDES, OWN = Policy::OWN, STAGES = Policy::STAGES;
  constexpr int TEAMS = Policy::WARPS / SIDES;
  auto& memory = *shared_memory<typename Policy::solve_memory>();
  const int lane = static_cast<int>(threadIdx.x % 32), warp = uniform(static_cast<int>(threadIdx.x / 32));
  const int side = warp % SIDES, team = warp / SIDES, tiles = ceil_div(n, square_order);
  const tile_lane my(lane);
  typename Policy::ring ring(memory.slabs, true, lda);
  const auto fetch = [&](int I) {  // of slab I what is below its tile on the diagonal
    const int below = square_order * (I + 1), left = square_order * I;
    if (below < n)
      ring.fetch(L + below + left * static_cast<std::ptrdiff_t>(lda), {n - below, square_order}, threadIdx.x);
    ring.advance();
    close_group();
  };
  __syncthreads();
#pragma unroll
  for (int I = 0; I < STAGES - 1; ++I) fetch(I);

  // In registers is the conjugate transpose, so that L is solved with from the right.
  square<T> x[OWN];
  const auto for_each = [&](int own, auto work) {
    const int j = side * square_order + my.row, first = (team + own * TEAMS) * square_order + my.t;
    T* const corner = X + first + j * static_cast<std::ptrdiff_t>(ldx);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int i = e % 2 * 4 + 8 * h, c = e / 2 * 8;
        work(h, e, corner + i + c * static_cast<std::ptrdiff_t>(ldx), first + i < n && j + c < columns);
      }
    }
  };
#pragma unroll
  for (int own = 0; own < OWN; ++own)
    for_each(own, [&](int h, int e, const T* at, bool exists) {
      x[own].half[h].x[e] = T{};
      if (exists) x[own].half[h].x[e] = conj(*at);
    });
  for (int I = warp; I < tiles; I += Policy::WARPS) {
    square<T> a;
    const int first = I * square_order;
    const T* const corner = L + first + first * static_cast<std::ptrdiff_t>(lda);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int i = my.row + e / 2 * 8, j = my.t + e % 2 * 4 + 8 * h;
        a.half[h].x[e] = from_real<T>(i == j ? 1 : 0);
        if (i > j && first + i < n) a.half[h].x[e] = corner[i + j * static_cast<std::ptrdiff_t>(lda)];
      }
    }
    put_factored(memory.factored[I] + 2 * lane, a, lane);
  }
  __syncthreads();
  const tile_places<T> places(ring.layout, my);
#pragma unroll 1
  for (int I = 0; I < tiles; ++I) {
    T* const solved = memory.solved[I % 2][side] + lane * tile_piece<T>;
    if (I % TEAMS == team) {
#pragma unroll
      for (int own = 0; own < OWN; ++own) {
        if (own != I / TEAMS) continue;
        trsm_tile(x[own], memory.factored[I] + 2 * lane);
        put(solved, x[own]);
      }
    }
    wait_for_groups<STAGES - 2>();
    __syncthreads();
    const T* const slab = ring.oldest();
    fetch(I + STAGES - 1);
    const square<T> left = get<T>(solved);
#pragma unroll
    for (int own = 0; own < OWN; ++own) {
      const int P = team + own * TEAMS;
      if (P > I && P < tiles) subtract_product(x[own], left, places(ring.tile(slab, P - I - 1)));
    }
  }
  wait_for_groups<0>();
#pragma unroll
  for (int own = 0; own < OWN; ++own)
    for_each(own, [&](int h, int e, T* at, bool exists) {
      if (exists) *at = conj(x[own].half[h].x[e]);
    });
  __syncthreads();
}

/// X <- L^-1 X for up to 32 columns, with L unit lower of any order.
template <class T, class Policy>
__device__ __forceinline__ void solve_columns(const T* L, int lda, int n, T* X, int ldx, int columns) {
  constexpr int AT_ONCE = square_order * Policy::TILES;
  const T one = from_real<T>(1);
  for (int first = 0; first < n; first += AT_ONCE) {
    const T* const here = L + first + first * static_cast<std::ptrdiff_t>(lda);
    const int rest = n - first - AT_ONCE;
    solve_unit_lower<T, Policy>(here, lda, min(AT_ONCE, n - first), X + first, ldx, columns);
    const update_operands<T> below = {here + AT_ONCE, X + first, X + first + AT_ONCE, lda, ldx, ldx, rest,
                                      columns,        AT_ONCE};
    update_tiles<T, typename Policy::update>(below, -one, one,
                                             {0, 0, Policy::ROWS, max(0, ceil_div(rest, Policy::ROWS))});
    __syncthreads();
  }
}

}  // namespace talus::cuda::lu
