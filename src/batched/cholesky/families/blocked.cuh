// The kernels of blocked.hpp.
#pragma once

#include "batched/cholesky/families/blocked.hpp"
#include "batched/cholesky/pieces/syrk_potrf.cuh"
#include "batched/cholesky/pieces/syrk_trsm.cuh"

namespace talus::cuda::cholesky {

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

}  // namespace talus::cuda::cholesky
