// The diagonal block in a step of a left-looking blocked Cholesky: what the columns left of it contribute,
// and its factorization.
#pragma once

#include "batched/cholesky/pieces/potrf_tile.cuh"
#include "batched/cholesky/pieces/syrk_potrf.hpp"
#include "gpu/async_copy.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/named_barriers.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab.cuh"
#include "gpu/tile.cuh"
#include "gpu/triangle.cuh"

namespace talus::cuda::cholesky {

/// What a block of syrk_potrf keeps in shared memory, in elements: slabs of 16 columns on their way, as many
/// as the block itself has and one more for each group; the factor of the tile on the diagonal, and the first
/// of its columns that failed.
template <int NB, int GROUPS>
struct syrk_potrf_shape {
  static constexpr int COLUMNS = NB / square_order, WARPS = syrk_potrf_warps(NB),
                       THREADS = 32 * WARPS * GROUPS;
  static_assert(COLUMNS % GROUPS == 0);
  static constexpr int AHEAD = COLUMNS / GROUPS > 1 || GROUPS == 1 ? COLUMNS / GROUPS : 2;  // of each group
  static constexpr int slab = COLUMNS * square_elements, SLABS = (AHEAD + 1) * GROUPS;
  static constexpr int factored = SLABS * slab, verdict = factored + factored_elements,
                       elements = verdict + 8;
};

/// A(k:k+NB, k:k+NB) <- L with L L^H = A(k:k+NB, k:k+NB) - L(k:k+NB, 0:k) L(k:k+NB, 0:k)^H, where k = 16
/// `panel`. Of n columns in all the last may be before k + NB. Returns the first column of A whose pivot is
/// not > 0, counted from 1, or 0; nothing after it is stored.
///
/// Thread map  a warp per two rows of tiles, the first and the last, the second and the last but one, ...: so
///             all have the same number of tiles up to the diagonal. GROUPS of such warps, where there are
///             few matrices: each multiplies every GROUPS-th slab, then the first goes on with all sums, and
///             alone knows what is returned
/// Stored      the tiles in registers; in shared memory what all warps multiply with, slabs of 16 columns on
///             their way, and the factor of the tile on the diagonal
/// Needs       is_there(s, waits): whether slab s and all before it can be asked for, now or after waiting;
///             goes_on(): whether it makes sense to go on, asked when there is nothing to wait for any more
/// Barriers    two per slab of each group, one per group for its sums; two per 16 columns of the
///             factorization; of the warp if there is only one
/// Source      Algorithm 1 of Abdelfattah et al. (ICCS 2016): the syrk and potf2 of one step
/// Bound by    the chain of the tiles on the diagonal, which four blocks per multiprocessor hide in part
template <class T, int NB, int GROUPS, uplo UPLO, class Stored, class IsThere, class GoesOn>
__device__ __forceinline__ int factor_diagonal_block(const Stored& stored, int n, int panel, IsThere is_there,
                                                     GoesOn goes_on) {
  using shape = syrk_potrf_shape<NB, GROUPS>;
  constexpr int COLUMNS = shape::COLUMNS, WARPS = shape::WARPS, SLABS = shape::SLABS;
  constexpr int ROWS = COLUMNS > 1 ? 2 : 1;
  constexpr bool WHOLE = sizeof(T) < 16;  // or registers do not suffice
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int of_all = shape::THREADS == 32 ? 0 : __shfl_sync(~0u, static_cast<int>(threadIdx.x) / 32, 0);
  const int warp = GROUPS == 1 ? of_all : of_all % WARPS, group = GROUPS == 1 ? 0 : of_all / WARPS;
  const int row[2] = {warp, COLUMNS - 1 - warp}, rows = ceil_div(n, square_order) - panel;  // that exist
  T* const shared = shared_memory<T>();
  T* const factored = shared + shape::factored + 2 * lane;
  int* const verdict = reinterpret_cast<int*>(shared + shape::verdict);
  const slab_tiles<T, UPLO> tiles(lane);
  // Tiles up to the diagonal that a warp's row r may have.
  constexpr auto most = [](int r) { return r == 0 ? WARPS : COLUMNS; };
  // Tile (c, s) of the slab of columns 16 s ... 16 s + 15; after those to the left come those of the block
  // itself.
  auto facing = [&](int s, int c) { return shared + s % shape::SLABS * shape::slab + c * square_elements; };
  auto copy_slabs = [&](int first) {  // one per group
    const int s = first + group;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      if (row[r] >= rows) continue;
      if (s < panel) {
        tiles.template copy_async<false>(facing(s, row[r]), stored, panel + row[r], s);
      } else if (s <= panel + row[r]) {
        tiles.template copy_async<true>(facing(s, row[r]), stored, panel + row[r], s);
      }
    }
    close_group();
  };
  auto meet = [] {  // a block may have more threads than work here
    if constexpr (shape::THREADS > 32) {
      synchronize_at<product_barrier, shape::THREADS>();
    } else {
      __syncwarp();
    }
  };
  auto meet_group = [&meet] {  // the first, when others have gone on
    if constexpr (GROUPS == 1) {
      meet();
    } else if constexpr (WARPS == 1) {
      __syncwarp();
    } else {
      synchronize_at<first_group_barrier, 32 * WARPS>();
    }
  };

  square<T> a[ROWS][COLUMNS] = {};
  // Copies of available slabs start while the ring has a free slot. Slabs whose copies have started are
  // multiplied before the threads wait for another slab.
  int asked = 0;
  const auto ask = [&](int first, bool waits) {
    while (asked < min(first + SLABS, panel + COLUMNS) && is_there(asked + GROUPS - 1, waits)) {
      copy_slabs(asked);
      asked += GROUPS;
      waits = false;
    }
  };
#pragma unroll 1
  for (int first = 0; first < panel; first += GROUPS) {
    const int s = first + group;
    ask(first, asked <= first);
    if (asked - first > 2 * GROUPS) {
      wait_for_groups<2>();
    } else if (asked - first > GROUPS) {
      wait_for_groups<1>();
    } else {
      wait_for_groups<0>();
    }
    meet();
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      left_factor<T> left[ROWS];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) left[r] = tiles.left(facing(s, row[r]), h);
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) {
        if (c > row[ROWS - 1]) continue;
        right_factor<T> right[2];
        tiles.right(right, facing(s, c), h);
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
          if (c >= most(r) || c > row[r]) continue;
#pragma unroll
          for (int part = 0; part < 2; ++part) multiply_add(a[r][c].half[part], left[r], right[part]);
        }
      }
    }
    meet();
  }
  ask(panel, true);
  wait_for_groups<0>();  // before any return: copies must not arrive in what is the next block's memory
  if (!goes_on()) return 0;
  meet();
#pragma unroll 1
  for (int turn = GROUPS - 1; turn >= 0; --turn) {  // all but the first leave to the next what is left
    if (turn == group) {
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) {
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
          if (c >= most(r) || c > row[r]) continue;
          square<T> tile = tiles.get(facing(panel + c, row[r]));
          subtract(tile, a[r][c]);
          if (GROUPS > 1 && turn > 0) tiles.put(facing(panel + c, row[r]), tile);
          a[r][c] = tile;
        }
      }
    }
    meet();
  }
  if (group > 0) return 0;

  int info = 0;
#pragma unroll 1
  for (int P = 0; P < COLUMNS && P < rows; ++P) {  // its column of tiles is the first in a[r]
    const int rest = n - (panel + P) * square_order;
    int failed = square_order;
    if (row[0] == P || row[ROWS - 1] == P) {
      square<T> diagonal = row[0] == P ? a[0][0] : a[ROWS - 1][0];
      failed = potrf_tile<WHOLE>(diagonal, factored, 0, rest, lane);
      stored.template store<true>(diagonal, panel + P, panel + P);
      if (WARPS > 1 && lane == 0) *verdict = failed;
    }
    if constexpr (WARPS > 1) {
      meet_group();
      failed = *verdict;
    }
    if (failed < square_order && failed < rest) {
      info = (panel + P) * square_order + failed + 1;
      break;  // of what solves with the tile only a part is there
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      if (row[r] <= P || row[r] >= rows) continue;
      trsm_tile(a[r][0], factored);
      tiles.put(facing(0, row[r]), a[r][0]);
      stored.template store<false>(a[r][0], panel + row[r], panel + P);
    }
    meet_group();
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      const square<T> left = a[r][0];
#pragma unroll
      for (int c = 1; c < most(r); ++c) {
        if (P + c <= row[r] && row[r] < rows) {
          facing_square<T> right;
#pragma unroll
          for (int h = 0; h < 2; ++h) tiles.right(right.rows[h], facing(0, P + c), h);
          subtract_product_of(
              a[r][c], [&](int h) { return as_left(left.half[h]); }, right);
        }
        a[r][c - 1] = a[r][c];
      }
    }
  }
  return info;
}

/// The diagonal blocks of all matrices that have one at column k.
///
/// Launch      count blocks. Starts while the rows below the last diagonal block are computed, and works on
///             the first `done` columns; lets the next kernel start when those rows are finished
/// Needs       k a multiple of 16; at the end of the matrix NB may be more than there is
/// Info        k + j; a matrix that has failed already is skipped
template <class T, int NB, int GROUPS, uplo UPLO, class Source>
__global__ void __launch_bounds__(syrk_potrf_shape<NB, GROUPS>::THREADS)
    syrk_potrf(std::int64_t first_block, Source source, int* info_array, int k, int done) {
  source.for_each_at_column(
      first_block, k, done, [&](std::int64_t b, const auto& A, int column, int finished) {
        const stored_triangle<T> stored(UPLO, A[b], A.n, tile_lane(static_cast<int>(threadIdx.x) % 32));
        bool fails = false;
        bool waited = false;
        const auto is_there = [&](int slab, bool) {
          if (!waited && slab >= finished / square_order) {
            wait_for_previous_kernel();
            let_next_kernel_start();
            waited = true;
          }
          return true;
        };
        const auto goes_on = [&] {
          fails = column > 0 && info_array[b] != 0;
          return !fails;
        };
        const int info =
            factor_diagonal_block<T, NB, GROUPS, UPLO>(stored, A.n, column / square_order, is_there, goes_on);
        if (threadIdx.x == 0 && !fails) info_array[b] = info;
      });
}

template <class T, int NB, int GROUPS, uplo UPLO, class Source>
int launch_syrk_potrf(launch_options how, const Source& source, int each, int* info, int k, int done,
                      queue q) {
  using shape = syrk_potrf_shape<NB, GROUPS>;
  return launch_step<syrk_potrf<T, NB, GROUPS, UPLO, Source>>(how, source, each, shape::THREADS,
                                                              shape::elements * sizeof(T), q, info, k, done);
}

}  // namespace talus::cuda::cholesky
