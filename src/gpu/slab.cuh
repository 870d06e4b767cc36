// Slabs of 16 columns left of a panel, on their way to shared memory while others are multiplied.
#pragma once

#include "gpu/async_copy.cuh"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"
#include "gpu/triangle.cuh"

namespace talus::cuda {

/// How the squares of a slab lie in shared memory: line after line as they lie in memory, columns of lower
/// storage, rows of upper storage, so that 16 lanes copy a line. Within a line, elements are exchanged such
/// that a lane's elements of a tile come without bank conflicts, two at once unless they are double.
template <class T, uplo UPLO>
struct slab_tiles {
  static constexpr bool lower = UPLO == uplo::lower;
  static constexpr int AT_ONCE = std::is_same_v<real_t<T>, double> ? 1 : 2;
  int lane;
  int from[4];  // where this lane's elements begin: of lower storage rows `row` and row + 8, of upper storage
                // columns t, t + 4, ...

  __device__ explicit slab_tiles(int lane_) : lane(lane_) {
    const tile_lane my(lane);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      from[j] = lower ? my.t * square_order + place(my.t, my.row + j % 2 * 8)
                      : my.row * square_order + place(my.row, my.t + j * 4);
    }
  }
  /// Where element i of a line is.
  static __device__ int place(int line, int i) {
    const int t = line % 4, row = line % 8;
    if (AT_ONCE == 1) {
      const int exchanged = lower ? (sizeof(T) == 8 ? t % 2 * 2 + t / 2 * 8 : t)
                                  : (sizeof(T) == 8 ? row / 4 * 4 + row % 2 * 8 : row / 4 * 4);
      return i ^ exchanged;
    }
    // Elements i and i + 8 of a column, i and i + 4 of a row, are next to each other.
    if (lower) return 2 * (i % 8 ^ (sizeof(T) == 4 ? t / 2 * 2 : t)) + i / 8;
    return 2 * ((i / 8 * 4 + i % 4) ^ row / 4 * 4) + i / 4 % 2;
  }

  /// Tile (I, P) to shared memory, without waiting; zero if it does not exist, and where it has no rows or
  /// columns. DIAGONAL: it may be one on the diagonal, which is zero above that.
  template <bool DIAGONAL, class Stored>
  __device__ void copy_async(T* to, const Stored& stored, int I, int P, bool exists = true) const {
    const int l = recomputed(lane), first = l / square_order, i = l % square_order;
    const tile_place<T> at = stored.place(I, P);
    const int rows = exists ? at.rows : 0;  // that there are from here on
    const T* source = at.corner + i + first * static_cast<std::ptrdiff_t>(at.lda);
#pragma unroll
    for (int j = 0; j < square_order; j += 2) {
      const int line = first + j, row = lower ? i : line, column = lower ? line : i;
      copy_element_async(to + line * square_order + place(line, i), source,
                         row < rows && (!Stored::ends_in_columns || column < at.columns) &&
                             (!DIAGONAL || I > P || row >= column));
      source = next_line(source, 2 * static_cast<std::ptrdiff_t>(at.lda));
    }
  }
  /// Where this lane's element (row + 8 below, 8 h + t + 4 e) of a square is.
  __device__ int offset(int h, int below, int e) const {
    return lower ? from[below] + (8 * h + 4 * e) * square_order : from[2 * h + e] + 8 * below * square_order;
  }
  /// This lane's elements of columns 8 h ... 8 h + 7.
  __device__ tile<T> half(const T* here, int h) const {
    tile<T> a;
#pragma unroll
    for (int below = 0; below < 2; ++below) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        if (AT_ONCE == 1) {
          a.x[2 * below + e] = here[offset(h, below, e)];
        } else if (lower ? below == 0 : e == 0) {
          const auto p = *reinterpret_cast<const pack<T, 2>*>(here + offset(h, below, e));
          a.x[2 * below + e] = p.x[0];
          a.x[lower ? 2 + e : 2 * below + 1] = p.x[1];
        }
      }
    }
    return a;
  }
  __device__ square<T> get(const T* here) const { return {{half(here, 0), half(here, 1)}}; }
  __device__ void put(T* to, const square<T>& a) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int x = 0; x < 4; ++x) to[offset(h, x / 2, x % 2)] = a.half[h].x[x];
    }
  }
  /// Columns 8 h ... 8 h + 7 as a left factor; as right factors, rows 0 ... 7 and rows 8 ... 15.
  __device__ left_factor<T> left(const T* here, int h) const { return as_left(half(here, h)); }
  __device__ void right(right_factor<T> (&f)[2], const T* here, int h) const {
    const tile<T> a = half(here, h);
#pragma unroll
    for (int e = 0; e < 4; ++e) f[e / 2].set(e % 2, a.x[e]);
  }
};

}  // namespace talus::cuda
