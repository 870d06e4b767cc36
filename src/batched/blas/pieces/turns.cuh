// Warps of a block that take turns at blocks of unknowns, and tell each other which are known.
#pragma once

#include "gpu/named_barriers.cuh"

namespace talus::cuda::blas {

/// Block i is warp i % WARPS's. It has a barrier of its own, at which the warp that has it only arrives.
/// There are more of them than a warp can be behind.
template <int WARPS>
struct turns {
  const int count;  // of the blocks
  int known = 0;    // of them, to this warp

  __device__ explicit turns(int count_) : count(count_) {}

  __device__ __forceinline__ void wait_for(int p) {
    if constexpr (WARPS > 1) {
      for (; known <= p; ++known) wait_at<32 * WARPS>(barrier_of(known));
    }
    __syncwarp();
  }
  /// By the warp whose block i is.
  __device__ __forceinline__ void tell(int i) {
    __syncwarp();
    if constexpr (WARPS > 1) {
      wait_for(i - 1);
      if (i == count - 1) return;
      arrive_at<32 * WARPS>(barrier_of(i));
      known = i + 1;
    }
  }
  /// But for the last, which nobody tells.
  __device__ __forceinline__ void wait_for_all() { wait_for(count - 2); }

 private:
  __device__ static int barrier_of(int block) { return first_turn_barrier + block % turn_barriers; }
};

}  // namespace talus::cuda::blas
