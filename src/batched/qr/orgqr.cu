// Columns of Q of a factorization, on the GPU: as qr.cu.
#include "batched/qr/orgqr.hpp"

#include <variant>

#include "batched/qr/backends.hpp"
#include "batched/qr/families/warp.cuh"
#include "batched/qr/pieces/tasks.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using asked = householder::form_q_only<D>;

TALUS_DEFINE_LAUNCHERS(orgqr_tables, equal_sizes<D>, int*, queue, asked)

#if TALUS_SHARD == 0
/// Also for ormqr and qr, and for mixed sizes.
template int householder::launch_task<D>(const either_sizes<D>&, const householder::with_q<D>&, int, int,
                                         int*, queue);

template <>
int orgqr(int k, batch<TALUS_T> A, vectors<const TALUS_T> tau, int* info, queue q, int line) {
  if (A.n == 0) return clear_info(info, A.count, q);
  if (const int status = orgqr_tables::find_line<TALUS_T>(upto(A.m, A.n), A.count, line)) return status;
  if (!std::holds_alternative<unfused>(orgqr_tables::at<TALUS_T>(line).kernel))
    return find_launcher<orgqr_tables, TALUS_T, equal_sizes<D>, int*, queue, asked>(op::none, line)(
        {on_device(A)}, info, q, {on_device(tau), k});
  const householder::with_q<D> task = {householder::q_operation::form, on_device(tau), k};
  return householder::launch_task<D>(either_sizes<D>{on_device(A)}, task, A.m, k, info, q);
}

#endif

}  // namespace talus::cuda
