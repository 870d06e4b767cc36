// Factor and solve with the matrix in the registers of a warp or a part of one.
#pragma once

#include "batch.hpp"
#include "potrf_table.hpp"
#include "potrf_warp.cuh"
#include "scalar.cuh"

namespace talus::cuda {

/// L Y = B, then L^H X = Y, column by column, for potrf_warp: the lanes that factored a matrix own the same
/// rows of its right-hand sides. potrf_warp solves forwards with the first while it factors; here the way
/// back follows, and all of the others. They read the factor in shared memory, forwards each column at once,
/// backwards a lane its own columns. Where upper storage is, the factor seen is that of conj(A), so B is
/// conjugated, too.
///
/// Of a matrix that failed B is left alone.
template <class T>
struct solve_in_warp {
  static constexpr bool solves = true;
  batch<T> B;

  /// Rows lane, lane + LANES, ... of the first right-hand side of matrix b.
  template <int LANES, uplo UPLO, int ROWS>
  __device__ void fetch(T (&y)[ROWS], int lane, std::int64_t b, bool exists) const {
    const matrix<T> mine = B[exists ? b : 0];
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      const int i = lane + u * LANES;
      y[u] = T{};
      if (exists && i < B.m) y[u] = seen<UPLO>(mine(i, 0));
    }
  }

  /// With y the solution of L y = B(:, 0), and the columns of L, the inverse of the diagonal on it.
  template <int LANES, int ROWS, uplo UPLO>
  __device__ void finish(const T (&first)[ROWS], const T* columns, int lane_, std::int64_t b,
                         bool alive) const {
    const int lane = recomputed(lane_);
    const matrix<T> mine = B[alive ? b : 0];
    T y[ROWS][1];
#pragma unroll
    for (int u = 0; u < ROWS; ++u) y[u][0] = first[u];
    backwards<LANES>(y, columns, lane);
    store<LANES, UPLO>(y, lane, mine, 0, alive);
    int k = 1;
    for (; k + 4 <= B.n; k += 4) solve<LANES, ROWS, UPLO, 4>(columns, lane, mine, k, alive);
    for (; k < B.n; ++k) solve<LANES, ROWS, UPLO, 1>(columns, lane, mine, k, alive);
  }

 private:
  template <uplo UPLO>
  static __device__ T seen(T x) {
    return UPLO == uplo::upper ? conj(x) : x;
  }

  /// Right-hand sides k ... k + COUNT - 1.
  template <int LANES, int ROWS, uplo UPLO, int COUNT>
  __device__ void solve(const T* columns, int lane, const matrix<T>& mine, int k, bool alive) const {
    T y[ROWS][COUNT];
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
#pragma unroll
      for (int e = 0; e < COUNT; ++e) {
        y[u][e] = T{};
        if (alive && lane + u * LANES < B.m) y[u][e] = seen<UPLO>(mine(lane + u * LANES, k + e));
      }
    }
    forwards<LANES>(y, columns, lane);
    backwards<LANES>(y, columns, lane);
    store<LANES, UPLO>(y, lane, mine, k, alive);
  }

  template <int LANES, int ROWS, int COUNT>
  __device__ void forwards(T (&y)[ROWS][COUNT], const T* columns, int lane) const {
#pragma unroll
    for (int j = 0; j < LANES * ROWS; ++j) {
      if (j >= B.m) break;
      const T* const column = columns + potrf_warp_column(j, LANES * ROWS, piece<T>);
      eliminate<LANES>(
          y, j, lane, real(column[j]),
          [&](int u) { return u > j / LANES || (u == j / LANES && lane > j % LANES); },
          [&](int u) { return column[lane + u * LANES]; });
    }
  }
  template <int LANES, int ROWS, int COUNT>
  __device__ void backwards(T (&y)[ROWS][COUNT], const T* columns, int lane) const {
    constexpr int N = LANES * ROWS;
    const T* mine[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; ++u) mine[u] = columns + potrf_warp_column(lane + u * LANES, N, piece<T>);
#pragma unroll
    for (int j = N - 1; j >= 0; --j) {
      if (j >= B.m) continue;
      eliminate<LANES>(
          y, j, lane, real(columns[potrf_warp_column(j, N, piece<T>) + j]),
          [&](int u) { return u < j / LANES || (u == j / LANES && lane < j % LANES); },
          [&](int u) { return conj(mine[u][j]); });
    }
  }
  /// y(j) is divided by the diagonal, and what it contributes to the rows of this lane is subtracted where
  /// has(u) says that there is any: factor(u) of it.
  template <int LANES, int ROWS, int COUNT, class H, class F>
  __device__ void eliminate(T (&y)[ROWS][COUNT], int j, int lane, real_t<T> inverse, H has, F factor) const {
#pragma unroll
    for (int e = 0; e < COUNT; ++e) {
      const T x = shuffle(y[j / LANES][e], j % LANES, LANES) * inverse;
      if (lane == j % LANES) y[j / LANES][e] = x;
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        if (has(u)) multiply_add(y[u][e], -factor(u), x);
      }
    }
  }
  template <int LANES, uplo UPLO, int ROWS, int COUNT>
  __device__ void store(const T (&y)[ROWS][COUNT], int lane, const matrix<T>& mine, int k, bool alive) const {
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
#pragma unroll
      for (int e = 0; e < COUNT; ++e) {
        if (alive && lane + u * LANES < B.m) mine(lane + u * LANES, k + e) = seen<UPLO>(y[u][e]);
      }
    }
  }
};

}  // namespace talus::cuda
