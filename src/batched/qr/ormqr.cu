// Q of a factorization times a matrix, on the GPU.
#include "batched/qr/backends.hpp"
#include "batched/qr/tasks.cuh"

namespace talus::cuda {

template <>
int ormqr(side where, op op, batch<const TALUS_T> A, vectors<const TALUS_T> tau, batch<TALUS_T> C, int* info,
          queue q) {
  using D = device_t<TALUS_T>;
  if (C.m == 0 || C.n == 0 || A.n == 0) return clear_info(info, C.count, q);
  const householder::apply_q<D, batch<D>> task = {where, op != op::none, on_device(tau), on_device(C)};
  return householder::launch_task<D>(equal_sizes<const D>{on_device(A)}, task, A.m, A.n, info, q);
}

}  // namespace talus::cuda
