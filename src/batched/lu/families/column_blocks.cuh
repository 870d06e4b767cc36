// The kernels of column_blocks.hpp.
#pragma once

#include "batched/lu/families/column_blocks.hpp"
#include "batched/lu/pieces/column_blocks/column_task.cuh"
#include "batched/lu/pieces/column_blocks/either_matrices.cuh"
#include "batched/lu/pieces/column_blocks/step.cuh"
#include "batched/lu/pieces/column_blocks/task_list.hpp"
#include "gpu/scratch.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/task_queue.cuh"

namespace talus::cuda::lu {

/// What the kernel is compiled for.
template <class T, bool ALONE_, int NB_, int IB_, int STEP_>
struct column_blocks_policy {
  static constexpr column_blocks line = {ALONE_ ? 1 : 2, NB_, IB_, STEP_};
  static constexpr bool ALONE = ALONE_;  // clusters have one block
  static constexpr int MOST_BLOCKS = ALONE ? 1 : 16;
  static constexpr int NB = NB_, IB = IB_, WARPS = 8, THREADS = 32 * WARPS, STEP = STEP_;
  static constexpr int UNIT = line.unit();
  static constexpr int TILES = NB / square_order, ROW_TILES = UNIT / square_order;
  static constexpr int ROWS = std::min(8, 128 / IB * 4 / static_cast<int>(sizeof(T)));  // per thread, at most
  static constexpr int SLABS = line.slabs(), DEPTH = line.depth();
  static_assert(UNIT % NB == 0);
  using ring = slab_ring<T, ROW_TILES, THREADS, DEPTH * SLABS>;
  // Where in shared memory, in elements: tiles of L11 below its diagonal, what solves with those on it, slabs
  // of L21, and a block of columns.
  static constexpr int below = 0, factored = below + TILES * (TILES - 1) / 2 * square_elements;
  static constexpr int slabs = factored + TILES * factored_elements;
  static constexpr int of_panel = static_cast<int>(sizeof(factoring_memory<T, NB, IB, WARPS>) / sizeof(T));
  static constexpr int resident = std::max(slabs + ring::elements, of_panel);
  // Of other columns than panels a block has tiles of so many rows and columns.
  using tiles = step_policy<T, ALONE>;
  static_assert(tiles::THREADS == THREADS);
  static constexpr int TILE_ROWS = tiles::ROWS, TILE_COLUMNS = tiles::COLUMNS;
  static constexpr std::size_t least_bytes = std::max(resident * sizeof(T), tiles::bytes);
};

/// A matrix, and the actions of its tasks (task_list::perform). A cluster performs each task.
template <class T, class Policy>
struct matrix_tasks {
  using R = real_t<T>;
  using list_t = task_list<Policy>;
  using tiles = typename Policy::tiles;
  static constexpr int NB = Policy::NB, GROUP = list_t::GROUP;
  static constexpr bool ALONE = Policy::ALONE;

  matrix<T> A;
  elimination<R> each;
  list_t list;
  lu_progress progress;
  const int* finished;  // tasks of the matrix that are finished
  int* info;
  std::size_t room;  // elements for a column block in shared memory
  cluster_size<ALONE> blocks = {};
  int rank = ALONE ? 0 : rank_in_cluster();

  __device__ static list_t list_of(const matrix<T>& A, const elimination<R>& each) {
    return {A.m, each.columns, A.n - each.columns, each.exchanges, cluster_size<ALONE>().count()};
  }

  __device__ __forceinline__ void operator()(int number) const {
    if (each.columns == 0 && number == 0 && threadIdx.x == 0) {
      *info = 0;
      if (!each.exchanges && each.replaced != nullptr) *each.replaced = 0;
    }
    const lu_task task = list.at(number);
    assert(task.group < list.groups() && task.step <= list.steps());
    list.perform(task, progress, *this);
  }

  __device__ static void await(const int* counter, int least) {
    if (threadIdx.x == 0) {
      while (told(counter) < least) continue;
    }
    __syncthreads();
  }
  __device__ __forceinline__ void await_finished(int tasks) const { await(finished, tasks); }
  /// Returns the new value of the counter to one thread of the cluster, and 0 to the other threads.
  __device__ static int count(int* counter) {
    __threadfence();
    column_block<T, Policy>::synchronize();
    if (threadIdx.x != 0 || (!ALONE && rank_in_cluster() != 0)) return 0;
    return atomicAdd(counter, 1) + 1;
  }
  __device__ static void count_part(lu_progress::step_parts parts, int step, int all) {
    if (count(parts.finished) != all) return;
    *parts.finished = 0;
    __threadfence();
    tell(parts.steps(), step + 1);
  }
  __device__ __forceinline__ void factor(int s, int number) const {
    column_task<T, Policy>::factor(step(s), number, info);
  }
  __device__ __forceinline__ void exchange_panel(int s, int panel) const {
    exchange<NB>(panel * NB, (panel + 1) * NB, list.end_of(s));
  }
  __device__ __forceinline__ void exchange_step(int s) const {
    exchange<GROUP>(list.begin_of(s), list.end_of(s), each.columns);
  }
  /// Computes U of a group. Each block has some columns.
  __device__ __forceinline__ void solve(int s, int group) const {
    const int each_has = blocks.quotient_up(GROUP), at_once = min(each_has, 32);
    const int first = list.begin_of(s), last = min(each_has * (rank + 1), width_of(group));
    for (int c = each_has * rank; c < last; c += at_once) {
      const int width = min(at_once, last - c);
      T* const columns = &A(0, begin_of(group) + c);
      if (each.exchanges) exchange_rows(columns, A.lda, width, each.ipiv, first, list.end_of(s));
      solve_columns<T, tiles>(&A(first, first), A.lda, list.columns_of(s), columns + first, A.lda, width);
    }
  }
  /// A22 -= L21 * U12 in tiles of a group below the step. Each block updates `count` tiles.
  __device__ __forceinline__ void update(int s, int group, int number, int count) const {
    constexpr int TILES = list_t::TILES;
    const int down = blocks.count() % TILES == 0 ? blocks.count() / TILES : 0;
    const int first = list.begin_of(s), end = list.end_of(s), column = begin_of(group);
    const int all = ceil_div(max(0, A.m - end), tiles::ROWS);
    const auto tile_at = [&](int t) { return list.tile(number, count, t, rank); };
    const update_operands<T> operands = {
        &A(end, first), &A(first, column), &A(end, column), A.lda,      A.lda,
        A.lda,          A.m - end,         width_of(group), end - first};
    for (int t = 0; t < count;) {
      const int i = tile_at(t) / TILES, j = tile_at(t) % TILES;
      if (i >= all) return;
      // If the number of blocks is a multiple of the tiles in a row, the tiles of a block lie below each
      // other.
      const int below = down == 0 ? 1 : min(count - t, ceil_div(all - i, down));
      update_tiles<T, typename tiles::update>(
          operands, from_real<T>(-1), from_real<T>(1),
          {i * tiles::ROWS, j * tiles::COLUMNS, down * tiles::ROWS, below});
      t += below;
    }
  }

 private:
  /// Returns the columns of step s from its first row on.
  __device__ column_task<T, Policy> step(int s) const {
    const int first = list.begin_of(s), columns = list.columns_of(s);
    elimination<R> of_step = each;
    of_step.columns = columns;
    of_step.pivot_rows -= first;
    if (each.exchanges) of_step.ipiv += first;
    return {{&A(first, first), A.m - first, columns, A.lda}, of_step, first, progress.panels(), room};
  }
  /// Returns the first column of a group.
  __device__ int begin_of(int group) const {
    const int steps = list.steps();
    return group < steps ? group * GROUP : each.columns + (group - steps) * GROUP;
  }
  __device__ int width_of(int group) const {
    return group < list.steps() ? list.columns_of(group) : min(GROUP, A.n - begin_of(group));
  }

  /// Exchanges rows of WIDTH columns as pivots begin ... end - 1 require. Each block has some columns.
  template <int WIDTH>
  __device__ __forceinline__ void exchange(int column, int begin, int end) const {
    const int each_has = blocks.quotient_up(WIDTH);
    if (rank * each_has >= WIDTH) return;
    exchange_rows(&A(0, column + rank * each_has), A.lda, each_has, each.ipiv, begin, end);
  }
};

/// LU of the first columns of each matrix. Panels of a step are left-looking, steps and what is in a panel
/// are right-looking.
///
/// Thread map  a cluster per task, task after task. In a panel, each block of the cluster has every blocks-th
///             unit of rows; in other columns, each block has its own tiles
/// Stored      a panel in the shared memory of the cluster if it fits, else where it is
/// Launch      as many clusters as the device holds at once; task_queue_bytes of scratch. room: elements that
///             a block has for columns
/// Barriers    those of a task; clusters tell each other in memory how far a matrix is
/// Info        j: as LAPACK
/// Source      LAPACK's xGETRF
/// Bound by    with few matrices the chain of pivots; with large ones the latency of tiles' updates
template <class T, class Policy>
__global__ void __launch_bounds__(Policy::THREADS, 1)
    getrf_column_blocks(std::int64_t, either_matrices<T> source, int* info_array, task_queue queue,
                        std::size_t room) {
  using tasks_t = matrix_tasks<T, Policy>;
  auto& memory = memory_of_block<T, Policy>();
  if (threadIdx.x == 0) {
    memory.offers.count = 0;
    memory.rounds = 0;
    for (arrivals& a : memory.offers.arrived) a.open();
    memory.moved.open();
  }
  column_block<T, Policy>::synchronize();
  source.positions.begin();
  for_each_task<Policy::ALONE>(
      queue, source.positions.count(),
      [&](int position) {
        const auto b = source.positions.number(position);
        return tasks_t::list_of(source.matrix_at(b), source.elimination_at(b)).count();
      },
      [&](const task_of_matrix& mine) {
        const auto b = source.positions.number(mine.position);
        const matrix<T> A = source.matrix_at(b);
        const auto each = source.elimination_at(b);
        const tasks_t tasks{A,
                            each,
                            tasks_t::list_of(A, each),
                            {queue.progress_of(mine.slot)},
                            queue.finished + mine.slot,
                            info_array + b,
                            room};
        tasks(mine.number);
      });
  source.positions.end();
}

/// Launches as many clusters as the device holds at once.
template <class T, class Policy>
int launch_column_blocks(const either_matrices<T>& matrices, int blocks, int* info, queue q) {
  constexpr std::size_t of_variables = sizeof(column_block_memory<T, Policy>) + 1024;
  std::size_t shared = 0;
  if (const int status = shared_memory_limit(shared)) return status;
  if (shared < Policy::least_bytes + of_variables) return err_unsupported;
  shared = (shared - of_variables) / 128 * 128;
  const launch_options how = {false, all_shared, blocks};
  const dim3 threads(Policy::THREADS);
  const scratch work(q, lu_work_bytes(matrices.positions.most), matrices.offset);
  if (work.status != 0) return work.status;
  const std::size_t room = shared / sizeof(T) - Policy::resident;
  task_queue tasks = {};
  std::int64_t clusters = 0;
  if (const int status = clusters_at_once<getrf_column_blocks<T, Policy>>(how, threads, shared, q, clusters,
                                                                          matrices, info, tasks, room))
    return status;
  if (const int status = make_task_queue(tasks, work.memory(), matrices.positions.most, lu_progress::size, q))
    return status;
  return launch<getrf_column_blocks<T, Policy>>(how, clusters * blocks, threads, shared, q, matrices, info,
                                                tasks, room);
}

template <class Line, int, class Source, class Then>
int column_blocks::launch(Source source, int* info, queue q, Then) {
  using T = typename Source::element;
  constexpr column_blocks p = Line::kernel;
  using policy = column_blocks_policy<T, p.blocks == 1, p.nb, p.ib, p.step>;
  static_assert(sizeof(column_block_memory<T, policy>) + policy::least_bytes + 1024 <= p.bytes(sizeof(T)));
  // For a GPU, or a part of a GPU, that cannot run clusters of more than 8 blocks.
  constexpr bool large = p.blocks > most_of_cluster;
  using smaller =
      std::conditional_t<large, column_blocks_policy<T, false, 32, std::min(p.ib, 16), p.step>, policy>;
  return launch_in_parts(source, source.A.equal.count, [&](const Source& matrices) {
    const int status = launch_column_blocks<T, policy>(matrices, p.blocks, info, q);
    return large && status == err_unsupported
               ? launch_column_blocks<T, smaller>(matrices, most_of_cluster, info, q)
               : status;
  });
}

}  // namespace talus::cuda::lu
