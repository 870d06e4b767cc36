#include <algorithm>
#include <memory>

#include "check_cuda.cuh"
#include "device_element.cuh"
#include "problem_cuda.hpp"

namespace talus::bench::cuda {

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

/// A grid-stride loop over all elements, in the order of memory.
template <bool IS_A, class E>
__global__ void generate_kernel(E* X, int n, int columns, std::int64_t size) {
  const std::int64_t matrix_size = static_cast<std::int64_t>(n) * columns;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t e = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < size;
       e += step) {
    const std::int64_t b = e / matrix_size;
    const int within = static_cast<int>(e - b * matrix_size);
    const int j = within / n, i = within - j * n;
    store(X + e, IS_A ? element_of_A(b, i, j, n) : element_of_B(b, i, j));
  }
}

__global__ void point_to_kernel(void** array, char* first, std::int64_t stride_bytes, std::int64_t count) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < count;
       k += step)
    array[k] = first + k * stride_bytes;
}

constexpr int threads = 256;
unsigned blocks_for(std::int64_t size) {
  return static_cast<unsigned>(std::clamp<std::int64_t>((size + threads - 1) / threads, 1, 1 << 16));
}

}  // namespace

struct gpu_clock {
  cudaEvent_t start = nullptr, stop = nullptr;
  volatile int* queued = nullptr;  // in host memory that the GPU sees
};

gpu_clock* create_clock() {
  auto c = std::make_unique<gpu_clock>();
  void* queued = nullptr;
  check(cudaEventCreate(&c->start), "cudaEventCreate");
  check(cudaEventCreate(&c->stop), "cudaEventCreate");
  check(cudaHostAlloc(&queued, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
  c->queued = static_cast<volatile int*>(queued);
  return c.release();
}
void destroy_clock(gpu_clock* c) noexcept {
  cudaEventDestroy(c->start);
  cudaEventDestroy(c->stop);
  cudaFreeHost(const_cast<int*>(c->queued));
  delete c;
}
void start(gpu_clock* c) {
  *c->queued = 0;
  hold_kernel<<<1, 1>>>(c->queued);
  check_launch("hold");
  check(cudaEventRecord(c->start), "cudaEventRecord");
}
double stop(gpu_clock* c) {
  check(cudaEventRecord(c->stop), "cudaEventRecord");
  *c->queued = 1;
  check(cudaEventSynchronize(c->stop), "cudaEventSynchronize");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, c->start, c->stop), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

template <class T>
void generate_A(T* A, int n, std::int64_t batch) {
  const std::int64_t size = batch * n * n;
  generate_kernel<true><<<blocks_for(size), threads>>>(plain(A), n, n, size);
  check_launch("generate_A");
}

template <class T>
void generate_B(T* B, int n, int nrhs, std::int64_t batch) {
  const std::int64_t size = batch * n * nrhs;
  generate_kernel<false><<<blocks_for(size), threads>>>(plain(B), n, nrhs, size);
  check_launch("generate_B");
}

void point_to(void** array, void* first, std::int64_t stride_bytes, std::int64_t count) {
  point_to_kernel<<<blocks_for(count), threads>>>(array, static_cast<char*>(first), stride_bytes, count);
  check_launch("point_to");
}

#define TALUS_INSTANTIATE(T)                       \
  template void generate_A(T*, int, std::int64_t); \
  template void generate_B(T*, int, int, std::int64_t);
TALUS_INSTANTIATE(float)
TALUS_INSTANTIATE(double)
TALUS_INSTANTIATE(std::complex<float>)
TALUS_INSTANTIATE(std::complex<double>)

}  // namespace talus::bench::cuda
