// How the host's files hand over to the device; the kernels are in kernels.cu.
#pragma once

#ifdef TALUS_WITH_CUDA
#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "measure/batch_work.hpp"
#include "measure/memory.hpp"

#define TALUS_ON_GPU(where, ...) \
  if (where == backend::cuda) return __VA_ARGS__

namespace talus::measure::gpu {

/// Every CUDA call is checked, and what failed is named.
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  if (error == cudaErrorMemoryAllocation) throw out_of_memory();
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

/// Keeps the default stream waiting until *queued is set, at most two milliseconds.
void hold(const volatile int* queued);

/// Queues work(b, j, ...) for all columns j of the matrices of a batch, each of up to `rows` elements.
template <class Work>
void for_each_column(const Work& work, std::int64_t batch, int columns, int rows);

}  // namespace talus::measure::gpu
#else  // Nothing is on a device: programs ask for the backend first.
#define TALUS_ON_GPU(where, ...) static_cast<void>(where)
#endif
