// Which kernel family eliminates which fronts of mixed sizes in blocks of their own on which GPU: the tables
// of getrf_partial_split_vbatched. Compiles without nvcc.
#pragma once

#include "batched/lu/getrf_partial_split.hpp"
#include "gpu/table.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cuda {
namespace lu {

struct getrf_partial_split_vbatched_routine {
  static constexpr const char* name = "getrf_partial_split_vbatched";
  static constexpr int extents = 2;
  static constexpr const char* extent_names[] = {"m", "n"};
  static constexpr pivoting forms[] = {pivoting::partial, pivoting::none};
  using kernel = getrf_partial_split_routine::kernel;

  template <class Family>
  static constexpr const char* objection(const mixed_line<getrf_partial_split_vbatched_routine>& line,
                                         const Family& family, const element& e, const gpu_limits& limits) {
    if (line.schedule != schedule::ordered && line.schedule != schedule::queued)
      return "fronts are ordered or queued";
    return family.objection(line.bounds[0], line.bounds[1], e, limits);
  }
};

inline constexpr table_entry<mixed_line<getrf_partial_split_vbatched_routine>>
    getrf_partial_split_vbatched_entries[] = {
#include "getrf_partial_split_vbatched_tables.inc"  // written by CMake, as getrf_tables.inc
};

}  // namespace lu

using getrf_partial_split_vbatched_tables =
    tables<lu::getrf_partial_split_vbatched_routine, lu::getrf_partial_split_vbatched_entries>;

}  // namespace talus::cuda
