// The order in which matrices of different sizes are worked on: largest first, and for each class of sizes a
// part of that order, from which the blocks of its launch draw. Made on the GPU; the host never sees a size.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "batch.hpp"
#include "batched/launch.cuh"
#include "talus/types.hpp"
#include "validate.hpp"
#include "vbatched/potrf_table.hpp"
#include "vbatched/work.hpp"

namespace talus::cuda {

// ---- what is legal -------------------------------------------------------------------------------

/// Matrices b = 0 ... part_count - 1 of those from `first` on. A bound of 0 allows no array at all.
template <class T>
variable_batch<T> part_of(const variable_batch<T>& A, std::int64_t first, std::int64_t part_count) {
  return {A.array ? A.array + first : nullptr, A.m + first, A.n + first, A.lda + first, part_count};
}

/// Of one matrix, before anything is done with it: what info says of it, -i or 0, and its order.
struct checked {
  int info, n;
};

/// The matrices of a call, and how they are looked at.
template <class T>
struct matrix_check {
  variable_batch<T> A;
  int n_max;
  __device__ checked operator()(std::int64_t b) const {
    const matrix<T> mine = A[b];
    return {check_matrix(mine, n_max), mine.n};
  }
  matrix_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), n_max};
  }
};
template <class T>
struct system_check {
  variable_batch<const T> A;
  variable_batch<T> B;
  int n_max, nrhs_max;
  __device__ checked operator()(std::int64_t b) const {
    const matrix<const T> mine = A[b];
    return {check_system(mine, B[b], n_max, nrhs_max), mine.n};
  }
  system_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(B, first, part_count), n_max, nrhs_max};
  }
};

// ---- bins, classes, and what is in scratch ----------------------------------------------------------

/// Matrices of one bin keep no order among themselves. Up to vbatched_exact each size has its own; from there
/// on 16 sizes share one, and the last takes all that are larger. Bin 0 is for those that nobody works on:
/// what is illegal or empty is done when it is seen.
constexpr int bins = 1024;
TALUS_HOST_DEVICE constexpr int bin_of(int n) {
  if (n <= vbatched_exact) return n;
  const int bin = vbatched_exact + (n - vbatched_exact + 15) / 16;
  return bin < bins ? bin : bins - 1;
}

/// The largest order of each class; the last one takes all.
struct class_bounds {
  int count;
  int n_max[vbatched_classes];
};

/// Where in the order a class's matrices are, and the next one that nobody has drawn.
struct drawn_range {
  int first, end, next;
};

/// In scratch, in front of the order.
struct schedule_head {
  int begin[bins];   // by bin: first how many matrices it has, then where in the order they begin
  unsigned counted;  // blocks that have counted theirs
  drawn_range ranges[vbatched_classes];
  int largest;
};
static_assert(sizeof(schedule_head) <= schedule_head_bytes);

/// What a launch works on: a class's part of the order; or all matrices, in the order or as they come.
struct share {
  const int* order = nullptr;    // numbers of matrices, negative: nothing to do; null: as they come
  drawn_range* range = nullptr;  // of a class
  int n_max = unknown_bound;     // without an order: the promised bound, which nobody has looked at yet
  int count = 0;                 // without a range: of the batch
  bool waits = false;            // for the kernel ahead, which makes the order

  /// Its matrices, as far as positions go.
  __device__ int first() const { return range ? __ldcg(&range->first) : 0; }
  __device__ int end() const { return range ? __ldcg(&range->end) : count; }
  __device__ int number(int position) const { return order ? __ldcg(order + position) : position; }
};

// ---- steps and draws -------------------------------------------------------------------------------------

/// When matrices begin that go step by step. Greedy: with the first step; lazy: so that all end with the last
/// of `steps`.
struct begin {
  bool lazy;
  int steps, nb;

  /// Where a matrix of order n is when the largest is at column k: negative before its first step, n or more
  /// after its last.
  __device__ int column(int k, int n) const { return lazy ? k - (steps - ceil_div(n, nb)) * nb : k; }
};

/// Calls work(position, end) for the matrices of a launch, `each` positions at a time of which those from
/// `end` on are none, by a warp (THREADS = 32) or a block of its own. Of a class: what is drawn from its
/// range, the next draw on its way while the work is done. Of all: what begins at `mine`, once.
///
/// Classes are launched early, one while the one ahead still works: they share nothing but the order, for
/// which the first of them waits. That the last one's end is the end of all, one block of each waits for the
/// kernel ahead.
template <int THREADS, class Work>
__device__ __forceinline__ void for_each_draw(const share& s, int mine, int each, Work work) {
  __shared__ int drawn;
  if (s.waits) wait_for_kernel_ahead();
  let_next_kernel_start();
  const bool draws = s.range != nullptr;
  const bool leads = THREADS == 32 ? (threadIdx.x + threadIdx.y * blockDim.x) % 32 == 0 : threadIdx.x == 0;
  const int end = s.end();
  auto draw = [&] { return draws && leads ? atomicAdd(&s.range->next, each) : end; };
  auto told = [&](int ahead) {
    if constexpr (THREADS == 32) return __shfl_sync(~0u, ahead, 0);
    if (leads) drawn = ahead;
    __syncthreads();
    return drawn;
  };
  int ahead = draw();
  for (int position = draws ? told(ahead) : mine; position < end;) {
    ahead = draw();
    work(position, end);
    if constexpr (THREADS == 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
    position = draws ? told(ahead) : end;
  }
  if (blockIdx.x == 0) wait_for_kernel_ahead();
}

/// One matrix, to code that asks a batch of equal sizes for the one that it works on.
template <class T>
struct single {
  matrix<T> A;
  int n, lda;
  __device__ explicit single(const matrix<T>& A_) : A(A_), n(A_.n), lda(A_.lda) {}
  __device__ const matrix<T>& operator[](std::int64_t) const { return A; }
};

/// Calls work(matrix b) if that is legal and not empty; if not, the thread that `tells` says in info what is
/// to be said of it. In an order all are legal whose number is not negative. All that is known of a matrix is
/// read before any of it is looked at: it comes at once.
template <class T, class Work>
__device__ __forceinline__ void with_legal(const share& s, const variable_batch<T>& A, int* info_array, int b,
                                           bool tells, Work work) {
  if (b < 0) return;
  const matrix<T> mine = A[b];
  if (s.order == nullptr) {
    const int info = check_matrix(mine, s.n_max);
    if (info != 0 || mine.n == 0) {
      if (tells) info_array[b] = info;
      return;
    }
  }
  work(single<T>(mine));
}

// ---- launching -----------------------------------------------------------------------------------

/// Blocks of KERNEL that the current device holds at once. Asked for again where threads or shared memory
/// have changed since.
template <auto KERNEL>
int blocks_at_once(dim3 threads, std::size_t shared_bytes, std::int64_t& blocks) {
  constexpr int blocks_bits = 20, threads_bits = 11, shared_bits = 18;
  static std::atomic<std::uint64_t> known{0};  // device + 1, shared memory, threads, blocks
  int device = 0, multiprocessors = 0, each = 0;
  if (const int status = current_device(device)) return status;
  const std::uint64_t all_threads = threads.x * threads.y,
                      key = (static_cast<std::uint64_t>(device + 1) << shared_bits | shared_bytes)
                                << threads_bits |
                            all_threads;
  if (const std::uint64_t k = known.load(); k >> blocks_bits == key) {
    blocks = static_cast<std::int64_t>(k & ((std::uint64_t{1} << blocks_bits) - 1));
    return 0;
  }
  if (const int status =
          reported(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)))
    return status;
  if (const int status = reported(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &each, KERNEL, static_cast<int>(all_threads), shared_bytes)))
    return status;
  blocks = std::max<std::int64_t>(1, std::int64_t{each} * multiprocessors);
  if (device < 2048) known.store(key << blocks_bits | static_cast<std::uint64_t>(blocks));
  return 0;
}

/// All of a multiprocessor's shared memory: kernels that want the same run side by side.
constexpr std::int64_t all_shared = std::int64_t{1} << 40;

/// Launches KERNEL(first_block, args..., s): for a class as many blocks as there is room for, which draw; for
/// all a block for every `tbc` matrices, with shared_kb as start::shared.
template <auto KERNEL, class... Arguments>
int launch_share(const share& s, int tbc, std::int64_t count, dim3 threads, std::size_t shared_bytes,
                 int shared_kb, queue q, Arguments... args) {
  std::int64_t blocks = ceil_div<std::int64_t>(count, tbc), room = blocks;
  if (s.range == nullptr)
    return launch_when<KERNEL>({s.waits, std::int64_t{1024} * shared_kb}, blocks, threads, shared_bytes, q,
                               args..., s);
  // Ready before it is asked how many blocks fit: with its share of shared memory.
  if (const int status = launch_when<KERNEL>({true, all_shared}, 0, threads, shared_bytes, q, args..., s))
    return status;
  if (const int status = blocks_at_once<KERNEL>(threads, shared_bytes, room)) return status;
  return launch_when<KERNEL>({true, all_shared}, std::min(blocks, room), threads, shared_bytes, q, args...,
                             s);
}

// ---- making the order ------------------------------------------------------------------------------

/// Adds one to counter[bin] of each lane, and returns what was there before. One lane counts for all of a
/// warp that have the same bin as the first: those of a batch of equal sizes would meet at one address. (Not
/// for all that have the same: finding them takes longer than the few that meet.) All lanes of a warp call.
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

  /// Reads all sizes before anything is done with one of them, so that they come at once; says in info, if it
  /// is there, what nobody will work on.
  template <class Check>
  __device__ sorted_part(const Check& check, int* info_array, std::int64_t from_, std::int64_t to_)
      : from(from_), to(to_) {
    checked one[sort_rounds];
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) one[r] = check(min(number(r), to - 1));
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) {
      bin[r] = one[r].info == 0 ? bin_of(one[r].n) : 0;
      if (info_array != nullptr && number(r) < to && bin[r] == 0) info_array[number(r)] = one[r].info;
    }
  }

  /// Counts them. Behind the bins `counter` has one place more, for what a warp has beyond the end.
  __device__ void count_into(int* counter) {
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) {
      if (from + r * schedule_threads < to) rank[r] = add_one(counter, number(r) < to ? bin[r] : bins);
    }
  }

  /// Puts their numbers behind where the block's matrices of each bin begin.
  __device__ void place(const int* begin, int* order) const {
#pragma unroll
    for (int r = 0; r < sort_rounds; ++r) {
      if (number(r) < to) order[begin[bin[r]] + rank[r]] = bin[r] != 0 ? static_cast<int>(number(r)) : -1;
    }
  }
};

/// counter: from how many matrices each bin has to where in the order they begin, largest first; and the
/// classes.
__device__ inline void lay_out(int* counter, const class_bounds& classes, drawn_range* ranges) {
  __shared__ int of_warp[schedule_threads / 32];
  const int t = static_cast<int>(threadIdx.x), bin = bins - 1 - t, lane = t % 32, warp = t / 32;
  const int mine = counter[bin];
  int sum = mine;  // of this bin and those before it in the warp
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    int all = of_warp[lane];
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int other = __shfl_up_sync(~0u, all, step);
      if (lane >= step) all += other;
    }
    of_warp[lane] = all;
  }
  __syncthreads();
  const int place = sum - mine + (warp > 0 ? of_warp[warp - 1] : 0);
  counter[bin] = place;
  __syncthreads();
  if (t < classes.count) {  // bins above that of the class before, up to its own
    const int first = t + 1 < classes.count ? counter[bin_of(classes.n_max[t])] : 0;
    ranges[t] = {first, counter[t > 0 ? bin_of(classes.n_max[t - 1]) : 0], first};
  }
}

/// A counting sort in one block.
template <class Check>
__global__ void __launch_bounds__(schedule_threads)
    sort_sizes(std::int64_t, Check check, int* info_array, std::int64_t count, class_bounds classes,
               schedule_head* head, int* order) {
  __shared__ int counter[bins + 1];
  let_next_kernel_start();
  counter[threadIdx.x] = 0;
  sorted_part mine(check, info_array, 0, count);
  __syncthreads();
  mine.count_into(counter);
  __syncthreads();
  lay_out(counter, classes, head->ranges);
  mine.place(counter, order);
}

/// The same in two kernels for many matrices, `part` of them per block. The block that has counted last lays
/// all out; what it reads comes from the L2, where the others' counts are.
template <class Check>
__global__ void __launch_bounds__(schedule_threads)
    sort_count(std::int64_t first_block, Check check, int* info_array, std::int64_t count, std::int64_t part,
               class_bounds classes, schedule_head* head) {
  __shared__ int counter[bins + 1];
  __shared__ bool is_last;
  let_next_kernel_start();
  counter[threadIdx.x] = 0;
  const std::int64_t from = (first_block + blockIdx.x) * part;
  sorted_part mine(check, info_array, from, min(from + part, count));
  __syncthreads();
  mine.count_into(counter);
  __syncthreads();
  if (counter[threadIdx.x] != 0) atomicAdd(head->begin + threadIdx.x, counter[threadIdx.x]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&head->counted, 1u) + 1 == ceil_div(count, part);
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  counter[threadIdx.x] = __ldcg(head->begin + threadIdx.x);
  __syncthreads();
  lay_out(counter, classes, head->ranges);
  head->begin[threadIdx.x] = counter[threadIdx.x];
}

template <class Check>
__global__ void __launch_bounds__(schedule_threads)
    sort_place(std::int64_t first_block, Check check, std::int64_t count, std::int64_t part,
               schedule_head* head, int* order) {
  __shared__ int counter[bins + 1];
  counter[threadIdx.x] = 0;
  const std::int64_t from = (first_block + blockIdx.x) * part;
  sorted_part mine(check, nullptr, from, min(from + part, count));
  __syncthreads();
  mine.count_into(counter);
  __syncthreads();
  wait_for_kernel_ahead();
  let_next_kernel_start();
  const int own = counter[threadIdx.x];
  if (own != 0) counter[threadIdx.x] = atomicAdd(head->begin + threadIdx.x, own);
  __syncthreads();
  mine.place(counter, order);
}

/// The largest legal order of a batch, into head->largest.
template <class Check>
__global__ void __launch_bounds__(schedule_threads)
    find_largest(std::int64_t first_block, Check check, std::int64_t count, schedule_head* head) {
  const std::int64_t b = (first_block + blockIdx.x) * schedule_threads + threadIdx.x;
  const checked one = check(min(b, count - 1));
  const int largest = __reduce_max_sync(~0u, one.info == 0 ? one.n : 0);
  if (threadIdx.x % 32 == 0 && largest > 0) atomicMax(&head->largest, largest);
}

/// Scratch of a call: the caller's, or allocated and freed in the stream's order.
class scratch {
 public:
  scratch(queue q, std::size_t bytes) : stream_(static_cast<cudaStream_t>(q.stream)) {
    if (q.work != nullptr) {
      memory_ = static_cast<unsigned char*>(q.work);
      if (q.work_bytes < bytes) status = err_work;
      return;
    }
    void* memory = nullptr;
    const cudaError_t error = cudaMallocAsync(&memory, bytes, stream_);
    status = reported(error);
    if (error == cudaErrorMemoryAllocation) status = err_work;
    memory_ = static_cast<unsigned char*>(memory);
    owns_ = status == 0;
  }
  ~scratch() {
    if (owns_) cudaFreeAsync(memory_, stream_);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  schedule_head* head() const { return reinterpret_cast<schedule_head*>(memory_); }
  int* order() const { return reinterpret_cast<int*>(memory_ + schedule_head_bytes); }

  int status = 0;

 private:
  cudaStream_t stream_;
  unsigned char* memory_ = nullptr;
  bool owns_ = false;
};

/// Makes the order of a batch of at most schedule_most matrices.
template <class Check>
int make_order(const Check& check, int* info, const class_bounds& classes, const scratch& work, queue q) {
  const std::int64_t count = check.A.count;
  const dim3 threads(schedule_threads);
  constexpr std::int64_t alone = sort_rounds * schedule_threads, enough_blocks = 256;
  if (count <= alone)
    return launch<sort_sizes<Check>>(1, threads, 0, q, check, info, count, classes, work.head(),
                                     work.order());
  const std::int64_t rounds =
      std::min<std::int64_t>(sort_rounds, ceil_div<std::int64_t>(count, enough_blocks * schedule_threads));
  const std::int64_t part = rounds * schedule_threads, parts = ceil_div(count, part);
  if (const int status = reported(
          cudaMemsetAsync(work.head(), 0, offsetof(schedule_head, counted) + sizeof(schedule_head::counted),
                          static_cast<cudaStream_t>(q.stream))))
    return status;
  if (const int status =
          launch<sort_count<Check>>(parts, threads, 0, q, check, info, count, part, classes, work.head()))
    return status;
  return launch_when<sort_place<Check>>({true, -1}, parts, threads, 0, q, check, count, part, work.head(),
                                        work.order());
}

/// Whether the caller's scratch suffices, if there is any: looked at before anything is queued.
inline int check_work(queue q, std::int64_t count) {
  return q.work != nullptr && q.work_bytes < schedule_bytes(count) ? err_work : 0;
}

/// Work on `part` by launch(part, info): all of the batch, or as many matrices as one order may have.
template <class Check, class Launch>
int in_parts(const Check& check, int* info, Launch launch) {
  for (std::int64_t first = 0; first < check.A.count; first += schedule_most) {
    const std::int64_t count = std::min(schedule_most, check.A.count - first);
    if (const int status = launch(check.part(first, count), info + first)) return status;
  }
  return 0;
}

/// Orders the matrices by size and calls launch(part, info, share) for all of them. Says in info what is
/// illegal or empty.
template <class Check, class Launch>
int in_order(const Check& check, int* info, queue q, Launch launch) {
  const scratch work(q, schedule_bytes(check.A.count));
  if (work.status != 0) return work.status;
  return in_parts(check, info, [&](const Check& part, int* infos) {
    if (const int status = make_order(part, infos, class_bounds{0, {}}, work, q)) return status;
    share s;
    s.order = work.order();
    s.count = static_cast<int>(part.A.count);
    s.waits = true;
    return launch(part, infos, s);
  });
}

/// The same, with a launch(c, part, info, share) for each class, the largest sizes first.
template <class Check, class Launch>
int for_each_class(const class_bounds& classes, const Check& check, int* info, queue q, Launch launch) {
  const scratch work(q, schedule_bytes(check.A.count));
  if (work.status != 0) return work.status;
  return in_parts(check, info, [&](const Check& part, int* infos) {
    if (const int status = make_order(part, infos, classes, work, q)) return status;
    for (int c = classes.count - 1; c >= 0; --c) {
      share s;
      s.order = work.order();
      s.range = work.head()->ranges + c;
      s.waits = c == classes.count - 1;
      if (const int status = launch(c, part, infos, s)) return status;
    }
    return 0;
  });
}

/// Of a bound that the caller does not know: the largest legal order. Waits for it, so it cannot be captured.
template <class Check>
int find_bound(Check& check, queue q) {
  if (check.n_max != unknown_bound) return 0;
  const std::int64_t count = check.A.count;
  const auto stream = static_cast<cudaStream_t>(q.stream);
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  if (const int status = reported(cudaStreamIsCapturing(stream, &capturing))) return status;
  if (capturing != cudaStreamCaptureStatusNone) return err_unsupported;
  const scratch work(q, sizeof(schedule_head));
  if (work.status != 0) return work.status;
  int* const largest = &work.head()->largest;
  if (const int status = reported(cudaMemsetAsync(largest, 0, sizeof(int), stream))) return status;
  if (const int status = launch<find_largest<Check>>(ceil_div<std::int64_t>(count, schedule_threads),
                                                     dim3(schedule_threads), 0, q, check, count, work.head()))
    return status;
  if (const int status =
          reported(cudaMemcpyAsync(&check.n_max, largest, sizeof(int), cudaMemcpyDeviceToHost, stream)))
    return status;
  return reported(cudaStreamSynchronize(stream));
}

}  // namespace talus::cuda
