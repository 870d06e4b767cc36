// Systems of mixed sizes as the source of what a kernel solves: in order, or off the work queue of a class.
// Those of one size are batched/blas/pieces/systems.cuh.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "batch.hpp"
#include "batched/blas/pieces/sharing.cuh"
#include "batched/blas/pieces/systems.cuh"
#include "checks/blas.hpp"
#include "gpu/launch.cuh"
#include "gpu/table.hpp"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.hpp"

namespace talus::cuda::blas {

template <class T>
struct mixed_systems {
  static constexpr bool equal = false;
  using element = T;
  mixed_sizes<ordered_matrices<const T>> A;
  variable_batch<T> B;
  bool sides_are_rows;
  extents<2> bounds;
  bool together = false;  // all right-hand sides of a system are one block's
  int most_blocks = 1;    // that share a system's

  extents<2> largest() const { return bounds; }

  /// Calls work(b, exists, A, B): 32 / of_warp lanes of a warp process system b, or some of its right-hand
  /// sides. In a launch with few systems, several such groups of lanes share the sides of one system.
  template <class Work>
  __device__ __forceinline__ void for_each_of_warp(int of_warp, std::int64_t first_block, int*,
                                                   Work work) const {
    const int in_warp = static_cast<int>(threadIdx.y) & (of_warp - 1);  // of_warp is a power of 2
    const subset& s = A.s;
    if (s.waits) wait_for_previous_kernel();  // which makes the order
    const int from = s.first(), parts = parts_of_each(s.end() - from, most_blocks);
    const int mine = static_cast<int>(first_block + blockIdx.x) * static_cast<int>(blockDim.y) +
                     static_cast<int>(threadIdx.y) - in_warp;
    for_each_in_queue<32>(
        s, mine, of_warp,
        [&](int first, int end) {
          const int position = first + in_warp;
          const int b = position < end ? s.number(from + (position - from) / parts) : -1;
          matrix<const T> one = {nullptr, 0, 0, 1};
          matrix<T> sides = {nullptr, 0, 0, 1};
          bool has_sides = true;
          if (b >= 0) {
            one = A.check.A[b];
            sides = B[b];
            has_sides = parts == 1 || take_part(sides, (position - from) % parts, parts);
          }
          work(max(b, 0), one.n > 0 && has_sides, one, sides);
        },
        parts);
  }

 private:
  /// Reduces the right-hand sides of a system to part `part` of `parts`. Returns false if that part is empty
  /// and another part is not.
  __device__ __forceinline__ bool take_part(matrix<T>& sides, int part, int parts) const {
    int& count = sides_are_rows ? sides.m : sides.n;
    const int each = ceil_div(count, parts * 32) * 32, first = part * each;
    if (first >= count) return part == 0;
    sides.A += first * (sides_are_rows ? std::ptrdiff_t{1} : std::ptrdiff_t{sides.lda});
    count = min(each, count - first);
    return true;
  }
};

template <class T, class Plan>
auto as_either(const mixed_systems<T>& systems, const Plan& plan) {
  return std::pair(
      either_systems<T>{systems.A.check.A, systems.B, systems.A.s, systems.sides_are_rows, systems.bounds},
      plan);
}

template <auto KERNEL, class T, class... Arguments>
int launch_small_systems(mixed_systems<T> systems, int tbc, dim3 threads, std::size_t shared_bytes, queue q,
                         Arguments... arguments) {
  constexpr int sides = 64;  // of a part, about
  const std::int64_t count = systems.B.count;
  const int most = systems.together ? 1 : std::max(1, ceil_div(systems.bounds[1], sides));
  systems.most_blocks = most;
  return launch_subset<KERNEL>(systems.A.s,
                               count * (systems.A.s.range == nullptr ? parts_of_each(count, most) : most),
                               tbc, threads, shared_bytes, 0, q, systems, arguments...);
}

}  // namespace talus::cuda::blas
