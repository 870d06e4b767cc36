// Q of a factorization times a matrix, on the GPU: as qr.cu.
#include <variant>

#include "batched/qr/backends.hpp"
#include "batched/qr/families/warp.cuh"
#include "batched/qr/orgqr.hpp"
#include "batched/qr/pieces/tasks.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using asked = householder::multiply_by_q<D>;

TALUS_DEFINE_LAUNCHERS(orgqr_tables, equal_sizes<const D>, int*, queue, asked)

/// batched/qr/orgqr.cu defines it.
extern template int householder::launch_task<D>(const either_sizes<D>&, const householder::with_q<D>&, int,
                                                int, int*, queue);

template <>
int ormqr(side where, op op, batch<const TALUS_T> A, vectors<const TALUS_T> tau, batch<TALUS_T> C, int* info,
          queue q) {
  if (C.m == 0 || C.n == 0 || A.n == 0) return clear_info(info, C.count, q);
  int line = selected;
  if (const int status = orgqr_tables::find_line<TALUS_T>(upto(A.m, A.n), A.count, line)) return status;
  if (!std::holds_alternative<unfused>(orgqr_tables::at<TALUS_T>(line).kernel)) {
    const int status = find_launcher<orgqr_tables, TALUS_T, equal_sizes<const D>, int*, queue, asked>(
        op::none, line)({on_device(A)}, info, q, {where, op != op::none, on_device(tau), on_device(C)});
    if (status != err_unsupported) return status;  // else shared memory is too small
  }
  const householder::with_q<D> task = {
      householder::q_operation::multiply, on_device(tau), 0, nullptr, where, op != op::none, on_device(C)};
  const either_sizes<D> source{householder::writable(on_device(A))};
  return householder::launch_task<D>(source, task, A.m, A.n, info, q);
}

}  // namespace talus::cuda
