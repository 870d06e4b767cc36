// Rows of a panel of 8 columns, one per lane of a warp, and how they come from memory and go back.
#pragma once

#include "batch.hpp"
#include "scalar.cuh"
#include "talus/types.hpp"
#include "tile.cuh"

namespace talus::cuda {

/// x, but what is computed of it here is not computed once for all and kept in registers.
__device__ inline int recomputed(int x) {
  asm volatile("" : "+r"(x));
  return x;
}

/// p + step, and not what was computed of step long before.
template <class T>
__device__ T* next_line(T* p, std::ptrdiff_t step) {
  asm volatile("" : "+l"(step));
  return p + step;
}

/// The lower triangle of a Hermitian matrix of which one triangle is stored, 32 rows x 8 columns at a time.
/// Where the upper one is stored, what is seen is its transpose, unconjugated: A = U^H U is conj(A) = L L^H
/// with L = U^T, so the same algorithm factors it.
///
/// Lanes take consecutive addresses, whichever triangle is stored: one column after the other of lower
/// storage; of upper storage four rows of 8 elements at once, which two tiles in shared memory turn into a
/// row per lane.
template <class T, uplo UPLO>
struct lane_rows {
  static constexpr int N = tile_columns;
  static constexpr bool lower = UPLO == uplo::lower;
  T* A;
  std::ptrdiff_t lda;
  int m;       // rows that the matrix has
  T* scratch;  // two tiles of this warp
  int lane;
  T* my_product[2];  // where this lane's elements of products go there

  __device__ lane_rows(const matrix<T>& stored, int m_, T* scratch_, int lane_)
      : A(stored.A),
        lda(stored.lda),
        m(m_),
        scratch(scratch_),
        lane(lane_),
        my_product{kept(scratch + tile_at<T>(tile_row<T>(lane % 4 * 2), lane / 4)),
                   kept(scratch + tile_at<T>(tile_row<T>(lane % 4 * 2 + 1), lane / 4))} {
    __builtin_assume(__isGlobal(A));
  }

  /// x <- A(i0 : i0+32, k0 : k0+8) as far as it lies in the triangle, else 0, in the order that memory has
  /// it.
  __device__ void fetch(T (&x)[N], int i0, int k0) const {
    const T* from = place(i0, k0);
#pragma unroll
    for (int e = 0; e < N; ++e, from = next_line(from, lower ? lda : 4 * lda)) {
      x[e] = T{};
      if (inside(i0, k0, e)) x[e] = *from;
    }
  }
  /// Of what was fetched, row i0 + lane.
  __device__ void arrange(T (&x)[N]) const {
    if (lower) return;
    const int l = recomputed(lane);
#pragma unroll
    for (int e = 0; e < N; ++e) scratch[tile_at<T>(tile_row<T>(l / N + 4 * e), l % N)] = x[e];
    __syncwarp();
    load_row(x, scratch, tile_row<T>(l));
    __syncwarp();
  }
  /// A(i0 : i0+32, k0 : k0+8) <- x, of which this lane has row i0 + lane.
  __device__ void store(const T (&x)[N], int i0, int k0) const {
    const int l = recomputed(lane);
    T* to = place(i0, k0);
    if (!lower) {
      store_row(scratch, tile_row<T>(l), x);
      __syncwarp();
    }
#pragma unroll
    for (int e = 0; e < N; ++e, to = next_line(to, lower ? lda : 4 * lda)) {
      if (inside(i0, k0, e))
        store_last(to, lower ? x[e] : scratch[tile_at<T>(tile_row<T>(l / N + 4 * e), l % N)]);
    }
    if (!lower) __syncwarp();
  }
  /// x -= columns 8 h ... 8 h + 7 of the products, of which this lane has row `lane`, if they have so many.
  template <int BLOCKS>
  __device__ void subtract(T (&x)[N], const product<T> (&sum)[BLOCKS], int h) const {
#pragma unroll
    for (int block = 0; block < BLOCKS; ++block) {
#pragma unroll
      for (int e = 0; e < 2; ++e) my_product[e][block * 8 * N] = sum[block](2 * h + e);
    }
    __syncwarp();
    T update[N];
    load_row(update, scratch, tile_row<T>(recomputed(lane)));
#pragma unroll
    for (int c = 0; c < N; ++c) x[c] = x[c] - update[c];
    __syncwarp();
  }

 private:
  // Element e of this lane: (i0 + lane, k0 + e) of lower storage, (i0 + lane / 8 + 4 e, k0 + lane % 8) of
  // upper.
  __device__ T* place(int i0, int k0) const {
    return A + (lower ? i0 + lane + k0 * lda : k0 + lane % N + (i0 + lane / N) * lda);
  }
  __device__ bool inside(int i0, int k0, int e) const {
    if (lower) return (i0 + lane < m ? i0 + lane - k0 : -1) >= e;
    const int i = i0 + lane / N;
    return i - k0 - lane % N >= -4 * e && m - i > 4 * e;
  }
};

}  // namespace talus::cuda
