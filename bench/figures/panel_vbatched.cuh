// The paper's mixed-size Cholesky: the fused panel kernel, one launch per step of the largest matrix, with
// its two ways to schedule and to end early.
#pragma once

#include <algorithm>

#include "figures/panel.cuh"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda::figures {

/// Of the paper. Greedy: every matrix begins with the first step; lazy: every one ends with the last.
/// Classic: idle blocks end early; aggressive: idle threads of others, too.
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

/// Step k of the largest matrix of a class, all of which are legal (section 4 of the paper).
template <class T>
struct mixed_step {
  variable_batch<T> A;
  subset s;
  step_schedule when;
  int k;
  __device__ at_step<T> operator[](std::int64_t position) const {
    const int place = s.first() + static_cast<int>(position);
    if (place >= s.end()) return {-1, {nullptr, 0, 0, 1}, 0};
    const int b = s.number(place);
    const matrix<T> mine = A[b];
    return {b, mine, when.column(k, mine.n)};
  }
};

template <class T, class Line, uplo UPLO>
int launch_family(panel_exclusive p, Line, stored_as<UPLO>, const mixed_sizes<T>& source, int* info, queue q,
                  no_epilogue) {
  constexpr bool aggressive = is_aggressive(Line::line.schedule);
  const step_schedule when = {source.lazy, ceil_div(source.bound, p.ib), p.ib};
  for (int k = 0; k < source.bound; k += p.ib) {
    const mixed_step<T> step = {source.A, source.s, when, k};
    const int status =
        launch_panel<T, Line, aggressive>(UPLO, step, source.A.count, when.steps * p.ib - k, info, q);
    if (status != 0) return status;
  }
  return 0;
}

}  // namespace talus::cuda::figures
