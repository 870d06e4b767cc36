// Batches of one size as the source of a kernel's matrices: every warp or block has its own ones. The other
// source is vbatched/mixed_sizes.cuh; a kernel is a template on it, and so is written once.
#pragma once

#include "batch.hpp"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/table.hpp"

namespace talus::cuda {

template <class T>
struct equal_sizes {
  static constexpr bool equal = true;
  using element = T;
  batch<T> A;

  /// The largest order that there may be.
  int n_max() const { return A.n; }
  std::int64_t count() const { return A.count; }

  /// work(b, exists, A): matrix b of A is this thread's, blockDim.y of them to a block.
  template <int OF_WARP, class Work>
  __device__ __forceinline__ void for_each_of_warp(std::int64_t first_block, int*, Work work) const {
    const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
    work(b, b < A.count, A);
  }

  /// work(number, A): matrix number() of A is this block's.
  template <int THREADS, class Work>
  __device__ __forceinline__ void for_each_of_block(std::int64_t first_block, int*, Work work) const {
    work([=] { return first_block + recomputed(static_cast<int>(blockIdx.x)); }, A);
  }

  // ---- kernels that go step by step, a launch for each ------------------------------------------

  /// Columns up to which there are steps of nb, and columns that there are.
  int end_of_steps(int) const { return A.n; }
  int end_of_columns(int) const { return A.n; }
  equal_sizes in_steps(int) const { return *this; }

  /// work(b, A, k, done): matrix b of A is this block's, and is at column k when the largest is; `done`
  /// columns of it are finished when the kernel starts.
  template <class Work>
  __device__ __forceinline__ void for_each_at_column(std::int64_t first_block, int k, int done,
                                                     Work work) const {
    work(first_block + blockIdx.x, A, k, done);
  }

  /// work(b, A, k, row_block, first_tile, end_tile): so is one of `row_blocks` blocks, TILES each, of its
  /// tiles of 16 rows from first_tile to before end_tile.
  template <int TILES, class Work>
  __device__ __forceinline__ void for_each_row_block(std::int64_t first_block, int k, int first_tile,
                                                     int end_tile, int row_blocks, Work work) const {
    const std::int64_t block = first_block + blockIdx.x, b = block / row_blocks;
    work(b, A, k, static_cast<int>(block % row_blocks), first_tile, end_tile);
  }
};

/// The largest m and n that there may be; of the other source what bounds them.
template <class T>
extents<2> largest_of(const equal_sizes<T>& source) {
  return {{source.A.m, source.A.n}};
}
template <class Source>
extents<2> largest_of(const Source& source) {
  return source.check.bounds;
}

/// KERNEL(first_block, source, arguments...) for all matrices, tbc to a block.
template <auto KERNEL, class T, class... Arguments>
int launch_over(const equal_sizes<T>& source, int tbc, dim3 threads, std::size_t shared_bytes,
                std::int64_t carve_out, queue q, Arguments... arguments) {
  return launch<KERNEL>({false, carve_out}, ceil_div<std::int64_t>(source.A.count, tbc), threads,
                        shared_bytes, q, source, arguments...);
}

/// One step of all matrices, `each` blocks for one; none: the kernel is only made ready.
template <auto KERNEL, class T, class... Arguments>
int launch_step(launch_options how, const equal_sizes<T>& source, int each, int threads,
                std::size_t shared_bytes, queue q, Arguments... arguments) {
  return launch<KERNEL>(how, source.A.count * each, dim3(static_cast<unsigned>(threads)), shared_bytes, q,
                        source, arguments...);
}

}  // namespace talus::cuda
