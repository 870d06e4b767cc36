// Solving with the factors while they are on the chip, as kernels that factor have them.
#pragma once

#include "batch.hpp"
#include "batched/lu/gesv.cuh"
#include "batched/lu/pieces/pivot.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// What a row is divided by, and how: its diagonal element's reciprocal, where that is normal.
template <class T>
struct divisor {
  T element, inverse;
  bool ordinary;

  divisor() = default;
  __device__ explicit divisor(T diagonal)
      : element(diagonal),
        inverse(reciprocal(diagonal)),
        ordinary(is_ordinary<real_t<T>>(high_bits_of(diagonal))) {}
  __device__ T operator()(T x) const { return ordinary ? product(x, inverse) : rare_quotient(x, element); }
};

/// L Y = P^T B, then U X = Y, for getrf_warp: the lanes that have rows of a matrix have the same rows of its
/// right-hand sides. Of a matrix that failed B is left alone.
template <class T>
struct solve_in_warp {
  static constexpr bool solves = true;
  eliminations<real_t<T>> each;
  batch<T> B;

  explicit solve_in_warp(const then_solve<T, real_t<T>>& then) : each(then.each), B(then.B) {}

  template <class Rows>
  __device__ __forceinline__ void solve(const Rows& rows, int n, std::int64_t b, bool alive) const {
    constexpr int at_once = sizeof(T) == 16 ? 1 : 2;
    int k = 0;
    for (; k + at_once <= B.n; k += at_once) solve_columns<at_once>(rows, n, b, k, alive);
    if (at_once > 1 && k < B.n) solve_columns<1>(rows, n, b, k, alive);
  }

 private:
  /// Columns k ... k + COUNT - 1.
  template <int COUNT, class Rows>
  __device__ __forceinline__ void solve_columns(const Rows& rows, int n, std::int64_t b, int k,
                                                bool alive) const {
    constexpr int ROWS = Rows::ROWS, LANES = Rows::LANES, N = Rows::N;
    const matrix<T> mine = B[alive ? b : 0];
    T y[ROWS][COUNT];
    divisor<T> by[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      const int i = rows.thread + u * LANES;
      T diagonal = from_real<T>(1);  // chosen by masks: of conditions comes a load from an array in memory
#pragma unroll
      for (int j = 0; j < N; ++j) {
        const unsigned is_it = rows.position[u] == j && j < n ? ~0u : 0;
        diagonal = selected(is_it, rows.a[u][j], diagonal);
      }
      by[u] = divisor<T>(diagonal);
#pragma unroll
      for (int e = 0; e < COUNT; ++e) {
        y[u][e] = T{};
        if (alive && i < n) y[u][e] = mine(i, k + e);
      }
    }
#pragma unroll
    for (int j = 0; j < N - 1; ++j) {
      if (j < n) eliminate(rows, y, j, [&](int position) { return position > j; });
    }
#pragma unroll
    for (int j = N - 1; j >= 0; --j) {
      if (j >= n) continue;
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        if (rows.position[u] != j) continue;
#pragma unroll
        for (int e = 0; e < COUNT; ++e) y[u][e] = by[u](y[u][e]);
      }
      eliminate(rows, y, j, [&](int position) { return position < j; });
    }
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
#pragma unroll
      for (int e = 0; e < COUNT; ++e) {
        if (alive && rows.position[u] < n) mine(rows.position[u], k + e) = y[u][e];
      }
    }
  }

  /// Rows at positions that `follow` less their element j times what the row at position j has.
  template <int ROWS, int COUNT, class Rows, class Follow>
  __device__ __forceinline__ void eliminate(const Rows& rows, T (&y)[ROWS][COUNT], int j,
                                            Follow follow) const {
    bool has_it = false;
    T x[COUNT] = {};
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (rows.position[u] != j) continue;
      has_it = true;
#pragma unroll
      for (int e = 0; e < COUNT; ++e) x[e] = y[u][e];
    }
    const unsigned lanes = __ballot_sync(~0u, has_it) & rows.team();
    const int from = __ffs(static_cast<int>(lanes)) - 1;
#pragma unroll
    for (int e = 0; e < COUNT; ++e) x[e] = shuffle(x[e], from);
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (!follow(rows.position[u])) continue;
#pragma unroll
      for (int e = 0; e < COUNT; ++e) multiply_add(y[u][e], -rows.a[u][j], x[e]);
    }
  }
};

/// U X = Y for getrf_smem, where right-hand sides are columns of the matrix, so that Y is there when it is
/// eliminated: a warp per column, its rows in the lanes' registers.
template <class T>
struct solve_in_smem {
  static constexpr bool solves = true;
  eliminations<real_t<T>> each;
  batch<T> B;

  explicit solve_in_smem(const then_solve<T, real_t<T>>& then) : each(then.each), B(then.B) {}

  /// The matrix has n columns of U, then those of Y.
  template <class M>
  __device__ __forceinline__ void solve_back(const M& U, int n) const {
    constexpr int ROWS = M::ROWS;
    for (int c = n + U.warp; c < U.n; c += M::WARPS) {
      T y[ROWS], diagonal[ROWS];
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        const int i = U.lane + 32 * u;
        y[u] = i < n ? U(i, c) : T{};
        diagonal[u] = i < n ? U(i, i) : from_real<T>(1);
      }
#pragma unroll
      for (int v = ROWS - 1; v >= 0; --v) {
        const divisor<T> by(diagonal[v]);
        for (int l = min(31, n - 1 - 32 * v); l >= 0; --l) {
          const int j = 32 * v + l;
          if (U.lane == l) y[v] = by(y[v]);
          const T x = shuffle(y[v], l);
#pragma unroll
          for (int u = 0; u <= v; ++u) {
            if (U.lane + 32 * u < j) multiply_add(y[u], -U(U.lane + 32 * u, j), x);
          }
        }
      }
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        if (U.lane + 32 * u < n) U(U.lane + 32 * u, c) = y[u];
      }
    }
  }
};

}  // namespace talus::cuda::lu

template <class T, class R>
struct talus::cuda::epilogue_of<talus::cuda::lu::warp, talus::cuda::lu::then_solve<T, R>> {
  using type = lu::solve_in_warp<T>;
};
template <class T, class R>
struct talus::cuda::epilogue_of<talus::cuda::lu::smem, talus::cuda::lu::then_solve<T, R>> {
  using type = lu::solve_in_smem<T>;
};
