// Which kernel family factors which matrices on which GPU: geqrf's tables. Compiles without nvcc.
#pragma once

#include <variant>

#include "batch.hpp"
#include "batched/qr/backends.hpp"
#include "batched/qr/families/blocked.hpp"
#include "batched/qr/families/cluster.hpp"
#include "batched/qr/families/thread.hpp"
#include "batched/qr/families/warp.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace householder {

struct geqrf_routine {
  static constexpr const char* name = "geqrf";
  static constexpr int extents = 2;
  static constexpr const char* extent_names[] = {"m", "n"};
  static constexpr op forms[] = {op::none};  // there is only one
  using kernel = std::variant<thread, warp, blocked, cluster>;

  template <class Family>
  static constexpr const char* objection(const table_line<geqrf_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    return family.objection(line.bounds[0], line.bounds[1], e, limits);
  }
};

inline constexpr table_entry<table_line<geqrf_routine>> geqrf_entries[] = {
#include "geqrf_tables.inc"  // written by CMake: geqrf.inc of every table of this build, generic last
};

}  // namespace householder

using geqrf_tables = tables<householder::geqrf_routine, householder::geqrf_entries>;

/// Factors with the given line of geqrf_tables, whichever sizes it was meant for (m and n within its bounds).
/// For tests, bench and tuner: every kernel that is compiled can be run.
template <class T>
int geqrf_at(int line, batch<T> A, vectors<T> tau, int* info, queue q) {
  return cuda::geqrf(A, tau, info, q, line);
}

}  // namespace talus::cuda
