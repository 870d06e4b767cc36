// The paper's mixed-size Cholesky: the fused panel kernel, one launch per step of the largest matrix, with
// its two ways to schedule and to end early.
#pragma once

#include <algorithm>

#include "figures/panel.cuh"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda::figures {

/// Of the paper. Greedy: every matrix begins with the first step; lazy: every one ends with the last. Classic:
/// idle blocks end early; aggressive: idle threads of others, too.
enum class paper_schedule { greedy_classic, greedy_aggressive, lazy_classic, lazy_aggressive };
constexpr const char* name_of(paper_schedule of) {
  constexpr const char* names[] = {"greedy classic", "greedy aggressive", "lazy classic", "lazy aggressive"};
  return names[static_cast<int>(of)];
}
constexpr bool is_lazy(paper_schedule of) {
  return of == paper_schedule::lazy_classic || of == paper_schedule::lazy_aggressive;
}
constexpr bool is_aggressive(paper_schedule of) {
  return of == paper_schedule::greedy_aggressive || of == paper_schedule::lazy_aggressive;
}

/// Step k of the largest matrix. Blocks of which no matrix has begun, or all have ended, end at once (the
/// paper's ETM-classic). AGGRESSIVE: so do threads of others that have no row.
///
/// Thread map  (rows that remain of the largest / ROWS, tbc); the rest as for potrf_panel_exclusive
/// Source      section 4 of Abdelfattah et al. (ICCS 2016)
template <class T, int IB, int THREADS, int ROWS, bool AGGRESSIVE>
__global__ void __launch_bounds__(THREADS)
    potrf_panel_vbatched(std::int64_t first_block, uplo uplo, variable_batch<T> A, int* info_array, int k,
                         step_schedule when, subset s) {
  const int position = s.first() + static_cast<int>(first_block + blockIdx.x) * static_cast<int>(blockDim.y) +
                       static_cast<int>(threadIdx.y);
  T* const sB = shared_memory<T>() + threadIdx.y * panel_elements(IB);
  int b = 0, i = 0, info = 0;
  single<T> mine({nullptr, 0, 0, 1});
  if (position < s.end()) {
    b = s.number(position);
    mine = single<T>(A[b]);
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

/// The matrices of a class, all of which are legal.
template <class T, class Line, uplo UPLO>
int launch_family(panel_exclusive p, Line, stored_as<UPLO>, const mixed_sizes<T>& source, int* info, queue q,
                  no_epilogue) {
  constexpr panel_exclusive kernel = Line::kernel;
  constexpr bool aggressive = is_aggressive(Line::line.schedule);
  const step_schedule when = {source.lazy, ceil_div(source.bound, p.ib), p.ib};
  for (int k = 0; k < source.bound; k += p.ib) {
    const int status = launch<potrf_panel_vbatched<T, kernel.ib, kernel.threads, kernel.rows, aggressive>>(
        {}, ceil_div<std::int64_t>(source.A.count, p.tbc),
        panel_threads(when.steps * p.ib - k, p.rows, p.tbc),
        static_cast<std::size_t>(p.tbc) * panel_bytes<T, kernel.ib>, q, UPLO, source.A, info, k, when,
        source.s);
    if (status != 0) return status;
  }
  return 0;
}

}  // namespace talus::cuda::figures
