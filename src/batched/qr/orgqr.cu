// Columns of Q of a factorization, on the GPU.
#include "batched/qr/backends.hpp"
#include "batched/qr/tasks.cuh"

namespace talus::cuda {

template <>
int orgqr(int k, batch<TALUS_T> A, vectors<const TALUS_T> tau, int* info, queue q) {
  using D = device_t<TALUS_T>;
  if (A.n == 0) return clear_info(info, A.count, q);
  const householder::form_q<D> task = {on_device(tau), k, nullptr};
  return householder::launch_task<D>(equal_sizes<D>{on_device(A)}, task, A.m, k, info, q);
}

}  // namespace talus::cuda
