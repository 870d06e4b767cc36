// Least squares and least norm of systems of mixed sizes, on the GPU.
#include "batched/qr/backends.hpp"
#include "vbatched/qr/tasks.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

/// batched/qr/gels.cu defines it.
extern template int householder::launch_task<D>(const either_sizes<D>&, const householder::least_squares<D>&,
                                                int, int, int*, queue);

template <>
int gels(op op, variable_batch<TALUS_T> A, variable_batch<TALUS_T> B, int* info, int m_max, int n_max,
         int nrhs_max, queue q) {
  using check = householder::gels_check<TALUS_T>;
  const int rows = householder::larger_bound(m_max, n_max), k = householder::smaller_bound(m_max, n_max);
  const check all = {{}, A, B, {m_max, n_max, nrhs_max}, upto(rows, k)};
  return householder::do_classes(all, info, q, [&](const check& part) {
    return householder::least_squares<D>{op != op::none, on_device(part.B)};
  });
}

}  // namespace talus::cuda
