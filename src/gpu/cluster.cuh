// Blocks of a cluster: they run at the same time, and reach one another's shared memory.
#pragma once

#include <cooperative_groups.h>

namespace talus::cuda {

/// Number of this block in its cluster.
__device__ inline int rank_in_cluster() {
#if __CUDA_ARCH__ >= 900
  return static_cast<int>(cooperative_groups::this_cluster().block_rank());
#else
  return 0;
#endif
}

/// Waits for all threads of the cluster, and for what they have written to shared memory and to memory.
__device__ inline void synchronize_cluster() {
#if __CUDA_ARCH__ >= 900
  cooperative_groups::this_cluster().sync();
#else
  __syncthreads();
#endif
}

/// What lies in another block's shared memory where `mine` lies in this one's.
template <class T>
__device__ T* in_block(int rank, T* mine) {
#if __CUDA_ARCH__ >= 900
  return cooperative_groups::this_cluster().map_shared_rank(mine, static_cast<unsigned>(rank));
#else
  return mine;
#endif
}

}  // namespace talus::cuda
