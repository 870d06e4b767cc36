// Tasks of a few large matrices, which resident blocks, or clusters of them, share: each takes the next task
// off the queue of a matrix, works on it once what it needs is there, and tells what is there then. Knows no
// routine.
#pragma once

#include <algorithm>
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
/// after the other, the next one as soon as all tasks of the one before are finished. So scratch does not
/// grow with the number of matrices.
struct task_queue {
  unsigned long long*
      taken;      // of each slot: how many of its positions are finished, and below how many tasks
                  // of the next have been taken
  int* finished;  // tasks of it
  int* failed;    // 0, or what says where its matrix failed
  int* progress;  // of its units, as many as `units`
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
/// block call, and do the work together; BLOCKS: so do the blocks of a cluster.
///
/// A block begins with a matrix of its own share of all, stays while that has tasks, and goes on to the next.
template <int BLOCKS = 1, class NumberOfTasks, class Work>
__device__ __forceinline__ void for_each_task(const task_queue& queue, int positions,
                                              NumberOfTasks number_of_tasks, Work work) {
  constexpr unsigned most_of_matrix = 0x3fffffff;
  __shared__ task_of_matrix shared_task;
  const int slots = min(queue.slots, positions), lane = static_cast<int>(threadIdx.x % 32);
  const auto position_of = [&](int slot, unsigned long long taken) {
    const unsigned long long round = taken >> 32;
    const unsigned long long position =
        round * static_cast<unsigned>(queue.slots) + static_cast<unsigned>(slot);
    return position < static_cast<unsigned>(positions) ? static_cast<int>(position) : positions;
  };
  // Whether the ticket is one of a task.
  const auto is_task = [&](int slot, unsigned long long taken) {
    const int position = position_of(slot, taken);
    return position < positions && static_cast<int>(taken & most_of_matrix) < number_of_tasks(position);
  };
  // Of the position that this block works on: counted once.
  int counted_position = -1, counted = 0;
  const auto tasks_of = [&](int position) {
    if (position != counted_position) {
      counted_position = position;
      counted = position < positions ? number_of_tasks(position) : 0;
    }
    return counted;
  };
  const bool leads = BLOCKS == 1 || rank_in_cluster() == 0;
  const auto synchronize = [] {
    if constexpr (BLOCKS == 1) {
      __syncthreads();
    } else {
      synchronize_cluster();
    }
  };
  int slot = static_cast<int>(static_cast<long long>(blockIdx.x / BLOCKS) * slots / (gridDim.x / BLOCKS));
  // How far on the next slot is that has a task; 0: none has.
  const auto steps_to_next = [&] {
    for (int first = 1; first <= slots; first += 32) {
      const int other = (slot + first + lane) % slots;
      const auto taken = *reinterpret_cast<const volatile unsigned long long*>(queue.taken + other);
      const unsigned with_task = __ballot_sync(~0u, first + lane <= slots && is_task(other, taken));
      if (with_task != 0) return first + __ffs(static_cast<int>(with_task)) - 1;
    }
    return 0;
  };
  const auto take = [&]() -> task_of_matrix {  // by the first warp; position -1: there is none
    while (true) {
      unsigned long long ticket = 0;
      if (lane == 0) ticket = atomicAdd(queue.taken + slot, 1ull);
      ticket = __shfl_sync(~0u, ticket, 0);
      const int position = position_of(slot, ticket), number = static_cast<int>(ticket & most_of_matrix);
      if (number < tasks_of(position)) return {slot, position, number};
      const int steps = steps_to_next();
      if (steps == 0) return {0, -1, 0};
      slot = (slot + steps) % slots;
    }
  };
  while (true) {
    if (leads && threadIdx.x < 32) {
      const task_of_matrix mine = take();
      if (lane < BLOCKS) *(BLOCKS == 1 ? &shared_task : in_block(lane, &shared_task)) = mine;
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
      if (__shfl_sync(~0u, finished, 0) == tasks_of(task.position)) {
        int* const progress = queue.progress_of(task.slot);
        for (int unit = lane; unit < queue.units; unit += 32) progress[unit] = 0;
        __threadfence();
        __syncwarp();
        if (lane == 0) {
          queue.failed[task.slot] = 0;
          queue.finished[task.slot] = 0;
          __threadfence();
          const auto round = static_cast<unsigned long long>(task.position / queue.slots) + 1;
          atomicExch(queue.taken + task.slot, round << 32);
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
