// column_blocks takes matrices of one size from this source. vbatched/lu/mixed_matrices.cuh has the other
// source.
#pragma once

#include "batched/lu/backends.hpp"
#include "gpu/equal_sizes.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

template <class T>
struct equal_matrices {
  using element = T;
  batch<T> A;
  eliminations<real_t<T>> each;
  equal_positions positions;

  static constexpr std::size_t offset_of_scratch() { return 0; }

  __device__ elimination<real_t<T>> elimination_at(std::int64_t b) const { return each.of(b, A.m, A.n); }
  __device__ matrix<T> matrix_at(std::int64_t b) const { return A[b]; }
};
template <class T, class Then>
equal_matrices<T> matrices_of(const equal_sizes<T>& source, const Then& then) {
  return {source.A, then.each, {}};
}

}  // namespace talus::cuda::lu
