// Tiles of 16 x 16 as a warp holds them: how they lie in registers and in shared memory, and their products.
#pragma once

#include "batch.hpp"
#include "gpu/mma.cuh"
#include "gpu/scalar.cuh"
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

/// Ones on the diagonal from column `columns` on, so that what solves with the tile leaves those as they are.
template <class T>
__device__ void fill_identity(square<T>& a, int columns, const tile_lane& my) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int i = my.row + e / 2 * 8, j = 8 * h + my.t + e % 2 * 4;
      if (i == j && j >= columns) a.half[h].x[e] = from_real<T>(1);
    }
  }
}

/// A tile on the diagonal of a Hermitian matrix: there it has real elements.
template <class T>
__device__ void make_diagonal_real(square<T>& a, const tile_lane& my) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      if (my.row + e / 2 * 8 == 8 * h + my.t + e % 2 * 4) a.half[h].x[e] = from_real<T>(real(a.half[h].x[e]));
    }
  }
}

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

}  // namespace talus::cuda
