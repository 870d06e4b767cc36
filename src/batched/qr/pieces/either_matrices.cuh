// Matrices of one size and of mixed sizes, and their tau, as the source of a kernel that is compiled once for
// both.
#pragma once

#include <cstdint>
#include <utility>

#include "batch.hpp"
#include "batched/qr/pieces/source.cuh"
#include "checks/qr.hpp"
#include "gpu/either_sizes.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/subset.cuh"
#include "gpu/table.hpp"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda {
namespace householder {

template <class T>
struct either_matrices {
  using element = T;
  either_batch<T> A;
  vectors<T> tau;
  extents<2> bounds;  // of m and n
  subset s = whole_batch;

  /// Calls work(number, A) for each matrix A of this block. number() returns the number of A in the batch.
  template <int THREADS, class Work>
  __device__ __forceinline__ void for_each_of_block(std::int64_t first_block, int* info_array,
                                                    Work work) const {
    for_each_in_queue<THREADS>(s, static_cast<int>(blockIdx.x), 1, [&](int position, int) {
      const int number = s.number(position);
      if (number < 0) return;
      const matrix<T> mine = A[first_block + number];
      if (!A.is_equal() && s.order == nullptr && !is_of_launch(number, mine, info_array)) return;
      work([=] { return first_block + recomputed(number); }, mine);
    });
  }

 private:
  /// Returns true if a matrix of mixed sizes without an order is legal, not empty, and of this launch's
  /// class. If it is illegal or empty, one thread of the first launch writes info.
  __device__ bool is_of_launch(int number, const matrix<T>& mine, int* info_array) const {
    using check = matrix_check<T>;
    const extents<2> sizes = check::sizes_of(mine);
    const int info = check{{}, tau, bounds}.info_of(number, mine);
    if (info == 0 && check::work(sizes) > 0) return !s.leaves_out(sizes);
    if (s.is_first && threadIdx.x == 0) info_array[number] = info;
    return false;
  }
};

}  // namespace householder

/// Launches KERNEL(first_block, source, arguments...) with up to one block for each matrix.
template <auto KERNEL, class T, class... Arguments>
int launch_over(const householder::either_matrices<T>& source, dim3 threads, std::size_t shared_bytes,
                queue q, Arguments... arguments) {
  return launch_subset<KERNEL>(source.s, source.A.equal.count, 1, threads, shared_bytes, 0, q, source,
                               arguments...);
}

template <class T>
auto as_either(const equal_sizes<T>& source, const householder::factor_only<T>& then) {
  return std::pair(householder::either_matrices<T>{source.A, then.tau, largest_of(source)}, no_epilogue{});
}
template <class T>
auto as_either(const mixed_sizes<householder::matrix_check<T>>& source, no_epilogue then) {
  const householder::matrix_check<T>& check = source.check;
  return std::pair(householder::either_matrices<T>{check.A, check.tau, check.bounds, source.s}, then);
}

}  // namespace talus::cuda
