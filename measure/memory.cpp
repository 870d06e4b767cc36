#include "measure/memory.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "measure/gpu.hpp"

namespace talus::measure {

std::size_t available_host_memory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string word; meminfo >> word;) {
    std::size_t kilobytes = 0;
    if (word == "MemAvailable:" && meminfo >> kilobytes) return kilobytes * 1024;
  }
  const long pages = sysconf(_SC_PHYS_PAGES) / 2, page = sysconf(_SC_PAGESIZE);  // no Linux
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page);
}

void require_room(backend where, double bytes) {
  constexpr double most = 0.9;
  if (where == backend::host && bytes > most * static_cast<double>(available_host_memory()))
    throw out_of_memory();
}

#ifdef TALUS_WITH_CUDA
using gpu::check;

static void* allocate_on_gpu(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)), "cudaMalloc");
  return memory;
}
#endif

void* allocate(backend where, std::size_t bytes) {
  TALUS_ON_GPU(where, allocate_on_gpu(bytes));
  constexpr std::size_t alignment = 4096;
  void* const memory = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
  if (!memory) throw out_of_memory();
  return memory;
}

void release(backend where, void* memory) noexcept {
  TALUS_ON_GPU(where, static_cast<void>(cudaFree(memory)));
  std::free(memory);
}

/// Each thread copies the part that it also generates and, with a static schedule, factors.
void copy_within(backend where, void* to, const void* from, std::size_t bytes) {
  TALUS_ON_GPU(where, check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync"));
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = bytes * thread / threads, end = bytes * (thread + 1) / threads;
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
  }
}

void copy_across([[maybe_unused]] backend where, void* to, const void* from, std::size_t bytes) {
  TALUS_ON_GPU(where, check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "cudaMemcpy"));
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void fill_bytes(backend where, void* memory, unsigned char value, std::size_t bytes) {
  TALUS_ON_GPU(where, check(cudaMemset(memory, value, bytes), "cudaMemset"));
  std::memset(memory, value, bytes);
}

std::size_t last_level_cache([[maybe_unused]] backend where) {
#ifdef TALUS_WITH_CUDA
  if (where == backend::cuda) {
    int device = 0, size = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&size, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
    return static_cast<std::size_t>(size);
  }
#endif
#ifdef _SC_LEVEL3_CACHE_SIZE
  return static_cast<std::size_t>(
      std::max({0L, sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE)}));
#else
  return 0;
#endif
}

void finish(backend where) {
  TALUS_ON_GPU(where, check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize"));
}

// ---- time ----------------------------------------------------------------------------------------

#ifdef TALUS_WITH_CUDA
struct stopwatch::events {
  cudaEvent_t start = nullptr, stop = nullptr;
  volatile int* queued = nullptr;  // in host memory that the GPU sees

  events() {
    void* memory = nullptr;
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");
    check(cudaHostAlloc(&memory, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
    queued = static_cast<volatile int*>(memory);
  }
  ~events() {
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFreeHost(const_cast<int*>(queued));
  }
};
#else
struct stopwatch::events {};
#endif

stopwatch::stopwatch(backend where)
    : on_gpu_(where == backend::cuda ? std::make_unique<events>() : nullptr) {}
stopwatch::~stopwatch() = default;

void stopwatch::start() {
#ifdef TALUS_WITH_CUDA
  if (on_gpu_) {
    *on_gpu_->queued = 0;
    gpu::hold(on_gpu_->queued);
    return check(cudaEventRecord(on_gpu_->start), "cudaEventRecord");
  }
#endif
  started_ = std::chrono::steady_clock::now();
}

double stopwatch::stop() {
#ifdef TALUS_WITH_CUDA
  if (on_gpu_) {
    check(cudaEventRecord(on_gpu_->stop), "cudaEventRecord");
    *on_gpu_->queued = 1;
    check(cudaEventSynchronize(on_gpu_->stop), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, on_gpu_->start, on_gpu_->stop), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

}  // namespace talus::measure
