// Left-looking blocked Cholesky from separate kernels, for matrices too large for one block. Algorithm 1 of
// Abdelfattah, Haidar, Tomov, Dongarra (ICCS 2016) with its update moved to where the panel is read anyway.
#pragma once

#include <algorithm>

#include "syrk_potrf.cuh"
#include "syrk_trsm.cuh"

namespace talus::cuda {

/// In steps of NB columns: the diagonal block, then the rows below it. A diagonal block that is larger than
/// one kernel factors takes steps of its own. A matrix that fails is skipped by all later kernels, which read
/// its info.
template <class T, int NB, int THREADS, int ROWS>
int launch_potrf_blocked(uplo uplo, batch<T> A, int* info, queue q) {
  constexpr int DIAGONAL = potrf_blocked_diagonal(sizeof(T), NB);
  constexpr int GROUPS = potrf_blocked_groups(sizeof(T), NB, THREADS);
  constexpr int ROWS_WITHIN = NB == DIAGONAL ? ROWS : 1;
  const int n = A.n;
  // No more than they need: in double the last 32 KB are worth more as cache, 4 to 10 % (log, 32).
  constexpr std::int64_t shared = 192 * 1024, needed = syrk_trsm_shape<T, NB, ROWS>::on_multiprocessor;
  const start early = {true, needed > shared ? needed : shared};
  const auto diagonal = [&](batch<T> A, int k, int done) {
    return launch_syrk_potrf<T, DIAGONAL, GROUPS>(k == 0 ? start{} : early, uplo, A, info, k, done, q);
  };
  const auto below_within = [&](batch<T> A, int k, int end) {
    return launch_syrk_trsm<T, DIAGONAL, ROWS_WITHIN>(early, uplo, A, info, k, k + DIAGONAL, end, q);
  };
  const auto below = [&](batch<T> A, int k) {
    return launch_syrk_trsm<T, NB, ROWS>(early, uplo, A, info, k, k + NB, n, q);
  };
  // A kernel that finds no room to be loaded must not be met when the matrices are half factored: launched on
  // none of them, each is made ready before the first changes anything.
  batch<T> none = A;
  none.count = 0;
  for (const int status : {diagonal(none, DIAGONAL, 0), below_within(none, 0, n), below(none, 0)}) {
    if (status != 0) return status;
  }
  int done = 0;  // columns that are finished when the kernel ahead starts
  for (int k = 0; k < n; k += NB) {
    const int end = std::min(k + NB, n);
    for (int j = k; j < end; j += DIAGONAL) {
      if (const int status = diagonal(A, j, done)) return status;
      done = j;
      if (j + DIAGONAL >= end) continue;
      if (const int status = below_within(A, j, end)) return status;
    }
    if (end == n) continue;
    if (const int status = below(A, k)) return status;
    done = k;
  }
  return 0;
}

}  // namespace talus::cuda
