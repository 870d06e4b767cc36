// The kernels of products.hpp.
#pragma once

#include "batched/blas/families/products.hpp"
#include "batched/blas/pieces/triangle.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda::blas {

/// C <- alpha op(A) op(B) + beta C of one product, and which of its parts; without work m is 0.
template <class T>
struct one_product {
  const T *A, *B;
  matrix<T> C;
  int lda, ldb, k, part;

  /// What was kept in shared memory, in registers, with addresses that are known to be of global memory.
  __device__ one_product kept() const {
    one_product p = *this;
    p.A = global(A);
    p.B = global(B);
    p.C.A = global(C.A);
    return p;
  }

 private:
  template <class E>
  __device__ static E* global(E* p) {
    return static_cast<E*>(__cvta_global_to_generic(__cvta_generic_to_global(p)));
  }
};

/// op(X), whose element (i, j), or its conjugate, lies at first[i * row + j * column].
template <class T>
struct operand_view {
  const T* first;
  std::ptrdiff_t row, column;
  bool conjugated;

  __device__ operand_view(const T* X, int ld, op of)
      : first(X),
        row(of == op::none ? 1 : ld),
        column(of == op::none ? ld : 1),
        conjugated(of == op::conj_trans) {}

  __device__ operand_view transposed() const {
    operand_view X = *this;
    X.row = column;
    X.column = row;
    return X;
  }
};

/// What products are asked for beside their matrices.
template <class T>
struct product_plan {
  op of_A, of_B;
  T alpha, beta;
};

/// Asks for what will be read of C, before it is.
template <int HIGH, int WIDE, int THREADS, class T>
__device__ __forceinline__ void prefetch_tile(const matrix<T>& C, int i0, int j0) {
  constexpr int LINE = 64 / static_cast<int>(sizeof(T)), OF_COLUMN = square_order * HIGH / LINE;
#pragma unroll 1
  for (int p = static_cast<int>(threadIdx.x); p < OF_COLUMN * square_order * WIDE; p += THREADS) {
    const int i = i0 + p % OF_COLUMN * LINE, j = j0 + p / OF_COLUMN;
    if (i < C.m && j < C.n) asm volatile("prefetch.global.L2 [%0];" ::"l"(&C(i, j)));
  }
}

// The tensor units multiply by the conjugate of what is op(B): where it is not that itself, all is conjugated
// until the end.

/// A column of N tiles of C, whose first element is (i0, j0): work(r, h, e, address, exists) for each element
/// of a lane, element e of half h of tile r.
template <int N, class T, class Work>
__device__ __forceinline__ void for_each_of_tiles(const matrix<T>& C, int i0, int j0, const tile_lane& my,
                                                  Work work) {
  const int rows = C.m - i0 - my.row, columns = C.n - j0 - my.t;
  T* const first = C.A + (i0 + my.row) + static_cast<std::ptrdiff_t>(j0 + my.t) * C.lda;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    if (j0 + 4 * c >= C.n) break;
    T* const column = first + static_cast<std::ptrdiff_t>(4 * c) * C.lda;
#pragma unroll
    for (int r = 0; r < 2 * N; ++r)
      work(r / 2, c / 2, r % 2 * 2 + c % 2, column + 8 * r, 8 * r < rows & 4 * c < columns);
  }
}

/// alpha sum + beta C for N tiles of C. All is read before any is written: else each element would wait for
/// the one before.
template <int N, class T>
__device__ __forceinline__ void read_tiles(square<T> (&before)[N], const matrix<T>& C, T beta, int i0, int j0,
                                           const tile_lane& my) {
  if (is_zero(beta)) return;
  for_each_of_tiles<N>(C, i0, j0, my, [&](int r, int h, int e, const T* at, bool exists) {
    if (exists) before[r].half[h].x[e] = *at;
  });
}
template <int N, class T, class Sum>
__device__ __forceinline__ void write_tiles(Sum sum, const square<T> (&before)[N], const matrix<T>& C,
                                            T alpha, T beta, bool conjugated, int i0, int j0,
                                            const tile_lane& my) {
  const bool reads = !is_zero(beta);
  for_each_of_tiles<N>(C, i0, j0, my, [&](int r, int h, int e, T* at, bool exists) {
    const T x = sum(r).half[h].x[e];
    T result = product(conjugated ? conj(x) : x, alpha);
    if (reads) multiply_add(result, beta, before[r].half[h].x[e]);
    if (exists) *at = result;
  });
}

// ---- a tile by a block ---------------------------------------------------------------------------

/// What the kernel is compiled for.
template <int ROWS_, int COLUMNS_, int DOWN_, int ACROSS_, int BLOCKS_>
struct products_policy {
  static constexpr int ROWS = ROWS_, COLUMNS = COLUMNS_, DOWN = DOWN_, ACROSS = ACROSS_, BLOCKS = BLOCKS_;
  static constexpr int STAGES = products::stages, THREADS = 32 * DOWN * ACROSS;
  static constexpr int HIGH = ROWS * DOWN, WIDE = COLUMNS * ACROSS;  // a block's tiles
  template <class T>
  using left_ring = slab_ring<T, HIGH, THREADS, STAGES>;
  template <class T>
  using right_ring = slab_ring<T, WIDE, THREADS, STAGES>;
};

/// Of C <- alpha op(A) op(B) + beta C the tile from (i0, j0) on, by a block; k terms of each sum.
template <class T, class Policy>
__device__ __forceinline__ void multiply_tile(const operand_view<T>& A, const operand_view<T>& B,
                                              const matrix<T>& C, int k, T alpha, T beta, int i0, int j0,
                                              T* shared) {
  constexpr int ROWS = Policy::ROWS, COLUMNS = Policy::COLUMNS, STAGES = Policy::STAGES;
  using left_ring = typename Policy::template left_ring<T>;
  using right_ring = typename Policy::template right_ring<T>;
  const tile_lane my(static_cast<int>(threadIdx.x % 32));
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int high = warp % Policy::DOWN * ROWS, wide = warp / Policy::DOWN * COLUMNS;
  const bool conjugated = !B.conjugated, conjugate_A = A.conjugated != conjugated;
  const bool works = i0 + square_order * high < C.m && j0 + square_order * wide < C.n;
  shared = once(shared);
  left_ring left_slabs(shared, A.row == 1, A.row == 1 ? A.column : A.row);
  right_ring right_slabs(shared + left_ring::elements, B.column == 1, B.column == 1 ? B.row : B.column);
  const tile_places<T> of_left(left_slabs.layout, my), of_right(right_slabs.layout, my);
  const T *const first_of_A = A.first + i0 * A.row, *const first_of_B = B.first + j0 * B.column;
  const auto copy = [&](int l0) {
    if (l0 < k) {
      // What follows from it is computed anew for each slab: kept, it would fill registers.
      const auto thread = static_cast<unsigned>(recomputed(static_cast<int>(threadIdx.x)));
      left_slabs.fetch(first_of_A + l0 * A.column, {C.m - i0, k - l0}, thread);
      right_slabs.fetch(first_of_B + l0 * B.row, {C.n - j0, k - l0}, thread);
    }
    left_slabs.advance();
    right_slabs.advance();
    close_group();
  };
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) copy(square_order * s);
  if (!is_zero(beta)) prefetch_tile<Policy::HIGH, Policy::WIDE, Policy::THREADS>(C, i0, j0);
  square<T> sum[ROWS][COLUMNS] = {};
  for (int l0 = 0; l0 < k; l0 += square_order) {
    wait_for_groups<STAGES - 2>();
    __syncthreads();
    const T *const left_slab = once(left_slabs.oldest()), *const right_slab = once(right_slabs.oldest());
    copy(l0 + square_order * (STAGES - 1));
    if (!works) continue;
    left_factor<T> left[ROWS][2];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      square<T> a = of_left.get(left_slabs.tile(left_slab, high + r));
#pragma unroll
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (T& x : a.half[h].x) x = conjugate_A ? conj(x) : x;
        left[r][h] = as_left(a.half[h]);
      }
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
      const facing_square<T> right = of_right(right_slabs.tile(right_slab, wide + c));
#pragma unroll
      for (int r = 0; r < ROWS; ++r) add_product(sum[r][c], left[r], right);
    }
  }
  wait_for_groups<0>();
  __syncthreads();
  if (!works) return;
#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) {
    const int i = i0 + square_order * high, j = j0 + square_order * (wide + c);
    square<T> before[ROWS] = {};
    read_tiles(before, C, beta, i, j, my);
    write_tiles([&](int r) -> const square<T>& { return sum[r][c]; }, before, C, alpha, beta, conjugated, i,
                j, my);
  }
}

/// C <- alpha op(A) op(B) + beta C
///
/// Thread map  a block per tile of C, one tile after the other of its part of the product
/// Stored      a warp's part of C in registers, slabs of op(A) and op(B) in shared memory
/// Barriers    one per slab
/// Info        0; null: nobody asks
/// Source      BLAS's xGEMM
/// Bound by    the tensor units, for small sizes memory
template <class T, class Policy, class Source>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    multiply_in_tiles(std::int64_t first_block, Source source, int* info_array, product_plan<T> plan,
                      int parts, int each) {
  source.template for_each_product<Policy::THREADS, 1>(
      first_block, info_array, parts, each, [&](const one_product<T>& known) {
        const one_product<T> one = known.kept();
        const operand_view<T> A(one.A, one.lda, plan.of_A), B(one.B, one.ldb, plan.of_B);
        const matrix<T> C = one.C;
        const int k = is_zero(plan.alpha) ? 0 : one.k;
        constexpr int ROWS = square_order * Policy::HIGH, COLUMNS = square_order * Policy::WIDE;
        const int high = ceil_div(C.m, ROWS), tiles = high * ceil_div(C.n, COLUMNS);
        for (int tile = one.part; tile < tiles; tile += parts)
          multiply_tile<T, Policy>(A, B, C, k, plan.alpha, plan.beta, tile % high * ROWS,
                                   tile / high * COLUMNS, shared_memory<T>());
      });
}

template <class Line, auto FORM, class Source, class Then>
int products::launch(Source source, int* info, queue q, Then plan) {
  using T = typename Source::element;
  constexpr products line = Line::kernel;
  using policy = products_policy<line.rows, line.columns, line.down, line.across, line.blocks>;
  constexpr std::size_t bytes = line.bytes(element_of_type<T>);
  return source.template launch<multiply_in_tiles<T, policy, Source>, 1>(
      dim3(policy::THREADS), bytes, line.parts, 16 * policy::HIGH, 16 * policy::WIDE, q, info, plan);
}

// ---- a product by a warp -------------------------------------------------------------------------

template <int BLOCKS_>
struct small_products_policy {
  static constexpr int WARPS = 4, BLOCKS = BLOCKS_;
};

/// Of op(X) columns l ... l + 7, of which so many rows and columns exist; the rest is zero.
template <class T>
__device__ __forceinline__ tile<T> load_tile(const operand_view<T>& X, int l, int rows, int columns,
                                             const tile_lane& my) {
  tile<T> a;
  const T* const first = X.first + my.row * X.row + (l + my.t) * X.column;
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const int below = e / 2 * 8, beside = e % 2 * 4;
    if (my.row + below < rows & my.t + beside < columns) a.x[e] = first[below * X.row + beside * X.column];
  }
  return a;
}

/// The same by a warp that has all of C. All it needs of 16 terms comes at once, and what it asks first of C.
template <class T>
__device__ __forceinline__ void multiply_by_warp(const operand_view<T>& A, const operand_view<T>& B,
                                                 const matrix<T>& C, int k, T alpha, T beta) {
  const tile_lane my(static_cast<int>(threadIdx.x));
  const bool conjugated = !B.conjugated, conjugate_A = A.conjugated != conjugated;
  const operand_view<T> right_view = B.transposed();
  square<T> sum = {}, before[1] = {};
  read_tiles(before, C, beta, 0, 0, my);
  for (int l0 = 0; l0 < k; l0 += square_order) {
    square<T> a, b, terms = {};
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int l = l0 + 8 * h;
      if (l >= k) break;
      a.half[h] = load_tile(A, l, C.m, k - l, my);
      b.half[h] = load_tile(right_view, l, C.n, k - l, my);
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      if (l0 + 8 * h >= k) break;
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        if (conjugate_A) a.half[h].x[e] = conj(a.half[h].x[e]);
      }
      const left_factor<T> left = as_left(a.half[h]);
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        if (8 * c >= C.n) break;
        right_factor<T> right;
#pragma unroll
        for (int e = 0; e < 2; ++e) right.set(e, b.half[h].x[2 * c + e]);
        multiply_add(terms.half[c], left, right);
      }
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) sum.half[h].x[e] = sum.half[h].x[e] + terms.half[h].x[e];
    }
  }
  write_tiles([&](int) -> const square<T>& { return sum; }, before, C, alpha, beta, conjugated, 0, 0, my);
}

/// C <- alpha op(A) op(B) + beta C
///
/// Thread map  a warp per product
/// Stored      all in registers, where the tensor units want it
/// Barriers    none
/// Info        0; null: nobody asks
/// Source      BLAS's xGEMM
/// Bound by    memory, for the smallest sizes instructions
template <class T, class Policy, class Source>
__global__ void __launch_bounds__(32 * Policy::WARPS, Policy::BLOCKS)
    multiply_small(std::int64_t first_block, Source source, int* info_array, product_plan<T> plan, int parts,
                   int each) {
  source.template for_each_product<32, Policy::WARPS>(
      first_block, info_array, parts, each, [&](const one_product<T>& known) {
        const one_product<T> one = known.kept();
        if (one.C.m == 0) return;
        multiply_by_warp<T>({one.A, one.lda, plan.of_A}, {one.B, one.ldb, plan.of_B}, one.C,
                            is_zero(plan.alpha) ? 0 : one.k, plan.alpha, plan.beta);
      });
}

template <class Line, auto FORM, class Source, class Then>
int small_products::launch(Source source, int* info, queue q, Then plan) {
  using T = typename Source::element;
  using policy = small_products_policy<Line::kernel.blocks>;
  return source.template launch<multiply_small<T, policy, Source>, policy::WARPS>(dim3(32, policy::WARPS), 0,
                                                                                  1, 16, 16, q, info, plan);
}

}  // namespace talus::cuda::blas
