// QR with the matrix in the registers of a part of a warp, a warp or a few: read once, factored on the chip,
// written once.
#pragma once

#include "batch.hpp"
#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::householder {

/// A line of a table: matrices of up to down * rows rows and across * columns columns.
struct warp {
  static constexpr const char* name = "warp";

  int down = 0;     // lanes that share a column, a power of two
  int across = 0;   // lanes that share a row: down * across of a matrix, a power of two to 32, or whole warps
  int rows = 0;     // of the matrix, per lane
  int columns = 0;  // of the matrix, per lane
  int shrink = 0;   // rows of a lane that are left out at a time when they are done
  int tbc = 0;      // matrices per thread block
  int blocks =
      0;  // of 128 threads or more, that a multiprocessor's registers are shared out to at least; 0: as the
          // compiler likes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("down", self.down);
    visit("across", self.across);
    visit("rows", self.rows);
    visit("columns", self.columns);
    visit("shrink", self.shrink);
    visit("tbc", self.tbc);
    visit("blocks", self.blocks);
  }

  static constexpr bool is_power_of_two(int x) { return x > 0 && (x & (x - 1)) == 0; }

  constexpr const char* objection(int m_max, int n_max, const element& e, const gpu_limits& limits) const {
    const int lanes = down * across;
    if (!is_power_of_two(down) || down > 32) return "down is not a power of two up to 32";
    if (across < 1 || (lanes <= 32 ? !is_power_of_two(lanes) : lanes % 32 != 0 || lanes > 256))
      return "down * across is not a power of two up to 32, or 2 to 8 warps";
    if (rows < 1 || columns < 1 || tbc < 1) return "rows, columns or tbc is below 1";
    if (shrink < 1 || shrink > rows) return "shrink is not between 1 and rows";
    if (across % down != 0) return "across is no multiple of down";
    if (lanes <= 32 ? lanes * tbc % 32 != 0 || lanes * tbc > 128 : tbc != 1)
      return "down * across * tbc is not 32, 64, 96 or 128, or tbc is not 1 where lanes are more than a warp";
    if (down * rows < m_max) return "down * rows is less than m_max";
    if (across * columns < n_max) return "across * columns is less than n_max";
    if (blocks < 0 || blocks > 12) return "blocks is not between 0 and 12 per multiprocessor";
    if (e.registers() * rows * (columns + 1) > 208)
      return "a lane's columns need more registers than there are";
    if (static_cast<std::size_t>(tbc) * bytes(e) > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Shared memory of a matrix, as columns_memory has it.
  constexpr std::size_t bytes(const element& e) const {
    const int piece = e.of_16_bytes(), extra = across == 1 ? 0 : shrink;
    const auto pieces = [piece](int elements) { return (elements + piece - 1) / piece; };
    const int of_part = rows + extra + piece - 1;
    const int real_numbers = down * across > 32 ? 3 : 2;
    const int reals = e.complex ? (real_numbers + 1) / 2 : real_numbers;
    const int column = (down - 1) * pieces(of_part) * piece + of_part + 2 + reals;
    return static_cast<std::size_t>(pieces((pieces(column) | 1) * piece * across * columns) | 1) * 16;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<warp> space() {
    return {{{"down", {1, 2, 4}, "lanes that share a column"},
             {"across", {1, 2, 4, 8, 16, 32, 48, 64}, "lanes that share a row"},
             {"rows", {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64}, "as m takes"},
             {"columns", {1, 2, 3, 4, 5}, "what a lane's registers hold"},
             {"shrink", {1, 2, 4, 6, 8, 16}, "fewer rows at a time, longer kernels"},
             {"tbc", {1, 2, 4, 8, 16, 32}, "blocks of 32 threads, or of one matrix"},
             {"blocks", {0, 3, 4}, "they decide how many matrices are under way"}},
            1,
            128,
            "larger ones do not fit into the registers",
            [](const warp& k, int n) {
              const int lanes = k.down * k.across;
              const bool has_columns = k.columns == (n + k.across - 1) / k.across ||
                                       k.columns == n / k.across + 1;  // one column more, for gels
              return k.rows == (n + k.down - 1) / k.down && has_columns && k.shrink <= k.rows / 2 + 1 &&
                     (k.tbc == (lanes < 32 ? 32 / lanes : 1));
            },
            "as many rows and columns per lane as n takes, and a right-hand side",
            "rows"};
  }
};

}  // namespace talus::cuda::householder
