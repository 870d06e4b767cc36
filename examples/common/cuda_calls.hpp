// Calls of the CUDA runtime, where Talus is built with CUDA.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "common/backend.hpp"

namespace example {

/// Throws unavailable where a call failed.
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // so that it is reported once
  throw unavailable(std::string(what) + ": " + cudaGetErrorString(error));
}

inline cudaStream_t stream_of(talus::queue q) { return static_cast<cudaStream_t>(q.stream); }

}  // namespace example
