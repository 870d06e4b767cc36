// The stored triangle of a Hermitian matrix, whichever it is, seen as the lower one: A = U^H U is A = L L^H
// with L(i, j) = conj(U(j, i)), so each kernel is written once, for L, and upper differs in how it loads and
// stores.
#pragma once

#include "batch.hpp"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"
#include "talus/types.hpp"

namespace talus::cuda {

/// Where a tile of 16 x 16 begins, and how many rows and columns there are from there on.
template <class T>
struct tile_place {
  const T* corner;
  int lda, rows, columns;
};

template <class T>
struct triangle {
  T* A;
  std::ptrdiff_t row, column;  // element (i, j), i >= j, lies at A[i * row + j * column]
  bool is_upper;

  __device__ triangle(matrix<T> A, uplo uplo)
      : A(A.A),
        row(uplo == uplo::lower ? 1 : A.lda),
        column(uplo == uplo::lower ? A.lda : 1),
        is_upper(uplo == uplo::upper) {}

  __device__ std::remove_const_t<T> operator()(int i, int j) const {
    const auto a = A[i * row + j * column];
    return is_upper ? conj(a) : a;
  }
  __device__ void store(int i, int j, T a) const { A[i * row + j * column] = is_upper ? conj(a) : a; }
};

/// The lower triangle of a Hermitian matrix of which one triangle is stored, tile (I, P) of 16 x 16 at a
/// time. Where the upper one is stored, what is seen is its transpose, unconjugated: A = U^H U is conj(A) = L
/// L^H with L = U^T, so the same algorithm factors it. Four to eight lanes take consecutive addresses,
/// whichever triangle is stored.
///
/// TURNS: lanes whose elements are lines of the matrix apart want the same banks of the first-level cache
/// where lda is a multiple of its lines, and wait for each other; so half of them take what is 8 further
/// along their line first. What is fetched so has to be `turned` before it is used.
template <class T, bool TURNS = false>
struct stored_triangle {
  static constexpr bool ends_in_columns = false;  // a tile has all columns that anybody looks at
  T* mine;                                        // this lane's first element of tile (0, 0)
  int lda, n, row, t;
  int down, right;            // from a row to the next, from a column to the next
  int turn_down, turn_right;  // 8 in lanes that start with the elements 8 further along their line
  bool lower;

  /// Of its n rows and columns the first `border` are none of the matrix.
  __device__ stored_triangle(uplo uplo, const matrix<T>& stored, int n_, const tile_lane& my, int border = 0)
      : mine(stored.A + ((uplo == uplo::lower ? my.row : my.t) - border) +
             ((uplo == uplo::lower ? my.t : my.row) - border) * static_cast<std::ptrdiff_t>(stored.lda)),
        lda(stored.lda),
        n(n_),
        row(my.row),
        t(my.t),
        down(uplo == uplo::lower ? 1 : stored.lda),
        right(uplo == uplo::lower ? stored.lda : 1),
        turn_down(0),
        turn_right(0),
        lower(uplo == uplo::lower) {
    if (TURNS && lda % (128 / static_cast<int>(sizeof(T))) == 0) {
      if (lower) {
        turn_down = my.t % 2 * 8;
      } else {
        turn_right = my.lane / 4 % 2 * 8;
      }
    }
    asm volatile("" : "+l"(mine));  // one register pair, not the sum of two
    asm volatile("" : "+r"(down), "+r"(right));
    __builtin_assume(__isGlobal(mine));
  }

  /// What of tile (I, P) lies outside is zero (DIAGONAL: above the diagonal, or where there is no row; else
  /// rows that do not exist are the last one again, which is never stored).
  ///
  /// FIRST: from half 0 or 1 of its columns on; nothing else is touched.
  template <bool DIAGONAL, int FIRST = 0>
  __device__ void fetch(square<T>& a, int I, int P) const {
    if constexpr (DIAGONAL) {
      for_each<true, FIRST>(I, P, [&](int h, int e, const T* place, bool inside) {
        a.half[h].x[e] = T{};
        if (inside) a.half[h].x[e] = *place;
      });
    } else {
      const steps by(*this);
      const T* const column = mine + by(0, square_order * P + turn_right);
      const int last = n - 1 - recomputed(row);
      const T* first = column + by(min(square_order * I + turn_down, last), 0);
      const T* second = column + by(min(square_order * I + 8 - turn_down, last), 0);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        if (q >= 2 * FIRST) {
          a.half[q / 2].x[q % 2] = *first;
          a.half[q / 2].x[q % 2 + 2] = *second;
        }
        first += step_after(q) * by.right;
        second += step_after(q) * by.right;
      }
    }
  }
  /// What was fetched, or is to be stored, with the elements of lanes that turn exchanged.
  __device__ square<T> turned(const square<T>& a) const {
    square<T> b = a;
    const auto exchange = [&](bool turns, auto other) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int e = 0; e < 4; ++e) b.half[h].x[e] = turns ? other(h, e) : a.half[h].x[e];
      }
    };
    if (lower) {
      exchange(turn_down != 0, [&](int h, int e) { return a.half[h].x[e ^ 2]; });
    } else {
      exchange(turn_right != 0, [&](int h, int e) { return a.half[1 - h].x[e]; });
    }
    return b;
  }
  /// LAST: this kernel does not read it again.
  template <bool DIAGONAL, bool LAST = true, int FIRST = 0>
  __device__ void store(const square<T>& a, int I, int P) const {
    const square<T> out = TURNS ? turned(a) : a;
    for_each<DIAGONAL, FIRST>(I, P, [&](int h, int e, T* place, bool inside) {
      if (!inside) return;
      if constexpr (LAST) {
        store_last(place, out.half[h].x[e]);
      } else {
        *place = out.half[h].x[e];
      }
    });
  }

  /// On its way to the L2, from where it is fetched soon.
  __device__ void prefetch(int I, int P) const {
    const int lane = recomputed(static_cast<int>(threadIdx.x)) % 32;
    const int across = lane % square_order, along = lane / square_order * (square_order - 1);
    const int i = min(square_order * I + (lower ? along : across), n - 1);
    const int k = square_order * P + (lower ? across : along);
    const T* const place = mine + steps(*this)(i - row, k - t);
    if (k <= i) asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
  }

  /// The first element of tile (I, P).
  __device__ const T* corner(int I, int P) const {
    const int i = square_order * I - recomputed(row), k = square_order * P - recomputed(t);
    return mine + steps(*this)(i, k);
  }
  /// Where tile (I, P) is.
  __device__ tile_place<T> place(int I, int P) const {
    return {corner(I, P), lda, n - square_order * I, square_order};
  }

 private:
  /// The strides, hidden from the compiler, so that it keeps no multiples of them in registers.
  struct steps {
    int down, right;
    __device__ explicit steps(const stored_triangle& of)
        : down(recomputed(of.down)), right(recomputed(of.right)) {}
    __device__ std::ptrdiff_t operator()(int rows, int columns) const {
      return static_cast<std::ptrdiff_t>(rows) * down + static_cast<std::ptrdiff_t>(columns) * right;
    }
  };

  /// A lane visits columns t, t + 4, t + 8 and t + 12 of a tile; if it turns right, it starts with the last
  /// two. Returns the step from its q-th column to the next, in columns.
  __device__ int step_after(int q) const { return q == 1 ? 4 - 2 * turn_right : 4; }
  /// work(half, e, place, whether it is part of the triangle); only on the diagonal columns need a look.
  template <bool DIAGONAL, int FIRST, class F>
  __device__ void for_each(int I, int P, F work) const {
    const int i = square_order * I + row + turn_down, other = i + 8 - 2 * turn_down;
    const int k = square_order * P + t;
    const int first_beyond = (i < n ? i : -1) - k, second_beyond = (other < n ? other : -1) - k;
    const steps by(*this);
    T* first = next_line(mine, by(i - row, square_order * P + turn_right));  // or addresses live on
    T* second = next_line(first, by(other - i, 0));
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const int column = 4 * q ^ turn_right;
      if (q >= 2 * FIRST) {
        work(q / 2, q % 2, first, DIAGONAL ? first_beyond >= column : i < n);
        work(q / 2, q % 2 + 2, second, DIAGONAL ? second_beyond >= column : other < n);
      }
      first += step_after(q) * by.right;
      second += step_after(q) * by.right;
    }
  }
};

}  // namespace talus::cuda
