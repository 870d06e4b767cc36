// Which kernel solves which systems of a batch of mixed sizes on which GPU: tables whose lines are those of
// equal sizes with a schedule. Compiles without nvcc.
#pragma once

#include "batched/blas/backends.hpp"
#include "batched/blas/trsm.hpp"
#include "gpu/table.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cuda {
namespace blas {

struct trsm_vbatched_routine : trsm_routine {
  static constexpr const char* name = "trsm_vbatched";

  template <class Family>
  static constexpr const char* objection(const mixed_line<trsm_vbatched_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    if (goes_by_steps(line.schedule)) return "no kernel that solves goes step by step";
    return family.objection(line.bounds[0], line.bounds[1], e, limits);
  }
};

inline constexpr table_entry<mixed_line<trsm_vbatched_routine>> trsm_vbatched_entries[] = {
#include "trsm_vbatched_tables.inc"  // written by CMake, as trsm_tables.inc
};

}  // namespace blas

using trsm_vbatched_tables = tables<blas::trsm_vbatched_routine, blas::trsm_vbatched_entries>;

using trsm_either_tables = either_tables<trsm_tables, trsm_vbatched_tables>;
template <>
struct either_tables_of<trsm_tables> {
  using type = trsm_either_tables;
};
template <>
struct either_tables_of<trsm_vbatched_tables> {
  using type = trsm_either_tables;
};

#ifdef TALUS_WITH_CUDA
/// Solves all systems by the given lines. n and nrhs lie within the bounds of the last line. A must be on the
/// left. For the tuner.
template <class T>
int trsm_vbatched_by(const class_lines&, triangular_system<T>, variable_batch<const T> A, variable_batch<T> B,
                     int* info, int n_max, int nrhs_max, queue q);
#endif

}  // namespace talus::cuda
