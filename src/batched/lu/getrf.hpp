// Which kernel family factors which matrices on which GPU: getrf's tables. Compiles without nvcc.
#pragma once

#include <variant>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/families/blocked.hpp"
#include "batched/lu/families/column_blocks.hpp"
#include "batched/lu/families/left.hpp"
#include "batched/lu/families/smem.hpp"
#include "batched/lu/families/warp.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace lu {

struct getrf_routine {
  static constexpr const char* name = "getrf";
  static constexpr int extents = 2;
  static constexpr const char* extent_names[] = {"m", "n"};
  static constexpr int forms[] = {0};  // `exchanges` says whether rows are exchanged
  using kernel = std::variant<warp, smem, left, blocked, column_blocks>;

  template <class Family>
  static constexpr const char* objection(const table_line<getrf_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    return family.objection(line.bounds[0], line.bounds[1], e, limits);
  }
};

inline constexpr table_entry<table_line<getrf_routine>> getrf_entries[] = {
#include "getrf_tables.inc"  // written by CMake: getrf.inc of every table of this build, generic last
};

}  // namespace lu

using getrf_tables = tables<lu::getrf_routine, lu::getrf_entries>;

/// Factors with the given line of getrf_tables, whichever sizes it was meant for (m and n within its bounds).
/// For tests, bench and tuner: every kernel that is compiled can be run.
template <class T>
int getrf_at(int line, pivoting how, batch<T> A, const eliminations<real_type<T>>& each, int* info, queue q) {
  return cuda::getrf(how, A, each, info, q, line);
}

}  // namespace talus::cuda
