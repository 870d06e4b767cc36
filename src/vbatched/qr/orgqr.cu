// Columns of Q of factorizations of mixed sizes, on the GPU.
#include "batched/qr/backends.hpp"
#include "vbatched/qr/tasks.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

/// batched/qr/orgqr.cu defines it.
extern template int householder::launch_task<D>(const either_sizes<D>&, const householder::with_q<D>&, int,
                                                int, int*, queue);

template <>
int orgqr(const int* k, variable_batch<TALUS_T> A, vectors<const TALUS_T> tau, int* info, int m_max,
          int n_max, int k_max, queue q) {
  using check = householder::orgqr_check<TALUS_T>;
  const check all = {{}, k, A, tau, {m_max, n_max, k_max}, upto(m_max, k_max)};
  return householder::do_classes(all, info, q, [&](const check& part) {
    return householder::with_q<D>{householder::q_operation::form, on_device(part.tau), 0, part.k};
  });
}

}  // namespace talus::cuda
