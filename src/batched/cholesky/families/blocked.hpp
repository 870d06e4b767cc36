// Left-looking blocked Cholesky from separate kernels, for matrices too large for one block. Algorithm 1 of
// Abdelfattah, Haidar, Tomov, Dongarra (ICCS 2016) with its update moved to where the panel is read anyway.
#pragma once

#include <algorithm>

#include "batched/cholesky/pieces/syrk_potrf.hpp"
#include "batched/cholesky/pieces/syrk_trsm.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"

namespace talus::cuda::cholesky {

/// A line of a table. Every n.
struct blocked {
  static constexpr const char* name = "blocked";

  int nb = 0;      // columns of a step
  int groups = 0;  // of warps that factor a diagonal block, 1 or 2: they share the columns to the left of it
  int tiles = 0;   // of 16 rows below the diagonal, per warp

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("nb", self.nb);
    visit("groups", self.groups);
    visit("tiles", self.tiles);
  }

  /// The diagonal block that is factored in one step.
  constexpr int diagonal(std::size_t element_size) const {
    const int most = element_size == 16 ? 32 : 64;
    return nb < most ? nb : most;
  }

  constexpr const char* objection(int, const element& e, const gpu_limits& limits) const {
    if (nb != 16 && nb != 32 && nb != 64 && nb != 128) return "nb is none of 16, 32, 64, 128";
    if (groups != 1 && groups != 2) return "groups is neither 1 nor 2";
    if (groups == 2 && diagonal(e.size) < 32) return "groups is 2, but the diagonal block has one tile";
    return syrk_trsm_objection(nb, tiles, e, limits);
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, uplo UPLO, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<blocked> space() {
    return {{{"nb", {32, 64, 128}, "16 columns read the matrix too often"},
             {"groups", {1, 2}, "of warps; four wait for each other's sums"},
             {"tiles", {1, 2}, "tiles of 16 rows per warp; more spill or were slower"}},
            48,
            any_extent,
            "two launches per step; below, smem holds several matrices per multiprocessor",
            [](const blocked& k, int n) { return k.nb < n && (k.nb > 32 || n <= 512); },
            "nb = 32 only while there are few steps"};
  }
};

}  // namespace talus::cuda::cholesky
