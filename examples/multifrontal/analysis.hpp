// All that the pattern of a matrix decides, once for every system that has it.
#pragma once

#include <string>
#include <vector>

#include "plan.hpp"
#include "sparse/matching.hpp"
#include "sparse/ordering.hpp"
#include "tree.hpp"

namespace multifrontal {

struct analysis {
  std::string ordering;  ///< which one was taken
  /// Of the row and the column of A that are eliminated as number i, and their scales, which are 1 but for
  /// LU.
  std::vector<int> row_of_pivot, column_of_pivot;
  std::vector<double> row_scale, column_scale;
  assembly_tree tree;
  plan where;
  std::vector<std::int64_t> destination;  ///< of each entry of A, in the factors of a system
  std::vector<double> entry_scale;        ///< beside destination
};

/// Symmetric: Cholesky, and A is symmetric. Else LU, for which rows are permuted and scaled first, so that
/// large entries stand on the diagonal; that follows the values of A, too. `ordering` as for
/// fill_reducing_order.
analysis analyse(const sparse::matrix& A, bool symmetric, const std::string& ordering);

}  // namespace multifrontal
