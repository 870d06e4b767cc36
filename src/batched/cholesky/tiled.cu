// The kernels of tiled.hpp: Cholesky by tasks, for matrices and fronts of one size and of mixed sizes. They
// are compiled once for potrf, potrf_partial and their calls on mixed sizes.
#include "batched/cholesky/pieces/front.cuh"
#include "batched/cholesky/pieces/front_tasks.hpp"
#include "batched/cholesky/pieces/syrk_potrf.cuh"
#include "batched/cholesky/pieces/syrk_trsm.cuh"
#include "batched/cholesky/pieces/tiled_fronts.cuh"
#include "gpu/scratch.cuh"
#include "gpu/task_queue.cuh"
#include "vbatched/cholesky/potrf.hpp"
#include "vbatched/cholesky/potrf_partial.hpp"

namespace talus::cuda {
namespace cholesky {
namespace {

/// Compile-time parameters of the kernel.
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

/// Rows of units that a task reads. At least `known` columns of units are finished in each of these rows.
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
  /// Waits until `columns` columns are finished.
  __device__ void wait_for(int columns) {
    while (!are_there(columns)) continue;
  }
};

/// Performs one task of a front.
///
/// Thread map  as factor_diagonal_block with two groups, or as update_row_block
/// Info        j: as LAPACK, by the task of the diagonal block. After a failure, row tasks of its column and
///             all tasks of later columns leave the front unchanged
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
  // The column that failed, counted from 1; 0: none. It is loaded when the inputs of this task are complete,
  // and used after all products are summed.
  int failed_column = 0;
  const auto ask_for_failure = [&] {
    failed_column = *static_cast<const volatile int*>(queue.failed + mine.slot);
  };
  const auto goes_on = [&] {  // false if a pivot failed in this column or before
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
/// Launch      at most the blocks that the device holds at once; task_queue_bytes of scratch
/// Barriers    as do_task; counters in memory publish the finished columns of each row of units
/// Info        j: as LAPACK
/// Source      tile algorithms: Buttari, Langou, Kurzak, Dongarra (2009), here left-looking
/// Bound by    with few matrices the chain of diagonal blocks; with large ones the first-level cache
template <class T, class Policy, uplo UPLO>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    potrf_tiled(std::int64_t, tiled_fronts<T> source, int* info_array, task_queue queue) {
  using tasks = front_tasks<Policy::UNITS_OF_BLOCK>;
  source.positions.begin();
  for_each_task(
      queue, source.positions.count(),
      [&](int position) {
        return tasks::of(source.front_at(source.positions.number(position)), Policy::NB).count();
      },
      [&](const task_of_matrix& mine) {
        const std::int64_t b = source.positions.number(mine.position);
        do_task<T, Policy, UPLO>(source.front_at(b), queue, mine, info_array + b);
      });
  source.positions.end();
}

/// Launches blocks that the device runs all at once. The queues follow the order of the call in its scratch.
template <class T, class Policy, uplo UPLO>
int launch_over(const tiled_fronts<T>& fronts, int* info, queue q) {
  constexpr std::int64_t shared = 192 * 1024, needed = Policy::BLOCKS * (Policy::bytes + 1024);
  const launch_options how = {false, fronts.A.is_equal() ? std::max(needed, shared) : all_shared};
  const dim3 threads(Policy::THREADS);
  const std::int64_t units = fronts.order_max / Policy::NB + 2, positions = fronts.positions.most;
  const scratch work(q, task_queue_bytes(positions, units), fronts.offset_of_scratch);
  if (work.status != 0) return work.status;
  task_queue tasks = {};
  std::int64_t room = 0;
  if (const int status = blocks_at_once<potrf_tiled<T, Policy, UPLO>>(how, threads, Policy::bytes, q, room,
                                                                      fronts, info, tasks))
    return status;
  if (const int status = make_task_queue(tasks, work.memory(), positions, static_cast<int>(units), q))
    return status;
  const std::int64_t most_tasks = positions * (units * (units + 1) / 2);
  return launch<potrf_tiled<T, Policy, UPLO>>(how, std::min(room, most_tasks), threads, Policy::bytes, q,
                                              fronts, info, tasks);
}

/// True if a line of the tables has the kernel for `tiles` tiles of a warp.
template <class Tables>
constexpr bool has_line(int tiles) {
  for (const auto& line : Tables::template lines<TALUS_T>) {
    if (const auto* kernel = std::get_if<tiled>(&line.kernel); kernel != nullptr && kernel->tiles == tiles)
      return true;
  }
  return false;
}

template <int TILES, class T>
int launch_of(const tiled_fronts<T>& fronts, int* info, queue q) {
  if constexpr (has_line<potrf_tables>(TILES) || has_line<potrf_partial_tables>(TILES) ||
                has_line<potrf_vbatched_tables>(TILES) || has_line<potrf_partial_vbatched_tables>(TILES)) {
    using policy = tiled_policy<T, TILES>;
    if (fronts.uplo == uplo::lower) return launch_over<T, policy, uplo::lower>(fronts, info, q);
#ifndef TALUS_ONE_FORM
    return launch_over<T, policy, uplo::upper>(fronts, info, q);
#endif
  }
  return err_unsupported;
}

}  // namespace

using D = device_t<TALUS_T>;

template <>
int launch_tiled(int tiles, const tiled_fronts<D>& fronts, int* info, queue q) {
  switch (tiles) {
    case 1:
      return launch_of<1>(fronts, info, q);
    case 2:
      return launch_of<2>(fronts, info, q);
    case 3:
      return launch_of<3>(fronts, info, q);
    case 4:
      return launch_of<4>(fronts, info, q);
    default:
      return err_unsupported;
  }
}

}  // namespace cholesky
}  // namespace talus::cuda
