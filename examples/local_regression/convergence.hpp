// Whether errors fall with the points' spacing as they should.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "basis.hpp"
#include "fit.hpp"

namespace regression {

constexpr int quantities = 3;
constexpr const char* quantity_names[quantities] = {"value", "gradient", "Laplacian"};

/// A fit of degree d leaves what Taylor's polynomial of that degree does: h^(d+1). Its coefficients are off
/// by as much, and each derivative divides by the radius of the neighbourhood, thus by h, once more.
inline int expected_order(const basis& monomials, int quantity) { return monomials.degree() + 1 - quantity; }

/// One of the refinements.
struct refinement {
  double spacing = 0;
  outcome fitted;

  double error(int quantity) const {
    return (quantity == 0 ? fitted.value : quantity == 1 ? fitted.gradient : fitted.laplacian).relative();
  }
  /// What rounding alone may make of it: the unit roundoff of the values, and a power of the radius.
  double rounding(int quantity, double epsilon) const {
    const double right = quantity == 0   ? fitted.value.right_sum()
                         : quantity == 1 ? fitted.gradient.right_sum()
                                         : fitted.laplacian.right_sum();
    return 100 * epsilon * std::sqrt(fitted.value.right_sum() / right) / std::pow(fitted.radius, quantity);
  }
};

inline double order(const refinement& coarse, const refinement& fine, int quantity) {
  return std::log(coarse.error(quantity) / fine.error(quantity)) / std::log(coarse.spacing / fine.spacing);
}

/// The last refinement decides. An error is off where it is larger than the coarser one's lets expect with an
/// order less by `tolerance`, and rounding does not account for the rest.
inline void check_orders(const basis& monomials, const std::vector<refinement>& all, double epsilon,
                         example::findings& off) {
  constexpr double tolerance = 0.35;
  const refinement &coarse = all[all.size() - 2], &fine = all.back();
  for (int quantity = 0; quantity < quantities; ++quantity) {
    const int expected = expected_order(monomials, quantity);
    const double slowest = std::pow(fine.spacing / coarse.spacing, expected - tolerance);
    if (fine.error(quantity) <= slowest * coarse.error(quantity) + fine.rounding(quantity, epsilon)) continue;
    off.add(std::string(quantity_names[quantity]) + ": its error falls with order " +
            example::two_digits(order(coarse, fine, quantity)) + ", expected " + std::to_string(expected));
  }
}

}  // namespace regression
