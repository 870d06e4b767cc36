// The kernels of smem.hpp.
#pragma once

#include "batched/cholesky/families/smem.hpp"
#include "batched/cholesky/pieces/potrf_tile.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"
#include "gpu/triangle.cuh"

namespace talus::cuda::cholesky {

// ---- shared memory -------------------------------------------------------------------------------

/// Ready to be looked up.
static __constant__ tile_slots<smem_most_tiles> slot_of = all_tile_slots<smem_most_tiles>(0);
static __constant__ tile_slots<smem_bordered_tiles> bordered_slot_of = all_tile_slots<smem_bordered_tiles>(8);

/// What is in shared memory. WARPS: of a matrix, one or several.
template <class T, int WARPS, int TILES, bool SOLVES, int BORDER = 0>
struct smem_memory {
  static constexpr bool keeps = SOLVES && smem_keeps(sizeof(T), TILES);
  static constexpr bool overlays = SOLVES && !keeps;
  int tiles;
  T* solved;    // the first right-hand side
  T* diagonal;  // what trsm wants of the tile on the diagonal. OVERLAYS: the last tile below it is there, too
  int* verdict;  // the first column of it that failed, where warps share the matrix
  T* below;      // the tiles that later panels need

  __device__ explicit smem_memory(int tiles_)
      : tiles(tiles_),
        solved(shared_memory<T>()),
        diagonal(solved + (SOLVES ? smem_solved(tiles) : 0)),
        verdict(reinterpret_cast<int*>(diagonal + smem_diagonal(tiles, keeps))),
        below(diagonal + (overlays ? factored_elements - square_elements
                                   : smem_diagonal(tiles, keeps) + (WARPS > 1 ? 8 : 0))) {}
  /// With room for all tiles that are read again, or for `held` of them.
  static constexpr int all(int n) { return smem_below(ceil_div(n, square_order), SOLVES, keeps); }
  static std::size_t bytes(int n, int held, int nrhs) {
    return static_cast<std::size_t>(smem_elements(n, 32 * WARPS, held, nrhs, keeps)) * sizeof(T);
  }

  /// Where the factor of tile (P, P) is. If all are kept, the inverses of one lie where the next one's blocks
  /// will be.
  __device__ T* factored(int P) const { return diagonal + (keeps ? P * 3 * 64 : 0); }
  /// The slot of tile (I, P), I > P; where a lane finds its part of that tile.
  __device__ int slot(int I, int P) const { return slot_of.at[tiles][I][P] / square_elements; }
  __device__ T* tile(int I, int P, int lane) const {
    const int number = I * (I - 1) / 2 + P;
    const int at = BORDER > 0 ? bordered_slot_of.at[tiles][I][P]
                   : !SOLVES  ? slot_of.at[tiles][I][P]
                   : overlays ? (count() - 1 - number) * square_elements
                              : number * square_elements;
    return below + at + lane * tile_piece<T>;
  }
  /// What follows on the tiles: of other right-hand sides.
  __device__ T* rest() const {
    if (overlays) return below + max(count(), 1) * square_elements;
    const int rows = recomputed(tiles);  // or this lives on in registers
    return below + rows * (rows - 1) / 2 * square_elements;
  }

 private:
  __device__ int count() const { return tiles * (tiles - 1) / 2; }
};

/// What the kernel is compiled for. BORDER: 0 or 8, or -1 where each matrix has its own.
template <int TILES_, int BORDER_>
struct smem_policy {
  static constexpr int TILES = TILES_, BORDER = BORDER_;
};

/// Left-looking Cholesky of matrix number() of A in panels of tiles of 16 x 16, all in one launch.
///
/// BORDER      rows and columns of the identity, 0 or 8, before those of the matrix: the first panel is
///             narrow then, nothing is done with its other half, and two of its tiles take the place of one
/// Thread map  a warp per matrix and block, all lanes work on one tile at a time
/// Stored      the tiles of the panel, TILES at most, in registers; finished ones that later panels need in
///             shared memory, a quarter of the square; the factor of the tile on the diagonal there, too,
///             with its inverse. If the factor is solved with, all tiles below, and the right-hand sides
/// Launch      count blocks, smem_elements of shared memory
/// Needs       n <= TILES * 16 + BORDER
/// Barriers    none
/// Info        j: as LAPACK
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive
/// Bound by    up to n = 64 the data pipe of the first-level cache, for which tiles are no lines; above the
///             chain of the tile on the diagonal, which few matrices per multiprocessor hide
template <class T, class Policy, class Number, class Batch, class Epilogue>
__device__ __forceinline__ void factor_in_smem(uplo uplo, Number number, Batch A, int* info_array,
                                               Epilogue epilogue) {
  constexpr int TILES = Policy::TILES, BORDER = Policy::BORDER;
  constexpr bool SOLVES = Epilogue::solves;
  constexpr bool TOGETHER = std::is_same_v<T, real_t<T>>;  // or registers do not suffice
  // In double few instructions matter more than few cycles; three complex tiles leave no registers (log, 63).
  constexpr bool WHOLE = sizeof(real_t<T>) == 4 && (TOGETHER || TILES > 3);
  constexpr int HALF = BORDER / tile_columns;  // of a narrow panel, where it begins
  const int n = BORDER + A.n, tiles = ceil_div(n, square_order), lane = static_cast<int>(threadIdx.x);

  const smem_memory<T, 1, TILES, SOLVES, BORDER> memory(tiles);
  auto factored = [&](int P) { return memory.factored(P) + 2 * lane; };
  auto slot = [&](int I, int K) { return memory.tile(I, K, lane); };
  const stored_triangle<T> stored(uplo, A[number()], n, tile_lane(lane), BORDER);

  [[maybe_unused]] pack<T, 2> left = {};  // what is subtracted from the right-hand side
  // Tile u is tile P + u of panel P: work(u, I) for the one on the diagonal, for those below.
  square<T> a[TILES];
  auto on_diagonal = [&](int P, auto work) { work(0, P); };
  auto below = [&](int P, auto work) {
#pragma unroll
    for (int u = 1; u < TILES; ++u) {
      if (P + u < tiles) work(u, P + u);
    }
  };
  // Of a narrow panel: tile 0 is half of a[0], as potrf wants it.
  auto half_of = [&](int u) -> tile<T>& { return a[(u + 1) / 2].half[(u + 1) % 2]; };
  auto below_narrow = [&](auto work) {
#pragma unroll
    for (int u = 1; u <= TILES; ++u) {
      if (u < tiles) work(u, recomputed(u));  // or addresses live on in registers
    }
  };
  // The same row's next tile takes the place that is free now.
  auto fetch_next = [&](square<T>& a, int u, int I, int P) {
    if (u == 0) {
      stored.template fetch<true>(a, I, P);
    } else {
      stored.template fetch<false>(a, I, P);
    }
  };
  auto update = [&](int P, auto... these) {  // with all columns to the left
#pragma unroll 1
    for (int K = 0; K < P; ++K) {
      const int first = K == 0 ? HALF : 0;
      const facing_square<T> facing(slot(P, K), first);
      auto work = [&](int u, int I) {
        if constexpr (SOLVES) {
          if (u == 0) epilogue.add_left(memory, left, P, K, lane);
        }
        subtract_product(a[u], slot(I, K), facing, first);
      };
      (these(P, work), ...);
    }
  };
  if constexpr (BORDER == 0) {
    stored.template fetch<true>(a[0], 0, 0);
    below(0, [&](int u, int I) { stored.template fetch<false>(a[u], I, 0); });
  } else {
    a[0].half[0] = {};
    stored.template fetch<true, HALF>(a[0], 0, 0);
    below_narrow([&](int u, int I) {
      square<T> wide;
      stored.template fetch<false, HALF>(wide, I, 0);
      half_of(u) = wide.half[1];
    });
  }
  if constexpr (SOLVES) epilogue.fetch(uplo, memory, number(), lane);

  int info = 0;
  for (int P = 0; P < tiles; ++P) {
    const int rest = n - P * square_order;
    left = {};
    if constexpr (TOGETHER) {
      update(P, on_diagonal, below);
    } else {
      update(P, on_diagonal);
    }
    if constexpr (!SOLVES || sizeof(T) < 16) {  // or registers do not suffice
#pragma unroll 1
      for (int I = P + 1; I < tiles; ++I) stored.prefetch(I, P + 1);
    }
    if constexpr (SOLVES) epilogue.subtract_left(memory, left, P, lane);
    if constexpr (memory.overlays) {
      if (P + 1 == tiles && P > 0) a[1] = get(slot(P, P - 1));
      __syncwarp();
    }
    const bool narrow = BORDER > 0 && P == 0;
    const int failed = potrf_tile<WHOLE, SOLVES>(a[0], factored(P), narrow ? BORDER : 0, rest, lane,
                                                 memory.solved + P * square_order);
    if constexpr (SOLVES) epilogue.keep_diagonal(memory, P, lane);
    if (failed < square_order && failed < rest) info = P * square_order + failed + 1 - BORDER;

    if (narrow) {
      stored.template store<true, true, HALF>(a[0], P, P);
      if (info != 0) break;
      square<T> next[TILES];
      below_narrow([&](int u, int I) {
        square<T> wide = {{{}, half_of(u)}};
        solve(wide.half[1], get(factored(P), part::L1), get(factored(P), part::W1));
        put(slot(I, P), wide.half[1]);
        stored.template store<false, true, HALF>(wide, I, P);
        fetch_next(next[u - 1], u - 1, I, P + 1);
      });
#pragma unroll
      for (int u = 0; u < TILES; ++u) a[u] = next[u];
      continue;
    }
    stored.template store<true>(a[0], P, P);
    if (info != 0) break;  // of what solves with the tile only a part is there
    if constexpr (!TOGETHER) update(P, below);
    below(P, [&](int u, int I) {
      trsm_tile(a[u], factored(P));
      if (memory.overlays) __syncwarp();  // the last tile goes where all lanes have just read the factor
      put(slot(I, P), a[u]);
      stored.template store<false>(a[u], I, P);
      fetch_next(a[u - 1], u - 1, I, P + 1);
    });
  }
  if (lane == 0) info_array[number()] = info;
  if constexpr (SOLVES) {
    if (info == 0) epilogue.finish(memory, stored, number(), lane, a[1]);
  }
}

/// Blocks of one warp for which the compiler limits the registers.
template <class T, class Policy>
constexpr int smem_blocks = smem_warps(element_of_type<T>, 32, Policy::TILES) < most_resident_blocks
                                ? smem_warps(element_of_type<T>, 32, Policy::TILES)
                                : most_resident_blocks;

template <class T, class Policy, class Source, class Epilogue>
__global__ void __launch_bounds__(32, (smem_blocks<T, Policy>))
    potrf_smem(std::int64_t first_block, Source source, uplo uplo, int* info_array, Epilogue epilogue) {
  source.template for_each_of_block<32>(first_block, info_array, [&](auto number, const auto& A) {
    if constexpr (Policy::BORDER >= 0) {
      factor_in_smem<T, Policy>(uplo, number, A, info_array, epilogue);
    } else if (smem_border(A.n) > 0) {
      factor_in_smem<T, smem_policy<Policy::TILES, 8>>(uplo, number, A, info_array, epilogue);
    } else {
      factor_in_smem<T, smem_policy<Policy::TILES, 0>>(uplo, number, A, info_array, epilogue);
    }
  });
}

/// Bytes of shared memory for a matrix of order n.
template <class T, int TILES, bool HAS_BORDER, class Epilogue>
std::size_t smem_bytes(int n, const Epilogue& epilogue) {
  using memory = smem_memory<T, 1, TILES, Epilogue::solves>;
  if (!HAS_BORDER || smem_border(n) == 0) return memory::bytes(n, memory::all(n), epilogue.nrhs());
  static constexpr auto slots = all_tile_slots<smem_bordered_tiles>(8);
  return memory::bytes(n, 0, 0) +
         static_cast<std::size_t>(slots.elements[ceil_div(n, square_order)]) * sizeof(T);
}

template <class Line, uplo UPLO, class Source, class Then>
int smem::launch(Source source, int* info, queue q, Then then) {
  using T = typename Source::element;
  using Epilogue = typename epilogue_of<smem, Then>::type;
  constexpr int TILES = Line::kernel.tiles;
  constexpr std::int64_t carve_out = std::int64_t{1024} * Line::kernel.carve_out_kb;
  constexpr bool HAS_BORDER =
      std::is_same_v<T, real_t<T>> && !Epilogue::solves;  // or registers do not suffice
  using plain = smem_policy<TILES, 0>;
  using bordered = smem_policy<TILES, 8>;
  using either = smem_policy<TILES, -1>;
  const Epilogue epilogue(then);
  const int n = source.n_max();
  const dim3 threads(32);
  std::size_t bytes = smem_bytes<T, TILES, HAS_BORDER>(n, epilogue);
  if constexpr (HAS_BORDER && !Source::equal) {  // each matrix has its own; a smaller one may take more
    for (int order = n - 1; order > std::max(0, n - 2 * square_order); --order)
      bytes = std::max(bytes, smem_bytes<T, TILES, HAS_BORDER>(order, epilogue));
    return launch_over<potrf_smem<T, either, Source, Epilogue>>(source, 1, threads, bytes, carve_out, q, UPLO,
                                                                info, epilogue);
  } else if constexpr (HAS_BORDER) {
    if (smem_border(n) > 0)
      return launch_over<potrf_smem<T, bordered, Source, Epilogue>>(source, 1, threads, bytes, carve_out, q,
                                                                    UPLO, info, epilogue);
  }
  return launch_over<potrf_smem<T, plain, Source, Epilogue>>(source, 1, threads, bytes, carve_out, q, UPLO,
                                                             info, epilogue);
}

}  // namespace talus::cuda::cholesky
