// Which kernel family factors which matrices on which GPU: geqrf's tables. Compiles without nvcc.
#pragma once

#include <variant>

#include "batch.hpp"
#include "batched/qr/backends.hpp"
#include "batched/qr/blocked.cuh"
#include "batched/qr/cluster.cuh"
#include "batched/qr/thread.cuh"
#include "batched/qr/warp.cuh"
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

/// A line of `thread` stands below one of `warp` for the same sizes in smaller batches.
constexpr bool threads_follow_warps() {
  const table_line<geqrf_routine>* above = nullptr;
  for (const auto& entry : geqrf_entries) {
    const auto& line = entry.line;
    if (std::holds_alternative<thread>(line.kernel) && line.precision != 0 &&
        (above == nullptr || !std::holds_alternative<warp>(above->kernel) ||
         above->precision != line.precision || !above->bounds.cover(line.bounds)))
      return false;
    above = &line;
  }
  return true;
}
static_assert(threads_follow_warps(), "a line of `thread` without one of `warp` above it");

}  // namespace householder

using geqrf_tables = tables<householder::geqrf_routine, householder::geqrf_entries>;

namespace householder {

/// The line of geqrf's table by which what follows the factorization is done in registers; -1: by none. Where a
/// thread has a matrix, it is the one above that.
template <class T>
int find_line_in_registers(const extents<2>& extents, std::int64_t batch_count, int& line) {
  line = selected;
  if (const int status = geqrf_tables::find_line<T>(extents, batch_count, line)) return status;
  if (std::holds_alternative<thread>(geqrf_tables::at<T>(line).kernel)) --line;
  if (!std::holds_alternative<warp>(geqrf_tables::at<T>(line).kernel)) line = -1;
  return 0;
}

}  // namespace householder

/// Factors with the given line of geqrf_tables, whichever sizes it was meant for (m and n within its bounds).
/// For tests, bench and tuner: every kernel that is compiled can be run.
template <class T>
int geqrf_at(int line, batch<T> A, vectors<T> tau, int* info, queue q) {
  return cuda::geqrf(A, tau, info, q, line);
}

}  // namespace talus::cuda
