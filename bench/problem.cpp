#include "problem.hpp"

#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "host_memory.hpp"
#include "on_cuda.hpp"

namespace talus::bench {

void require_room(backend where, double bytes) {
  constexpr double share = 0.9;
  if (where == backend::host && bytes > share * static_cast<double>(available_host_memory()))
    throw out_of_memory();
}

void* allocate(backend where, std::size_t bytes) {
  TALUS_ON_CUDA(where, allocate(bytes));
  constexpr std::size_t alignment = 4096;
  const std::size_t rounded = (bytes + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded);
  if (!memory) throw out_of_memory();
  return memory;
}

void release(backend where, void* memory) noexcept {
  TALUS_ON_CUDA(where, release(memory));
  std::free(memory);
}

/// Each thread copies the share that it also generates and, with a static schedule, factors.
void copy_within(backend where, void* to, const void* from, std::size_t bytes) {
  TALUS_ON_CUDA(where, copy_within(to, from, bytes));
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = bytes * thread / threads, end = bytes * (thread + 1) / threads;
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
  }
}

void upload(backend where, void* to, const void* from, std::size_t bytes) {
  TALUS_ON_CUDA(where, upload(to, from, bytes));
  std::memcpy(to, from, bytes);
}

void download(backend where, void* to, const void* from, std::size_t bytes) {
  TALUS_ON_CUDA(where, download(to, from, bytes));
  std::memcpy(to, from, bytes);
}

void fill_bytes(backend where, void* memory, unsigned char value, std::size_t bytes) {
  TALUS_ON_CUDA(where, fill_bytes(memory, value, bytes));
  std::memset(memory, value, bytes);
}

std::size_t last_level_cache(backend where) {
  TALUS_ON_CUDA(where, last_level_cache());
  long bytes = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  bytes = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE));
#endif
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

// ---- time ----------------------------------------------------------------------------------------

namespace {
double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace

#ifdef TALUS_WITH_CUDA
stopwatch::stopwatch(backend where) : where_(where) {
  if (where_ == backend::cuda) gpu_ = cuda::create_clock();
}
stopwatch::~stopwatch() {
  if (where_ == backend::cuda) cuda::destroy_clock(gpu_);
}
void stopwatch::start() {
  if (where_ == backend::cuda) return cuda::start(gpu_);
  started_ = clock_seconds();
}
double stopwatch::stop() { return where_ == backend::cuda ? cuda::stop(gpu_) : clock_seconds() - started_; }
#else
stopwatch::stopwatch(backend where) : where_(where) {}
stopwatch::~stopwatch() = default;
void stopwatch::start() { started_ = clock_seconds(); }
double stopwatch::stop() { return clock_seconds() - started_; }
#endif

// ---- matrices ------------------------------------------------------------------------------------

template <class T>
void generate_A(backend where, T* A, int n, std::int64_t batch) {
  TALUS_ON_CUDA(where, generate_A(A, n, batch));
  const std::int64_t stride = std::int64_t{n} * n;
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batch; ++b) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        A[b * stride + i + std::int64_t{j} * n] = to_scalar<T>(element_of_A(b, i, j, n));
    }
  }
}

template <class T>
void generate_B(backend where, T* B, int n, int nrhs, std::int64_t batch) {
  TALUS_ON_CUDA(where, generate_B(B, n, nrhs, batch));
  const std::int64_t stride = std::int64_t{n} * nrhs;
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batch; ++b) {
    for (int j = 0; j < nrhs; ++j) {
      for (int i = 0; i < n; ++i)
        B[b * stride + i + std::int64_t{j} * n] = to_scalar<T>(element_of_B(b, i, j));
    }
  }
}

template <class T>
void point_to(backend where, T** array, T* first, std::int64_t stride, std::int64_t count) {
  TALUS_ON_CUDA(where, point_to(reinterpret_cast<void**>(array), first,
                                stride * static_cast<std::int64_t>(sizeof(T)), count));
  for (std::int64_t k = 0; k < count; ++k) array[k] = first + k * stride;
}

#define TALUS_INSTANTIATE(T)                                     \
  template void generate_A(backend, T*, int, std::int64_t);      \
  template void generate_B(backend, T*, int, int, std::int64_t); \
  template void point_to(backend, T**, T*, std::int64_t, std::int64_t);
TALUS_INSTANTIATE(float)
TALUS_INSTANTIATE(double)
TALUS_INSTANTIATE(std::complex<float>)
TALUS_INSTANTIATE(std::complex<double>)

}  // namespace talus::bench
