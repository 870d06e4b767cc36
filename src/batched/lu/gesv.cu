// Factor and solve on the GPU: select a line of gesv's table, launch its kernel: one launch while the matrix
// is on the chip, if it is small; else getrf, then getrs on the same stream.
#include "batched/lu/gesv.cuh"

#include "batched/lu/backends.hpp"
#include "batched/lu/pieces/solve.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using R = real_type<TALUS_T>;
using then_solve = lu::then_solve<D, R>;

TALUS_DEFINE_LAUNCHERS(gesv_tables, equal_sizes<D>, int*, queue, then_solve)

#if TALUS_SHARD == 0
/// No flag passes from getrf to getrs: where getrf fails U has a zero or a NaN on its diagonal, though that
/// may be a later one; getrs finds it there and skips the matrix. Info is what getrf says.
template <>
int gesv(batch<TALUS_T> A, vectors<int> ipiv, batch<TALUS_T> B, int* info, queue q, int line) {
  if (const int status = gesv_tables::find_line<TALUS_T>(upto(A.n, B.n), A.count, line)) return status;
  eliminations<R> each;
  each.ipiv = ipiv;
  const bool is_fused = !std::holds_alternative<unfused>(gesv_tables::at<TALUS_T>(line).kernel);
  if (A.n == 0 || B.n == 0 || !is_fused) {
    const int status = getrf(pivoting::partial, A, each, info, q);
    return status != 0 ? status : getrs(op::none, read_only(A), read_only(ipiv), B, nullptr, q);
  }
  const auto launch = find_launcher<gesv_tables, TALUS_T, equal_sizes<D>, int*, queue, then_solve>(0, line);
  return launch({on_device(A)}, info, q, {each, on_device(B)});
}

#endif

}  // namespace talus::cuda
