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

/// The line for n right-hand sides, or one below it whose kernel inverts; negative: there is none.
static int line_of_inverse(int n, std::int64_t count) {
  int line = selected, table = 0;
  if (trsm_tables::find(table) != 0 || trsm_tables::find_line<TALUS_T>(upto(n, n), count, line) != 0)
    return -1;
  const std::size_t of = trsm_tables::table_of<TALUS_T>(line);
  for (; line < trsm_tables::first_line<TALUS_T>[of + 1]; ++line) {
    const auto& at = trsm_tables::at<TALUS_T>(line);
    if (at.bounds.cover(upto(n, n)) && at.batch_max >= count &&
        std::visit([](const auto& family) { return family.inverts; }, at.kernel))
      return line;
  }
  return -1;
}

template <>
bool blas::is_inverted<TALUS_T>(int n, std::int64_t count) {
  return line_of_inverse(n, count) >= 0;
}

template <>
int blas::invert(const solve_plan<TALUS_T>& plan, batch<const TALUS_T> A, batch<TALUS_T> C, int* info,
                 queue q) {
  const auto launch =
      find_launcher<trsm_tables, TALUS_T, systems, int*, queue, cuda::plan>(0, line_of_inverse(A.n, A.count));
  return launch({cuda::on_device(A), cuda::on_device(C), false}, info, q, on_device(plan));
}

template <>
int trsm(triangular_system<TALUS_T> of, batch<const TALUS_T> A, batch<TALUS_T> B, int* info, queue q,
         int line) {
  if (B.m == 0 || B.n == 0) return clear_info(info, B.count, q);
  return blas::solve(blas::plan_of_trsm(of.side, of.uplo, of.op, of.diag, of.alpha), A, B, info, q, line);
}
#endif

}  // namespace talus::cuda
