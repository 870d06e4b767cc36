// The kernels of warp.hpp.
#pragma once

#include "batched/lu/families/warp.hpp"
#include "batched/lu/pieces/pivot.cuh"
#include "batched/lu/pieces/rows.cuh"

namespace talus::cuda::lu {

/// What the kernel is compiled for.
template <int LANES_, int ROWS_, int COLUMNS_, int BLOCKS_>
struct warp_policy {
  static constexpr int LANES = LANES_, ROWS = ROWS_, COLUMNS = COLUMNS_, BLOCKS = BLOCKS_;
};

/// Right-looking LU of matrix b, if it exists, column by column.
///
/// Thread map  (LANES, tbc): thread (i, t) owns rows i, i + LANES, ... of matrix tbc * block + t
/// Stored      the rows in registers; in shared memory, if not shuffled, the pivot's row, two of them in turn
/// Launch      ceil(count / tbc) blocks
/// Needs       m <= LANES * ROWS, n <= COLUMNS
/// Barriers    one per column, of the warp
/// Info        j: as LAPACK; the elimination goes on
/// Source      LAPACK's xGETF2 with implicit pivoting: no row moves before it is stored
/// Bound by    the chain from one pivot to the next, and memory
template <class T, class Policy, bool EXCHANGES, bool EQUAL, class Epilogue>
__device__ __forceinline__ void eliminate_in_warp(const matrix<T>& A, const elimination<real_t<T>>& each,
                                                  std::int64_t b, bool exists, int* info_array,
                                                  const Epilogue& then) {
  constexpr int LANES = Policy::LANES, ROWS = Policy::ROWS, N = Policy::COLUMNS;
  using rows_t = thread_rows<T, rows_shape<LANES, 1, ROWS, N>>;
  rows_t rows(static_cast<int>(threadIdx.x));
  const int m = exists ? A.m : 0, n = exists ? A.n : 0, columns = exists ? each.columns : 0;
  T* const stored = A.A;
  const std::ptrdiff_t lda = A.lda;
#pragma unroll
  for (int u = 0; u < ROWS; ++u) {
    const int i = rows.thread + u * LANES;
    rows.position[u] = i < m ? i : rows_t::no_position;
    const T* place = stored + i;
#pragma unroll
    for (int c = 0; c < N; ++c, place += lda) {
      rows.a[u][c] = T{};
      if (i < m && c < n) rows.a[u][c] = *place;
    }
  }
  const int columns_of_all = static_cast<int>(largest_of_group<32>(static_cast<unsigned>(columns)));
  auto& exchange = shared_memory<typename rows_t::exchange_t>()[threadIdx.y];
  rows.template eliminate<EXCHANGES ? pivoting::partial : pivoting::none, EQUAL>(
      columns, columns_of_all, each.pivot_rows, each.floor, exchange);
#pragma unroll
  for (int u = 0; u < ROWS; ++u) {
    T* place = stored + rows.position[u];
#pragma unroll
    for (int c = 0; c < N; ++c, place += lda) {
      if (rows.position[u] != rows_t::no_position && c < n) store_last(place, rows.a[u][c]);
    }
  }
  if (EXCHANGES) {
#pragma unroll
    for (int first = 0; first < N; first += LANES) {
      if (first + rows.thread < columns) each.ipiv[first + rows.thread] = rows.ipiv[first / LANES] + 1;
    }
  } else {
    const int replaced = sum_of_group<LANES>(rows.replaced);
    if (exists && rows.thread == 0 && each.replaced != nullptr) *each.replaced = replaced;
  }
  if (exists && rows.thread == 0) info_array[b] = rows.info;
  if constexpr (Epilogue::solves) then.solve(rows, n, b, exists && rows.info == 0);
}

template <class T, class Policy, bool EXCHANGES, class Source, class Then>
__global__ void __launch_bounds__(128, Policy::BLOCKS)
    getrf_warp(std::int64_t first_block, Source source, int* info_array, Then then) {
  source.template for_each_of_warp<32 / Policy::LANES>(
      first_block, info_array, [&](std::int64_t b, bool exists, const auto& A) {
        const matrix<T> mine = A[exists ? b : 0];
        eliminate_in_warp<T, Policy, EXCHANGES, Source::equal>(
            mine, elimination_of(source, then, exists ? b : 0, mine.m, mine.n), b, exists, info_array, then);
      });
}

template <class Line, int, class Source, class Then>
int warp::launch(Source source, int* info, queue q, Then then) {
  using T = typename Source::element;
  constexpr warp p = Line::kernel;
  using policy = warp_policy<p.lanes, p.rows, p.columns, p.blocks>;
  constexpr bool shuffles = by_shuffles<T, p.lanes, 1, p.columns>;
  constexpr std::size_t bytes = shuffles ? 0 : p.tbc * sizeof(rows_exchange<T, 1, p.columns>);
  constexpr std::int64_t carve_out = Source::equal ? -1 : 0;
  using Epilogue = typename epilogue_of<warp, Then>::type;
  const dim3 threads(p.lanes, p.tbc);
  const Epilogue after(then);
  if (exchanges_rows(source, after))
    return launch_over<getrf_warp<T, policy, true, Source, Epilogue>>(source, p.tbc, threads, bytes,
                                                                      carve_out, q, info, after);
  if constexpr (may_exchange_no_rows<Epilogue>)
    return launch_over<getrf_warp<T, policy, false, Source, Epilogue>>(source, p.tbc, threads, bytes,
                                                                       carve_out, q, info, after);
  return err_unsupported;
}

}  // namespace talus::cuda::lu
