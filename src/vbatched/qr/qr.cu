// Thin Q and R of matrices of mixed sizes, on the GPU.
#include "batched/qr/backends.hpp"
#include "vbatched/qr/tasks.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

/// batched/qr/orgqr.cu defines it.
extern template int householder::launch_task<D>(const either_sizes<D>&, const householder::with_q<D>&, int,
                                                int, int*, queue);

template <>
int qr(variable_batch<TALUS_T> A, variable_batch<TALUS_T> R, int* info, int m_max, int n_max, queue q) {
  using check = householder::thin_check<TALUS_T>;
  const int k = householder::smaller_bound(m_max, n_max);
  const check all = {{}, A, R, {m_max, n_max, unknown_bound}, upto(m_max, k)};
  return householder::do_classes(all, info, q, [&](const check& part) {
    householder::with_q<D> task = {householder::q_operation::factor_and_form, {}};
    task.C = on_device(part.R);
    return task;
  });
}

}  // namespace talus::cuda
