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
  /// The row and the column of A that are eliminated as number i, and their scales.
  std::vector<int> row_of_pivot, column_of_pivot;
  std::vector<double> row_scale, column_scale;
  assembly_tree tree;
  plan where;
  std::vector<std::int64_t> destination;  ///< of each entry of A, in the factors of a system
  std::vector<double> entry_scale;        ///< beside destination
};

/// Symmetric: Cholesky, and A is symmetric. Otherwise LU: rows are permuted first so that large entries stand
/// on the diagonal. A is scaled in either case. Permutation and scales depend on the values of A, too.
/// `ordering` as for fill_reducing_order.
analysis analyse(const sparse::matrix& A, bool symmetric, const std::string& ordering);

}  // namespace multifrontal
