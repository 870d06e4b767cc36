// Factor and solve with the matrix on the chip: potrf_smem by one warp, with right-hand sides as further
// rows.
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "potrf_smem.cuh"
#include "potrf_table.hpp"
#include "potrf_tile.cuh"
#include "scalar.cuh"
#include "tile.cuh"

namespace talus::cuda {

/// Right-hand sides that are solved for on the way: rows of a tile.
constexpr int posv_smem_most = square_order;

/// L Y = B on the way, as B^H are rows below the matrix: Y^H = B^H L^-H is what potrf does with such rows.
/// Then X^H L = Y^H, from the last tile to the first. Where upper storage is, the factor seen is that of
/// conj(A), so the rows are B^T.
///
/// Thread map  a warp per matrix, as potrf_smem<T, 32, TILES>; its rows of right-hand sides are one tile more
/// Stored      as there; besides the inverses of the blocks on the diagonal and Y^H in shared memory. On its
///             way back the factor comes from memory, where this warp has just put it, and X^H lies in
///             registers
/// Launch      count blocks, posv_smem_elements of shared memory
/// Needs       n <= TILES * 16, at most posv_smem_most right-hand sides
/// Info        j: as LAPACK; then B is left alone
/// Source      LAPACK's xPOSV, left-looking
/// Bound by    as potrf_smem; the way back adds latency: a chain of four products per 8 columns
template <class T, int TILES, uplo UPLO>
__global__ void __launch_bounds__(32, potrf_smem_warps(sizeof(T), TILES, !std::is_same_v<T, real_t<T>>))
    posv_smem(std::int64_t first_block, batch<T> A, batch<T> B, int* info_array) {
  constexpr bool lower = UPLO == uplo::lower;
  auto number = [&] { return first_block + recomputed(static_cast<int>(blockIdx.x)); };
  const int n = A.n, nrhs = B.n, tiles = ceil_div(n, square_order), lane = static_cast<int>(threadIdx.x);
  T* const factored = potrf_smem_factored<T>(lane);
  T* const finished = potrf_smem_finished<T, 32>(lane);
  T* const inverses = shared_memory<T>() + potrf_smem_elements(n, 32);  // two per tile, of 64
  T* const solved = inverses + tiles * 2 * 64;                          // Y^H, row after row
  auto slot = [&](int I, int K) { return finished + potrf_smem_slot_of.at[tiles][I][K] * square_elements; };
  const stored_triangle<T, UPLO> stored(A[number()], n, tile_lane(lane));

  // work(half, e, its place in Y^H, its place in B) for this lane's elements of tile P of the rows
  auto for_each_row = [&](int P, auto work) {
    const tile_lane my(lane);
    const matrix<T> rhs = B[number()];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = my.row + e / 2 * 8, k = P * square_order + h * 8 + my.t + e % 2 * 4;
        if (row < nrhs) work(h, e, solved + row * tiles * square_order + k, k < n ? &rhs(k, row) : nullptr);
      }
    }
  };
  auto fetch_rows = [&](square<T>& y, int P) {
    y = {};
    for_each_row(P, [&](int h, int e, T*, const T* place) {
      if (place != nullptr) y.half[h].x[e] = lower ? conj(*place) : *place;
    });
  };
  auto solved_rows = [&](int P) {
    square<T> y{};
    for_each_row(P, [&](int h, int e, const T* place, T*) { y.half[h].x[e] = *place; });
    return y;
  };

  square<T> a[TILES], y;
  stored.template fetch<true>(a[0], 0, 0);
#pragma unroll
  for (int u = 1; u < TILES; ++u) {
    if (u < tiles) stored.template fetch<false>(a[u], u, 0);
  }
  fetch_rows(y, 0);
  int info = 0;
  for (int P = 0; P < tiles; ++P) {
#pragma unroll 1
    for (int K = 0; K < P; ++K) {
      const T* const left = slot(P, K);
      subtract_product(a[0], left, facing_square<T>(left));
    }
    const int failed = potrf(a[0], factored, n - P * square_order, lane);
    stored.template store<true>(a[0], P, P);
    if (failed < square_order && P * square_order + failed < n) {
      info = P * square_order + failed + 1;
    }
#pragma unroll
    for (int w = 0; w < 2; ++w) {
      const T* const from = factored + static_cast<int>(w == 0 ? part::W0 : part::W1) * 64;
      T* const to = inverses + (2 * P + w) * 64 + 2 * lane;
      to[0] = from[0];
      to[1] = from[1];
    }
#pragma unroll 1
    for (int K = 0; K < P; ++K) {
      const facing_square<T> facing(slot(P, K));
#pragma unroll
      for (int u = 1; u < TILES; ++u) {
        if (P + u < tiles) subtract_product(a[u], slot(P + u, K), facing);
      }
      const square<T> done = solved_rows(K);
      subtract_product_of(
          y, [&](int h) { return as_left(done.half[h]); }, facing);
    }
#pragma unroll
    for (int u = 1; u < TILES; ++u) {
      const int I = P + u;
      if (I >= tiles) continue;
      trsm(a[u], factored);
      put(slot(I, P), a[u]);
      stored.template store<false>(a[u], I, P);
      if (u == 1) {
        stored.template fetch<true>(a[u - 1], I, P + 1);
      } else {
        stored.template fetch<false>(a[u - 1], I, P + 1);
      }
    }
    if (info != 0) break;
    trsm(y, factored);
    for_each_row(P, [&](int h, int e, T* place, const T*) { *place = y.half[h].x[e]; });
    if (P + 1 < tiles) fetch_rows(y, P + 1);
  }
  if (lane == 0) info_array[number()] = info;
  if (info != 0) return;

  __syncwarp();  // what other lanes have put into memory and into `inverses` is read now
  square<T> x[TILES];
#pragma unroll
  for (int I = 0; I < TILES; ++I) {
    if (I < tiles) x[I] = solved_rows(I);
  }
#pragma unroll
  for (int I = TILES - 1; I >= 0; --I) {
    if (I >= tiles) continue;
    // What is multiplied by comes from memory while the chain of this tile is solved.
    const facing_square<T> diagonal = stored.transposed(I, I);
    facing_square<T> facing[TILES > 1 ? TILES - 1 : 1];
#pragma unroll
    for (int P = 0; P < I; ++P) facing[P] = stored.transposed(I, P);
    auto inverse = [&](int w) {  // likewise transposed
      const tile_lane my(lane);
      const T* const from = inverses + (2 * I + w) * 64 + my.row / 4;
      return as_right(block<T>{conj(from[2 * (tile_lane::of_row(my.t) + my.row % 4)]),
                               conj(from[2 * (tile_lane::of_row(my.t + 4) + my.row % 4)])});
    };
    solve(x[I].half[1], diagonal.rows[1][1], inverse(1));
    multiply_add(x[I].half[0], as_left(x[I].half[1]), diagonal.rows[1][0].negative());
    solve(x[I].half[0], diagonal.rows[0][0], inverse(0));
#pragma unroll
    for (int P = I - 1; P >= 0; --P) {
      subtract_product_of(
          x[P], [&](int h) { return as_left(x[I].half[h]); }, facing[P]);
    }
  }
#pragma unroll
  for (int I = 0; I < TILES; ++I) {
    if (I >= tiles) continue;
    for_each_row(I, [&](int h, int e, T*, T* place) {
      if (place != nullptr) *place = lower ? conj(x[I].half[h].x[e]) : x[I].half[h].x[e];
    });
  }
}

template <class T, int TILES>
int launch_posv_smem(uplo uplo, batch<T> A, batch<T> B, int* info, queue q) {
  const std::size_t bytes = static_cast<std::size_t>(posv_smem_elements(A.n, B.n)) * sizeof(T);
  return uplo == uplo::lower
             ? launch<posv_smem<T, TILES, uplo::lower>>(A.count, dim3(32), bytes, q, A, B, info)
             : launch<posv_smem<T, TILES, uplo::upper>>(A.count, dim3(32), bytes, q, A, B, info);
}

}  // namespace talus::cuda
