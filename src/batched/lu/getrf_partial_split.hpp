// Which kernel family eliminates which fronts in blocks of their own on which GPU: the tables of
// getrf_partial_split. Compiles without nvcc.
#pragma once

#include <variant>

#include "batched/lu/backends.hpp"
#include "batched/lu/column_blocks.cuh"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace lu {

struct getrf_partial_split_routine {
  static constexpr const char* name = "getrf_partial_split";
  static constexpr int extents = 2;
  static constexpr const char* extent_names[] = {"m", "n"};
  static constexpr pivoting forms[] = {pivoting::partial, pivoting::none};
  using kernel = std::variant<column_blocks>;

  template <class Family>
  static constexpr const char* objection(const table_line<getrf_partial_split_routine>& line,
                                         const Family& family, const element& e, const gpu_limits& limits) {
    return family.objection(line.bounds[0], line.bounds[1], e, limits);
  }
};

inline constexpr table_entry<table_line<getrf_partial_split_routine>> getrf_partial_split_entries[] = {
#include "getrf_partial_split_tables.inc"  // written by CMake, as getrf_tables.inc
};

}  // namespace lu

using getrf_partial_split_tables = tables<lu::getrf_partial_split_routine, lu::getrf_partial_split_entries>;

}  // namespace talus::cuda
