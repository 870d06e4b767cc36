// The paper's variable-size Cholesky: the fused panel kernel, one launch per step of the largest matrix, with
// its two ways to schedule and to end early.
#pragma once

#include "batched/potrf_panel.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {

/// Step k of the largest matrix. Blocks of which no matrix has begun, or all have ended, end at once (the
/// paper's ETM-classic). AGGRESSIVE: so do threads of others that have no row.
///
/// Thread map  (rows that remain of the largest / ROWS, tbc); the rest as for potrf_panel_exclusive
/// Source      section 4 of Abdelfattah et al. (ICCS 2016)
template <class T, int IB, int THREADS, int ROWS, bool AGGRESSIVE>
__global__ void __launch_bounds__(THREADS)
    potrf_panel_vbatched(std::int64_t first_block, uplo uplo, variable_batch<T> A, int* info_array, int k,
                         begin when, share s) {
  const int position = s.first() + static_cast<int>(first_block + blockIdx.x) * static_cast<int>(blockDim.y) +
                       static_cast<int>(threadIdx.y);
  T* const sB = shared_memory<T>() + threadIdx.y * potrf_panel_elements(IB);
  int b = 0, i = 0, info = 0;
  single<T> mine({nullptr, 0, 0, 1});
  if (position < s.end()) {
    b = s.number(position);
    with_legal(s, A, info_array, b, k == 0 && threadIdx.x == 0, [&](const single<T>& M) { mine = M; });
    i = when.column(k, mine.n);
    if (i > 0 && i < mine.n) info = info_array[b];
  }
  const bool alive = i >= 0 && i < mine.n && info == 0;
  if (!__syncthreads_or(alive)) return;

  const int row = alive ? i + static_cast<int>(threadIdx.x) : mine.n + IB;
  if (AGGRESSIVE && row >= mine.n) return;
  T rC[ROWS][IB];
  potrf_panel_step<false>(triangle<T>(mine.A, uplo), mine.n, i, row, static_cast<int>(blockDim.x), rC, sB,
                          sB + IB * IB, info);
  if (alive && threadIdx.x == 0 && (i == 0 || info != 0)) info_array[b] = info;
}

template <class T, int IB, int THREADS, int ROWS>
int launch_potrf_panel(bool lazy, bool aggressive, int tbc, int n_max, uplo uplo, variable_batch<T> A,
                       int* info, const share& s, queue q) {
  const begin when{lazy, ceil_div(n_max, IB), IB};
  for (int k = 0; k == 0 || k < n_max; k += IB) {  // once at least: what is illegal is said by the first
    const int rows = std::max(1, when.steps * IB - k);
    const auto step = [&](auto ends_threads) {
      return launch<potrf_panel_vbatched<T, IB, THREADS, ROWS, decltype(ends_threads)::value>>(
          ceil_div<std::int64_t>(A.count, tbc), panel_threads(rows, ROWS, tbc),
          static_cast<std::size_t>(tbc) * potrf_panel_bytes<T, IB>, q, uplo, A, info, k, when, s);
    };
    if (const int status = aggressive ? step(std::true_type{}) : step(std::false_type{})) return status;
  }
  return 0;
}

}  // namespace talus::cuda
