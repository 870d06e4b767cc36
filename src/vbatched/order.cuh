// The kernels that order matrices of mixed sizes, and that find their largest extents. Only <family>/order.cu
// includes this file; schedule.cuh has the interface.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#define CCCL_DISABLE_FP16_SUPPORT  // saves 0.7 of 3.4 seconds of CUB's headers
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

#include "gpu/launch.cuh"
#include "gpu/scratch.cuh"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"
#include "vbatched/schedule.hpp"

namespace talus::cuda {

/// Adds one to counter[bin] of each lane, and returns the previous value. All lanes of a warp call. One lane
/// adds for all lanes with the same bin as lane 0: in a batch of equal sizes, all lanes would add to one
/// address. Lanes that share another bin add one by one: CUB's ranking and match instructions, which find
/// them, take longer than these additions (17 against 7.4 us for 3,000 sizes; log of potrf_vbatched, 5).
__device__ inline int add_one(int* counter, int bin) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const unsigned same = __ballot_sync(~0u, bin == __shfl_sync(~0u, bin, 0));
  const bool is_one_of_them = same >> lane & 1;
  int before = 0;
  if (lane == 0 || !is_one_of_them) before = atomicAdd(counter + bin, lane == 0 ? __popc(same) : 1);
  const int of_first = __shfl_sync(~0u, before, 0);
  return is_one_of_them ? of_first + __popc(same & ((1u << lane) - 1)) : before;
}

constexpr int schedule_threads = 1024;
static_assert(schedule_threads == bins, "a thread per bin lays them out");

/// A block's matrices; a thread's are from + threadIdx.x, and so on in steps of the block, at most so many.
constexpr int sort_rounds = 4;
struct sorted_part {
  std::int64_t from, to;
  int bin[sort_rounds];
  int rank[sort_rounds];  // which of the block's matrices of its bin it is

  __device__ std::int64_t number(int round) const { return from + round * schedule_threads + threadIdx.x; }

  /// Reads all sizes first, so that the loads overlap, and then counts the matrices of each bin. Writes info,
  /// unless it is null, of illegal and empty matrices, which no kernel processes. `counter` has one element
  /// behind the bins, for the lanes of the last warp that have no matrix.
  template <class Check, int COUNT>
  __device__ sorted_part(const Check& check, const binning<COUNT>& by, int* counter, int* info_array,
                         std::int64_t from_, std::int64_t to_)
      : from(from_), to(to_) {
    counter[threadIdx.x] = 0;
    checked<COUNT> one[sort_rounds];
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) one[r] = check(min(number(r), to - 1));
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) {
      const bool is_work = one[r].info == 0 && Check::work(one[r].sizes) > 0;
      bin[r] = is_work ? by.bin_of(one[r].sizes, Check::work(one[r].sizes)) : 0;
      if (info_array != nullptr && number(r) < to && bin[r] == 0) info_array[number(r)] = one[r].info;
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) {
      if (from + r * schedule_threads < to) rank[r] = add_one(counter, number(r) < to ? bin[r] : bins);
    }
    __syncthreads();
  }

  /// Writes the numbers of the block's matrices into the order, bin by bin.
  __device__ void place(const int* begin, int* order) const {
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) {
      if (number(r) < to) order[begin[bin[r]] + rank[r]] = bin[r] != 0 ? static_cast<int>(number(r)) : -1;
    }
  }
};

/// Replaces the number of matrices in each bin by the bin's first position in the order; the last bin comes
/// first. Also sets the ranges of the classes.
template <int COUNT>
__device__ void lay_out(int* counter, const binning<COUNT>& by, queue_range* ranges) {
  using scan = cub::BlockScan<int, schedule_threads>;
  __shared__ typename scan::TempStorage storage;
  const int t = static_cast<int>(threadIdx.x), bin = bins - 1 - t;
  int place = 0;
  scan(storage).ExclusiveSum(counter[bin], place);
  __syncthreads();
  counter[bin] = place;
  __syncthreads();
  if (t < by.classes) {  // from its last bin to where the class below begins, or what nobody works on
    const int first = counter[by.first_bin[t + 1] - 1];
    ranges[t] = {first, counter[by.first_bin[t] - 1], first};
  }
}

/// A counting sort in one block.
template <class Check, int COUNT>
__global__ void __launch_bounds__(schedule_threads)
    sort_sizes(std::int64_t, Check check, int* info_array, std::int64_t count, binning<COUNT> by,
               schedule_head* head, int* order) {
  __shared__ int counter[bins + 1];
  let_next_kernel_start();
  const sorted_part mine(check, by, counter, info_array, 0, count);
  lay_out(counter, by, head->ranges);
  mine.place(counter, order);
}

/// The same in two kernels for many matrices, `part` of them per block. The block that has counted last lays
/// all out; what it reads comes from the L2, where the others' counts are.
template <class Check, int COUNT>
__global__ void __launch_bounds__(schedule_threads)
    sort_count(std::int64_t first_block, Check check, int* info_array, std::int64_t count, std::int64_t part,
               binning<COUNT> by, schedule_head* head) {
  __shared__ int counter[bins + 1];
  __shared__ bool is_last;
  let_next_kernel_start();
  const std::int64_t from = (first_block + blockIdx.x) * part;
  const sorted_part mine(check, by, counter, info_array, from, min(from + part, count));
  if (counter[threadIdx.x] != 0) atomicAdd(head->begin + threadIdx.x, counter[threadIdx.x]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&head->counted, 1u) + 1 == ceil_div(count, part);
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  counter[threadIdx.x] = __ldcg(head->begin + threadIdx.x);
  __syncthreads();
  lay_out(counter, by, head->ranges);
  head->begin[threadIdx.x] = counter[threadIdx.x];
}

template <class Check, int COUNT>
__global__ void __launch_bounds__(schedule_threads)
    sort_place(std::int64_t first_block, Check check, std::int64_t count, std::int64_t part,
               binning<COUNT> by, schedule_head* head, int* order) {
  __shared__ int counter[bins + 1];
  const std::int64_t from = (first_block + blockIdx.x) * part;
  const sorted_part mine(check, by, counter, nullptr, from, min(from + part, count));
  wait_for_previous_kernel();
  let_next_kernel_start();
  const int own = counter[threadIdx.x];
  if (own != 0) counter[threadIdx.x] = atomicAdd(head->begin + threadIdx.x, own);
  __syncthreads();
  mine.place(counter, order);
}

/// The largest legal extents of a batch, into head->largest.
template <class Check, int COUNT>
__global__ void __launch_bounds__(schedule_threads)
    find_largest(std::int64_t first_block, Check check, std::int64_t count, schedule_head* head) {
  using reduce = cub::WarpReduce<int>;
  __shared__ typename reduce::TempStorage storage[schedule_threads / 32];
  const std::int64_t b = (first_block + blockIdx.x) * schedule_threads + threadIdx.x;
  const checked<COUNT> one = check(min(b, count - 1));
#pragma unroll
  for (int e = 0; e < COUNT; ++e) {
    const int largest =
        reduce(storage[threadIdx.x / 32]).Reduce(one.info == 0 ? one.sizes[e] : 0, [](int a, int b) {
          return max(a, b);
        });
    if (threadIdx.x % 32 == 0 && largest > 0) atomicMax(head->largest + e, largest);
    __syncwarp();
  }
}

// ---- launching -------------------------------------------------------------------------------------

template <class Erased>
int ordering<Erased>::make(const Erased& part, const binning<COUNT>& by, int* info, const scratch& work,
                           queue q) {
  constexpr std::int64_t in_one_block = sort_rounds * schedule_threads, enough_blocks = 256;
  const std::int64_t count = part.A.count;
  const dim3 threads(schedule_threads);
  if (count <= in_one_block)
    return launch<sort_sizes<Erased, COUNT>>({}, 1, threads, 0, q, part, info, count, by, head_of(work),
                                             order_of(work));
  const std::int64_t rounds =
      std::min<std::int64_t>(sort_rounds, ceil_div<std::int64_t>(count, enough_blocks * schedule_threads));
  const std::int64_t each = rounds * schedule_threads, blocks = ceil_div(count, each);
  constexpr std::size_t counters = offsetof(schedule_head, counted) + sizeof(schedule_head::counted);
  if (const int failed =
          reported(cudaMemsetAsync(head_of(work), 0, counters, static_cast<cudaStream_t>(q.stream))))
    return failed;
  if (const int failed = launch<sort_count<Erased, COUNT>>({}, blocks, threads, 0, q, part, info, count, each,
                                                           by, head_of(work)))
    return failed;
  return launch<sort_place<Erased, COUNT>>({true, -1}, blocks, threads, 0, q, part, count, each, by,
                                           head_of(work), order_of(work));
}

template <class Erased>
int ordering<Erased>::find_extents(const Erased& all, box& largest, queue q) {
  const auto stream = static_cast<cudaStream_t>(q.stream);
  if (const int status = refuse_capture(q)) return status;
  const scratch work(q, sizeof(schedule_head));
  if (work.status != 0) return work.status;
  int* const found = head_of(work)->largest;
  if (const int status = reported(cudaMemsetAsync(found, 0, sizeof largest.of, stream))) return status;
  if (const int status =
          launch<find_largest<Erased, COUNT>>({}, ceil_div<std::int64_t>(all.A.count, schedule_threads),
                                              dim3(schedule_threads), 0, q, all, all.A.count, head_of(work)))
    return status;
  if (const int status =
          reported(cudaMemcpyAsync(largest.of, found, sizeof largest.of, cudaMemcpyDeviceToHost, stream)))
    return status;
  return reported(cudaStreamSynchronize(stream));
}

}  // namespace talus::cuda
