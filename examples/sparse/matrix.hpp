// The sparse matrix that is factored, and what is asked of it: products and norms.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sparse {

/// A square sparse matrix by columns. Of a symmetric matrix the lower triangle alone is stored.
struct matrix {
  std::string name;  ///< for titles and messages
  int n = 0;
  bool symmetric = false;
  std::vector<int> begin;     ///< n + 1: column j has entries begin[j] ... begin[j + 1] - 1
  std::vector<int> row;       ///< ascending in a column, none twice
  std::vector<double> value;  ///< beside row

  int entries() const { return begin.back(); }
};

/// ||b - A x|| / (||A|| ||x|| + ||b||) in the infinity norm; NaN where x holds one or a norm overflows.
/// `value` has the place of A.value.
double backward_error(const matrix& A, const double* value, const double* x, const double* b);

}  // namespace sparse
