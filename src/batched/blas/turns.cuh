// Warps of a block that take turns at blocks of unknowns, and tell each other which are known.
#pragma once

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
      for (; known <= p; ++known)
        asm volatile("bar.sync %0, %1;" ::"r"(1 + known % 15), "n"(32 * WARPS) : "memory");
    }
    __syncwarp();
  }
  /// By the warp whose block i is.
  __device__ __forceinline__ void tell(int i) {
    __syncwarp();
    if constexpr (WARPS > 1) {
      wait_for(i - 1);
      if (i == count - 1) return;
      asm volatile("bar.arrive %0, %1;" ::"r"(1 + i % 15), "n"(32 * WARPS) : "memory");
      known = i + 1;
    }
  }
  /// But for the last, which nobody tells.
  __device__ __forceinline__ void wait_for_all() { wait_for(count - 2); }
};

}  // namespace talus::cuda::blas
