// The source from which kernels take fronts in four blocks, of one size or of mixed sizes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "batch.hpp"
#include "batched/blas/pieces/sharing.cuh"
#include "batched/lu/fronts.hpp"
#include "checks/lu.hpp"
#include "gpu/launch.cuh"
#include "gpu/table.hpp"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda::lu {

/// A block such as A12 of all fronts. If the pointers to sizes are null, all fronts have the sizes in `all`.
template <class T>
struct block_of_fronts {
  T* const* array;  // block b begins at array[b], if array is not null,
  T* slab;          // else at slab + b * stride
  std::int64_t stride;
  const int *m, *n, *lda;
  matrix<T> all;

  block_of_fronts(const batch<T>& A)
      : array(A.array),
        slab(A.slab),
        stride(A.stride),
        m(nullptr),
        n(nullptr),
        lda(nullptr),
        all{nullptr, A.m, A.n, A.lda} {}
  block_of_fronts(const variable_batch<T>& A)
      : array(A.array), slab(nullptr), stride(0), m(A.m), n(A.n), lda(A.lda), all{nullptr, 0, 0, 1} {}

  __device__ T* begin(int b) const { return array != nullptr ? array[b] : slab + b * stride; }
  __device__ int rows(int b) const { return m != nullptr ? m[b] : all.m; }
  __device__ int columns(int b) const { return n != nullptr ? n[b] : all.n; }
  __device__ int ld(int b) const { return lda != nullptr ? lda[b] : all.lda; }
};

/// The fronts of a launch.
template <class T>
struct split_fronts {
  using element = T;
  lu_fronts<block_of_fronts<T>> A;
  eliminations<real_t<T>> each;
  split how;
  subset s;
  extents<3> bounds;    // of m = k + m2, n = k + n2 and k
  bool checks = false;  // the kernel checks the arguments of each front, because no order was made
  pivoting exchanges = pivoting::partial;
  talus::lu::bounds_of_split promised = {};

  /// Reads all sizes and pointers of front b before it uses any of them, so that the reads overlap.
  __device__ front<T> front_at(int b) const {
    const int k = A.A11.columns(b), m2 = A.A22.rows(b), n2 = A.A22.columns(b);
    return {{A.A11.begin(b), k, k, A.A11.ld(b)},
            {A.A12.begin(b), k, n2, A.A12.ld(b)},
            {A.A21.begin(b), m2, k, A.A21.ld(b)},
            {A.A22.begin(b), m2, n2, A.A22.ld(b)}};
  }
  __device__ elimination<real_t<T>> elimination_at(int b, int k) const { return each.of(b, k, k); }

  /// Calls work(b, front) in all threads of a block of THREADS threads, for the fronts of the launch's class.
  /// If front b is illegal, one thread of the first launch writes info instead.
  template <int THREADS, class Work>
  __device__ __forceinline__ void for_each_front(std::int64_t first_block, int* info_array, Work work) const {
    for_each_in_queue<THREADS>(s, static_cast<int>(first_block + blockIdx.x), 1, [&](int position, int) {
      const int b = s.number(position);
      if (b < 0) return;
      const front<T> A = front_at(b);
      if (checks) {
        const int* const ipiv = each.has_ipiv() ? each.ipiv[b] : nullptr;
        const int info = talus::lu::check_split(exchanges, A.A11, A.A12, A.A21, A.A22, ipiv, promised);
        if (info != 0) {
          if (s.is_first && threadIdx.x == 0) info_array[b] = info;
          return;
        }
        if (s.filters) {
          const int k = A.A11.n;
          const extents<3> sizes = {{extent_of_front(k, A.A22.m), extent_of_front(k, A.A22.n), k}};
          if (!bounds.cover(sizes) || s.leaves_out(sizes)) return;
        }
      }
      work(b, A);
    });
  }

  /// Calls work(b, part, parts) for each part of each front, from the first front of the order to the last
  /// front of the subset. If the call has few fronts, each front has up to `most` parts. The blocks of the
  /// launch take the parts in turn, without a queue. With by_fronts, all parts of the first front come first:
  /// blocks that run at the same time read the same operands. Without by_fronts, the first parts of all
  /// fronts come first: small fronts have no last parts, so the empty parts come last.
  template <class Work>
  __device__ __forceinline__ void for_each_part(std::int64_t first_block, int most, bool by_fronts,
                                                Work work) const {
    if (s.waits) wait_for_previous_kernel();
    let_next_kernel_start();
    const int count = s.end(), parts = blas::blocks_of_each(count, 1, most);
    const std::int64_t all = static_cast<std::int64_t>(count) * parts;
    for (std::int64_t i = first_block + blockIdx.x; i < all; i += gridDim.x) {
      const int b = s.number(static_cast<int>(by_fronts ? i / parts : i % count));
      if (b >= 0) work(b, static_cast<int>(by_fronts ? i % parts : i / count), parts);
    }
    if (blockIdx.x == 0) wait_for_previous_kernel();
  }

  /// Launches KERNEL(first_block, source, arguments...), which calls for_each_front.
  template <auto KERNEL, class... Arguments>
  int launch_fronts(dim3 threads, std::size_t shared_bytes, queue q, Arguments... arguments) const {
    return launch_subset<KERNEL>(s, s.count, 1, threads, shared_bytes, 0, q, *this, arguments...);
  }
  /// Launches KERNEL(first_block, source, arguments..., most), which calls for_each_part with up to `parts`
  /// parts of each front. The launch has no more blocks than the device runs at once.
  template <auto KERNEL, class... Arguments>
  int launch_parts(std::int64_t parts, dim3 threads, std::size_t shared_bytes, queue q,
                   Arguments... arguments) const {
    const int most = static_cast<int>(std::clamp<std::int64_t>(parts, 1, blas::enough_blocks));
    const launch_options how = {s.waits || s.range != nullptr, all_shared};
    std::int64_t room = 0;
    if (const int status =
            blocks_at_once<KERNEL>(how, threads, shared_bytes, q, room, *this, arguments..., most))
      return status;
    return launch<KERNEL>(how, std::min(s.count * static_cast<std::int64_t>(most), room), threads,
                          shared_bytes, q, *this, arguments..., most);
  }
};

}  // namespace talus::cuda::lu
