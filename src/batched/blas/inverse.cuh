// Inverses in place on the tensor units, from Cholesky factors or L and U: panel by panel, which shared
// memory has while every warp goes through its rows of the matrix.
#pragma once

#include "batch.hpp"
#include "batched/blas/diagonal_tile.cuh"
#include "batched/blas/solve_plan.hpp"
#include "batched/blas/systems.cuh"
#include "batched/blas/thin_inverse.cuh"
#include "batched/blas/triangle.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda::blas {

/// What a kernel is compiled for: TILES tiles of 16 columns are a panel.
template <int TILES_, int WARPS_, int BLOCKS_>
struct inverse_policy {
  static constexpr int TILES = TILES_, WARPS = WARPS_, THREADS = 32 * WARPS_, BLOCKS = BLOCKS_;
  static constexpr int SIDES = 1;  // all of a matrix is one block's
};

/// Element (i, k) lies at first[i * row + k * column].
template <class T>
struct square_view {
  T* first;
  std::ptrdiff_t row, column;
  int n;

  __device__ T& operator()(int i, int k) const { return first[i * row + k * column]; }
};
template <class T>
__device__ square_view<T> as_it_is(const matrix<T>& A) {
  return {A.A, 1, A.lda, A.n};
}
/// A lower triangle becomes an upper one.
template <class T>
__device__ square_view<T> transposed(const square_view<T>& A) {
  return {A.first, A.column, A.row, A.n};
}
template <class T>
__device__ square_view<T> reversed(const square_view<T>& A) {
  return {A.first + (A.n - 1) * (A.row + A.column), -A.row, -A.column, A.n};
}

/// Of shared memory, in bytes: the panel, the tiles on its diagonal, and where each column goes.
template <class T, class Policy>
TALUS_HOST_DEVICE constexpr std::size_t inverse_bytes(int n) {
  const std::size_t rows = (static_cast<std::size_t>(n) + square_order - 1) / square_order * square_order;
  return (rows * square_order + diagonal_tile<T>::elements) * Policy::TILES * sizeof(T) + rows * sizeof(int);
}

/// The panel that a block has in shared memory: TILES tiles beside each other, from tile `top` of the rows
/// down. They are kept as right factors: of a product with M the panel's rows are summed over.
template <class T, class Policy>
struct inverse_panel {
  static constexpr int TILES = Policy::TILES;
  T* const tiles;
  T* const diagonals;
  int* const place;  // of each column of the inverse
  tile_layout<T> layout;
  facing_lane<T> facing;
  tile_lane my;

  /// by_rows: rows are consecutive in memory.
  __device__ inverse_panel(int n, bool by_rows)
      : tiles(shared_memory<T>()),
        diagonals(tiles + ceil_div(n, square_order) * TILES * square_elements),
        place(reinterpret_cast<int*>(diagonals + TILES * diagonal_tile<T>::elements)),
        layout{by_rows, false},
        facing(layout, tile_lane(static_cast<int>(threadIdx.x) % 32)),
        my(static_cast<int>(threadIdx.x) % 32) {}

  /// Tile (k, c), counted from the panel's first.
  __device__ T* tile(int k, int c) const { return tiles + (k * TILES + c) * square_elements; }
  __device__ diagonal_tile<T> diagonal(int c) const { return {diagonals + c * diagonal_tile<T>::elements}; }

  /// `rows` rows, all of what is element(k, c), k and c counted from the panel's first. The panel can be read
  /// after a barrier.
  template <class Element>
  __device__ __forceinline__ void fill(int rows, Element element) const {
    in_batches<T, Policy::THREADS>(
        ceil_div(rows, square_order) * TILES * square_elements,
        [&](int e) {
          const int number = e / square_elements, line = e % square_elements / square_order,
                    along = e % square_order;
          const int k = layout.by_columns ? line : along, c = layout.by_columns ? along : line;
          return element(number / TILES * square_order + k, number % TILES * square_order + c);
        },
        [&](int e, const T& x) {
          const int line = e % square_elements / square_order, along = e % square_order;
          tiles[e / square_elements * square_elements + tile_layout<T>::place_of(line, along)] = x;
        });
  }
};

/// Element (i, k) of the tile on the diagonal that a solve from the right goes backward through.
template <class T>
struct panel_diagonal {
  const T* tile;
  tile_layout<T> layout;
  bool unit, real_diagonal;
  int existing;

  __device__ T operator()(int i, int k) const {
    if (i == k && (unit || i >= existing)) return from_real<T>(1);
    const T x = tile[layout(i, k)];
    return real_diagonal && i == k ? from_real<T>(real(x)) : x;
  }
};
/// Out of line, as it is rare.
template <class T>
__device__ __noinline__ void substitute_tile(square<T>& a, const panel_diagonal<T>& tile) {
  substitute(a, tile, true, tile.existing, tile_lane(static_cast<int>(threadIdx.x) % 32));
}

/// A warp's elements of the 16 x 16 elements that begin at (s0, k0): element(s, k), or zero where there are
/// none.
template <class T, class Exists>
__device__ __forceinline__ void load_square(square<T>& x, const square_view<const T>& M, int s0, int k0,
                                            const tile_lane& my, Exists exists) {
  const int s = s0 + my.row, k = k0 + my.t;
  const T* const corner = M.first + s * M.row + k * M.column;
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int below = e % 4 / 2 * 8, right = e / 4 * 8 + e % 2 * 4;
    x.half[e / 4].x[e % 4] = T{};
    if (exists(s + below, k + right)) x.half[e / 4].x[e % 4] = corner[below * M.row + right * M.column];
  }
}
template <class T, class Work>
__device__ __forceinline__ void for_each_of_square(square<T>& x, int s0, int k0, const tile_lane& my,
                                                   Work work) {
#pragma unroll
  for (int e = 0; e < 8; ++e)
    work(x.half[e / 4].x[e % 4], s0 + my.row + e % 4 / 2 * 8, k0 + my.t + e / 4 * 8 + e % 2 * 4);
}

/// a += M(rows s0 ..., tiles first ... end - 1 of the columns) panel, whose first row is that of tile `top`.
template <class T, class Policy, class Exists>
__device__ __forceinline__ void add_products(square<T> (&a)[Policy::TILES],
                                             const inverse_panel<T, Policy>& panel, int top,
                                             const square_view<const T>& M, int s0, int first, int end,
                                             Exists exists) {
  square<T> next;
  if (first < end) load_square(next, M, s0, square_order * first, panel.my, exists);
#pragma unroll 1
  for (int K = first; K < end; ++K) {
    const left_factor<T> left[2] = {as_left(next.half[0]), as_left(next.half[1])};
    if (K + 1 < end) load_square(next, M, s0, square_order * (K + 1), panel.my, exists);
#pragma unroll
    for (int c = 0; c < Policy::TILES; ++c) add_product(a[c], left, panel.facing(panel.tile(K - top, c)));
  }
}

/// X <- W L^-1 in place, panel by panel from the right, where L is the lower triangle of what X is at first.
/// W is the identity, and X a lower triangle, too; or the upper triangle of what X is at first.
template <class T, class Policy>
__device__ __forceinline__ void solve_from_right(const square_view<T>& X, bool unit, bool real_diagonal,
                                                 bool of_identity, const inverse_panel<T, Policy>& panel) {
  constexpr int TILES = Policy::TILES;
  const tile_lane& my = panel.my;
  const int n = X.n, count = ceil_div(n, square_order), warp = static_cast<int>(threadIdx.x) / 32;
  const square_view<const T> known = {X.first, X.row, X.column, n};
  bool* const tame = reinterpret_cast<bool*>(panel.place);  // which is not needed yet
#pragma unroll 1
  for (int J = (count - 1) / TILES * TILES; J >= 0; J -= TILES) {
    const int c0 = square_order * J;
    __syncthreads();  // no warp needs the panel before it
    panel.fill(n - c0,
               [&](int k, int c) { return c0 + k < n && c0 + c < n ? conj(X(c0 + k, c0 + c)) : T{}; });
    __syncthreads();
    const auto diagonal_of = [&](int c) {
      return panel_diagonal<T>{panel.tile(c, c), panel.layout, unit, real_diagonal,
                               n - c0 - square_order * c};
    };
    for (int c = warp; c < TILES && J + c < count; c += Policy::WARPS) {
      const bool is_tame = panel.diagonal(c).put(diagonal_of(c), true, my);
      if (my.lane == 0) tame[c] = is_tame;
    }
    __syncthreads();
#pragma unroll 1
    for (int r = warp; r < count; r += Policy::WARPS) {  // the rows that this warp has had before, too
      if (of_identity && r < J) continue;
      const int s0 = square_order * r;
      square<T> a[TILES];  // minus W, then X
#pragma unroll
      for (int c = 0; c < TILES; ++c) {
        if (of_identity) {
          for_each_of_square(a[c], s0, c0 + square_order * c, my,
                             [&](T& x, int s, int k) { x = from_real<T>(s == k ? -1 : 0); });
        } else {
          load_square(a[c], known, s0, c0 + square_order * c, my,
                      [&](int s, int k) { return s <= k && k < n; });
          for_each_of_square(a[c], s0, 0, my, [](T& x, int, int) { x = -x; });
        }
      }
      add_products(a, panel, J, known, s0, J + TILES, of_identity ? r + 1 : count,
                   [&](int s, int k) { return s < n && k < n && (!of_identity || k <= s); });
#pragma unroll
      for (int c = TILES - 1; c >= 0; --c) {
        if (J + c >= count) continue;
        if (tame[c]) {
          panel.diagonal(c).solve(a[c], true, my);
        } else {
          square<T> x = a[c];
          substitute_tile(x, diagonal_of(c));
          a[c] = x;
        }
        const left_factor<T> left[2] = {as_left(a[c].half[0]), as_left(a[c].half[1])};
#pragma unroll
        for (int left_of = 0; left_of < c; ++left_of)
          add_product(a[left_of], left, panel.facing(panel.tile(c, left_of)));
        for_each_of_square(a[c], s0, c0 + square_order * c, my, [&](const T& x, int s, int k) {
          if (s < n && k < n && (!of_identity || k <= s)) X(s, k) = x;
        });
      }
      __syncwarp();
    }
  }
}

/// Lower triangle of Y^H Y in place, panel by panel from the top, where Y is a lower triangle.
template <class T, class Policy>
__device__ __forceinline__ void multiply_by_itself(const square_view<T>& Y,
                                                   const inverse_panel<T, Policy>& panel) {
  constexpr int TILES = Policy::TILES;
  const tile_lane& my = panel.my;
  const int n = Y.n, count = ceil_div(n, square_order), warp = static_cast<int>(threadIdx.x) / 32;
  const square_view<const T> of_columns = {Y.first, Y.column, Y.row, n};  // transposed: a warp has columns
#pragma unroll 1
  for (int I = 0; I < count; I += TILES) {
    const int i0 = square_order * I;
    __syncthreads();
    panel.fill(n - i0, [&](int k, int c) { return i0 + k < n && c <= k ? Y(i0 + k, i0 + c) : T{}; });
    __syncthreads();
#pragma unroll 1
    for (int r = warp; r < min(count, I + TILES); r += Policy::WARPS) {
      const int s0 = square_order * r;
      square<T> a[TILES] = {};
      add_products(a, panel, I, of_columns, s0, I, count, [&](int s, int k) { return s <= k && k < n; });
#pragma unroll
      for (int c = 0; c < TILES; ++c) {
        for_each_of_square(a[c], s0, i0 + square_order * c, my, [&](const T& x, int s, int i) {
          if (s <= i && i < n) Y(i, s) = s == i ? from_real<T>(real(x)) : x;
        });
      }
      __syncwarp();
    }
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
    in_batches<T, Policy::THREADS>(
        ROWS * n, [&](int e) { return i0 + e % ROWS < n ? X(i0 + e % ROWS, e / ROWS) : T{}; },
        [&](int e, const T& x) { panel.tiles[e] = x; });
    __syncthreads();
    in_batches<T, Policy::THREADS>(
        ROWS * n, [&](int e) { return panel.tiles[e]; },
        [&](int e, const T& x) {
          if (i0 + e % ROWS < n) X(i0 + e % ROWS, panel.place[e / ROWS]) = x;
        });
  }
}

/// C <- A^-1 in panels, from the factors that C holds.
template <class T, class Policy, bool CHOLESKY>
__device__ __forceinline__ void invert_in_panels(const solve_plan<T>& plan, const matrix<T>& C,
                                                 const int* ipiv) {
  const square_view<T> X = as_it_is(C);
  if constexpr (CHOLESKY) {
    const square_view<T> L = plan.part == written::lower ? X : transposed(X);
    const inverse_panel<T, Policy> panel(C.n, plan.part == written::upper);
    solve_from_right<T, Policy>(L, false, true, true, panel);
    multiply_by_itself<T, Policy>(L, panel);
  } else {
    const inverse_panel<T, Policy> panel(C.n, false);
    solve_from_right<T, Policy>(reversed(X), false, false, true, panel);
    __syncthreads();
    solve_from_right<T, Policy>(X, true, false, false, panel);
    __syncthreads();
    if (threadIdx.x < 32) {
      for (int j = static_cast<int>(threadIdx.x); j < C.n; j += 32) panel.place[j] = j;
      __syncwarp();
      exchange_rows(sides_view<int>(panel.place, 1, 0, C.n, 1), 1, ipiv, false);
    }
    move_columns<T, Policy>(X, panel);
  }
}

/// The same by threads, where a panel of 16 columns is too large.
template <int IB>
struct thin_policy {
  static constexpr int THREADS = 256, BLOCKS = 1, SIDES = 1;
};
template <class T, class Policy>
struct inverse_by {
  static constexpr std::size_t bytes(int n) { return inverse_bytes<T, Policy>(n); }
  template <bool CHOLESKY>
  __device__ static void invert(const solve_plan<T>& plan, const matrix<T>& C, const int* ipiv) {
    invert_in_panels<T, Policy, CHOLESKY>(plan, C, ipiv);
  }
};
template <class T, int IB>
struct inverse_by<T, thin_policy<IB>> {
  static constexpr std::size_t bytes(int n) { return thin_bytes<T, IB>(n); }
  template <bool CHOLESKY>
  __device__ static void invert(const solve_plan<T>& plan, const matrix<T>& C, const int* ipiv) {
    if constexpr (CHOLESKY) {
      invert_cholesky_by_threads<T, IB>(plan.part == written::lower ? uplo::lower : uplo::upper, C);
    } else {
      invert_lu_by_threads<T, IB>(C, ipiv);
    }
  }
};

/// C <- A^-1 from the factors that A holds; C may be A itself, as it is for a Cholesky factor, of which, and
/// of whose inverse, one triangle is read and written.
///
/// Thread map  a block per matrix; a warp has every WARPS-th 16 rows, or columns
/// Stored      a panel of 16 TILES columns of a factor in shared memory; of a warp's rows the panel's columns
///             in registers
/// Barriers    three per panel of a solve, two per panel of a product
/// Info        j > 0: diagonal element j is bad, C untouched; null: nobody asks
/// Source      LAPACK's xPOTRI and xGETRI, by panels: the inverse of a triangle; then L^-H L^-1, or U^-1 L^-1
/// Bound by    what the L2 delivers: rows are read once per panel
template <class T, class Policy, bool CHOLESKY, class Systems>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    invert_by_panels(std::int64_t first_block, Systems systems, int* info_array, solve_plan<T> plan) {
  systems.template for_each_of_block<Policy>(
      first_block, info_array,
      [&](std::int64_t b, const matrix<const T>& A, const matrix<T>& C, int, int, bool) {
        if (!is_usable(plan.bad, A, info_array != nullptr ? info_array + b : nullptr)) return;
        if (!CHOLESKY && C.A != A.A) {
          for (int j = 0; j < A.n; j += 32) {  // A.n may be too large for the square of it to be an int
            const int columns = min(32, A.n - j);
            in_batches<T, Policy::THREADS>(
                columns * A.n, [&](int e) { return A(e % A.n, j + e / A.n); },
                [&](int e, const T& x) { C(e % A.n, j + e / A.n) = x; });
          }
          __syncthreads();
        }
        inverse_by<T, Policy>::template invert<CHOLESKY>(plan, C, plan.ipiv[b]);
        __syncthreads();
      });
}

/// Of shared memory, what a block may have beside what it needs for itself.
inline int shared_memory_for_inverse(std::size_t& bytes) {
  const int status = shared_memory_limit(bytes);
  if (status == 0) bytes -= 1024;
  return status;
}

/// err_unsupported, if no kernel inverts matrices of order n.
template <class T>
int check_inverse(int n) {
  std::size_t limit = 0;
  if (const int status = shared_memory_for_inverse(limit)) return status;
  return thin_bytes<T, 1>(n) <= limit ? 0 : err_unsupported;
}

/// Launches what inverts all matrices of `systems`, whose order is up to n. CHOLESKY: plan.bad is
/// not_positive.
template <bool CHOLESKY, class Systems, class T>
int launch_inverse(const Systems& systems, int n, int* info, queue q, const solve_plan<T>& plan) {
  constexpr bool is_double = std::is_same_v<T, double>, is_complex = !std::is_same_v<T, real_t<T>>;
  using wide =
      inverse_policy<sizeof(T) == 16 ? 1 : 2, is_complex ? 4 : 8, sizeof(T) == 8 && is_complex ? 3 : 2>;
  using many_warps = inverse_policy<2, 16, 1>;
  using narrow = inverse_policy<1, 8, 1>;
  std::size_t limit = 0;
  if (const int status = shared_memory_for_inverse(limit)) return status;
  const auto launch_with = [&](auto policy) {
    using P = decltype(policy);
    return launch_systems<invert_by_panels<T, P, CHOLESKY, Systems>>(
        systems, 1, dim3(P::THREADS), inverse_by<T, P>::bytes(n), q, info, plan);
  };
  if (inverse_bytes<T, wide>(n) <= (is_double ? limit / 2 : limit)) return launch_with(wide{});
  if constexpr (is_double) {
    if (inverse_bytes<T, many_warps>(n) <= limit) return launch_with(many_warps{});
  }
  if constexpr (wide::TILES > 1) {
    if (inverse_bytes<T, narrow>(n) <= limit) return launch_with(narrow{});
  }
  if (thin_bytes<T, 4>(n) <= limit) return launch_with(thin_policy<4>{});
  if (thin_bytes<T, 1>(n) <= limit) return launch_with(thin_policy<1>{});
  return err_unsupported;
}

}  // namespace talus::cuda::blas
