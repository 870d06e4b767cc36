// Which kernel forms Q, or multiplies by Q, on which GPU: orgqr's tables, which ormqr and qr use, too.
// Compiles without nvcc.
#pragma once

#include <variant>

#include "batch.hpp"
#include "batched/qr/backends.hpp"
#include "batched/qr/families/warp.hpp"
#include "gpu/table.hpp"
#include "gpu/unfused.hpp"
#include "talus/types.hpp"

namespace talus::cuda {
namespace householder {

/// Extents: the rows and the columns of A. In ormqr A has a column for each reflector.
struct orgqr_routine {
  static constexpr const char* name = "orgqr";
  static constexpr int extents = 2;
  static constexpr const char* extent_names[] = {"m", "n"};
  static constexpr op forms[] = {op::none};  // there is only one
  using kernel = std::variant<unfused, warp>;

  template <class Family>
  static constexpr const char* objection(const table_line<orgqr_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    return family.objection(line.bounds[0], line.bounds[1], e, limits);
  }
};

inline constexpr table_entry<table_line<orgqr_routine>> orgqr_entries[] = {
#include "orgqr_tables.inc"  // written by CMake, as geqrf_tables.inc
};

}  // namespace householder

using orgqr_tables = tables<householder::orgqr_routine, householder::orgqr_entries>;

/// Forms columns of Q from k reflectors with the given line of orgqr_tables, even if the tables select another
/// line for these sizes. The sizes must lie within the bounds of the given line.
template <class T>
int orgqr_at(int line, int k, batch<T> A, vectors<const T> tau, int* info, queue q) {
  return cuda::orgqr(k, A, tau, info, q, line);
}

}  // namespace talus::cuda
