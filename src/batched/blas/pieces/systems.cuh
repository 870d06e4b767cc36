// Two sources of linear systems for kernels: systems of one size, and systems of either kind for kernels that
// are compiled once for both. A block has a matrix and some of its right-hand sides. The third source, for
// mixed sizes, is in vbatched/blas/systems.cuh.
#pragma once

#include <algorithm>
#include <utility>

#include "batch.hpp"
#include "batched/blas/pieces/sharing.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/subset.cuh"
#include "gpu/table.hpp"

namespace talus::cuda::blas {

template <class T>
struct equal_systems {
  static constexpr bool equal = true;
  using element = T;
  batch<const T> A;
  batch<T> B;
  bool sides_are_rows;
  int groups = 1;  // blocks of a matrix

  /// The largest order and number of right-hand sides that there may be.
  TALUS_HOST_DEVICE extents<2> largest() const { return {{A.n, sides_are_rows ? B.m : B.n}}; }

  /// work(b, A, B, first, end, says): right-hand sides first ... end - 1 of matrix b are this block's; one
  /// block of each matrix says in info how it went.
  template <class Policy, class Work>
  __device__ __forceinline__ void for_each_of_block(std::int64_t first_block, Work work) const {
    const std::int64_t block = first_block + blockIdx.x, b = block / groups;
    const int group = static_cast<int>(block % groups), sides = largest()[1];
    const int end = groups == 1 ? sides : min((group + 1) * Policy::SIDES, sides);
    work(b, A[b], B[b], group * Policy::SIDES, end, group == 0);
  }

  /// Calls work(b, A, B): this block processes system b with all its right-hand sides.
  template <class Work>
  __device__ __forceinline__ void for_each_whole(std::int64_t first_block, Work work) const {
    const std::int64_t b = first_block + blockIdx.x;
    work(b, A[b], B[b]);
  }

  /// Calls work(b, exists, A, B): 32 / of_warp lanes process matrix b; a block has blockDim.y matrices.
  template <class Work>
  __device__ __forceinline__ void for_each_of_warp(int, std::int64_t first_block, int*, Work work) const {
    const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
    const bool exists = b < A.count;
    work(b, exists, A[exists ? b : 0], B[exists ? b : 0]);
  }
};

template <class T>
struct either_systems {
  static constexpr bool equal = false;
  using element = T;
  either_batch<const T> A;
  either_batch<T> B;
  subset s;
  bool sides_are_rows;
  extents<2> bounds;
  int least_blocks = 1, most_blocks = 1;  // that share a system
  std::int64_t first = 0;                 // the system of position 0, without an order

  extents<2> largest() const { return bounds; }

  /// The number of blocks that share each system of a launch of `count` systems.
  TALUS_HOST_DEVICE int parts(std::int64_t count) const {
    return blocks_of_each(count, least_blocks, most_blocks);
  }

  /// work(b, A, B, first, end, says): right-hand sides first ... end - 1 of system b are this block's; one
  /// block of each system says in info how it went.
  template <class Policy, class Work>
  __device__ __forceinline__ void for_each_of_block(std::int64_t, Work work) const {
    if (s.waits) wait_for_previous_kernel();  // which makes the order
    const int from = s.first(), shared_by = parts(s.end() - from);
    for_each_in_queue<Policy::THREADS>(
        s, static_cast<int>(blockIdx.x), 1,
        [&](int position, int) {
          const int block = position - from, part = block % shared_by;
          const int number = s.number(from + block / shared_by);
          if (number < 0) return;
          const std::int64_t b = first + number;
          const matrix<const T> one = A[b];
          const matrix<T> sides = B[b];
          const int all = sides_are_rows ? sides.m : sides.n;
          const int each = ceil_div(all, shared_by * Policy::SIDES) * Policy::SIDES, begin = part * each;
          if (begin >= all && part > 0) return;
          work(b, one, sides, begin, min(begin + each, all), part == 0);
        },
        shared_by);
  }

  /// Calls work(b, A, B) for each system b that this block processes, with all its right-hand sides.
  template <class Work>
  __device__ __forceinline__ void for_each_whole(std::int64_t, Work work) const {
    constexpr int a_block = 0;  // no warp
    for_each_in_queue<a_block>(s, static_cast<int>(blockIdx.x), 1, [&](int position, int) {
      const int number = s.number(position);
      if (number < 0) return;
      const std::int64_t b = first + number;
      work(b, A[b], B[b]);
    });
  }
};

template <class T, class Plan>
auto as_either(const equal_systems<T>& systems, const Plan& plan) {
  return std::pair(either_systems<T>{systems.A, systems.B, {}, systems.sides_are_rows, systems.largest()},
                   plan);
}

template <class T, class Plan>
auto as_either(const either_systems<T>& systems, const Plan& plan) {
  return std::pair(systems, plan);
}

/// KERNEL(first_block, systems, arguments...), a block for every `sides` right-hand sides of a matrix.
template <auto KERNEL, class T, class... Arguments>
int launch_systems(equal_systems<T> systems, int sides, dim3 threads, std::size_t shared_bytes, queue q,
                   Arguments... arguments) {
  systems.groups = std::max(1, ceil_div(systems.largest()[1], sides));
  return launch<KERNEL>({}, systems.A.count * systems.groups, threads, shared_bytes, q, systems,
                        arguments...);
}

/// KERNEL(first_block, systems, arguments...), up to a block for every `sides` right-hand sides of a system.
/// Each launch has fewer than 2^31 blocks.
template <auto KERNEL, class T, class... Arguments>
int launch_systems(either_systems<T> systems, int sides, dim3 threads, std::size_t shared_bytes, queue q,
                   Arguments... arguments) {
  const std::int64_t all = systems.B.equal.count;
  const bool is_equal = systems.B.is_equal();
  const int blocks = std::max(1, static_cast<int>(ceil_div<std::int64_t>(systems.bounds[1], sides)));
  systems.most_blocks = is_equal ? blocks : std::min(blocks, enough_blocks);
  systems.least_blocks = is_equal ? blocks : 1;
  const std::int64_t at_once = is_equal ? any_extent / blocks : all;
  for (; systems.first < all; systems.first += at_once) {
    const std::int64_t count = std::min(at_once, all - systems.first);
    if (systems.s.range == nullptr) systems.s.count = static_cast<int>(count);
    const int parts = systems.s.range == nullptr ? systems.parts(count) : systems.most_blocks;
    if (const int status = launch_subset<KERNEL>(systems.s, count * parts, 1, threads, shared_bytes, 0, q,
                                                 systems, arguments...))
      return status;
  }
  return 0;
}

/// Launches KERNEL(first_block, systems, arguments...) with up to one block for each system.
template <auto KERNEL, class T, class... Arguments>
int launch_whole_systems(const equal_systems<T>& systems, dim3 threads, std::size_t shared_bytes, queue q,
                         Arguments... arguments) {
  return launch<KERNEL>({}, systems.A.count, threads, shared_bytes, q, systems, arguments...);
}
template <auto KERNEL, class T, class... Arguments>
int launch_whole_systems(const either_systems<T>& systems, dim3 threads, std::size_t shared_bytes, queue q,
                         Arguments... arguments) {
  return launch_systems<KERNEL>(systems, any_extent, threads, shared_bytes, q, arguments...);
}

/// KERNEL(first_block, systems, arguments...), tbc matrices to a block.
template <auto KERNEL, class T, class... Arguments>
int launch_small_systems(const equal_systems<T>& systems, int tbc, dim3 threads, std::size_t shared_bytes,
                         queue q, Arguments... arguments) {
  return launch<KERNEL>({}, ceil_div<std::int64_t>(systems.A.count, tbc), threads, shared_bytes, q, systems,
                        arguments...);
}

}  // namespace talus::cuda::blas
