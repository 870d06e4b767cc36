// The solves, as products and triangular systems of many sizes: what each level's calls are given.
//
// A front's pivots are solved for in blocks of at most solve_block, and products are cut into strips: so no
// front is so large that it would keep a level waiting. Forward, with L (for LU: unit lower), a step of a
// level is
//
//   w1 := L11^-1 w1        one trsm_vbatched: the diagonal blocks of all fronts that have so many
//   w2 := w2 - L21 w1      one gemv_vbatched (gemm_vbatched): all rows below, cut into strips
//
// and backward, with L^T or U, where w2 are the rows behind the block:
//
//   w1 := w1 - L21^T w2    (LU: U12 w2)
//   w1 := L11^-T w1        (LU: U11^-1 w1)
//
// w has the n rows of every front, one front after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "plan.hpp"

namespace multifrontal {

constexpr int solve_block = 512;

/// w[y ...] -= op(A) w[x ...] with A of m x n in the factors.
struct product {
  block A;
  int m, n;
  std::int64_t x, y;
};

/// Solves with n x n A for w[x ...].
struct triangle {
  block A;
  int n;
  std::int64_t x;
};

struct solve_step {
  std::vector<triangle> triangles;
  std::vector<product> products;
};

/// Of one system: for each level its steps in the order in which they run.
struct solve_plan {
  std::vector<std::vector<solve_step>> forward, backward;
};

/// How large a piece of a product is, at most.
struct strips {
  int rows;    ///< of L below a diagonal block
  int pivots;  ///< columns of L, or rows of U, behind it
};

solve_plan make_solve_plan(const assembly_tree& tree, const plan& where, const strips& of);

}  // namespace multifrontal
