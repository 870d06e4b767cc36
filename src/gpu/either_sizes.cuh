// Batches of one size and of mixed sizes as the source of a kernel that is compiled once for both.
#pragma once

#include "batch.hpp"
#include "gpu/scalar.cuh"
#include "gpu/subset.cuh"

namespace talus::cuda {

/// All matrices of a batch of one size. The grid has one block per matrix, or per part of a matrix, and a
/// kernel adds its `first_block` to positions: a batch may have more matrices than an int counts.
inline constexpr subset whole_batch = {nullptr, nullptr, any_extent};

template <class T>
struct either_sizes {
  using element = T;
  either_batch<T> A;
  subset s = whole_batch;

  /// work(number, A): A is matrix number(), and this block's.
  template <int THREADS, class Work>
  __device__ __forceinline__ void for_each_of_block(std::int64_t first_block, Work work) const {
    for_each_in_queue<THREADS>(s, static_cast<int>(blockIdx.x), 1, [&](int position, int) {
      const int number = s.number(position);
      if (number >= 0) work([=] { return first_block + recomputed(number); }, A[first_block + number]);
    });
  }
};

/// KERNEL(first_block, source, arguments...), a block for each matrix.
template <auto KERNEL, class T, class... Arguments>
int launch_over(const either_sizes<T>& source, dim3 threads, std::size_t shared_bytes, queue q,
                Arguments... arguments) {
  return launch_subset<KERNEL>(source.s, source.A.equal.count, 1, threads, shared_bytes, 0, q, source,
                               arguments...);
}

}  // namespace talus::cuda
