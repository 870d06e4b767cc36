// Which kernel family factors which orders of a batch of mixed sizes on which GPU: potrf_vbatched's tables,
// whose lines are potrf's with a schedule. Compiles without nvcc.
#pragma once

#include <type_traits>

#include "batch.hpp"
#include "batched/cholesky/potrf.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cuda {
namespace cholesky {

struct potrf_vbatched_routine : potrf_routine {
  static constexpr const char* name = "potrf_vbatched";

  template <class Family>
  static constexpr const char* objection(const mixed_line<potrf_vbatched_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    if (std::is_same_v<Family, blocked> != goes_by_steps(line.schedule))
      return "blocked goes step by step, greedy or lazy, and it alone";
    if (std::is_same_v<Family, tiled> &&
        (line.schedule == schedule::direct || line.schedule == schedule::filtered))
      return "tiled is ordered or queued";
    if constexpr (std::is_same_v<Family, warp>) {
      if (family.deferred_check || family.coalesced)
        return "deferred_check and coalesced are for equal sizes only";
    }
    return family.objection(line.bounds[0], e, limits);
  }
};

inline constexpr table_entry<mixed_line<potrf_vbatched_routine>> potrf_vbatched_entries[] = {
#include "potrf_vbatched_tables.inc"  // written by CMake, as potrf_tables.inc
};

}  // namespace cholesky

using potrf_vbatched_tables = tables<cholesky::potrf_vbatched_routine, cholesky::potrf_vbatched_entries>;

/// Factors all matrices by these lines (n <= bound of the last). For tests, bench and tuner.
template <class T>
int potrf_vbatched_by(const class_lines&, uplo, variable_batch<T> A, int* info, int n_max, queue q);

/// The same with one line, whichever sizes it was meant for.
template <class T>
int potrf_vbatched_at(int line, uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  const schedule how = potrf_vbatched_tables::at<T>(line).schedule;
  return potrf_vbatched_by<T>({1, {line}, how}, uplo, A, info, n_max, q);
}

/// The same with table number `table` of potrf_vbatched_tables::gpus instead of the device's own.
template <class T>
int potrf_vbatched_with(int table, uplo, variable_batch<T> A, int* info, int n_max, queue q);

/// potrf of the matrices A_b of systems; of those that posv finds illegal nothing is touched.
template <class T>
int potrf_of_systems(uplo, variable_batch<T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max,
                     queue q);

}  // namespace talus::cuda
