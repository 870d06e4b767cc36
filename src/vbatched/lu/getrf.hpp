// Which kernel family factors which matrices of a batch of mixed sizes on which GPU: getrf_vbatched's tables,
// whose lines are getrf's with a schedule. Compiles without nvcc.
#pragma once

#include <type_traits>

#include "batch.hpp"
#include "batched/lu/getrf.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cuda {
namespace lu {

struct getrf_vbatched_routine : getrf_routine {
  static constexpr const char* name = "getrf_vbatched";

  template <class Family>
  static constexpr const char* objection(const mixed_line<getrf_vbatched_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    if (std::is_same_v<Family, blocked> != goes_by_steps(line.schedule))
      return "blocked goes step by step, and it alone";
    if (line.schedule == schedule::lazy) return "blocked is greedy";
    if (std::is_same_v<Family, column_blocks> && line.schedule == schedule::filtered)
      return "column_blocks takes matrices in order";
    return family.objection(line.bounds[0], line.bounds[1], e, limits);
  }
};

inline constexpr table_entry<mixed_line<getrf_vbatched_routine>> getrf_vbatched_entries[] = {
#include "getrf_vbatched_tables.inc"  // written by CMake, as getrf_tables.inc
};

}  // namespace lu

using getrf_vbatched_tables = tables<lu::getrf_vbatched_routine, lu::getrf_vbatched_entries>;

using getrf_either_tables = either_tables<getrf_tables, getrf_vbatched_tables>;
template <>
struct either_tables_of<getrf_tables> {
  using type = getrf_either_tables;
};
template <>
struct either_tables_of<getrf_vbatched_tables> {
  using type = getrf_either_tables;
};

/// Factors all matrices by these lines (sizes within the bounds of the last). For tests, bench and tuner.
template <class T>
int getrf_vbatched_by(const class_lines&, pivoting, variable_batch<T> A, eliminations<real_type<T>>,
                      int* info, int m_max, int n_max, queue q);

/// The same with one line, whichever sizes it was meant for.
template <class T>
int getrf_vbatched_at(int line, pivoting how, variable_batch<T> A, eliminations<real_type<T>> each, int* info,
                      int m_max, int n_max, queue q) {
  const schedule alone = getrf_vbatched_tables::at<T>(line).schedule;
  return getrf_vbatched_by<T>({1, {line}, alone}, how, A, each, info, m_max, n_max, q);
}

/// The same with table number `table` of getrf_vbatched_tables::gpus instead of the device's own.
template <class T>
int getrf_vbatched_with(int table, pivoting, variable_batch<T> A, eliminations<real_type<T>>, int* info,
                        int m_max, int n_max, queue q);

/// getrf of the matrices A_b of systems; of those that gesv finds illegal nothing is touched.
template <class T>
int getrf_of_systems(variable_batch<T> A, vectors<int> ipiv, variable_batch<T> B, int* info, int n_max,
                     int nrhs_max, queue q);

}  // namespace talus::cuda
