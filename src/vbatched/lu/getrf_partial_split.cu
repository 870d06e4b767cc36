// Partial LU of fronts in four blocks on the GPU. One kernel eliminates a small front. For a large front,
// getrf factors the pivot block A11, and the kernels of front_strips do the rest.
#include "vbatched/lu/getrf_partial_split.cuh"

#include <algorithm>

#include "batched/lu/backends.hpp"
#include "checks/lu.hpp"
#include "vbatched/dispatch.cuh"
#include "vbatched/lu/getrf.hpp"
#include "vbatched/lu/split_fronts.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using R = real_type<TALUS_T>;
using split_tables = getrf_partial_split_tables;

TALUS_DEFINE_LAUNCHERS(getrf_partial_split_tables, lu::split_fronts<D>, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
namespace {

template <class Batch>
lu_fronts<lu::block_of_fronts<D>> on_device(const lu_fronts<Batch>& A) {
  return {cuda::on_device(A.A11), cuda::on_device(A.A12), cuda::on_device(A.A21), cuda::on_device(A.A22)};
}

/// The arguments of the fronts from `first` on.
batch<TALUS_T> from(batch<TALUS_T> A, std::int64_t first) {
  if (A.array != nullptr) A.array += first;
  if (A.slab != nullptr) A.slab += first * A.stride;
  return A;
}
eliminations<R> from(const eliminations<R>& each, std::int64_t first) {
  eliminations<R> rest = each.part(first);
  rest.ipiv = part_of(each.ipiv, first);
  return rest;
}

/// The classes of a call with fronts of mixed sizes: small fronts by lines of this routine, which eliminate
/// the whole front; then the other fronts by getrf's lines for their pivot blocks.
struct split_classes {
  schedule how = schedule::queued;
  int count = 0, small = 0;
  int line[most_classes] = {};
  extents<3> bounds[most_classes] = {};
  int rest = selected;  // the line that completes the other fronts

  void add(int number, const extents<3>& box) {
    line[count] = number;
    bounds[count++] = box;
  }
};

split_classes classes_of(int table, int table_of_getrf, const extents<3>& most, std::int64_t batch_count) {
  split_classes all;
  const class_lines fronts = lines_for<split_tables, TALUS_T>(table, most, batch_count);
  all.how = fronts.how;
  for (int c = 0; c < fronts.count; ++c) {
    const int number = fronts.line[static_cast<std::size_t>(c)];
    const auto& line = split_tables::at<TALUS_T>(number);
    if (factors_pivot_blocks(line)) {
      all.add(number, line.bounds);
    } else {
      all.rest = number;
    }
  }
  all.small = all.count;
  if (all.rest == selected) return all;
  const class_lines pivots =
      lines_for<getrf_vbatched_tables, TALUS_T>(table_of_getrf, upto(most[2], most[2]), batch_count);
  for (int c = 0; c < pivots.count; ++c) {
    const int number = pivots.line[static_cast<std::size_t>(c)];
    const auto& box = getrf_vbatched_tables::at<TALUS_T>(number).bounds;
    const int k = std::min(box[0], box[1]);
    // Fronts that are not small and have few pivots are rarely many: orders up to 16, and up to 32, share a
    // kernel.
    if (k < 32 && k != 16 && c + 1 < pivots.count) continue;
    all.add(number, upto(any_extent, any_extent, k));
  }
  return all;
}

}  // namespace

template <>
int getrf_partial_split(pivoting how, form form, schur schur, lu_fronts<batch<TALUS_T>> A,
                        eliminations<R> each, int* info, queue q, int line) {
  const int k = A.A11.n, m = k + A.A21.m, n = k + A.A12.n;
  each.exchanges = how == pivoting::partial;
  const std::int64_t count = A.A11.count;
  const bool is_empty = m == 0 || n == 0;
  if (q.work != nullptr && !is_empty && q.work_bytes < lu_work_bytes(count)) return err_work;
  if (k == 0) {
    if (const int status = clear_info(each.replaced, count, q)) return status;
    if (const int status = clear_info(info, count, q)) return status;
    if (is_empty || schur == schur::subtract) return 0;
  }
  if (const int status = split_tables::find_line<TALUS_T>(upto(m, n, k), count, line)) return status;
  if (k > 0 && !factors_pivot_blocks(split_tables::at<TALUS_T>(line))) {
    if (const int status = getrf(how, A.A11, each, info, q, selected)) return status;
  }
  const auto launch =
      find_launcher<split_tables, TALUS_T, lu::split_fronts<D>, int*, queue, no_epilogue>(0, line);
  for (std::int64_t first = 0; first < count; first += schedule_most) {
    const lu_fronts<batch<TALUS_T>> some = {from(A.A11, first), from(A.A12, first), from(A.A21, first),
                                            from(A.A22, first)};
    const subset s = {nullptr, nullptr, static_cast<int>(std::min(schedule_most, count - first)), false};
    if (const int status = launch({on_device(some), from(each, first), {form, schur}, s, upto(m, n, k)},
                                  info + first, q, {}))
      return status;
  }
  return 0;
}

template <>
int getrf_partial_split(pivoting how, form form, schur schur, lu_fronts<variable_batch<TALUS_T>> A,
                        eliminations<R> each, int* info, int k_max, int m2_max, int n2_max, queue q) {
  using check = lu::split_check<TALUS_T, R>;
  const std::int64_t count = A.A11.count;
  int table = 0, table_of_getrf = 0;
  each.exchanges = how == pivoting::partial;
  if (q.work != nullptr && q.work_bytes < mixed_lu_work_bytes(count)) return err_work;
  if (const int status = check_work(q, count)) return status;
  if (const int status = split_tables::find(table)) return status;
  if (const int status = getrf_vbatched_tables::find(table_of_getrf)) return status;
  check fronts(A, each, how, form, schur, {k_max, m2_max, n2_max});
  if (const int status = find_bounds(fronts, q)) return status;
  if (const int status = clear_info(each.replaced, count, q)) return status;
  const split_classes by = classes_of(table, table_of_getrf, fronts.bounds, count);
  if (by.rest != selected) {  // no kernel of getrf writes info of a front without pivots
    if (const int status = clear_info(info, count, q)) return status;
  }
  launches<check> part(by.how, fronts, by.bounds, by.count, info, q);
  while (part.next()) {
    const extents<3> most = fronts.bounds.within(by.bounds[part.c]);
    const lu_fronts<variable_batch<TALUS_T>> blocks = part.part.A;
    const auto launch = [&](int line, const subset& s, const extents<3>& bounds) {
      using source = lu::split_fronts<D>;
      return find_launcher<split_tables, TALUS_T, source, int*, queue, no_epilogue>(0, line)(
          source{on_device(blocks),
                 part.part.each,
                 {form, schur},
                 s,
                 bounds,
                 s.order == nullptr,
                 how,
                 fronts.promised},
          part.info_of_part, q, {});
    };
    if (part.c < by.small) {
      if (const int status = launch(by.line[part.c], part.matrices, most)) return status;
    } else {
      using source = mixed_sizes<lu::matrix_check<D, R>>;
      const auto factor =
          find_launcher<getrf_vbatched_tables, TALUS_T, source, int*, queue, no_epilogue>(0, by.line[part.c]);
      const lu::matrix_check<D, R> pivot_blocks = {cuda::on_device(blocks.A11), part.part.each, how,
                                                   upto(most[2], most[2]), unknown_bound};
      if (const int status = factor(source{pivot_blocks, part.matrices, false}, part.info_of_part, q, {}))
        return status;
    }
    if (part.c == 0 && by.rest != selected) {
      subset others = part.matrices;  // the order begins with them
      others.range += by.small;
      others.waits = true;
      if (const int status = launch(by.rest, others, fronts.bounds)) return status;
    }
  }
  return part.status;
}

#endif

}  // namespace talus::cuda
