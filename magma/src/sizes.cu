#include <algorithm>

#include "call.hpp"
#include "sizes.hpp"

namespace talus::magma {
namespace {

constexpr int threads = 256;

/// Blocks of a loop over the batch with a grid's stride.
int blocks_for(std::int64_t batch_count) {
  return static_cast<int>(std::clamp<std::int64_t>((batch_count + threads - 1) / threads, 1, 1024));
}

__device__ std::int64_t first_index() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::int64_t grid_stride() { return std::int64_t{gridDim.x} * blockDim.x; }

/// What was found in one array.
struct finding {
  int is_illegal;
  int largest;
};

__device__ bool is_illegal(const size_arrays::one& array, std::int64_t b) {
  const int value = array.values[b];
  switch (array.of) {
    case size_arrays::kind::extent:
      return value < 0;
    case size_arrays::kind::leading:
      return value < max(1, array.rows[b]);
    default:
      return value == 0;
  }
}

/// A block row per array. found: zeros before.
__global__ void look(size_arrays sizes, std::int64_t batch_count, finding* found) {
  const size_arrays::one& array = sizes.list[blockIdx.y];
  finding mine = {};
  for (std::int64_t b = first_index(); b < batch_count; b += grid_stride()) {
    mine.is_illegal |= is_illegal(array, b);
    mine.largest = max(mine.largest, array.values[b]);
  }
  for (int lane = warpSize / 2; lane > 0; lane /= 2) {
    mine.is_illegal |= __shfl_xor_sync(0xffffffff, mine.is_illegal, lane);
    mine.largest = max(mine.largest, __shfl_xor_sync(0xffffffff, mine.largest, lane));
  }
  if (threadIdx.x % warpSize == 0) {
    if (mine.is_illegal != 0) atomicOr(&found[blockIdx.y].is_illegal, 1);
    atomicMax(&found[blockIdx.y].largest, mine.largest);
  }
}

/// One thread: the element behind each array's last.
__global__ void write_last(size_arrays sizes, look_for what, std::int64_t batch_count, const finding* found) {
  bool is_fine = true;
  if (what != look_for::largest) {
    for (int i = 0; i < sizes.count; ++i) is_fine = is_fine && found[i].is_illegal == 0;
  }
  for (int i = 0; i < sizes.count; ++i) {
    if (sizes.list[i].values == nullptr) continue;  // of no matrices
    const bool has_largest =
        what != look_for::errors && is_fine && sizes.list[i].of == size_arrays::kind::extent;
    if (what == look_for::largest && !has_largest) continue;
    sizes.list[i].values[batch_count] = has_largest                            ? found[i].largest
                                        : !is_fine && found[i].is_illegal != 0 ? -1
                                                                               : 0;
  }
}

__global__ void pointers(void** to, const unsigned char* from, std::int64_t stride,
                         std::int64_t batch_count) {
  for (std::int64_t b = first_index(); b < batch_count; b += grid_stride())
    to[b] = const_cast<unsigned char*>(from + b * stride);
}

struct size_values {
  int of[size_arrays::most];
};
__global__ void equal_sizes(int* arrays, size_values values, int count, std::int64_t batch_count) {
  for (std::int64_t b = first_index(); b < batch_count; b += grid_stride()) {
    for (int i = 0; i < count; ++i) arrays[i * batch_count + b] = values.of[i];
  }
}

__global__ void replaced_pivots(int* info, const int* replaced, std::int64_t batch_count) {
  for (std::int64_t b = first_index(); b < batch_count; b += grid_stride()) {
    if (info[b] == 0) info[b] = replaced[b];
  }
}

}  // namespace

looked look_at(const size_arrays& sizes, look_for what, std::int64_t batch_count, cudaStream_t stream) {
  looked result;
  for (int i = 0; i < sizes.count && batch_count > 0; ++i) {
    if (sizes.list[i].values == nullptr && result.code == 0) result.code = -sizes.list[i].number;
  }
  if (result.code != 0) return result;
  // A stream that is captured can't be waited for: what is captured stays whole.
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &capturing) != cudaSuccess) cudaGetLastError();
  if (capturing != cudaStreamCaptureStatusNone) {
    result.code = code_of(err_unsupported);
    return result;
  }
  const scratch memory(stream, sizeof(finding) * size_arrays::most);
  if (memory.status != 0) {
    result.code = code_of(memory.status);
    return result;
  }
  finding* const found = memory.as<finding>();
  finding on_host[size_arrays::most] = {};
  cudaError_t error = cudaMemsetAsync(found, 0, sizeof on_host, stream);
  if (batch_count > 0) {
    const dim3 grid(static_cast<unsigned>(blocks_for(batch_count)), static_cast<unsigned>(sizes.count));
    look<<<grid, threads, 0, stream>>>(sizes, batch_count, found);
  }
  if (sizes.has_last) write_last<<<1, 1, 0, stream>>>(sizes, what, batch_count, found);
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(on_host, found, sizeof on_host, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (const int status = status_of(error)) {
    result.code = code_of(status);
    return result;
  }
  for (int i = 0, extent = 0; i < sizes.count; ++i) {
    if (what != look_for::largest && on_host[i].is_illegal != 0 && result.code == 0)
      result.code = -sizes.list[i].number;
    if (sizes.list[i].of == size_arrays::kind::extent)
      result.largest[static_cast<std::size_t>(extent++)] = on_host[i].largest;
  }
  return result;
}

int set_pointers(void** to, const void* from, std::int64_t stride, std::int64_t offset,
                 std::int64_t batch_count, cudaStream_t stream) {
  if (batch_count <= 0) return 0;
  pointers<<<blocks_for(batch_count), threads, 0, stream>>>(
      to, static_cast<const unsigned char*>(from) + offset, stride, batch_count);
  return status_of(cudaGetLastError());
}

int set_sizes(int* arrays, const std::array<int, size_arrays::most>& values, int count,
              std::int64_t batch_count, cudaStream_t stream) {
  if (batch_count <= 0) return 0;
  size_values all = {};
  std::copy(values.begin(), values.end(), all.of);
  equal_sizes<<<blocks_for(batch_count), threads, 0, stream>>>(arrays, all, count, batch_count);
  return status_of(cudaGetLastError());
}

int report_replaced(int* info, const int* replaced, std::int64_t batch_count, cudaStream_t stream) {
  if (batch_count <= 0) return 0;
  replaced_pivots<<<blocks_for(batch_count), threads, 0, stream>>>(info, replaced, batch_count);
  return status_of(cudaGetLastError());
}

}  // namespace talus::magma
