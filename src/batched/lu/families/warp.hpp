// LU with the matrix in the registers of a warp or a part of one: read once, eliminated on the chip, written
// once.
#pragma once

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::lu {

/// A line of a table: matrices of up to lanes * rows rows and `columns` columns.
struct warp {
  static constexpr const char* name = "warp";

  int lanes = 0;    // per matrix, a power of two up to 32
  int rows = 0;     // of the matrix, per lane
  int columns = 0;  // of the matrix, in registers
  int tbc = 0;      // matrices per thread block
  int blocks = 0;   // of 128 threads, that a multiprocessor's registers are shared out to at least; 0: as the
                    // compiler likes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("lanes", self.lanes);
    visit("rows", self.rows);
    visit("columns", self.columns);
    visit("tbc", self.tbc);
    visit("blocks", self.blocks);
  }

  static constexpr int most_blocks = 12;

  constexpr const char* objection(int m_max, int n_max, const element& e, const gpu_limits&) const {
    constexpr int registers_for_rows[] = {176, 176, 176, 110, 96, 72, 56, 48, 40, 36, 32, 28, 24};
    if (rows < 1 || columns < 1 || tbc < 1) return "rows, columns or tbc is below 1";
    if (lanes < 1 || lanes > 32 || 32 % lanes != 0) return "lanes is not a power of two up to 32";
    if (lanes * tbc % 32 != 0 || lanes * tbc > 128) return "lanes * tbc is not 32, 64, 96 or 128";
    if (lanes * rows < m_max) return "lanes * rows is less than m_max rows";
    if (columns < n_max) return "columns is less than n_max";
    if (blocks < 0 || blocks > most_blocks) return "blocks is not between 0 and 12 per multiprocessor";
    if (e.registers() * rows * columns > registers_for_rows[blocks])
      return "a lane's rows need more registers than there are";
    return nullptr;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, int, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<warp> space() {
    return {{{"lanes", {2, 4, 8, 16, 32}, "lanes per matrix"},
             {"rows", {1, 2, 3, 4}, "what a lane's registers hold"},
             {"columns", {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32}, "as n takes"},
             {"tbc", {1, 2, 4, 8, 16, 32}, "blocks of 32 to 128 threads"},
             {"blocks", {0, 3, 5, 8}, "they decide how many matrices are under way"}},
            1,
            32,
            "larger ones do not fit into a lane's registers",
            [](const warp& k, int n) {
              const int threads = k.lanes * k.tbc;
              return k.rows == (n + k.lanes - 1) / k.lanes && k.lanes < 2 * n + 2 && k.columns < n + 4 &&
                     (threads == 32 || threads == 64 || threads == 128);
            },
            "as many rows per lane, and as few columns, as n takes",
            "rows"};
  }
};

}  // namespace talus::cuda::lu
