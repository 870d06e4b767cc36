#include "common/backend.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>

#ifdef TALUS_WITH_CUDA
#include "common/cuda_calls.hpp"
#endif

namespace example {
namespace {

double free_host_memory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    double kibibytes = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %lf kB", &kibibytes) == 1) return 1024 * kibibytes;
  }
  return std::numeric_limits<double>::infinity();  // unknown: let the allocation decide
}

const char* memory_of(talus::backend where) {
  return where == talus::backend::host ? "host memory" : "device memory";
}

}  // namespace

std::string amount(double bytes) {
  static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB"};
  int unit = 0;
  for (; unit < 3 && bytes >= 1024; ++unit) bytes /= 1024;
  char text[40];
  std::snprintf(text, sizeof text, "%.*f %s", unit == 0 ? 0 : 2, bytes, units[unit]);
  return text;
}

double free_memory(talus::backend where) {
  if (where == talus::backend::host) return free_host_memory();
  std::size_t free = 0, total = 0;
#ifdef TALUS_WITH_CUDA
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
#endif
  return static_cast<double>(std::min(free, total));
}

void require_memory(talus::backend where, double bytes, const std::string& purpose) {
  const double free = free_memory(where);
  if (bytes > free)
    throw unavailable(purpose + " needs " + amount(bytes) + " of " + memory_of(where) + ", but only " +
                      amount(free) + " are free");
}

void* allocate(talus::backend where, std::size_t bytes) {
  void* memory = nullptr;
  if (where == talus::backend::host) {
    constexpr std::size_t line = 64;
    memory = std::aligned_alloc(line, std::max(bytes + line - 1, line) / line * line);
  } else {
#ifdef TALUS_WITH_CUDA
    if (cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)) != cudaSuccess) {
      cudaGetLastError();
      memory = nullptr;
    }
#endif
  }
  if (!memory)
    throw unavailable("cannot allocate " + amount(static_cast<double>(bytes)) + " of " + memory_of(where));
  return memory;
}

void release(talus::backend where, void* memory) noexcept {
  if (where == talus::backend::host) std::free(memory);
#ifdef TALUS_WITH_CUDA
  if (where == talus::backend::cuda) cudaFree(memory);
#endif
}

void copy(void* to, const void* from, std::size_t bytes, talus::queue q) {
  if (q.where == talus::backend::host) {
    constexpr std::size_t piece = std::size_t{1} << 20;  // one core alone does not fill the memory bus
    const auto pieces = static_cast<std::int64_t>((bytes + piece - 1) / piece);
#pragma omp parallel for schedule(static)
    for (std::int64_t p = 0; p < pieces; ++p) {
      const std::size_t begin = static_cast<std::size_t>(p) * piece;
      std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                  std::min(piece, bytes - begin));
    }
    return;
  }
#ifdef TALUS_WITH_CUDA
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(q)), "cudaMemcpyAsync");
  check(cudaStreamSynchronize(stream_of(q)), "cudaStreamSynchronize");
#endif
}

struct stopwatch::state {
  talus::queue q;
  std::chrono::steady_clock::time_point begin;
#ifdef TALUS_WITH_CUDA
  cudaEvent_t started = nullptr, stopped = nullptr;
#endif
};

stopwatch::stopwatch(talus::queue q) : state_(new state) {
  state_->q = q;
#ifdef TALUS_WITH_CUDA
  if (q.where == talus::backend::cuda) {
    check(cudaEventCreate(&state_->started), "cudaEventCreate");
    check(cudaEventCreate(&state_->stopped), "cudaEventCreate");
  }
#endif
}

stopwatch::~stopwatch() {
#ifdef TALUS_WITH_CUDA
  if (state_->started) cudaEventDestroy(state_->started);
  if (state_->stopped) cudaEventDestroy(state_->stopped);
#endif
}

void stopwatch::start() {
#ifdef TALUS_WITH_CUDA
  if (state_->q.where == talus::backend::cuda) {
    check(cudaEventRecord(state_->started, stream_of(state_->q)), "cudaEventRecord");
    return;
  }
#endif
  state_->begin = std::chrono::steady_clock::now();
}

double stopwatch::stop() {
#ifdef TALUS_WITH_CUDA
  if (state_->q.where == talus::backend::cuda) {
    float milliseconds = 0;
    check(cudaEventRecord(state_->stopped, stream_of(state_->q)), "cudaEventRecord");
    check(cudaEventSynchronize(state_->stopped), "the batched call");
    check(cudaEventElapsedTime(&milliseconds, state_->started, state_->stopped), "cudaEventElapsedTime");
    return 1e-3 * milliseconds;
  }
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - state_->begin).count();
}

}  // namespace example
