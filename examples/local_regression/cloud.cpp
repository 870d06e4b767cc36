#include "cloud.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace regression {
namespace {

/// Evenly spread over -1 to 1, by SplitMix64.
double random_number(std::uint64_t seed) {
  std::uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return std::ldexp(static_cast<double>((z ^ (z >> 31)) >> 11), -52) - 1;
}

}  // namespace

std::vector<double> scattered(int dimension, int edge) {
  std::size_t count = 1;
  for (int d = 0; d < dimension; ++d) count *= static_cast<std::size_t>(edge);
  std::vector<double> positions(count * static_cast<std::size_t>(dimension));
  std::size_t e = 0;
  for (std::size_t p = 0; p < count; ++p) {
    std::size_t place = p;
    for (int d = 0; d < dimension; ++d, ++e) {
      const auto along = static_cast<double>(place % static_cast<std::size_t>(edge));
      place /= static_cast<std::size_t>(edge);
      positions[e] = (along + 0.5 + random_number(e) / 3) / edge;
    }
  }
  return positions;
}

cloud::cloud(int dimension, const std::vector<double>& positions, int neighbours) : dimension_(dimension) {
  choose_cells(positions, neighbours);
  const std::size_t count = positions.size() / as_size(dimension);
  std::vector<std::size_t> cell_number(count);
  begin_.assign(as_size(cells_[0]) * as_size(cells_[1]) * as_size(cells_[2]) + 1, 0);
  for (std::size_t p = 0; p < count; ++p) {
    cell_number[p] = index(cell_of(&positions[p * as_size(dimension)]));
    ++begin_[cell_number[p] + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  positions_.resize(positions.size());
  for (std::size_t p = 0; p < count; ++p) {
    const auto to = as_size(next[cell_number[p]]++);
    for (std::size_t d = 0; d < as_size(dimension); ++d)
      positions_[to * as_size(dimension) + d] = positions[p * as_size(dimension) + d];
  }
}

/// Cells of an edge of 0.58 times the radius within which the neighbours are: those of a point, and two
/// layers around, then hold them, unless it is near a border.
void cloud::choose_cells(const std::vector<double>& positions, int neighbours) {
  const std::size_t count = positions.size() / as_size(dimension_);
  std::array<double, 3> extent = {};
  double volume = 1, axes = 0;
  for (std::size_t d = 0; d < as_size(dimension_) && count > 0; ++d) {
    double least = positions[d], largest = least;
    for (std::size_t p = 1; p < count; ++p) {
      least = std::min(least, positions[p * as_size(dimension_) + d]);
      largest = std::max(largest, positions[p * as_size(dimension_) + d]);
    }
    origin_[d] = least, extent[d] = largest - least;
    if (extent[d] > 0) volume *= extent[d], ++axes;
  }
  if (axes == 0) return;
  const double ball = axes == 3 ? 4.18879 : axes == 2 ? 3.14159 : 2;
  const double radius = std::pow(volume * neighbours / (ball * static_cast<double>(count)), 1 / axes);
  for (std::size_t d = 0; d < 3; ++d) {
    if (!(extent[d] > 0)) continue;
    cells_[d] = static_cast<int>(std::clamp(extent[d] / (0.58 * radius), 1.0, 4096.0));
    edge_[d] = extent[d] / cells_[d];
  }
}

cloud::cell cloud::cell_of(const double* x) const {
  cell c = {};
  for (std::size_t d = 0; d < as_size(dimension_); ++d)
    c[d] = std::clamp(static_cast<int>((x[d] - origin_[d]) / edge_[d]), 0, cells_[d] - 1);
  return c;
}

std::size_t cloud::index(const cell& c) const {
  return (as_size(c[2]) * as_size(cells_[1]) + as_size(c[1])) * as_size(cells_[0]) + as_size(c[0]);
}

double cloud::gather(const double* x, const cell& middle, int reach, std::vector<neighbour>& found) const {
  found.clear();
  cell low = {}, high = {};
  double complete = std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < 3; ++d) {
    low[d] = std::max(middle[d] - reach, 0), high[d] = std::min(middle[d] + reach, cells_[d] - 1);
    if (low[d] > 0) complete = std::min(complete, x[d] - (origin_[d] + low[d] * edge_[d]));
    if (high[d] + 1 < cells_[d]) complete = std::min(complete, origin_[d] + (high[d] + 1) * edge_[d] - x[d]);
  }
  for (int k = low[2]; k <= high[2]; ++k)
    for (int j = low[1]; j <= high[1]; ++j) {
      // Cells along the first axis lie one behind the other, and so do their points.
      const int first = begin_[index({low[0], j, k})], end = begin_[index({high[0], j, k}) + 1];
      for (int p = first; p < end; ++p) {
        double square = 0;
        for (std::size_t d = 0; d < as_size(dimension_); ++d) {
          const double difference = positions_[as_size(p) * as_size(dimension_) + d] - x[d];
          square += difference * difference;
        }
        found.push_back({square, p});
      }
    }
  return complete;
}

void cloud::nearest(std::int64_t point, int count, std::vector<neighbour>& found) const {
  const double* x = (*this)[point];
  const cell middle = cell_of(x);
  for (int reach = 2;; ++reach) {
    const double complete = gather(x, middle, reach, found);
    const bool all = std::isinf(complete);
    if (found.size() < as_size(count) && !all) continue;
    const auto wanted = std::min(found.size(), as_size(count));
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(wanted);
    if (end != found.end()) std::nth_element(found.begin(), end - 1, found.end());
    const double furthest =
        wanted > 0 ? (end == found.end() ? *std::max_element(found.begin(), end) : *(end - 1)).square : 0;
    if (!all && !(furthest < complete * complete)) continue;
    found.erase(end, found.end());
    std::sort(found.begin(), found.end());
    return;
  }
}

}  // namespace regression
