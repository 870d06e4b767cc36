// The kernels of row_tiles.hpp.
#pragma once

#include "batched/blas/families/row_tiles.hpp"
#include "batched/blas/pieces/diagonal_tile.cuh"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/triangle.cuh"
#include "batched/blas/pieces/turns.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda::blas {

/// What the kernel is compiled for.
template <int SIDES_, int WARPS_, int DEPTH_, int BLOCKS_>
struct row_tiles_policy {
  static constexpr int SIDES = SIDES_, SQUARES = SIDES_ / 16, WARPS = WARPS_, DEPTH = DEPTH_,
                       THREADS = 32 * WARPS_, BLOCKS = BLOCKS_;
};

/// What a block has in shared memory: tiles of the diagonal, one of each warp, and behind them tiles of 16
/// right-hand sides by 16 unknowns as left factors, then where each row of the right-hand sides is in memory.
template <class T, class Policy>
struct alignas(16) row_tiles_memory {
  T diagonal[Policy::WARPS][diagonal_tile<T>::elements];
  int first_bad;  // row with a bad diagonal element or pivot, or n

  __device__ T* sides() { return reinterpret_cast<T*>(this + 1); }
  __device__ int* place(int n) {
    return reinterpret_cast<int*>(sides() + ceil_div(n, square_order) * square_order * Policy::SIDES);
  }
};

/// The right-hand sides of a block in shared memory.
template <class T, class Policy>
struct sides_in_shared {
  static constexpr int SQUARES = Policy::SQUARES;
  const sides_view<T> X;  // in memory
  T* shared;
  tile_lane my;

  /// Tile (I, q), unknowns 16 I ... of right-hand sides 16 q ..., from this lane's elements on.
  __device__ T* tile(int I, int q) const {
    return shared + (I * SQUARES + q) * square_elements + my.lane * tile_piece<T>;
  }
  /// place: of rows in memory, which are exchanged; null: their own.
  __device__ void load(T alpha, bool conjugated, const int* place) const {
    for_each_tile([&](int I, int q) {
      square<T> a;
      for_each(I, q, place, a, [&](T& x, const T* at, bool exists) {
        x = T{};
        if (exists) x = product(*at, alpha);
        if (conjugated) x = conj(x);
      });
      put(tile(I, q), a);
    });
  }
  __device__ void store(bool conjugated, const int* place) const {
    for_each_tile([&](int I, int q) {
      square<T> a = get(tile(I, q));
      for_each(I, q, place, a, [&](const T& x, T* at, bool exists) {
        if (exists) *at = conjugated ? conj(x) : x;
      });
    });
  }

 private:
  template <class Work>
  __device__ __forceinline__ void for_each_tile(Work work) const {
    const int tiles = ceil_div(X.n, square_order) * SQUARES;
    for (int e = static_cast<int>(threadIdx.x) / 32; e < tiles; e += Policy::WARPS)
      work(e / SQUARES, e % SQUARES);
  }
  /// work(element, where it is in memory, whether it is there)
  template <class Work>
  __device__ __forceinline__ void for_each(int I, int q, const int* place, square<T>& a, Work work) const {
    const int c0 = square_order * q + my.row;
#pragma unroll
    for (int e = 0; e < 4; ++e) {  // columns t, t + 4, t + 8, t + 12 of the tile
      const int k = square_order * I + 4 * e + my.t;
      const bool is_row = k < X.n;
      const int row = is_row && place != nullptr ? place[k] : k;
      T* const at = X.first + row * X.row + c0 * X.column;
#pragma unroll
      for (int below = 0; below < 2; ++below)
        work(a.half[e / 2].x[e % 2 + 2 * below], at + 8 * below * X.column,
             is_row && c0 + 8 * below < X.count);
    }
  }
};

/// One pass over a triangle: rows of tiles, warp by warp in turn, each tile by tile up to the diagonal. An
/// upper triangle is solved with from its last row up.
template <class T, class Policy>
struct pass_over_row_tiles {
  static constexpr int SQUARES = Policy::SQUARES, WARPS = Policy::WARPS, DEPTH = Policy::DEPTH;
  const lower_view<T>& L;
  const bool backward;
  const bad_diagonal rule;
  const sides_in_shared<T, Policy>& X;
  row_tiles_memory<T, Policy>& memory;
  const tile_lane& my;

  /// flips: X is kept conjugated, and is wanted as it is, or the other way round.
  __device__ __forceinline__ void solve(bool flips) const {
    const int count = ceil_div(L.n, square_order), warp = static_cast<int>(threadIdx.x) / 32;
    turns<WARPS> others(count);
    const diagonal_tile<T> diagonal = {memory.diagonal[warp]};
    for (int i = warp; i < count; i += WARPS) {
      const int I = place(i, count);
      T next[DEPTH][8];
#pragma unroll
      for (int d = 0; d < DEPTH; ++d) load(next[d], i, d, count);
      const bool tame = put_diagonal(diagonal, I);
      square<T> y[SQUARES];  // minus the right-hand sides, then the unknowns
#pragma unroll
      for (int q = 0; q < SQUARES; ++q) {
        y[q] = get(X.tile(I, q));
#pragma unroll
        for (int e = 0; e < 8; ++e) {
          T& x = y[q].half[e / 4].x[e % 4];
          x = flips ? -conj(x) : -x;
        }
      }
#pragma unroll 1
      for (int p0 = 0; p0 < i; p0 += DEPTH) {
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
          const int p = p0 + d;
          if (p >= i) break;
          facing_square<T> tile;
#pragma unroll
          for (int e = 0; e < 8; ++e) tile.rows[e / 4][e % 4 / 2].set(e % 2, next[d][e]);
          load(next[d], i, p + DEPTH, count);
          others.wait_for(p);
          const T* const known = X.tile(place(p, count), 0);
#pragma unroll
          for (int q = 0; q < SQUARES; ++q) {
            const T* const half = known + q * square_elements;
            const left_factor<T> left[2] = {load_left(half), load_left(half + tile_elements)};
            add_product(y[q], left, tile);
          }
        }
      }
#pragma unroll
      for (int q = 0; q < SQUARES; ++q) {
        if (tame) {
          diagonal.solve(y[q], backward, my);
        } else {
          square<T> x = y[q];
          substitute_tile(x, L, square_order * I, backward);
          y[q] = x;
        }
        put(X.tile(I, q), y[q]);
      }
      others.tell(i);
    }
    others.wait_for_all();
    __syncthreads();
  }

 private:
  /// Where row i of the tiles is in memory.
  __device__ int place(int i, int count) const { return backward ? count - 1 - i : i; }

  /// This lane's elements of tile p of row i, if it is one before the diagonal, as a right factor; what does
  /// not exist is zero.
  __device__ __forceinline__ void load(T (&x)[8], int i, int p, int count) const {
    if (p >= i) return;
    const int I = place(i, count), P = place(p, count);
    const int row = square_order * I + my.row, column = square_order * P + my.t;
    const T* const corner = L.first + row * L.row + column * L.column;
    const bool whole = square_order * (max(I, P) + 1) <= L.n;
#pragma unroll
    for (int e = 0; e < 8; ++e) {  // as in tile_places
      const int below = e % 4 / 2 * 8, right = e % 2 * 4 + e / 4 * 8;
      x[e] = T{};
      if (whole || (row + below < L.n && column + right < L.n))
        x[e] = corner[below * L.row + right * L.column];
    }
  }

  __device__ __forceinline__ bool put_diagonal(const diagonal_tile<T>& diagonal, int I) const {
    const int k0 = square_order * I, j = k0 + my.lane;
    if (my.lane < square_order && j < L.n && is_bad(rule, L.first[j * (L.row + L.column)]))
      atomicMin(&memory.first_bad, j);
    const bool tame = diagonal.put(diagonal_elements<T>{L, k0}, backward, my);
    __syncwarp();
    return tame;
  }
};

/// Solves with one or two triangles.
///
/// Thread map  a block per matrix and Policy::SIDES right-hand sides, or per matrix; a warp has every
///             WARPS-th row of tiles
/// Stored      right-hand sides in shared memory; registers hold a row of their tiles per warp, and the tile
///             of the triangle by which the warp multiplies
/// Barriers    one per row of tiles, of which each warp waits when it needs it
/// Info        j > 0: diagonal element or pivot j is bad, B untouched; null: nobody asks
/// Source      LAPACK's xPOTRS, xGETRS, BLAS's xTRSM; left-looking
/// Bound by    reading the triangle, once in each pass
template <class T, class Policy>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    solve_by_row_tiles(std::int64_t first_block, either_systems<T> systems, int* info_array,
                       solve_plan<T> plan) {
  auto& memory = *shared_memory<row_tiles_memory<T, Policy>>();
  const tile_lane my(static_cast<int>(threadIdx.x) % 32);
  const int thread = static_cast<int>(threadIdx.x);
  systems.template for_each_of_block<Policy>(first_block, [&](std::int64_t b, const matrix<const T>& A,
                                                              const matrix<T>& B, int first, int end,
                                                              bool says) {
    const sides_view<T> all(B, plan.sides_are_rows);
    int* const info = says && info_array != nullptr ? info_array + b : nullptr;
    if (is_zero(plan.alpha)) {
      if (thread == 0 && info != nullptr) *info = 0;
      set_zero<Policy::THREADS>(all.from(first), end - first);
      return;
    }
    const int* const ipiv = plan.ipiv[b];
    int* const place = memory.place(A.n);
    const int* const exchanged = ipiv != nullptr ? place : nullptr;
    if (thread == 0) memory.first_bad = A.n;
    if (ipiv != nullptr) {
      for (int i = thread; i < A.n; i += Policy::THREADS) place[i] = i;
      __syncthreads();
      if (thread < 32) exchange_rows(sides_view<int>(place, 1, 0, A.n, 1), 1, ipiv, false, &memory.first_bad);
    }
    for (int c = first; c < max(end, first + 1); c += Policy::SIDES) {
      const sides_in_shared<T, Policy> X = {all.from(c), memory.sides(), my};
      __syncthreads();
      X.load(plan.alpha, !plan.first.conjugated, plan.exchange_before ? exchanged : nullptr);
      __syncthreads();
#pragma unroll 1
      for (int t = 0; t < plan.triangles(); ++t) {
        triangle_form form = plan.triangle(t);
        const bool backward = form.backward, flips = t > 0 && form.conjugated != plan.first.conjugated;
        form.backward = false;  // seen as it is in memory
        const lower_view<T> L(A, form, plan.bad == bad_diagonal::not_positive);
        pass_over_row_tiles<T, Policy>{L, backward, plan.bad, X, memory, my}.solve(flips);
      }
      const int bad = memory.first_bad;
      if (thread == 0 && info != nullptr && c == first) *info = bad < A.n ? bad + 1 : 0;
      if (bad == A.n)
        X.store(!plan.triangle(plan.triangles() - 1).conjugated, plan.exchange_before ? nullptr : exchanged);
      __syncthreads();
      if (bad < A.n) return;
    }
  });
}

template <class Line, auto FORM, class Systems, class Plan>
int row_tiles::launch(Systems systems, int* info, queue q, Plan plan) {
  using T = typename Systems::element;
  using policy =
      row_tiles_policy<Line::kernel.sides, Line::kernel.warps, Line::kernel.depth, Line::kernel.blocks>;
  const std::size_t bytes = Line::kernel.bytes(systems.largest()[0], sizeof(T));
  return launch_systems<solve_by_row_tiles<T, policy>>(systems, policy::SIDES, dim3(policy::THREADS), bytes,
                                                       q, info, plan);
}

}  // namespace talus::cuda::blas
