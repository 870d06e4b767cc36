// C <- beta C + alpha L U, tiles that a block has one below the other: what a step of LU does to columns to
// its right. Slabs of 16 columns of L and 16 rows of U stream through shared memory, behind them C itself,
// and behind it the slabs of the next tile: so nobody waits for memory between tiles.
#pragma once

#include <cstdint>

#include "batch.hpp"
#include "batched/blas/families/products.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda::lu {

/// Squares of 16 x 16 of a tile: a warp has ROWS x COLUMNS, a block those of DOWN x ACROSS warps.
template <int ROWS_, int COLUMNS_, int DOWN_, int ACROSS_, int STAGES_>
struct update_shape {
  static constexpr int ROWS = ROWS_, COLUMNS = COLUMNS_, DOWN = DOWN_, ACROSS = ACROSS_;
  static constexpr int WARPS = DOWN * ACROSS, THREADS = 32 * WARPS;
  static constexpr int HIGH = ROWS * DOWN, WIDE = COLUMNS * ACROSS;
  // A slab in shared memory: squares of L, then of U. One is used, the others are on their way.
  static constexpr int SQUARES = HIGH + WIDE, STAGES = STAGES_;
  static constexpr int of_slab = SQUARES * square_elements, elements = STAGES * of_slab;
  // C comes in parts: AT_ONCE squares of each warp, one below the other, in the place of a slab; of the warps
  // across one after the other, where not all of them find room.
  static constexpr int TURNS = SQUARES < WARPS ? ACROSS : 1;
  static constexpr int AT_ONCE = SQUARES * TURNS / WARPS < ROWS ? 1 : ROWS;
  static constexpr int PARTS_OF_TURN = ROWS * COLUMNS / AT_ONCE, PARTS = TURNS * PARTS_OF_TURN;
  static_assert(AT_ONCE * WARPS / TURNS <= SQUARES);
  /// Of part q: its first square's row, and its column, among those of a warp.
  static constexpr __host__ __device__ int row_of(int q) { return q % (ROWS / AT_ONCE); }
  static constexpr __host__ __device__ int column_of(int q) { return q % PARTS_OF_TURN / (ROWS / AT_ONCE); }
  /// Whether a warp has squares in part q; and which of those in the part are its.
  static __device__ bool has_part(int q, int warp) { return TURNS == 1 || warp / DOWN == q / PARTS_OF_TURN; }
  static __device__ int place_in_part(int warp) { return (TURNS == 1 ? warp : warp % DOWN) * AT_ONCE; }
};

/// L m x k, U k x n, C m x n.
template <class T>
struct update_operands {
  const T* L;
  const T* U;
  T* C;
  int ldl, ldu, ldc, m, n, k;

  /// Whether columns begin, and m and k end, at multiples of PIECE elements, which are copied at once.
  template <int PIECE>
  __device__ bool are_in_pieces() const {
    const auto begins = reinterpret_cast<std::uintptr_t>(L) | reinterpret_cast<std::uintptr_t>(U) |
                        reinterpret_cast<std::uintptr_t>(C);
    return (begins | static_cast<std::uintptr_t>(ldl | ldu | ldc | m | k) * sizeof(T)) %
               (PIECE * sizeof(T)) ==
           0;
  }
};

/// Tiles from (i, j) on, each `down` rows below the one before.
struct tile_range {
  int i, j, down, count;
};

/// What of these tiles comes to shared memory, slab by slab. PIECE: elements that a thread copies at once.
template <class T, class Shape, int PIECE>
struct tile_stream {
  static constexpr int OF_LINE = square_order / PIECE;    // threads
  static constexpr int LINES = Shape::THREADS / OF_LINE;  // that a block copies at once
  static_assert(LINES % square_order == 0);
  static_assert(Shape::HIGH * square_order % LINES == 0 && Shape::WIDE * square_order % LINES == 0);

  const update_operands<T>& all;
  T* const shared;
  const bool reads_C;
  tile_range left;                 // that have not been copied
  int slabs, next = 0, stage = 0;  // of a tile, which of them comes next, and where
  // A thread's pieces of a slab: elements `along` ... of line `line`; of L in every LINES / 16th square of
  // the column, of U in every LINES-th column.
  int along, line, row_of_L;
  const T *from_L, *from_U;

  __device__ tile_stream(const update_operands<T>& all_, const tile_range& tiles, bool reads_C_, T* shared_)
      : all(all_), shared(shared_), reads_C(reads_C_), left(tiles), slabs(ceil_div(all_.k, square_order)) {
    const int thread = static_cast<int>(threadIdx.x);
    along = thread % OF_LINE * PIECE;
    line = thread / OF_LINE;
    row_of_L = along + line / square_order * square_order;
    from_L = all.L + left.i + row_of_L + line % square_order * columns_of_L(1);
    from_U = all.U + along + (left.j + line) * static_cast<std::ptrdiff_t>(all.ldu);
  }

  /// The next slab, or part of C, if there is one; closes its group.
  __device__ __forceinline__ void copy() {
    if (left.count > 0) {
      T* const to = shared + stage * Shape::of_slab;
      if (next < slabs) {
        copy_slab(to + tile_layout<T>::place_of(line, along));
      } else {
        copy_part_of_C(to, next - slabs);
      }
      if (++next == slabs + Shape::PARTS) begin_next_tile();
    }
    stage = stage + 1 == Shape::STAGES ? 0 : stage + 1;
    close_group();
  }

 private:
  __device__ std::ptrdiff_t columns_of_L(int c) const { return c * static_cast<std::ptrdiff_t>(all.ldl); }
  __device__ static void copy_piece(T* to, const T* from, bool exists) {
    constexpr int BYTES = PIECE * static_cast<int>(sizeof(T));
    copy_piece_async<BYTES>(to, from, exists);
  }

  __device__ __forceinline__ void copy_slab(T* to) {
    const int first = next * square_order;
    const int rows = first + line % square_order < all.k ? all.m - left.i - row_of_L : 0;
#pragma unroll
    for (int t = 0; t < Shape::HIGH * square_order; t += LINES)
      copy_piece(to + t * square_order, from_L + t, rows > t);
    const int columns = first + along < all.k ? all.n - left.j - line : 0;
    const T* from = from_U;
#pragma unroll
    for (int t = 0; t < Shape::WIDE * square_order; t += LINES) {
      copy_piece(to + Shape::HIGH * square_elements + t * square_order, from, columns > t);
      from += LINES * static_cast<std::ptrdiff_t>(all.ldu);
    }
    from_L += columns_of_L(square_order);
    from_U += square_order;
  }
  /// A warp copies squares of its own.
  __device__ __forceinline__ void copy_part_of_C(T* to, int q) const {
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    if (!Shape::has_part(q, warp)) return;
    const int high = warp % Shape::DOWN * Shape::ROWS + Shape::row_of(q);
    const int wide = warp / Shape::DOWN * Shape::COLUMNS + Shape::column_of(q);
    const int i = lane % OF_LINE * PIECE, first = lane / OF_LINE;
    const int row = left.i + square_order * high + i, column = left.j + square_order * wide + first;
    const T* from = all.C + row + column * static_cast<std::ptrdiff_t>(all.ldc);
    T* const squares = to + Shape::place_in_part(warp) * square_elements;
#pragma unroll
    for (int l = 0; l < square_order; l += 32 / OF_LINE) {
#pragma unroll
      for (int r = 0; r < Shape::AT_ONCE; ++r)
        copy_piece(squares + r * square_elements + tile_layout<T>::place_of(first + l, i),
                   from + r * square_order, reads_C && row + r * square_order < all.m && column + l < all.n);
      from += 32 / OF_LINE * static_cast<std::ptrdiff_t>(all.ldc);
    }
  }
  __device__ __forceinline__ void begin_next_tile() {
    next = 0;
    from_L += left.down - columns_of_L(slabs * square_order);
    from_U -= slabs * square_order;
    left.i += left.down;
    --left.count;
  }
};

/// Tiles of C <- beta C + alpha L U, by all threads of a block.
///
/// Thread map  a warp has ROWS x COLUMNS squares of each tile, in registers
/// Stored      Shape::elements of shared memory
/// Barriers    one per slab, and per part of C
template <class T, class Shape, int PIECE>
__device__ __forceinline__ void update_tiles_by(const update_operands<T>& all, T alpha, T beta,
                                                const tile_range& tiles, T* shared) {
  constexpr int ROWS = Shape::ROWS, COLUMNS = Shape::COLUMNS, STAGES = Shape::STAGES,
                AT_ONCE = Shape::AT_ONCE;
  const int warp = static_cast<int>(threadIdx.x / 32);
  const tile_lane my(static_cast<int>(threadIdx.x % 32));
  const int high = warp % Shape::DOWN * ROWS, wide = warp / Shape::DOWN * COLUMNS;
  const tiles_of_lane<T, true> of_L(shared, high, my), of_C(shared, Shape::place_in_part(warp), my);
  const tiles_of_lane<T, false> of_U(shared, Shape::HIGH + wide, my);
  const matrix<T> C = {all.C, all.m, all.n, all.ldc};
  tile_stream<T, Shape, PIECE> stream(all, tiles, !is_zero(beta), shared);
  int stage = 0;
  const auto next = [&] {  // where the next slab is
    wait_for_groups<STAGES - 2>();
    __syncthreads();
    stream.copy();
    const int slab = stage * Shape::of_slab;
    stage = stage + 1 == STAGES ? 0 : stage + 1;
    return slab;
  };
  __syncthreads();
#pragma unroll 1
  for (int s = 0; s < STAGES - 1; ++s) stream.copy();
#pragma unroll 1
  for (int t = 0; t < tiles.count; ++t) {
    const int i = tiles.i + t * tiles.down + square_order * high, j = tiles.j + square_order * wide;
    const bool works = i < C.m && j < C.n;
    square<T> sum[ROWS][COLUMNS] = {};
#pragma unroll 1
    for (int s = 0; s < stream.slabs; ++s) {
      const int slab = next();
      if (!works) continue;
      const auto L = of_L.from(slab);
      const auto U = of_U.from(slab);
      // The tensor units multiply by the conjugate of the right factor, so the left one is conjugated, too.
      left_factor<T> left[ROWS][2];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        square<T> a = L(r);
#pragma unroll
        for (int h = 0; h < 2; ++h) {
#pragma unroll
          for (T& x : a.half[h].x) x = conj(x);
          left[r][h] = as_left(a.half[h]);
        }
      }
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) {
        const facing_square<T> right(U(c));
#pragma unroll
        for (int r = 0; r < ROWS; ++r) add_product(sum[r][c], left[r], right);
      }
    }
#pragma unroll
    for (int q = 0; q < Shape::PARTS; ++q) {
      const int r0 = Shape::row_of(q), c = Shape::column_of(q);
      const auto before = of_C.from(next());
      if (!works || !Shape::has_part(q, warp)) continue;
      blas::for_each_of_tiles<AT_ONCE>(C, i + square_order * r0, j + square_order * c, my,
                                       [&](int r, int h, int e, T* to, bool exists) {
                                         T x = product(conj(sum[r0 + r][c].half[h].x[e]), alpha);
                                         multiply_add(x, beta, before(r, h, e));
                                         if (exists) *to = x;
                                       });
    }
  }
  wait_for_groups<0>();
  __syncthreads();
}

/// The same. Out of line, so that it has the registers for itself.
template <class T, class Shape>
__device__ __noinline__ void update_tiles(const update_operands<T> all, T alpha, T beta,
                                          const tile_range tiles) {
  if (piece<T> == 1 || all.template are_in_pieces<piece<T>>()) {
    update_tiles_by<T, Shape, piece<T>>(all, alpha, beta, tiles, shared_memory<T>());
  } else if constexpr (piece<T> > 1) {
    update_tiles_by<T, Shape, 1>(all, alpha, beta, tiles, shared_memory<T>());
  }
}

}  // namespace talus::cuda::lu
