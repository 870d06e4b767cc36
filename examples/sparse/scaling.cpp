#include "scaling.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sparse {
namespace {

constexpr int exponent_min = std::numeric_limits<double>::min_exponent - 1;  // of normal numbers
constexpr int exponent_max = std::numeric_limits<double>::max_exponent - 1;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Calls visit(i, j, e) for each stored entry.
template <class Visit>
void for_each_entry(const matrix& A, Visit visit) {
  for (int j = 0; j < A.n; ++j)
    for (int e = A.begin[at(j)]; e < A.begin[at(j) + 1]; ++e) visit(A.row[at(e)], j, e);
}

int rounded_exponent(double logarithm, int largest) {
  return static_cast<int>(std::clamp<double>(std::round(logarithm), -largest, largest));
}

double middle(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return (*least + *most) / 2;
}

/// Scales by the square roots of the largest magnitudes. Returns how far from 0 their logarithms were.
double halve(const std::vector<double>& largest, std::vector<double>& scale) {
  double most = 0;
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (largest[i] == -infinity) continue;  // no entries
    scale[i] -= largest[i] / 2;
    most = std::max(most, std::abs(largest[i]));
  }
  return most;
}

}  // namespace

double scaling::of_row(int i) const { return std::ldexp(1.0, row[at(i)]); }
double scaling::of_column(int j) const { return std::ldexp(1.0, column[at(j)]); }
double scaling::of_entry(int i, int j) const { return std::ldexp(1.0, row[at(i)] + column[at(j)]); }

scaling scales_of_diagonal(const matrix& A) {
  std::vector<int> D(at(A.n), 0);
  for_each_entry(A, [&](int i, int j, int e) {
    const double diagonal = A.value[at(e)];
    // With half the range of exponents the scale of an entry, a product of two, is a normal number.
    if (i == j && diagonal > 0) D[at(j)] = rounded_exponent(-0.5 * std::log2(diagonal), exponent_max / 2);
  });
  return {D, D};
}

log_scales equilibrating_scales(const matrix& A) {
  const std::size_t n = at(A.n);
  std::vector<double> size;
  size.reserve(A.value.size());
  for (const double value : A.value)
    size.push_back(value != 0 && std::isfinite(value) ? std::log2(std::abs(value)) : -infinity);

  log_scales scales{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  std::vector<double> row(n), column(n);  // the largest magnitudes, as logarithms
  constexpr int sweeps = 20;              // each halves the logarithms, which begin below 2^11
  constexpr double close = 0.5;           // the last sweep halves that, too: 2^0.25 < 1.2
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::fill(row.begin(), row.end(), -infinity);
    std::fill(column.begin(), column.end(), -infinity);
    for_each_entry(A, [&](int i, int j, int e) {
      const double now = size[at(e)] + scales.row[at(i)] + scales.column[at(j)];
      row[at(i)] = std::max(row[at(i)], now);
      column[at(j)] = std::max(column[at(j)], now);
    });
    const double rows = halve(row, scales.row), columns = halve(column, scales.column);
    if (std::max(rows, columns) <= close) break;
  }
  return scales;
}

scaling rounded(const matrix& A, const log_scales& scales) {
  const double shift = std::round((middle(scales.row) - middle(scales.column)) / 2);
  scaling all;
  for (const double row : scales.row) all.row.push_back(rounded_exponent(row - shift, -exponent_min));
  for (const double column : scales.column)
    all.column.push_back(rounded_exponent(column + shift, -exponent_min));
  for_each_entry(A, [&all](int i, int j, int) {
    all.row[at(i)] = std::min(all.row[at(i)], exponent_max - all.column[at(j)]);
  });
  return all;
}

}  // namespace sparse
