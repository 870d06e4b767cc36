// Solves with triangles of mixed sizes on the GPU: order the systems, and give each class to the kernel of
// its line of the table.
#pragma once

#include "batched/blas/triangle.cuh"
#include "vbatched/blas/systems.cuh"
#include "vbatched/blas/trsm.hpp"
#include "vbatched/dispatch.cuh"

namespace talus::cuda::blas {

/// All systems that `check` finds legal; plan_of(infos): how, of a part of the call.
template <class T, class Infos, class PlanOf>
int solve_classes(const systems_check<T, Infos>& check, int* info, queue q, PlanOf plan_of) {
  using D = device_t<T>;
  using tables = trsm_vbatched_tables;
  using part = systems_check<T, Infos>;
  int table = 0;
  if (const int status = tables::find(table)) return status;
  return launch_classes<tables, T>(
      0, check, info, q, lines_of_table<tables, T>(table, check.A.count),
      [](const part& p, const subset& matrices, bool) {
        const ordered_matrices<const D> A = {cuda::on_device(p.A), upto(p.bounds[0])};
        return mixed_systems<D>{{A, matrices, false}, cuda::on_device(p.B), p.sides_are_rows, p.bounds};
      },
      [&](const part& p) { return on_device(plan_of(p.infos)); });
}

}  // namespace talus::cuda::blas
