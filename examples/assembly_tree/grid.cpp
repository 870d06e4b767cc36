#include "grid.hpp"

#include <cstdio>
#include <map>
#include <tuple>
#include <vector>

namespace tree {

std::int64_t neighbours(const grid& size, const box& whole) {
  std::int64_t sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t face = whole.size() / whole.edge(axis);
    if (whole.begin[axis] > 0) sum += face;
    if (whole.end[axis] < size[axis]) sum += face;
  }
  return sum;
}

assembly_tree nested_dissection(const grid& size) {
  std::map<std::tuple<int, int, int>, std::int64_t> count;  // of level, n, k
  const auto visit = [&](const box& pivots, const box& whole, int level) {
    const std::int64_t k = pivots.size(), n = k + neighbours(size, whole);
    ++count[{level, static_cast<int>(n), static_cast<int>(k)}];
  };
  dissect({{0, 0, 0}, size}, visit);

  std::vector<numbered_group> groups;
  for (const auto& [shape, fronts] : count) {
    const auto [level, n, k] = shape;
    groups.push_back({level, {n, k, fronts}});
  }
  const std::string edges = std::to_string(size[0]) + "x" + std::to_string(size[1]) +
                            (size[2] > 1 ? "x" + std::to_string(size[2]) : "");
  return make_tree("nested dissection of a grid of " + edges, groups);
}

bool parse_grid(const std::string& text, grid& size) {
  const auto fits = [&](int numbers, int used) {
    for (int axis = 0; axis < numbers; ++axis) {
      const int edge = size[static_cast<std::size_t>(axis)];
      if (edge < 1 || edge > grid_edge_max) return false;
    }
    return used == static_cast<int>(text.size());
  };
  int used = 0;
  size = {0, 0, 1};
  if (std::sscanf(text.c_str(), "%5dx%5d%n", &size[0], &size[1], &used) == 2 && fits(2, used)) return true;
  return std::sscanf(text.c_str(), "%5dx%5dx%5d%n", &size[0], &size[1], &size[2], &used) == 3 &&
         fits(3, used);
}

}  // namespace tree
