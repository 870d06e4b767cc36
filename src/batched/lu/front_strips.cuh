// Completes the elimination of fronts whose pivot blocks A11 are factored: solves for strips of A12, or of A21, on the
// tensor units, then updates strips of A22.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/blas/products.cuh"
#include "batched/blas/strips.cuh"
#include "batched/lu/backends.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#ifdef __CUDACC__
#include "batched/lu/front.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#endif

namespace talus::cuda::lu {

/// A line of a table, for fronts of any size. Other kernels factor A11.
struct front_strips {
  static constexpr const char* name = "front_strips";
  static constexpr bool factors_pivot_blocks = false;

  int tiles = 0;    // a warp holds 16 * tiles unknowns at a time
  int warps = 0;    // per block; a warp solves for 16 right-hand sides
  int rows = 0;     // a warp updates 16 * rows rows of A22 at a time,
  int columns = 0;  // and 16 * columns columns
  int blocks = 0;   // per multiprocessor, at least, that the registers suffice for; 0: the compiler decides

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
    visit("warps", self.warps);
    visit("rows", self.rows);
    visit("columns", self.columns);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int m, int n, int, const element& e, const gpu_limits& limits) const {
    if (const char* const words = blas::strips{tiles, warps, blocks}.objection(m, n, e, limits)) return words;
    if (warps > 4) return "warps is above 4";
    return products().objection(m, n, n, e, limits);
  }
  /// The line of gemm that updates a tile of A22. The warps of a block update rows below each other.
  constexpr blas::products products() const { return {rows, columns, warps, 1, blocks, 1}; }

  /// Launches the kernels of a line for the fronts of a source.
  template <class Line, pivoting HOW, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<front_strips> space() {
    return {{{"tiles", {1, 2, 4}, "as many as registers hold"},
             {"warps", {2, 4}, "of a block"},
             {"rows", {1, 2}, "as many as registers hold"},
             {"columns", {2, 4}, "as many as registers hold"},
             {"blocks", {0, 2, 3, 4}, "of a multiprocessor"}},
            1,
            any_extent,
            "every front",
            [](const front_strips&, int) { return true; },
            "all"};
  }
};

#ifdef __CUDACC__

/// A launch performs one step for each front.
enum class front_step {
  divide,           // A21 <- A21 U11^-1, in strips of rows
  solve,            // A12 <- L11^-1 P^T A12, or A12 <- A11^-1 A12 with form::left, in strips of columns
  update,           // A22 <- A22 - A21 A12, or A21 A12, in tiles
  solve_and_update  // both in strips of columns
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

/// Performs a step for strips or tiles `part`, `part` + `parts`, ... of a front.
template <class T, class Policy>
__device__ __forceinline__ void eliminate_in_strips_of(const front<T>& A, const split& how, front_step step,
                                                       const int* ipiv, int part, int parts) {
  constexpr blas::triangle_form L = {false, false, false, true}, U = {false, false, true, false},
                                U_of_rows = {true, false, false, false};
  constexpr int SIDES = Policy::SIDES, ROWS = Policy::TILE_ROWS, COLUMNS = Policy::TILE_COLUMNS;
  const int k = A.A11.n, m2 = A.A22.m, n2 = A.A22.n;
  const bool divides = step == front_step::divide, updates = step != front_step::solve && !divides,
             in_tiles = step == front_step::update, product = how.schur == schur::product;
  const T one = from_real<T>(1);
  auto& memory = *shared_memory<blas::strips_memory<T, typename Policy::solve>>();
  const int high = in_tiles ? ceil_div(m2, ROWS) : 1, all = high * ceil_div(divides ? m2 : n2, SIDES);
  for (int item = part; item < all; item += parts) {
    const int first = item / high * SIDES;
    const int triangles = k == 0 || in_tiles ? 0 : !divides && how.form == form::left ? 2 : 1;
#pragma unroll 1
    for (int i = 0; i < triangles; ++i) {
      const blas::triangle_form form = divides ? U_of_rows : i == 0 ? L : U;
      const blas::sides_view<T> X = blas::sides_view<T>(divides ? A.A21 : A.A12, divides).from(first);
      blas::lower_view<T> triangle({A.A11.A, k, k, A.A11.lda}, form, false);
      triangle.ones_for_zeros = divides;
      blas::solve_strip<T, typename Policy::solve>(triangle, false, form.backward ? X.reversed() : X, one,
                                                   i == 0 ? ipiv : nullptr, memory);
    }
    if (!updates || (k == 0 && !product)) continue;
    const int end = min(first + SIDES, n2), begin = in_tiles ? item % high * ROWS : 0,
              below = in_tiles ? min(begin + ROWS, m2) : m2;
    const blas::operand_view<T> left(A.A21.A, A.A21.lda, op::none), right(A.A12.A, A.A12.lda, op::none);
#pragma unroll 1
    for (int c = first; c < end; c += COLUMNS) {
#pragma unroll 1
      for (int row = begin; row < below; row += ROWS)
        blas::multiply_tile<T, typename Policy::update>(left, right, {A.A22.A, m2, end, A.A22.lda}, k,
                                                        product ? one : -one, product ? T{} : one, row, c,
                                                        shared_memory<T>());
    }
  }
}

/// Performs one step for all fronts. The pivot blocks A11 are factored before. With form::left, the kernel skips each
/// front with info > 0.
///
/// Thread map  several blocks per front. A block processes a strip of SIDES columns or rows, 16 by each warp. In the
///             step `update`, a block processes a tile
/// Stored      16 TILES unknowns of a strip in registers, the unknowns before them in memory; slabs of L11, U11, A21
///             and A12 in shared memory
/// Barriers    one per slab
/// Source      as strips.cuh and products.cuh
/// Bound by    the tensor units; memory if the fronts have few pivots
template <class T, class Policy, class Source>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    getrf_front_strips(std::int64_t first_block, Source source, const int* info_array, front_step step,
                       int most_parts) {
  source.for_each_part(first_block, most_parts, [&](int b, int part, int parts) {
    const front<T> A = source.front_at(b);
    if (source.how.form == form::left && __ldcg(info_array + b) != 0) return;
    const bool exchanges = step != front_step::divide && source.each.has_ipiv();
    eliminate_in_strips_of<T, Policy>(A, source.how, step, exchanges ? source.each.ipiv[b] : nullptr, part,
                                      parts);
  });
}

template <class Line, pivoting HOW, class Source, class Then>
int front_strips::launch(Source source, int* info, queue q, Then) {
  using T = typename Source::element;
  constexpr front_strips p = Line::kernel;
  using policy = front_strips_policy<p.tiles, p.warps, p.rows, p.columns, p.blocks>;
  const std::int64_t m = source.bounds[0], n = source.bounds[1], count = source.s.count;
  const auto launch_step = [&](front_step step, std::int64_t parts) {
    const int status = source.template launch_parts<getrf_front_strips<T, policy, Source>>(
        parts, dim3(policy::THREADS), policy::template bytes<T>, q, info, step);
    source.s.waits = true;  // the next step reads the results of this step
    return status;
  };
  if (source.how.form == form::lapack) {
    if (const int status = launch_step(front_step::divide, ceil_div<std::int64_t>(m, policy::SIDES)))
      return status;
  }
  // Fewer strips would leave multiprocessors idle, so a second launch updates A22 with a block for each tile.
  constexpr std::int64_t few_strips = 264;
  const std::int64_t strips = ceil_div<std::int64_t>(n, policy::SIDES);
  if (count * strips >= few_strips) return launch_step(front_step::solve_and_update, strips);
  if (const int status = launch_step(front_step::solve, strips)) return status;
  return launch_step(front_step::update, ceil_div<std::int64_t>(m, policy::TILE_ROWS) * strips);
}

#endif

}  // namespace talus::cuda::lu
