// Inverses of mixed sizes on the GPU: order the matrices, and give each class to a kernel. Small ones are
// solved for, with a kernel of the table of solves.
#pragma once

#include <algorithm>

#include "batched/blas/pieces/inverse.cuh"
#include "vbatched/blas/solve.cuh"

namespace talus::cuda::blas {

/// Inverts all legal matrices A of the call into its B. plan_of(infos) returns the plan for a part of the
/// call. Tables has the lines for one size, MixedTables the classes.
template <class Tables, class MixedTables, class T, class Infos, class PlanOf>
int invert_classes(const systems_check<T, Infos>& asked, int* info, queue q, PlanOf plan_of) {
  using D = device_t<T>;
  using part = systems_check<T, Infos>;
  static_assert(are_lines_of_trsm<MixedTables, trsm_vbatched_tables, T>,
                "no table of trsm_vbatched has the kernel of a line");
  systems_check<T, Infos> check = asked;
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int largest = std::max(1, check.bounds[0]);
  int table = 0, unused = 0;
  if (const int status = find_line_of_inverse<Tables, T>(largest, 0, false, unused)) return status;
  if (const int status = MixedTables::find(table)) return status;
  const class_lines lines = classes_for<MixedTables, T>(table, upto(largest), check.A.count);
  extents<2> bounds[most_classes];
  for (int c = 0; c < lines.count; ++c) {
    const int order = MixedTables::template at<T>(lines.line[static_cast<std::size_t>(c)]).bounds[0];
    bounds[c] = upto(order, order);
  }

  launches<part> each(schedule::queued, check, bounds, lines.count, info, q);
  while (each.next()) {
    const extents<2> most_of_class = check.bounds.within(bounds[each.c]);
    const ordered_matrices<const D> A = {cuda::on_device(each.part.A), upto(most_of_class[0])};
    const mixed_systems<D> systems = {
        {A, each.matrices, false}, cuda::on_device(each.part.B), false, most_of_class, true};
    const auto plan = on_device(plan_of(each.part.infos));
    int status = 0;
    const int line_of_class = lines.line[static_cast<std::size_t>(each.c)];
    const int line =
        lines_of_trsm<MixedTables, trsm_vbatched_tables, T>[static_cast<std::size_t>(line_of_class)];
    if (line >= 0) {
      const auto launch =
          find_launcher<trsm_vbatched_tables, T, mixed_systems<D>, int*, queue, solve_plan<D>>(0, line);
      status = launch(systems, each.info_of_part, q, plan);
    } else {
      // By the class alone, so that a matrix is inverted alike whatever others there are; but in the last
      // class, whose bound may be more than any kernel takes.
      const either_systems<D> all = as_either(systems, plan).first;
      const int order = bounds[each.c][0] == any_extent ? largest : bounds[each.c][0];
      status = launch_inverse<Tables, T>(all, order, each.info_of_part, q, plan);
      if (status == err_unsupported)
        status = launch_inverse<Tables, T>(all, largest, each.info_of_part, q, plan);
    }
    if (status != 0) return status;
  }
  return each.status;
}

}  // namespace talus::cuda::blas
