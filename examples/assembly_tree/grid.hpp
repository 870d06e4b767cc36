// The assembly tree of a Laplacian on a grid, ordered by nested dissection: the example's own tree.
//
// A box of unknowns is cut by a plane across the middle of its longest edge (George 1973): both halves are
// eliminated before the plane, which separates them, and are cut in turn, down to boxes with edges of at most
// two unknowns. Each plane, and each of those last boxes, is the pivots of one front. Its other rows are what
// elimination of the whole box has joined them with: the unknowns outside that have a neighbour in the box,
// all of which come later. With 5 or 7 points per stencil those are the unknowns behind each of the box's
// faces, edges and corners not counted; so
//
//   n = |plane| + sum of the faces of the box inside the grid.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/grid.hpp"
#include "tree.hpp"

namespace tree {

using example::grid;
using example::grid_edge_max;
using example::parse_grid;

/// Unknowns i with begin[axis] <= i[axis] < end[axis].
struct box {
  std::array<int, 3> begin, end;

  int edge(std::size_t axis) const { return end[axis] - begin[axis]; }
  std::int64_t size() const { return static_cast<std::int64_t>(edge(0)) * edge(1) * edge(2); }
};

/// Calls visit(pivots, whole, level) for each front below and including that of `whole`, children before
/// their parent, with the box of its pivots and the box that is eliminated with them; the level of the last.
template <class Visit>
int dissect(const box& whole, Visit& visit) {
  std::size_t axis = 0;
  for (std::size_t other : {1, 2})
    if (whole.edge(other) > whole.edge(axis)) axis = other;
  if (whole.edge(axis) <= 2) {
    visit(whole, whole, 0);
    return 0;
  }
  const int middle = whole.begin[axis] + whole.edge(axis) / 2;
  box before = whole, plane = whole, behind = whole;
  before.end[axis] = plane.begin[axis] = middle;
  plane.end[axis] = behind.begin[axis] = middle + 1;
  const int below = dissect(before, visit), level = 1 + std::max(below, dissect(behind, visit));
  visit(plane, whole, level);
  return level;
}

/// Rows of a front beside its pivots, where `whole` is eliminated with them.
std::int64_t neighbours(const grid& size, const box& whole);

/// Level 0 holds the leaves.
assembly_tree nested_dissection(const grid& size);

}  // namespace tree
