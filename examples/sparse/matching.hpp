// Which entry of each column becomes a pivot of LU, and how rows and columns are scaled before.
#pragma once

#include <stdexcept>
#include <vector>

#include "matrix.hpp"
#include "scaling.hpp"

namespace sparse {

/// After scaling no magnitude is above 1, and the matched entries have magnitude 1, up to a factor of 2 from
/// the rounding of scales.
struct matching {
  std::vector<int> row_of_column;
  scaling scales;
};

/// No permutation gives the matrix a diagonal without zeros: it is singular whatever its entries' values are.
struct structurally_singular : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The rows that make the product of the diagonal's magnitudes the largest, by shortest augmenting paths. Of
/// A both triangles are stored; entries that are exactly zero count as absent. Throws structurally_singular,
/// which says how many columns can be matched and names one that cannot, counted from 1.
///
/// A is equilibrated first. The matching does not depend on that, but the scales do: they are then close to 1
/// where the largest entries are matched anyway, and do not wander off along paths of entries that could be
/// scaled to 1, too. The latter would cost componentwise accuracy.
///
/// Source  Duff and Koster, SIAM J. Matrix Anal. Appl. 22 (2001), 973-996.
matching largest_product(const matrix& A);

}  // namespace sparse
