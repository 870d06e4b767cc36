// Cholesky with the matrix in the registers of a warp or a part of one: read once, factored on the chip,
// written once.
#pragma once

#include "batch.hpp"
#include "gpu/contiguous.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::cholesky {

// ---- shared memory -------------------------------------------------------------------------------

/// Of a lower triangle of order N that lies column after column, each from the 16 bytes on that its diagonal
/// is in: where row 0 of column j would be. `piece` elements are 16 bytes.
TALUS_HOST_DEVICE constexpr int warp_column(int j, int N, int piece) {
  const int whole = j / piece;
  return piece * (whole * N - piece * whole * (whole - 1) / 2) + j % piece * (N - whole * piece) -
         whole * piece;
}

/// Elements per matrix: two columns, or all of them if the factor is solved with, and as many more that the
/// matrices of a warp start in different banks; for upper storage the rows that a warp transposes.
TALUS_HOST_DEVICE constexpr int warp_elements(std::size_t element_size, int lanes, int rows, uplo uplo,
                                              bool solves = false) {
  const int banks = static_cast<int>(128 / element_size), piece = static_cast<int>(16 / element_size);
  const int N = (lanes * rows + piece - 1) / piece * piece;  // that each column begins where 16 bytes do
  const int used = solves ? warp_column(N, N, piece) + N : 2 * N;
  const int columns = (used + banks - 1) / banks * banks + 2 * piece;
  const int transposed = (lanes * (N + piece) + banks - 1) / banks * banks;
  return uplo == uplo::lower ? columns : columns + transposed;
}

// ---- parameters ----------------------------------------------------------------------------------

/// A line of a table. Matrices of order n <= lanes * rows.
struct warp {
  static constexpr const char* name = "warp";
  static constexpr bool takes_form = true;  // lower or upper: an argument of the kernel

  int lanes = 0;   // per matrix, a power of two up to 32
  int rows = 0;    // of the matrix, per lane
  int tbc = 0;     // matrices per thread block
  int blocks = 0;  // of 128 threads, that a multiprocessor's registers are shared out to at least; 0: as the
                   // compiler likes
  bool deferred_check = false;  // of pivots: when all columns are done
  bool coalesced = false;       // contiguous matrices come and go through shared memory, 16 bytes per lane
  // Largest number of blocks of 128 threads on a multiprocessor; 0: no limit. The L2 must hold each matrix
  // from its load to its store.
  int resident = 0;

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("lanes", self.lanes);
    visit("rows", self.rows);
    visit("tbc", self.tbc);
    visit("blocks", self.blocks);
    visit("deferred_check", self.deferred_check);
    visit("coalesced", self.coalesced);
    visit("resident", self.resident);
  }

  /// Returns the parameters that the kernel is compiled for. Only the launch needs the other parameters.
  constexpr warp of_kernel() const { return {lanes, rows, 0, blocks, deferred_check, coalesced}; }

  /// Bytes of shared memory of a block of which a multiprocessor with 228 KB holds no more than `resident`
  /// times 128 threads.
  constexpr std::size_t least_bytes() const {
    if (resident == 0) return 0;
    return static_cast<std::size_t>(228 * 1024 / (resident * 128 / (lanes * tbc) + 1));
  }

  /// Registers of a lane for its rows, at most, where so many blocks share a multiprocessor's; with more,
  /// some are spilled.
  static constexpr int registers_for_rows(int blocks) {
    constexpr int most[] = {192, 192, 192, 110, 96, 72, 56, 48, 40};
    return most[blocks];
  }
  static constexpr int most_blocks = 8;

  constexpr const char* objection(int n_max, const element& e, const gpu_limits& limits,
                                  bool solves = false) const {
    if (rows < 1 || tbc < 1) return "rows or tbc is below 1";
    if (lanes < 1 || lanes > 32 || 32 % lanes != 0) return "lanes is not a power of two up to 32";
    if (lanes * tbc % 32 != 0 || lanes * tbc > 128) return "lanes * tbc is not 32, 64, 96 or 128";
    if (lanes * rows < n_max) return "lanes * rows is less than n_max rows";
    if (blocks < 0 || blocks > most_blocks) return "blocks is not between 0 and 8 per multiprocessor";
    if (e.registers() * lanes * rows * (rows + 1) / 2 > registers_for_rows(blocks))
      return "a lane's rows need more registers than there are";
    if (resident < 0 || resident > 16) return "resident is not between 0 and 16 blocks per multiprocessor";
    if (coalesced && !deferred_check) return "coalesced goes with deferred_check only";
    if (coalesced && n_max > contiguous_most) return "coalesced, but n_max is above 16";
    if (coalesced && 32 / lanes * e.size % 16 != 0)
      return "coalesced, but a warp's first matrix does not begin where 16 bytes are copied at once";
    const int staged = coalesced ? contiguous_elements(n_max, e.of_16_bytes()) : 0;
    const int elements = tbc * (warp_elements(e.size, lanes, rows, uplo::upper, solves) + staged);
    if (static_cast<std::size_t>(elements) * e.size > limits.shared_bytes ||
        least_bytes() > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, uplo UPLO, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<warp> space() {
    return {{{"lanes",
              {1, 2, 4, 8, 16, 32},
              "lanes per matrix; 1 up to n = 3, 2 where a warp copies for all of them"},
             {"rows", {1, 2, 3, 4, 5, 6}, "what a lane's registers hold"},
             {"tbc", {1, 2, 4, 8, 16, 32, 64}, "blocks of 32 to 128 threads"},
             {"blocks", {0, 2, 3, 5, 8}, "they decide how many matrices are under way"},
             {"deferred_check", {0, 1}, "fewer instructions, or other registers (log, 46)"},
             {"coalesced", {0, 1}, "up to n = 16, where columns share lines"},
             {"resident", {0, 2, 3}, "from n = 17 on, where the L2 has no room for more matrices under way"}},
            2,
            64,
            "smaller ones have one row, larger ones do not fit into a lane's registers",
            [](const warp& k, int n) {
              const int threads = k.lanes * k.tbc;
              if (k.rows != (n + k.lanes - 1) / k.lanes || k.lanes >= 2 * n) return false;
              if (k.resident > 0 && (n < 17 || k.coalesced)) return false;
              if (k.coalesced)
                return k.lanes <= 8 && k.blocks != 2 && (threads == 32 || threads == 64) &&
                       (k.lanes > 1 || n <= 3);
              return (k.lanes == 1 ? n <= 3 : k.lanes >= 4 && n > 2) &&
                     (threads == 32 || threads == 64 || threads == 128) &&
                     (k.blocks == 0 || k.blocks >= 5 || k.lanes * k.rows > 8);
            },
            "as many rows per lane as n takes; for small ones five blocks leave registers enough",
            "rows"};
  }
};

}  // namespace talus::cuda::cholesky
