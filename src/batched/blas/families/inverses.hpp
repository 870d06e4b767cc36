// Inverses of factors that are too large for a line of trsm's families: all of a matrix in shared memory as
// tiles, or a panel of it, or a panel that is narrower than a tile.
#pragma once

#include <cstddef>

#include "batch.hpp"
#include "gpu/integers.hpp"
#include "gpu/limits.hpp"
#include "gpu/table.hpp"

namespace talus::cuda::blas {

/// A line of a table. A warp has 16 rows: n <= 16 * warps.
struct in_tiles {
  static constexpr const char* name = "in_tiles";

  int warps = 0;   // of a block, at most
  int blocks = 0;  // of a multiprocessor

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("warps", self.warps);
    visit("blocks", self.blocks);
  }

  /// Warps of a multiprocessor, of which each of its four parts has the same number. They share the registers
  /// that a kernel is compiled for.
  constexpr int most_warps() const { return (warps * blocks + 3) / 4 * 4; }

  constexpr const char* objection(int, const element&, const gpu_limits&) const {
    return warps < 1 || blocks < 1 || most_warps() > 32 ? "warps * blocks is not from 1 to 32" : nullptr;
  }
};

/// A line of a table. Every n whose panel `blocks` times fits in shared memory.
struct in_panels {
  static constexpr const char* name = "in_panels";

  int tiles = 0;        // of 16 columns, of a panel
  int warps = 0;        // of a block
  int blocks = 0;       // of a multiprocessor
  int ahead = 0;        // tiles of a warp on their way to it
  bool either = false;  // one kernel serves batches of one size and of mixed sizes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
    visit("warps", self.warps);
    visit("blocks", self.blocks);
    visit("ahead", self.ahead);
    visit("either", self.either);
  }

  constexpr const char* objection(int, const element&, const gpu_limits&) const {
    if (tiles < 1 || tiles > 4) return "tiles is not from 1 to 4";
    if (ahead < 1 || ahead > 2) return "ahead is neither 1 nor 2";
    return warps < 1 || blocks < 1 || warps * blocks > 32 ? "warps * blocks is not from 1 to 32" : nullptr;
  }
};

/// A line of a table. Every n whose panel fits in shared memory.
struct by_threads {
  static constexpr const char* name = "by_threads";

  int columns = 0;  // of a panel

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("columns", self.columns);
  }

  constexpr const char* objection(int, const element&, const gpu_limits&) const {
    return columns != 1 && columns != 4 ? "columns is neither 1 nor 4" : nullptr;
  }
};

/// A line of a table for mixed sizes. The class has the kernel that inverts matrices of one size, of the
/// order that bounds the class. So a matrix is inverted alike whatever other matrices there are.
struct as_one_size {
  static constexpr const char* name = "as_one_size";

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self&, Visit) {}

  constexpr const char* objection(int, const element&, const gpu_limits&) const { return nullptr; }
};

}  // namespace talus::cuda::blas
