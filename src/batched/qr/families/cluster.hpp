// QR of tall matrices, each by the blocks of a cluster.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::householder {

/// A line of a table: matrices of one size, of up to 8 * 32 * warps * rows rows. Their first block has all
/// pivots.
struct cluster {
  static constexpr const char* name = "cluster";

  int nb = 0;     // columns of a panel
  int warps = 0;  // of a block
  int rows = 0;   // of a panel, per thread
  int strip = 0;  // tiles of 8 columns that a warp updates at a time

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("nb", self.nb);
    visit("warps", self.warps);
    visit("rows", self.rows);
    visit("strip", self.strip);
  }

  constexpr int rows_of_block() const { return 32 * warps * rows; }

  constexpr const char* objection(int m_max, int n_max, const element& e, const gpu_limits& limits) const {
    if (nb != 8 && nb != 16 && nb != 32) return "nb is not 8, 16 or 32";
    if (warps < 1 || warps > 16) return "warps is not between 1 and 16";
    if (rows < 1 || e.registers() * rows * nb > (warps > 8 ? 64 : 128))
      return "a thread's rows need more registers than there are";
    if (strip != 1 && strip != 2 && strip != 4) return "strip is not 1, 2 or 4";
    if (std::min(limits.cluster, most_of_cluster) * rows_of_block() < m_max)
      return "32 * warps * rows times the blocks of a cluster is less than m_max";
    if (rows_of_block() < std::min(m_max, n_max)) return "32 * warps * rows is less than m_max and n_max";
    if (bytes(e) > limits.shared_bytes) return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Shared memory of a block: cluster_memory, and V.
  constexpr std::size_t bytes(const element& e) const {
    const int pitch = nb + 4, V = (rows_of_block() + 4) * nb;
    const int reflectors = 2 * nb * pitch + warps * 8 * strip * pitch + nb;
    const int reduction = (warps + 2 * most_of_cluster + 3) * nb;
    const int products = (warps + 2) * 32 * pitch;
    return static_cast<std::size_t>(V + reflectors + reduction + products) * e.size;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<cluster> space() {
    return {{{"nb", {8, 16, 32}, "what registers hold"},
             {"warps", {8, 16}, "of a block"},
             {"rows", {1, 2, 4, 8}, "fewer, and more blocks have a matrix"},
             {"strip", {1, 2}, "more take registers"}},
            1,
            any_extent,
            "whatever n",
            [](const cluster&, int) { return false; },
            "it is meant for tall matrices, and those tried are square"};
  }
};

}  // namespace talus::cuda::householder
