// Q of factorizations of mixed sizes times matrices, on the GPU.
#include "batched/qr/backends.hpp"
#include "vbatched/qr/tasks.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

/// batched/qr/orgqr.cu defines it.
extern template int householder::launch_task<D>(const either_sizes<D>&, const householder::with_q<D>&, int,
                                                int, int*, queue);

template <>
int ormqr(side where, op op, variable_batch<const TALUS_T> A, vectors<const TALUS_T> tau,
          variable_batch<TALUS_T> C, int* info, int m_max, int n_max, int k_max, queue q) {
  using check = householder::ormqr_check<TALUS_T>;
  const int rows = where == side::left ? m_max : n_max;
  const check all = {{}, where, A, tau, C, {m_max, n_max, k_max}, upto(rows, k_max)};
  return householder::do_classes(all, info, q, [&](const check& part) {
    return householder::with_q<D>{householder::q_operation::multiply,
                                  on_device(part.tau),
                                  0,
                                  nullptr,
                                  where,
                                  op != op::none,
                                  on_device(part.C)};
  });
}

}  // namespace talus::cuda
