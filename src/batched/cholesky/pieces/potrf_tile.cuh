// Cholesky of a tile on the diagonal by one warp: unblocked in 8 x 8 or as a whole, the rest by the tensor
// units.
#pragma once

#include "gpu/mma.cuh"
#include "gpu/reciprocal.cuh"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"
#include "gpu/trsm.cuh"

namespace talus::cuda::cholesky {

/// A block whose columns are eliminated, and the identity, eliminated along with it. Row i of both has been
/// multiplied by identity(i, i).
template <class T>
struct elimination {
  block<T> columns, identity;

  /// Of its row, in one of the four lanes that have it, the one with t = row % 4.
  __device__ real_t<T> pivot(const tile_lane& my) const {
    return real(my.row < 4 ? columns.x[0] : columns.x[1]);
  }
  __device__ real_t<T> stretch(const tile_lane& my) const {
    return real(my.row < 4 ? identity.x[0] : identity.x[1]);
  }
};

/// Nothing but a shuffle and products stand between one column and the next: no square root, no condition,
/// and of double precision no reciprocal. There every step multiplies by the pivot p instead of dividing by
/// it, rest <- p rest - l l^H; so that numbers do not grow as p^128, every fourth step also divides, by the
/// square of the power of two in p, after which rows are what they were over p, nearly.
///
/// Returns whether numbers stayed where none is lost; if not, there may be a pivot that is not > 0.
template <class T>
__device__ bool eliminate(const block<T>& A, elimination<T>& e, const tile_lane& my) {
  using R = real_t<T>;
  constexpr int N = tile_columns;
  block<T> rest = A, &V = e.identity;
  R so_far = 1;  // what the rows that are left have been multiplied by
  V.x[0] = from_real<T>(my.row == my.t ? R(1) : R(0));
#pragma unroll
  for (int c = 0; c < N - 1; ++c) {
    const int h = c / 4;
    R pivot = __shfl_sync(~0u, real(rest.x[h]), tile_lane::of_row(c) + c % 4);
    T column = shuffle(rest.x[h], c % 4, 4);
    if (c == 4) V.x[1] = from_real<T>(my.row == my.t + 4 ? so_far : R(0));
    T facing[2], above[2];  // rows t and t+4 of column c; row c of V
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      if (4 * k + 3 > c) facing[k] = conj(shuffle(rest.x[h], 8 * my.t + 4 * k + c % 4));
      if (k <= h) above[k] = shuffle(V.x[k], tile_lane::of_row(c) + my.t);
    }
    if (my.t == c % 4) e.columns.x[h] = column;
    if constexpr (sizeof(R) == 4) {
      column = column * approximate_reciprocal(pivot);
      pivot = 1;
    } else if (c % 4 == 0) {
      const R down = inverse_square_of_power(pivot);
      pivot = pivot * down;
      column = column * down;
    }
    if (c < 4) so_far = so_far * pivot;
    // Rows of the identity stay as they are once they are finished; what else is finished nobody looks at.
    const R stretch = c < my.row ? pivot : R(1);
    const T factor = c < my.row ? column : T{};
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      if (4 * k + 3 > c) {
        rest.x[k] = rest.x[k] * pivot;
        multiply_add(rest.x[k], column, -facing[k]);
      }
      if (k <= h) {
        V.x[k] = V.x[k] * stretch;
        multiply_add(V.x[k], factor, -above[k]);
      }
    }
  }
  if (my.t == 3) e.columns.x[1] = rest.x[1];
  const R last = e.pivot(my);
  const bool other = my.t != my.row % 4;
  return __all_sync(~0u, other | (far_from_limits(last) & far_from_limits(last * e.stretch(my))));
}

/// The same for every block, column by column with reciprocals, which takes its time. Where a pivot is not >
/// 0 all is done once more without the columns from there on; where it has no normal reciprocal, with a block
/// that is scaled. Returns the first column whose pivot is not > 0, else 8.
template <class T>
__device__ int eliminate_fallback(const block<T>& A, elimination<T>& e, real_t<T>& scale,
                                  const tile_lane& my) {
  using R = real_t<T>;
  constexpr int N = tile_columns;
  block<T>& V = e.identity;
  int done = N;
  while (true) {
    block<T> rest;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      rest.x[k] = A.x[k] * scale;
      V.x[k] = from_real<T>(my.row == my.t + 4 * k ? R(1) : R(0));
    }
    const int columns = min(N - 1, done);
#pragma unroll 1
    for (int c = 0; c < columns; ++c) {
      const T half = c < 4 ? rest.x[0] : rest.x[1];
      const R diagonal = __shfl_sync(~0u, real(half), tile_lane::of_row(c) + c % 4);
      const T column = shuffle(half, c % 4, 4);
      if (my.t == c % 4) (c < 4 ? e.columns.x[0] : e.columns.x[1]) = column;
      T factor = divide(column, diagonal);
      if (c >= my.row) factor = T{};
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        multiply_add(rest.x[k], factor, -conj(shuffle(half, 8 * my.t + 4 * k + c % 4)));
        multiply_add(V.x[k], factor, -shuffle(V.x[k], tile_lane::of_row(c) + my.t));
      }
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      if (my.t + 4 * k >= columns) e.columns.x[k] = rest.x[k];
    }
    const R pivot = __shfl_sync(~0u, e.pivot(my), my.row % 4, 4);
    if (done < N || __all_sync(~0u, has_normal_reciprocal(pivot))) return done;
    if (scale == 1 && __any_sync(~0u, pivot > 0 && pivot < least_normal<R>)) {
      scale = scale_up<R>;
    } else if (scale == 1 && __any_sync(~0u, pivot >= 1 / least_normal<R> && pivot < infinity<R>)) {
      scale = 1 / scale_up<R>;
    } else {
      // By a vote, which the compiler knows to be the same for all lanes, and so all branches and loops here.
      const unsigned failed = __ballot_sync(~0u, !(pivot > 0));  // a NaN, too
      if (failed == 0) return done;
#pragma unroll
      for (int row = N - 1; row >= 0; --row) {
        if ((failed >> tile_lane::of_row(row) & 1) != 0) done = row;
      }
    }
  }
}

/// Cholesky of the first `columns` columns of a block, in place, and W = L^-1; both are zero above the
/// diagonal. Returns the first column whose pivot is not > 0, else 8. The columns before it are finished, it
/// keeps that pivot; from its row on W is zero, from its column on L is zero else. So are the rows and
/// columns that are not there.
///
/// FALLBACK: it is known not to go the fast way.
template <bool FALLBACK, class T>
__device__ int potf2_block(block<T>& L, block<T>& W, int columns, int lane) {
  using R = real_t<T>;
  constexpr int N = tile_columns;
  const tile_lane my(lane);
  elimination<T> e;
  int done = N;
  R scale = 1;
#pragma unroll
  for (int k = 0; k < 2; ++k) {  // rows that are not there are the identity's
    if (my.row >= columns) L.x[k] = from_real<T>(R(my.row == my.t + 4 * k ? 1 : 0));
  }
  if (FALLBACK || !eliminate(L, e, my)) done = eliminate_fallback(L, e, scale, my);

  const int end = min(done, columns);

  // All square roots at once: of pivots times what their rows were multiplied by.
  const R pivot = e.pivot(my);
  const R inverse = reciprocal_sqrt(__shfl_sync(~0u, pivot * e.stretch(my), my.row % 4, 4));
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int column = my.t + 4 * k;
    L.x[k] = e.columns.x[k] * __shfl_sync(~0u, inverse, 8 * my.t + 4 * k);
    if (my.row == column) L.x[k] = from_real<T>(real(L.x[k]));
    if (my.row < column) L.x[k] = T{};
    W.x[k] = e.identity.x[k] * inverse;
    if (end < N) {
      if (column >= end) L.x[k] = T{};
      if (my.row == done && column == done && done < columns) L.x[k] = from_real<T>(pivot);
      if (my.row >= end) W.x[k] = T{};
    }
    if (scale != 1) {
      constexpr R up = sqrt_of_scale_up<R>, down = 1 / up;
      const R root_of_scale = scale > 1 ? up : down, inverse_root_of_scale = scale > 1 ? down : up;
      L.x[k] = L.x[k] * inverse_root_of_scale;
      if (column >= end) L.x[k] = L.x[k] * inverse_root_of_scale;  // a pivot
      W.x[k] = W.x[k] * root_of_scale;
    }
  }
  return end < columns ? end : N;
}

/// What potrf_tile does, by one elimination of all 16 columns: no root, no solve and no product of tiles
/// stands between the first eight and the others. Returns false where eliminate does; then nothing has been
/// changed.
template <bool SOLVES, class T>
__device__ bool potrf_tile_whole(square<T>& a, T* factored, int border, int columns, int lane, T* y) {
  using R = real_t<T>;
  constexpr int N = square_order, ROWS = SOLVES ? 3 : 2;
  const tile_lane my(lane);
  T rest[ROWS][4], done[ROWS][4] = {};  // of rows `row`, row + 8 and y^H columns t, t+4, ...
  T V[2][2] = {};  // of the two blocks on the diagonal: the identity, eliminated along with them
#pragma unroll
  for (int k = 0; k < 4; ++k) {
#pragma unroll
    for (int r = 0; r < 2; ++r) rest[r][k] = a.half[k / 2].x[2 * r + k % 2];
    if constexpr (SOLVES) rest[2][k] = conj(y[my.t + 4 * k]);
  }
  if (border > 0) {
#pragma unroll
    for (int k = 0; k < 2; ++k) rest[0][k] = from_real<T>(R(my.row == my.t + 4 * k ? 1 : 0));
  }
  if (columns < N) {  // rows that are not there are the identity's
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const int i = my.row + 8 * r;
        if (i >= columns) rest[r][k] = from_real<T>(R(i == my.t + 4 * k ? 1 : 0));
      }
    }
  }
  // Whether column c changes a lane's column k in row r.
  constexpr auto changes = [](int c, int r, int k) { return 4 * k + 3 > c && (r > 0 || k < 2); };
  R so_far = 1;  // what the rows that are left have been multiplied by
#pragma unroll
  for (int c = 0; c < N - 1; ++c) {
    const int q = c / 4, t = c % 4, h = c / 8;
    if (t == 0) V[h][q % 2] = from_real<T>(my.row == my.t + 4 * (q % 2) ? so_far : R(0));
    R pivot = __shfl_sync(~0u, real(rest[h][q]), tile_lane::of_row(c % 8) + t);
    T column[ROWS], facing[4], above[2];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      if (changes(c, r, r == 0 ? 1 : 3)) column[r] = shuffle(rest[r][q], t, 4);
      if (my.t == t && (r > 0 || h == 0)) done[r][q] = rest[r][q];
    }
#pragma unroll
    for (int k = q; k < 4; ++k) {
      if (changes(c, 1, k)) facing[k] = conj(shuffle(rest[k / 2][q], 8 * my.t + 4 * (k % 2) + t));
    }
#pragma unroll
    for (int k = 0; k <= q % 2; ++k) {
      if (c % 8 < 7) above[k] = shuffle(V[h][k], tile_lane::of_row(c % 8) + my.t);
    }
    R factor = 1;
    if constexpr (sizeof(R) == 4) {
      factor = approximate_reciprocal(pivot);
      pivot = 1;
    } else if (t == 0) {
      factor = inverse_square_of_power(pivot);
      pivot = pivot * factor;
    }
    if (c < 12) so_far = so_far * pivot;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      if (changes(c, r, r == 0 ? 1 : 3)) column[r] = column[r] * factor;
#pragma unroll
      for (int k = q; k < 4; ++k) {
        if (!changes(c, r, k)) continue;
        rest[r][k] = rest[r][k] * pivot;
        multiply_add(rest[r][k], column[r], -facing[k]);
      }
    }
    if (c % 8 == 7) continue;
    const bool left = c % 8 < my.row;  // rows that are finished stay as they are
#pragma unroll
    for (int k = 0; k <= q % 2; ++k) {
      V[h][k] = V[h][k] * (left ? pivot : R(1));
      multiply_add(V[h][k], left ? column[h] : T{}, -above[k]);
    }
  }
#pragma unroll
  for (int r = 1; r < ROWS; ++r) {
    if (my.t == 3) done[r][3] = rest[r][3];
  }
  R square[2];  // of what the rows of a block are divided by, in one of the four lanes that have them
  bool fine = true;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const R pivot = real(my.row < 4 ? done[h][2 * h] : done[h][2 * h + 1]);
    square[h] = pivot * real(my.row < 4 ? V[h][0] : V[h][1]);
    fine &= far_from_limits(pivot) & far_from_limits(square[h]);
  }
  if (!__all_sync(~0u, my.t != my.row % 4 || fine)) return false;

  R inverse[2];
  block<T> L[2], below, W[2];
  T row[4];
#pragma unroll
  for (int h = 0; h < 2; ++h) inverse[h] = reciprocal_sqrt(__shfl_sync(~0u, square[h], my.row % 4, 4));
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const int column = my.t + 4 * k;
      const R of_column = __shfl_sync(~0u, inverse[h], 8 * my.t + 4 * k);
      L[h].x[k] = done[h][2 * h + k] * of_column;
      if (my.row == column) L[h].x[k] = from_real<T>(real(L[h].x[k]));
      if (my.row < column || column + 8 * h >= columns) L[h].x[k] = T{};
      W[h].x[k] = my.row + 8 * h < columns ? V[h][k] * inverse[h] : T{};
      if (h == 0) below.x[k] = done[1][k] * of_column;
      if constexpr (SOLVES) row[2 * h + k] = done[2][2 * h + k] * of_column;
    }
    put(factored, h == 0 ? part::L0 : part::L1, L[h]);
    put(factored, h == 0 ? part::W0 : part::W1, W[h]);
  }
  put(factored, part::below, below);
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    a.half[0].x[k] = L[0].x[k];
    a.half[0].x[k + 2] = below.x[k];
    a.half[1].x[k] = T{};
    a.half[1].x[k + 2] = L[1].x[k];
  }
  if constexpr (SOLVES) {
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (my.row == 0) y[my.t + 4 * k] = conj(row[k]);
    }
    __syncwarp();
  }
  return true;
}

/// Cholesky of the first `columns` columns of a square on the diagonal. Returns the first column whose pivot
/// is not > 0, else 16.
///
/// SOLVES: y <- L^-1 y in shared memory, as y^H is another row: of the eight that the tensor units have where
/// only what is below them is wanted.
///
/// WHOLE: by one elimination. Fewer cycles, but more registers, and more instructions of the pipe that double
/// precision shares with the tensor units (log, 63).
///
/// Of the first `border` columns, 0 or 8, it is known that they are the identity's; in `a` they are zero.
template <bool WHOLE, bool SOLVES = false, class T>
__device__ int potrf_tile(square<T>& a, T* factored, int border, int columns, int lane, T* y = nullptr) {
  if constexpr (WHOLE) {
    if (potrf_tile_whole<SOLVES>(a, factored, border, columns, lane, y)) return square_order;
  }
  const tile_lane my(lane);
  tile<T>&left = a.half[0], &right = a.half[1];
  block<T> L = {left.x[0], left.x[1]}, W;
  if (border > 0) L = {right.x[2], right.x[3]};
  auto set_row = [&](tile<T>& half, int begin) {
#pragma unroll
    for (int k = 0; k < 2; ++k) half.x[k] = conj(y[begin + my.t + 4 * k]);
  };
  auto put_row = [&](const tile<T>& half, int begin) {
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      if (my.row == 0) y[begin + my.t + 4 * k] = conj(half.x[k]);
    }
    __syncwarp();
  };
  if constexpr (SOLVES) set_row(right, tile_columns);
    // One loop for both halves: twice the instructions would not stay in the multiprocessor's cache (log,
    // 46).
#pragma unroll 1
  for (int begin = border;; begin = recomputed(tile_columns)) {
    const int failed = potf2_block<WHOLE>(L, W, columns - begin, lane);
    T* const mine = factored + (begin == 0 ? 0 : 64);  // L1 is two parts behind L0, W1 one behind W0
    put(mine + (begin == 0 ? 0 : 64), part::L0, L);
    put(mine, part::W0, W);
    if (begin != 0) {
      if constexpr (SOLVES) {
        tile<T> row = {right.x[0], right.x[1]};
        solve(row, as_right(L), as_right(W));
        put_row(row, tile_columns);
      }
      right.x[2] = L.x[0];
      right.x[3] = L.x[1];
      return begin + failed;
    }
    if constexpr (SOLVES) set_row(left, 0);
    solve(left, as_right(L), as_right(W));
    if constexpr (SOLVES) put_row(left, 0);
    const block<T> below = {left.x[2], left.x[3]};
    if (columns > tile_columns && failed == tile_columns) {
      put(factored, part::below, below);
      multiply_add(right, as_left(left), as_right(below).negative());
    }
    left.x[0] = L.x[0];
    left.x[1] = L.x[1];
    if (failed < tile_columns) return failed;
    if (columns <= tile_columns) {  // there is no right half: solves with it give zero
      for (const part none : {part::below, part::L1, part::W1}) put(factored, none, block<T>{});
      return square_order;
    }
    L = {right.x[2], right.x[3]};
  }
}

}  // namespace talus::cuda::cholesky
