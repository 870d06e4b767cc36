// Least squares and least norm, on the GPU: least squares with A as it is by the kernel of geqrf's table,
// where that has A and the right-hand sides in registers; else by a block per system, or a cluster.
#include <algorithm>

#include "batched/qr/backends.hpp"
#include "batched/qr/geqrf.cuh"
#include "batched/qr/pieces/tasks.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using asked = householder::solve_least_squares<D>;

#ifndef TALUS_ONE_FORM  // a build that measures lines of geqrf
TALUS_DEFINE_LAUNCHERS(geqrf_tables, equal_sizes<D>, int*, queue, asked)
#endif

/// Of vbatched/qr/gels.cu, too.
template int householder::launch_task<D>(const either_sizes<D>&, const householder::least_squares<D>&, int,
                                         int, int*, queue);

template <>
int gels(op op, batch<TALUS_T> A, batch<TALUS_T> B, int* info, queue q) {
  const int m = std::max(A.m, A.n), k = std::min(A.m, A.n);
  if (m == 0) return clear_info(info, A.count, q);
#ifndef TALUS_ONE_FORM
  if (op == op::none && A.m >= A.n && A.n > 0 && B.n <= any_extent - A.n) {
    int line = -1;
    if (const int status = householder::find_line_in_registers<TALUS_T>(upto(A.m, A.n + B.n), A.count, line))
      return status;
    if (line >= 0)
      return find_launcher<geqrf_tables, TALUS_T, equal_sizes<D>, int*, queue, asked>(op::none, line)(
          {on_device(A)}, info, q, {on_device(B)});
  }
#endif
  const householder::least_squares<D> task = {op != op::none, on_device(B)};
  return householder::launch_task<D>(either_sizes<D>{on_device(A)}, task, m, k, info, q);
}

}  // namespace talus::cuda
