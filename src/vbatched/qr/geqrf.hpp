// Which kernel family factors which matrices of a batch of mixed sizes on which GPU: geqrf_vbatched's tables,
// whose lines are geqrf's with a schedule. Compiles without nvcc.
#pragma once

#include <type_traits>

#include "batch.hpp"
#include "batched/qr/geqrf.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cuda {
namespace householder {

struct geqrf_vbatched_routine : geqrf_routine {
  static constexpr const char* name = "geqrf_vbatched";

  template <class Family>
  static constexpr const char* objection(const mixed_line<geqrf_vbatched_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    if (goes_by_steps(line.schedule)) return "no kernel of QR goes step by step";
    if (std::is_same_v<Family, thread> || std::is_same_v<Family, cluster>)
      return "a thread, or a cluster, takes matrices of one size";
    return family.objection(line.bounds[0], line.bounds[1], e, limits);
  }
};

inline constexpr table_entry<mixed_line<geqrf_vbatched_routine>> geqrf_vbatched_entries[] = {
#include "geqrf_vbatched_tables.inc"  // written by CMake, as geqrf_tables.inc
};

}  // namespace householder

using geqrf_vbatched_tables =
    tables<householder::geqrf_vbatched_routine, householder::geqrf_vbatched_entries>;

using geqrf_either_tables = either_tables<geqrf_tables, geqrf_vbatched_tables>;
template <>
struct either_tables_of<geqrf_tables> {
  using type = geqrf_either_tables;
};
template <>
struct either_tables_of<geqrf_vbatched_tables> {
  using type = geqrf_either_tables;
};

/// Factors all matrices by these lines (sizes within the bounds of the last). For tests, bench and tuner.
template <class T>
int geqrf_vbatched_by(const class_lines&, variable_batch<T> A, vectors<T> tau, int* info, int m_max,
                      int n_max, queue q);

/// The same with one line, whichever sizes it was meant for.
template <class T>
int geqrf_vbatched_at(int line, variable_batch<T> A, vectors<T> tau, int* info, int m_max, int n_max,
                      queue q) {
  const schedule how = geqrf_vbatched_tables::at<T>(line).schedule;
  return geqrf_vbatched_by<T>({1, {line}, how}, A, tau, info, m_max, n_max, q);
}

/// The same with table number `table` of geqrf_vbatched_tables::gpus instead of the device's own.
template <class T>
int geqrf_vbatched_with(int table, variable_batch<T> A, vectors<T> tau, int* info, int m_max, int n_max,
                        queue q);

}  // namespace talus::cuda
