// Which entry of each column becomes a pivot of LU, and how rows and columns are scaled before.
#pragma once

#include <stdexcept>
#include <vector>

#include "matrix.hpp"

namespace sparse {

/// Of r_i |a_ij| c_j none is above 1, and those matched are 1, but for a factor of 2: scales are rounded to
/// powers of two, so that scaling makes no rounding errors.
struct matching {
  std::vector<int> row_of_column;
  std::vector<double> row_scale, column_scale;  ///< r, c
};

/// No permutation gives the matrix a diagonal without zeros: it is singular whatever its entries' values are.
struct structurally_singular : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The rows that make the product of the diagonal's magnitudes the largest, by shortest augmenting paths. Of
/// A both triangles are stored; entries that are exactly zero count as absent. Throws structurally_singular,
/// which says how many columns can be matched and names one that cannot, counted from 1.
///
/// Source  Duff and Koster, SIAM J. Matrix Anal. Appl. 22 (2001), 973-996.
matching largest_product(const matrix& A);

}  // namespace sparse
