// What inverses in shared memory and in panels share: the steps from factors to an inverse, each a solve from
// the right, and the tiles on the diagonal of what it solves with.
#pragma once

#include "batched/blas/pieces/diagonal_tile.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda::blas {

/// What X M = W is solved for: M is a triangle of the factors, in whose place X may come.
enum class inverse_step {
  of_lower,   // M lower, W the identity: X is M^-1
  of_upper,   // the same, M upper; what is below the diagonal of X stays
  then_lower  // M lower with ones on its diagonal, W what of_upper left: the upper triangle of X
};

/// Elements of a tile in shared memory.
template <class T>
struct in_tile {
  using type = T;
  const T* tile;
  tile_layout<T> layout;
  __device__ T operator()(int i, int k) const { return tile[layout(i, k)]; }
};

/// Element (i, k) of the conjugate transpose of a tile on the diagonal, as a solve from the right wants it.
/// Rows and columns from `existing` on are the identity's.
template <class Elements>
struct turned_diagonal {
  using T = typename Elements::type;
  Elements elements;
  bool unit, real_diagonal;
  int existing;

  __device__ T operator()(int i, int k) const {
    if (i == k && (unit || i >= existing)) return from_real<T>(1);
    if (i >= existing || k >= existing) return T{};
    const T x = conj(elements(k, i));
    return real_diagonal && i == k ? from_real<T>(real(x)) : x;
  }
};
template <class Elements>
turned_diagonal(Elements, bool, bool, int) -> turned_diagonal<Elements>;

/// Out of line, as it is rare.
template <class T>
__device__ __noinline__ void substitute_turned(square<T>& a, const turned_diagonal<in_tile<T>>& tile,
                                               bool backward) {
  substitute(a, tile, backward, tile.existing, tile_lane(static_cast<int>(threadIdx.x) % 32));
}

/// work(element, i, k) for those of a tile that a lane has.
template <class T, class Work>
__device__ __forceinline__ void for_each_of(square<T>& a, const tile_lane& my, Work work) {
#pragma unroll
  for (int e = 0; e < 8; ++e)
    work(a.half[e / 4].x[e % 4], my.row + e % 4 / 2 * 8, my.t + e / 4 * 8 + e % 2 * 4);
}

/// Elements below the diagonal become zero.
template <class T>
__device__ __forceinline__ void keep_upper(square<T>& a, const tile_lane& my) {
  for_each_of(a, my, [](T& x, int i, int k) {
    if (i > k) x = T{};
  });
}

/// Elements above the diagonal become zero.
template <class T>
__device__ __forceinline__ void keep_lower(square<T>& a, const tile_lane& my) {
  for_each_of(a, my, [](T& x, int i, int k) {
    if (i < k) x = T{};
  });
}

/// a += left M, M the tile that `transposed` reads as its transpose.
template <class T>
__device__ __forceinline__ void add_product_with(square<T>& a, const left_factor<T> (&left)[2], const T* tile,
                                                 const tile_places<T>& transposed, const tile_lane& my) {
  square<T> facing = transposed.get(tile);
  for_each_of(facing, my, [](T& x, int, int) { x = conj(x); });
  add_product(a, left, facing_square<T>(facing));
}

}  // namespace talus::cuda::blas
