// Solves with a tile on the diagonal of a triangular matrix, by one warp: products with the inverses of its
// 8 x 8 blocks, refined once, so that the tensor units do them.
#pragma once

#include "gpu/mma.cuh"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda {

/// 8 x 8 elements; a lane has (row, t) and (row, t+4).
template <class T>
struct block {
  T x[2] = {};
};
template <class T>
__device__ right_factor<T> as_right(const block<T>& b) {
  right_factor<T> f;
  f.set(0, b.x[0]);
  f.set(1, b.x[1]);
  return f;
}

/// x <- x L^-H: by W = L^-1, and one step of iterative refinement, which makes it as accurate as
/// substitution.
template <class T>
__device__ void solve(tile<T>& x, const right_factor<T>& L, const right_factor<T>& W) {
  tile<T> y;
  multiply_add(y, as_left(x), W);
  multiply_add(x, as_left(y), L.negative());
  multiply_add(y, as_left(x), W);
  x = y;
}

/// The factor of a square on the diagonal as trsm wants it, in shared memory: of its columns 0 ... 7 the
/// block on the diagonal and what is below, of its columns 8 ... 15 the block on the diagonal, then the
/// inverses of these two. `mine` is where the first part of this lane is, two elements per lane.
enum class part { L0, below, L1, W0, W1 };
constexpr int factored_elements = 5 * 64;
template <class T>
__device__ void put(T* mine, part which, const block<T>& b) {
#pragma unroll
  for (int e = 0; e < 2; ++e) mine[static_cast<int>(which) * 64 + e] = b.x[e];
}
template <class T>
__device__ right_factor<T> get(const T* mine, part which) {
  const T* const from = mine + static_cast<int>(which) * 64;
  return as_right(block<T>{from[0], from[1]});
}
/// Its conjugate transpose, with the address of all of the first part.
template <class T>
__device__ right_factor<T> get_transposed(const T* factored, part which, int lane) {
  const tile_lane my(lane);
  block<T> b;
#pragma unroll
  for (int e = 0; e < 2; ++e) {
    const int from = tile_lane::of_row(my.t + 4 * e) + my.row % 4;
    b.x[e] = conj(factored[static_cast<int>(which) * 64 + 2 * from + my.row / 4]);
  }
  return as_right(b);
}

/// L^-1 of a block that is factored.
template <class T>
__device__ block<T> inverse(const block<T>& L, int lane) {
  using R = real_t<T>;
  const tile_lane my(lane);
  const R scale = 1 / __shfl_sync(~0u, real(my.row < 4 ? L.x[0] : L.x[1]), my.row % 4, 4);
  block<T> W;
#pragma unroll
  for (int k = 0; k < 2; ++k) W.x[k] = from_real<T>(my.row == my.t + 4 * k ? scale : R(0));
#pragma unroll
  for (int c = 0; c < tile_columns - 1; ++c) {
    const T factor = shuffle(L.x[c / 4], c % 4, 4) * scale;
#pragma unroll
    for (int k = 0; k <= c / 4; ++k) {
      const T above = shuffle(W.x[k], tile_lane::of_row(c) + my.t);
      if (my.row > c) multiply_add(W.x[k], -factor, above);
    }
  }
  return W;
}

/// What trsm wants of a square on the diagonal that is factored.
template <class T>
__device__ void put_factored(T* factored, const square<T>& a, int lane) {
  const block<T> upper = {a.half[0].x[0], a.half[0].x[1]}, lower = {a.half[1].x[2], a.half[1].x[3]};
  put(factored, part::L0, upper);
  put(factored, part::W0, inverse(upper, lane));
  put(factored, part::below, block<T>{a.half[0].x[2], a.half[0].x[3]});
  put(factored, part::L1, lower);
  put(factored, part::W1, inverse(lower, lane));
}

/// a <- a L^-H with the factor of a square on the diagonal.
template <class T>
__device__ void trsm_tile(square<T>& a, const T* factored) {
  solve(a.half[0], get(factored, part::L0), get(factored, part::W0));
  multiply_add(a.half[1], as_left(a.half[0]), get(factored, part::below).negative());
  solve(a.half[1], get(factored, part::L1), get(factored, part::W1));
}

}  // namespace talus::cuda
