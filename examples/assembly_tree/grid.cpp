#include "grid.hpp"

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

}  // namespace tree
