// Two warps take turns at 32 elements, as in src/batched/blas/pieces/turns.cuh. The warp that has written an
// element arrives at a named barrier and goes on. The other warp waits at this barrier. racecheck reports
// errors if warps arrive repeatedly, and none if a warp arrives once. With -DRACE no warp waits.
__global__ void kernel(int* result) {
  __shared__ int x[33];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  if (threadIdx.x == 0) x[0] = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < 32; ++i) {
    const int barrier = 1 + i % 15;
    if (i % 2 == warp) {
      if (lane == 0) x[i + 1] = x[i] + 1;
      __syncwarp();
      asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory");
    } else {
#ifndef RACE
      asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
#endif
    }
  }
  __syncthreads();
  if (warp == 0) result[lane] = x[lane + 1];
}

#include "expect.cuh"
int main() {
  return expect([](int* result) { kernel<<<1, 64>>>(result); }, [](int i) { return i + 1; });
}
