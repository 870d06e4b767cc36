// One way to launch a kernel: any number of blocks, errors as Talus's statuses, nothing printed, nothing
// synchronised.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "gpu/integers.hpp"
#include "gpu/limits.hpp"
#include "gpu/occupancies.hpp"
#include "talus/types.hpp"

namespace talus::cuda {

inline int status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return 0;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorNoKernelImageForDevice:
      return err_no_cuda;
    case cudaErrorInvalidClusterSize:  // this GPU, or the part of it that the process may use
      return err_unsupported;
    default:
      return err_cuda;
  }
}

/// The user's own error state must not show an error that we report by our status.
inline int reported(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
  return status_of(error);
}

/// Returns err_unsupported while the stream of q is captured, because a call that finds a bound waits for it.
inline int refuse_capture(queue q) {
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  const int status = reported(cudaStreamIsCapturing(static_cast<cudaStream_t>(q.stream), &capturing));
  return status == 0 && capturing != cudaStreamCaptureStatusNone ? err_unsupported : status;
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

/// Devices of which is kept what CUDA says or was told, lest every call pays for that again; of further ones
/// it is asked each time.
constexpr int known_devices = 16;

/// Shared memory that one block may ask for on the current device, in bytes.
inline int shared_memory_limit(std::size_t& bytes) {
  static std::array<std::atomic<int>, known_devices> known{};  // 0: not asked yet
  int device = 0;
  if (const int status = current_device(device)) return status;
  int limit = device < known_devices ? known[static_cast<std::size_t>(device)].load() : 0;
  if (limit == 0) {
    if (const int status =
            reported(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)))
      return status;
    if (device < known_devices) known[static_cast<std::size_t>(device)] = limit;
  }
  bytes = std::min(static_cast<std::size_t>(limit), most_shared_bytes.load(std::memory_order_relaxed));
  return 0;
}

/// What every routine does for n = 0: nothing, and says so, unless info is null.
inline int clear_info(int* info, std::int64_t count, queue q) {
  if (info == nullptr) return 0;
  return reported(cudaMemsetAsync(info, 0, static_cast<std::size_t>(count) * sizeof(int),
                                  static_cast<cudaStream_t>(q.stream)));
}

/// Returns err_memory unless 64 MiB are free, more than any kernel needs. CUDA loads a kernel when it is
/// first launched. If there is too little memory at that time, every later launch of this kernel in the
/// process fails, however much memory is free by then (seen with CUDA 13.0, driver 580).
inline int room_for_loading() {
  constexpr std::size_t enough = 64 * 1024 * 1024;
  std::size_t free = 0, total = 0;
  if (const cudaError_t error = cudaMemGetInfo(&free, &total); error != cudaSuccess) return reported(error);
  return free < enough ? err_memory : 0;
}

/// How a kernel is launched. `early`: when the previous kernel of its stream lets it start, not when that has
/// ended (programmatic stream serialization). `carve_out`: bytes of a multiprocessor's memory that are shared
/// memory, at least; 0: as CUDA likes; negative: as was said last. What is left is first-level cache. Kernels
/// that run side by side have to agree on it. `cluster`: blocks that run at the same time and see one
/// another's shared memory, up to 16; more than one from compute capability 9.0 on, more than 8 where some of
/// these have room for them. Blocks are whole clusters.
struct launch_options {
  bool early = false;
  std::int64_t carve_out = -1;
  int cluster = 1;
};

/// What CUDA was told of a kernel on one device.
struct kernel_on_device {
  std::mutex telling;
  std::atomic<bool> loaded{false};
  std::atomic<bool> may_start_early{false}, has_clusters{false}, has_large_clusters{false};
  std::atomic<std::size_t> granted{0};     // bytes that a block may ask for, beside those of its variables
  std::atomic<std::int64_t> carve_out{0};  // launch_options::carve_out
};

/// Before a first launch: is there room, and was KERNEL compiled for GPUs that have clusters, and on which a
/// kernel can wait for the previous one?
template <auto KERNEL>
int load(kernel_on_device& k) {
  const std::lock_guard<std::mutex> lock(k.telling);
  if (const int status = room_for_loading()) return status;
  cudaFuncAttributes attributes = {};
  if (const int status = reported(cudaFuncGetAttributes(&attributes, KERNEL))) return status;
  k.may_start_early = k.has_clusters = attributes.ptxVersion >= 90;
  constexpr std::size_t granted_anyway = 48 * 1024;  // variables included
  k.granted = granted_anyway - std::min(granted_anyway, attributes.sharedSizeBytes);
  k.loaded = true;
  return 0;
}

/// Lets blocks of KERNEL ask for so much. Only ever more: another thread may be about to launch with what it
/// was granted.
template <auto KERNEL>
int grant(kernel_on_device& k, std::size_t shared_bytes) {
  const std::lock_guard<std::mutex> lock(k.telling);
  if (shared_bytes <= k.granted) return 0;
  const int status = reported(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   static_cast<int>(shared_bytes)));
  if (status == 0) k.granted = shared_bytes;
  return status;
}

/// Lets clusters of KERNEL have more blocks than every GPU takes.
template <auto KERNEL>
int allow_large_clusters(kernel_on_device& k) {
  const std::lock_guard<std::mutex> lock(k.telling);
  const int status =
      reported(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  if (status == 0) k.has_large_clusters = true;
  return status;
}

/// Sets how much of a multiprocessor's memory is shared memory while KERNEL runs.
template <auto KERNEL>
int set_carve_out(kernel_on_device& k, std::int64_t carve_out) {
  const std::lock_guard<std::mutex> lock(k.telling);
  int device = 0, most = 0, percent = cudaSharedmemCarveoutDefault;
  if (carve_out > 0) {
    if (const int status = current_device(device)) return status;
    if (const int status =
            reported(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device)))
      return status;
    const std::int64_t all = most;
    percent = static_cast<int>(ceil_div(100 * std::min(carve_out, all), all));
  }
  const int status =
      reported(cudaFuncSetAttribute(KERNEL, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
  if (status == 0) k.carve_out = carve_out;
  return status;
}

/// Sets `forgotten` to true if CUDA has lost the settings of KERNEL in `k`, as after cudaDeviceReset. Then
/// `k` holds CUDA's defaults.
template <auto KERNEL>
int find_forgotten(kernel_on_device& k, bool& forgotten) {
  const std::lock_guard<std::mutex> lock(k.telling);
  cudaFuncAttributes attributes = {};
  if (const int status = reported(cudaFuncGetAttributes(&attributes, KERNEL))) return status;
  const auto granted = static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes);
  forgotten = granted < k.granted || (k.has_large_clusters && !attributes.nonPortableClusterSizeAllowed);
  if (forgotten) {
    k.granted = granted;
    k.has_large_clusters = false;
    k.carve_out = 0;
  }
  return 0;
}

/// Makes KERNEL ready: tells CUDA what has changed since it was launched last.
template <auto KERNEL>
int make_ready(kernel_on_device& k, std::size_t shared_bytes, std::int64_t carve_out, int cluster) {
  if (!k.loaded) {
    if (const int status = load<KERNEL>(k)) return status;
  }
  if (shared_bytes > k.granted) {
    std::size_t limit = 0;
    if (const int status = shared_memory_limit(limit)) return status;
    if (shared_bytes > limit) return err_unsupported;
    if (const int status = grant<KERNEL>(k, shared_bytes)) return status;
  }
  if (cluster > 1 && !k.has_clusters) return err_unsupported;
  if (cluster > most_of_cluster && !k.has_large_clusters) {
    if (const int status = allow_large_clusters<KERNEL>(k)) return status;
  }
  return carve_out >= 0 && carve_out != k.carve_out ? set_carve_out<KERNEL>(k, carve_out) : 0;
}

/// For a kernel that is launched early: waits until the previous kernel of its stream has ended, and what
/// that wrote can be read. Every block has to.
__device__ inline void wait_for_previous_kernel() {
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
int launch(launch_options how, std::int64_t blocks, dim3 threads, std::size_t shared_bytes, queue q,
           Arguments... args) {
  static std::array<kernel_on_device, known_devices> devices;
  const std::int64_t most = 0x7fffffff / how.cluster * how.cluster;
  kernel_on_device unknown;
  int device = 0;
  if (const int status = current_device(device)) return status;
  kernel_on_device& k = device < known_devices ? devices[static_cast<std::size_t>(device)] : unknown;
  if (const int status = make_ready<KERNEL>(k, shared_bytes, how.carve_out, how.cluster)) return status;
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (how.early && k.may_start_early) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (how.cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count++].val.clusterDim = {static_cast<unsigned>(how.cluster), 1, 1};
  }
  for (std::int64_t first = 0; first < blocks; first += most) {
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(std::min(most, blocks - first)));
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = static_cast<cudaStream_t>(q.stream);
    config.attrs = attributes;
    config.numAttrs = count;
    cudaError_t error = cudaLaunchKernelEx(&config, KERNEL, first, args...);
    if (error == cudaErrorInvalidValue || error == cudaErrorInvalidClusterSize) {
      reported(error);  // clears CUDA's error state
      bool forgotten = false;
      if (const int status = find_forgotten<KERNEL>(k, forgotten)) return status;
      if (forgotten) {
        if (const int status = make_ready<KERNEL>(k, shared_bytes, how.carve_out, how.cluster)) return status;
        error = cudaLaunchKernelEx(&config, KERNEL, first, args...);
      }
    }
    if (error != cudaSuccess) return reported(error);
  }
  return 0;
}

/// Makes KERNEL ready, and sets `number` to the number of its clusters that the current device runs at once;
/// without clusters, of its blocks. Returns err_unsupported if the device cannot run one cluster.
template <auto KERNEL, class... Arguments>
int clusters_at_once(launch_options how, dim3 threads, std::size_t shared_bytes, queue q,
                     std::int64_t& number, Arguments... arguments) {
  static occupancies known;
  int device = 0, found = 0;
  if (const int status = launch<KERNEL>(how, 0, threads, shared_bytes, q, arguments...)) return status;
  if (const int status = current_device(device)) return status;
  const unsigned all_threads = threads.x * threads.y;
  const std::uint64_t key = occupancies::key(device, shared_bytes, all_threads, how.cluster);
  number = known.find(key);
  if (number < 0 && how.cluster > 1) {
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(how.cluster), 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(how.cluster));
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &cluster;
    config.numAttrs = 1;
    if (const int status = reported(cudaOccupancyMaxActiveClusters(&found, KERNEL, &config))) return status;
    number = found;
    known.keep(key, number);
  } else if (number < 0) {
    int multiprocessors = 0;
    if (const int status =
            reported(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)))
      return status;
    if (const int status = reported(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &found, KERNEL, static_cast<int>(all_threads), shared_bytes)))
      return status;
    number = std::max<std::int64_t>(1, std::int64_t{found} * multiprocessors);
    known.keep(key, number);
  }
  return number > 0 ? 0 : err_unsupported;
}

/// Sets `blocks` to the number of blocks that the current device runs at once.
template <auto KERNEL, class... Arguments>
int blocks_at_once(launch_options how, dim3 threads, std::size_t shared_bytes, queue q, std::int64_t& blocks,
                   Arguments... arguments) {
  how.cluster = 1;
  return clusters_at_once<KERNEL>(how, threads, shared_bytes, q, blocks, arguments...);
}

/// All of a multiprocessor's memory: kernels that want the same run side by side.
constexpr std::int64_t all_shared = std::int64_t{1} << 40;

/// What follows the last column while the matrix is on the chip: here nothing. An epilogue changes neither
/// the factor nor info, and is not run for a matrix that failed.
struct no_epilogue {
  static constexpr bool solves = false;
  static constexpr int nrhs() { return 0; }
};

/// How a kernel family does what a routine asks to follow. A family says so where it has a way of its own.
template <class Family, class Then>
struct epilogue_of {
  using type = Then;
};

/// Dynamic shared memory as an array of any type; every kernel of a program must declare it the same way.
template <class T>
__device__ T* shared_memory() {
  extern __shared__ __align__(128) unsigned char talus_shared[];
  return reinterpret_cast<T*>(talus_shared);
}

/// The same pointer into shared memory, found once: else it is computed again, from a special register,
/// wherever it is needed.
template <class T>
__device__ T* once(T* in_shared_memory) {
  auto address = static_cast<unsigned>(__cvta_generic_to_shared(in_shared_memory));
  asm volatile("" : "+r"(address));
  return static_cast<T*>(__cvta_shared_to_generic(address));
}

}  // namespace talus::cuda
