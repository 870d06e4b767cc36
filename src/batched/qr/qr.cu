// Thin Q and R on the GPU: one launch with the matrix in registers, if orgqr's table has a kernel for it;
// else a block or a cluster per matrix.
#include <algorithm>
#include <variant>

#include "batched/qr/backends.hpp"
#include "batched/qr/families/warp.cuh"
#include "batched/qr/orgqr.hpp"
#include "batched/qr/pieces/tasks.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using asked = householder::factor_and_form_q<D>;

TALUS_DEFINE_LAUNCHERS(orgqr_tables, equal_sizes<D>, int*, queue, asked)

/// batched/qr/orgqr.cu defines it.
extern template int householder::launch_task<D>(const either_sizes<D>&, const householder::with_q<D>&, int,
                                                int, int*, queue);

template <>
int qr(batch<TALUS_T> A, batch<TALUS_T> R, int* info, queue q) {
  const int k = std::min(A.m, A.n);
  if (k == 0) return clear_info(info, A.count, q);
  int line = selected;
  if (const int status = orgqr_tables::find_line<TALUS_T>(upto(A.m, A.n), A.count, line)) return status;
  if (!std::holds_alternative<unfused>(orgqr_tables::at<TALUS_T>(line).kernel))
    return find_launcher<orgqr_tables, TALUS_T, equal_sizes<D>, int*, queue, asked>(op::none, line)(
        {on_device(A)}, info, q, {on_device(R)});
  householder::with_q<D> task = {householder::q_operation::factor_and_form, {}};
  task.C = on_device(R);
  return householder::launch_task<D>(either_sizes<D>{on_device(A)}, task, A.m, k, info, q);
}

}  // namespace talus::cuda
