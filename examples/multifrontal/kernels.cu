#include <cuda_runtime.h>

#include <algorithm>

#include "kernels.hpp"

namespace multifrontal {
namespace {

template <class Body>
__global__ void __launch_bounds__(Body::width* Body::height) all_items(Body body) {
  __shared__ typename Body::shared memory;
  const block_thread t{static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y), Body::width,
                       Body::height};
  for (std::int64_t item = blockIdx.x; item < body.items(); item += gridDim.x) {
    body(item, memory, t);
    __syncthreads();  // before the next item takes the memory
  }
}

}  // namespace

template <class Body>
void run_on_gpu(const Body& body, void* stream) {
  constexpr std::int64_t blocks_max = 1 << 30;
  const auto blocks = static_cast<unsigned>(std::min(body.items(), blocks_max));
  if (blocks > 0)
    all_items<<<blocks, dim3(Body::width, Body::height), 0, static_cast<cudaStream_t>(stream)>>>(body);
}

#define ON_GPU(body) template void run_on_gpu(const body&, void*);
MULTIFRONTAL_BODIES(ON_GPU)

}  // namespace multifrontal
