// Solves for many right-hand sides of small systems: some lanes of a warp have a matrix in shared memory,
// each a right-hand side of it in registers.
#pragma once

#include "batch.hpp"
#include "batched/blas/solve_plan.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::blas {

/// A line of a table. n <= order.
struct columns {
  static constexpr const char* name = "columns";

  int order = 0;  // of a matrix
  int tbc = 0;    // matrices of a block

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("order", self.order);
    visit("tbc", self.tbc);
  }

  /// Lanes that have a matrix, and right-hand sides at a time.
  static constexpr int lanes_of(int order) { return order <= 4 ? 4 : order <= 8 ? 8 : order <= 16 ? 16 : 32; }

  /// Bytes of shared memory of a matrix: itself, its right-hand sides, reciprocals of its diagonal, and where
  /// each row is. Matrices begin in different banks.
  TALUS_HOST_DEVICE static constexpr std::size_t bytes(int order, int lanes, std::size_t element_size) {
    return static_cast<std::size_t>(order * (order + 2) + (order + 1) * lanes) * element_size +
           static_cast<std::size_t>(order) * sizeof(int) + 16;
  }

  constexpr const char* objection(int n, int, const element& e, const gpu_limits& limits) const {
    if (order < 4 || order > 32 || order % 4 != 0) return "order is no multiple of 4 from 4 to 32";
    if (n > order) return "n is above order";
    const int lanes = lanes_of(order);
    if (tbc < 1 || tbc * lanes % 32 != 0 || tbc * lanes > 256)
      return "tbc matrices are no whole warps, up to 256 threads";
    if (e.registers() * order > 128) return "a right-hand side needs more registers than there are";
    if (static_cast<std::size_t>(tbc) * bytes(order, lanes, e.size) > limits.shared_bytes)
      return "matrices of a block take more shared memory than there is";
    return nullptr;
  }

  /// Launches the kernel of a line for the systems of a source.
  template <class Line, auto FORM, class Systems, class Plan>
  static int launch(Systems systems, int* info, queue q, Plan plan);

  static search_space<columns> space() {
    return {{{"order", {4, 8, 12, 16, 24, 32}, "registers hold a right-hand side"},
             {"tbc", {1, 2, 4, 8, 16, 32}, "matrices of a block"}},
            1,
            32,
            "registers hold no more unknowns",
            [](const columns& k, int n) { return k.order < 2 * n || k.order == 4; },
            "no more unknowns than there are"};
  }
};

}  // namespace talus::cuda::blas
