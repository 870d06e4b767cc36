// A matrix, or its conjugate transpose, as code sees it that asks for element (i, j).
#pragma once

#include "batch.hpp"
#include "gpu/scalar.cuh"

namespace talus::cuda {

/// An m x n matrix whose columns are what they are in memory.
template <class T>
struct plain_view {
  T* A;
  std::ptrdiff_t column;  // element (i, j) lies at A[i + j * column]
  int m, n;

  __device__ std::remove_const_t<T> read(int i, int j) const { return A[i + j * column]; }
  __device__ void write(int i, int j, T x) const { A[i + j * column] = x; }

  /// Rows from i on, `columns` columns from j on.
  __device__ plain_view part(int i, int j, int columns) const {
    return {A + i + j * column, column, m - i, columns};
  }
};

/// One whose steps are known when a kernel runs: so that it is compiled once for a matrix and its conjugate
/// transpose.
template <class T>
struct view {
  T* A;
  std::ptrdiff_t row, column;  // element (i, j), or its conjugate, lies at A[i * row + j * column]
  bool conjugated;
  int m, n;

  __device__ std::remove_const_t<T> read(int i, int j) const {
    const T a = A[i * row + j * column];
    return conjugated ? conj(a) : a;
  }
  __device__ void write(int i, int j, T x) const { A[i * row + j * column] = conjugated ? conj(x) : x; }

  __device__ view part(int i, int j, int columns) const {
    return {A + i * row + j * column, row, column, conjugated, m - i, columns};
  }
};

template <class T>
__device__ plain_view<T> as_it_is(const matrix<T>& A) {
  return {A.A, A.lda, A.m, A.n};
}
/// A, or A^H.
template <class T>
__device__ view<T> seen(const matrix<T>& A, bool conjugate_transposed) {
  if (conjugate_transposed) return {A.A, A.lda, 1, true, A.n, A.m};
  return {A.A, 1, A.lda, false, A.m, A.n};
}

}  // namespace talus::cuda
