// The kernels that order matrices of mixed sizes, and that find their largest extents. Only <family>/order.cu
// includes this file; schedule.cuh has the interface.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>

#define CCCL_DISABLE_FP16_SUPPORT  // saves 0.7 of 3.4 seconds of CUB's headers
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

#include "gpu/launch.cuh"
#include "gpu/scratch.cuh"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"
#include "vbatched/schedule.hpp"

namespace talus::cuda {

// ---- the checks of a family ------------------------------------------------------------------------

template <class Check>
constexpr int extents_of = static_cast<int>(std::size(decltype(Check::bounds){}.of));

/// A kernel's argument that holds one of these checks. The kernel is compiled once for all of them.
template <class... Check>
class one_of {
 public:
  static constexpr int COUNT = std::max({extents_of<Check>...});

  template <class One>
  one_of(const One& check) : number_(number_of<One>()) {
    new (memory_) One(check);
  }

  /// Calls f with the check. The branch is uniform across the grid.
  template <class F>
  __device__ void visit(const F& f) const {
    int number = 0;
    (void)((number_ == number++ && (f(*reinterpret_cast<const Check*>(memory_)), true)) || ...);
  }

 private:
  static_assert((std::is_trivially_copyable_v<Check> && ...));

  template <class One>
  static constexpr int number_of() {
    static_assert((std::is_same_v<One, Check> || ...), "the family does not list this check");
    int number = 0;
    (void)((std::is_same_v<One, Check> || (++number, false)) || ...);
    return number;
  }

  alignas(Check...) unsigned char memory_[std::max({sizeof(Check)...})];
  int number_;  // position of the check's type in the list
};

// A family has the extents of its check with the most extents. Sizes and bounds of a check with fewer extents
// are padded with zeros. A bound of 0 covers a size of 0, so padding changes no class and no bin.

template <int COUNT, int FEWER>
TALUS_HOST_DEVICE constexpr extents<COUNT> padded(const extents<FEWER>& sizes) {
  static_assert(FEWER <= COUNT);
  extents<COUNT> all;
  for (int e = 0; e < FEWER; ++e) all.of[e] = sizes.of[e];
  return all;
}
template <int COUNT, int FEWER>
binning<COUNT> padded(const binning<FEWER>& by) {
  binning<COUNT> all;
  all.classes = by.classes;
  for (int c = 0; c < by.classes; ++c) all.bounds[c] = padded<COUNT>(by.bounds[c]);
  std::copy(std::begin(by.first_bin), std::end(by.first_bin), all.first_bin);
  std::copy(std::begin(by.least_work), std::end(by.least_work), all.least_work);
  std::copy(std::begin(by.shift), std::end(by.shift), all.shift);
  return all;
}

// ---- kernels ---------------------------------------------------------------------------------------

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

/// A matrix between its check and its bin. The work on an illegal matrix is 0.
template <int COUNT>
struct seen {
  int info, work;
  extents<COUNT> sizes;
};

/// The matrices of a block, from `from` up to `to`. A thread has matrix number(r) in round r, if that is less
/// than `to`.
constexpr int sort_rounds = 4;
struct sorted_part {
  int from, to;
  int bin[sort_rounds];
  int rank[sort_rounds];  // which of the block's matrices of its bin it is

  __device__ int number(int round) const {
    return from + round * schedule_threads + static_cast<int>(threadIdx.x);
  }

  /// Counts the matrices of each bin. Writes info, unless it is null, of illegal and empty matrices, which no
  /// kernel processes. `counter` has one element behind the bins, for the lanes of the last warp that have no
  /// matrix. Most blocks have matrices for one round only: they skip the loads of further rounds, which
  /// overlap only in part.
  template <class Checks, int COUNT>
  __device__ sorted_part(const Checks& checks, const binning<COUNT>& by, int* counter, int* info_array,
                         int from_, int to_)
      : from(from_), to(to_) {
    counter[threadIdx.x] = 0;
    seen<COUNT> one[sort_rounds];
    checks.visit([&](const auto& check) {
      if (to - from > schedule_threads) {
        look<sort_rounds>(check, one);
      } else {
        look<1>(check, one);
      }
    });
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) {
      if (info_array != nullptr && number(r) < to && one[r].work == 0) info_array[number(r)] = one[r].info;
    }
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) {
      if (from + r * schedule_threads < to)
        bin[r] = one[r].work != 0 ? by.bin_of(one[r].sizes, one[r].work) : 0;
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
      if (number(r) < to) order[begin[bin[r]] + rank[r]] = bin[r] != 0 ? number(r) : -1;
    }
  }

 private:
  /// Checks the thread's matrices of the first ROUNDS rounds. Checks the last matrix again if the thread has
  /// none, because loads overlap only where no branch separates them.
  template <int ROUNDS, class Check, int COUNT>
  __device__ void look(const Check& check, seen<COUNT>* one) const {
#pragma unroll
    for (int r = 0; r < ROUNDS; ++r) {
      const checked<extents_of<Check>> found = check(min(number(r), to - 1));
      one[r] = {found.info, found.info == 0 ? Check::work(found.sizes) : 0, padded<COUNT>(found.sizes)};
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
template <class Checks>
__global__ void __launch_bounds__(schedule_threads)
    sort_sizes(std::int64_t, Checks checks, int* info_array, int count, binning<Checks::COUNT> by,
               schedule_head* head, int* order) {
  __shared__ int counter[bins + 1];
  let_next_kernel_start();
  const sorted_part mine(checks, by, counter, info_array, 0, count);
  lay_out(counter, by, head->ranges);
  mine.place(counter, order);
}

/// The same in two kernels for many matrices, `part` of them per block. The block that has counted last lays
/// all out; what it reads comes from the L2, where the others' counts are.
template <class Checks>
__global__ void __launch_bounds__(schedule_threads)
    sort_count(std::int64_t first_block, Checks checks, int* info_array, int count, int part,
               binning<Checks::COUNT> by, schedule_head* head) {
  __shared__ int counter[bins + 1];
  __shared__ bool is_last;
  let_next_kernel_start();
  const int from = static_cast<int>(first_block + blockIdx.x) * part;
  const sorted_part mine(checks, by, counter, info_array, from, min(from + part, count));
  if (counter[threadIdx.x] != 0) atomicAdd(head->begin + threadIdx.x, counter[threadIdx.x]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    is_last = atomicAdd(&head->counted, 1u) + 1 == static_cast<unsigned>(ceil_div(count, part));
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  counter[threadIdx.x] = __ldcg(head->begin + threadIdx.x);
  __syncthreads();
  lay_out(counter, by, head->ranges);
  head->begin[threadIdx.x] = counter[threadIdx.x];
}

template <class Checks>
__global__ void __launch_bounds__(schedule_threads)
    sort_place(std::int64_t first_block, Checks checks, int count, int part, binning<Checks::COUNT> by,
               schedule_head* head, int* order) {
  __shared__ int counter[bins + 1];
  const int from = static_cast<int>(first_block + blockIdx.x) * part;
  const sorted_part mine(checks, by, counter, nullptr, from, min(from + part, count));
  wait_for_previous_kernel();
  let_next_kernel_start();
  const int own = counter[threadIdx.x];
  if (own != 0) counter[threadIdx.x] = atomicAdd(head->begin + threadIdx.x, own);
  __syncthreads();
  mine.place(counter, order);
}

/// The largest legal extents of a batch, into head->largest.
template <class Checks>
__global__ void __launch_bounds__(schedule_threads)
    find_largest(std::int64_t first_block, Checks checks, std::int64_t count, schedule_head* head) {
  using reduce = cub::WarpReduce<int>;
  __shared__ typename reduce::TempStorage storage[schedule_threads / 32];
  const std::int64_t b = (first_block + blockIdx.x) * schedule_threads + threadIdx.x;
  extents<Checks::COUNT> legal;
  checks.visit([&](const auto& check) {
    const auto one = check(min(b, count - 1));
    if (one.info == 0) legal = padded<Checks::COUNT>(one.sizes);
  });
#pragma unroll
  for (int e = 0; e < Checks::COUNT; ++e) {
    const int largest =
        reduce(storage[threadIdx.x / 32]).Reduce(legal[e], [](int a, int b) { return max(a, b); });
    if (threadIdx.x % 32 == 0 && largest > 0) atomicMax(head->largest + e, largest);
    __syncwarp();
  }
}

// ---- launching -------------------------------------------------------------------------------------

/// Queues the kernels that order `count` matrices.
template <class Checks>
int queue_sort(const Checks& checks, int count, const binning<Checks::COUNT>& by, int* info,
               const scratch& work, queue q) {
  constexpr int in_one_block = sort_rounds * schedule_threads, enough_blocks = 256;
  const dim3 threads(schedule_threads);
  if (count <= in_one_block)
    return launch<sort_sizes<Checks>>({}, 1, threads, 0, q, checks, info, count, by, head_of(work),
                                      order_of(work));
  const int rounds = std::min(sort_rounds, ceil_div(count, enough_blocks * schedule_threads));
  const int each = rounds * schedule_threads, blocks = ceil_div(count, each);
  constexpr std::size_t counters = offsetof(schedule_head, counted) + sizeof(schedule_head::counted);
  if (const int failed =
          reported(cudaMemsetAsync(head_of(work), 0, counters, static_cast<cudaStream_t>(q.stream))))
    return failed;
  if (const int failed =
          launch<sort_count<Checks>>({}, blocks, threads, 0, q, checks, info, count, each, by, head_of(work)))
    return failed;
  return launch<sort_place<Checks>>({true, -1}, blocks, threads, 0, q, checks, count, each, by, head_of(work),
                                    order_of(work));
}

/// The one_of that lists `Erased`. Each <family>/order.cu declares family_of in the namespace of the family,
/// where argument-dependent lookup finds it.
template <class Erased>
using family = decltype(family_of(std::declval<Erased>()));

template <class Erased>
int ordering<Erased>::make(const Erased& part, const binning<COUNT>& by, int* info, const scratch& work,
                           queue q) {
  using checks = family<Erased>;
  return queue_sort(checks(part), static_cast<int>(part.A.count), padded<checks::COUNT>(by), info, work, q);
}

template <class Erased>
int ordering<Erased>::find_extents(const Erased& all, box& largest, queue q) {
  const auto stream = static_cast<cudaStream_t>(q.stream);
  if (const int status = refuse_capture(q)) return status;
  const scratch work(q, sizeof(schedule_head));
  if (work.status != 0) return work.status;
  int* const found = head_of(work)->largest;
  if (const int status = reported(cudaMemsetAsync(found, 0, sizeof largest.of, stream))) return status;
  using checks = family<Erased>;
  const std::int64_t blocks = ceil_div<std::int64_t>(all.A.count, schedule_threads);
  if (const int status = launch<find_largest<checks>>({}, blocks, dim3(schedule_threads), 0, q, checks(all),
                                                      all.A.count, head_of(work)))
    return status;
  if (const int status =
          reported(cudaMemcpyAsync(largest.of, found, sizeof largest.of, cudaMemcpyDeviceToHost, stream)))
    return status;
  return reported(cudaStreamSynchronize(stream));
}

}  // namespace talus::cuda
