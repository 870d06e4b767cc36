// Thin Q and R, on the GPU.
#include <algorithm>

#include "batched/qr/backends.hpp"
#include "batched/qr/tasks.cuh"

namespace talus::cuda {

template <>
int qr(batch<TALUS_T> A, batch<TALUS_T> R, int* info, queue q) {
  using D = device_t<TALUS_T>;
  const int k = std::min(A.m, A.n);
  if (k == 0) return clear_info(info, A.count, q);
  const householder::thin_qr<D, batch<D>> task = {on_device(R)};
  return householder::launch_task<D>(equal_sizes<D>{on_device(A)}, task, A.m, k, info, q);
}

}  // namespace talus::cuda
