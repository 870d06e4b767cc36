// Columns of Q of a factorization, on the GPU: as qr.cu.
#include "batched/qr/backends.hpp"
#include "batched/qr/geqrf.cuh"
#include "batched/qr/pieces/tasks.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using asked = householder::form_q_only<D>;

#ifndef TALUS_ONE_FORM  // a build that measures lines of geqrf
TALUS_DEFINE_LAUNCHERS(geqrf_tables, equal_sizes<D>, int*, queue, asked)
#endif

/// Of vbatched/qr/orgqr.cu, too.
template int householder::launch_task<D>(const either_sizes<D>&, const householder::form_q<D>&, int, int,
                                         int*, queue);

template <>
int orgqr(int k, batch<TALUS_T> A, vectors<const TALUS_T> tau, int* info, queue q) {
  if (A.n == 0) return clear_info(info, A.count, q);
#ifndef TALUS_ONE_FORM
  int line = -1;
  if (const int status = householder::find_line_in_registers<TALUS_T>(upto(A.m, A.n), A.count, line))
    return status;
  if (line >= 0)
    return find_launcher<geqrf_tables, TALUS_T, equal_sizes<D>, int*, queue, asked>(op::none, line)(
        {on_device(A)}, info, q, {on_device(tau), k});
#endif
  const householder::form_q<D> task = {on_device(tau), k, nullptr};
  return householder::launch_task<D>(either_sizes<D>{on_device(A)}, task, A.m, k, info, q);
}

}  // namespace talus::cuda
