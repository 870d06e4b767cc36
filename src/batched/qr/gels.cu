// Least squares and least norm, on the GPU.
#include <algorithm>

#include "batched/qr/backends.hpp"
#include "batched/qr/tasks.cuh"

namespace talus::cuda {

template <>
int gels(op op, batch<TALUS_T> A, batch<TALUS_T> B, int* info, queue q) {
  using D = device_t<TALUS_T>;
  const int m = std::max(A.m, A.n), k = std::min(A.m, A.n);
  if (m == 0) return clear_info(info, A.count, q);
  const householder::least_squares<D, batch<D>> task = {op != op::none, on_device(B)};
  return householder::launch_task<D>(equal_sizes<D>{on_device(A)}, task, m, k, info, q);
}

}  // namespace talus::cuda
