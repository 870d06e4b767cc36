// Symbolic analysis: from the order of elimination to the fronts, and which is assembled into which.
//
// A front is a dense matrix of n rows. Its first k rows and columns are pivots: unknowns that are eliminated
// in it, together. The others are all unknowns that these are joined with, by entries of A or by what was
// eliminated before; each is a pivot of an ancestor. Elimination leaves the Schur complement, n - k rows,
// which is added to the front's parent: the rows of a child that are no pivots are rows of its parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sparse/ordering.hpp"

namespace multifrontal {

struct front {
  int first;          ///< its pivots are number first ... first + k - 1 of the elimination
  int k, n;           ///< pivots and rows
  int parent;         ///< -1: a root
  std::int64_t rows;  ///< where its rows begin in assembly_tree::row

  int n2() const { return n - k; }
};

/// Fronts are numbered level by level. Level 0 is the farthest from the roots, and each other front's level
/// is one above its children's: so a level needs the Schur complements of the level before and no others.
struct assembly_tree {
  int unknowns = 0;
  std::vector<int> order;        ///< unknown that is eliminated as number i
  std::vector<front> fronts;     ///< children before their parent
  std::vector<int> level_begin;  ///< of level l fronts level_begin[l] ... level_begin[l + 1] - 1
  std::vector<int> row;          ///< of each front its n rows, as numbers of the elimination, ascending
  std::vector<int> in_parent;    ///< beside row: which row of the parent that is; pivots: -1
  std::vector<std::vector<int>> children;  ///< of each front, ascending

  int levels() const { return static_cast<int>(level_begin.size()) - 1; }
  const front& operator[](int f) const { return fronts[static_cast<std::size_t>(f)]; }
  const int* rows(int f) const { return row.data() + (*this)[f].rows; }
  const int* rows_in_parent(int f) const { return in_parent.data() + (*this)[f].rows; }
};

/// How far small fronts are merged into their parents, which makes fewer, larger fronts and stores zeros as
/// if they were entries. A child is merged where the factor's columns of both then hold at most this share of
/// such zeros.
struct amalgamation {
  struct limit {
    int pivots;    ///< of both together, at most
    double zeros;  ///< share of the merged front's entries of the factor
  };
  std::vector<limit> limits = {{8, 1.0}, {32, 0.6}, {96, 0.15}, {1 << 30, 0.05}};
};

/// `order` is that of fill_reducing_order.
assembly_tree build_tree(const sparse::graph& g, const std::vector<int>& order, const amalgamation& how = {});

/// Of the elimination of k columns of n: Cholesky's, or twice as many for LU.
double partial_flops(double n, double k, bool symmetric);

}  // namespace multifrontal
