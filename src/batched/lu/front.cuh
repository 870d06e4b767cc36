// A matrix, or a front in blocks of its own, as column_blocks has it, and those of one size as the source of
// its tasks. The other source is vbatched/lu/fronts.cuh.
#pragma once

#include "batched/lu/backends.hpp"
#include "batched/lu/fronts.hpp"
#include "gpu/equal_sizes.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// A matrix whose first columns are eliminated, as blocks. In one piece A11 and A12 have all rows.
template <class T>
struct front {
  matrix<T> A11, A12, A21, A22;
};
template <class T>
__device__ front<T> front_of(const matrix<T>& A, int columns) {
  return {{A.A, A.m, columns, A.lda},
          {A.A + columns * static_cast<std::ptrdiff_t>(A.lda), A.m, A.n - columns, A.lda},
          {nullptr, 0, columns, 1},
          {nullptr, 0, A.n - columns, 1}};
}

/// Whole matrices.
template <class T>
struct equal_fronts {
  using element = T;
  batch<T> A;
  eliminations<real_t<T>> each;
  equal_positions positions;

  static constexpr std::size_t offset_of_scratch() { return 0; }

  __device__ elimination<real_t<T>> elimination_at(std::int64_t b) const { return each.of(b, A.m, A.n); }
  __device__ front<T> front_at(std::int64_t b) const { return front_of(A[b], elimination_at(b).columns); }
  __device__ split how() const { return {}; }
};
template <class T, class Then>
equal_fronts<T> as_fronts(const equal_sizes<T>& source, const Then& then) {
  return {source.A, then.each, {}};
}

}  // namespace talus::cuda::lu
