// Rows below the diagonal in a step of a left-looking blocked Cholesky: what the columns left of the panel
// contribute, and the solve with the panel's diagonal block, in one kernel that reads and writes them once.
#pragma once

#include "batched/cholesky/pieces/syrk_trsm.hpp"
#include "gpu/async_copy.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab.cuh"
#include "gpu/tile.cuh"
#include "gpu/triangle.cuh"
#include "gpu/trsm.cuh"

namespace talus::cuda::cholesky {

/// What a block of syrk_trsm keeps in shared memory, in elements: slabs of 16 columns on their way, of each
/// the facing tiles and its own; the diagonal block's tiles below its diagonal, and what solves with those on
/// it.
template <class T, int NB, int ROWS>
struct syrk_trsm_shape {
  static constexpr int COLUMNS = NB / square_order, WARPS = syrk_trsm_warps, THREADS = 32 * WARPS;
  static constexpr int STAGES = syrk_trsm_stages(sizeof(T), NB, ROWS), TILES = WARPS * ROWS;
  // Blocks per multiprocessor that the registers are shared out to.
  static constexpr int BLOCKS = std::is_same_v<T, real_t<T>> && sizeof(T) * ROWS * NB <= 512 ? 3 : 2;
  static constexpr int stage = (COLUMNS + TILES) * square_elements;
  static constexpr int below = STAGES * stage;
  static constexpr int factored = below + COLUMNS * (COLUMNS - 1) / 2 * square_elements;
  static constexpr int elements = factored + COLUMNS * factored_elements;
  static_assert(elements == syrk_trsm_elements(STAGES, NB, ROWS));
  // Bytes of shared memory that they take, with what CUDA adds to each.
  static constexpr std::size_t on_multiprocessor = BLOCKS * (elements * sizeof(T) + 1024);
};

/// Which rows of tiles a block works on, and on which columns of them: those of its panel, of which what the
/// first `left` slabs contribute has to be subtracted.
struct row_block {
  int first_tile, end_tile;  // of all blocks
  int number;                // of this block among them
  int panel, left;
};

/// For one block of tiles i of 16 rows, and NB columns k, k + 1, ... from those of tile `panel` on:
/// A(i, k:k+NB) <- A(i, k:k+NB) - L(i, 0:16 left) L(k:k+NB, 0:16 left)^H, and then, if it `solves`,
/// times L(k:k+NB, k:k+NB)^-H; if not, what is above the diagonal stays as it is.
///
/// Thread map  a warp per ROWS tiles, each with all NB columns
/// Stored      the sums of products in registers; in shared memory slabs of 16 columns on their way, the
///             facing tiles for all and its own for each warp, and the diagonal block
/// Needs       before(s): called before anything of slab s or a later one is asked for; before_solve(): the
///             same of the diagonal block; goes_on(): whether it makes sense to go on, asked when there is
///             nothing to wait for any more. Columns that are not there solve with the identity
/// Barriers    one per slab; none in the solve, whose warps are on their own
/// Source      Algorithm 3 of Abdelfattah et al. (ICCS 2016), without its potf2
/// Bound by    in double the first-level cache: copies and loads of factors (docs/kernels-potrf.md, 29); in
///             single the instructions around three products of parts
template <class T, int NB, int ROWS, uplo UPLO, class Stored, class Before, class BeforeSolve, class GoesOn>
__device__ __forceinline__ void update_row_block(const Stored& stored, const row_block& block, bool solves,
                                                 Before before, BeforeSolve before_solve, GoesOn goes_on) {
  using shape = syrk_trsm_shape<T, NB, ROWS>;
  constexpr int COLUMNS = shape::COLUMNS, WARPS = shape::WARPS, STAGES = shape::STAGES, AHEAD = STAGES - 1;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / 32, 0);
  // Tile r of this warp is tile top + r * WARPS, so that the last block's are shared out evenly.
  const int top = block.first_tile + block.number * shape::TILES + warp;
  const int mine = min(ROWS, ceil_div(max(0, block.end_tile - top), WARPS));
  const int panel = block.panel, left = block.left;
  T* const shared = shared_memory<T>();
  T* const factored = shared + shape::factored + 2 * lane;
  const slab_tiles<T, UPLO> tiles(lane);

  auto facing = [&](int s, int c) { return shared + s % STAGES * shape::stage + c * square_elements; };
  auto own = [&](int s, int r) { return facing(s, COLUMNS + warp * ROWS + r); };
  auto below = [&](int I, int P) { return shared + shape::below + (I * (I - 1) / 2 + P) * square_elements; };
  // What this warp copies of slab s, tile by tile: facing ones, then its own. After the columns to the left
  // come those of the panel itself.
  constexpr int FACING = ceil_div(COLUMNS, WARPS);
  auto copy_tile = [&](auto rows, int s, int i) {
    if (i < FACING) {
      const int c = i * WARPS + warp;
      if (COLUMNS % WARPS == 0 || c < COLUMNS)
        tiles.template copy_async<false>(facing(s, c), stored, panel + c, s, s < left);
    } else if (i - FACING < decltype(rows)::value) {
      tiles.template copy_async<false>(own(s, i - FACING), stored, top + (i - FACING) * WARPS,
                                       s < left ? s : panel + s - left);
    }
  };
  auto copy_slab = [&](auto rows, int s) {
#pragma unroll
    for (int i = 0; i < FACING + ROWS; ++i) copy_tile(rows, s, i);
    close_group();
  };
  auto read_diagonal_block = [&] {
    before_solve();
#pragma unroll 1
    for (int tile = warp; tile < COLUMNS * (COLUMNS - 1) / 2; tile += WARPS) {
      int I = 1, P = tile;
      while (P >= I) P -= I++;
      tiles.template copy_async<false>(below(I, P), stored, panel + I, panel + P);
    }
#pragma unroll 1
    for (int c = warp; c < COLUMNS; c += WARPS) {
      square<T> diagonal;
      stored.template fetch<true>(diagonal, panel + c, panel + c);
      if constexpr (Stored::ends_in_columns)
        fill_identity(diagonal, stored.place(panel + c, panel + c).columns, tile_lane(lane));
      put_factored(factored + c * factored_elements, diagonal, lane);
    }
    close_group();
  };

  square<T> sum[ROWS][COLUMNS] = {};
  // sum(r, c) += left(r, h) right(c)^H for the columns from `first` on, and meanwhile(step) after each of 2
  // COLUMNS steps, while the tensor units are at work.
  auto multiply = [&](int first, auto rows, auto left, auto right, auto meanwhile) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      left_factor<T> l[ROWS];
#pragma unroll
      for (int r = 0; r < decltype(rows)::value; ++r) l[r] = left(r, h);
#pragma unroll
      for (int c = first; c < COLUMNS; ++c) {
        right_factor<T> f[2];
        tiles.right(f, right(c), h);
#pragma unroll
        for (int r = 0; r < decltype(rows)::value; ++r) {
#pragma unroll
          for (int part = 0; part < 2; ++part) multiply_add(sum[r][c].half[part], l[r], f[part]);
        }
        meanwhile(h * COLUMNS + c);
      }
    }
  };

  constexpr std::integral_constant<int, ROWS> all{};
  constexpr std::integral_constant<int, (ROWS > 1 ? ROWS - 1 : 1)> some{};
#pragma unroll 1
  for (int s = 0; s < AHEAD; ++s) {
    before(s);
    copy_slab(all, s);
  }
#pragma unroll 1
  for (int s = 0;; ++s) {
    if (solves && s == max(0, left - (Stored::ends_in_columns ? 0 : AHEAD))) read_diagonal_block();
    if (s == left) break;
    before(s + AHEAD);
    wait_for_groups<AHEAD - 1>();
    __syncthreads();
    auto multiply_slab = [&](auto rows) {
      multiply(
          0, rows, [&](int r, int h) { return tiles.left(own(s, r), h); },
          [&](int c) { return facing(s, c); },
          [&](int step) {
#pragma unroll
            for (int i = 0; i < FACING + ROWS; ++i) {
              if (i * 2 * COLUMNS / (FACING + ROWS) == step) copy_tile(rows, s + AHEAD, i);
            }
          });
      close_group();
    };
    if (mine == ROWS) {
      multiply_slab(all);
    } else if (mine > 0) {
      multiply_slab(some);
    } else {
      copy_slab(std::integral_constant<int, 0>{}, s + AHEAD);
    }
  }
  wait_for_groups<0>();
  __syncthreads();
  if (!goes_on()) return;
  if (mine == 0) return;

#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) {
    if (c >= AHEAD) wait_for_groups<AHEAD - 1>();
    __syncwarp();
    square<T> x[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      x[r] = tiles.get(own(left + c, r));
      subtract(x[r], sum[r][c]);
      if (solves) {
        trsm_tile(x[r], factored + c * factored_elements);
      } else if (top + r * WARPS == panel + c) {
        make_diagonal_real(x[r], tile_lane(lane));
      }
      if (r < mine) stored.template store<Stored::ends_in_columns>(x[r], top + r * WARPS, panel + c);
    }
#pragma unroll
    for (int i = FACING; i < FACING + ROWS; ++i) {
      if (c + AHEAD < COLUMNS) copy_tile(all, left + c + AHEAD, i);
    }
    close_group();
    if (!solves) continue;
    multiply(
        c + 1, all, [&](int r, int h) { return as_left(x[r].half[h]); }, [&](int I) { return below(I, c); },
        [](int) {});
  }
}

/// The rows below the diagonal blocks of all matrices that have any at column k.
///
/// Launch      ceil(tiles / (ROWS WARPS)) * count blocks. Starts while the diagonal block is being factored
///             and needs it after the sums; lets the next kernel start at once
/// Needs       k a multiple of 16, k + NB <= n. A failed matrix (info > 0) is skipped
template <class T, int NB, int ROWS, uplo UPLO, class Source>
__global__ void __launch_bounds__(syrk_trsm_shape<T, NB, ROWS>::THREADS, syrk_trsm_shape<T, NB, ROWS>::BLOCKS)
    syrk_trsm(std::int64_t first_block, Source source, const int* info_array, int k, int first_tile,
              int end_tile, int row_blocks) {
  let_next_kernel_start();
  source.template for_each_row_block<syrk_trsm_shape<T, NB, ROWS>::TILES>(
      first_block, k, first_tile, end_tile, row_blocks,
      [&](std::int64_t b, const auto& A, int column, int number, int first, int end) {
        const stored_triangle<T> stored(UPLO, A[b], A.n, tile_lane(static_cast<int>(threadIdx.x) % 32));
        const int panel = column / square_order;
        update_row_block<T, NB, ROWS, UPLO>(
            stored, {first, end, number, panel, panel}, true, [](int) {}, [] { wait_for_previous_kernel(); },
            [&] { return info_array[b] == 0; });
      });
}

/// For rows from `first` to before `end`; none: the kernel is only made ready.
template <class T, int NB, int ROWS, uplo UPLO, class Source>
int launch_syrk_trsm(launch_options how, const Source& source, const int* info, int k, int first, int end,
                     queue q) {
  using shape = syrk_trsm_shape<T, NB, ROWS>;
  const int first_tile = first / square_order, end_tile = ceil_div(end, square_order);
  const int row_blocks = ceil_div(end_tile - first_tile, shape::TILES);
  return launch_step<syrk_trsm<T, NB, ROWS, UPLO, Source>>(how, source, row_blocks, shape::THREADS,
                                                           shape::elements * sizeof(T), q, info, k,
                                                           first_tile, end_tile, row_blocks);
}

}  // namespace talus::cuda::cholesky
