// Which kernel factors and solves which size on which GPU: posv's tables, whose lines are potrf's. Compiles
// without nvcc.
#pragma once

#include "batch.hpp"
#include "batched/potrf_table.hpp"
#include "batched/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {

/// Why no kernel of posv serves this line; null if one does: those of potrf that solve, too, and potrf, then
/// potrs.
constexpr const char* posv_objection(const potrf_line& line, std::size_t element_size,
                                     const gpu_limits& limits) {
  if (line.family == potrf_family::apart) {
    if (line.n_max < 1) return "n_max is below 1";
    if (line.batch_max < 1) return "batch_max is below 1";
    if (line.ib != 0 || line.nb != 0 || line.tbc != 0 || line.threads != 0 || line.rows != 0)
      return "apart takes what potrf's table says, so its columns are 0";
    return nullptr;
  }
  if (const char* const objection = potrf_objection(line, element_size, limits)) return objection;
  if (line.n_max > posv_at_once) return "n_max is above 64";
  const bool keeps = potrf_smem_keeps(element_size, line.rows);
  int elements = 0;
  switch (line.family) {
    case potrf_family::thread:
      if (line.threads > 32) return "matrices of more than a warp are not solved with";
      return nullptr;
    case potrf_family::warp:
    case potrf_family::warp_late:
    case potrf_family::warp_lines:
      elements = potrf_warp_block_elements(line, element_size, true);
      if (line.threads * line.rows * element_size % 16 != 0)
        return "threads * rows is no multiple of 16 bytes, where the columns of a factor begin";
      break;
    case potrf_family::smem:
      if (line.threads != 32) return "matrices of more than a warp are not solved with";
      if (line.n_max > 16 * line.rows) return "the warp has fewer tiles of 16 rows than n_max takes";
      elements = potrf_smem_elements(line.n_max, 32, potrf_smem_below((line.n_max + 15) / 16, true, keeps), 2,
                                     keeps);
      break;
    default:
      return "does not solve";
  }
  if (static_cast<std::size_t>(elements) * element_size > limits.shared_bytes)
    return "a block needs more shared memory than the GPU has";
  return nullptr;
}

inline constexpr table_entry<potrf_line> posv_entries[] = {
#include "posv_tables.inc"  // written by CMake, as potrf_tables.inc
};
using posv_tables = tables<posv_entries>;

/// Factors and solves with the given line of posv_tables, whichever n it was meant for (n <= its n_max).
template <class T>
int posv_at(int line, uplo, batch<T> A, batch<T> B, int* info, queue q);

}  // namespace talus::cuda
