// LU with the matrix in shared memory: read once, eliminated on the chip in panels, written once.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/pieces/smem_layout.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::lu {

// ---- parameters ----------------------------------------------------------------------------------

/// A line of a table: a block per matrix of up to 32 * rows rows.
struct smem {
  static constexpr const char* name = "smem";

  int warps = 0;   // per matrix: the first factors panels; the others, if there are any, update meanwhile
  int rows = 0;    // of a panel, per lane
  int blocks = 0;  // per multiprocessor that registers are shared out to at least; 0: as the compiler likes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("warps", self.warps);
    visit("rows", self.rows);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int m_max, int n_max, const element& e, const gpu_limits& limits) const {
    if (warps < 1 || warps > 16) return "warps is not between 1 and 16";
    if (rows < 1 || rows > 8) return "rows is not between 1 and 8";
    if (32 * rows < m_max) return "32 * rows is less than m_max";
    if (e.registers() * rows * smem_panel > 128) return "a lane's rows need more registers than there are";
    if (blocks < 0 || blocks > 32 || blocks * warps > 64) return "blocks * warps is not between 0 and 64";
    if (n_max > 16384 || bytes(m_max, n_max, e.size) + smem_extra_bytes > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Shared memory of a block, right-hand sides counted among the columns: the matrix, and for each panel
  /// which rows it moved.
  constexpr std::size_t bytes(int m, int columns, std::size_t element_size) const {
    return smem_elements(m, columns, element_size) * element_size +
           smem_list_bytes(m, m < columns ? m : columns, smem_row_size(32 * rows));
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, int, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<smem> space() {
    return {{{"warps", {1, 2, 3, 4, 5, 7}, "one for panels, the others update"},
             {"rows", {1, 2, 3, 4, 5, 6, 7, 8}, "as m takes"},
             {"blocks", {0, 2, 3, 8, 12}, "they decide how many matrices are under way"}},
            24,
            256,
            "smaller ones fit into registers, larger ones not into shared memory",
            [](const smem& k, int n) {
              return k.rows == (n + 31) / 32 && k.warps <= 2 + n / 24 &&
                     (k.blocks == 0 || (n <= 80 ? k.blocks >= 8 : k.blocks <= 3));
            },
            "as many rows per lane as n takes; many warps only where there is work for them",
            "rows"};
  }
};

}  // namespace talus::cuda::lu
