// Which matrices of a batch a launch works on, and how its blocks divide them among themselves. A call on
// mixed sizes has a subset for each launch. For kernels of either kind of batch, a subset may be a whole
// batch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/table.hpp"

namespace talus::cuda {

/// Where in the order a class's matrices are, and the next one that nobody has taken.
struct queue_range {
  int first, end, next;
};

/// The matrices of a launch: a class's part of the order; or all matrices, in order or as stored; or one
/// class of the matrices as stored.
struct subset {
  const int* order = nullptr;    // numbers of matrices, negative: nothing to do; null: as they come
  queue_range* range = nullptr;  // of a class
  int count = 0;                 // without a range: of the batch
  bool waits = false;            // for the previous kernel, which makes the order
  bool filters = false;          // leaves out the matrices of other classes
  bool is_first = true;          // reports illegal and empty matrices; other filtered launches start early
  int below[3] = {-1, -1, -1};   // bounds of the next smaller class, or -1

  /// Whether a matrix of a launch without an order belongs to a smaller class. Kernels themselves compare its
  /// sizes with the bounds of the launch's own class.
  template <int COUNT>
  __device__ bool leaves_out(const extents<COUNT>& sizes) const {
    bool is_below = true;
    for (int e = 0; e < COUNT; ++e) is_below = is_below && sizes[e] <= below[e];
    return is_below;
  }
  __device__ int first() const { return range ? __ldcg(&range->first) : 0; }
  __device__ int end() const { return range ? __ldcg(&range->end) : count; }
  __device__ int number(int position) const { return order ? __ldcg(order + position) : position; }
};

/// Matrices of one size or of a subset as positions 0, 1, ... of tasks (gpu/task_queue.cuh). Without an
/// order, position 0 is matrix `first`.
struct either_positions {
  subset s;
  std::int64_t first = 0;
  int most = 0;

  __device__ void begin() const {
    if (s.waits) wait_for_previous_kernel();
    let_next_kernel_start();
  }
  __device__ void end() const {
    if (blockIdx.x == 0) wait_for_previous_kernel();
  }
  __device__ int count() const { return s.range ? s.end() - s.first() : most; }
  __device__ std::int64_t number(int position) const { return first + s.number(s.first() + position); }
};

/// Calls work(position, end) for `each` positions at a time; positions from `end` on have no matrix. A warp
/// (THREADS = 32) or a block calls it. In a class, the caller takes positions from the class's queue, and
/// always takes the next positions before it works. Otherwise it calls work once, with position `mine`.
///
/// If several blocks share a matrix, it has `parts` positions: position s.first() + parts * i + j is part j
/// of matrix i.
///
/// The kernel of a class starts while the kernel of the previous class still works. Both read the order, and
/// the first kernel waits until that is complete. One block of each kernel waits for the previous kernel, so
/// that the end of the last kernel is the end of all.
template <int THREADS, class Work>
__device__ __forceinline__ void for_each_in_queue(const subset& s, int mine, int each, Work work,
                                                  int parts = 1) {
  __shared__ int taken;
  if (s.waits) wait_for_previous_kernel();
  let_next_kernel_start();
  const bool queued = s.range != nullptr;
  const bool leads = THREADS == 32 ? (threadIdx.x + threadIdx.y * blockDim.x) % 32 == 0 : threadIdx.x == 0;
  const int end = parts == 1 ? s.end() : s.first() + (s.end() - s.first()) * parts;
  auto take = [&] { return queued && leads ? atomicAdd(&s.range->next, each) : end; };
  auto told = [&](int next) {
    if constexpr (THREADS == 32) return __shfl_sync(~0u, next, 0);
    if (leads) taken = next;
    __syncthreads();
    return taken;
  };
  int next = take();
  for (int position = queued ? told(next) : mine; position < end;) {
    next = take();
    work(position, end);
    if constexpr (THREADS == 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
    position = queued ? told(next) : end;
  }
  if (blockIdx.x == 0) wait_for_previous_kernel();
}

/// Launches KERNEL(first_block, arguments...) for a subset of `count` matrices. A class of an order gets no
/// more blocks than the device runs at once, and they take matrices from its queue. Otherwise each block gets
/// `tbc` matrices. The kernels of filtered classes run at the same time, so they have the same carve-out.
template <auto KERNEL, class... Arguments>
int launch_subset(const subset& s, std::int64_t count, int tbc, dim3 threads, std::size_t shared_bytes,
                  std::int64_t carve_out, queue q, Arguments... arguments) {
  const std::int64_t blocks = ceil_div<std::int64_t>(count, tbc);
  if (s.range == nullptr)
    return launch<KERNEL>({s.waits || !s.is_first, s.filters ? all_shared : carve_out}, blocks, threads,
                          shared_bytes, q, arguments...);
  std::int64_t room = 0;
  if (const int status =
          blocks_at_once<KERNEL>({true, all_shared}, threads, shared_bytes, q, room, arguments...))
    return status;
  return launch<KERNEL>({true, all_shared}, std::min(blocks, room), threads, shared_bytes, q, arguments...);
}

}  // namespace talus::cuda
