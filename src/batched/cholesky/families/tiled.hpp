// Cholesky of a few large matrices, or of their first k columns. The tiles of a matrix are tasks, and all
// blocks share the tasks. A task begins when its operands are final, so a block factors the next panel while
// other blocks still subtract previous panels from columns to the right.
#pragma once

#include <algorithm>

#include "batched/cholesky/fronts.hpp"
#include "batched/cholesky/pieces/front_tasks.hpp"
#include "batched/cholesky/pieces/syrk_potrf.hpp"
#include "batched/cholesky/pieces/syrk_trsm.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"

namespace talus::cuda::cholesky {

/// A line of a table. Every n and k.
struct tiled {
  static constexpr const char* name = "tiled";
  static constexpr bool needs_order = true;  // of mixed sizes

  int tiles = 0;  // of 16 rows, per warp

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
  }

  constexpr const char* objection(int, const element& e, const gpu_limits& limits) const {
    return syrk_trsm_objection(front_unit(e.size), tiles, e, limits);
  }

  /// Launches the kernel of a line for the fronts of a source.
  template <class Line, uplo UPLO, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then scratch);

  static search_space<tiled> space() {
    return {{{"tiles", {1, 2}, "tiles of 16 rows per warp; more spill"}},
            64,
            any_extent,
            "every n",
            [](const tiled&, int) { return true; },
            "all"};
  }
};

}  // namespace talus::cuda::cholesky
