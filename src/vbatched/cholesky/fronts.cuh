// Fronts of mixed sizes as the source of tasks: those of a class, or all, in order. The other source is
// batched/cholesky/pieces/front.cuh.
#pragma once

#include "batched/cholesky/fronts.hpp"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda {

template <class Check>
struct mixed_fronts {
  static constexpr bool equal = false;
  using element = typename Check::element;
  talus::uplo uplo;
  Check check;
  mixed_positions positions;

  int order_max() const { return check.bounds.of[0]; }
  std::size_t offset_of_scratch() const { return offset_of_fronts(check.A.count); }

  /// Of a number that is none, one without rows.
  __device__ front<element> front_at(int b) const {
    if (b < 0) return {};
    return Check::front_of_matrix(uplo, check.A[b]);
  }
};

template <class Check>
mixed_fronts<Check> as_fronts(uplo uplo, const mixed_sizes<Check>& source) {
  return {uplo, source.check, {source.s}};
}

}  // namespace talus::cuda
