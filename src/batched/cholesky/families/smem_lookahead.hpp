// Cholesky with the matrix on the chip, by several warps: one or two lead with the tiles on the diagonal, the
// others follow with those below.
#pragma once

#include "batch.hpp"
#include "batched/cholesky/families/smem.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::cholesky {

/// How many warps lead: two where a multiprocessor holds one or two matrices, and registers are not short.
TALUS_HOST_DEVICE constexpr int lookahead_leaders(int threads) { return threads < 224 ? 1 : 2; }

/// Returns the number of tiles below the diagonal that stay in shared memory, for blocks of up to `limit`
/// bytes. With this number, a multiprocessor with 228 KB holds all matrices for which it has registers. Other
/// tiles are read again from memory, usually from the L2.
TALUS_HOST_DEVICE constexpr int lookahead_held(std::size_t limit, element e, int threads, int tiles) {
  const int blocks = smem_warps(e, threads, tiles, true) * 32 / threads;
  const std::size_t part = 228 * 1024 / static_cast<std::size_t>(blocks > 1 ? blocks : 1) - 1024;
  const std::size_t bytes = limit < part ? limit : part;
  return (static_cast<int>(bytes / e.size) - smem_diagonal(0, false) - 8) / 256;
}

/// A line of a table: several warps per matrix.
struct smem_lookahead {
  static constexpr const char* name = "smem_lookahead";
  static constexpr bool takes_form = true;  // lower or upper: an argument of the kernel

  int threads = 0;  // per matrix
  int tiles = 0;    // of 16 rows below the diagonal, per warp that follows

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("threads", self.threads);
    visit("tiles", self.tiles);
  }

  /// Returns the parameters of the compiled kernel. Its register limit also depends on `threads`.
  constexpr smem_lookahead of_kernel() const { return {lookahead_leaders(threads), tiles}; }

  /// Tiles that a matrix may have: leaders have the one on the diagonal, the others share those below.
  constexpr int most_tiles() const {
    const int most = 1 + (threads / 32 - lookahead_leaders(threads)) * tiles;
    return most < smem_most_tiles ? most : smem_most_tiles;
  }

  constexpr const char* objection(int n_max, const element& e, const gpu_limits& limits) const {
    if (threads < 64 || threads > 1024 || threads % 32 != 0) return "threads is no multiple of 32 from 64 on";
    if (tiles < 1 || tiles > smem_most_tiles_of_warp(e))
      return "a warp's tiles need more registers than there are";
    if (threads > 32 * smem_warps(e, threads, tiles))
      return "a block has more threads than there are registers for";
    if (16 * most_tiles() < n_max) return "the warps have fewer tiles of 16 rows than n_max takes";
    if (static_cast<std::size_t>(smem_elements(n_max, threads, 0)) * e.size > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, uplo UPLO, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<smem_lookahead> space() {
    return {{{"threads",
              {64, 96, 128, 160, 192, 224, 256, 288, 320, 384, 448, 512, 544},
              "warps share a matrix only where one has too few registers"},
             {"tiles", {1, 2, 3, 4}, "tiles of 16 rows that a warp holds"}},
            33,
            384,
            "smaller ones are one warp's; of larger ones shared memory holds too few tiles",
            [](const smem_lookahead& k, int n) {
              const int tiles = (n + 15) / 16, followers = k.threads / 32 - lookahead_leaders(k.threads);
              return followers < tiles && k.tiles == (tiles - 2 + followers) / followers;
            },
            "as many tiles per warp as n takes, no idle warps",
            "tiles"};
  }
};

}  // namespace talus::cuda::cholesky
