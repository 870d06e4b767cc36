// One way to launch a kernel: any number of blocks, errors as Talus's statuses, nothing printed, nothing
// synchronised.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "batched/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {

template <class Integer>
__host__ __device__ constexpr Integer ceil_div(Integer a, Integer b) {
  return (a + b - 1) / b;
}

inline int status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return 0;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorNoKernelImageForDevice:
      return err_no_cuda;
    default:
      return err_cuda;
  }
}

/// The user's own error state must not show an error that we report by our status.
inline int reported(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
  return status_of(error);
}

/// The current device. Where there is only one it need not be asked for, which every call would pay for: tiny
/// batches take no longer than their launch.
inline int current_device(int& device) {
  static const int devices = [] {
    int count = 0;
    return reported(cudaGetDeviceCount(&count)) == 0 ? count : 0;
  }();
  device = 0;
  return devices == 1 ? 0 : reported(cudaGetDevice(&device));
}

/// Shared memory that one block may ask for on the current device, in bytes.
inline int shared_memory_limit(std::size_t& bytes) {
  int device = 0, limit = 0;
  if (const int status = current_device(device)) return status;
  const cudaError_t error = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  bytes = std::min(static_cast<std::size_t>(limit), most_shared_bytes.load(std::memory_order_relaxed));
  return reported(error);
}

/// What every routine does for n = 0: nothing, and says so.
inline int clear_info(int* info, std::int64_t count, queue q) {
  return reported(cudaMemsetAsync(info, 0, static_cast<std::size_t>(count) * sizeof(int),
                                  static_cast<cudaStream_t>(q.stream)));
}

/// Whether a kernel may be launched for the first time on this device. CUDA loads a kernel when it is first
/// launched, and one that could not be loaded for lack of memory is lost to the process: every later launch
/// fails, however much memory there is by then (seen with CUDA 13.0, driver 580). So the first launch waits
/// for more room than any kernel needs.
inline int room_for_loading(std::atomic<std::uint64_t>& loaded_devices) {
  constexpr std::size_t enough = 64 * 1024 * 1024;
  int device = 0;
  std::size_t free = 0, total = 0;
  if (const int status = current_device(device)) return status;
  const std::uint64_t mine = std::uint64_t{1} << (device % 64);
  if ((loaded_devices.load() & mine) != 0) return 0;
  if (const cudaError_t error = cudaMemGetInfo(&free, &total); error != cudaSuccess) return reported(error);
  if (free < enough) return err_cuda;
  loaded_devices |= mine;
  return 0;
}

/// When a kernel starts: when the one ahead of it in its stream has ended, or early, when that lets it. How
/// much of a multiprocessor's memory is shared memory: at least `shared` bytes, as CUDA likes if that is 0,
/// as was said last if it is negative; what is left is first-level cache. Kernels that run side by side have
/// to agree on it.
struct start {
  bool early = false;
  std::int64_t shared = -1;
};

/// Grants KERNEL its share.
template <auto KERNEL>
int set_shared(std::int64_t shared) {
  if (shared < 0) return 0;
  int device = 0, most = 0, percent = cudaSharedmemCarveoutDefault;
  if (shared > 0) {
    if (const int status = current_device(device)) return status;
    if (const int status =
            reported(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device)))
      return status;
    const std::int64_t all = most;
    percent = static_cast<int>(ceil_div(100 * std::min(shared, all), all));
  }
  return reported(cudaFuncSetAttribute(KERNEL, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
}

/// Whether KERNEL was compiled for GPUs on which a kernel can wait for the one ahead of it.
template <auto KERNEL>
bool may_start_early() {
  cudaFuncAttributes attributes = {};
  return reported(cudaFuncGetAttributes(&attributes, KERNEL)) == 0 && attributes.ptxVersion >= 90;
}

/// For a kernel that is launched early: waits until the kernel ahead of it in its stream has ended, and what
/// that wrote can be read. Every block has to.
__device__ inline void wait_for_kernel_ahead() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// From here on the next kernel may start, if it is launched early, once all blocks have come so far.
__device__ inline void let_next_kernel_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Runs KERNEL(first, args...) on `blocks` blocks (none: only makes it ready), where a kernel's block is
/// number first + blockIdx.x: a grid has at most 2^31 - 1 blocks, so a larger batch takes several launches.
template <auto KERNEL, class... Arguments>
int launch_when(start when, std::int64_t blocks, dim3 threads, std::size_t shared_bytes, queue q,
                Arguments... args) {
  static std::atomic<std::uint64_t> loaded_devices{0};
  constexpr std::size_t granted_anyway = 48 * 1024;
  constexpr std::int64_t most = 0x7fffffff;
  if (const int status = room_for_loading(loaded_devices)) return status;
  if (shared_bytes > granted_anyway) {
    std::size_t limit = 0;
    if (const int status = shared_memory_limit(limit)) return status;
    if (shared_bytes > limit) return err_unsupported;
    const cudaError_t error = cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   static_cast<int>(shared_bytes));
    if (error != cudaSuccess) return reported(error);
  }
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  if (const int status = set_shared<KERNEL>(when.shared)) return status;
  const bool starts_early = when.early && may_start_early<KERNEL>();
  for (std::int64_t first = 0; first < blocks; first += most) {
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(std::min(most, blocks - first)));
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = static_cast<cudaStream_t>(q.stream);
    if (starts_early) {
      config.attrs = &early;
      config.numAttrs = 1;
    }
    const cudaError_t error = cudaLaunchKernelEx(&config, KERNEL, first, args...);
    if (error != cudaSuccess) return reported(error);
  }
  return 0;
}

template <auto KERNEL, class... Arguments>
int launch(std::int64_t blocks, dim3 threads, std::size_t shared_bytes, queue q, Arguments... args) {
  return launch_when<KERNEL>(start{}, blocks, threads, shared_bytes, q, args...);
}

/// What a kernel does with its result while that is on the chip: nothing, or what posv_warp.cuh and
/// posv_smem.cuh do.
struct nothing {
  static constexpr bool solves = false;
  static constexpr int nrhs() { return 0; }
};

/// Dynamic shared memory as an array of any type; every kernel of a program must declare it the same way.
template <class T>
__device__ T* shared_memory() {
  extern __shared__ __align__(128) unsigned char talus_shared[];
  return reinterpret_cast<T*>(talus_shared);
}

}  // namespace talus::cuda
