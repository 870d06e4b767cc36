// Grids of points, as command lines name them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

namespace example {

/// Points along x, y, z; a plane grid has one along z.
using grid = std::array<int, 3>;

constexpr int grid_edge_max = 1024;  ///< so that an int counts the points

/// "64x64" or "24x24x24", of numbers from 1 to grid_edge_max; whether it is one.
inline bool parse_grid(const std::string& text, grid& size) {
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

}  // namespace example
