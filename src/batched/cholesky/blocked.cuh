// Left-looking blocked Cholesky from separate kernels, for matrices too large for one block. Algorithm 1 of
// Abdelfattah, Haidar, Tomov, Dongarra (ICCS 2016) with its update moved to where the panel is read anyway.
#pragma once

#include <algorithm>

#include "batched/cholesky/syrk_potrf.cuh"
#include "batched/cholesky/syrk_trsm.cuh"
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

#ifdef __CUDACC__

/// In steps of nb columns: the diagonal block, then the rows below it. A diagonal block that is larger than
/// one kernel factors takes steps of its own. A matrix that fails is skipped by all later kernels, which read
/// its info.
template <class Line, uplo UPLO, class Source, class Then>
int blocked::launch(Source matrices, int* info, queue q, Then) {
  using T = typename Source::element;
  constexpr int NB = Line::kernel.nb, DIAGONAL = Line::kernel.diagonal(sizeof(T));
  constexpr int GROUPS = Line::kernel.groups, TILES = Line::kernel.tiles;
  constexpr int TILES_WITHIN = NB == DIAGONAL ? TILES : 1;
  const auto source = matrices.in_steps(NB);
  const int n = matrices.n_max(), end = source.end_of_steps(NB), columns = source.end_of_columns(NB);
  // No more than they need: in double the last 32 KB are worth more as cache, 4 to 10 % (log, 32).
  constexpr std::int64_t shared = 192 * 1024, needed = syrk_trsm_shape<T, NB, TILES>::on_multiprocessor;
  const launch_options early = {true, std::max(needed, shared)};
  const auto diagonal = [&](int each, int k, int done) {
    const launch_options how = k == 0 ? launch_options{false, Source::equal ? -1 : early.carve_out} : early;
    return launch_syrk_potrf<T, DIAGONAL, GROUPS, UPLO>(how, source, each, info, k, done, q);
  };
  const auto below_within = [&](int k, int last) {
    return launch_syrk_trsm<T, DIAGONAL, TILES_WITHIN, UPLO>(early, source, info, k, k + DIAGONAL, last, q);
  };
  const auto below = [&](int k, int last) {
    return launch_syrk_trsm<T, NB, TILES, UPLO>(early, source, info, k, k + NB, last, q);
  };
  // A kernel that finds no room to be loaded must not be met when the matrices are half factored: launched on
  // none of them, each is made ready before the first changes anything.
  for (const int status : {diagonal(0, DIAGONAL, 0), below_within(0, DIAGONAL), below(0, NB)}) {
    if (status != 0) return status;
  }
  int done = 0;  // columns that are finished when the previous kernel starts
  for (int k = 0; k < end; k += NB) {
    const int last = std::min(k + NB, end);
    for (int j = k; j < std::min(last, columns); j += DIAGONAL) {
      if (const int status = diagonal(1, j, done)) return status;
      done = j;
      if (j + DIAGONAL >= last) continue;
      if (const int status = below_within(j, last)) return status;
    }
    if (last == end) continue;
    if (const int status = below(k, end)) return status;
    done = k;
  }
  return 0;
}

#endif

}  // namespace talus::cuda::cholesky
