// Least squares and least norm on the GPU. If A is not transposed, m >= n, and gels' table has a kernel: A
// and the right-hand sides are in registers. In all other cases: a block or a cluster per system.
#include "batched/qr/gels.hpp"

#include <algorithm>
#include <variant>

#include "batched/qr/backends.hpp"
#include "batched/qr/families/warp.cuh"
#include "batched/qr/pieces/tasks.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using asked = householder::solve_least_squares<D>;

TALUS_DEFINE_LAUNCHERS(gels_tables, equal_sizes<D>, int*, queue, asked)

#if TALUS_SHARD == 0
/// Also for vbatched/qr/gels.cu.
template int householder::launch_task<D>(const either_sizes<D>&, const householder::least_squares<D>&, int,
                                         int, int*, queue);

template <>
int gels(op op, batch<TALUS_T> A, batch<TALUS_T> B, int* info, queue q, int line) {
  const int m = std::max(A.m, A.n), k = std::min(A.m, A.n);
  if (m == 0) return clear_info(info, A.count, q);
  if (op == op::none && A.m >= A.n && A.n > 0) {
    if (const int status = gels_tables::find_line<TALUS_T>(upto(A.m, A.n, B.n), A.count, line)) return status;
    if (!std::holds_alternative<unfused>(gels_tables::at<TALUS_T>(line).kernel))
      return find_launcher<gels_tables, TALUS_T, equal_sizes<D>, int*, queue, asked>(op::none, line)(
          {on_device(A)}, info, q, {on_device(B)});
  }
  const householder::least_squares<D> task = {op != op::none, on_device(B)};
  return householder::launch_task<D>(either_sizes<D>{on_device(A)}, task, m, k, info, q);
}

#endif

}  // namespace talus::cuda
