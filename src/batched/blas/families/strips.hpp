// Solves for many right-hand sides: strips of them go left-looking through the unknowns on the tensor units,
// while the triangle streams by in slabs of 16 columns.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/blas/solve_plan.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::blas {

/// A line of a table. Every n, every number of right-hand sides.
struct strips {
  static constexpr const char* name = "strips";
  static constexpr bool takes_either = true;

  int tiles = 0;   // of 16 unknowns that a warp holds at a time
  int warps = 0;   // of a block: 16 right-hand sides each
  int blocks = 0;  // of a multiprocessor, for which registers are to do; 0: as many as there are

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
    visit("warps", self.warps);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int, int, const element& e, const gpu_limits&) const {
    if (tiles != 1 && tiles != 2 && tiles != 4) return "tiles is none of 1, 2, 4";
    if (warps < 1 || warps > 8) return "warps is not between 1 and 8";
    if (blocks < 0 || blocks > 32) return "blocks is not between 0 and 32";
    if (e.registers() * 8 * tiles > 64) return "a warp's tiles need more registers than there are";
    return nullptr;
  }

  /// Launches the kernel of a line for the systems of a source.
  template <class Line, auto FORM, class Systems, class Plan>
  static int launch(Systems systems, int* info, queue q, Plan plan);

  static search_space<strips> space() {
    return {{{"tiles", {1, 2, 4}, "as many as registers hold"},
             {"warps", {1, 2, 4, 8}, "of a block"},
             {"blocks", {0, 2, 3, 4}, "of a multiprocessor"}},
            1,
            any_extent,
            "every n",
            [](const strips& k, int n) { return 16 * k.tiles < 2 * n + 16; },
            "no more unknowns at a time than there are"};
  }
};

}  // namespace talus::cuda::blas
