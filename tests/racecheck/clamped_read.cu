// Lanes beyond the last element read this element and do not use its value, as update_tile in
// src/batched/lu/families/smem_front.cuh. Another lane writes the element after the mma, which needs the
// reads of all lanes. With -DRACE there is no mma, and each lane uses the element that the next lane writes.
__global__ void kernel(int* result) {
  __shared__ double x[20];
  const int lane = static_cast<int>(threadIdx.x), last = 19;
  if (lane <= last) x[lane] = lane;
  __syncwarp();
#ifndef RACE
  double sum[2] = {x[min(lane, last)], 0};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%0, %1};"
               : "+d"(sum[0]), "+d"(sum[1])
               : "d"(1.0));
  if (lane <= last) x[lane] = sum[0];
#else
  if (lane <= last) x[lane] = x[min(lane + 1, last)] + 3 + lane / last;
#endif
  __syncwarp();
  result[lane] = static_cast<int>(x[min(lane, last)]);
}

#include "expect.cuh"
int main() {
  return expect([](int* result) { kernel<<<1, 32>>>(result); }, [](int i) { return (i < 19 ? i : 19) + 4; });
}
