// The kernels of blocked.hpp.
#pragma once

#include "batched/lu/families/blocked.hpp"
#include "batched/lu/families/smem.cuh"
#include "batched/lu/pieces/panels.cuh"

namespace talus::cuda::lu {

/// Columns of a strip, which a block updates.
constexpr int strip_columns = 32;

/// What the kernels are compiled for.
template <int WARPS_, int ROWS_>
struct blocked_policy {
  static constexpr int WARPS = WARPS_, ROWS = ROWS_;
};

/// Bytes of shared memory of a panel.
inline std::size_t panel_bytes(int m, int nb, std::size_t element_size) {
  return static_cast<std::size_t>(smem_pitch(m, element_size)) * static_cast<std::size_t>(nb) * element_size;
}
/// Columns that fit in shared memory with m rows, at most nb: none, or a multiple of 8.
inline int columns_that_fit(int m, int nb, std::size_t element_size, std::size_t shared_bytes) {
  constexpr std::size_t extra = 4 * 1024;  // pivot rows, moves
  while (nb > 0 && panel_bytes(m, nb, element_size) + extra > shared_bytes) nb -= panel_columns;
  return nb;
}

/// Factors columns k ... k + nb - 1 of every matrix that has any of them to eliminate.
///
/// Thread map  a block per matrix
/// Stored      the panel in shared memory if `resident`, else in place
/// Info        j: as LAPACK; kept if an earlier step had one
/// Source      LAPACK's xGETRF, its panel
/// Bound by    the chain of the panel's pivots
template <class T, class Policy, class Source, class Then>
__global__ void __launch_bounds__(32 * Policy::WARPS)
    getrf_panel(std::int64_t first_block, Source source, int* info_array, Then then, int step, int nb,
                bool resident) {
  source.for_each_at_column(first_block, step, 0, [&](std::int64_t b, const auto& A, int k, int) {
    constexpr int THREADS = 32 * Policy::WARPS;
    __shared__ panel_memory<T, Policy> memory;
    const matrix<T> all = A[b];
    elimination<real_t<T>> each = elimination_of(source, then, b, all.m, all.n);
    const int columns = max(0, min(nb, each.columns - k));
    const matrix<T> stored{&all(k, k), all.m - k, columns, all.lda};
    matrix<T> here = stored;
    if (resident) {
      here.A = shared_memory<T>();
      here.lda = smem_pitch(stored.m, sizeof(T));
      copy_columns<THREADS>(stored.m, columns, [&](int i, int c) { here(i, c) = stored(i, c); });
      __syncthreads();
    }
    const bool is_first = k == 0, leads = threadIdx.x == 0;
    each.columns = columns;
    each.pivot_rows -= k;
    each.ipiv += k;
    const panel_result result = panels<T, Policy>(here, memory, k).eliminate(each);
    if (leads && (is_first || (result.info != 0 && info_array[b] == 0))) info_array[b] = result.info;
    if (!each.exchanges && leads && each.replaced != nullptr)
      *each.replaced = result.replaced + (is_first ? 0 : *each.replaced);
    if (resident) copy_columns<THREADS>(stored.m, columns, [&](int i, int c) { stored(i, c) = here(i, c); });
  });
}

/// What that panel does to all other columns: to its left rows move; to its right they move, the panel's
/// rows are solved with, and what is below is updated.
///
/// Thread map  a block per matrix and strip of 32 columns, which takes every `strips`-th
/// Source      LAPACK's xLASWP, xTRSM and xGEMM in one
/// Bound by    memory
template <class T, class Policy, class Source, class Then>
__global__ void __launch_bounds__(32 * Policy::WARPS)
    getrf_update(std::int64_t first_block, Source source, Then then, int step, int nb, int strips) {
  source.template for_each_row_block<0>(
      first_block, step, 0, 1 << 24, strips, [&](std::int64_t b, const auto& A, int k, int strip, int, int) {
        __shared__ panel_memory<T, Policy> memory;
        __shared__ row_moves moves[blocked::most_nb / panel_columns];
        const matrix<T> all = A[b];
        const elimination<real_t<T>> each = elimination_of(source, then, b, all.m, all.n);
        const int columns = min(nb, each.columns - k);
        if (columns <= 0) return;
        const panels<T, Policy> rest({&all(k, k), all.m - k, all.n - k, all.lda}, memory, k);
        if (each.exchanges) rest.find_moves(columns, each.ipiv + k, moves);
        for (int c = strip * strip_columns - k; c < rest.n; c += strips * strip_columns) {
          const int end = min(rest.n, c + strip_columns);
          if (each.exchanges && c < 0) rest.apply(true, columns, moves, c, min(end, 0));
          if (end > columns) rest.apply(each.exchanges, columns, moves, max(c, columns), end);
        }
      });
}

template <class Line, int, class Source, class Then>
int blocked::launch(Source matrices, int* info, queue q, Then then) {
  using T = typename Source::element;
  constexpr blocked p = Line::kernel;
  using policy = blocked_policy<p.warps, p.rows>;
  std::size_t shared = 0;
  if (const int status = shared_memory_limit(shared)) return status;
  const extents<2> most = largest_of(matrices);
  const int fit = columns_that_fit(most[0], p.nb, sizeof(T), shared), nb = std::max(fit, panel_columns);
  const bool resident = fit > 0;
  const std::size_t bytes = resident ? panel_bytes(most[0], nb, sizeof(T)) : 0;
  const auto source = matrices.in_steps(nb);
  using stepping = std::decay_t<decltype(source)>;
  const int steps = ceil_div(columns_of(matrices, then), nb), threads = 32 * p.warps;
  const int strips = std::min(ceil_div(most[1], strip_columns), 1 << 20);
  for (int step = 0; step < steps; ++step) {
    if (const int status = launch_step<getrf_panel<T, policy, stepping, Then>>(
            {}, source, 1, threads, bytes, q, info, then, step * nb, nb, resident))
      return status;
    if (const int status = launch_step<getrf_update<T, policy, stepping, Then>>(
            {}, source, strips, threads, 0, q, then, step * nb, nb, strips))
      return status;
  }
  return 0;
}

}  // namespace talus::cuda::lu
