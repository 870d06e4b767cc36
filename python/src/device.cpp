#include "device.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#if defined(TALUS_WITH_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace talus::python {

#if defined(TALUS_WITH_CUDA)

namespace {
void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}
}  // namespace

device_scope::device_scope(int device) : before_(device), device_(device) {
  check(cudaGetDevice(&before_));
  if (before_ != device_) check(cudaSetDevice(device_));
}

device_scope::~device_scope() {
  if (before_ != device_) cudaSetDevice(before_);
}

device_copy::device_copy(const void* host, std::size_t bytes, void* stream) : stream_(stream) {
  const auto cuda_stream = static_cast<cudaStream_t>(stream);
  cudaStreamCaptureStatus status;
  check(cudaStreamIsCapturing(cuda_stream, &status));
  if (status != cudaStreamCaptureStatusNone)
    throw std::runtime_error(
        "lists of arrays cannot be given while a stream is captured: their sizes and addresses would have "
        "to be copied from host memory");
  check(cudaMallocAsync(&memory_, bytes, cuda_stream));
  constexpr std::size_t most = 1 << 16;  // bytes; with more CUDA may wait for the stream
  for (std::size_t at = 0; at < bytes; at += most) {
    const cudaError_t error =
        cudaMemcpyAsync(static_cast<std::byte*>(memory_) + at, static_cast<const std::byte*>(host) + at,
                        std::min(most, bytes - at), cudaMemcpyHostToDevice, cuda_stream);
    if (error != cudaSuccess) {
      cudaFreeAsync(memory_, cuda_stream);
      check(error);
    }
  }
}

device_copy::~device_copy() { cudaFreeAsync(memory_, static_cast<cudaStream_t>(stream_)); }

#else

device_scope::device_scope(int) : before_(0), device_(0) {}
device_scope::~device_scope() = default;
device_copy::device_copy(const void*, std::size_t, void* stream) : stream_(stream) {
  throw std::runtime_error("Talus was built without CUDA");
}
device_copy::~device_copy() { (void)stream_; }

#endif

}  // namespace talus::python
