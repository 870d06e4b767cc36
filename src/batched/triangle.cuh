// The stored triangle of a Hermitian matrix, whichever it is, seen as the lower one: A = U^H U is A = L L^H
// with L(i, j) = conj(U(j, i)), so each kernel is written once, for L, and upper differs in how it loads and
// stores.
#pragma once

#include "batch.hpp"
#include "scalar.cuh"
#include "talus/types.hpp"

namespace talus::cuda {

template <class T>
struct triangle {
  T* A;
  std::ptrdiff_t row, column;  // element (i, j), i >= j, lies at A[i * row + j * column]
  bool is_upper;

  __device__ triangle(matrix<T> A, uplo uplo)
      : A(A.A),
        row(uplo == uplo::lower ? 1 : A.lda),
        column(uplo == uplo::lower ? A.lda : 1),
        is_upper(uplo == uplo::upper) {}

  __device__ std::remove_const_t<T> operator()(int i, int j) const {
    const auto a = A[i * row + j * column];
    return is_upper ? conj(a) : a;
  }
  __device__ void store(int i, int j, T a) const { A[i * row + j * column] = is_upper ? conj(a) : a; }
};

}  // namespace talus::cuda
