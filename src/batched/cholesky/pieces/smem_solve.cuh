// Factor and solve with the matrix in shared memory.
#pragma once

#include "batch.hpp"
#include "batched/cholesky/families/smem.cuh"
#include "batched/cholesky/pieces/potrf_tile.cuh"
#include "batched/cholesky/posv.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/reciprocal.cuh"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda::cholesky {

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

  explicit solve_in_smem(const then_solve<T>& then) : B(then.B) {}

  int nrhs() const { return B.n; }

  /// The first right-hand side, zero beyond the matrix; with one wait for all of it.
  template <class M>
  __device__ void fetch(uplo uplo, const M& memory, std::int64_t b, int lane) const {
    const T* const mine = B[b].A;
    const int room = smem_solved(memory.tiles);
#pragma unroll 2
    for (int i = lane; i < room; i += 32) copy_element_async(memory.solved + i, mine + i, i < B.m);
    close_group();
    wait_for_groups<0>();
    if (uplo == uplo::upper && !std::is_same_v<T, real_t<T>>) {
#pragma unroll 2
      for (int i = lane; i < room; i += 32) memory.solved[i] = conj(memory.solved[i]);
    }
    __syncwarp();
  }
  /// Of its tile P, what tiles 0 ... P - 1 contribute: sum += what tile K does, by each lane of its part;
  /// then y(P) -= all lanes' sums.
  template <class M>
  __device__ void add_left(const M& memory, pack<T, 2>& sum, int P, int K, int lane) const {
    const tile_lane my(lane);
    T* const tile = memory.tile(P, K, lane);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const T solved = memory.solved[K * square_order + my.t + 4 * q];
#pragma unroll
      for (int e = 0; e < 2; ++e) multiply_add(sum.x[e], *element(tile, q, e), solved);
    }
  }
  template <class M>
  __device__ void subtract_left(const M& memory, const pack<T, 2>& sum, int P, int lane) const {
    if (P == 0) return;
    const tile_lane my(lane);
    const bool odd = my.t % 2 != 0;  // these go on with row + 8
    T mine = (odd ? sum.x[1] : sum.x[0]) + shuffle_xor(odd ? sum.x[0] : sum.x[1], 1);
    mine = mine + shuffle_xor(mine, 2);
    T& y = memory.solved[P * square_order + my.row + (odd ? 8 : 0)];
    __syncwarp();
    if (my.t < 2) y = y - mine;
    __syncwarp();
  }
  /// For the other right-hand sides.
  template <class M>
  __device__ void keep_diagonal(const M& memory, int P, int lane) const {
    if (B.n == 1) return;
    __syncwarp();  // a lane copies what others wrote
    T *const from = memory.factored(P) + lane, *const to = diagonal(memory, P) + lane;
#pragma unroll
    for (int i = 0; i < factored_elements; i += 32) to[i] = from[i];
  }

  template <class M, bool TURNS>
  __device__ void finish(const M& memory, const stored_triangle<T, TURNS>& stored, std::int64_t b, int lane,
                         const square<T>& overlaid) const {
    __syncwarp();
    backwards(memory, stored, lane, overlaid);
    const matrix<T> mine = B[b];
    for (int i = lane; i < B.m; i += 32)
      mine(i, 0) = stored.lower ? memory.solved[i] : conj(memory.solved[i]);
    if (B.n == 1) return;
    if (M::overlays && memory.tiles > 1) {
      __syncwarp();
      cuda::put(memory.tile(memory.tiles - 1, memory.tiles - 2, lane), overlaid);
      __syncwarp();
    }
    others(stored.lower, memory, b, lane);
  }

 private:
  /// Of a tile in shared memory this lane's element of row `row` + 8 e, column t + 4 q.
  static __device__ T* element(T* tile, int q, int e) {
    return tile_element(tile + q / 2 * tile_elements, q % 2 * 2 + e);
  }

  // ---- the first ---------------------------------------------------------------------------------

  template <class M, bool TURNS>
  __device__ void backwards(const M& memory, const stored_triangle<T, TURNS>& stored, int lane,
                            const square<T>& overlaid) const {
    const tile_lane my(lane);
    const int c = lane % 4 + lane / 8 * 4;  // the column of a tile that this lane eliminates for
    auto owner = [](int column) { return column % 4 + column / 4 * 8; };
    // That column of the tile on the diagonal: zero above the diagonal and beyond the matrix. Where only the
    // last tile is in shared memory, the others come there from memory, where this warp has put them, line by
    // line and a tile ahead.
    T column[square_order], pivot;
    auto read = [&](auto element) {
      pivot = element(c);
#pragma unroll
      for (int k = 1; k < square_order; ++k) {
        column[k] = T{};
        if (c < k) column[k] = element(k);
      }
    };
    auto read_kept = [&](int P) {  // whose rows beyond the matrix are zero
      const T* const blocks = memory.factored(P) + c / 8 * 64 + 2 * (c % 4) + c % 8 / 4;
      read([&](int k) { return blocks[k / 8 * 64 + 2 * tile_lane::of_row(k % 8)]; });
      if (c >= B.m - P * square_order) pivot = from_real<T>(1);
    };
    constexpr int pitch = square_order + 1;
    T* const lines = memory.factored(0);  // nobody solves with what was there
    auto copy_stored = [&](int P) {
      const int first = lane / square_order, i = lane % square_order;
      const T* source = stored.corner(P, P) + i + first * static_cast<std::ptrdiff_t>(stored.lda);
      __syncwarp();
#pragma unroll
      for (int line = first; line < square_order; line += 2) {
        copy_element_async(lines + line * pitch + i, source, stored.lower ? i >= line : i <= line);
        source = next_line(source, 2 * static_cast<std::ptrdiff_t>(stored.lda));
      }
      close_group();
    };
    auto read_stored = [&] {
      wait_for_groups<0>();
      __syncwarp();
      read([&](int k) { return lines[stored.lower ? c * pitch + k : k * pitch + c]; });
    };
#pragma unroll 1
    for (int P = memory.tiles - 1; P >= 0; --P) {
      const int columns = B.m - P * square_order;
      if (M::keeps || P + 1 == memory.tiles) {
        read_kept(P);
      } else {
        read_stored();
      }
      if (!M::keeps && P > 0) copy_stored(P - 1);
      const real_t<T> scale = divide(real_t<T>(1), real(pivot));
      T factor[square_order];
#pragma unroll
      for (int k = 1; k < square_order; ++k) factor[k] = conj(column[k]) * -scale;

      T sum[4] = {};  // columns t, t + 4, ... of L(P+1:tiles, P)^H X(P+1:tiles)
      auto add = [&](int I, auto tile) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const T x = memory.solved[I * square_order + my.row + 8 * e];
#pragma unroll
          for (int q = 0; q < 4; ++q) multiply_add(sum[q], conj(tile(q, e)), x);
        }
      };
      if (M::overlays && P + 2 == memory.tiles) {
        add(P + 1, [&](int q, int e) { return overlaid.half[q / 2].x[2 * e + q % 2]; });
      } else {
#pragma unroll 1
        for (int I = P + 1; I < memory.tiles; ++I)
          add(I, [tile = memory.tile(I, P, lane)](int q, int e) { return *element(tile, q, e); });
      }
      // Lanes with the same columns and other rows: half of them go on with half of the columns.
      const bool high = lane & 16, odd = lane & 8;
      T half[2];
#pragma unroll
      for (int q = 0; q < 2; ++q)
        half[q] = (high ? sum[q + 2] : sum[q]) + shuffle_xor(high ? sum[q] : sum[q + 2], 16);
      const T quarter = (odd ? half[1] : half[0]) + shuffle_xor(odd ? half[0] : half[1], 8);
      const T done = quarter + shuffle_xor(quarter, 4);

      // All is divided by the diagonal first, so from one column to the next it is a shuffle and a product.
      T x{};
      if (c < columns) x = (memory.solved[P * square_order + c] - done) * scale;
#pragma unroll
      for (int h = 1; h >= 0; --h) {
        if (8 * h >= columns) continue;
#pragma unroll
        for (int k = 8 * h + 7; k >= max(8 * h, 1); --k) multiply_add(x, factor[k], shuffle(x, owner(k)));
      }
      __syncwarp();
      memory.solved[P * square_order + c] = x;
      __syncwarp();
    }
  }

  // ---- all others --------------------------------------------------------------------------------

  /// What solves with the tiles on the diagonal, and tiles of rows.
  template <class M>
  static __device__ T* diagonal(const M& memory, int P) {
    return memory.rest() + P * factored_elements;
  }
  template <class M>
  static __device__ T* rows(const M& memory, int P, int lane) {
    return diagonal(memory, memory.tiles) + P * square_elements + lane * tile_piece<T>;
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
  /// Of lower storage rows are conjugated; what upper storage holds is, too.
  template <class M>
  __device__ void others(bool lower, const M& memory, std::int64_t b, int lane) const {
#pragma unroll 1
    for (int P = 0; P < memory.tiles; ++P) {
      square<T> y{};
      for_each(P, b, lane,
               [&](int h, int e, const T& place) { y.half[h].x[e] = lower ? conj(place) : place; });
#pragma unroll 1
      for (int K = 0; K < P; ++K)
        subtract_product(y, rows(memory, K, lane), facing_square<T>(memory.tile(P, K, lane)));
      trsm_tile(y, diagonal(memory, P) + 2 * lane);
      cuda::put(rows(memory, P, lane), y);
    }
#pragma unroll 1
    for (int P = memory.tiles - 1; P >= 0; --P) {
      square<T> x = cuda::get(rows(memory, P, lane));
#pragma unroll 1
      for (int I = P + 1; I < memory.tiles; ++I)
        subtract_product(x, rows(memory, I, lane), facing_square<T>::transposed(memory.tile(I, P, 0), lane));
      auto faced = [&](part which) { return get_transposed(diagonal(memory, P), which, lane); };
      solve(x.half[1], faced(part::L1), faced(part::W1));
      multiply_add(x.half[0], as_left(x.half[1]), faced(part::below).negative());
      solve(x.half[0], faced(part::L0), faced(part::W0));
      cuda::put(rows(memory, P, lane), x);
      for_each(P, b, lane,
               [&](int h, int e, T& place) { place = lower ? conj(x.half[h].x[e]) : x.half[h].x[e]; });
    }
  }
};

}  // namespace talus::cuda::cholesky

template <class T>
struct talus::cuda::epilogue_of<talus::cuda::cholesky::smem, talus::cuda::cholesky::then_solve<T>> {
  using type = cholesky::solve_in_smem<T>;
};
