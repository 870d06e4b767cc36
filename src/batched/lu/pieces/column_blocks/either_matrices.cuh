// The source from which column_blocks takes matrices of one size and of mixed sizes.
#pragma once

#include <utility>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/fronts.hpp"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/subset.cuh"

namespace talus::cuda::lu {

template <class T>
struct either_matrices {
  using element = T;
  either_batch<T> A;
  eliminations<real_t<T>> each;
  either_positions positions;
  std::size_t offset;  // of the queues in the scratch of the call, in bytes

  /// A negative number stands for no matrix. It has no columns, so that nothing is done.
  __device__ elimination<real_t<T>> elimination_at(std::int64_t b) const {
    if (b < 0) return {};
    const matrix<T> one = A[b];
    return each.of(b, one.m, one.n);
  }
  __device__ matrix<T> matrix_at(std::int64_t b) const { return b < 0 ? matrix<T>{} : A[b]; }
};

template <class Source, class Then>
auto as_either(const Source& source, const Then& then) {
  using matrices = either_matrices<typename Source::element>;
  if constexpr (Source::equal) {
    return std::pair(matrices{source.A, then.each, {}, 0}, no_epilogue{});
  } else {
    const auto& check = source.check;
    return std::pair(matrices{check.A, check.each, {source.s}, offset_of_lu_work(check.A.count)},
                     no_epilogue{});
  }
}

}  // namespace talus::cuda::lu
