// QR on the GPU: select a line of the table, launch its kernel. The kernels that are compiled once for one
// size and for mixed sizes are here, too.
#include "batched/qr/geqrf.cuh"

#include <algorithm>

#include "batched/qr/backends.hpp"
#include "gpu/dispatch.cuh"
#include "vbatched/qr/geqrf.hpp"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using only_tau = householder::factor_only<D>;

TALUS_DEFINE_LAUNCHERS(geqrf_tables, equal_sizes<D>, int*, queue, only_tau)
TALUS_DEFINE_LAUNCHERS(geqrf_either_tables, householder::either_matrices<D>, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
template <>
int geqrf(batch<TALUS_T> A, vectors<TALUS_T> tau, int* info, queue q, int line) {
  if (std::min(A.m, A.n) == 0) return clear_info(info, A.count, q);
  if (const int status = geqrf_tables::find_line<TALUS_T>(upto(A.m, A.n), A.count, line)) return status;
  const auto launch = [&](int with) {
    return find_launcher<geqrf_tables, TALUS_T, equal_sizes<D>, int*, queue, only_tau>(op::none, with)(
        {on_device(A)}, info, q, {on_device(tau)});
  };
  const int status = launch(line), last = static_cast<int>(geqrf_tables::lines<TALUS_T>.size()) - 1;
  return status == err_unsupported ? launch(last) : status;  // there is no room for a cluster
}

#endif

}  // namespace talus::cuda
