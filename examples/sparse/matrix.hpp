// The sparse matrix that is factored, and how well a vector solves a system with it.
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

/// Returns the componentwise backward error of Oettli and Prager, max_i |b - A x|_i / (|A| |x| + |b|)_i. It
/// is the smallest w such that x solves (A + E) x = b + f exactly with |E| <= w |A| and |f| <= w |b|. Scaling
/// rows or columns does not change it. A row of zeros counts as 0; NaN if x, b or A holds a value that is not
/// finite. `value` replaces A.value.
double backward_error(const matrix& A, const double* value, const double* x, const double* b);

/// Returns the largest backward_error of all solutions of some systems, NaN if one is NaN. `values` has the
/// values of each system. x and b have the same number of vectors for each system, one after the other.
double worst_backward_error(const matrix& A, const std::vector<std::vector<double>>& values,
                            const std::vector<double>& x, const std::vector<double>& b);

}  // namespace sparse
