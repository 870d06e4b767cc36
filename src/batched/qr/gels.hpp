// Which kernel solves which least squares problems on which GPU: gels' tables. Compiles without nvcc.
#pragma once

#include <type_traits>
#include <variant>

#include "batch.hpp"
#include "batched/qr/backends.hpp"
#include "batched/qr/families/warp.hpp"
#include "gpu/table.hpp"
#include "gpu/unfused.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace householder {

struct gels_routine {
  static constexpr const char* name = "gels";
  static constexpr int extents = 3;
  static constexpr const char* extent_names[] = {"m", "n", "nrhs"};
  static constexpr op forms[] = {op::none};  // unfused if A is transposed or m < n
  using kernel = std::variant<unfused, warp>;

  /// `warp` processes the right-hand sides as further columns of A.
  template <class Family>
  static constexpr const char* objection(const table_line<gels_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    const int m = line.bounds[0], n = line.bounds[1], nrhs = line.bounds[2];
    constexpr bool is_beside = std::is_same_v<Family, warp>;
    if (is_beside && nrhs > any_extent - n) return "nrhs is not bounded";
    return family.objection(m, is_beside ? n + nrhs : n, e, limits);
  }
};

inline constexpr table_entry<table_line<gels_routine>> gels_entries[] = {
#include "gels_tables.inc"  // written by CMake, as geqrf_tables.inc
};

}  // namespace householder

using gels_tables = tables<householder::gels_routine, householder::gels_entries>;

/// Solves least squares problems (m >= n) with the given line of gels_tables, even if the tables select
/// another line for these sizes. The sizes must lie within the bounds of the given line.
template <class T>
int gels_at(int line, batch<T> A, batch<T> B, int* info, queue q) {
  return cuda::gels(op::none, A, B, info, q, line);
}

}  // namespace talus::cuda
