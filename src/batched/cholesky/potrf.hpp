// Which kernel family factors which order on which GPU: potrf's tables. Compiles without nvcc.
#pragma once

#include <variant>

#include "batch.hpp"
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/families/blocked.hpp"
#include "batched/cholesky/families/smem.hpp"
#include "batched/cholesky/families/smem_lookahead.hpp"
#include "batched/cholesky/families/tiled.hpp"
#include "batched/cholesky/families/warp.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace cholesky {

struct potrf_routine {
  static constexpr const char* name = "potrf";
  static constexpr int extents = 1;
  static constexpr const char* extent_names[] = {"n"};
  static constexpr uplo forms[] = {uplo::lower, uplo::upper};
  using kernel = std::variant<warp, smem, smem_lookahead, blocked, tiled>;

  template <class Family>
  static constexpr const char* objection(const table_line<potrf_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    return family.objection(line.bounds[0], e, limits);
  }
};

inline constexpr table_entry<table_line<potrf_routine>> potrf_entries[] = {
// Written by CMake: includes potrf.inc of every table of this build, the generic table last.
#include "potrf_tables.inc"
};

}  // namespace cholesky

using potrf_tables = tables<cholesky::potrf_routine, cholesky::potrf_entries>;

/// Factors with the given line of potrf_tables, whichever n it was meant for (n within its bounds). For
/// tests, bench and tuner: every kernel that is compiled can be run.
template <class T>
int potrf_at(int line, uplo uplo, batch<T> A, int* info, queue q) {
  return cuda::potrf(uplo, A, info, q, line);
}

}  // namespace talus::cuda
