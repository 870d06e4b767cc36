// Products of matrices on the tensor units: a block has a tile of C, its warps 16 rows each, while op(B)
// streams by in slabs of 16 terms of the sums.
#pragma once

#include "batch.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#ifdef __CUDACC__
#include "batched/blas/triangle.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/tile.cuh"
#endif

namespace talus::cuda::blas {

/// A line of a table. Every m, n and k.
struct products {
  static constexpr const char* name = "products";

  int tiles = 0;   // of 16 columns of C that a warp has
  int warps = 0;   // of a block: 16 rows of C each
  int blocks = 0;  // of a multiprocessor, for which registers are to do; 0: as many as there are

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
    visit("warps", self.warps);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int, int, int, const element& e, const gpu_limits&) const {
    if (tiles != 1 && tiles != 2 && tiles != 4) return "tiles is none of 1, 2, 4";
    if (warps < 1 || warps > 8) return "warps is not between 1 and 8";
    if (blocks < 0 || blocks > 32) return "blocks is not between 0 and 32";
    if (e.registers() * 8 * tiles > 64) return "a warp's tiles need more registers than there are";
    return nullptr;
  }

  /// Launches the kernel of a line for the products of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<products> space() {
    return {{{"tiles", {1, 2, 4}, "as many as registers hold"},
             {"warps", {1, 2, 4, 8}, "of a block"},
             {"blocks", {0, 2, 3, 4}, "of a multiprocessor"}},
            1,
            any_extent,
            "every n",
            [](const products& k, int n) { return 16 * k.tiles < 2 * n + 16 && 16 * k.warps < 2 * n + 16; },
            "no larger tiles than matrices"};
  }
};

#ifdef __CUDACC__

/// What the kernel is compiled for.
template <int TILES_, int WARPS_, int BLOCKS_>
struct products_policy {
  static constexpr int TILES = TILES_, WARPS = WARPS_, THREADS = 32 * WARPS_, BLOCKS = BLOCKS_, STAGES = 3;
  static constexpr int ROWS = 16 * WARPS_, COLUMNS = 16 * TILES_;  // of a block's tile
};

/// op(X), whose element (i, j), or its conjugate, lies at first[i * row + j * column].
template <class T>
struct operand_view {
  const T* first;
  std::ptrdiff_t row, column;
  bool conjugated;

  __device__ operand_view(const matrix<const T>& X, op of)
      : first(X.A),
        row(of == op::none ? 1 : X.lda),
        column(of == op::none ? X.lda : 1),
        conjugated(of == op::conj_trans) {}
};

/// Of C <- alpha op(A) op(B) + beta C the tile from (i0, j0) on, by a block; k terms of each sum. The tensor
/// units multiply by the conjugate of what is op(B): where it is not that itself, all is conjugated until the
/// end.
template <class T, class Policy>
__device__ __forceinline__ void multiply_tile(const operand_view<T>& A, const operand_view<T>& B,
                                              const matrix<T>& C, int k, T alpha, T beta, int i0, int j0,
                                              T* shared) {
  constexpr int TILES = Policy::TILES, STAGES = Policy::STAGES;
  const tile_lane my(static_cast<int>(threadIdx.x) % 32);
  const int row = i0 + 16 * (static_cast<int>(threadIdx.x) / 32) + my.row;
  const bool conjugated = !B.conjugated, conjugate_A = A.conjugated != conjugated;
  slab_ring<T, TILES, Policy::THREADS, STAGES> ring(shared, B.column, B.row);
  const facing_lane<T> facing(ring.layout, my);
  const T* const first_of_B = B.first + j0 * B.column;
  const auto copy = [&](int l0) {
    if (l0 >= k) return ring.copy_nothing();
    ring.copy(first_of_B + l0 * B.row, {C.n - j0, k - l0});
  };
  const T* const first_of_A = A.first + row * A.row + my.t * A.column;
  const auto load = [&](square<T>& a, int l0) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int l = l0 + 8 * h + e % 2 * 4, below = e / 2 * 8;
        T x = {};
        if (row + below < C.m && l + my.t < k) x = first_of_A[below * A.row + l * A.column];
        a.half[h].x[e] = conjugate_A ? conj(x) : x;
      }
    }
  };
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) copy(square_order * s);
  square<T> sum[TILES] = {}, a;
  load(a, 0);
  for (int l0 = 0; l0 < k; l0 += square_order) {
    const left_factor<T> left[2] = {as_left(a.half[0]), as_left(a.half[1])};
    if (l0 + square_order < k) load(a, l0 + square_order);
    const T* const slab = ring.next();
    copy(l0 + square_order * (STAGES - 1));
#pragma unroll
    for (int c = 0; c < TILES; ++c) add_product(sum[c], left, facing(ring.tile(slab, c)));
  }
  wait_for_groups<0>();
  __syncthreads();
  const bool reads = !is_zero(beta);
#pragma unroll
  for (int c = 0; c < TILES; ++c) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int i = row + e / 2 * 8, j = j0 + 16 * c + 8 * h + my.t + e % 2 * 4;
        if (i >= C.m || j >= C.n) continue;
        const T x = sum[c].half[h].x[e];
        T result = product(conjugated ? conj(x) : x, alpha);
        if (reads) multiply_add(result, beta, C(i, j));
        C(i, j) = result;
      }
    }
  }
}

/// What products are asked for beside their matrices.
template <class T>
struct product_plan {
  op of_A, of_B;
  T alpha, beta;
};

/// C <- alpha op(A) op(B) + beta C
///
/// Thread map  a block per product, one tile of C after the other; a warp per 16 rows
/// Stored      a warp's part of C in registers, slabs of op(B) in shared memory
/// Barriers    one per slab
/// Info        0; null: nobody asks
/// Source      BLAS's xGEMM
/// Bound by    the tensor units, for small sizes memory
template <class T, class Policy, class Source>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    multiply_in_tiles(std::int64_t first_block, Source source, int* info_array, product_plan<T> plan) {
  source.template for_each_of_block<Policy>(
      first_block,
      [&](std::int64_t b, const matrix<const T>& A, const matrix<const T>& B, const matrix<T>& C, int k) {
        if (threadIdx.x == 0 && info_array != nullptr) info_array[b] = 0;
        const operand_view<T> left(A, plan.of_A), right(B, plan.of_B);
        const int terms = is_zero(plan.alpha) ? 0 : k;
        for (int j = 0; j < C.n; j += Policy::COLUMNS) {
          for (int i = 0; i < C.m; i += Policy::ROWS)
            multiply_tile<T, Policy>(left, right, C, terms, plan.alpha, plan.beta, i, j, shared_memory<T>());
        }
      });
}

template <class Line, auto FORM, class Source, class Then>
int products::launch(Source source, int* info, queue q, Then plan) {
  using T = typename Source::element;
  using policy = products_policy<Line::kernel.tiles, Line::kernel.warps, Line::kernel.blocks>;
  constexpr std::size_t bytes =
      slab_ring<T, policy::TILES, policy::THREADS, policy::STAGES>::elements * sizeof(T);
  return source.template launch<multiply_in_tiles<T, policy, Source>>(dim3(policy::THREADS), bytes, q, info,
                                                                      plan);
}

#endif

}  // namespace talus::cuda::blas
