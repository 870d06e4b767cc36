#include "matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sparse {
namespace {

/// NaN if there is one.
double largest(const double* values, std::size_t count) {
  double most = 0;
  for (std::size_t i = 0; i < count && !std::isnan(most); ++i)
    most = std::isnan(values[i]) ? values[i] : std::max(most, std::abs(values[i]));
  return most;
}

}  // namespace

double backward_error(const matrix& A, const double* value, const double* x, const double* b) {
  const auto n = static_cast<std::size_t>(A.n);
  std::vector<double> r(b, b + n), row_sum(n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (auto e = static_cast<std::size_t>(A.begin[j]); e < static_cast<std::size_t>(A.begin[j + 1]); ++e) {
      const auto i = static_cast<std::size_t>(A.row[e]);
      r[i] -= value[e] * x[j];
      row_sum[i] += std::abs(value[e]);
      if (A.symmetric && i != j) {
        r[j] -= value[e] * x[i];
        row_sum[j] += std::abs(value[e]);
      }
    }
  const double scale = largest(row_sum.data(), n) * largest(x, n) + largest(b, n);
  if (!std::isfinite(scale)) return std::numeric_limits<double>::quiet_NaN();
  return scale == 0 ? 0 : largest(r.data(), n) / scale;
}

}  // namespace sparse
