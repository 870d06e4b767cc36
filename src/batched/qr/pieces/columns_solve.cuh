// R X = Q^H B, where `columns` has left R and, beside it, Q^H B in shared memory.
#pragma once

#include "batched/qr/pieces/columns.cuh"

namespace talus::cuda::householder {

/// R, n x n, and the first n rows of `nrhs` columns beside it.
template <class T, class Shape>
struct triangle_beside {
  columns_memory<T, Shape> memory;
  int n, nrhs;

  /// The first j whose diagonal element is zero or NaN, or n.
  __device__ __forceinline__ int first_bad() const {
    int first = n;
#pragma unroll 4
    for (int j = n - 1; j >= 0; --j) {
      if (is_zero_or_nan(diagonal(j))) first = j;
    }
    return first;
  }

  /// By the lanes of a matrix, column by column from the last: a lane per row.
  ///
  /// Barriers  one per column, and two
  __device__ __forceinline__ void solve(int lane) const {
    for (int j = n - 1; j > 0; --j) {
      for (int c = n; c < n + nrhs; ++c) {
        const T x = memory.row(j, c) / diagonal(j);
        for (int i = lane; i < j; i += Shape::LANES) multiply_add(memory.row(i, c), -memory.row(i, j), x);
      }
      Shape::meet();
    }
    for (int i = lane; i < n; i += Shape::LANES) {
      for (int c = n; c < n + nrhs; ++c) memory.row(i, c) = memory.row(i, c) / diagonal(i);
    }
    Shape::meet();
  }

 private:
  __device__ __forceinline__ real_t<T> diagonal(int j) const { return real(memory.row(j, j)); }
};

}  // namespace talus::cuda::householder
