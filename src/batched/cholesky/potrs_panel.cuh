// A Cholesky factor as gpu/panel_solve.cuh wants it: L Y = B, then L^H X = Y.
#pragma once

#include "batch.hpp"
#include "gpu/panel_solve.cuh"
#include "gpu/scalar.cuh"
#include "gpu/triangle.cuh"

namespace talus::cuda::cholesky {

/// L, or its conjugate, whose transpose is L^H.
template <class T, bool CONJUGATE>
struct factor_triangle {
  static constexpr int unrolled = 4;
  triangle<const T> L;

  __device__ T operator()(int i, int k) const { return CONJUGATE ? conj(L(i, k)) : L(i, k); }
  __device__ real_t<T> kept(int i) const { return 1 / real(L(i, i)); }
  __device__ static T over_diagonal(T x, real_t<T> inverse) { return x * inverse; }
};

/// Bad is a diagonal element that is not > 0.
template <class T>
struct factored {
  triangle<const T> L;

  __device__ bool is_bad(int j) const { return !(real(L(j, j)) > 0); }
  __device__ static row_exchanges before() { return {}; }
  __device__ static row_exchanges after() { return {}; }
  __device__ factor_triangle<T, false> forward() const { return {L}; }
  __device__ factor_triangle<T, true> backward() const { return {L}; }
};

struct factors {
  talus::uplo uplo;

  template <class T>
  __device__ factored<T> of(const matrix<const T>& A, std::int64_t) const {
    return {{A, uplo}};
  }
};

}  // namespace talus::cuda::cholesky
