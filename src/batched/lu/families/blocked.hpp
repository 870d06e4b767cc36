// LU of matrices of any size, in steps of nb columns: one launch factors the panel, one moves, solves and
// updates all other columns.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/families/smem.hpp"
#include "batched/lu/pieces/panels.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::lu {

/// A line of a table. Every m and n.
struct blocked {
  static constexpr const char* name = "blocked";

  static constexpr int most_nb = 64;

  int nb = 0;     // columns of a step, at most: as many as fit in shared memory
  int warps = 0;  // of a block
  int rows = 0;   // of a panel, per lane

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("nb", self.nb);
    visit("warps", self.warps);
    visit("rows", self.rows);
  }

  constexpr const char* objection(int, int, const element& e, const gpu_limits&) const {
    if (nb < 8 || nb > most_nb || nb % panel_columns != 0) return "nb is no multiple of 8 between 8 and 64";
    if (warps < 1 || warps > 32) return "warps is not between 1 and 32";
    if (rows < 1) return "rows is below 1";
    if (e.registers() * rows * panel_columns > 128) return "a lane's rows need more registers than there are";
    return nullptr;
  }

  /// Launches the kernels of a line for the matrices of a source.
  template <class Line, int, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<blocked> space() {
    return {{{"nb", {16, 32, 48, 64}, "as many columns as fit on the chip"},
             {"warps", {4, 8, 16}, "of a block"},
             {"rows", {1, 2, 4}, "per lane; of what they do not hold the panel is factored in memory"}},
            96,
            any_extent,
            "two launches per step; below, smem has the matrix on the chip",
            [](const blocked& k, int n) { return 32 * k.warps * k.rows < 2 * n + 512; },
            "not many more rows than n takes"};
  }
};

}  // namespace talus::cuda::lu
