// Factor and solve with the matrix in shared memory.
#pragma once

#include "batch.hpp"
#include "potrf_smem.cuh"
#include "potrf_table.hpp"
#include "potrf_tile.cuh"
#include "scalar.cuh"
#include "tile.cuh"

namespace talus::cuda {

/// L Y = B, then L^H X = Y, tile by tile, for potrf_smem, by one warp. Where upper storage is, the factor
/// seen is that of conj(A), so B is conjugated, too.
///
/// The first right-hand side is a vector in shared memory, which potrf_smem solves forwards with while it
/// factors. Here it is solved backwards: what the tiles below contribute is multiplied as lanes hold them and
/// summed up over lanes; then each lane eliminates for one column of the tile on the diagonal, two lanes for
/// the same. All others follow as rows of a tile, as B^H are rows below the matrix: Y^H = B^H L^-H is what
/// potrf does with such rows, and X^H L = Y^H the same from the last tile to the first.
///
/// Of a matrix that failed B is left alone.
template <class T>
struct solve_in_smem {
  static constexpr bool solves = true;
  batch<T> B;

  int nrhs() const { return B.n; }

  /// The first right-hand side, zero beyond the matrix.
  template <uplo UPLO, class M>
  __device__ void fetch(const M& memory, std::int64_t b, int lane) const {
    const matrix<T> mine = B[b];
    __builtin_assume(__isGlobal(mine.A));
    for (int i = lane; i < memory.tiles * square_order; i += 32)
      memory.solved[i] = i < B.m ? seen<UPLO>(mine(i, 0)) : T{};
    __syncwarp();
  }
  /// Of its tile P, what tiles 0 ... P - 1 contribute.
  template <class M>
  __device__ void subtract_left(const M& memory, int P, int lane) const {
    const tile_lane my(lane);
    T sum[2] = {};
#pragma unroll 1
    for (int K = 0; K < P; ++K) {
      T* const tile = memory.tile(P, K, lane);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const T solved = memory.solved[K * square_order + my.t + 4 * q];
#pragma unroll
        for (int e = 0; e < 2; ++e) multiply_add(sum[e], *element(tile, q, e), solved);
      }
    }
#pragma unroll
    for (int e = 0; e < 2; ++e) subtract_sum(memory.solved + P * square_order + 8 * e, sum[e], my);
  }
  /// For the other right-hand sides.
  template <class M>
  __device__ void keep_inverses(const M& memory, int P, int lane) const {
    if (B.n == 1) return;
#pragma unroll
    for (const part which : {part::W0, part::W1}) {  // the next tile on the diagonal takes their place
      const T* const from = memory.factored(P, lane) + static_cast<int>(which) * 64;
      T* const to = inverses(memory, P) + static_cast<int>(which) * 64 + 2 * lane;
      to[0] = from[0];
      to[1] = from[1];
    }
  }

  template <uplo UPLO, class M>
  __device__ void finish(const M& memory, std::int64_t b, int lane) const {
    __syncwarp();
    backwards(memory, lane);
    const matrix<T> mine = B[b];
    for (int i = lane; i < B.m; i += 32) mine(i, 0) = seen<UPLO>(memory.solved[i]);
    if (B.n > 1) others<UPLO>(memory, b, lane);
  }

 private:
  template <uplo UPLO>
  static __device__ T seen(T x) {
    return UPLO == uplo::upper ? conj(x) : x;
  }
  /// Of a tile in shared memory this lane's element of row `row` + 8 e, column t + 4 q.
  static __device__ T* element(T* tile, int q, int e) {
    return tile_element(tile + q / 2 * tile_elements, q % 2 * 2 + e);
  }

  // ---- the first ---------------------------------------------------------------------------------

  template <class M>
  __device__ void backwards(const M& memory, int lane) const {
    const tile_lane my(lane);
    const int c = lane % 4 + lane / 8 * 4;  // the column of a tile that this lane eliminates for
    auto owner = [](int column) { return column % 4 + column / 4 * 8; };
#pragma unroll 1
    for (int P = memory.tiles - 1; P >= 0; --P) {
      const int columns = B.m - P * square_order;
      // Element (i, k) of the tile on the diagonal.
      const T* const blocks = memory.factored(P, 0);
      auto factor = [&](int i, int k) {
        return blocks[(i / 8 + k / 8) * 64 + 2 * (tile_lane::of_row(i % 8) + k % 4) + k % 8 / 4];
      };
      const real_t<T> scale = c < columns ? 1 / real(factor(c, c)) : 0;

      T sum[4] = {};  // columns t, t + 4, ... of L(P+1:tiles, P)^H X(P+1:tiles)
#pragma unroll 1
      for (int I = P + 1; I < memory.tiles; ++I) {
        T* const tile = memory.tile(I, P, lane);
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const T x = memory.solved[I * square_order + my.row + 8 * e];
#pragma unroll
          for (int q = 0; q < 4; ++q) multiply_add(sum[q], conj(*element(tile, q, e)), x);
        }
      }
      // Lanes with the same columns and other rows: half of them go on with half of the columns.
      const bool high = lane & 16, odd = lane & 8;
      T half[2];
#pragma unroll
      for (int q = 0; q < 2; ++q)
        half[q] = (high ? sum[q + 2] : sum[q]) + shuffle_xor(high ? sum[q] : sum[q + 2], 16);
      const T quarter = (odd ? half[1] : half[0]) + shuffle_xor(odd ? half[0] : half[1], 8);
      const T done = quarter + shuffle_xor(quarter, 4);

      // All is divided by the diagonal first, so from one column to the next it is a shuffle and a product;
      // and without branches, so that the factors are there in time. There is nothing in columns beyond the
      // matrix.
      T x{};
      if (c < columns) x = (memory.solved[P * square_order + c] - done) * scale;
#pragma unroll
      for (int h = 1; h >= 0; --h) {
        if (8 * h >= columns) continue;
#pragma unroll
        for (int k = 8 * h + 7; k >= 8 * h; --k)
          multiply_add(x, -(conj(factor(k, c)) * (c < k ? scale : 0)), shuffle(x, owner(k)));
      }
      __syncwarp();
      memory.solved[P * square_order + c] = x;
      __syncwarp();
    }
  }

  // ---- all others --------------------------------------------------------------------------------

  /// The inverses of the blocks on the diagonal, where the others of its parts would lie before them; and
  /// tiles of rows.
  template <class M>
  static __device__ T* inverses(const M& memory, int P) {
    return memory.rest() + (2 * P - static_cast<int>(part::W0)) * 64;
  }
  template <class M>
  static __device__ T* rows(const M& memory, int P, int lane) {
    return memory.rest() + memory.tiles * 2 * 64 + P * square_elements + lane * tile_piece<T>;
  }
  /// work(half, element, its place in B) for this lane's elements of tile P of the rows.
  template <class F>
  __device__ void for_each(int P, std::int64_t b, int lane, F work) const {
    const tile_lane my(lane);
    const matrix<T> mine = B[b];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int k = 1 + my.row + e / 2 * 8, i = P * square_order + h * 8 + my.t + e % 2 * 4;
        if (k < B.n && i < B.m) work(h, e, mine(i, k));
      }
    }
  }
  template <uplo UPLO, class M>
  __device__ void others(const M& memory, std::int64_t b, int lane) const {
    constexpr bool lower = UPLO == uplo::lower;  // rows are conjugated, and so is what upper storage holds
#pragma unroll 1
    for (int P = 0; P < memory.tiles; ++P) {
      square<T> y{};
      for_each(P, b, lane,
               [&](int h, int e, const T& place) { y.half[h].x[e] = lower ? conj(place) : place; });
#pragma unroll 1
      for (int K = 0; K < P; ++K)
        subtract_product(y, rows(memory, K, lane), facing_square<T>(memory.tile(P, K, lane)));
      const T *const blocks = memory.factored(P, lane), *const inverse = inverses(memory, P) + 2 * lane;
      solve(y.half[0], cuda::get(blocks, part::L0), cuda::get(inverse, part::W0));
      multiply_add(y.half[1], as_left(y.half[0]), cuda::get(blocks, part::below).negative());
      solve(y.half[1], cuda::get(blocks, part::L1), cuda::get(inverse, part::W1));
      cuda::put(rows(memory, P, lane), y);
    }
#pragma unroll 1
    for (int P = memory.tiles - 1; P >= 0; --P) {
      square<T> x = cuda::get(rows(memory, P, lane));
#pragma unroll 1
      for (int I = P + 1; I < memory.tiles; ++I)
        subtract_product(x, rows(memory, I, lane), facing_square<T>::transposed(memory.tile(I, P, 0), lane));
      const T *const blocks = memory.factored(P, 0), *const inverse = inverses(memory, P);
      auto faced = [&](const T* from, part which) { return get_transposed(from, which, lane); };
      solve(x.half[1], faced(blocks, part::L1), faced(inverse, part::W1));
      multiply_add(x.half[0], as_left(x.half[1]), faced(blocks, part::below).negative());
      solve(x.half[0], faced(blocks, part::L0), faced(inverse, part::W0));
      cuda::put(rows(memory, P, lane), x);
      for_each(P, b, lane,
               [&](int h, int e, T& place) { place = lower ? conj(x.half[h].x[e]) : x.half[h].x[e]; });
    }
  }
};

}  // namespace talus::cuda
