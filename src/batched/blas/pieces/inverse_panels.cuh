// Inverses in place, panel by panel: shared memory has a panel of columns while every warp goes through its
// rows of the matrix, 16 at a time.
#pragma once

#include "batch.hpp"
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

/// Compile-time parameters of a kernel. A panel has TILES tiles of 16 columns. The blocks of a multiprocessor
/// have MOST_WARPS warps in total, which share its registers.
template <int TILES_, int MOST_WARPS, int AHEAD_>
struct panels_kernel {
  static constexpr int TILES = TILES_, MOST_THREADS = 32 * MOST_WARPS;
  static constexpr int AHEAD = AHEAD_;  // tiles that a warp loads in advance
};

/// Returns the bytes of shared memory of a block for a panel of `tiles` tiles of 16 columns.
template <class T>
TALUS_HOST_DEVICE constexpr std::size_t panel_bytes(int n, int tiles) {
  const auto rows = static_cast<std::size_t>(square_order) * ceil_div(n, square_order);
  const auto across = static_cast<std::size_t>(tiles);
  return (rows * square_order * across + 2 * across * diagonal_tile<T>::elements) * sizeof(T) +
         (rows + 2 * across) * sizeof(int);
}

/// The panel that a block has in shared memory, and what is beside it.
template <class T, class Policy>
struct inverse_panel {
  static constexpr int TILES = Policy::TILES, diagonals = 2 * TILES * diagonal_tile<T>::elements;
  T* const shared;
  const int n, count;  // count: rows of tiles of the matrix
  int* const place;    // of each column of the inverse
  bool* const tame;    // of the tiles on the diagonal, those of this panel and of the next one
  const tile_layout<T> layout;
  const tile_lane my;
  const int warp, warps;
  const tile_places<T> transposed;

  /// by_columns: columns are consecutive in memory.
  __device__ inverse_panel(int n_, bool by_columns)
      : shared(shared_memory<T>()),
        n(n_),
        count(ceil_div(n_, square_order)),
        place(reinterpret_cast<int*>(shared + diagonals + count * TILES * square_elements)),
        tame(reinterpret_cast<bool*>(place + square_order * count)),
        layout{by_columns, false},
        my(static_cast<int>(threadIdx.x) % 32),
        warp(static_cast<int>(threadIdx.x) / 32),
        warps(static_cast<int>(blockDim.x) / 32),
        transposed(tile_layout<T>{!by_columns, false}, my) {}

  /// Tile (k, c), counted from the panel's first.
  __device__ T* tile(int k, int c) const { return shared + diagonals + (k * TILES + c) * square_elements; }
  /// On the diagonal, tile column J + c of the matrix.
  __device__ int slot(int J, int c) const { return J / TILES % 2 * TILES + c; }
  __device__ diagonal_tile<T> diagonal(int slot) const {
    return {shared + slot * diagonal_tile<T>::elements};
  }

  /// Rows of tiles top ... end - 1 of tile columns J ... of M, as they are; what does not exist is zero. They
  /// are there after wait_for_groups<0> and a barrier.
  __device__ __forceinline__ void fill(const square_view<const T>& M, int J, int top, int end) const {
#pragma unroll 1
    for (int e = warp; e < (end - top) * TILES; e += warps) {
      const int i = square_order * (top + e / TILES), k = square_order * (J + e % TILES);
      const int rows = n - i, columns = n - k;
      copy_tile_async<32>(tile(e / TILES, e % TILES), M.at(i, k), layout.by_columns ? M.column : M.row,
                          layout.by_columns ? rows : columns, layout.by_columns ? columns : rows, my.lane);
    }
    close_group();
  }

  /// Rows of tiles are dealt from the last one up, forth and back, so that each warp has long and short ones.
  template <class Work>
  __device__ __forceinline__ void for_each_row(Work work) const {
#pragma unroll 1
    for (int round = 0; round * warps < count; ++round) {
      const int from_last = round * warps + (round % 2 == 0 ? warp : warps - 1 - warp);
      if (from_last < count) work(count - 1 - from_last);
    }
  }
};

/// A warp's elements of tile (r, K) of a matrix in memory: zero where exists(i, k) does not hold. whole: it
/// holds for all of them.
template <class T, class Exists>
__device__ __forceinline__ void load_tile(square<T>& a, const square_view<T>& M, int r, int K, bool whole,
                                          const tile_lane& my, Exists exists) {
  const T* const corner = M.at(square_order * r + my.row, square_order * K + my.t);
  const auto element = [&](int e) {
    return corner[e % 4 / 2 * 8 * M.row + (e / 4 * 8 + e % 2 * 4) * M.column];
  };
  if (whole) {
#pragma unroll
    for (int e = 0; e < 8; ++e) a.half[e / 4].x[e % 4] = element(e);
  } else {
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      const int i = square_order * r + my.row + e % 4 / 2 * 8,
                k = square_order * K + my.t + e / 4 * 8 + e % 2 * 4;
      a.half[e / 4].x[e % 4] = T{};
      if (exists(i, k)) a.half[e / 4].x[e % 4] = element(e);
    }
  }
}

/// work(left, K) for K = first ... end - 1, where load(x, K) brings the left factor; AHEAD of them are on
/// their way.
template <class T, int AHEAD, class Load, class Work>
__device__ __forceinline__ void for_each_left(int first, int end, Load load, Work work) {
  square<T> next[AHEAD];
#pragma unroll
  for (int ahead = 0; ahead < AHEAD; ++ahead) {
    if (first + ahead < end) load(next[ahead], first + ahead);
  }
#pragma unroll 1
  for (int K0 = first; K0 < end; K0 += AHEAD) {
#pragma unroll
    for (int ahead = 0; ahead < AHEAD; ++ahead) {
      const int K = K0 + ahead;
      if (K >= end) break;
      const left_factor<T> left[2] = {as_left(next[ahead].half[0]), as_left(next[ahead].half[1])};
      if (K + AHEAD < end) load(next[ahead], K + AHEAD);
      work(left, K);
    }
  }
}

/// Elements of a tile on the diagonal of a matrix in memory, from row k0 on.
template <class T>
struct in_memory {
  using type = T;
  const square_view<const T>& M;
  int k0;
  __device__ T operator()(int i, int k) const { return M(k0 + i, k0 + k); }
};

/// X <- W M^-1, panel by panel; M may be in X's place. CHOLESKY: elements of the diagonal are real.
template <inverse_step STEP, bool CHOLESKY, class T, class Policy>
__device__ __forceinline__ void solve_from_right(const square_view<T>& X, const square_view<const T>& M,
                                                 const inverse_panel<T, Policy>& panel) {
  constexpr bool upper = STEP == inverse_step::of_upper, whole = STEP == inverse_step::then_lower;
  constexpr int TILES = Policy::TILES;
  const tile_lane& my = panel.my;
  const int n = X.n, count = panel.count, last = (count - 1) / TILES * TILES;
  const auto prepare = [&](int J) {
#pragma unroll 1
    for (int c = panel.warps - 1 - panel.warp; c < TILES && J + c < count; c += panel.warps) {
      const int k0 = square_order * (J + c), slot = panel.slot(J, c);
      const bool is_tame =
          panel.diagonal(slot).put(turned_diagonal{in_memory<T>{M, k0}, whole, CHOLESKY, n - k0}, !upper, my);
      if (my.lane == 0) panel.tame[slot] = is_tame;
    }
  };

  prepare(upper ? 0 : last);
#pragma unroll 1
  for (int step = 0; step <= last; step += TILES) {
    const int J = upper ? step : last - step, top = upper ? 0 : J,
              end = upper ? min(J + TILES, count) : count;
    __syncthreads();  // no warp needs the panel before it
    panel.fill(M, J, top, end);
    wait_for_groups<0>();
    __syncthreads();
    panel.for_each_row([&](int r) {
      if (!whole && (upper ? r >= J + TILES : r < J)) return;
      square<T> a[TILES];  // minus W, then X
#pragma unroll
      for (int c = 0; c < TILES; ++c) {
        if (whole) load_tile(a[c], X, r, J + c, false, my, [&](int i, int k) { return i <= k && k < n; });
        for_each_of(a[c], my, [&](T& x, int i, int k) {
          x = whole ? -x : from_real<T>(r == J + c && i == k ? -1 : 0);
        });
      }
      for_each_left<T, Policy::AHEAD>(
          upper ? r : J + TILES,
          upper   ? J
          : whole ? count
                  : r + 1,
          [&](square<T>& x, int K) {
            load_tile(x, X, r, K, max(r, K) < count - 1 && (whole || K != r), my,
                      [&](int i, int k) { return i < n && k < n && (whole || (upper ? i <= k : i >= k)); });
          },
          [&](const left_factor<T>(&left)[2], int K) {
#pragma unroll
            for (int c = 0; c < TILES; ++c)
              add_product_with(a[c], left, panel.tile(K - top, c), panel.transposed, my);
          });
#pragma unroll
      for (int column = 0; column < TILES; ++column) {
        const int c = upper ? column : TILES - 1 - column;
        if (J + c >= count) continue;
        const int slot = panel.slot(J, c);
        if (panel.tame[slot]) {
          panel.diagonal(slot).solve(a[c], !upper, my);
        } else {
          square<T> x = a[c];
          substitute_turned(x,
                            turned_diagonal{in_tile<T>{panel.tile(J + c - top, c), panel.layout}, whole,
                                            CHOLESKY, n - square_order * (J + c)},
                            !upper);
          a[c] = x;
        }
        const left_factor<T> left[2] = {as_left(a[c].half[0]), as_left(a[c].half[1])};
#pragma unroll
        for (int other = 0; other < TILES; ++other) {
          if ((upper ? other > c : other < c) && J + other < count)
            add_product_with(a[other], left, panel.tile(J + c - top, other), panel.transposed, my);
        }
        for_each_of(a[c], my, [&](const T& x, int i, int k) {
          i += square_order * r;
          k += square_order * (J + c);
          if (i < n && k < n && (whole || (upper ? i <= k : i >= k))) X(i, k) = x;
        });
      }
    });
    if (step < last) prepare(upper ? J + TILES : J - TILES);
  }
}

/// Lower triangle of Y^H Y in place, panel by panel from the left, where Y is a lower triangle.
template <class T, class Policy>
__device__ __forceinline__ void multiply_by_itself(const square_view<T>& Y,
                                                   const inverse_panel<T, Policy>& panel) {
  constexpr int TILES = Policy::TILES;
  const tile_lane& my = panel.my;
  const int n = Y.n, count = panel.count;
  const square_view<T> of_columns = transposed(Y);
#pragma unroll 1
  for (int J = 0; J < count; J += TILES) {
    __syncthreads();
    panel.fill(read_only(Y), J, J, count);
    wait_for_groups<0>();
    __syncthreads();
    panel.for_each_row([&](int r) {
      if (r < J) return;
      square<T> a[TILES] = {};
      for_each_left<T, Policy::AHEAD>(
          r, count,
          [&](square<T>& x, int K) {
            if (r < J + TILES) {  // which other warps overwrite in memory
              x = panel.transposed.get(panel.tile(K - J, r - J));
              if (K == r) keep_upper(x, my);
            } else {
              load_tile(x, of_columns, r, K, K != r && K < count - 1, my,
                        [&](int i, int k) { return i <= k && k < n; });
            }
          },
          [&](const left_factor<T>(&left)[2], int K) {
#pragma unroll
            for (int c = 0; c < TILES; ++c) {
              if (K < J + c) continue;  // above the diagonal
              square<T> facing = panel.transposed.get(panel.tile(K - J, c));
              if (K == J + c) keep_upper(facing, my);
              add_product(a[c], left, facing_square<T>(facing));
            }
          });
#pragma unroll
      for (int c = 0; c < TILES; ++c) {
        for_each_of(a[c], my, [&](const T& x, int i, int k) {
          i += square_order * r;
          k += square_order * (J + c);
          if (k <= i && i < n) Y(i, k) = i == k ? from_real<T>(real(x)) : conj(x);
        });
      }
    });
  }
}

/// Column j of X becomes column place[j], as many rows at a time as the panel has room for.
template <class T, class Policy>
__device__ __forceinline__ void move_columns(const square_view<T>& X, const inverse_panel<T, Policy>& panel) {
  constexpr int ROWS = square_order * Policy::TILES;
  const int n = X.n;
#pragma unroll 1
  for (int i0 = 0; i0 < n; i0 += ROWS) {
    __syncthreads();
    in_batches<T>(
        ROWS * n, [&](int e) { return i0 + e % ROWS < n ? X(i0 + e % ROWS, e / ROWS) : T{}; },
        [&](int e, const T& x) { panel.tile(0, 0)[e] = x; });
    __syncthreads();
    in_batches<T>(
        ROWS * n, [&](int e) { return panel.tile(0, 0)[e]; },
        [&](int e, const T& x) {
          if (i0 + e % ROWS < n) X(i0 + e % ROWS, panel.place[e / ROWS]) = x;
        });
  }
}

/// C <- A^-1 from the factors that A holds; C may be A itself. By a block.
template <bool CHOLESKY, class T, class Policy>
__device__ __forceinline__ void invert_in_panels(const solve_plan<T>& plan, const matrix<const T>& A,
                                                 const matrix<T>& C, const int* ipiv) {
  const square_view<const T> factors = as_it_is(A);
  const square_view<T> X = as_it_is(C);
  if constexpr (CHOLESKY) {
    const bool turns = plan.part == written::upper;  // an upper triangle is a lower one, transposed
    const square_view<T> L = turns ? transposed(X) : X;
    const inverse_panel<T, Policy> panel(C.n, !turns);
    solve_from_right<inverse_step::of_lower, true>(L, read_only(L), panel);
    multiply_by_itself(L, panel);
  } else {
    const inverse_panel<T, Policy> panel(C.n, true);
    solve_from_right<inverse_step::of_upper, false>(X, factors, panel);
    __syncthreads();
    solve_from_right<inverse_step::then_lower, false>(X, factors, panel);
    __syncthreads();
    if (panel.warp == 0) {
      for (int j = panel.my.lane; j < C.n; j += 32) panel.place[j] = j;
      __syncwarp();
      exchange_rows(sides_view<int>(panel.place, 1, 0, C.n, 1), 1, ipiv, false);
    }
    move_columns<T, Policy>(X, panel);
  }
}

/// C <- A^-1. A holds a Cholesky factor, or L and U. C may be A. For a Cholesky factor C must be A: one
/// triangle is read, and overwritten with a triangle of the inverse.
///
/// Thread map  a block per matrix; rows of tiles are dealt to the warps forth and back
/// Stored      a panel of 16 TILES columns of a factor in shared memory, 16 rows of X's panel in registers
/// Barriers    two per panel; three for the diagonal, two per panel of rows to exchange columns
/// Info        j > 0: diagonal element or pivot j is bad, C is unchanged; null: not written
/// Source      LAPACK's xPOTRI and xGETRI, by panels: the inverse of a triangle; then L^-H L^-1, or U^-1 L^-1
/// Bound by    the L2 bandwidth: the finished part of each row is read once per panel
template <class T, class Policy, bool CHOLESKY, class Systems>
__global__ void __launch_bounds__(Policy::MOST_THREADS, 1)
    invert_by_panels(std::int64_t first_block, Systems systems, int* info_array, solve_plan<T> plan) {
  systems.for_each_whole(first_block, [&](std::int64_t b, const matrix<const T>& A, const matrix<T>& C) {
    const int* const ipiv = plan.ipiv[b];
    if (!is_usable(plan.bad, A, ipiv, info_array != nullptr ? info_array + b : nullptr)) return;
    invert_in_panels<CHOLESKY, T, Policy>(plan, A, C, ipiv);
  });
}

}  // namespace talus::cuda::blas
