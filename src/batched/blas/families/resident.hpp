// Solves for many right-hand sides of small systems on the tensor units: the triangles come to shared memory
// once, right-hand sides stay in registers from the first triangle to the end of the last.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/blas/solve_plan.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::blas {

/// A line of a table. n <= 16 tiles.
struct resident {
  static constexpr const char* name = "resident";
  static constexpr bool takes_either = true;

  int tiles = 0;   // of 16 unknowns
  int warps = 0;   // of a block: 16 right-hand sides each
  int blocks = 0;  // of a multiprocessor, for which registers are to do; 0: as many as there are

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
    visit("warps", self.warps);
    visit("blocks", self.blocks);
  }

  /// Of shared memory, for one triangle or two.
  static constexpr std::size_t bytes(int tiles, bool two, std::size_t element_size) {
    const int all = two ? tiles * tiles : tiles * (tiles + 1) / 2;
    return static_cast<std::size_t>(256 * all + 2 * 320 * tiles) * element_size + 1024;
  }

  constexpr const char* objection(int n, int, const element& e, const gpu_limits& limits) const {
    if (tiles < 1 || tiles > 8) return "tiles is not between 1 and 8";
    if (n > 16 * tiles) return "n is above 16 tiles";
    if (warps < 1 || warps > 8) return "warps is not between 1 and 8";
    if (blocks < 0 || blocks > 32) return "blocks is not between 0 and 32";
    if (e.registers() * 8 * tiles > 128)
      return "a warp's right-hand sides need more registers than there are";
    if (bytes(tiles, true, e.size) > limits.shared_bytes)
      return "two triangles take more shared memory than there is";
    return nullptr;
  }

  /// Launches the kernel of a line for the systems of a source.
  template <class Line, auto FORM, class Systems, class Plan>
  static int launch(Systems systems, int* info, queue q, Plan plan);

  static search_space<resident> space() {
    return {{{"tiles", {1, 2, 3, 4, 6, 8}, "as n takes"},
             {"warps", {1, 2, 4, 8}, "of a block"},
             {"blocks", {0, 2, 3, 4, 8}, "of a multiprocessor"}},
            1,
            128,
            "registers hold no more unknowns",
            [](const resident& k, int n) { return 16 * k.tiles < n + 32; },
            "no more tiles than unknowns take"};
  }
};

}  // namespace talus::cuda::blas
