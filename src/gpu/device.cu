// The current device: can it run what was compiled, and which tables are its own?
#include <array>
#include <cstring>
#include <mutex>

#include "backends.hpp"
#include "gpu/launch.cuh"
#include "gpu/table.hpp"

namespace talus::cuda {
namespace {

__global__ void any_kernel() {}

/// What a device calls itself, asked for once: it takes longer than a small batch.
struct identity {
  std::once_flag asked;
  int status = 0, capability = 0;
  char name[sizeof cudaDeviceProp::name] = "";
};

}  // namespace

/// A device is usable if it can run what was compiled: being there is not enough.
bool device_is_usable() noexcept {
  cudaFuncAttributes attributes;
  return reported(cudaFuncGetAttributes(&attributes, any_kernel)) == 0;
}

int find_table(const gpu_table* tables, int count, int& chosen) noexcept {
  static std::array<identity, 64> devices;
  int device = 0;
  if (const int status = current_device(device)) return status;
  if (static_cast<std::size_t>(device) >= devices.size()) {
    chosen = count - 1;
    return 0;
  }
  identity& id = devices[static_cast<std::size_t>(device)];
  std::call_once(id.asked, [&] {
    cudaDeviceProp properties;
    id.status = reported(cudaGetDeviceProperties(&properties, device));
    if (id.status != 0) return;
    id.capability = 10 * properties.major + properties.minor;
    std::memcpy(id.name, properties.name, sizeof id.name);
  });
  chosen = choose_table(tables, count, id.name, id.capability);
  return id.status;
}

}  // namespace talus::cuda
