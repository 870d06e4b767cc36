// Cholesky on the GPU: select a line of the table, launch its kernel.
#include "batched/cholesky/potrf.hpp"

#include "batched/cholesky/backends.hpp"
#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

TALUS_DEFINE_LAUNCHERS(potrf_tables, equal_sizes<D>, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
namespace {

launcher<equal_sizes<D>, int*, queue, no_epilogue> kernel_of(int line, uplo uplo) {
  return find_launcher<potrf_tables, TALUS_T, equal_sizes<D>, int*, queue, no_epilogue>(uplo, line);
}

}  // namespace

template <>
int potrf_at(int line, uplo uplo, batch<TALUS_T> A, int* info, queue q) {
  if (A.n == 0) return clear_info(info, A.count, q);
  return kernel_of(line, uplo)({on_device(A)}, info, q, {});
}

template <>
int potrf(uplo uplo, batch<TALUS_T> A, int* info, queue q) {
  int table = 0;
  if (A.n == 0) return clear_info(info, A.count, q);
  if (const int status = potrf_tables::find(table)) return status;
  const int line = potrf_tables::select<TALUS_T>(table, upto(A.n), A.count);
  return kernel_of(line, uplo)({on_device(A)}, info, q, {});
}

#endif

}  // namespace talus::cuda
