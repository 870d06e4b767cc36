// QR of tiny matrices, each by one thread: read once, factored in registers, written once.
#pragma once

#include "batch.hpp"
#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::householder {

/// A line of a table: matrices of one size, of up to rows x columns.
struct thread {
  static constexpr const char* name = "thread";

  int rows = 0;
  int columns = 0;
  int tbc = 0;     // matrices, and threads, per thread block
  int blocks = 0;  // per multiprocessor that registers are shared out to at least; 0: as the compiler likes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("rows", self.rows);
    visit("columns", self.columns);
    visit("tbc", self.tbc);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int m_max, int n_max, const element& e, const gpu_limits& limits) const {
    if (rows < m_max) return "rows is less than m_max";
    if (columns < n_max) return "columns is less than n_max";
    if (e.registers() * rows * columns > 128) return "a matrix needs more registers than there are";
    if (tbc < 32 || tbc > 256 || tbc % 32 != 0) return "tbc is not a multiple of 32 up to 256";
    if (blocks < 0 || blocks * tbc > 2048) return "blocks * tbc is not between 0 and 2048";
    if (static_cast<std::size_t>(tbc) * bytes(e) > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Shared memory of a matrix, as thread_memory has it.
  constexpr std::size_t bytes(const element& e) const {
    const int piece = e.of_16_bytes(), pitch = (rows + piece - 1) / piece;
    return static_cast<std::size_t>(pitch * columns | 1) * 16;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<thread> space() {
    return {{{"rows", {1, 2, 3, 4, 5, 6, 7, 8}, "as m takes"},
             {"columns", {1, 2, 3, 4, 5, 6, 7, 8}, "as n takes"},
             {"tbc", {32, 64, 128}, "of a block"},
             {"blocks", {0}, "registers decide"}},
            1,
            8,
            "larger ones do not fit into a thread's registers",
            [](const thread& k, int n) { return k.rows == n && k.columns == n; },
            "as many rows and columns as n takes"};
  }
};

}  // namespace talus::cuda::householder
