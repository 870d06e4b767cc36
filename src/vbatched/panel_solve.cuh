// Solves with factors of mixed sizes: in order, a block per matrix. How is gpu/panel_solve.cuh.
#pragma once

#include "gpu/panel_solve.cuh"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {

constexpr std::size_t solve_shared_bytes = 47 * 1024;  // every device grants that much

/// A block takes one matrix after the other off the queue, and solves for as many right-hand sides at a time
/// as there is room for. Of small ones shared memory lets four be on a multiprocessor: they may take the
/// registers for that.
template <class T, int THREADS, class Factors>
__global__ void __launch_bounds__(THREADS, THREADS < 256 ? 4 : 0)
    solve_in_panels_vbatched(std::int64_t first_block, mixed_sizes<ordered_matrices<const T>> A,
                             variable_batch<T> B, int* info_array, Factors factors) {
  constexpr int room = solve_shared_bytes / sizeof(T) - panel_solve<T, THREADS>::room;
  A.template for_each_of_block<THREADS>(
      first_block, info_array, [&](auto number, const single<const T>& one) {
        const int b = number();
        const matrix<T> X = B[b];
        const int fit = room / one.n;
        const int columns = max(1, fit > 0 ? min(X.n, fit) : X.n);
        int first = 0;
        do {
          solve_columns<T, THREADS>(factors.of(one.A, b), true, X,
                                    info_array != nullptr ? info_array + b : nullptr, first, columns,
                                    fit > 0);
          __syncthreads();
          first += columns;
        } while (first < X.n);
      });
}

template <int THREADS, class T, class Factors>
int launch_solve(const mixed_sizes<ordered_matrices<const T>>& A, variable_batch<T> B, Factors factors,
                 int* info, queue q) {
  return launch_over<solve_in_panels_vbatched<T, THREADS, Factors>>(A, 1, dim3(THREADS), solve_shared_bytes,
                                                                    0, q, B, info, factors);
}

/// All systems A_b X_b = B_b that `check` finds legal; factors_of(part) are the factors of a part of them.
template <class Check, class FactorsOf>
int solve_classes(Check check, int* info, queue q, FactorsOf factors_of) {
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int largest = check.bounds[0];
  const extents<1> bounds[] = {upto(32), upto(64), upto(any_extent)};
  int classes = 1;
  while (bounds[classes - 1][0] < largest) ++classes;
  launches<Check> each(schedule::queued, check, bounds, classes, info, q);
  while (each.next()) {
    const auto B = on_device(each.part.B);
    const mixed_sizes A{ordered_matrices{on_device(each.part.A), check.bounds}, each.matrices, false};
    const auto factors = factors_of(each.part);
    const int status = each.c == 0   ? launch_solve<32>(A, B, factors, each.info_of_part, q)
                       : each.c == 1 ? launch_solve<64>(A, B, factors, each.info_of_part, q)
                                     : launch_solve<256>(A, B, factors, each.info_of_part, q);
    if (status != 0) return status;
  }
  return each.status;
}

}  // namespace talus::cuda
