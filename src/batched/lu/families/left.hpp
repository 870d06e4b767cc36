// LU of matrices too large for shared memory, in one launch: a strip of columns at a time is brought up
// to date with all that is left of it, factored on the chip, and written.
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

/// A line of a table: a block per matrix of up to 16 * warps * tiles rows and any number of columns.
struct left {
  static constexpr const char* name = "left";

  int nb = 0;      // columns of a strip
  int warps = 0;   // per matrix
  int tiles = 0;   // of 16 rows of a strip, per warp
  int team = 0;    // warps that factor panels; the others, if there are any, update meanwhile
  int blocks = 0;  // per multiprocessor that registers are shared out to at least; 0: as the compiler likes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("nb", self.nb);
    visit("warps", self.warps);
    visit("tiles", self.tiles);
    visit("team", self.team);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int m_max, int, const element& e, const gpu_limits& limits) const {
    if (nb < 16 || nb > 64 || nb % 16 != 0) return "nb is no multiple of 16 between 16 and 64";
    if (warps < 1 || warps > 16 || tiles < 1) return "warps is not between 1 and 16, or tiles is below 1";
    if (team < 1 || team > warps) return "team is not between 1 and warps";
    if (16 * warps * tiles < m_max) return "16 * warps * tiles is less than m_max";
    if (e.registers() * tiles * nb / 2 > 144) return "a lane's tiles need more registers than there are";
    if (e.registers() * panel_rows() * smem_panel > 128)
      return "a lane's rows need more registers than there are";
    if (blocks < 0 || blocks > 32 || blocks * warps > 64) return "blocks * warps is not between 0 and 64";
    if (bytes(m_max, e.size) + smem_extra_bytes > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Rows of a panel per lane of the team.
  TALUS_HOST_DEVICE constexpr int panel_rows() const { return (tiles * warps + 2 * team - 1) / (2 * team); }
  /// Shared memory of a block: a strip and which rows its panels moved; what its warps tell each other; of
  /// each panel that is done the inverse of its triangle; three lists of rows.
  constexpr std::size_t bytes(int m, std::size_t element_size) const {
    return strip_bytes(m, element_size) +
           (exchange_elements(nb, element_size) + inverse_elements(m)) * element_size +
           3 * smem_list_bytes(m, smem_panel, sizeof(unsigned short));
  }
  TALUS_HOST_DEVICE constexpr std::size_t strip_bytes(int m, std::size_t element_size) const {
    return smem_elements(m, nb, element_size) * element_size +
           smem_list_bytes(m, nb, smem_row_size(32 * team * panel_rows()));
  }
  TALUS_HOST_DEVICE static constexpr std::size_t inverse_elements(int m) {
    return static_cast<std::size_t>((m + smem_panel - 1) / smem_panel) * smem_panel * smem_panel;
  }
  /// Pivot rows of two panels.
  TALUS_HOST_DEVICE static constexpr std::size_t exchange_elements(int nb, std::size_t element_size) {
    return static_cast<std::size_t>(2 * smem_panel * exchange_pitch(nb, element_size));
  }
  /// From a pivot's row to the next: what tensor units read of them lies in different banks.
  TALUS_HOST_DEVICE static constexpr int exchange_pitch(int nb, std::size_t element_size) {
    return nb + (element_size == 4 ? 4 : 2);
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, int, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<left> space() {
    return {{{"nb", {16, 32, 48, 64}, "as many columns as registers hold"},
             {"warps", {4, 6, 8, 10, 12, 16}, "of a block"},
             {"tiles", {2, 3, 4, 6, 8}, "as many rows as n takes"},
             {"team", {2, 4, 8}, "few rows per lane, and few warps to wait for"},
             {"blocks", {0, 2, 3, 4}, "they decide how many matrices are under way"}},
            48,
            1024,
            "smaller ones have smem; of larger ones a strip does not fit on the chip",
            [](const left& k, int n) {
              const int rows = 16 * k.warps * k.tiles;
              return rows < n + 16 * k.warps && k.panel_rows() <= 4 && k.team <= k.panel_rows() * 8 &&
                     k.blocks * rows < 1024;
            },
            "rows as n takes; panels of up to four rows per lane",
            "tiles"};
  }
};

}  // namespace talus::cuda::lu
