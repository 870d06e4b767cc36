// Left-looking blocked Cholesky of matrices of different sizes: the kernels of batched/potrf_blocked.cuh,
// step by step of the largest matrix, greedy or lazy.
#pragma once

#include <algorithm>

#include "batched/potrf_blocked.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {

/// Blocks go from matrix to matrix of the class's part of the order; those of a matrix that has not begun, or
/// has ended, are none. The rest as for syrk_potrf.
template <class T, int NB, int GROUPS, uplo UPLO>
__global__ void __launch_bounds__(syrk_potrf_shape<NB, GROUPS>::THREADS)
    syrk_potrf_vbatched(std::int64_t, variable_batch<T> A, int* info_array, int k, int done, begin when,
                        share s) {
  const int end = s.end();
  for (int position = s.first() + static_cast<int>(blockIdx.x); position < end;
       position += static_cast<int>(gridDim.x)) {
    const int b = s.number(position);
    const single<T> mine(A[b]);
    const int column = when.column(k, mine.n);
    if (column < 0 || column >= mine.n) continue;
    factor_diagonal_block<T, NB, GROUPS, UPLO>(b, mine, info_array, column,
                                               max(0, when.column(done, mine.n)));
    __syncthreads();  // before the next one's tiles come to where these are
  }
  wait_for_kernel_ahead();  // also where there is nothing to do: the kernel that follows counts on it
}

/// As above, for the strips of rows below the diagonal block: `rows` of them from there on, as far as a
/// matrix has them, which are `strips` of the largest. The rest as for syrk_trsm.
template <class T, int NB, int ROWS, uplo UPLO>
__global__ void __launch_bounds__(syrk_trsm_shape<T, NB, ROWS>::THREADS,
                                  syrk_trsm_shape<T, NB, ROWS>::AT_ONCE)
    syrk_trsm_vbatched(std::int64_t, variable_batch<T> A, const int* info_array, int k, int rows, int strips,
                       begin when, share s) {
  constexpr int TILES = syrk_trsm_shape<T, NB, ROWS>::TILES;
  let_next_kernel_start();
  const int first = s.first();
  const std::int64_t items = static_cast<std::int64_t>(s.end() - first) * strips;
  for (std::int64_t item = blockIdx.x; item < items; item += gridDim.x) {
    const int b = s.number(first + static_cast<int>(item / strips)), strip = static_cast<int>(item % strips);
    const single<T> mine(A[b]);
    const int column = when.column(k, mine.n), below = column + NB;
    const int first_tile = below / square_order, end_tile = ceil_div(min(below + rows, mine.n), square_order);
    if (column < 0 || first_tile + strip * TILES >= end_tile) continue;
    solve_strip<T, NB, ROWS, UPLO>(b, strip, mine, info_array, column, first_tile, end_tile);
    __syncthreads();
  }
  wait_for_kernel_ahead();
}

/// Launches KERNEL for `items` at most, by no more blocks than are at once on the device.
template <auto KERNEL, class... Arguments>
int launch_stepping(start when, std::int64_t items, int threads, std::size_t bytes, queue q,
                    Arguments... args) {
  std::int64_t room = 0;
  if (const int status = launch_when<KERNEL>(when, 0, dim3(threads), bytes, q, args...)) return status;
  if (items == 0) return 0;
  if (const int status = blocks_at_once<KERNEL>(dim3(threads), bytes, room)) return status;
  return launch_when<KERNEL>(when, std::min(items, room), dim3(threads), bytes, q, args...);
}

template <class T, int NB, int THREADS, int ROWS>
int launch_potrf_blocked(bool lazy, int n_max, uplo uplo, variable_batch<T> A, int* info, const share& s,
                         queue q) {
  constexpr int DIAGONAL = potrf_blocked_diagonal(sizeof(T), NB);
  constexpr int GROUPS = potrf_blocked_groups(sizeof(T), NB, THREADS);
  constexpr int ROWS_WITHIN = NB == DIAGONAL ? ROWS : 1;
  const begin when{lazy, ceil_div(n_max, NB), NB};
  constexpr std::int64_t shared = 192 * 1024, needed = syrk_trsm_shape<T, NB, ROWS>::on_multiprocessor;
  const start early = {true, needed > shared ? needed : shared};
  const auto diagonal = [&](std::int64_t count, int k, int done) {
    using shape = syrk_potrf_shape<DIAGONAL, GROUPS>;
    constexpr std::size_t bytes = shape::elements * sizeof(T);
    const start how = k == 0 ? start{false, early.shared} : early;
    return uplo == uplo::lower ? launch_stepping<syrk_potrf_vbatched<T, DIAGONAL, GROUPS, uplo::lower>>(
                                     how, count, shape::THREADS, bytes, q, A, info, k, done, when, s)
                               : launch_stepping<syrk_potrf_vbatched<T, DIAGONAL, GROUPS, uplo::upper>>(
                                     how, count, shape::THREADS, bytes, q, A, info, k, done, when, s);
  };
  const auto below = [&](auto nb, auto rows_of_warp, std::int64_t count, int k, int rows) {
    constexpr int WIDTH = decltype(nb)::value, ROWS_OF_WARP = decltype(rows_of_warp)::value;
    using shape = syrk_trsm_shape<T, WIDTH, ROWS_OF_WARP>;
    constexpr std::size_t bytes = shape::elements * sizeof(T);
    const int strips = ceil_div(ceil_div(rows, square_order), shape::TILES);
    return uplo == uplo::lower
               ? launch_stepping<syrk_trsm_vbatched<T, WIDTH, ROWS_OF_WARP, uplo::lower>>(
                     early, count * strips, shape::THREADS, bytes, q, A, info, k, rows, strips, when, s)
               : launch_stepping<syrk_trsm_vbatched<T, WIDTH, ROWS_OF_WARP, uplo::upper>>(
                     early, count * strips, shape::THREADS, bytes, q, A, info, k, rows, strips, when, s);
  };
  constexpr std::integral_constant<int, DIAGONAL> narrow{};
  constexpr std::integral_constant<int, ROWS_WITHIN> within{};
  constexpr std::integral_constant<int, NB> wide{};
  constexpr std::integral_constant<int, ROWS> all{};
  // All made ready before the first changes anything, as in batched/potrf_blocked.cuh.
  for (const int status :
       {diagonal(0, DIAGONAL, 0), below(narrow, within, 0, 0, n_max), below(wide, all, 0, 0, n_max)}) {
    if (status != 0) return status;
  }
  const int end_of_all = when.steps * NB;  // a lazy matrix may be up to a panel behind its place from the end
  int done = 0;
  for (int k = 0; k < end_of_all; k += NB) {
    for (int j = k; j < std::min(k + NB, lazy ? end_of_all : n_max); j += DIAGONAL) {
      if (const int status = diagonal(A.count, j, done)) return status;
      done = j;
      const int rows = k + NB - (j + DIAGONAL);
      if (rows <= 0) continue;
      if (const int status = below(narrow, within, A.count, j, rows)) return status;
    }
    const int rows = end_of_all - (k + NB);
    if (rows <= 0) continue;
    if (const int status = below(wide, all, A.count, k, rows)) return status;
    done = k;
  }
  return 0;
}

}  // namespace talus::cuda
