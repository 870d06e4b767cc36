#include "backends.hpp"
#include "words.hpp"

#ifdef TALUS_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace talus::tune {

gpu_here current_gpu() {
  gpu_here gpu;
#ifdef TALUS_WITH_CUDA
  if (!cuda::device_is_usable()) return gpu;
  int device = 0, clock = 0, memory_clock = 0;
  cudaDeviceProp properties;
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
    return gpu;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, device);
  gpu.present = true;
  gpu.name = properties.name;
  gpu.capability = 10 * properties.major + properties.minor;
  gpu.clocks = "at most " + std::to_string(clock / 1000) + " MHz, memory " +
               std::to_string(memory_clock / 1000) + " MHz";
#endif
  return gpu;
}

}  // namespace talus::tune
