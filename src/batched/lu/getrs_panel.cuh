// The factors L and U of a matrix as gpu/panel_solve.cuh wants them: for A X = B the row exchanges, then
// L Y = B and U X = Y; for A^T X = B first U^T Y = B, then L^T X = Y, and the row exchanges undone.
#pragma once

#include "batch.hpp"
#include "gpu/panel_solve.cuh"
#include "gpu/scalar.cuh"
#include "talus/types.hpp"

namespace talus::cuda::lu {

/// L, which has ones on its diagonal, or U^T, which has U's; or their conjugates.
template <class T>
struct factor_triangle {
  static constexpr int unrolled = 1;
  const T* A;
  std::ptrdiff_t row, column;  // element (i, k), i >= k, lies at A[i * row + k * column]
  bool is_unit, is_conjugated;

  __device__ T operator()(int i, int k) const {
    const T a = A[i * row + k * column];
    return is_conjugated ? conj(a) : a;
  }
  __device__ T kept(int i) const { return is_unit ? from_real<T>(1) : (*this)(i, i); }
  __device__ T over_diagonal(T x, T diagonal) const {
    if (is_unit) return x;
    return x / diagonal;
  }
};

/// Bad is a diagonal element of U that is zero or NaN.
template <class T>
struct factored {
  matrix<const T> A;
  talus::op op;
  const int* ipiv;  // null: no rows were exchanged

  __device__ bool is_bad(int j) const { return is_zero_or_nan(A(j, j)); }
  __device__ row_exchanges before() const { return {op == talus::op::none ? ipiv : nullptr, A.n}; }
  __device__ row_exchanges after() const { return {op == talus::op::none ? nullptr : ipiv, A.n}; }
  __device__ factor_triangle<T> forward() const { return triangle(op == talus::op::none); }
  __device__ factor_triangle<T> backward() const { return triangle(op != talus::op::none); }

 private:
  __device__ factor_triangle<T> triangle(bool is_L) const {
    return {A.A, is_L ? 1 : A.lda, is_L ? A.lda : 1, is_L, op == talus::op::conj_trans};
  }
};

struct factors {
  talus::op op;
  vectors<const int> ipiv;  // none: no rows were exchanged

  template <class T>
  __device__ factored<T> of(const matrix<const T>& A, std::int64_t b) const {
    return {A, op, ipiv[b]};
  }
};

}  // namespace talus::cuda::lu
