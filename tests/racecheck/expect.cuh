// Runs a kernel that writes 32 integers, and compares these with expected(i). Exit status 0, or 1.
#pragma once

#include <cstdio>

template <class Launch, class Expected>
int expect(Launch launch, Expected expected) {
  int *memory = nullptr, result[32];
  cudaMalloc(&memory, sizeof(result));
  launch(memory);
  if (cudaMemcpy(result, memory, sizeof(result), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaFree(memory);
  for (int i = 0; i < 32; ++i)
    if (result[i] != expected(i)) return std::printf("element %d is %d\n", i, result[i]), 1;
  return 0;
}
