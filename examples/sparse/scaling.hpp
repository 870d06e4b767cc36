// Scales of rows and columns that bring the entries of a matrix to comparable sizes.
#pragma once

#include <vector>

#include "matrix.hpp"

namespace sparse {

/// Entry (i, j) is multiplied by 2^(row[i] + column[j]). Powers of two make no rounding errors.
struct scaling {
  std::vector<int> row, column;

  double of_row(int i) const;
  double of_column(int j) const;
  double of_entry(int i, int j) const;
};

/// Returns scales D of a symmetric matrix: D A D has a diagonal between 1/2 and 2, so that no entry of a
/// positive definite A exceeds 2. A diagonal entry that is not positive leaves its row unscaled.
scaling scales_of_diagonal(const matrix& A);

/// Scales before they are rounded: their logarithms to the base 2.
struct log_scales {
  std::vector<double> row, column;
};

/// Returns scales that make the largest magnitude of each row and each column 1, up to a factor of 1.2. Both
/// triangles of A are stored; zeros count as absent.
///
/// Source  Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034.
log_scales equilibrating_scales(const matrix& A);

/// Rounds scales of A to powers of two. First all rows are multiplied by one number and all columns by its
/// inverse such that the scales of rows and of columns have the same middle. Entries below the smallest
/// normal number may need scales that are above the largest number: their rows' scales are smaller.
scaling rounded(const matrix& A, const log_scales& scales);

}  // namespace sparse
