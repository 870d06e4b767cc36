// Blocks of a cluster run at the same time and access each other's shared memory. These functions call the
// intrinsics that cooperative_groups.h calls, because that header adds 1.3 seconds to each compilation.
#pragma once

#include <cuda_runtime.h>

#include <cstring>

#include "gpu/async_copy.cuh"

namespace talus::cuda {

/// Number of this block in its cluster.
__device__ inline int rank_in_cluster() {
#if __CUDA_ARCH__ >= 900
  return static_cast<int>(__clusterRelativeBlockRank());
#else
  return 0;
#endif
}

/// Returns the number of blocks of this cluster.
__device__ inline int blocks_in_cluster() {
#if __CUDA_ARCH__ >= 900
  return static_cast<int>(__clusterSizeInBlocks());
#else
  return 1;
#endif
}

/// Returns the binary logarithm of the number of blocks of this cluster, rounded down.
__device__ inline int log2_of_cluster() { return 31 - __clz(blocks_in_cluster()); }

/// The number of blocks of the clusters that run a kernel: a power of 2, or 1 if ALONE.
template <bool ALONE>
struct cluster_size {
  int log2 = ALONE ? 0 : log2_of_cluster();

  __device__ int count() const { return ALONE ? 1 : 1 << log2; }
  /// Returns x / count() rounded down, rounded up, and the remainder, which is never negative.
  __device__ int quotient(int x) const { return ALONE ? x : x >> log2; }
  __device__ int quotient_up(int x) const { return quotient(x + count() - 1); }
  __device__ int remainder(int x) const { return ALONE ? 0 : x & (count() - 1); }
};

/// Waits for all threads of the cluster, and for what they have written to shared memory and to memory.
__device__ inline void synchronize_cluster() {
#if __CUDA_ARCH__ >= 900
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
#else
  __syncthreads();
#endif
}

/// The same in two parts: what this thread has to do is done; and waiting for all. All threads of the cluster
/// do both.
__device__ inline void arrive_in_cluster() {
#if __CUDA_ARCH__ >= 900
  __cluster_barrier_arrive();
#endif
}
__device__ inline void wait_for_cluster() {
#if __CUDA_ARCH__ >= 900
  __cluster_barrier_wait();
#else
  __syncthreads();
#endif
}

/// What lies in another block's shared memory where `mine` lies in this one's.
template <class T>
__device__ T* in_block(int rank, T* mine) {
#if __CUDA_ARCH__ >= 900
  return static_cast<T*>(__cluster_map_shared_rank(mine, static_cast<unsigned>(rank)));
#else
  return mine;
#endif
}

/// Where in another block's shared memory lies what is at `mine` in this one's, as send_async wants it.
__device__ __forceinline__ unsigned in_memory_of(int rank, const void* mine) {
  auto address = static_cast<unsigned>(__cvta_generic_to_shared(mine));
#if __CUDA_ARCH__ >= 900
  asm("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(address) : "r"(rank));
#endif
  return address;
}
/// 16 bytes to another block of the cluster, where its `arrived` counts them: who waits for that has them,
/// and nobody else does.
template <class Bytes>
__device__ __forceinline__ void send_async(unsigned to, const Bytes& x, unsigned arrived) {
#if __CUDA_ARCH__ >= 900
  static_assert(sizeof(Bytes) == 16);
  int4 all;
  memcpy(&all, &x, 16);
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
          to),
      "r"(all.x), "r"(all.y), "r"(all.z), "r"(all.w), "r"(arrived)
      : "memory");
#endif
}

}  // namespace talus::cuda
