// Families for matrices that are too large to be inverted by a line of trsm's families. Shared memory holds a
// whole matrix as tiles (in_tiles), a panel of tiles (in_panels), or a narrower panel (by_threads).
#pragma once

#include <cstddef>

#include "batch.hpp"
#include "gpu/integers.hpp"
#include "gpu/limits.hpp"
#include "gpu/table.hpp"

namespace talus::cuda::blas {

/// A line of a table. Each warp has 16 rows, so n <= 16 * warps.
struct in_tiles {
  static constexpr const char* name = "in_tiles";

  int warps = 0;   // per block, at most
  int blocks = 0;  // per multiprocessor

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("warps", self.warps);
    visit("blocks", self.blocks);
  }

  /// Returns the number of warps that share the registers of a multiprocessor, which has four parts: warps *
  /// blocks, rounded up to a multiple of 4. The kernel is compiled for this number.
  constexpr int most_warps() const { return (warps * blocks + 3) / 4 * 4; }

  constexpr const char* objection(int n, const element&, const gpu_limits&) const {
    if (n > 16 * warps) return "n is above 16 * warps";
    return warps < 1 || blocks < 1 || most_warps() > 32 ? "warps * blocks is not from 1 to 32" : nullptr;
  }
};

/// A line of a table. Serves every n for which `blocks` panels fit in shared memory.
struct in_panels {
  static constexpr const char* name = "in_panels";

  int tiles = 0;        // of 16 columns, per panel
  int warps = 0;        // per block
  int blocks = 0;       // per multiprocessor
  int ahead = 0;        // tiles that a warp loads in advance
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

/// A line of a table. Serves every n for which one panel fits in shared memory.
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

/// A line of a table for mixed sizes. The class uses the kernel that serves batches of one size with n = the
/// bound of the class. So the inverse of a matrix does not depend on the other matrices of a call.
struct as_one_size {
  static constexpr const char* name = "as_one_size";

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self&, Visit) {}

  constexpr const char* objection(int, const element&, const gpu_limits&) const { return nullptr; }
};

}  // namespace talus::cuda::blas
