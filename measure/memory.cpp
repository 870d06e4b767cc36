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
  const long pages = sysconf(_SC_PHYS_PAGES),
             page = sysconf(_SC_PAGESIZE);  // no Linux: half of what there is
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) / 2
                               : std::size_t{1} << 30;
}

void require_room(backend where, double bytes) {
  constexpr double most = 0.9;
  if (where == backend::host && bytes > most * static_cast<double>(available_host_memory()))
    throw out_of_memory();
}

void* allocate(backend where, std::size_t bytes) {
  TALUS_ON_GPU(where, allocate(bytes));
  constexpr std::size_t alignment = 4096;
  const std::size_t rounded = (bytes + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded);
  if (!memory) throw out_of_memory();
  return memory;
}

void release(backend where, void* memory) noexcept {
  TALUS_ON_GPU(where, release(memory));
  std::free(memory);
}

/// Each thread copies the part that it also generates and, with a static schedule, factors.
void copy_within(backend where, void* to, const void* from, std::size_t bytes) {
  TALUS_ON_GPU(where, copy_within(to, from, bytes));
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = bytes * thread / threads, end = bytes * (thread + 1) / threads;
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
  }
}

void upload(backend where, void* to, const void* from, std::size_t bytes) {
  TALUS_ON_GPU(where, upload(to, from, bytes));
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void download(backend where, void* to, const void* from, std::size_t bytes) {
  TALUS_ON_GPU(where, download(to, from, bytes));
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void fill_bytes(backend where, void* memory, unsigned char value, std::size_t bytes) {
  TALUS_ON_GPU(where, fill_bytes(memory, value, bytes));
  std::memset(memory, value, bytes);
}

std::size_t last_level_cache(backend where) {
  TALUS_ON_GPU(where, last_level_cache());
  long bytes = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  bytes = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE));
#endif
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

void finish(backend where) { TALUS_ON_GPU(where, finish()); }

// ---- time ----------------------------------------------------------------------------------------

namespace {
double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace

stopwatch::stopwatch(backend where) : where_(where) {
#ifdef TALUS_WITH_CUDA
  if (where == backend::cuda) gpu_ = gpu::create_clock();
#endif
}
stopwatch::~stopwatch() {
#ifdef TALUS_WITH_CUDA
  if (where_ == backend::cuda) gpu::destroy_clock(gpu_);
#endif
}
void stopwatch::start() {
  TALUS_ON_GPU(where_, start(gpu_));
  started_ = clock_seconds();
}
double stopwatch::stop() {
  TALUS_ON_GPU(where_, stop(gpu_));
  return clock_seconds() - started_;
}

}  // namespace talus::measure
