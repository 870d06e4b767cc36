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

namespace householder {

/// The line of geqrf's table by which what follows the factorization is done in registers; -1: by none. Where
/// a thread has a matrix, it is the next other one for such sizes: above, or below if there is none.
template <class T>
int find_line_in_registers(const extents<2>& extents, std::int64_t batch_count, int& line) {
  line = selected;
  if (const int status = geqrf_tables::find_line<T>(extents, batch_count, line)) return status;
  const auto is_other = [&](int l) {
    const auto& candidate = geqrf_tables::at<T>(l);
    return !std::holds_alternative<thread>(candidate.kernel) && candidate.bounds.cover(extents);
  };
  const int first = geqrf_tables::first_line<T>[geqrf_tables::table_of<T>(line)];
  int above = line;
  while (above >= first && !is_other(above)) --above;
  if (above >= first) line = above;
  while (!is_other(line)) ++line;  // the last line covers all
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
