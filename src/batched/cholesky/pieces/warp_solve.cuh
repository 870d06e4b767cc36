// Factor and solve with the matrix on the chip, by a warp or a part of one.
#pragma once

#include "batch.hpp"
#include "batched/cholesky/families/warp.cuh"
#include "batched/cholesky/posv.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::cholesky {

/// L Y = B, then L^H X = Y, column by column, for potrf_warp: the lanes that factored a
/// matrix own the same rows of its right-hand sides. potrf_warp solves forwards with the first while it
/// factors; here the way back follows, and all of the others. They read the factor in shared memory, forwards
/// each column at once, backwards a lane its own columns. L.column(j) is where row 0 of column j would be,
/// the inverse of the diagonal is on it. Where upper storage is, the factor seen is that of conj(A), so B is
/// conjugated, too.
///
/// Of a matrix that failed B is left alone.
template <class T>
struct solve_in_warp {
  static constexpr bool solves = true;
  batch<T> B;

  explicit solve_in_warp(const then_solve<T>& then) : B(then.B) {}

  /// Rows lane, lane + LANES, ... of right-hand sides k ... k + COUNT - 1 of matrix b.
  template <int LANES, int ROWS, int COUNT>
  __device__ void fetch(T (&y)[ROWS][COUNT], uplo uplo, int lane, int k, std::int64_t b, bool exists) const {
    const matrix<T> mine = B[exists ? b : 0];
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
#pragma unroll
      for (int e = 0; e < COUNT; ++e) {
        const int i = lane + u * LANES;
        y[u][e] = T{};
        if (exists && i < B.m) y[u][e] = seen(uplo, mine(i, k + e));
      }
    }
  }

  /// y <- L^-1 y
  template <int LANES, int ROWS, class F>
  __device__ void forwards(T (&y)[ROWS][1], const F& L, int lane) const {
    eliminate<true, LANES>(y, L, lane);
  }
  /// With y the solution of L y = B(:, 0).
  template <int LANES, int ROWS, class F>
  __device__ void finish(T (&y)[ROWS][1], const F& L, uplo uplo, int lane, std::int64_t b, bool alive) const {
    eliminate<false, LANES>(y, L, lane);
    store<LANES>(y, uplo, lane, 0, b, alive);
    all<LANES, ROWS>(L, uplo, lane, b, alive, 1);
  }

  /// Right-hand sides k, k + 1, ...
  template <int LANES, int ROWS, class F>
  __device__ void all(const F& L, uplo uplo, int lane, std::int64_t b, bool alive, int k) const {
    constexpr int at_once = sizeof(T) == 16 ? 2 : 4;
    for (; k + at_once <= B.n; k += at_once) solve<LANES, ROWS, at_once>(L, uplo, lane, k, b, alive);
    for (; k < B.n; ++k) solve<LANES, ROWS, 1>(L, uplo, lane, k, b, alive);
  }

 private:
  static __device__ T seen(uplo uplo, T x) { return uplo == uplo::upper ? conj(x) : x; }

  template <int LANES, int ROWS, int COUNT, class F>
  __device__ void solve(const F& L, uplo uplo, int lane, int k, std::int64_t b, bool alive) const {
    T y[ROWS][COUNT];
    fetch<LANES>(y, uplo, lane, k, b, alive);
    eliminate<true, LANES>(y, L, lane);
    eliminate<false, LANES>(y, L, lane);
    store<LANES>(y, uplo, lane, k, b, alive);
  }

  /// y <- L^-1 y or L^-H y. All is divided by the diagonal first, so from one row to the next it is a shuffle
  /// and a product; and there is no branch but after every GROUP of them, so that the factors are there in
  /// time.
  template <bool FORWARDS, int LANES, int ROWS, int COUNT, class F>
  __device__ void eliminate(T (&y)[ROWS][COUNT], const F& L, int lane) const {
    constexpr int N = LANES * ROWS, GROUP = N % 8 == 0 ? 8 : N % 4 == 0 ? 4 : N;
    const T* own[ROWS];  // this lane's columns
    int row[ROWS];
    real_t<T> scale[ROWS];
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      const int i = lane + u * LANES;
      row[u] = min(i, B.m - 1);
      own[u] = L.column(row[u]);
      scale[u] = i < B.m ? real(own[u][row[u]]) : 0;
#pragma unroll
      for (int e = 0; e < COUNT; ++e) y[u][e] = i < B.m ? y[u][e] * scale[u] : T{};
    }
#pragma unroll
    for (int group = 0; group < N; group += GROUP) {
      if ((FORWARDS ? group : N - GROUP - group) >= B.m) continue;
#pragma unroll
      for (int step = group; step < group + GROUP; ++step) {
        const int j = FORWARDS ? step : N - 1 - step;
        T x[COUNT];
#pragma unroll
        for (int e = 0; e < COUNT; ++e) x[e] = shuffle(y[j / LANES][e], j % LANES, LANES);
#pragma unroll
        for (int u = FORWARDS ? j / LANES : 0; u < (FORWARDS ? ROWS : j / LANES + 1); ++u) {
          const int i = lane + u * LANES;
          T factor{};
          if constexpr (!FORWARDS) {
            // Read and multiplied in any case: a condition would have the next step wait for it.
            factor = conj(own[u][j]) * (u < j / LANES || i < j ? scale[u] : 0);
          } else if (i > j && j < B.m) {
            factor = L.column(j)[row[u]] * scale[u];
          }
#pragma unroll
          for (int e = 0; e < COUNT; ++e) multiply_add(y[u][e], -factor, x[e]);
        }
      }
    }
  }
  template <int LANES, int ROWS, int COUNT>
  __device__ void store(const T (&y)[ROWS][COUNT], uplo uplo, int lane, int k, std::int64_t b,
                        bool alive) const {
    const matrix<T> mine = B[alive ? b : 0];
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
#pragma unroll
      for (int e = 0; e < COUNT; ++e) {
        if (alive && lane + u * LANES < B.m) mine(lane + u * LANES, k + e) = seen(uplo, y[u][e]);
      }
    }
  }
};

}  // namespace talus::cuda::cholesky

template <class T>
struct talus::cuda::epilogue_of<talus::cuda::cholesky::warp, talus::cuda::cholesky::then_solve<T>> {
  using type = cholesky::solve_in_warp<T>;
};
