// Partial LU of fronts in blocks of their own on the GPU: select a line of the table, launch its kernel.
#include "batched/lu/getrf_partial_split.hpp"

#include "gpu/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using R = real_type<TALUS_T>;

TALUS_DEFINE_LAUNCHERS(getrf_partial_split_tables, lu::split_fronts<D>, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
template <>
int getrf_partial_split(pivoting how, form form, schur schur, lu_fronts<batch<TALUS_T>> A,
                        eliminations<R> each, int* info, queue q, int line) {
  const int k = A.A11.n, m = k + A.A21.m, n = k + A.A12.n;
  const std::int64_t count = A.A11.count;
  const bool is_empty = m == 0 || n == 0;
  if (q.work != nullptr && !is_empty && q.work_bytes < lu_work_bytes(count)) return err_work;
  if (is_empty || (k == 0 && schur == schur::subtract)) {
    if (const int status = each.replaced != nullptr ? clear_info(each.replaced, count, q) : 0) return status;
    return clear_info(info, count, q);
  }
  if (const int status = getrf_partial_split_tables::find_line<TALUS_T>(upto(m, n), count, line))
    return status;
  const auto launch =
      find_launcher<getrf_partial_split_tables, TALUS_T, lu::split_fronts<D>, int*, queue, no_epilogue>(how,
                                                                                                        line);
  return launch(
      {{on_device(A.A11), on_device(A.A12), on_device(A.A21), on_device(A.A22)}, each, {form, schur}, 0, 0},
      info, q, {});
}

#endif

}  // namespace talus::cuda
