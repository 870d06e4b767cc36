// Which kernel family factors which fronts on which GPU: potrf_partial's tables, which serve
// potrf_partial_split, too. Compiles without nvcc.
#pragma once

#include <variant>

#include "batch.hpp"
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/families/front_smem.hpp"
#include "batched/cholesky/families/tiled.hpp"
#include "batched/cholesky/fronts.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace cholesky {

struct potrf_partial_routine {
  static constexpr const char* name = "potrf_partial";
  static constexpr int extents = 2;
  static constexpr const char* extent_names[] = {"n", "k"};
  static constexpr uplo forms[] = {uplo::lower, uplo::upper};
  using kernel = std::variant<front_smem, tiled>;

  template <class Family>
  static constexpr const char* objection(const table_line<potrf_partial_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    return family.objection(line.bounds[0], e, limits);
  }
};

inline constexpr table_entry<table_line<potrf_partial_routine>> potrf_partial_entries[] = {
#include "potrf_partial_tables.inc"  // written by CMake, as potrf_tables.inc
};

}  // namespace cholesky

using potrf_partial_tables = tables<cholesky::potrf_partial_routine, cholesky::potrf_partial_entries>;

}  // namespace talus::cuda
