// The kernels of tiled.hpp.
#pragma once

#include "batched/cholesky/families/tiled.hpp"
#include "batched/cholesky/pieces/front.cuh"
#include "batched/cholesky/pieces/syrk_potrf.cuh"
#include "batched/cholesky/pieces/syrk_trsm.cuh"
#include "gpu/scratch.cuh"
#include "gpu/task_queue.cuh"

namespace talus::cuda::cholesky {

/// What the kernel is compiled for.
template <class T, int ROWS_>
struct tiled_policy {
  static constexpr int NB = front_unit(sizeof(T)), TILES_OF_UNIT = NB / square_order, ROWS = ROWS_;
  using diagonal = syrk_potrf_shape<NB, 2>;
  using rows = syrk_trsm_shape<T, NB, ROWS>;
  static constexpr int THREADS = rows::THREADS, BLOCKS = rows::BLOCKS;
  static constexpr int UNITS_OF_BLOCK = rows::TILES / TILES_OF_UNIT;
  static_assert(diagonal::THREADS <= THREADS);
  static constexpr std::size_t bytes =
      sizeof(T) * (diagonal::elements > rows::elements ? diagonal::elements : rows::elements);
};

/// How many columns of units are there of some rows of units, which a task needs: known, or told.
struct awaited_rows {
  const int* progress[3];
  int known = 0;

  __device__ bool are_there(int columns) {
    if (known < columns) {
      int now = told(progress[0]);
      if (progress[1] != progress[0]) now = min(now, told(progress[1]));
      if (progress[2] != progress[1]) now = min(now, told(progress[2]));
      known = uniform(now);
    }
    return known >= columns;
  }
  /// Until there are so many.
  __device__ void wait_for(int columns) {
    while (!are_there(columns)) continue;
  }
};

/// One task of a front.
///
/// Thread map  that of factor_diagonal_block, with two groups, or of update_row_block
/// Info        j: as LAPACK, by the task of the diagonal block. Tasks of later columns find that the front
///             has failed, and leave all as it is
template <class T, class Policy, uplo UPLO>
__device__ __forceinline__ void do_task(const front<T>& A, const task_queue& queue,
                                        const task_of_matrix& mine, int* info) {
  constexpr int NB = Policy::NB, OF_UNIT = Policy::TILES_OF_UNIT, OF_BLOCK = Policy::UNITS_OF_BLOCK;
  const auto tasks = front_tasks<OF_BLOCK>::of(A, NB);
  const auto task = tasks.at(mine.number);
  const int lane = static_cast<int>(threadIdx.x % 32);
  int* const progress = queue.progress_of(mine.slot);
  const int column = task.column, pivots = tasks.pivots;
  const stored_front<T> stored(UPLO, A, pivots * OF_UNIT, tile_lane(lane));
  // The column that failed, counted from 1, or 0: asked for when what this task needs is there, looked at
  // when all is summed up.
  int failed_column = 0;
  const auto ask_for_failure = [&] {
    failed_column = *static_cast<const volatile int*>(queue.failed + mine.slot);
  };
  const auto goes_on = [&] {  // unless a pivot failed in this column or before
    return failed_column == 0 || column + 1 < failed_column;
  };
  if (task.row_block < 0) {
    if (threadIdx.x < Policy::diagonal::THREADS) {
      awaited_rows rows = {{progress + column, progress + column, progress + column}};
      bool fine = true, asked = false;
      const int failed = factor_diagonal_block<T, NB, 2, UPLO>(
          stored, A.k, column * OF_UNIT,
          [&](int slab, bool waits) {
            const int columns = min(slab / OF_UNIT + 1, column);
            if (waits) rows.wait_for(columns);
            const bool there = waits || rows.are_there(columns);
            if (there && columns == column && !asked) {
              ask_for_failure();
              asked = true;
            }
            return there;
          },
          [&] { return fine = goes_on(); });
      if (threadIdx.x == 0 && fine && (failed > 0 || column == 0)) {
        *info = failed;
        if (failed > 0) tell(queue.failed + mine.slot, column + 1);
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) tell(progress + column, column + 1);
    return;
  }
  const bool solves = column < pivots;
  const int first = solves ? column + 1 : column, unit = first + task.row_block * OF_BLOCK;
  awaited_rows rows = {
      {progress + column, progress + unit, progress + min(unit + OF_BLOCK, tasks.units) - 1}};
  static_assert(OF_BLOCK <= 2);
  const int left = solves ? column * OF_UNIT : ceil_div(A.k, square_order);
  const int needed = solves ? column : pivots;
  update_row_block<T, NB, Policy::ROWS, UPLO>(
      stored, {first * OF_UNIT, tasks.units * OF_UNIT, task.row_block, column * OF_UNIT, left}, solves,
      [&](int slab) {
        rows.wait_for(min(slab / OF_UNIT + 1, needed));
        if (!solves && slab == left) ask_for_failure();
      },
      [&] {
        while (told(progress + column) <= column) continue;
        ask_for_failure();
      },
      goes_on);
  __syncthreads();
  if (solves && static_cast<int>(threadIdx.x) < OF_BLOCK &&
      unit + static_cast<int>(threadIdx.x) < tasks.units)
    tell(progress + unit + threadIdx.x, column + 1);
}

/// Left-looking Cholesky of the first k columns of each front, by tiles.
///
/// Thread map  a block per task, task after task
/// Launch      as many blocks as the device holds at once; task_queue_bytes of scratch
/// Barriers    those of a task; blocks tell each other in memory how many columns of a row are there
/// Info        j: as LAPACK
/// Source      tile algorithms: Buttari, Langou, Kurzak, Dongarra (2009), here left-looking
/// Bound by    with few matrices the chain of diagonal blocks; with large ones the first-level cache
template <class T, class Policy, uplo UPLO, class Source>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    potrf_tiled(std::int64_t, Source source, int* info_array, task_queue queue) {
  using tasks = front_tasks<Policy::UNITS_OF_BLOCK>;
  source.positions.begin();
  for_each_task(
      queue, source.positions.count(),
      [&](int position) {
        return tasks::of(source.front_at(source.positions.number(position)), Policy::NB).count();
      },
      [&](const task_of_matrix& mine) {
        const auto b = source.positions.number(mine.position);
        do_task<T, Policy, UPLO>(source.front_at(b), queue, mine, info_array + b);
      });
  source.positions.end();
}

/// Queues behind what the order of a call takes of its scratch, if it has one; blocks as many as the device
/// holds at once.
template <class T, class Policy, uplo UPLO, class Fronts>
int launch_tiled(const Fronts& fronts, int* info, queue q) {
  constexpr std::int64_t shared = 192 * 1024, needed = Policy::BLOCKS * (Policy::bytes + 1024);
  const launch_options how = {false, Fronts::equal ? std::max(needed, shared) : all_shared};
  const dim3 threads(Policy::THREADS);
  const std::int64_t units = fronts.order_max() / Policy::NB + 2, positions = fronts.positions.most;
  const scratch work(q, task_queue_bytes(positions, units), fronts.offset_of_scratch());
  if (work.status != 0) return work.status;
  task_queue tasks = {};
  std::int64_t room = 0;
  if (const int status = blocks_at_once<potrf_tiled<T, Policy, UPLO, Fronts>>(how, threads, Policy::bytes, q,
                                                                              room, fronts, info, tasks))
    return status;
  if (const int status = make_task_queue(tasks, work.memory(), positions, static_cast<int>(units), q))
    return status;
  const std::int64_t most_tasks = positions * (units * (units + 1) / 2);
  return launch<potrf_tiled<T, Policy, UPLO, Fronts>>(how, std::min(room, most_tasks), threads, Policy::bytes,
                                                      q, fronts, info, tasks);
}

template <class Line, uplo UPLO, class Source, class Then>
int tiled::launch(Source source, int* info, queue q, Then) {
  using T = typename Source::element;
  using policy = tiled_policy<T, Line::kernel.tiles>;
  return launch_in_parts(as_fronts(UPLO, source), source.count(),
                         [&](const auto& fronts) { return launch_tiled<T, policy, UPLO>(fronts, info, q); });
}

}  // namespace talus::cuda::cholesky
