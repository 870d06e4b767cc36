// Which kernel family eliminates which fronts in four blocks on which GPU: the tables of getrf_partial_split,
// for fronts of one size and of mixed sizes. Compiles without nvcc.
#pragma once

#include <type_traits>
#include <variant>

#include "batched/lu/backends.hpp"
#include "batched/lu/families/front_strips.hpp"
#include "batched/lu/families/smem_front.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cuda {
namespace lu {

struct getrf_partial_split_routine {
  static constexpr const char* name = "getrf_partial_split";
  static constexpr int extents = 3;
  static constexpr const char* extent_names[] = {"m", "n", "k"};
  static constexpr int forms[] = {0};
  using kernel = std::variant<smem_front, front_strips>;

  template <class Family>
  static constexpr const char* objection(const mixed_line<getrf_partial_split_routine>& line,
                                         const Family& family, const element& e, const gpu_limits& limits) {
    if (line.schedule == schedule::ordered || goes_by_steps(line.schedule))
      return "fronts are direct, filtered or queued";
    if (line.schedule != schedule::queued && !Family::factors_pivot_blocks)
      return "other kernels factor the pivot blocks, in an order";
    return family.objection(line.bounds[0], line.bounds[1], line.bounds[2], e, limits);
  }
};

inline constexpr table_entry<mixed_line<getrf_partial_split_routine>> getrf_partial_split_entries[] = {
#include "getrf_partial_split_tables.inc"  // written by CMake, as getrf_tables.inc
};

}  // namespace lu

using getrf_partial_split_tables = tables<lu::getrf_partial_split_routine, lu::getrf_partial_split_entries>;

/// Whether the kernel of a line factors the pivot blocks of its fronts. Otherwise they are factored before.
template <class Line>
constexpr bool factors_pivot_blocks(const Line& line) {
  return std::visit([](const auto& kernel) { return std::decay_t<decltype(kernel)>::factors_pivot_blocks; },
                    line.kernel);
}

}  // namespace talus::cuda
