// Solves for few right-hand sides of small systems: some lanes of a warp have a matrix in shared memory, a
// lane per row.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/blas/solve_plan.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::blas {

/// A line of a table. n <= lanes.
struct warp {
  static constexpr const char* name = "warp";

  static constexpr int most_lanes = 32, most_threads = 128;

  int lanes = 0;  // of a matrix
  int sides = 0;  // right-hand sides at a time
  int tbc = 0;    // matrices of a block

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("lanes", self.lanes);
    visit("sides", self.sides);
    visit("tbc", self.tbc);
  }

  /// Leaves out tbc and lanes: a kernel reads them from the dimensions of its block. Only batches of one size
  /// have kernels for exactly 4 and exactly 8 lanes, with unrolled loops.
  constexpr warp of_kernel() const { return {0, sides}; }

  /// Elements of shared memory of a matrix.
  TALUS_HOST_DEVICE static constexpr int elements(int lanes) { return lanes * (lanes + 1); }

  constexpr const char* objection(int n, int, const element& e, const gpu_limits&) const {
    if (lanes != 4 && lanes != 8 && lanes != 16 && lanes != 32) return "lanes is none of 4, 8, 16, 32";
    if (n > lanes) return "n is above lanes";
    if (sides != 1 && sides != 2 && sides != 4 && sides != 8) return "sides is none of 1, 2, 4, 8";
    if (tbc < 1 || tbc * lanes % 32 != 0 || tbc * lanes > most_threads)
      return "tbc matrices are no whole warps, up to 128 threads";
    if (static_cast<std::size_t>(tbc * elements(lanes)) * e.size > 48 * 1024)
      return "matrices of a block take over 48 KB";
    return nullptr;
  }

  /// Launches the kernel of a line for the systems of a source.
  template <class Line, auto FORM, class Systems, class Plan>
  static int launch(Systems systems, int* info, queue q, Plan plan);

  static search_space<warp> space() {
    return {{{"lanes", {4, 8, 16, 32}, "a lane per row"},
             {"sides", {1, 2, 4}, "at a time"},
             {"tbc", {1, 2, 4, 8, 16, 32}, "matrices of a block"}},
            1,
            32,
            "a lane per row",
            [](const warp& k, int n) { return k.lanes < 2 * n || k.lanes == 4; },
            "no more lanes than rows take"};
  }
};

}  // namespace talus::cuda::blas
