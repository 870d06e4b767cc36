// Systems of mixed sizes as the source of what a kernel solves: in order, or off the work queue of a class.
// Those of one size are batched/blas/systems.cuh.
#pragma once

#include "batch.hpp"
#include "gpu/launch.cuh"
#include "gpu/table.hpp"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.hpp"

namespace talus::cuda::blas {

/// What is illegal of a system says Infos: infos(b, A_b, B_b, bounds), 0 or -i; infos.part(first), those from
/// matrix `first` on. Extents are the order and the number of right-hand sides.
template <class T, class Infos>
struct systems_check {
  static constexpr bool in_kernels = false;
  variable_batch<const T> A;
  variable_batch<T> B;
  Infos infos;
  bool sides_are_rows;
  extents<2> bounds;

  /// A step of the tensor units is taken for 16 right-hand sides.
  TALUS_HOST_DEVICE static int work(const extents<2>& sizes) {
    const std::int64_t all = static_cast<std::int64_t>(sizes.of[0]) * (sizes.of[1] / 16 + 1), most = 1 << 30;
    return static_cast<int>(all < most ? all : most);
  }
  TALUS_HOST_DEVICE checked<2> operator()(std::int64_t b) const {
    const matrix<const T> one = A[b];
    const matrix<T> sides = B[b];
    return {infos(b, one, sides, bounds), {{one.n, sides_are_rows ? sides.m : sides.n}}};
  }
  systems_check part(std::int64_t first, std::int64_t part_count) const {
    return {part_of(A, first, part_count), part_of(B, first, part_count), infos.part(first), sides_are_rows,
            bounds};
  }
};

template <class T>
struct mixed_systems {
  static constexpr bool equal = false;
  using element = T;
  mixed_sizes<ordered_matrices<const T>> A;
  variable_batch<T> B;
  bool sides_are_rows;
  extents<2> bounds;

  extents<2> largest() const { return bounds; }

  template <class Policy, class Work>
  __device__ __forceinline__ void for_each_of_block(std::int64_t first_block, int* info_array,
                                                    Work work) const {
    A.template for_each_of_block<Policy::THREADS>(
        first_block, info_array, [&](auto number, const single<const T>& one) {
          const int b = number();
          const matrix<T> sides = B[b];
          work(b, one.A, sides, 0, sides_are_rows ? sides.m : sides.n, true);
        });
  }

  template <int OF_WARP, class Work>
  __device__ __forceinline__ void for_each_of_warp(std::int64_t first_block, int* info_array,
                                                   Work work) const {
    A.template for_each_of_warp<OF_WARP>(
        first_block, info_array,
        [&](int b, bool exists, const single<const T>& one) { work(b, exists, one.A, B[b]); });
  }
};

template <auto KERNEL, class T, class... Arguments>
int launch_systems(const mixed_systems<T>& systems, int, dim3 threads, std::size_t shared_bytes, queue q,
                   Arguments... arguments) {
  return launch_subset<KERNEL>(systems.A.s, systems.B.count, 1, threads, shared_bytes, 0, q, systems,
                               arguments...);
}
template <auto KERNEL, class T, class... Arguments>
int launch_small_systems(const mixed_systems<T>& systems, int tbc, dim3 threads, std::size_t shared_bytes,
                         queue q, Arguments... arguments) {
  return launch_subset<KERNEL>(systems.A.s, systems.B.count, tbc, threads, shared_bytes, 0, q, systems,
                               arguments...);
}

}  // namespace talus::cuda::blas
