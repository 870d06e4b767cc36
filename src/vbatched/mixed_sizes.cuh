// Batches of mixed sizes as the source of a kernel's matrices: as they come, in order, or off the work queue
// of a class. The other source is gpu/equal_sizes.cuh.
#pragma once

#include <algorithm>
#include <cstdint>

#include "batch.hpp"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/subset.cuh"
#include "gpu/table.hpp"

namespace talus::cuda {

/// One matrix, to code that asks a batch of equal sizes for the one that it works on.
template <class T>
struct single {
  matrix<T> A;
  int n, lda;
  __device__ explicit single(const matrix<T>& A_) : A(A_), n(A_.n), lda(A_.lda) {}
  __device__ const matrix<T>& operator[](std::int64_t) const { return A; }
};

/// When matrices begin that go step by step. Greedy: with the first step; lazy: so that all end with the last
/// of `steps`.
struct step_schedule {
  bool lazy;
  int steps, nb;

  /// Where a matrix of n columns is when the largest is at column k: negative before its first step, n or
  /// more after its last.
  __device__ int column(int k, int n) const { return lazy ? k - (steps - ceil_div(n, nb)) * nb : k; }
};

/// A class whose matrices go step by step: blocks go from matrix to matrix of its part of the
/// order, and have nothing to do for those that have not begun, or have ended.
template <class Check>
struct stepping_sizes {
  static constexpr bool equal = false;
  using element = typename Check::element;
  Check check;
  step_schedule when;
  subset s;

  int end_of_steps(int nb) const { return when.steps * nb; }  // a lazy matrix may be up to a panel behind
  int end_of_columns(int nb) const { return when.lazy ? when.steps * nb : Check::columns(check.bounds); }

  template <class Work>
  __device__ __forceinline__ void for_each_at_column(std::int64_t, int k, int done, Work work) const {
    const int end = s.end();
    for (int position = s.first() + static_cast<int>(blockIdx.x); position < end;
         position += static_cast<int>(gridDim.x)) {
      const int b = s.number(position);
      const single<element> mine(check.A[b]);
      const int columns = Check::columns(Check::sizes_of(mine.A)), column = when.column(k, columns);
      if (column < 0 || column >= columns) continue;
      work(b, mine, column, max(0, when.column(done, columns)));
      __syncthreads();  // before the next one's tiles come to where these are
    }
    wait_for_previous_kernel();  // also where there is nothing to do: the kernel that follows counts on it
  }

  template <int TILES, class Work>
  __device__ __forceinline__ void for_each_row_block(std::int64_t, int k, int first_tile, int end_tile,
                                                     int row_blocks, Work work) const {
    const int first = s.first();
    const std::int64_t items = static_cast<std::int64_t>(s.end() - first) * row_blocks;
    for (std::int64_t item = blockIdx.x; item < items; item += gridDim.x) {
      const int b = s.number(first + static_cast<int>(item / row_blocks));
      const int row_block = static_cast<int>(item % row_blocks);
      const single<element> mine(check.A[b]);
      const int columns = Check::columns(Check::sizes_of(mine.A)), column = when.column(k, columns);
      const int ahead = (k - column) / 16;  // tiles of the largest
      const int from = first_tile - ahead, to = min(end_tile - ahead, ceil_div(columns, 16));
      if (column < 0 || from + row_block * TILES >= to) continue;
      work(b, mine, column, row_block, from, to);
      __syncthreads();
    }
    wait_for_previous_kernel();
  }
};

/// The matrices of a launch: those of `check` that are in the subset, whose extents check.bounds bounds.
template <class Check>
struct mixed_sizes {
  static constexpr bool equal = false;
  using element = typename Check::element;
  Check check;
  subset s;
  bool lazy;

  /// At most.
  std::int64_t count() const { return check.A.count; }
  int n_max() const { return Check::columns(check.bounds); }

  template <int OF_WARP, class Work>
  __device__ __forceinline__ void for_each_of_warp(std::int64_t first_block, int* info_array,
                                                   Work work) const {
    const int first = static_cast<int>(first_block + blockIdx.x) * static_cast<int>(blockDim.y) +
                      static_cast<int>(threadIdx.y) / OF_WARP * OF_WARP;
    for_each_in_queue<32>(s, first, OF_WARP, [&](int position, int end) {
      const int mine = position + static_cast<int>(threadIdx.y) % OF_WARP;
      const int b = mine < end ? s.number(mine) : 0;
      single<element> matrix({nullptr, 0, 0, 1});
      if (mine < end) with_legal(info_array, b, [&](const single<element>& M) { matrix = M; });
      work(b, matrix.n > 0, matrix);
    });
  }

  template <int THREADS, class Work>
  __device__ __forceinline__ void for_each_of_block(std::int64_t first_block, int* info_array,
                                                    Work work) const {
    for_each_in_queue<THREADS>(s, static_cast<int>(first_block + blockIdx.x), 1, [&](int position, int) {
      const int b = s.number(position);
      with_legal(info_array, b, [&](const single<element>& M) { work([b] { return recomputed(b); }, M); });
    });
  }

  stepping_sizes<Check> in_steps(int nb) const { return {check, {lazy, ceil_div(n_max(), nb), nb}, s}; }

 private:
  /// Calls work(matrix b) if matrix b is legal, not empty, and of this launch's class. If it is illegal or
  /// empty, one thread of the first launch writes info. In an order, every number that is not negative
  /// belongs to a legal matrix. The kernel reads all sizes and pointers of a matrix before it uses any of
  /// them, so that the reads overlap. A launch of a smaller class regards larger matrices as illegal, because
  /// they exceed its bounds.
  template <class Work>
  __device__ __forceinline__ void with_legal(int* info_array, int b, Work work) const {
    if (b < 0) return;
    const matrix<element> mine = check.A[b];
    if constexpr (Check::in_kernels) {
      if (s.order == nullptr) {
        const int info = check.info_of(b, mine);
        if (info != 0 || Check::work(Check::sizes_of(mine)) == 0) {
          if (s.is_first && threadIdx.x == 0) info_array[b] = info;
          return;
        }
        if (s.leaves_out(Check::sizes_of(mine))) return;
      }
    }
    work(single<element>(mine));
  }
};
template <class Check>
mixed_sizes(Check, subset, bool) -> mixed_sizes<Check>;

// ---- launching -----------------------------------------------------------------------------------

template <auto KERNEL, class Check, class... Arguments>
int launch_over(const mixed_sizes<Check>& source, int tbc, dim3 threads, std::size_t shared_bytes,
                std::int64_t carve_out, queue q, Arguments... arguments) {
  return launch_subset<KERNEL>(source.s, source.check.A.count, tbc, threads, shared_bytes, carve_out, q,
                               source, arguments...);
}

/// One step of the class, as many items to a matrix; none: the kernel is only made ready.
template <auto KERNEL, class Check, class... Arguments>
int launch_step(launch_options how, const stepping_sizes<Check>& source, int each, int threads,
                std::size_t shared_bytes, queue q, Arguments... arguments) {
  std::int64_t room = 0;
  const dim3 block(static_cast<unsigned>(threads));
  if (const int status = blocks_at_once<KERNEL>(how, block, shared_bytes, q, room, source, arguments...))
    return status;
  return launch<KERNEL>(how, std::min(source.check.A.count * each, room), block, shared_bytes, q, source,
                        arguments...);
}

}  // namespace talus::cuda
