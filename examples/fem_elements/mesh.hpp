// A block of hexahedra whose vertices were moved at random: no element is a brick, and no two are alike.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace fem {

using point = std::array<double, 3>;

inline point cross(const point& a, const point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const point& a, const point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The eight corners of a hexahedron, x fastest: corner i + 2 j + 4 k has reference coordinates
/// (2i-1, 2j-1, 2k-1).
using hexahedron = std::array<point, 8>;

/// nx-by-ny-by-nz hexahedra. Elements and vertices are numbered x fastest.
struct block_mesh {
  int nx, ny, nz;
  std::vector<point> vertices;

  std::int64_t elements() const { return static_cast<std::int64_t>(nx) * ny * nz; }

  std::size_t vertex(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return static_cast<std::size_t>(i + (nx + 1) * (j + (ny + 1) * k));
  }

  hexahedron corners(std::int64_t element) const {
    const std::int64_t i = element % nx, j = element / nx % ny, k = element / nx / ny;
    hexahedron corner;
    for (int c = 0; c < 8; ++c)
      corner[static_cast<std::size_t>(c)] = vertices[vertex(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))];
    return corner;
  }
};

/// Cubes of side h = 1 / max(nx, ny, nz), every vertex (those on the boundary too) moved by at most
/// distortion * h along each axis. The same seed gives the same mesh everywhere.
///
/// Below distortion = 1/6 every element is valid whatever the draw: each entry of J - h/2 I stays within
/// distortion * h, so that J is strictly diagonally dominant and det J > 0 throughout.
inline block_mesh distorted_block(int nx, int ny, int nz, double distortion, std::uint64_t seed) {
  block_mesh mesh{nx, ny, nz, {}};
  const double h = 1.0 / std::max({nx, ny, nz});
  std::mt19937_64 random(seed);
  // std::uniform_real_distribution differs from one standard library to the next.
  const auto between_minus_one_and_one = [&] {
    return std::ldexp(static_cast<double>(random() >> 11), -52) - 1;
  };

  mesh.vertices.reserve(mesh.vertex(0, 0, nz + 1));
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        point x{i * h, j * h, k * h};
        for (double& coordinate : x) coordinate += distortion * h * between_minus_one_and_one();
        mesh.vertices.push_back(x);
      }
  return mesh;
}

}  // namespace fem
