// Solve with triangles on the GPU, one or two: select a line of trsm's table, launch its kernel. The kernels
// that are compiled once for one size and for mixed sizes are here, too.
#include "batched/blas/trsm.cuh"

#include "batched/blas/backends.hpp"
#include "batched/blas/pieces/systems.cuh"
#include "gpu/dispatch.cuh"
#include "vbatched/blas/trsm.hpp"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using systems = blas::equal_systems<D>;
using plan = blas::solve_plan<D>;

TALUS_DEFINE_LAUNCHERS(trsm_tables, systems, int*, queue, plan)
TALUS_DEFINE_LAUNCHERS(trsm_either_tables, blas::either_systems<D>, int*, queue, plan)

#if TALUS_SHARD == 0
template <>
int blas::solve(const solve_plan<TALUS_T>& plan, batch<const TALUS_T> A, batch<TALUS_T> B, int* info, queue q,
                int line) {
  const int sides = plan.sides_are_rows ? B.m : B.n;
  if (A.n == 0) return clear_info(info, A.count, q);
  if (const int status = trsm_tables::find_line<TALUS_T>(upto(A.n, sides), A.count, line)) return status;
  const auto launch = find_launcher<trsm_tables, TALUS_T, systems, int*, queue, cuda::plan>(0, line);
  return launch({cuda::on_device(A), cuda::on_device(B), plan.sides_are_rows}, info, q, on_device(plan));
}

template <>
int trsm(triangular_system<TALUS_T> of, batch<const TALUS_T> A, batch<TALUS_T> B, int* info, queue q,
         int line) {
  if (B.m == 0 || B.n == 0) return clear_info(info, B.count, q);
  return blas::solve(blas::plan_of_trsm(of.side, of.uplo, of.op, of.diag, of.alpha), A, B, info, q, line);
}
#endif

}  // namespace talus::cuda
