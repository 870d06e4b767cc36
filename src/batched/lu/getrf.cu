// LU on the GPU: select a line of the table, launch its kernel. The kernels that are compiled once for one
// size and for mixed sizes are here, too.
#include "batched/lu/getrf.cuh"

#include "batched/lu/backends.hpp"
#include "gpu/dispatch.cuh"
#include "vbatched/lu/getrf.hpp"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using R = real_type<TALUS_T>;

TALUS_DEFINE_LAUNCHERS(getrf_tables, equal_sizes<D>, int*, queue, lu::factor_only<R>)
TALUS_DEFINE_LAUNCHERS(getrf_either_tables, lu::either_matrices<D>, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
template <>
int getrf(pivoting how, batch<TALUS_T> A, eliminations<R> each, int* info, queue q, int line) {
  if (each.of(0, A.m, A.n).columns == 0) {
    if (const int status = each.replaced != nullptr ? clear_info(each.replaced, A.count, q) : 0)
      return status;
    return clear_info(info, A.count, q);
  }
  each.exchanges = how == pivoting::partial;
  if (const int status = getrf_tables::find_line<TALUS_T>(upto(A.m, A.n), A.count, line)) return status;
  const auto launch =
      find_launcher<getrf_tables, TALUS_T, equal_sizes<D>, int*, queue, lu::factor_only<R>>(0, line);
  return launch({on_device(A)}, info, q, {each});
}

#endif

}  // namespace talus::cuda
