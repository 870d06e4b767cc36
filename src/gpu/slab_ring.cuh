// Tiles of 16 x 16 on their way to shared memory while others are multiplied: copied along what is
// consecutive in memory, rows or columns, 16 bytes at a time where they begin so, and read as factors of the
// tensor units. Neither meets a bank twice.
#pragma once

#include <cstdint>

#include "gpu/async_copy.cuh"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda {

/// How a tile lies in shared memory: line after line, each 16 elements that are consecutive in memory.
/// Element `along` of line l is at 16 l + (along ^ turn(l)), which leaves 16 bytes together. Its lines are
/// its columns, if `by_columns`, else its rows; `reversed`: rows and columns are counted from the end of the
/// tile.
template <class T>
struct tile_layout {
  bool by_columns, reversed;

  __device__ static int turn(int l) {
    if (sizeof(T) == 16) return l & 7;
    if (sizeof(T) == 8) return (l & 1) << 3 | (l & 6);
    return (l & 2) << 2 | (l & 4);
  }
  __device__ static int place_of(int line, int along) { return square_order * line + (along ^ turn(line)); }
  __device__ int operator()(int i, int k) const {
    if (reversed) {
      i ^= square_order - 1;
      k ^= square_order - 1;
    }
    return by_columns ? place_of(k, i) : place_of(i, k);
  }
};

/// One tile, which begins at `first`, a multiple of an element's size, and whose lines are `step` apart: of
/// its first `lines` lines the first `along` elements are there, the others become zero; both may be any
/// number. By THREADS threads, of which this is number `thread`; they close the group.
template <int THREADS, class T>
__device__ __forceinline__ void copy_tile_async(T* to, const T* first, std::ptrdiff_t step, int along,
                                                int lines, int thread) {
  constexpr int PIECE = piece<T>, OF_LINE = square_order / PIECE;
  const auto begins = reinterpret_cast<std::uintptr_t>(first) | static_cast<std::uintptr_t>(step) * sizeof(T);
  if (begins % 16 == 0) {
#pragma unroll
    for (int e = thread; e < square_order * OF_LINE; e += THREADS) {
      const int l = e / OF_LINE, a = e % OF_LINE * PIECE;
      const int existing = l < lines ? max(0, min(PIECE, along - a)) : 0;
      copy_existing_async(to + tile_layout<T>::place_of(l, a), first + a + l * step,
                          existing * static_cast<int>(sizeof(T)));
    }
  } else if constexpr (PIECE > 1) {
#pragma unroll 1
    for (int e = thread; e < square_elements; e += THREADS) {
      const int l = e / square_order, a = e % square_order;
      copy_element_async(to + tile_layout<T>::place_of(l, a), first + a + l * step, l < lines && a < along);
    }
  }
}

/// Where a lane's elements of a tile lie in shared memory: element e of half h, as in `square`, is that of
/// row `row` + 8 (e / 2), column t + 4 (e % 2) + 8 h.
template <class T>
struct tile_places {
  __device__ tile_places(const tile_layout<T>& place, const tile_lane& my) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e)
        at[h][e] =
            recomputed(static_cast<int>(sizeof(T)) * place(my.row + e / 2 * 8, my.t + e % 2 * 4 + 8 * h));
    }
  }

  __device__ __forceinline__ facing_square<T> operator()(const T* tile) const {
    return facing_square<T>(get(tile));
  }
  __device__ __forceinline__ square<T> get(const T* tile) const {
    square<T> a;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e)
        a.half[h].x[e] = *reinterpret_cast<const T*>(reinterpret_cast<const char*>(tile) + at[h][e]);
    }
    return a;
  }
  __device__ __forceinline__ void put(T* tile, const square<T>& a) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e)
        *reinterpret_cast<T*>(reinterpret_cast<char*>(tile) + at[h][e]) = a.half[h].x[e];
    }
  }

 private:
  int at[2][4];  // in bytes, of which the compiler knows nothing: it then adds them, and does not multiply
};

/// Elements of a lane of tiles in shared memory, of a layout that is known when it is compiled: all are found
/// from one number, as places differ from the first one's by some bits.
template <class T, bool BY_COLUMNS>
struct tiles_of_lane {
  const T* shared;  // where all tiles are counted from
  unsigned first;   // of the first of them, in bytes

  __device__ tiles_of_lane(const T* shared_, int tiles, const tile_lane& my)
      : shared(shared_),
        first(bytes(tiles * square_elements + (BY_COLUMNS ? tile_layout<T>::place_of(my.t, my.row)
                                                          : tile_layout<T>::place_of(my.row, my.t)))) {}

  __device__ static constexpr unsigned bytes(int elements) {
    return static_cast<unsigned>(elements) * static_cast<unsigned>(sizeof(T));
  }
  /// So many elements, whole tiles, further on.
  __device__ tiles_of_lane from(int elements) const {
    tiles_of_lane that = *this;
    that.first += bytes(elements);
    return that;
  }
  /// Element e of half h of tile `tile`.
  __device__ __forceinline__ T operator()(int tile, int h, int e) const {
    const int row = e / 2 * 8, column = e % 2 * 4 + 8 * h;
    const int line = BY_COLUMNS ? column : row, along = BY_COLUMNS ? row : column;
    const unsigned place = (first ^ bytes(along ^ tile_layout<T>::turn(line))) +
                           bytes(tile * square_elements + line * square_order);
    return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(shared) + place);
  }
  __device__ __forceinline__ square<T> operator()(int tile) const {
    square<T> a;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) a.half[h].x[e] = (*this)(tile, h, e);
    }
    return a;
  }
};

/// a += left facing^H, left[h] the factor of its columns 8 h ... 8 h + 7. Of single precision as in
/// subtract_product_of.
template <class T>
__device__ __forceinline__ void add_product(square<T>& a, const left_factor<T> (&left)[2],
                                            const facing_square<T>& facing) {
  constexpr bool direct = sizeof(real_t<T>) == 8;
  square<T> sum{};
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int c = 0; c < 2; ++c) multiply_add(direct ? a.half[c] : sum.half[c], left[h], facing.rows[h][c]);
  }
  if constexpr (!direct) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) a.half[h].x[e] = a.half[h].x[e] + sum.half[h].x[e];
    }
  }
}

/// What of a slab there is: rows and columns from the first on, as its matrix is seen.
struct slab_extent {
  int rows, columns;
};

/// Slabs of 16 columns of a matrix, TILES tiles one below the other, STAGES of them in a ring. All THREADS of
/// a block call.
template <class T, int TILES, int THREADS, int STAGES>
struct slab_ring {
  static constexpr int of_slab = TILES * square_elements, elements = STAGES * of_slab,
                       rows = TILES * square_order;
  T* const shared;
  std::ptrdiff_t step;  // from a line in memory to the next
  tile_layout<T> layout;
  int slot = 0;  // of the next slab to be copied

  /// Of a matrix whose element (i, k) lies at i * row + k * column from its first: one of these is 1, or,
  /// where it is seen from its last element back, -1.
  __device__ slab_ring(T* shared_, std::ptrdiff_t row, std::ptrdiff_t column)
      : shared(shared_), layout{row == 1 || row == -1, row < 0 || column < 0} {
    step = layout.by_columns ? column : row;
    if (step < 0) step = -step;
  }
  /// Of a matrix whose columns, or rows, are consecutive in memory, one line `step_` after the other.
  __device__ slab_ring(T* shared_, bool by_columns, std::ptrdiff_t step_)
      : shared(shared_), step(step_), layout{by_columns, false} {}

  /// The tile of rows 16 c ... of a slab.
  __device__ const T* tile(const T* slab, int c) const {
    return slab + (layout.reversed ? TILES - 1 - c : c) * square_elements;
  }

  /// The next slab, whose first element is that at `first`: what does not exist is zero.
  __device__ __forceinline__ void copy(const T* first, const slab_extent& existing) {
    copy_slab(first, existing, static_cast<int>(threadIdx.x));
    copy_nothing();
  }
  /// The same of a matrix that is not seen from its end, by thread number `thread`, with few instructions.
  /// advance() and the group's end are the caller's: rings may share their groups.
  __device__ __forceinline__ void fetch(const T* first, const slab_extent& existing, unsigned thread) const {
    const auto begins =
        reinterpret_cast<std::uintptr_t>(first) | static_cast<std::uintptr_t>(step) * sizeof(T);
    const int in_line = layout.by_columns ? min(existing.rows, rows) : min(existing.columns, square_order);
    const int lines = layout.by_columns ? existing.columns : existing.rows;
    // Pieces exist, or do not.
    if (begins % 16 == 0 && in_line % piece<T> == 0) {
      fetch_pieces<piece<T>>(first, in_line, lines, thread);
    } else {
      fetch_pieces<1>(first, in_line, lines, thread);
    }
  }
  /// There are no more slabs: keeps the count.
  __device__ __forceinline__ void copy_nothing() {
    advance();
    close_group();
  }
  __device__ __forceinline__ void advance() { slot = slot + 1 == STAGES ? 0 : slot + 1; }
  /// Waits for the slab that was copied STAGES - 1 copies ago. From then on there is room for one more.
  __device__ __forceinline__ const T* next() const {
    wait_for_groups<STAGES - 2>();
    __syncthreads();
    return oldest();
  }
  __device__ __forceinline__ const T* oldest() const {
    return shared + (slot + 1 == STAGES ? 0 : slot + 1) * of_slab;
  }

 private:
  struct range {
    int from, end;
  };

  /// PIECE elements at a time, all of which exist, or none.
  template <unsigned PIECE>
  __device__ __forceinline__ void fetch_pieces(const T* first, int in_line, int lines,
                                               unsigned thread) const {
    constexpr unsigned OF_LINE = square_order / PIECE, AT_ONCE = THREADS / OF_LINE;
    constexpr unsigned LINES = TILES * square_order;
    if constexpr (AT_ONCE % 8 != 0) {
      const slab_extent existing =
          layout.by_columns ? slab_extent{in_line, lines} : slab_extent{lines, in_line};
      return copy_slab(first, existing, static_cast<int>(thread));
    }
    const auto copy = [](T* to, const T* from, bool exists) {
      if constexpr (PIECE * sizeof(T) == 16) {
        copy_piece_async(to, from, exists);
      } else {
        copy_element_async(to, from, exists);
      }
    };
    // Lines 8 apart have the same turn.
    const unsigned a = thread % OF_LINE * PIECE, l0 = thread / OF_LINE;
    T* const to = shared + slot * of_slab + layout.place_of(static_cast<int>(l0), static_cast<int>(a));
    const int along = in_line - static_cast<int>(a), below = lines - static_cast<int>(l0);
    if (layout.by_columns) {
      // Tiles one below the other: lines that are 16 apart are in the same column.
      constexpr bool SAME = AT_ONCE % square_order == 0;
      const unsigned tile0 = AT_ONCE > square_order ? l0 / square_order : 0;
      const T* const column = first + a + (l0 % square_order) * step + tile0 * square_order;
      const bool is_column = static_cast<int>(l0 % square_order) < lines;
      const int under = along - static_cast<int>(tile0) * square_order;
#pragma unroll
      for (unsigned done = 0; done < LINES; done += AT_ONCE) {
        if (LINES % AT_ONCE != 0 && done + l0 >= LINES) break;
        if constexpr (SAME) {
          copy(to + done * square_order, column + done, is_column & under > static_cast<int>(done));
        } else {
          const unsigned tile = (done + l0) / square_order, l = (done + l0) % square_order;
          copy(to + done * square_order, first + a + l * step + tile * square_order,
               static_cast<int>(l) < lines & along > static_cast<int>(tile) * square_order);
        }
      }
    } else {
      const T* from = first + a + l0 * step;
#pragma unroll
      for (unsigned done = 0; done < LINES; done += AT_ONCE, from += AT_ONCE * step) {
        if (LINES % AT_ONCE != 0 && done + l0 >= LINES) break;
        copy(to + done * square_order, from, along > 0 & below > static_cast<int>(done));
      }
    }
  }

  __device__ __forceinline__ void copy_slab(const T* first, const slab_extent& existing, int thread) const {
    // in memory's order: the first element; rows and columns from which on, and before which, there are any
    const int high = layout.by_columns ? rows : square_order, wide = layout.by_columns ? square_order : rows;
    const int along = min(high, layout.by_columns ? existing.rows : existing.columns);
    const int lines = min(wide, layout.by_columns ? existing.columns : existing.rows);
    const T* const start = layout.reversed ? first - (high - 1) - (wide - 1) * step : first;
    const range in_line = layout.reversed ? range{high - along, high} : range{0, along};
    const range of_lines = layout.reversed ? range{wide - lines, wide} : range{0, lines};
    constexpr int size = static_cast<int>(sizeof(T));
    const bool in_pieces =
        (reinterpret_cast<std::uintptr_t>(start) | static_cast<std::uintptr_t>(step * size)) % 16 == 0 &&
        in_line.from % piece<T> == 0;
    constexpr int at_once = THREADS * piece<T> / square_order;  // lines
    constexpr bool is_even = square_order % at_once == 0 || at_once % square_order == 0;
    if (is_even && in_pieces && along == high && lines == wide) {
      copy_whole(start, thread);
    } else if (in_pieces) {
      copy_lines<piece<T>>(start, in_line, of_lines, thread);
    } else {
      copy_lines<1>(start, in_line, of_lines, thread);
    }
  }

  /// The slab, all of which there is, 16 bytes at a time. Lines lie alike in shared memory every 8 lines.
  __device__ __forceinline__ void copy_whole(const T* start, int thread) const {
    constexpr int PIECE = piece<T>, OF_LINE = square_order / PIECE, AT_ONCE = THREADS / OF_LINE;
    const int a = thread % OF_LINE * PIECE, l0 = thread / OF_LINE;
    const std::ptrdiff_t to_next_tile = layout.by_columns ? square_order : square_order * step;
    const T* const from = start + a + l0 / square_order * to_next_tile + l0 % square_order * step;
    T* const slab = shared + slot * of_slab;
#pragma unroll
    for (int done = 0; done < TILES * square_order; done += AT_ONCE) {
      if (TILES * square_order % AT_ONCE != 0 && done + l0 >= TILES * square_order) break;
      const int line = AT_ONCE % 8 == 0 ? l0 : done + l0;
      T* const to = slab + layout.place_of(line, a) + (AT_ONCE % 8 == 0 ? square_order * done : 0);
      copy_existing_async(to, from + done / square_order * to_next_tile + done % square_order * step, 16);
    }
  }

  /// Lines of 16 elements of one tile, PIECE of them at a time.
  template <int PIECE>
  __device__ __forceinline__ void copy_lines(const T* start, const range& in_line, const range& of_lines,
                                             int thread) const {
    constexpr int OF_LINE = square_order / PIECE, AT_ONCE = THREADS / OF_LINE;
    const int a = thread % OF_LINE * PIECE, l0 = thread / OF_LINE;
    T* const slab = shared + slot * of_slab;
#pragma unroll(PIECE == 1 && piece <T> > 1 ? 1 : TILES * square_order)
    for (int done = 0; done < TILES * square_order; done += AT_ONCE) {
      const int line = done + l0, tile = line / square_order, l = line % square_order;
      if (TILES * square_order % AT_ONCE != 0 && line >= TILES * square_order) break;
      // in a tile, or by rows in the slab
      const int i = layout.by_columns ? tile * square_order + a : a, j = layout.by_columns ? l : line;
      const bool exists = i >= in_line.from && j >= of_lines.from && j < of_lines.end;
      const int count = exists ? max(0, min(PIECE, in_line.end - i)) : 0;
      T* const to = slab + tile * square_elements + layout.place_of(l, a);
      const T* const from = start + i + j * step;
      if constexpr (PIECE == 1) {
        copy_element_async(to, from, count > 0);
      } else {
        copy_existing_async(to, from, count * static_cast<int>(sizeof(T)));
      }
    }
  }
};

}  // namespace talus::cuda
