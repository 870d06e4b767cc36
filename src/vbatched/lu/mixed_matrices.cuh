// column_blocks takes matrices of mixed sizes from this source: the matrices of a class, or all, in order.
// batched/lu/pieces/column_blocks/equal_matrices.cuh has the other source.
#pragma once

#include "checks/lu.hpp"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda::lu {

template <class Check>
struct mixed_matrices {
  using element = typename Check::element;
  Check check;
  mixed_positions positions;

  std::size_t offset_of_scratch() const { return offset_of_lu_work(check.A.count); }

  /// A negative number stands for no matrix. It has no columns, so that nothing is done.
  __device__ elimination<real_t<element>> elimination_at(int b) const {
    if (b < 0) return {};
    const matrix<element> A = check.A[b];
    return check.each.of(b, A.m, A.n);
  }
  __device__ matrix<element> matrix_at(int b) const { return b < 0 ? matrix<element>{} : check.A[b]; }
};

template <class Check, class Then>
mixed_matrices<Check> matrices_of(const mixed_sizes<Check>& source, const Then&) {
  return {source.check, {source.s}};
}

}  // namespace talus::cuda::lu
