#include "spin.hpp"

namespace talus::test {
namespace {

__device__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void wait_for(const volatile int* released) {
  const unsigned long long start = nanoseconds();
  while (*released == 0 && nanoseconds() - start < 1000000000) __nanosleep(1000);
}

}  // namespace

cudaError_t hold(cudaStream_t stream, const int* released) {
  wait_for<<<1, 1, 0, stream>>>(released);
  return cudaGetLastError();
}

}  // namespace talus::test
