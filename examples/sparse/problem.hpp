// Where matrices come from: a Matrix Market file, or a grid on which Poisson's equation or linear elasticity
// is discretised. Of each there are as many as wanted, of one pattern, with values of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/grid.hpp"
#include "matrix.hpp"

namespace sparse {

struct problem {
  matrix A;  ///< system 0
  /// What system s has in the place of A.value; of 0 it is that. Threads may call it at once.
  std::function<std::vector<double>(std::int64_t s)> values;
};

using example::grid;  // of nodes
using example::grid_edge_max;
using example::parse_grid;

/// -div(c grad u) = f with u = 0 around: 5 or 7 points, an unknown per node. c is 1 in system 0, and random
/// between 1/2 and 2 for each pair of neighbours in others; a neighbour may be the boundary. Throws
/// std::invalid_argument where there are more unknowns or entries than an int counts.
problem poisson(const grid& size);

/// Linear elasticity in bilinear squares (plane strain) or trilinear cubes, clamped at one more layer of
/// nodes before those of the grid along x; 2 or 3 unknowns per node, which stand side by side. Young's
/// modulus is 1 in system 0, random between 1/2 and 2 per element in others; Poisson's ratio 0.3. Throws
/// std::invalid_argument as poisson does, and where one node along y leaves no element.
problem elasticity(const grid& size);

/// System s > 0 is D A D, for unsymmetric A it is D A E, with random diagonal D and E between 1/2 and 2.
/// Throws example::file_error for what is not a square matrix of numbers with an entry or more.
problem read_problem(const std::string& file);

/// The same systems with both triangles stored: for LU.
problem with_both_triangles(const problem& symmetric);

}  // namespace sparse
