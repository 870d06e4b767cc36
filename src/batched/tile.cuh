// Tiles of 16 x 16 of a matrix as a warp holds them: how they come from memory and go back, how they lie in
// shared memory, and what the warp does with them there.
#pragma once

#include "batch.hpp"
#include "mma.cuh"
#include "scalar.cuh"
#include "talus/types.hpp"

namespace talus::cuda {

/// A tile of 16 x 16: its columns 0 ... 7 and 8 ... 15.
constexpr int square_order = 16, square_elements = square_order * square_order;
template <class T>
struct square {
  tile<T> half[2];
};

/// Where a lane is in a tile: lane 4 g + t has rows `row` and row + 8, columns t and t + 4 of each half. Row
/// g and column g of the tensor units are row and column g / 2 + 4 (g % 2) of the matrix: rows and columns
/// are permuted alike, so what is a result can be a factor as it is, and four lanes have consecutive columns.
struct tile_lane {
  int lane, t, row;
  __device__ explicit tile_lane(int lane_)
      : lane(recomputed(lane_)), t(lane % 4), row(lane / 8 + lane / 4 % 2 * 4) {}
  /// The first of the four lanes that have row i < 8.
  static __device__ constexpr int of_row(int i) { return (i % 4 * 2 + i / 4) * 4; }
};

template <class T>
__device__ left_factor<T> as_left(const tile<T>& a) {
  left_factor<T> f;
#pragma unroll
  for (int e = 0; e < 4; ++e) f.set(e, a.x[e % 2 * 2 + e / 2]);
  return f;
}

// ---- shared memory -------------------------------------------------------------------------------

/// Elements that a lane moves at once. Of double, one: each then comes to where the tensor units want it, and
/// of two in one access each product would have to move one first.
template <class T>
constexpr int tile_piece = std::is_same_v<std::remove_const_t<T>, double> ? 1 : piece<std::remove_const_t<T>>;

/// There a tile lies as a left factor, one piece of each lane after the other: `mine` is where the first
/// piece of this lane is, the tile's address plus lane * tile_piece<T>. A lane reads what it wrote.
template <class T>
__device__ T* tile_element(T* mine, int e) {
  return mine + e / tile_piece<T> * 32 * tile_piece<T> + e % tile_piece<T>;
}
template <class T>
__device__ void put(T* mine, const tile<T>& half) {
  constexpr int N = tile_piece<T>;
#pragma unroll
  for (int e = 0; e < 4; e += N) {
    pack<T, N> p;
#pragma unroll
    for (int k = 0; k < N; ++k) p.x[k] = half.x[(e + k) % 2 * 2 + (e + k) / 2];
    *reinterpret_cast<pack<T, N>*>(tile_element(mine, e)) = p;
  }
}
template <class T>
__device__ void put(T* mine, const square<T>& a) {
#pragma unroll
  for (int h = 0; h < 2; ++h) put(mine + h * tile_elements, a.half[h]);
}
template <class T>
__device__ square<T> get(const T* mine) {
  constexpr int N = tile_piece<T>;
  square<T> a;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int e = 0; e < 4; e += N) {
      const auto p = *reinterpret_cast<const pack<T, N>*>(tile_element(mine + h * tile_elements, e));
#pragma unroll
      for (int k = 0; k < N; ++k) a.half[h].x[(e + k) % 2 * 2 + (e + k) / 2] = p.x[k];
    }
  }
  return a;
}
template <class T>
__device__ left_factor<T> load_left(const T* mine) {
  constexpr int N = tile_piece<T>;
  left_factor<T> f;
#pragma unroll
  for (int e = 0; e < 4; e += N) {
    const auto p = *reinterpret_cast<const pack<T, N>*>(tile_element(mine, e));
#pragma unroll
    for (int k = 0; k < N; ++k) f.set(e + k, p.x[k]);
  }
  return f;
}
/// Its rows 0 ... 7 and its rows 8 ... 15, each as a right factor.
template <class T>
__device__ void load_right(right_factor<T> (&f)[2], const T* mine) {
  constexpr int N = tile_piece<T>;
#pragma unroll
  for (int e = 0; e < 4; e += N) {
    const auto p = *reinterpret_cast<const pack<T, N>*>(tile_element(mine, e));
#pragma unroll
    for (int k = 0; k < N; ++k) f[(e + k) % 2].set((e + k) / 2, p.x[k]);
  }
}

/// a -= sum
template <class T>
__device__ void subtract(square<T>& a, const square<T>& sum) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int e = 0; e < 4; ++e) a.half[h].x[e] = a.half[h].x[e] - sum.half[h].x[e];
  }
}

/// What is subtracted from many tiles: a square in shared memory, as the right factor.
template <class T>
struct facing_square {
  right_factor<T> rows[2][2];  // by half, then rows 0 ... 7 and 8 ... 15
  facing_square() = default;
  /// From half `first` of the columns on, which are all that is there.
  __device__ explicit facing_square(const T* mine, int first = 0) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      if (h >= first) load_right(rows[h], mine + (h - first) * tile_elements);
    }
  }
  __device__ explicit facing_square(const square<T>& a) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) rows[h][e / 2].set(e % 2, a.half[h].x[e]);
    }
  }
  /// For a -= left square, with the address of all of the square: its columns are what is faced.
  static __device__ facing_square transposed(T* tile, int lane) {
    const tile_lane my(lane);
    facing_square f;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int c = 0; c < 2; ++c) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const int from = tile_lane::of_row(my.t + 4 * e) + my.row % 4;
          const T* const place = tile + c * tile_elements + from * tile_piece<T>;
          f.rows[h][c].set(e, conj(*tile_element(place, my.row / 4 * 2 + h)));
        }
      }
    }
    return f;
  }
};

/// a -= left facing^H, left(h) the factor of its columns 8 h ... 8 h + 7. The tensor units cut the sums of
/// single precision off instead of rounding them, so there 16 products are summed up from zero, and
/// subtracted once.
///
/// From half `first` of the columns on; the others are zero.
template <class T, class F>
__device__ void subtract_product_of(square<T>& a, F left, const facing_square<T>& facing, int first = 0) {
  constexpr bool direct = sizeof(real_t<T>) == 8;
  square<T> sum{};
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    if (h < first) continue;
    const left_factor<T> l = left(h);
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      if constexpr (direct) {
        multiply_add(a.half[c], l, facing.rows[h][c].negative());
      } else {
        multiply_add(sum.half[c], l, facing.rows[h][c]);
      }
    }
  }
  if constexpr (!direct) subtract(a, sum);
}
template <class T>
__device__ void subtract_product(square<T>& a, const T* left, const facing_square<T>& facing, int first = 0) {
  subtract_product_of(
      a, [&](int h) { return load_left(left + (h - first) * tile_elements); }, facing, first);
}
template <class T>
__device__ void subtract_product(square<T>& a, const square<T>& left, const facing_square<T>& facing) {
  subtract_product_of(
      a, [&](int h) { return as_left(left.half[h]); }, facing);
}

// ---- memory --------------------------------------------------------------------------------------

/// The lower triangle of a Hermitian matrix of which one triangle is stored, tile (I, P) of 16 x 16 at a
/// time. Where the upper one is stored, what is seen is its transpose, unconjugated: A = U^H U is conj(A) = L
/// L^H with L = U^T, so the same algorithm factors it. Four to eight lanes take consecutive addresses,
/// whichever triangle is stored.
///
/// TURNS: lanes whose elements are lines of the matrix apart want the same banks of the first-level cache
/// where lda is a multiple of its lines, and wait for each other; so half of them take what is 8 further
/// along their line first. What is fetched so has to be `turned` before it is used.
template <class T, uplo UPLO, bool TURNS = false>
struct stored_triangle {
  static constexpr bool lower = UPLO == uplo::lower;
  T* mine;  // this lane's first element of tile (0, 0)
  int lda, n, row, t, turn;

  /// Of its n rows and columns the first `border` are none of the matrix.
  __device__ stored_triangle(const matrix<T>& stored, int n_, const tile_lane& my, int border = 0)
      : mine(stored.A + ((lower ? my.row : my.t) - border) +
             ((lower ? my.t : my.row) - border) * static_cast<std::ptrdiff_t>(stored.lda)),
        lda(stored.lda),
        n(n_),
        row(my.row),
        t(my.t),
        turn(TURNS && lda % (128 / static_cast<int>(sizeof(T))) == 0 && (lower ? my.t : my.lane / 4) % 2 != 0
                 ? 8
                 : 0) {
    asm volatile("" : "+l"(mine));  // one register pair, not the sum of two
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
      const std::ptrdiff_t down = this->down(), right = this->right();
      const T* const column = mine + square_order * P * right;
      const int last = n - 1 - recomputed(row);
      const T* first = column + min(square_order * I + (lower ? turn : 0), last) * down;
      const T* second = column + min(square_order * I + (lower ? 8 - turn : 8), last) * down;
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        if (q >= 2 * FIRST) {
          a.half[q / 2].x[q % 2] = first[along(q)];
          a.half[q / 2].x[q % 2 + 2] = second[along(q)];
        }
        first += across();
        second += across();
      }
    }
  }
  /// What was fetched, or is to be stored, with the elements of lanes that turn exchanged.
  __device__ square<T> turned(const square<T>& a) const {
    square<T> b;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e)
        b.half[h].x[e] = turn != 0 ? (lower ? a.half[h].x[e ^ 2] : a.half[1 - h].x[e]) : a.half[h].x[e];
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
    const T* const place = mine + (i - row) * down() + (k - t) * right();
    if (k <= i) asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
  }

  /// From a row to the next and from a column to the next.
  __device__ std::ptrdiff_t down() const { return lower ? 1 : lda; }
  __device__ std::ptrdiff_t right() const { return lower ? lda : 1; }
  /// The first element of tile (I, P).
  __device__ const T* corner(int I, int P) const {
    const int i = square_order * I - recomputed(row), k = square_order * P - recomputed(t);
    return mine + i * down() + k * right();
  }

 private:
  /// From a column of a lane to its next: along lines, where it is from the first one; across them, the step.
  __device__ int along(int q) const {
    if (lower) return 0;
    return TURNS ? 4 * q ^ recomputed(turn) : 4 * q;  // or all of them live on in registers
  }
  __device__ std::ptrdiff_t across() const { return lower ? 4 * right() : 0; }
  /// work(half, e, place, whether it is part of the triangle); only on the diagonal columns need a look.
  template <bool DIAGONAL, int FIRST, class F>
  __device__ void for_each(int I, int P, F work) const {
    const std::ptrdiff_t down = this->down(), right = this->right();
    const int i = square_order * I + row + (lower ? turn : 0), other = lower ? i + 8 - 2 * turn : i + 8;
    const int k = square_order * P + t;
    const int first_beyond = (i < n ? i : -1) - k, second_beyond = (other < n ? other : -1) - k;
    T* first =
        next_line(mine, (i - row) * down + square_order * P * right);  // or addresses live on in registers
    T* second = next_line(first, (other - i) * down);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const int column = lower ? 4 * q : along(q);
      if (q >= 2 * FIRST) {
        work(q / 2, q % 2, first + along(q), DIAGONAL ? first_beyond >= column : i < n);
        work(q / 2, q % 2 + 2, second + along(q), DIAGONAL ? second_beyond >= column : other < n);
      }
      first += across();
      second += across();
    }
  }
};

}  // namespace talus::cuda
