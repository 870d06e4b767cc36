// Partial Cholesky on the GPU: select a line of the table, launch its kernel.
#include "batched/cholesky/potrf_partial.cuh"

#include "batched/cholesky/pieces/either_fronts.cuh"
#include "gpu/dispatch.cuh"
#include "vbatched/cholesky/potrf_partial.hpp"

namespace talus::cuda {

using D = device_t<TALUS_T>;

TALUS_DEFINE_LAUNCHERS(potrf_partial_tables, front_batch<D>, int*, queue, no_epilogue)
TALUS_DEFINE_LAUNCHERS(potrf_partial_either_tables, cholesky::either_fronts<D>, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
namespace {

int launch_fronts(uplo uplo, const front_batch<D>& A, int* info, queue q, int line) {
  const int n = A.A11.n + A.A22.n, k = A.A11.n;
  if (k == 0) return clear_info(info, A.count(), q);
  if (q.work != nullptr && q.work_bytes < fronts_bytes<TALUS_T>(n, A.count())) return err_work;
  if (const int status = potrf_partial_tables::find_line<TALUS_T>(upto(n, k), A.count(), line)) return status;
  return find_launcher<potrf_partial_tables, TALUS_T, front_batch<D>, int*, queue, no_epilogue>(uplo, line)(
      A, info, q, {});
}

}  // namespace

template <>
int potrf_partial(uplo uplo, batch<TALUS_T> A, int k, int* info, queue q, int line) {
  return launch_fronts(uplo, fronts_of(uplo, on_device(A), k), info, q, line);
}

template <>
int potrf_partial_split(uplo uplo, batch<TALUS_T> A11, batch<TALUS_T> A21, batch<TALUS_T> A22, int* info,
                        queue q, int line) {
  return launch_fronts(uplo, {on_device(A11), on_device(A21), on_device(A22)}, info, q, line);
}

#endif

}  // namespace talus::cuda
