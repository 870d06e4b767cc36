// Cholesky on the GPU: select a line of the table, launch its kernel.
#include "batched/cholesky/potrf.cuh"

#include "batched/cholesky/backends.hpp"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

TALUS_DEFINE_LAUNCHERS(potrf_tables, equal_sizes<D>, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
template <>
int potrf(uplo uplo, batch<TALUS_T> A, int* info, queue q, int line) {
  if (A.n == 0) return clear_info(info, A.count, q);
  if (const int status = potrf_tables::find_line<TALUS_T>(upto(A.n), A.count, line)) return status;
  const auto launch =
      find_launcher<potrf_tables, TALUS_T, equal_sizes<D>, int*, queue, no_epilogue>(uplo, line);
  return launch({on_device(A)}, info, q, {});
}

#endif

}  // namespace talus::cuda
