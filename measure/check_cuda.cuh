// Every CUDA call of measure and bench is checked, and what failed is named.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "measure/memory.hpp"

namespace talus::measure::gpu {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  if (error == cudaErrorMemoryAllocation) throw out_of_memory();
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace talus::measure::gpu
