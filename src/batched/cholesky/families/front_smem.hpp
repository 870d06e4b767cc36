// Partial Cholesky of small fronts, each by one warp: panels in registers, what later panels need in shared
// memory. Read once, written once.
#pragma once

#include "batched/cholesky/fronts.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"

namespace talus::cuda::cholesky {

/// A line of a table. Fronts of up to 16 (tiles - 1) rows: pivots begin a tile, and so do the other rows.
struct front_smem {
  static constexpr const char* name = "front_smem";
  static constexpr bool takes_either = true;
  static constexpr bool takes_form = true;  // lower or upper: an argument of the kernel

  int tiles = 0;  // of 16 rows, that the warp holds in registers

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
  }

  /// Elements of shared memory: finished tiles below the diagonal, and what solves with a tile on it.
  static constexpr int elements(int tiles) { return tiles * (tiles - 1) / 2 * 256 + 5 * 64; }

  constexpr const char* objection(int n_max, const element& e, const gpu_limits& limits) const {
    if (tiles < 2) return "a warp has two tiles at least";
    if (e.registers() * 8 * tiles > 128) return "a warp's tiles need more registers than there are";
    if (16 * (tiles - 1) < n_max) return "the warp has fewer tiles than pivots and other rows of n_max take";
    if (static_cast<std::size_t>(elements(tiles)) * e.size > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Launches the kernel of a line for the fronts of a source.
  template <class Line, uplo UPLO, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<front_smem> space() {
    return {{{"tiles", {2, 3, 4, 5, 6, 7, 8}, "tiles of 16 rows that a warp holds; more spill"}},
            1,
            112,
            "of larger fronts a warp has too few registers",
            [](const front_smem& k, int n) { return k.tiles == (n + 15) / 16 + 1; },
            "as many tiles as n takes",
            "tiles"};
  }
};

}  // namespace talus::cuda::cholesky
