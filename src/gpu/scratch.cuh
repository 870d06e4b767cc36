// Scratch of a call on the GPU.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "gpu/launch.cuh"
#include "talus/types.hpp"

namespace talus::cuda {

/// The caller's, or allocated and freed in the stream's order; or none.
class scratch {
 public:
  scratch() = default;
  /// Of the caller's what begins `offset` bytes behind its first.
  scratch(queue q, std::size_t bytes, std::size_t offset = 0) : stream_(static_cast<cudaStream_t>(q.stream)) {
    if (q.work != nullptr) {
      memory_ = static_cast<unsigned char*>(q.work) + offset;
      if (q.work_bytes < offset + bytes) status = err_work;
      return;
    }
    const cudaError_t error = cudaMallocAsync(&memory_, bytes, stream_);
    status = reported(error);
    if (error == cudaErrorMemoryAllocation) status = err_work;
    owns_ = status == 0;
  }
  ~scratch() {
    if (owns_) cudaFreeAsync(memory_, stream_);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  void* memory() const { return memory_; }

  int status = 0;

 private:
  cudaStream_t stream_ = nullptr;
  void* memory_ = nullptr;
  bool owns_ = false;
};

}  // namespace talus::cuda
