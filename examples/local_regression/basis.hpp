// The monomials that a neighbourhood's fit is made of.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace regression {

/// All monomials of 2 or 3 variables up to a degree, those of lower degree first.
class basis {
 public:
  basis(int dimension, int degree) : dimension_(dimension), degree_(degree), powers_(1), from_(1) {
    for (std::size_t first = 0, d = 0; d < static_cast<std::size_t>(degree); ++d) {
      const std::size_t end = powers_.size();
      for (std::size_t j = first; j < end; ++j)
        // One more of its last variable, or of one behind: so each comes once.
        for (int axis = from_[j].axis; axis < dimension; ++axis) {
          std::array<int, 3> more = powers_[j];
          ++more[static_cast<std::size_t>(axis)];
          powers_.push_back(more);
          from_.push_back({j, axis});
        }
      first = end;
    }
  }

  int dimension() const { return dimension_; }
  int degree() const { return degree_; }
  int columns() const { return static_cast<int>(powers_.size()); }
  const std::array<int, 3>& powers(int column) const { return powers_[static_cast<std::size_t>(column)]; }

  /// The column of u_axis, and of u_axis^2.
  int linear(int axis) const { return 1 + axis; }
  int square(int axis) const {
    std::array<int, 3> wanted = {};
    wanted[static_cast<std::size_t>(axis)] = 2;
    int column = 0;
    while (powers(column) != wanted) ++column;
    return column;
  }

  void evaluate(const double* u, double* values) const {
    values[0] = 1;
    for (std::size_t j = 1; j < from_.size(); ++j) values[j] = values[from_[j].column] * u[from_[j].axis];
  }

 private:
  /// A monomial is the one of this column times the variable of this axis.
  struct product {
    std::size_t column = 0;
    int axis = 0;
  };
  int dimension_, degree_;
  std::vector<std::array<int, 3>> powers_;
  std::vector<product> from_;
};

}  // namespace regression
