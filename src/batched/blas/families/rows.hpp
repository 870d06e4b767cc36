// Solves for few right-hand sides: the warps of a block take turns at rows of tiles of 32 x 32, each of which
// comes to shared memory once, or of two passes over one triangle as often as it has no room to stay.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/blas/solve_plan.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::blas {

/// A line of a table. Every n whose right-hand sides fit in shared memory.
struct rows {
  static constexpr const char* name = "rows";

  int warps = 0;      // of a block
  int sides = 0;      // right-hand sides of a block
  int depth = 0;      // tiles that are on their way to a warp
  int shared_kb = 0;  // for tiles that stay between two passes over one triangle, and those on their way

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("warps", self.warps);
    visit("sides", self.sides);
    visit("depth", self.depth);
    visit("shared_kb", self.shared_kb);
  }

  static constexpr int order = 32, pitch = order + 1;  // of a tile
  static constexpr std::size_t tile_bytes(std::size_t element_size) {
    return static_cast<std::size_t>(order * pitch) * element_size;
  }
  /// Of the right-hand sides.
  constexpr std::size_t sides_bytes(int n, std::size_t element_size) const {
    return (static_cast<std::size_t>(n) + order - 1) / order * order * static_cast<std::size_t>(sides) *
           element_size;
  }
  constexpr std::size_t bytes(int n, std::size_t element_size) const {
    const std::size_t ring = static_cast<std::size_t>(warps * depth) * tile_bytes(element_size);
    const std::size_t tiles = static_cast<std::size_t>(shared_kb) * 1024;
    return (ring > tiles ? ring : tiles) + sides_bytes(n, element_size);
  }

  constexpr const char* objection(int n, int, const element& e, const gpu_limits& limits) const {
    if (warps < 1 || warps > 8) return "warps is not between 1 and 8";
    if (sides != 1 && sides != 2 && sides != 4 && sides != 8) return "sides is none of 1, 2, 4, 8";
    if (depth < 1 || depth > 8) return "depth is not between 1 and 8";
    if (bytes(n < most_n ? n : most_n, e.size) > limits.shared_bytes)
      return "tiles and right-hand sides take more shared memory than there is";
    if (n > most_n) return "n is above 8192";
    return nullptr;
  }

  /// Launches the kernel of a line for the systems of a source.
  template <class Line, auto FORM, class Systems, class Plan>
  static int launch(Systems systems, int* info, queue q, Plan plan);

  static search_space<rows> space() {
    return {{{"warps", {1, 2, 4, 8}, "of a block"},
             {"sides", {1, 4, 8}, "right-hand sides of a block"},
             {"depth", {1, 2, 3}, "tiles on their way to a warp"},
             {"shared_kb", {0, 32, 64, 110, 220}, "one to four blocks of a multiprocessor"}},
            17,
            most_n,
            "below, a warp has several matrices",
            [](const rows& k, int n) { return 32 * k.warps < n + 32; },
            "no more warps than rows of tiles"};
  }

  static constexpr int most_n = 8192;
};

}  // namespace talus::cuda::blas
