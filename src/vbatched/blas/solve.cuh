// Solves with triangles of mixed sizes on the GPU: order the systems, and give each class to the kernel of
// its line of the table.
#pragma once

#include "batched/blas/pieces/triangle.cuh"
#include "vbatched/blas/systems.cuh"
#include "vbatched/blas/trsm.hpp"
#include "vbatched/dispatch.cuh"

namespace talus::cuda::blas {

/// Returns the classes that a call needs. A class is left out if an earlier class covers it. In a call with
/// many right-hand sides, a class for few right-hand sides is left out, too: a later class takes its systems.
template <class Tables, class T>
class_lines needed_lines(const class_lines& by, const typename Tables::box& bounds) {
  constexpr int few = 8, many = 64;
  const auto box_of = [&](int c) {
    return Tables::template at<T>(by.line[static_cast<std::size_t>(c)]).bounds.within(bounds);
  };
  class_lines needed = {0, {}, by.how};
  for (int c = 0; c < by.count; ++c) {
    bool is_needed = c + 1 == by.count || bounds[1] < many || box_of(c)[1] > few;
    for (int before = 0; before < c; ++before) is_needed = is_needed && !box_of(before).cover(box_of(c));
    if (is_needed)
      needed.line[static_cast<std::size_t>(needed.count++)] = by.line[static_cast<std::size_t>(c)];
  }
  return needed;
}

/// Solves all systems that are legal by `check`, by the lines that lines_of(bounds) returns. plan_of(infos)
/// returns the plan for a part of the call.
template <class T, class Infos, class PlanOf, class Lines>
int solve_classes(const systems_check<T, Infos>& check, int* info, queue q, PlanOf plan_of, Lines lines_of) {
  using D = device_t<T>;
  using tables = trsm_vbatched_tables;
  using part = systems_check<T, Infos>;
  return launch_classes<tables, T>(
      0, check, info, q, lines_of,
      [](const part& p, const subset& matrices, bool) {
        const ordered_matrices<const D> A = {cuda::on_device(p.A), upto(p.bounds[0])};
        return mixed_systems<D>{{A, matrices, false}, cuda::on_device(p.B), p.sides_are_rows, p.bounds};
      },
      [&](const part& p) { return on_device(plan_of(p.infos)); });
}

template <class T, class Infos, class PlanOf>
int solve_classes(const systems_check<T, Infos>& check, int* info, queue q, PlanOf plan_of) {
  using tables = trsm_vbatched_tables;
  int table = 0;
  if (const int status = tables::find(table)) return status;
  return solve_classes(check, info, q, plan_of, [&](const tables::box& bounds) {
    return needed_lines<tables, T>(lines_for<tables, T>(table, bounds, check.A.count), bounds);
  });
}

}  // namespace talus::cuda::blas
