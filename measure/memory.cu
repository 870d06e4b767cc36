#include <algorithm>
#include <memory>

#include "measure/check_cuda.cuh"
#include "measure/gpu.hpp"

namespace talus::measure::gpu {

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)), "cudaMalloc");
  return memory;
}
void release(void* memory) noexcept { cudaFree(memory); }
void copy_within(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
}
void upload(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}
void download(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}
void fill_bytes(void* memory, unsigned char value, std::size_t bytes) {
  check(cudaMemset(memory, value, bytes), "cudaMemset");
}
std::size_t last_level_cache() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(bytes);
}
void finish() { check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize"); }

namespace {

/// Keeps the stream waiting until the host has queued what is timed: a GPU that waits for the host's next
/// launch would be measured otherwise. Two milliseconds at most, lest a queued call that waits for the GPU
/// waits for ever.
__global__ void hold_kernel(const volatile int* queued) {
  const auto now = [] {
    long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
  };
  const long long last = now() + 2000000;
  while (!*queued && now() < last) {
  }
}

}  // namespace

struct clock {
  cudaEvent_t start = nullptr, stop = nullptr;
  volatile int* queued = nullptr;  // in host memory that the GPU sees
};

clock* create_clock() {
  auto c = std::make_unique<clock>();
  void* queued = nullptr;
  check(cudaEventCreate(&c->start), "cudaEventCreate");
  check(cudaEventCreate(&c->stop), "cudaEventCreate");
  check(cudaHostAlloc(&queued, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
  c->queued = static_cast<volatile int*>(queued);
  return c.release();
}
void destroy_clock(clock* c) noexcept {
  cudaEventDestroy(c->start);
  cudaEventDestroy(c->stop);
  cudaFreeHost(const_cast<int*>(c->queued));
  delete c;
}
void start(clock* c) {
  *c->queued = 0;
  hold_kernel<<<1, 1>>>(c->queued);
  check_launch("hold");
  check(cudaEventRecord(c->start), "cudaEventRecord");
}
double stop(clock* c) {
  check(cudaEventRecord(c->stop), "cudaEventRecord");
  *c->queued = 1;
  check(cudaEventSynchronize(c->stop), "cudaEventSynchronize");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, c->start, c->stop), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace talus::measure::gpu
