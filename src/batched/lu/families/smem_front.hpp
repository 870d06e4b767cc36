// Eliminates a front in four blocks by one thread block: reads A11, A12 and A21 once, eliminates them in
// shared memory and writes them once. A22 passes through registers.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/families/smem.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::lu {

/// A line of a table: a block per front with up to 32 * rows pivots.
struct smem_front {
  static constexpr const char* name = "smem_front";
  static constexpr bool factors_pivot_blocks = true;

  int warps = 0;   // per front; the first warp factors panels while the other warps update
  int rows = 0;    // of a panel of A11 that a lane holds
  int blocks = 0;  // per multiprocessor, at least, that the registers suffice for; 0: the compiler decides

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("warps", self.warps);
    visit("rows", self.rows);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int m_max, int n_max, int k_max, const element& e,
                                  const gpu_limits& limits) const {
    const int k = std::min({m_max, n_max, k_max});
    if (const char* const words = smem{warps, rows, blocks}.objection(k, k, e, limits)) return words;
    if (m_max > 4096 || n_max > 4096 ||
        bytes(m_max, n_max, k, e.size) + smem_extra_bytes > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Returns the shared memory that a block needs for fronts of up to m rows, n columns and k pivots: for
  /// [A11 A12], the lists of its panels, and A21.
  constexpr std::size_t bytes(int m, int n, int k_max, std::size_t element_size) const {
    std::size_t most = 0;
    for (int k = 0; k <= k_max; ++k) {
      const std::size_t all =
          (smem_elements(k, n, element_size) + smem_elements(m - k, k, element_size)) * element_size +
          smem_list_bytes(k, k, smem_row_size(32 * rows));
      most = std::max(most, all);
    }
    return most;
  }

  /// Launches the kernel of a line for the fronts of a source.
  template <class Line, int, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<smem_front> space() {
    return {{{"warps", {1, 2, 3, 4, 5, 7}, "one for panels, the others update"},
             {"rows", {1, 2, 3, 4, 5}, "as k takes"},
             {"blocks", {0, 2, 3, 8, 12, 24}, "they decide how many fronts are under way"}},
            16,
            256,
            "larger ones do not fit into shared memory",
            [](const smem_front& k, int n) { return k.warps <= 2 + n / 24; },
            "many warps only where there is work for them"};
  }
};

}  // namespace talus::cuda::lu
