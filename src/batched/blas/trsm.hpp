// Solves with one or two triangles: what trsm, potrs and getrs call, and the tables that choose their
// kernels. Compiles without nvcc.
#pragma once

#include <variant>

#include "batch.hpp"
#include "batched/blas/families/columns.hpp"
#include "batched/blas/families/resident.hpp"
#include "batched/blas/families/row_tiles.hpp"
#include "batched/blas/families/rows.hpp"
#include "batched/blas/families/strips.hpp"
#include "batched/blas/families/warp.hpp"
#include "batched/blas/solve_plan.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace blas {

struct trsm_routine {
  static constexpr const char* name = "trsm";
  static constexpr int extents = 2;
  static constexpr const char* extent_names[] = {"n", "nrhs"};
  static constexpr int forms[] = {0};  // one kernel serves every plan
  using kernel = std::variant<warp, columns, rows, row_tiles, resident, strips>;

  template <class Family>
  static constexpr const char* objection(const table_line<trsm_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    return family.objection(line.bounds[0], line.bounds[1], e, limits);
  }
};

inline constexpr table_entry<table_line<trsm_routine>> trsm_entries[] = {
#include "trsm_tables.inc"  // written by CMake: trsm.inc of every table of this build, generic last
};

/// Solves all systems of a batch. A is square; the right-hand sides are the columns of B, or its rows.
template <class T>
int solve(const solve_plan<T>& plan, batch<const T> A, batch<T> B, int* info, queue q, int line = selected);

}  // namespace blas

using trsm_tables = tables<blas::trsm_routine, blas::trsm_entries>;

}  // namespace talus::cuda
