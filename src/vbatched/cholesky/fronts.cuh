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

  template <class Work>
  __device__ __forceinline__ void for_each_front(std::int64_t first_block, Work work) const {
    for_each_in_queue<32>(positions.s, static_cast<int>(first_block + blockIdx.x), 1, [&](int position, int) {
      const int b = positions.s.number(position);
      if (b >= 0) work(b, front_at(b));
    });
  }

  /// Of a number that is none, one without rows.
  __device__ front<element> front_at(int b) const {
    if (b < 0) return {};
    return Check::front_of_matrix(uplo, check.A[b]);
  }
};

template <auto KERNEL, class Check, class... Arguments>
int launch_by_warps(const mixed_fronts<Check>& fronts, std::size_t shared_bytes, queue q,
                    Arguments... arguments) {
  return launch_subset<KERNEL>(fronts.positions.s, fronts.check.A.count, 1, dim3(32), shared_bytes, 0, q,
                               fronts, arguments...);
}

template <class Check>
mixed_fronts<Check> as_fronts(uplo uplo, const mixed_sizes<Check>& source) {
  return {uplo, source.check, {source.s}};
}

}  // namespace talus::cuda
