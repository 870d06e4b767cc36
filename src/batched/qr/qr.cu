// Thin Q and R, on the GPU: by the kernel of geqrf's table where that has the matrix in registers, else by a
// block per matrix, or a cluster.
#include <algorithm>

#include "batched/qr/backends.hpp"
#include "batched/qr/geqrf.cuh"
#include "batched/qr/pieces/tasks.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using asked = householder::factor_and_form_q<D>;

#ifndef TALUS_ONE_FORM  // a build that measures lines of geqrf
TALUS_DEFINE_LAUNCHERS(geqrf_tables, equal_sizes<D>, int*, queue, asked)
#endif

/// Of vbatched/qr/qr.cu, too.
template int householder::launch_task<D>(const either_sizes<D>&, const householder::thin_qr<D>&, int, int,
                                         int*, queue);

template <>
int qr(batch<TALUS_T> A, batch<TALUS_T> R, int* info, queue q) {
  const int k = std::min(A.m, A.n);
  if (k == 0) return clear_info(info, A.count, q);
#ifndef TALUS_ONE_FORM
  int line = -1;
  if (const int status = householder::find_line_in_registers<TALUS_T>(upto(A.m, A.n), A.count, line))
    return status;
  if (line >= 0)
    return find_launcher<geqrf_tables, TALUS_T, equal_sizes<D>, int*, queue, asked>(op::none, line)(
        {on_device(A)}, info, q, {on_device(R)});
#endif
  const householder::thin_qr<D> task = {on_device(R)};
  return householder::launch_task<D>(either_sizes<D>{on_device(A)}, task, A.m, k, info, q);
}

}  // namespace talus::cuda
