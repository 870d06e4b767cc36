// QR of matrices of any size by a block of threads, in panels: the panel in shared memory, the other columns
// in memory.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::householder {

/// A line of a table. Every m and n.
struct blocked {
  static constexpr bool takes_either = true;
  static constexpr const char* name = "blocked";

  int nb = 0;      // columns of a panel
  int warps = 0;   // of a block
  int strip = 0;   // tiles of 8 columns that a warp updates at a time
  int blocks = 0;  // per multiprocessor that registers are shared out to at least; 0: as the compiler likes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("nb", self.nb);
    visit("warps", self.warps);
    visit("strip", self.strip);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int, int, const element& e, const gpu_limits& limits) const {
    if (nb != 8 && nb != 16 && nb != 32) return "nb is not 8, 16 or 32";
    if (warps < 1 || warps > 16) return "warps is not between 1 and 16";
    if (strip < 1 || strip > 4) return "strip is not between 1 and 4";
    if (blocks < 0 || blocks > 32 || blocks * warps > 64) return "blocks * warps is not between 0 and 64";
    const int elements = nb * (nb + 4) * 2 + warps * 8 * strip * (nb + 4) + nb + 64;
    if (static_cast<std::size_t>(elements) * e.size > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<blocked> space() {
    return {{{"nb", {8, 16, 32}, "what fits in shared memory, and how the tensor units multiply"},
             {"warps", {2, 4, 8, 16}, "of a block"},
             {"strip", {1, 2}, "more take registers"},
             {"blocks", {0, 2, 4, 5, 6, 8, 10}, "they decide how many matrices are under way"}},
            24,
            any_extent,
            "below, other kernels have the matrix on the chip",
            [](const blocked& k, int n) { return k.warps * k.strip * 8 < 2 * n + 64; },
            "warps for which there are columns"};
  }
};

}  // namespace talus::cuda::householder
