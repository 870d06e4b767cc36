// Partial LU of fronts of mixed sizes in blocks of their own on the GPU: order them, and give each class to
// the kernel of its line of the table.
#include "vbatched/lu/getrf_partial_split.hpp"

#include "batched/lu/backends.hpp"
#include "vbatched/dispatch.cuh"
#include "vbatched/lu/check.hpp"
#include "vbatched/lu/fronts.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using R = real_type<TALUS_T>;
using fronts = lu::split_check<TALUS_T, R>;

TALUS_DEFINE_LAUNCHERS(getrf_partial_split_vbatched_tables, mixed_sizes<lu::split_check<D, R>>, int*, queue,
                       no_epilogue)

#if TALUS_SHARD == 0
namespace lu {

/// What kernels take their fronts from.
static split_check<D, R> on_device(const fronts& check) {
  return {lu_fronts<variable_batch<D>>{cuda::on_device(check.A.A11), cuda::on_device(check.A.A12),
                                       cuda::on_device(check.A.A21), cuda::on_device(check.A.A22)},
          check.each,
          check.how,
          check.form,
          check.schur,
          check.promised,
          check.bounds};
}

}  // namespace lu

using mixed_tables = getrf_partial_split_vbatched_tables;

template <>
int getrf_partial_split(pivoting how, form form, schur schur, lu_fronts<variable_batch<TALUS_T>> A,
                        eliminations<R> each, int* info, int k_max, int m2_max, int n2_max, queue q) {
  int table = 0;
  const std::int64_t count = A.A11.count;
  if (q.work != nullptr && q.work_bytes < mixed_lu_work_bytes(count)) return err_work;
  if (const int status = mixed_tables::find(table)) return status;
  if (const int status = each.replaced != nullptr ? clear_info(each.replaced, count, q) : 0) return status;
  return launch_classes<mixed_tables, TALUS_T>(how,
                                               fronts(A, each, how, form, schur, {k_max, m2_max, n2_max}),
                                               info, q, lines_of_table<mixed_tables, TALUS_T>(table, count));
}

#endif

}  // namespace talus::cuda
