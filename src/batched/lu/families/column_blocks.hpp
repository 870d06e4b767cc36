// LU of a few large matrices, or of their first k columns, by tasks in steps of 256 columns. A cluster
// factors the panels of a step; its blocks then update separate tiles of the columns to the right. So the
// next panels are factored while columns further to the right are still being updated.
#pragma once

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/fronts.hpp"
#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::lu {

/// A line of a table. Every m and n.
struct column_blocks {
  static constexpr bool takes_either = true;
  static constexpr const char* name = "column_blocks";
  static constexpr bool needs_order = true;  // of mixed sizes

  int blocks = 0;  // of a cluster
  int nb = 0;      // columns of a panel
  int ib = 0;      // columns of it that are eliminated in registers
  int step = 0;    // columns that are factored before others follow: 256; 0: all

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("blocks", self.blocks);
    visit("nb", self.nb);
    visit("ib", self.ib);
    visit("step", self.step);
  }

  /// The kernel reads the number of blocks at run time. A separate kernel for one block has smaller slabs.
  constexpr column_blocks of_kernel() const { return {blocks == 1 ? 1 : 2, nb, ib, step}; }

  constexpr const char* objection(int, int, const element& e, const gpu_limits& limits) const {
    if (blocks != 1 && blocks != 2 && blocks != 4 && blocks != 8 && blocks != 16)
      return "blocks is not 1, 2, 4, 8 or 16";
    if (nb != 16 && nb != 32) return "nb is neither 16 nor 32";
    if ((ib != 8 && ib != 16 && ib != 32) || ib > nb) return "ib is not 8, 16 or 32, or above nb";
    if (e.registers() * ib > 64) return "a thread's row needs more registers than there are";
    if (step != 0 && step != 256) return "step is neither 256 nor 0";
    if (blocks > limits.cluster) return "the GPU has no clusters of so many blocks";
    if (bytes(e.size) > limits.shared_bytes) return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Rows that go together.
  constexpr int unit() const { return nb == 16 ? 128 : 64; }
  /// Slabs of 16 columns that are copied together; and such parts that are there, or on their way.
  constexpr int slabs() const { return blocks == 1 || nb == 16 ? 1 : 2; }
  constexpr int depth() const { return blocks == 1 ? 2 : nb == 32 ? 3 : 4; }
  /// Shared memory of a block, without what of a block of columns may lie there: tiles of L11 and slabs of
  /// L21, or what a panel needs that is factored, or other tasks; and what blocks send each other.
  constexpr std::size_t bytes(std::size_t element_size) const {
    const int tiles = nb / 16, L11 = tiles * (tiles - 1) / 2 * 256 + tiles * 5 * 64, of_slab = unit() * 16;
    const std::size_t of_slabs = static_cast<std::size_t>(L11 + depth() * slabs() * of_slab) * element_size;
    const bool few = blocks == 1, wide = element_size == 16;
    const int of_update = (few ? 2 : wide ? 3 : 5) * 256 * ((few ? 4 : 8) + (wide ? 4 : 8) / (few ? 2 : 1));
    const int of_solve = (few ? 4 : 16) / (wide ? 2 : 1) * ((few ? 2 : 3) * 256 + 5 * 64) + 4 * 256;
    const std::size_t of_others = std::max<std::size_t>(
        element_size * static_cast<std::size_t>(std::max(of_update, of_solve)), 32 * 1024);
    const std::size_t columns = static_cast<std::size_t>(nb), rows = static_cast<std::size_t>(ib);
    const std::size_t of_row = (rows + 2) * element_size + 64;  // that is offered
    const std::size_t of_panel = 2 * rows * columns * element_size + (rows + 16) * of_row;
    return std::max({of_slabs, of_panel, of_others}) +
           3 * static_cast<std::size_t>(blocks == 1 ? 1 : 16) * of_row + 40 * columns + 2560;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, int, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<column_blocks> space() {
    return {{{"blocks", {1, 2, 4, 8, 16}, "of a cluster"},
             {"nb", {16, 32}, "fewer stay on the chip with more rows"},
             {"ib", {8, 16, 32}, "more, as long as registers hold all rows"},
             {"step", {256, 0}, "0, all columns, for one matrix without further columns"}},
            128,
            any_extent,
            "smaller ones are on the chip of one multiprocessor",
            [](const column_blocks&, int) { return true; },
            "all"};
  }
};

}  // namespace talus::cuda::lu
