// Factor and solve on the GPU: select a line of posv's table, launch its kernel: one launch while the matrix
// is on the chip, if it is small; else potrf, then potrs on the same stream.
#include "batched/cholesky/posv.cuh"

#include <algorithm>

#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/pieces/smem_solve.cuh"
#include "batched/cholesky/pieces/warp_solve.cuh"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

TALUS_DEFINE_LAUNCHERS(posv_tables, equal_sizes<D>, int*, queue, cholesky::then_solve<D>)

#if TALUS_SHARD == 0
/// The most right-hand sides in one launch: in shared memory one, and a tile of others.
constexpr int fused_right_hand_sides = 1 + square_order;

/// No flag passes from potrf to potrs: where potrf fails it leaves a pivot that is not > 0 on the diagonal,
/// and potrs finds it there, skips the matrix and writes the same info again.
template <>
int posv(uplo uplo, batch<TALUS_T> A, batch<TALUS_T> B, int* info, queue q, int line) {
  if (const int status = posv_tables::find_line<TALUS_T>(upto(A.n, B.n), A.count, line)) return status;
  const bool is_fused = !std::holds_alternative<unfused>(posv_tables::at<TALUS_T>(line).kernel);
  if (A.n == 0 || B.n == 0 || !is_fused) {
    const int status = potrf(uplo, A, info, q);
    return status != 0 ? status : potrs(uplo, read_only(A), B, info, q);
  }
  const auto launch =
      find_launcher<posv_tables, TALUS_T, equal_sizes<D>, int*, queue, cholesky::then_solve<D>>(uplo, line);
  const batch<TALUS_T> first = B.block(0, 0, A.n, std::min(B.n, fused_right_hand_sides));
  const int status = launch({on_device(A)}, info, q, {on_device(first)});
  if (status != 0 || first.n == B.n) return status;
  return potrs(uplo, read_only(A), B.block(0, first.n, A.n, B.n - first.n), info, q);
}

#endif

}  // namespace talus::cuda
