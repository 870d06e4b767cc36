// The kernels of front_strips.hpp.
#pragma once

#include "batched/blas/families/products.cuh"
#include "batched/blas/families/strips.cuh"
#include "batched/lu/families/front_strips.hpp"
#include "batched/lu/fronts.hpp"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// A launch performs one step for each front.
enum class front_step {
  solve,  // A21 <- A21 U11^-1 in strips of rows, and A12 <- L11^-1 P^T A12 in strips of columns.
          // form::left: A21 stays, and A12 <- A11^-1 A12
  update  // A22 <- A22 - A21 A12, or A21 A12, in tiles
};

/// The compile-time parameters of the kernel.
template <int TILES_, int WARPS_, int ROWS_, int COLUMNS_, int BLOCKS_>
struct front_strips_policy {
  static constexpr int THREADS = 32 * WARPS_, BLOCKS = BLOCKS_;
  using solve = blas::strips_policy<TILES_, WARPS_, BLOCKS_>;
  using update = blas::products_policy<ROWS_, COLUMNS_, WARPS_, 1, BLOCKS_>;
  static constexpr int SIDES = solve::SIDES;  // of a strip
  static constexpr int TILE_ROWS = square_order * update::HIGH, TILE_COLUMNS = square_order * update::WIDE;
  template <class T>
  static constexpr std::size_t bytes = std::max(sizeof(blas::strips_memory<T, solve>),
                                                sizeof(T) * (update::template left_ring<T>::elements +
                                                             update::template right_ring<T>::elements));
};

/// Solves for strips `part`, `part` + `parts`, ... of a front: first the strips of A21, then the strips of
/// A12.
template <class T, class Policy>
__device__ __forceinline__ void solve_strips_of(const front<T>& A, const split& how, const int* ipiv,
                                                int part, int parts) {
  constexpr blas::triangle_form L = {false, false, false, true}, U = {false, false, true, false},
                                U_of_rows = {true, false, false, false};
  constexpr int SIDES = Policy::SIDES;
  const int k = A.A11.n;
  const bool left = how.form == form::left;
  const int of_rows = left ? 0 : ceil_div(A.A22.m, SIDES), all = of_rows + ceil_div(A.A22.n, SIDES);
  auto& memory = *shared_memory<blas::strips_memory<T, typename Policy::solve>>();
  for (int item = part; k > 0 && item < all; item += parts) {
    const bool divides = item < of_rows;
    const blas::sides_view<T> X =
        blas::sides_view<T>(divides ? A.A21 : A.A12, divides).from((divides ? item : item - of_rows) * SIDES);
#pragma unroll 1
    for (int i = 0; i < (left ? 2 : 1); ++i) {
      const blas::triangle_form form = divides ? U_of_rows : i == 0 ? L : U;
      blas::lower_view<T> triangle({A.A11.A, k, k, A.A11.lda}, form, false);
      triangle.ones_for_zeros = divides;
      blas::solve_strip<T, typename Policy::solve>(triangle, false, form.backward ? X.reversed() : X,
                                                   from_real<T>(1), divides || i > 0 ? nullptr : ipiv,
                                                   memory);
    }
  }
}

/// Updates tiles `part`, `part` + `parts`, ... of A22.
template <class T, class Policy>
__device__ __forceinline__ void update_tiles_of(const front<T>& A, const split& how, int part, int parts) {
  constexpr int ROWS = Policy::TILE_ROWS, COLUMNS = Policy::TILE_COLUMNS;
  const int k = A.A11.n, m2 = A.A22.m, n2 = A.A22.n, high = ceil_div(m2, ROWS);
  const bool product = how.schur == schur::product;
  const T one = from_real<T>(1);
  const int all = k == 0 && !product ? 0 : high * ceil_div(n2, COLUMNS);
  const blas::operand_view<T> left(A.A21.A, A.A21.lda, op::none), right(A.A12.A, A.A12.lda, op::none);
  for (int item = part; item < all; item += parts)
    blas::multiply_tile<T, typename Policy::update>(left, right, A.A22, k, product ? one : -one,
                                                    product ? T{} : one, item % high * ROWS,
                                                    item / high * COLUMNS, shared_memory<T>());
}

/// Performs one step for all fronts. The pivot blocks A11 are factored before. With form::left, the kernel
/// skips each front with info > 0.
///
/// Thread map  several blocks per front. A block processes a strip of SIDES columns or rows, 16 by each warp,
///             or a tile
/// Stored      16 TILES unknowns of a strip in registers, the unknowns before them in memory; slabs of L11,
///             U11, A21 and A12 in shared memory
/// Barriers    one per slab
/// Source      as strips.cuh and products.cuh
/// Bound by    the tensor units; memory if the fronts have few pivots
template <class T, class Policy, class Source>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    getrf_front_strips(std::int64_t first_block, Source source, const int* info_array, front_step step,
                       int most_parts) {
  const bool updates = step == front_step::update;
  source.for_each_part(first_block, most_parts, updates, [&](int b, int part, int parts) {
    const front<T> A = source.front_at(b);
    if (source.how.form == form::left && __ldcg(info_array + b) != 0) return;
    if (updates) return update_tiles_of<T, Policy>(A, source.how, part, parts);
    solve_strips_of<T, Policy>(A, source.how, source.each.has_ipiv() ? source.each.ipiv[b] : nullptr, part,
                               parts);
  });
}

template <class Line, int, class Source, class Then>
int front_strips::launch(Source source, int* info, queue q, Then) {
  using T = typename Source::element;
  constexpr front_strips p = Line::kernel;
  using policy = front_strips_policy<p.tiles, p.warps, p.rows, p.columns, p.blocks>;
  const std::int64_t m = source.bounds[0], n = source.bounds[1];
  const auto launch_step = [&](front_step step, std::int64_t parts) {
    return source.template launch_parts<getrf_front_strips<T, policy, Source>>(
        parts, dim3(policy::THREADS), policy::template bytes<T>, q, info, step);
  };
  const int status = launch_step(
      front_step::solve, ceil_div<std::int64_t>(m, policy::SIDES) + ceil_div<std::int64_t>(n, policy::SIDES));
  if (status != 0) return status;
  source.s.waits = true;  // the update reads the solutions
  return launch_step(front_step::update, ceil_div<std::int64_t>(m, policy::TILE_ROWS) *
                                             ceil_div<std::int64_t>(n, policy::TILE_COLUMNS));
}

}  // namespace talus::cuda::lu
