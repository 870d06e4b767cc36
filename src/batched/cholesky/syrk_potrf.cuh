// The diagonal block in a step of a left-looking blocked Cholesky: what the columns left of it contribute,
// and its factorization.
#pragma once

#include "batch.hpp"
#include "talus/types.hpp"
#ifdef __CUDACC__
#include "batched/cholesky/potrf_tile.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab.cuh"
#include "gpu/tile.cuh"
#include "gpu/triangle.cuh"
#endif

namespace talus::cuda::cholesky {

/// Warps that factor a diagonal block: one for two rows of tiles.
constexpr int syrk_potrf_warps(int diagonal) { return (diagonal / 16 + 1) / 2; }

#ifdef __CUDACC__

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

/// Of matrix b: A(k:k+NB, k:k+NB) <- L with L L^H = A(k:k+NB, k:k+NB) - L(k:k+NB, 0:k) L(k:k+NB, 0:k)^H.
///
/// Thread map  a warp per two rows of tiles, the first and the last, the second and the last but one, ...: so
///             all have the same number of tiles up to the diagonal. GROUPS of such warps, where there are
///             few matrices: each multiplies every GROUPS-th slab, then the first goes on with all sums
/// Stored      the tiles in registers; in shared memory what all warps multiply with, slabs of 16 columns on
///             their way, and the factor of the tile on the diagonal
/// Launch      count blocks. Starts while the rows below the last diagonal block are computed, and works on
///             the first `done` columns; lets the next kernel start when those rows are finished
/// Needs       k a multiple of 16; at the end of the matrix NB may be more than there is
/// Barriers    one per slab of each group, one per group for its sums; two per 16 columns of the
///             factorization; of the warp if there is only one
/// Info        k + j; a matrix that has failed already is skipped
/// Source      Algorithm 1 of Abdelfattah et al. (ICCS 2016): the syrk and potf2 of one step
/// Bound by    the chain of the tiles on the diagonal, which four blocks per multiprocessor hide in part
template <class T, int NB, int GROUPS, uplo UPLO, class Batch>
__device__ __forceinline__ void factor_diagonal_block(std::int64_t b, Batch A, int* info_array, int k,
                                                      int done) {
  using shape = syrk_potrf_shape<NB, GROUPS>;
  constexpr int COLUMNS = shape::COLUMNS, WARPS = shape::WARPS, AHEAD = shape::AHEAD;
  constexpr int ROWS = COLUMNS > 1 ? 2 : 1;
  constexpr bool WHOLE = sizeof(T) < 16;  // or registers do not suffice
  const int n = A.n, lane = static_cast<int>(threadIdx.x) % 32, panel = k / square_order;
  const int of_all = shape::THREADS == 32 ? 0 : __shfl_sync(~0u, static_cast<int>(threadIdx.x) / 32, 0);
  const int warp = GROUPS == 1 ? of_all : of_all % WARPS, group = GROUPS == 1 ? 0 : of_all / WARPS;
  const int row[2] = {warp, COLUMNS - 1 - warp}, rows = ceil_div(n, square_order) - panel;  // that exist
  T* const shared = shared_memory<T>();
  T* const factored = shared + shape::factored + 2 * lane;
  int* const verdict = reinterpret_cast<int*>(shared + shape::verdict);
  const stored_triangle<T, UPLO> stored(A[b], n, tile_lane(lane));
  const slab_tiles<T, UPLO> tiles(lane);
  // Tiles up to the diagonal that a warp's row r may have.
  constexpr auto most = [](int r) { return r == 0 ? WARPS : COLUMNS; };
  // Tile (c, s) of the slab of columns 16 s ... 16 s + 15; after those to the left come those of the block
  // itself.
  auto facing = [&](int s, int c) { return shared + s % shape::SLABS * shape::slab + c * square_elements; };
  auto copy_slabs = [&](int first) {  // one per group
    if (first == done / square_order) {
      wait_for_previous_kernel();
      let_next_kernel_start();
    }
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
  auto meet = [] {
    if constexpr (shape::THREADS > 32) {
      __syncthreads();
    } else {
      __syncwarp();
    }
  };
  auto meet_group = [&meet] {  // the first, when others have gone on to another matrix, or ended
    if constexpr (GROUPS == 1 || std::is_same_v<Batch, batch<T>>) {
      meet();
    } else if constexpr (WARPS == 1) {
      __syncwarp();
    } else {
      asm volatile("bar.sync 1, %0;" ::"n"(32 * WARPS) : "memory");
    }
  };

  square<T> a[ROWS][COLUMNS] = {};
#pragma unroll 1
  for (int turn = 0; turn < AHEAD; ++turn) copy_slabs(turn * GROUPS);
#pragma unroll 1
  for (int first = 0; first < panel; first += GROUPS) {
    const int s = first + group;
    wait_for_groups<AHEAD - 1>();
    meet();
    copy_slabs(first + AHEAD * GROUPS);
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
  }
  wait_for_groups<0>();  // before any return: copies must not arrive in what is the next block's memory
  if (k > 0 && info_array[b] != 0) return;
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
  if (group > 0) return;

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
      info = k + P * square_order + failed + 1;
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
  if (threadIdx.x == 0) info_array[b] = info;
}

template <class T, int NB, int GROUPS, uplo UPLO, class Source>
__global__ void __launch_bounds__(syrk_potrf_shape<NB, GROUPS>::THREADS)
    syrk_potrf(std::int64_t first_block, Source source, int* info_array, int k, int done) {
  source.for_each_at_column(first_block, k, done,
                            [&](std::int64_t b, const auto& A, int column, int finished) {
                              factor_diagonal_block<T, NB, GROUPS, UPLO>(b, A, info_array, column, finished);
                            });
}

template <class T, int NB, int GROUPS, uplo UPLO, class Source>
int launch_syrk_potrf(launch_options how, const Source& source, int each, int* info, int k, int done,
                      queue q) {
  using shape = syrk_potrf_shape<NB, GROUPS>;
  return launch_step<syrk_potrf<T, NB, GROUPS, UPLO, Source>>(how, source, each, shape::THREADS,
                                                              shape::elements * sizeof(T), q, info, k, done);
}

#endif

}  // namespace talus::cuda::cholesky
