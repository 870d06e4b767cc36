// Inverses in shared memory: all of the matrix is there, as tiles of 16 x 16, a row of which is a warp's.
#pragma once

#include "batched/blas/pieces/diagonal_tile.cuh"
#include "batched/blas/pieces/inverse_step.cuh"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/triangle.cuh"
#include "batched/blas/solve_plan.hpp"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda::blas {

/// Where the tiles of a matrix are, those of its lower triangle or all, and what is beside them.
template <class T, bool CHOLESKY>
struct inverse_tiles {
  T* const shared;
  const int n, count;  // count: rows of tiles
  int* const place;    // of each column of the inverse; n integers
  int& first_bad;      // on the diagonal, or n
  bool* const tame;    // of each tile on the diagonal
  const tile_layout<T> layout;
  const tile_lane my;
  const int row;               // of tiles, this warp's
  const tile_places<T> lying;  // a tile's elements as they are
  const tile_places<T> transposed;

  TALUS_HOST_DEVICE static constexpr int tiles(int count) {
    return CHOLESKY ? count * (count + 1) / 2 : count * count;
  }
  /// Of shared memory.
  static constexpr std::size_t bytes(int n) {
    const int count = ceil_div(n, square_order);
    return static_cast<std::size_t>(tiles(count) * square_elements + count * diagonal_tile<T>::elements) *
               sizeof(T) +
           static_cast<std::size_t>((square_order + 1) * count + 1) * sizeof(int);
  }

  /// by_columns: columns are consecutive in memory.
  __device__ inverse_tiles(int n_, bool by_columns)
      : shared(shared_memory<T>()),
        n(n_),
        count(ceil_div(n_, square_order)),
        place(reinterpret_cast<int*>(tile(0, 0) + tiles(count) * square_elements)),
        first_bad(place[square_order * count]),
        tame(reinterpret_cast<bool*>(place + square_order * count + 1)),
        layout{by_columns, false},
        my(static_cast<int>(threadIdx.x) % 32),
        row(static_cast<int>(threadIdx.x) / 32),
        lying(layout, my),
        transposed(tile_layout<T>{!by_columns, false}, my) {}

  __device__ T* tile(int r, int c) const {
    return shared + count * diagonal_tile<T>::elements +
           (CHOLESKY ? r * (r + 1) / 2 + c : r * count + c) * square_elements;
  }
  __device__ diagonal_tile<T> diagonal(int J) const { return {shared + J * diagonal_tile<T>::elements}; }
};

/// X <- W M^-1 in place, a column of tiles after the other. Rows of X depend on themselves alone, and on M:
/// every warp has one.
template <inverse_step STEP, class T, bool CHOLESKY>
__device__ __forceinline__ void solve_from_right(const inverse_tiles<T, CHOLESKY>& X) {
  constexpr bool upper = STEP == inverse_step::of_upper, whole = STEP == inverse_step::then_lower;
  const tile_lane& my = X.my;
  const int r = X.row, count = X.count;
  const auto on_diagonal = [&](int J) {
    return turned_diagonal{in_tile<T>{X.tile(J, J), X.layout}, whole, CHOLESKY, X.n - square_order * J};
  };
  if (r < count) {
    const bool is_tame = X.diagonal(r).put(on_diagonal(r), !upper, my);
    if (my.lane == 0) X.tame[r] = is_tame;
  }
#pragma unroll 1
  for (int step = 0; step < count; ++step) {
    const int J = upper ? step : count - 1 - step;
    const bool works = r < count && (whole || (upper ? r <= J : r >= J));
    square<T> a = {};  // minus W, then X
    if (works) {
      if (whole && r <= J) {
        a = X.lying.get(X.tile(r, J));
        if (r == J) keep_upper(a, my);
        for_each_of(a, my, [](T& x, int, int) { x = -x; });
      }
      if (!whole && r == J) {
        for_each_of(a, my, [](T& x, int i, int k) { x = from_real<T>(i == k ? -1 : 0); });
      }
      const int begin = upper ? r : J + 1, end = upper ? J : whole ? count : r + 1;
#pragma unroll 1
      for (int K = begin; K < end; ++K) {
        square<T> x = X.lying.get(X.tile(r, K));
        if (upper && K == r) keep_upper(x, my);
        const left_factor<T> left[2] = {as_left(x.half[0]), as_left(x.half[1])};
        add_product_with(a, left, X.tile(K, J), X.transposed, my);
      }
    }
    __syncthreads();  // column J of M has been read; tiles on the diagonal are prepared
    const bool is_tame = X.tame[J];
    if (works) {
      if (is_tame) {
        X.diagonal(J).solve(a, !upper, my);
      } else {
        square<T> x = a;
        substitute_turned(x, on_diagonal(J), !upper);
        a = x;
      }
    }
    if (!is_tame) __syncthreads();
    if (works) {
      T* const to = X.tile(r, J);
      if (upper && r == J) {
        for_each_of(a, my, [&](const T& x, int i, int k) {
          if (i <= k) to[X.layout(i, k)] = x;
        });
      } else {
        if (!whole && r == J) keep_lower(a, my);
        X.lying.put(to, a);
      }
    }
    __syncwarp();
  }
}

/// C <- lower triangle of Y^H Y, where Y is a lower triangle; tiles of C are dealt to the warps.
template <class T>
__device__ __forceinline__ void store_product(const inverse_tiles<T, true>& Y, const square_view<T>& C) {
  const tile_lane& my = Y.my;
  const int warps = static_cast<int>(blockDim.x) / 32;
  int i = 0, j = Y.row;
#pragma unroll 1
  while (true) {
    while (j > i) j -= ++i;
    if (i >= Y.count) break;
    square<T> a = {};
#pragma unroll 1
    for (int K = i; K < Y.count; ++K) {
      const square<T> x = Y.transposed.get(Y.tile(K, i));
      const left_factor<T> left[2] = {as_left(x.half[0]), as_left(x.half[1])};
      add_product(a, left, Y.transposed(Y.tile(K, j)));
    }
    for_each_of(a, my, [&](const T& x, int s, int k) {
      const int p = square_order * i + s, q = square_order * j + k;
      if (q <= p && p < C.n) C(p, q) = p == q ? from_real<T>(real(x)) : conj(x);
    });
    j += warps;
  }
}

/// Column j of X becomes column place[j] of C, 16 rows by each warp.
template <class T>
__device__ __forceinline__ void store_exchanged(const inverse_tiles<T, false>& X, const square_view<T>& C) {
  const int i = X.my.lane % square_order, c0 = X.my.lane / square_order;
  if (X.row >= X.count || square_order * X.row + i >= X.n) return;
#pragma unroll 1
  for (int J = 0; J < X.count; ++J) {
    const T* const tile = X.tile(X.row, J);
#pragma unroll
    for (int c = c0; c < square_order; c += 2) {
      if (square_order * J + c < X.n)
        C(square_order * X.row + i, X.place[square_order * J + c]) = tile[tile_layout<T>::place_of(c, i)];
    }
  }
}

/// C <- A^-1, unless a diagonal element of the factors that A holds is bad, which *info says if it is not
/// null. By a block that has a warp for 16 rows of A at least.
template <class T, bool CHOLESKY>
__device__ __forceinline__ void invert_in_tiles(const solve_plan<T>& plan, const matrix<const T>& A,
                                                const matrix<T>& C, const int* ipiv, int* info) {
  const bool turns = CHOLESKY && plan.part == written::upper;  // an upper triangle is a lower one, transposed
  const square_view<const T> factors = turns ? transposed(as_it_is(A)) : as_it_is(A);
  const square_view<T> result = turns ? transposed(as_it_is(C)) : as_it_is(C);
  const inverse_tiles<T, CHOLESKY> X(A.n, !turns);
  const int r = X.row, lane = X.my.lane;

  if (r < X.count) {
#pragma unroll 1
    for (int c = 0; c < (CHOLESKY ? r + 1 : X.count); ++c) {
      const int rows = X.n - square_order * r, columns = X.n - square_order * c;
      copy_tile_async<32>(X.tile(r, c), factors.at(square_order * r, square_order * c),
                          turns ? factors.row : factors.column, turns ? columns : rows,
                          turns ? rows : columns, lane);
    }
    close_group();
  }
  if (threadIdx.x == 0) X.first_bad = X.n;
  if (const int i = static_cast<int>(threadIdx.x); !CHOLESKY && i < X.n)
    X.place[i] = exchanged_row(i, ipiv, X.n);
  wait_for_groups<0>();
  __syncthreads();
  if (const int i = square_order * r + lane; lane < square_order && i < X.n) {
    if (is_bad(plan.bad, X.tile(r, r)[X.layout(lane, lane)]) || is_illegal_pivot(ipiv, i, X.n))
      atomicMin(&X.first_bad, i);
  }
  __syncthreads();
  const int bad = X.first_bad;
  if (threadIdx.x == 0 && info != nullptr) *info = bad < X.n ? bad + 1 : 0;
  if (bad < X.n) return;

  if constexpr (CHOLESKY) {
    solve_from_right<inverse_step::of_lower>(X);
    __syncthreads();
    store_product(X, result);
  } else {
    solve_from_right<inverse_step::of_upper>(X);
    __syncthreads();
    solve_from_right<inverse_step::then_lower>(X);
    __syncwarp();
    store_exchanged(X, result);
  }
}

/// C <- A^-1 from the factors that A holds; C may be A itself.
///
/// Thread map  a block per matrix, a warp per 16 rows
/// Stored      the matrix in shared memory; 16 x 16 elements of a warp in registers
/// Barriers    four per matrix; one per 16 columns of each solve, two where the tile there is not tame
/// Info        j > 0: diagonal element or pivot j is bad, C untouched; null: nobody asks
/// Source      LAPACK's xPOTRI and xGETRI: the inverse of a triangle; then L^-H L^-1, or U^-1 L^-1
/// Bound by    waits at barriers: the last rows of L^-1, the first ones of U^-1, have the most to do
template <class T, int MOST_WARPS, bool CHOLESKY, class Systems>
__global__ void __launch_bounds__(32 * MOST_WARPS, 1)
    invert_tiles(std::int64_t first_block, Systems systems, int* info_array, solve_plan<T> plan) {
  systems.for_each_whole(first_block, [&](std::int64_t b, const matrix<const T>& A, const matrix<T>& C) {
    invert_in_tiles<T, CHOLESKY>(plan, A, C, plan.ipiv[b], info_array != nullptr ? info_array + b : nullptr);
  });
}

}  // namespace talus::cuda::blas
