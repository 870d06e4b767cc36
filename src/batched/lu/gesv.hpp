// Which kernel family factors and solves which systems on which GPU: gesv's tables. Compiles without nvcc.
#pragma once

#include <variant>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/families/smem.hpp"
#include "batched/lu/families/warp.hpp"
#include "gpu/table.hpp"
#include "gpu/unfused.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace lu {

/// What gesv asks a family that factors to do next: solve with the factors, for all columns of B.
template <class T, class R>
struct then_solve {
  eliminations<R> each;
  batch<T> B;
};

struct gesv_routine {
  static constexpr const char* name = "gesv";
  static constexpr int extents = 2;
  static constexpr const char* extent_names[] = {"n", "nrhs"};
  static constexpr int forms[] = {0};
  using kernel = std::variant<unfused, warp, smem>;

  /// In shared memory right-hand sides are columns beside those of the matrix.
  template <class Family>
  static constexpr const char* objection(const table_line<gesv_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    const int n = line.bounds[0], nrhs = line.bounds[1];
    constexpr bool beside = std::is_same_v<Family, smem>;
    if (beside && nrhs > any_extent - n) return "nrhs is not bounded";
    return family.objection(n, beside ? n + nrhs : n, e, limits);
  }
};

inline constexpr table_entry<table_line<gesv_routine>> gesv_entries[] = {
#include "gesv_tables.inc"  // written by CMake, as getrf_tables.inc
};

}  // namespace lu

using gesv_tables = tables<lu::gesv_routine, lu::gesv_entries>;

/// Factors and solves with the given line of gesv_tables, whichever sizes it was meant for (within its
/// bounds).
template <class T>
int gesv_at(int line, batch<T> A, vectors<int> ipiv, batch<T> B, int* info, queue q) {
  return cuda::gesv(A, ipiv, B, info, q, line);
}

}  // namespace talus::cuda
