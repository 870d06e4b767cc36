// Products of matrices on the tensor units. Small ones: a warp has all of C, and factors come from memory as
// the tensor units want them. Others: a block has a tile of C, while op(A) and op(B) stream by in slabs of 16
// terms of the sums.
#pragma once

#include "batch.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::blas {

/// A line of a table. Every m, n and k.
struct products {
  static constexpr const char* name = "products";
  static constexpr int stages = 3;  // slabs that are in shared memory, or on their way

  int rows = 0, columns = 0;  // of C that a warp has, in tiles of 16 x 16
  int down = 0, across = 0;   // warps of a block
  int blocks = 0;             // of a multiprocessor, for which registers are to do; 0: as many as there are
  int parts = 0;              // of a product, tiles of C that a block each works on

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("rows", self.rows);
    visit("columns", self.columns);
    visit("down", self.down);
    visit("across", self.across);
    visit("blocks", self.blocks);
    visit("parts", self.parts);
  }

  /// Shared memory of a block.
  constexpr std::size_t bytes(const element& e) const {
    return e.size * static_cast<std::size_t>(stages * 256 * (rows * down + columns * across));
  }

  constexpr const char* objection(int, int, int, const element& e, const gpu_limits& limits) const {
    if (rows != 1 && rows != 2) return "rows is neither 1 nor 2";
    if (columns < 1 || columns > 4) return "columns is not between 1 and 4";
    if (down < 1 || down > 4) return "down is not between 1 and 4";
    if (across < 1 || across > 2) return "across is not between 1 and 2";
    if (blocks < 0 || blocks > 32) return "blocks is not between 0 and 32";
    if (parts < 1 || parts > 64) return "parts is not between 1 and 64";
    if (e.registers() * 8 * rows * columns > 128) return "a warp's tiles need more registers than there are";
    if (bytes(e) > limits.shared_bytes) return "the slabs need more shared memory than a block has";
    return nullptr;
  }

  /// Launches the kernel of a line for the products of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<products> space() {
    return {{{"rows", {1, 2}, "as many as registers hold"},
             {"columns", {1, 2, 3, 4}, "as many as registers hold"},
             {"down", {1, 2, 3, 4}, "of a block"},
             {"across", {1, 2}, "of a block"},
             {"blocks", {0, 2, 3, 4}, "of a multiprocessor"},
             {"parts", {1, 4, 8}, "of a product"}},
            1,
            any_extent,
            "every n",
            [](const products& k, int n) {
              return 16 * k.rows * k.down < 2 * n + 16 && 16 * k.columns * k.across < 2 * n + 16;
            },
            "no larger tiles than matrices"};
  }
};

/// A line for products of which a warp has all of C: m and n up to 16.
struct small_products {
  static constexpr const char* name = "small_products";

  int blocks =
      0;  // of four warps of a multiprocessor, for which registers are to do; 0: as many as there are

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int m, int n, int, const element&, const gpu_limits&) const {
    if (m > 16 || n > 16) return "C is larger than a warp's tile";
    if (blocks < 0 || blocks > 16) return "blocks is not between 0 and 16";
    return nullptr;
  }

  /// Launches the kernel of a line for the products of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<small_products> space() {
    return {{{"blocks", {0, 2, 3, 4, 5, 6}, "of a multiprocessor"}}, 1,    16, "what a warp has in registers",
            [](const small_products&, int) { return true; },         "all"};
  }
};

}  // namespace talus::cuda::blas
