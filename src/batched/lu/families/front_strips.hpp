// Completes the elimination of fronts whose pivot blocks A11 are factored: solves for strips of A21 and A12
// on the tensor units, then updates tiles of A22.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/blas/families/products.hpp"
#include "batched/blas/families/strips.hpp"
#include "batched/lu/backends.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::lu {

/// A line of a table, for fronts of any size. Other kernels factor A11.
struct front_strips {
  static constexpr const char* name = "front_strips";
  static constexpr bool factors_pivot_blocks = false;

  int tiles = 0;    // a warp holds 16 * tiles unknowns at a time
  int warps = 0;    // per block; a warp solves for 16 right-hand sides
  int rows = 0;     // a warp updates 16 * rows rows of A22 at a time,
  int columns = 0;  // and 16 * columns columns
  int blocks = 0;   // per multiprocessor, at least, that the registers suffice for; 0: the compiler decides

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
    visit("warps", self.warps);
    visit("rows", self.rows);
    visit("columns", self.columns);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int m, int n, int, const element& e, const gpu_limits& limits) const {
    if (const char* const words = blas::strips{tiles, warps, blocks}.objection(m, n, e, limits)) return words;
    if (warps > 4) return "warps is above 4";
    return products().objection(m, n, n, e, limits);
  }
  /// The line of gemm that updates a tile of A22. The warps of a block update rows below each other.
  constexpr blas::products products() const { return {rows, columns, warps, 1, blocks, 1}; }

  /// Launches the kernels of a line for the fronts of a source.
  template <class Line, int, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<front_strips> space() {
    return {{{"tiles", {1, 2, 4}, "as many as registers hold"},
             {"warps", {2, 4}, "of a block"},
             {"rows", {1, 2}, "as many as registers hold"},
             {"columns", {2, 4}, "as many as registers hold"},
             {"blocks", {0, 2, 3, 4}, "of a multiprocessor"}},
            1,
            any_extent,
            "every front",
            [](const front_strips&, int) { return true; },
            "all"};
  }
};

}  // namespace talus::cuda::lu
