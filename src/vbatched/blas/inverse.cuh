// Inverses of mixed sizes on the GPU: order the matrices, and give each class to a kernel. Small ones are
// solved for, with a line of the table of solves that inverts.
#pragma once

#include <algorithm>

#include "batched/blas/pieces/inverse.cuh"
#include "vbatched/blas/solve.cuh"

namespace talus::cuda::blas {

constexpr int no_line = -1;

/// All matrices that `check` finds legal, A by A into B; plan_of(infos): how, of a part of the call.
template <bool CHOLESKY, class T, class Infos, class PlanOf>
int invert_classes(const systems_check<T, Infos>& asked, int* info, queue q, PlanOf plan_of) {
  using D = device_t<T>;
  using tables = trsm_vbatched_tables;
  using part = systems_check<T, Infos>;
  systems_check<T, Infos> check = asked;
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int largest = std::max(1, check.bounds[0]);
  if (const int status = check_inverse<D>(largest)) return status;

  int table = 0;
  if (const int status = tables::find(table)) return status;
  const class_lines lines = classes_for<tables, T>(table, upto(largest, largest), check.A.count);
  extents<2> bounds[most_classes];
  int line_of[most_classes], classes = 0, most = 0;  // of the orders that have a class
  const auto add_class = [&](int order, int line) {
    most = order;
    line_of[classes] = line;
    bounds[classes++] = upto(order, order);
  };
  for (int c = 0; c < lines.count; ++c) {
    const int line = lines.line[static_cast<std::size_t>(c)];
    const auto& at = tables::template at<T>(line);
    const bool inverts = std::visit([](const auto& family) { return family.inverts; }, at.kernel);
    if (inverts && at.bounds[0] > most && at.bounds[1] >= at.bounds[0] &&
        at.bounds[0] <= inverse_policies<D, CHOLESKY>::solved_up_to)
      add_class(at.bounds[0], line);
  }
  for (int order : {32, 48, 64, 96, 128, 192, 256, 384}) {
    if (most < largest && order > most) add_class(order, no_line);
  }
  while (most < largest) add_class(2 * most, no_line);

  launches<part> each(schedule::queued, check, bounds, classes, info, q);
  while (each.next()) {
    const extents<2> most_of_class = check.bounds.within(bounds[each.c]);
    const ordered_matrices<const D> A = {cuda::on_device(each.part.A), upto(most_of_class[0])};
    const mixed_systems<D> systems = {
        {A, each.matrices, false}, cuda::on_device(each.part.B), false, most_of_class, true};
    const auto plan = on_device(plan_of(each.part.infos));
    int status = 0;
    if (const int line = line_of[each.c]; line != no_line) {
      const auto launch = find_launcher<tables, T, mixed_systems<D>, int*, queue, solve_plan<D>>(0, line);
      status = launch(systems, each.info_of_part, q, plan);
    } else {
      // By the class alone, so that a matrix is inverted alike whatever others there are; but in the last
      // class, whose bound may be more than any kernel takes.
      const either_systems<D> all = as_either(systems, plan).first;
      status = launch_inverse<CHOLESKY>(all, bounds[each.c][0], each.info_of_part, q, plan);
      if (status == err_unsupported)
        status = launch_inverse<CHOLESKY>(all, largest, each.info_of_part, q, plan);
    }
    if (status != 0) return status;
  }
  return each.status;
}

}  // namespace talus::cuda::blas
