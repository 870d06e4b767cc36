// Which kernel family factors and solves which systems on which GPU: posv's tables. Compiles without nvcc.
#pragma once

#include <variant>

#include "batch.hpp"
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/families/smem.hpp"
#include "batched/cholesky/families/warp.hpp"
#include "gpu/table.hpp"
#include "gpu/unfused.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace cholesky {

/// What posv asks a family that factors to do next: solve with the factor, for all columns of B.
template <class T>
struct then_solve {
  batch<T> B;
};

struct posv_routine {
  static constexpr const char* name = "posv";
  static constexpr int extents = 2;
  static constexpr const char* extent_names[] = {"n", "nrhs"};
  static constexpr uplo forms[] = {uplo::lower, uplo::upper};
  using kernel = std::variant<unfused, warp, smem>;

  template <class Family>
  static constexpr const char* objection(const table_line<posv_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    return family.objection(line.bounds[0], e, limits, true);
  }
};

inline constexpr table_entry<table_line<posv_routine>> posv_entries[] = {
#include "posv_tables.inc"  // written by CMake, as potrf_tables.inc
};

}  // namespace cholesky

using posv_tables = tables<cholesky::posv_routine, cholesky::posv_entries>;

/// Factors and solves with the given line of posv_tables, whichever n it was meant for (n within its bounds).
template <class T>
int posv_at(int line, uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  return cuda::posv(uplo, A, B, info, q, line);
}

}  // namespace talus::cuda
