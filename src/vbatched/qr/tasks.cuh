// ormqr, orgqr, gels and qr of mixed sizes: in order, a block per matrix, which takes one after the other.
// How one is done is batched/qr/pieces/tasks.cuh.
#pragma once

#include <algorithm>

#include "batched/qr/pieces/tasks.cuh"
#include "checks/qr.hpp"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda::householder {

/// The larger of two bounds, unless one is not known; the smaller.
inline int larger_bound(int a, int b) {
  return a == unknown_bound || b == unknown_bound ? unknown_bound : std::max(a, b);
}
inline int smaller_bound(int a, int b) {
  return a == unknown_bound || b == unknown_bound ? unknown_bound : std::min(a, b);
}

/// Of the first class; each has matrices up to twice as tall as those of the one before it.
constexpr int first_rows = 32;

/// All matrices that `check` finds legal; task_of(part) is what is done to a part of them.
template <class Check, class TaskOf>
int do_classes(Check check, int* info, queue q, TaskOf task_of) {
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int rows = std::max(1, check.bounds[0]), k = std::max(1, check.bounds[1]);
  extents<2> bounds[most_classes] = {upto(first_rows, k)};
  int classes = 1;
  for (; bounds[classes - 1][0] < rows; ++classes)
    bounds[classes] =
        upto(static_cast<int>(std::min<std::int64_t>(2LL * bounds[classes - 1][0], any_extent)), k);
  launches<Check> each(schedule::queued, check, bounds, classes, info, q);
  while (each.next()) {
    const auto A = writable(on_device(each.part.A));
    using element = std::remove_pointer_t<std::remove_const_t<std::remove_pointer_t<decltype(A.array)>>>;
    const int most = std::min(bounds[each.c][0], rows);
    const int status = launch_task<element>(either_sizes<element>{A, each.matrices}, task_of(each.part), most,
                                            std::min(k, most), each.info_of_part, q);
    if (status != 0) return status;
  }
  return each.status;
}

}  // namespace talus::cuda::householder
