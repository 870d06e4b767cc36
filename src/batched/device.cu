#include "backends.hpp"
#include "launch.cuh"

namespace talus::cuda {
namespace {
__global__ void any_kernel() {}
}  // namespace

/// A device is usable if it can run what was compiled: being there is not enough.
bool device_is_usable() noexcept {
  cudaFuncAttributes attributes;
  return reported(cudaFuncGetAttributes(&attributes, any_kernel)) == 0;
}

}  // namespace talus::cuda
