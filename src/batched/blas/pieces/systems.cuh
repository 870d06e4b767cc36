// Systems of one size as the source of what a kernel solves: a block has a matrix and some of its right-hand
// sides. Those of mixed sizes are vbatched/blas/systems.cuh.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/table.hpp"

namespace talus::cuda::blas {

template <class T>
struct equal_systems {
  static constexpr bool equal = true;
  using element = T;
  batch<const T> A;
  batch<T> B;
  int sides;              // right-hand sides of each
  bool together = false;  // all right-hand sides of a matrix are one block's
  int groups = 1;         // blocks of a matrix

  /// The largest order and number of right-hand sides that there may be.
  extents<2> largest() const { return {{A.n, sides}}; }

  /// work(b, A, B, first, end, says): right-hand sides first ... end - 1 of matrix b are this block's; one
  /// block of each matrix says in info how it went.
  template <class Policy, class Work>
  __device__ __forceinline__ void for_each_of_block(std::int64_t first_block, int*, Work work) const {
    const std::int64_t block = first_block + blockIdx.x, b = block / groups;
    const int group = static_cast<int>(block % groups);
    const int end = groups == 1 ? sides : min((group + 1) * Policy::SIDES, sides);
    work(b, A[b], B[b], group * Policy::SIDES, end, group == 0);
  }

  /// work(b, exists, A, B): matrix b is that of 32 / OF_WARP lanes of a warp, blockDim.y of them to a block.
  template <int OF_WARP, class Work>
  __device__ __forceinline__ void for_each_of_warp(std::int64_t first_block, int*, Work work) const {
    const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
    const bool exists = b < A.count;
    work(b, exists, A[exists ? b : 0], B[exists ? b : 0]);
  }
};

/// KERNEL(first_block, systems, arguments...), a block for every SIDES right-hand sides of a matrix.
template <auto KERNEL, class T, class... Arguments>
int launch_systems(equal_systems<T> systems, int sides, dim3 threads, std::size_t shared_bytes, queue q,
                   Arguments... arguments) {
  systems.groups = systems.together ? 1 : std::max(1, ceil_div(systems.sides, sides));
  return launch<KERNEL>({}, systems.A.count * systems.groups, threads, shared_bytes, q, systems,
                        arguments...);
}

/// KERNEL(first_block, systems, arguments...), tbc matrices to a block.
template <auto KERNEL, class T, class... Arguments>
int launch_small_systems(const equal_systems<T>& systems, int tbc, dim3 threads, std::size_t shared_bytes,
                         queue q, Arguments... arguments) {
  return launch<KERNEL>({}, ceil_div<std::int64_t>(systems.A.count, tbc), threads, shared_bytes, q, systems,
                        arguments...);
}

}  // namespace talus::cuda::blas
