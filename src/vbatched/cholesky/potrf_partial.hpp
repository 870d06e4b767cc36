// Which kernel family factors which fronts of mixed sizes on which GPU: the tables of potrf_partial_vbatched,
// whose lines are potrf_partial's with a schedule. Compiles without nvcc.
#pragma once

#include "batched/cholesky/potrf_partial.hpp"
#include "gpu/table.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cuda {
namespace cholesky {

struct potrf_partial_vbatched_routine : potrf_partial_routine {
  static constexpr const char* name = "potrf_partial_vbatched";

  template <class Family>
  static constexpr const char* objection(const mixed_line<potrf_partial_vbatched_routine>& line,
                                         const Family& family, const element& e, const gpu_limits& limits) {
    if (line.schedule != schedule::ordered && line.schedule != schedule::queued)
      return "fronts are ordered or queued";
    return family.objection(line.bounds[0], e, limits);
  }
};

inline constexpr table_entry<mixed_line<potrf_partial_vbatched_routine>> potrf_partial_vbatched_entries[] = {
#include "potrf_partial_vbatched_tables.inc"  // written by CMake, as potrf_tables.inc
};

}  // namespace cholesky

using potrf_partial_vbatched_tables =
    tables<cholesky::potrf_partial_vbatched_routine, cholesky::potrf_partial_vbatched_entries>;

using potrf_partial_either_tables = either_tables<potrf_partial_tables, potrf_partial_vbatched_tables>;
template <>
struct either_tables_of<potrf_partial_tables> {
  using type = potrf_partial_either_tables;
};
template <>
struct either_tables_of<potrf_partial_vbatched_tables> {
  using type = potrf_partial_either_tables;
};

/// Factors all fronts by these lines (n and k within the bounds of the last). For tests, bench and tuner.
template <class T>
int potrf_partial_vbatched_by(const class_lines&, uplo, variable_batch<T> A, const int* k, int* info,
                              int n_max, int k_max, queue q);

}  // namespace talus::cuda
