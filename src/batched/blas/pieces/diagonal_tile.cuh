// Solves with a tile on the diagonal of a triangle for 16 right-hand sides, by a warp: products with the
// inverses of its 8 x 8 blocks, refined once, where that is as good as substitution.
#pragma once

#include "batched/blas/pieces/triangle.cuh"
#include "gpu/mma.cuh"
#include "gpu/reciprocal.cuh"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"
#include "gpu/trsm.cuh"

namespace talus::cuda::blas {

/// A tile of a lower triangle, or of an upper one. In shared memory, two elements of each lane behind each
/// other: the blocks on its diagonal, that beside them, and minus the inverses of the first two.
template <class T>
struct diagonal_tile {
  static constexpr int elements = factored_elements;
  T* const shared;

  /// -L^-1 of a lower block of 8 x 8, row by row: each is told to those below it.
  __device__ static block<T> minus_inverse(const block<T>& L, const tile_lane& my) {
    block<T> W;
    const T scale = quick_reciprocal(shuffle(my.row < 4 ? L.x[0] : L.x[1], my.row % 4, 4));
#pragma unroll
    for (int e = 0; e < 2; ++e) W.x[e] = my.row == my.t + 4 * e ? -scale : T{};
#pragma unroll
    for (int c = 0; c < tile_columns - 1; ++c) {
      const T factor = product(-shuffle(L.x[c / 4], c % 4, 4), scale);
#pragma unroll
      for (int e = 0; e <= c / 4; ++e) {
        const T above = shuffle(W.x[e], tile_lane::of_row(c) + my.t);
        if (my.row > c) multiply_add(W.x[e], factor, above);
      }
    }
    return W;
  }

  /// Whether products with W, refined once, are as good as substitution: whether neither L with ones on its
  /// diagonal has large elements nor its inverse.
  __device__ static bool is_tame(const block<T>& L, const block<T>& W, const tile_lane& my) {
    using R = real_t<T>;
    constexpr R limit = sizeof(R) == 4 ? R(0x1p+7) : R(0x1p+20),
                far = sizeof(R) == 4 ? R(0x1p+60) : R(0x1p+480);
    const R own =
        size_of(shuffle(my.row < 4 ? L.x[0] : L.x[1], my.row % 4, 4));  // on the diagonal, of this row
    bool tame = own < far && own > 1 / far;
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const R of_column = __shfl_sync(~0u, own, tile_lane::of_row(my.t + 4 * e));
      tame = tame && size_of(L.x[e]) <= limit * own && size_of(W.x[e]) * of_column <= limit;
    }
    return __all_sync(~0u, tame);
  }

  /// Keeps the tile whose element (i, k) is element(i, k). Returns whether it is tame.
  template <class Element>
  __device__ __forceinline__ bool put(Element element, bool upper, const tile_lane& my) const {
    bool tame = true;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      block<T> L;  // or the transpose of U
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int i = 8 * h + my.row, k = 8 * h + my.t + 4 * e;
        L.x[e] = T{};
        if (k <= i) L.x[e] = upper ? element(k, i) : element(i, k);
      }
      const block<T> W = minus_inverse(L, my);
      tame = is_tame(L, W, my) && tame;
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int i = my.row, k = my.t + 4 * e, at = upper ? place(k, i) : place(i, k);
        at_part(h == 0 ? part::L0 : part::L1)[at] = L.x[e];
        at_part(h == 0 ? part::W0 : part::W1)[at] = W.x[e];
      }
    }
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const int i = my.row, k = my.t + 4 * e;
      at_part(part::below)[place(i, k)] = upper ? element(i, 8 + k) : element(8 + i, k);
    }
    return tame;
  }

  /// a holds -B, and X when it is done: X^T is what the tile solves for. The factor is conj(tile), as in
  /// products on the tensor units.
  __device__ __forceinline__ void solve(square<T>& a, bool upper, const tile_lane& my) const {
    const T* const mine = shared + 2 * my.lane;
    if (upper) {
      solve_half(a.half[1], mine, part::L1, part::W1);
      multiply_add(a.half[0], as_left(a.half[1]), get(mine, part::below));
      solve_half(a.half[0], mine, part::L0, part::W0);
    } else {
      solve_half(a.half[0], mine, part::L0, part::W0);
      multiply_add(a.half[1], as_left(a.half[0]), get(mine, part::below));
      solve_half(a.half[1], mine, part::L1, part::W1);
    }
  }

 private:
  __device__ T* at_part(part which) const { return shared + static_cast<int>(which) * 64; }
  /// Where element (i, k) of a block is: with the lane that has it as a factor.
  __device__ static int place(int i, int k) { return 2 * (tile_lane::of_row(i) + k % 4) + k / 4; }

  __device__ static void solve_half(tile<T>& a, const T* mine, part of_L, part of_W) {
    const right_factor<T> W = get(mine, of_W);
    tile<T> x;
    multiply_add(x, as_left(a), W);
    multiply_add(a, as_left(x), get(mine, of_L));
    multiply_add(x, as_left(a), W);
    a = x;
  }
};

/// The same by substitution: column c of X is a's column over its diagonal element, told to the four lanes
/// that share its rows, and taken off the columns that follow. Elements from n on are none of the matrix.
template <class T, class Element>
__device__ __forceinline__ void substitute(square<T>& a, Element element, bool upper, int n,
                                           const tile_lane& my) {
#pragma unroll 1
  for (int step = 0; step < square_order; ++step) {
    const int c = upper ? square_order - 1 - step : step;
    if (c >= n) continue;
    const reciprocal_of<T> by(conj(element(c, c)));
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      T own = {};
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        if (r == c / 4) own = a.half[r / 2].x[r % 2 + 2 * below];
      }
      const T x = shuffle(by(-own), c % 4, 4);
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        T& at = a.half[r / 2].x[r % 2 + 2 * below];
        const int column = 4 * r + my.t;
        if (column == c) at = x;
        if (column < n && (upper ? column < c : column > c)) multiply_add(at, x, conj(element(column, c)));
      }
    }
  }
}

/// Elements of the tile on the diagonal from row k0 on. Those above it are not looked at; rows that do not
/// exist are the identity's.
template <class T>
struct diagonal_elements {
  const lower_view<T>& L;
  int k0;
  __device__ T operator()(int i, int k) const {
    const bool exists = k0 + i < L.n && k0 + k < L.n;
    if (i == k && (L.unit || !exists)) return from_real<T>(1);
    if (!exists) return T{};
    const T x = L.first[(k0 + i) * L.row + (k0 + k) * L.column];
    if (i != k) return x;
    if (L.ones_for_zeros && is_zero(x)) return from_real<T>(1);
    return L.real_diagonal ? from_real<T>(real(x)) : x;
  }
};

/// Out of line, as it is rare.
template <class T>
__device__ __noinline__ void substitute_tile(square<T>& a, const lower_view<T>& L, int k0, bool upper) {
  substitute(a, diagonal_elements<T>{L, k0}, upper, L.n - k0, tile_lane(static_cast<int>(threadIdx.x) % 32));
}

}  // namespace talus::cuda::blas
