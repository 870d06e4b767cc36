// Solves for right-hand sides that fit in shared memory, on the tensor units: the warps of a block take turns
// at rows of tiles of 16 x 16, each of which comes from memory straight to registers, once in a pass.
#pragma once

#include "batch.hpp"
#include "batched/blas/solve_plan.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::blas {

/// A line of a table. Every n whose right-hand sides fit in shared memory, every number of them.
struct row_tiles {
  static constexpr const char* name = "row_tiles";
  static constexpr bool takes_either = true;

  int sides = 0;   // right-hand sides of a block
  int warps = 0;   // of a block
  int depth = 0;   // tiles that are on their way to a warp
  int blocks = 0;  // of a multiprocessor, for which registers are to do; 0: as many as there are

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("sides", self.sides);
    visit("warps", self.warps);
    visit("depth", self.depth);
    visit("blocks", self.blocks);
  }

  /// Of shared memory: tiles on the diagonal, right-hand sides, and where each row is.
  constexpr std::size_t bytes(int n, std::size_t element_size) const {
    const int rows = (n + 15) / 16 * 16;
    return static_cast<std::size_t>(320 * warps + rows * sides) * element_size +
           static_cast<std::size_t>(rows) * sizeof(int) + 64;
  }

  constexpr const char* objection(int n, int, const element& e, const gpu_limits& limits) const {
    if (sides != 16 && sides != 32 && sides != 64) return "sides is none of 16, 32, 64";
    if (warps < 1 || warps > 8) return "warps is not between 1 and 8";
    if (depth < 1 || depth > 4) return "depth is not between 1 and 4";
    if (blocks < 0 || blocks > 32) return "blocks is not between 0 and 32";
    if (e.registers() * sides > 128) return "a warp's right-hand sides need more registers than there are";
    if (n > most_n || bytes(n, e.size) > limits.shared_bytes)
      return "right-hand sides take more shared memory than there is";
    return nullptr;
  }

  /// Launches the kernel of a line for the systems of a source.
  template <class Line, auto FORM, class Systems, class Plan>
  static int launch(Systems systems, int* info, queue q, Plan plan);

  static search_space<row_tiles> space() {
    return {{{"sides", {16, 32, 64}, "of a block"},
             {"warps", {2, 4, 8}, "of a block"},
             {"depth", {1, 2, 3}, "tiles on their way to a warp"},
             {"blocks", {0, 1, 2, 3, 4}, "of a multiprocessor"}},
            17,
            most_n,
            "below, a warp has several matrices",
            [](const row_tiles& k, int n) { return 16 * k.warps < n + 32; },
            "no more warps than rows of tiles"};
  }

  static constexpr int most_n = 4096;
};

}  // namespace talus::cuda::blas
