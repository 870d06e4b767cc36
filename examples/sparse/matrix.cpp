#include "matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sparse {
namespace {

/// fraction * 2^exponent, |fraction| < 1. Products of two such numbers cannot overflow or underflow.
struct wide_number {
  double fraction = 0;
  int exponent = exponent_of_zero;

  /// Smaller than the exponent of any product of two numbers that are not zero.
  static constexpr int exponent_of_zero = -10000;

  wide_number() = default;
  explicit wide_number(double value) {
    if (value != 0) fraction = std::frexp(value, &exponent);
  }
};

wide_number operator*(const wide_number& a, const wide_number& b) {
  wide_number product;
  product.fraction = a.fraction * b.fraction;
  product.exponent = a.exponent + b.exponent;
  return product;
}

bool all_finite(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [](double value) { return std::isfinite(value); });
}

/// Calls visit(i, term) for each term A_ij x_j of A x.
template <class Visit>
void for_each_term(const matrix& A, const double* value, const std::vector<wide_number>& x, Visit visit) {
  for (std::size_t j = 0; j < x.size(); ++j)
    for (auto e = static_cast<std::size_t>(A.begin[j]); e < static_cast<std::size_t>(A.begin[j + 1]); ++e) {
      const auto i = static_cast<std::size_t>(A.row[e]);
      const wide_number entry(value[e]);
      visit(i, entry * x[j]);
      if (A.symmetric && i != j) visit(j, entry * x[i]);
    }
}

}  // namespace

double backward_error(const matrix& A, const double* value, const double* x, const double* b) {
  const auto n = static_cast<std::size_t>(A.n);
  if (!all_finite(value, A.row.size()) || !all_finite(x, n) || !all_finite(b, n))
    return std::numeric_limits<double>::quiet_NaN();

  // Row i is summed in units of 2^unit[i], in which its largest term is between 1/4 and 1.
  const std::vector<wide_number> wide_x(x, x + n), wide_b(b, b + n);
  std::vector<int> unit(n);
  for (std::size_t i = 0; i < n; ++i) unit[i] = wide_b[i].exponent;
  for_each_term(A, value, wide_x,
                [&](std::size_t i, const wide_number& term) { unit[i] = std::max(unit[i], term.exponent); });
  const auto in_units = [&unit](std::size_t i, const wide_number& term) {
    return std::ldexp(term.fraction, term.exponent - unit[i]);
  };

  std::vector<double> residual(n), size(n);
  for (std::size_t i = 0; i < n; ++i) {
    residual[i] = in_units(i, wide_b[i]);
    size[i] = std::abs(residual[i]);
  }
  for_each_term(A, value, wide_x, [&](std::size_t i, const wide_number& term) {
    const double product = in_units(i, term);
    residual[i] -= product;
    size[i] += std::abs(product);
  });
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (size[i] > 0) worst = std::max(worst, std::abs(residual[i]) / size[i]);
  return worst;
}

double worst_backward_error(const matrix& A, const std::vector<std::vector<double>>& values,
                            const std::vector<double>& x, const std::vector<double>& b) {
  const auto n = static_cast<std::size_t>(A.n), vectors = x.size() / n, nrhs = vectors / values.size();
  double worst = 0;
  bool undefined = false;
#pragma omp parallel for schedule(dynamic) reduction(max : worst) reduction(|| : undefined)
  for (std::size_t v = 0; v < vectors; ++v) {
    const double error = backward_error(A, values[v / nrhs].data(), x.data() + v * n, b.data() + v * n);
    worst = std::max(worst, error);
    undefined = undefined || std::isnan(error);
  }
  return undefined ? std::numeric_limits<double>::quiet_NaN() : worst;
}

}  // namespace sparse
