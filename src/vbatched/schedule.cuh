// The order in which matrices of mixed sizes are worked on: by (class, work), the most work first; each
// class has a part of that order as its work queue. Made on the GPU; the host never sees a size. Knows
// sizes, and no routine.
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
#include "gpu/table.hpp"
#include "scratch.hpp"
#include "talus/types.hpp"
#include "validate.hpp"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.hpp"

namespace talus::cuda {

// ---- bins ------------------------------------------------------------------------------------------

/// Bins of the counting sort. Bin 0 is for those that nobody works on: what is illegal or empty is done
/// when it is seen. Matrices of one bin keep no order among themselves.
constexpr int bins = 1024;

/// Which bin a matrix belongs to: a class has the bins from first_bin[c] up to the next class's, in each
/// class by work in steps of 2^shift[c].
template <int COUNT>
struct binning {
  int classes = 0;
  extents<COUNT> bounds[most_classes] = {};
  int first_bin[most_classes + 1] = {};
  int least_work[most_classes] = {};
  int shift[most_classes] = {};

  __device__ int bin_of(const extents<COUNT>& sizes, int work) const {
    int c = 0;
    while (c + 1 < classes && !bounds[c].cover(sizes)) ++c;
    const int within = max(0, work - least_work[c]) >> shift[c];
    return min(first_bin[c] + within, first_bin[c + 1] - 1);
  }
};

/// As fine as there are bins for: each amount of work a bin of its own, or in the classes that have the most
/// of them two, four, ... together.
template <class Check, int COUNT>
binning<COUNT> binning_of(const Check& check, const extents<COUNT>* bounds, int classes) {
  binning<COUNT> by;
  by.classes = classes;
  int span[most_classes], all = 0;
  for (int c = 0; c < classes; ++c) {
    by.bounds[c] = bounds[c];
    // Of one extent a class begins where the one before it ends; of several it may reach down to nothing.
    by.least_work[c] = COUNT == 1 && c > 0 ? Check::work(bounds[c - 1]) + 1 : 1;
    span[c] = std::max(1, Check::work(bounds[c].within(check.bounds)) - by.least_work[c] + 1);
  }
  const auto bins_of = [&](int c) { return ((span[c] - 1) >> by.shift[c]) + 1; };
  do {
    all = 0;
    int widest = 0;
    for (int c = 0; c < classes; ++c) {
      all += bins_of(c);
      if (bins_of(c) > bins_of(widest)) widest = c;
    }
    if (all >= bins) ++by.shift[widest];
  } while (all >= bins);
  by.first_bin[0] = 1;
  for (int c = 0; c < classes; ++c) by.first_bin[c + 1] = by.first_bin[c] + bins_of(c);
  return by;
}

/// In scratch, in front of the order.
struct schedule_head {
  int begin[bins];   // by bin: first how many matrices it has, then where in the order they begin
  unsigned counted;  // blocks that have counted theirs
  queue_range ranges[most_classes];
  int largest[4];  // of each extent
};
static_assert(sizeof(schedule_head) <= schedule_head_bytes);

// ---- making the order ------------------------------------------------------------------------------

/// Adds one to counter[bin] of each lane, and returns what was there before. One lane counts for all of a
/// warp that have the same bin as the first: those of a batch of equal sizes would meet at one address. Not
/// for all that have the same, as CUB's ranking and match instructions would: finding them takes longer than
/// the few that meet (17 against 7.4 us for 3,000 sizes). All lanes of a warp call.
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

  /// Reads all sizes before anything is done with one of them, so that they come at once, and counts them;
  /// says in info, if it is there, what nobody will work on. Behind the bins `counter` has one place more,
  /// for what a warp has beyond the end.
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

  /// Puts their numbers behind where the block's matrices of each bin begin.
  __device__ void place(const int* begin, int* order) const {
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) {
      if (number(r) < to) order[begin[bin[r]] + rank[r]] = bin[r] != 0 ? static_cast<int>(number(r)) : -1;
    }
  }
};

/// counter: from how many matrices each bin has to where in the order they begin, the last bin first; and the
/// classes' queues.
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

/// What is in scratch of schedule_bytes.
inline schedule_head* head_of(const scratch& work) { return static_cast<schedule_head*>(work.memory()); }
inline int* order_of(const scratch& work) {
  return reinterpret_cast<int*>(static_cast<unsigned char*>(work.memory()) + schedule_head_bytes);
}

/// Whether the caller's scratch suffices, if there is any: looked at before anything is queued.
inline int check_work(queue q, std::int64_t count) {
  return q.work != nullptr && q.work_bytes < schedule_bytes(count) ? err_work : 0;
}

/// Queues what orders the matrices of `part` by these bins. Says in info what of it is illegal or empty.
template <class Check, int COUNT>
int make_order(const Check& part, const binning<COUNT>& by, int* info, const scratch& work, queue q) {
  constexpr std::int64_t in_one_block = sort_rounds * schedule_threads, enough_blocks = 256;
  const std::int64_t count = part.A.count;
  const dim3 threads(schedule_threads);
  if (count <= in_one_block)
    return launch<sort_sizes<Check, COUNT>>({}, 1, threads, 0, q, part, info, count, by, head_of(work),
                                            order_of(work));
  const std::int64_t rounds =
      std::min<std::int64_t>(sort_rounds, ceil_div<std::int64_t>(count, enough_blocks * schedule_threads));
  const std::int64_t each = rounds * schedule_threads, blocks = ceil_div(count, each);
  constexpr std::size_t counters = offsetof(schedule_head, counted) + sizeof(schedule_head::counted);
  if (const int failed =
          reported(cudaMemsetAsync(head_of(work), 0, counters, static_cast<cudaStream_t>(q.stream))))
    return failed;
  if (const int failed = launch<sort_count<Check, COUNT>>({}, blocks, threads, 0, q, part, info, count, each,
                                                          by, head_of(work)))
    return failed;
  return launch<sort_place<Check, COUNT>>({true, -1}, blocks, threads, 0, q, part, count, each, by,
                                          head_of(work), order_of(work));
}

/// The launches of a call, one after the other while next(): one for each class of matrices that these bounds
/// make, the last class first; direct, ordered: one for all. Of a call that has more matrices than
/// schedule_most, one part after the other. The array of bounds outlives the launches.
template <class Check>
class launches {
  static constexpr int COUNT = static_cast<int>(std::size(decltype(Check::bounds){}.of));

 public:
  int status = 0;     // of what made the order
  int c = 0;          // the class
  subset matrices;    // that the launch works on,
  Check part;         // of this part of the call,
  int* info_of_part;  // which has its infos here, unless nobody asks for them

  launches(schedule how, const Check& check, const extents<COUNT>* bounds, int classes, int* info, queue q)
      : part(check),
        info_of_part(info),
        all_(check),
        info_(info),
        bounds_(bounds),
        classes_(classes),
        how_(how),
        q_(q),
        work_(has_order() ? scratch(q, schedule_bytes(check.A.count)) : scratch()) {
    if (!has_order()) return;
    status = work_.status;
    by_ = binning_of(check, bounds, classes);
  }

  bool next() {
    if (--c < 0 && !next_part()) return false;
    const bool is_first = c == classes_ - 1;
    if (how_ == schedule::filtered) {
      matrices.filters = true;
      matrices.is_first = is_first;
      for (int e = 0; e < COUNT; ++e) matrices.below[e] = c > 0 ? bounds_[c - 1][e] : -1;
    } else if (!serves_alone(how_)) {
      matrices.range = head_of(work_)->ranges + c;
      matrices.waits = is_first;
    }
    return true;
  }

 private:
  bool has_order() const { return how_ != schedule::direct && how_ != schedule::filtered; }

  bool next_part() {
    if (status != 0 || first_ >= all_.A.count) return false;
    part = all_.part(first_, std::min(schedule_most, all_.A.count - first_));
    info_of_part = info_ != nullptr ? info_ + first_ : nullptr;
    first_ += schedule_most;
    c = classes_ - 1;
    const int count = static_cast<int>(part.A.count);
    matrices = {nullptr, nullptr, count, false};
    if (!has_order()) return true;
    status = make_order(part, by_, info_of_part, work_, q_);
    matrices = {order_of(work_), nullptr, count, true};
    return status == 0;
  }

  Check all_;
  int* info_;
  const extents<COUNT>* bounds_;
  int classes_;
  schedule how_;
  queue q_;
  scratch work_;
  binning<COUNT> by_;
  std::int64_t first_ = 0;
};

/// Replaces each unknown bound by the largest legal extent, and waits for it.
template <class Check>
int find_bounds(Check& check, queue q) {
  constexpr int COUNT = static_cast<int>(std::size(decltype(check.bounds){}.of));
  const auto unknown = [](int bound) { return bound == unknown_bound; };
  if (std::none_of(check.bounds.of, check.bounds.of + COUNT, unknown)) return 0;
  const std::int64_t count = check.A.count;
  const auto stream = static_cast<cudaStream_t>(q.stream);
  if (const int status = refuse_capture(q)) return status;
  const scratch work(q, sizeof(schedule_head));
  if (work.status != 0) return work.status;
  int* const largest = head_of(work)->largest;
  if (const int status = reported(cudaMemsetAsync(largest, 0, COUNT * sizeof(int), stream))) return status;
  if (const int status =
          launch<find_largest<Check, COUNT>>({}, ceil_div<std::int64_t>(count, schedule_threads),
                                             dim3(schedule_threads), 0, q, check, count, head_of(work)))
    return status;
  int found[COUNT];
  if (const int status =
          reported(cudaMemcpyAsync(found, largest, sizeof found, cudaMemcpyDeviceToHost, stream)))
    return status;
  if (const int status = reported(cudaStreamSynchronize(stream))) return status;
  for (int e = 0; e < COUNT; ++e) {
    if (unknown(check.bounds.of[e])) check.bounds.of[e] = found[e];
  }
  return 0;
}

}  // namespace talus::cuda
