// Where everything lies in memory, and which elements of a child are added to which of its parent.
//
// The factors of one system are one array, front after front, level after level. Schur complements live until
// they are added to the parents', which are one level above: so two arrays alternate, one for even levels,
// one for odd ones.
//
//   Cholesky:  A11 and A21 are one array of n x k, the lower trapezoid; A22: the lower triangle of n2 x n2
//   LU:        A11 and A12 are one array of k x n; A21: n2 x k; A22: n2 x n2
//
// What is together here is read together by the solves: L^T from the last row up, U from the last column on.
#pragma once

#include <cstdint>
#include <vector>

#include "tree.hpp"

namespace multifrontal {

/// Where a block begins, in elements, and its leading dimension.
struct block {
  std::int64_t offset = 0;
  int ld = 1;
};

struct front_blocks {
  block A11, A12, A21;  ///< in the factors of one system
  block A22;            ///< in its part of the level's array of Schur complements
};

/// Elements (row_begin ... row_end - 1) x (column_begin ... column_end - 1) of a child's Schur complement,
/// which are added to one tile of the parent.
struct contribution {
  std::int64_t source;     ///< where the Schur complement begins
  std::int64_t first_row;  ///< of the child's that are no pivots, in assembly_tree::in_parent and in w
  int ld;
  int row_begin, row_end, column_begin, column_end;
};

/// A part of one block of a front, made up of its children's contributions in their order.
struct tile {
  std::int64_t target;         ///< its first element
  std::int64_t contributions;  ///< the first; those of the next tile follow
  int ld;
  int row, column;  ///< of the front, of its first element
  short rows, columns;
  bool schur;  ///< of A22, which holds nothing yet; others hold entries of A
  static constexpr int edge = 64;
};

/// Rows of a front's right-hand side, made up likewise.
struct row_tile {
  std::int64_t target, contributions;
  std::int64_t parent;  ///< where the rows of the front's parent begin
  int first, k;         ///< the front's first pivot, and how many there are
  int row, rows;
};

struct level_plan {
  int first_front = 0, fronts = 0;
  int n_max = 0, k_max = 0, n2_max = 0;
  double flops = 0;
  std::int64_t schur_elements = 0;  ///< of one system
  std::int64_t first_tile = 0, tiles = 0;
  std::int64_t first_row_tile = 0, row_tiles = 0;
};

struct plan {
  bool symmetric = true;
  std::vector<front_blocks> blocks;
  std::vector<level_plan> levels;
  std::vector<tile> tiles;                  ///< level by level
  std::vector<contribution> contributions;  ///< tile by tile
  std::vector<row_tile> row_tiles;
  std::vector<contribution> row_contributions;  ///< without columns
  std::int64_t factor_elements = 0;             ///< of one system
  std::int64_t schur_elements[2] = {0, 0};      ///< of even and odd levels, the most
  std::int64_t factor_nonzeros = 0;             ///< what fronts without padding would hold
  std::int64_t two_levels_elements = 0;  ///< whole fronts of the two largest levels that follow each other
  double flops = 0;
};

plan make_plan(const assembly_tree& tree, bool symmetric);

/// Where each entry of A goes in the factors of a system. `new_row` as for graph_of.
std::vector<std::int64_t> destinations(const sparse::matrix& A, const std::vector<int>& new_row,
                                       const assembly_tree& tree, const plan& where);

}  // namespace multifrontal
