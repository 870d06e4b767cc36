// Tasks of a few large matrices, which resident blocks, or clusters of them, share: each takes the next task
// off the queue of a matrix, works on it once what it needs is there, and tells what is there then. Knows no
// routine.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "gpu/cluster.cuh"
#include "gpu/launch.cuh"
#include "gpu/task_queue.hpp"

namespace talus::cuda {

/// What another block has written before it told so, can be read after this.
__device__ inline int told(const int* place) {
  int x;
#if __CUDA_ARCH__ >= 700
  asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(x) : "l"(place) : "memory");
#else
  x = *reinterpret_cast<const volatile int*>(place);
  __threadfence();
#endif
  return x;
}
/// All that this thread has written, or seen written, can be read by who is told x.
__device__ inline void tell(int* place, int x) {
#if __CUDA_ARCH__ >= 700
  asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(place), "r"(x) : "memory");
#else
  __threadfence();
  *reinterpret_cast<volatile int*>(place) = x;
#endif
}

/// The queues of a launch. Matrices have positions 0, 1, ...; slot s serves positions s, s + slots, ..., one
/// after the other. A slot serves the next position when all tasks of the previous position are finished. So
/// the size of the scratch does not depend on the number of matrices. All words begin as 0.
///
///   word of a slot  | written by                                  | read by            | set to 0
///   taken           | a block that wants a task: adds 1 and gets  | all blocks         | never: finish()
///                   | its ticket; finish(): the next round        |                    | adds a round
///   finished        | a block that has finished a task: adds 1    | the same blocks,   | finish()
///                   |                                             | the routine        |
///   failed          | the task in which the matrix fails          | later tasks        | finish()
///   progress[unit]  | tasks of the routine                        | later tasks        | finish()
///
/// finish() is the end of the last task of a position. All tasks of the position are finished, and no block
/// has a task of the next position before finish() writes `taken`. So finish() sets the other words first.
struct task_queue {
  unsigned long long* taken;  // task_ticket
  int* finished;              // number of finished tasks of the position
  int* failed;                // 0, or a number that the routine defines
  int* progress;              // `units` numbers of each slot
  int slots, units;

  __device__ int* progress_of(int slot) const { return progress + static_cast<std::ptrdiff_t>(slot) * units; }
};

/// A task that a block has taken: which of its matrix.
struct task_of_matrix {
  int slot, position, number;
};

/// Goes through all tasks of `positions` matrices, of which number_of_tasks(position) says how many each has:
/// work(task) for those that this block takes, in the order of their numbers within a matrix. So a task may
/// wait for any with a smaller number: that one has been taken before, by a block that runs. All threads of a
/// block call, and do the work together; unless ALONE, so do the blocks of a cluster.
///
/// A block begins with a matrix of its own share of all, stays while that has tasks, and goes on to the next.
template <bool ALONE = true, class NumberOfTasks, class Work>
__device__ __forceinline__ void for_each_task(const task_queue& queue, int positions,
                                              NumberOfTasks number_of_tasks, Work work) {
  __shared__ task_of_matrix shared_task;
  const int slots = min(queue.slots, positions), lane = static_cast<int>(threadIdx.x % 32);
  const auto has_task = [&](int slot, task_ticket ticket) {
    const int position = ticket.position(slot, queue.slots, positions);
    return position < positions && ticket.number() < number_of_tasks(position);
  };
  // Of the position that this block works on: counted once.
  int counted_position = -1, counted = 0;
  const auto tasks_of = [&](int position) {
    if (position != counted_position) {
      counted_position = position;
      counted = position < positions ? number_of_tasks(position) : 0;
      assert(counted >= 0 && static_cast<unsigned>(counted) + gridDim.x <= task_ticket::most_tasks);
    }
    return counted;
  };
  const cluster_size<ALONE> blocks;
  const bool leads = ALONE || rank_in_cluster() == 0;
  const auto synchronize = [] {
    if constexpr (ALONE) {
      __syncthreads();
    } else {
      synchronize_cluster();
    }
  };
  int slot = static_cast<int>(static_cast<long long>(blocks.quotient(static_cast<int>(blockIdx.x))) * slots /
                              blocks.quotient(static_cast<int>(gridDim.x)));
  // How far on the next slot is that has a task; 0: none has.
  const auto steps_to_next = [&] {
    for (int first = 1; first <= slots; first += 32) {
      const int other = (slot + first + lane) % slots;
      const auto taken = *reinterpret_cast<const volatile unsigned long long*>(queue.taken + other);
      const unsigned with_task = __ballot_sync(~0u, first + lane <= slots && has_task(other, {taken}));
      if (with_task != 0) return first + __ffs(static_cast<int>(with_task)) - 1;
    }
    return 0;
  };
  const auto take = [&]() -> task_of_matrix {  // by the first warp; position -1: there is none
    while (true) {
      unsigned long long taken = 0;
      if (lane == 0) taken = atomicAdd(queue.taken + slot, 1ull);
      const task_ticket ticket = {__shfl_sync(~0u, taken, 0)};
      const int position = ticket.position(slot, queue.slots, positions), number = ticket.number();
      if (number < tasks_of(position)) return {slot, position, number};
      const int steps = steps_to_next();
      if (steps == 0) return {0, -1, 0};
      slot = (slot + steps) % slots;
    }
  };
  while (true) {
    if (leads && threadIdx.x < 32) {
      const task_of_matrix mine = take();
      if (lane < blocks.count()) *(ALONE ? &shared_task : in_block(lane, &shared_task)) = mine;
    }
    synchronize();
    const task_of_matrix task = shared_task;
    synchronize();
    if (task.position < 0) return;
    work(task);
    synchronize();
    if (leads && threadIdx.x < 32) {
      int finished = 0;
      if (lane == 0) {
        __threadfence();
        finished = atomicAdd(queue.finished + task.slot, 1) + 1;
      }
      assert(lane != 0 || finished <= tasks_of(task.position));
      if (__shfl_sync(~0u, finished, 0) == tasks_of(task.position)) {  // finish()
        int* const progress = queue.progress_of(task.slot);
        for (int unit = lane; unit < queue.units; unit += 32) progress[unit] = 0;
        __threadfence();
        __syncwarp();
        if (lane == 0) {
          queue.failed[task.slot] = 0;
          queue.finished[task.slot] = 0;
          __threadfence();
          const task_ticket next = task_ticket::after(task.position, queue.slots);
          atomicExch(queue.taken + task.slot, next.word);
        }
      }
    }
  }
}

/// launch(source) for `count` matrices of a source, as many at a time as positions are numbered.
template <class Source, class Launch>
int launch_in_parts(Source source, std::int64_t count, Launch launch) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  for (source.positions.first = 0; source.positions.first < count; source.positions.first += most) {
    source.positions.most = static_cast<int>(std::min(most, count - source.positions.first));
    if (const int status = launch(source)) return status;
  }
  return 0;
}

/// The queues in scratch of task_queue_bytes(count, units), all of them empty.
inline int make_task_queue(task_queue& made, void* scratch, std::int64_t count, int units, ::talus::queue q) {
  const int slots = task_queue_slots(count);
  const std::size_t n = static_cast<std::size_t>(slots);
  made.taken = static_cast<unsigned long long*>(scratch);
  made.finished = reinterpret_cast<int*>(made.taken + n);
  made.failed = made.finished + n;
  made.progress = made.failed + n;
  made.slots = slots;
  made.units = units;
  return reported(
      cudaMemsetAsync(scratch, 0, task_queue_bytes(count, units), static_cast<cudaStream_t>(q.stream)));
}

}  // namespace talus::cuda
