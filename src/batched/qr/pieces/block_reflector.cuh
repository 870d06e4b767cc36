// A block of reflectors in compact WY form,  H_1 H_2 ... = I - V T V^H,  and its products with many columns
// by the tensor units.
#pragma once

#include "batched/qr/pieces/panel.cuh"
#include "gpu/launch.cuh"
#include "gpu/limits.hpp"
#include "gpu/mma.cuh"
#include "gpu/scalar.cuh"
#include "gpu/view.cuh"

namespace talus::cuda::householder {

/// V in shared memory with its ones and zeros: NB columns, rows filled up with zeros to whole tiles. What a
/// warp reads of it lies in different banks, whichever of its two products that is for.
template <class T>
struct stored_reflectors {
  T* V;
  int pitch;

  static TALUS_HOST_DEVICE constexpr int pitch_of(int m) { return (m + 15) / 16 * 16 + 4; }
  __device__ T operator()(int i, int c) const { return V[i + c * pitch]; }
};

/// V as geqrf leaves it, m x n, its ones and zeros not there.
template <class T, class Panel>
struct implicit_reflectors {
  Panel A;
  __device__ T operator()(int i, int c) const {
    if (i >= A.m || c >= A.n || i < c) return T{};
    return i == c ? from_real<T>(1) : A.read(i, c);
  }
};

/// Shared memory of a block beside V.
///
/// Policy   WARPS of the block, NB: reflectors of a block, a multiple of 8 up to 32, STRIP: tiles of 8
///          columns that a warp has at a time, BLOCKS of a multiprocessor, at least
template <class T, class Policy>
struct wy_memory {
  static constexpr int NB = Policy::NB, PITCH = NB + 4, COLUMNS = tile_columns * Policy::STRIP;
  T triangle[NB * PITCH];                      // T
  T gram[NB * PITCH];                          // V^H V above its diagonal
  T products[Policy::WARPS][COLUMNS * PITCH];  // of each warp, V^H C, then what is taken off C
  T tau[NB];
};

template <class T, class Policy>
struct block_reflector {
  using memory_t = wy_memory<T, Policy>;
  static constexpr int WARPS = Policy::WARPS, NB = Policy::NB, STRIP = Policy::STRIP, PITCH = memory_t::PITCH;
  static constexpr int TILES = ceil_div(NB, tile_rows), STEPS = NB / 8;
  static constexpr bool direct = sizeof(real_t<T>) == 8;  // the tensor units round sums as FMA does
  // Tiles of a strip that are updated at once: what registers have room for.
  static constexpr int IN_REGISTERS = Policy::BLOCKS * WARPS < 16 ? 4 : 2;
  static constexpr int AT_ONCE = STRIP < IN_REGISTERS ? IN_REGISTERS / STRIP : 1;

  memory_t& memory;
  int lane = static_cast<int>(threadIdx.x) % 32, warp = uniform(static_cast<int>(threadIdx.x) / 32);
  // Rows and columns of tiles: column g of the tensor units is column g / 2 + 4 (g % 2) of a strip, and what
  // is summed over comes in an order that keeps banks apart.
  int g = lane / 4, t = lane % 4, column = g / 2 + 4 * (g % 2);

  __device__ explicit block_reflector(memory_t& memory_) : memory(memory_) {}

  /// T, from V and tau in memory.tau: every thread of the block calls it when both are there, and may apply
  /// it when it returns.
  ///
  /// Source    Schreiber and Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989), LAPACK's xLARFT
  /// Barriers  two
  template <class Reflectors>
  __device__ __forceinline__ void form_triangle(const Reflectors& V, int m) const {
    for (int item = warp; item < TILES * STEPS; item += WARPS) {
      const int i0 = item / STEPS * tile_rows, j0 = item % STEPS * tile_columns;
      if (j0 + tile_columns > i0 + 1) multiply_reflectors(V, m, i0, j0);
    }
    __syncthreads();
    form_triangle(memory.gram);
  }
  /// The same from V^H V, of which every thread may read what is above the diagonal.
  ///
  /// Barriers  one
  __device__ __forceinline__ void form_triangle(const T* gram) const {
    if (warp == 0 && lane < NB) form_row(gram, lane);
    __syncthreads();
  }

  /// C <- (I - V T V^H)^H C where `adjoint`, else (I - V T V^H) C, for all columns of a view of m rows, by
  /// all warps of the block, each its own strips.
  template <class Reflectors, class View>
  __device__ __forceinline__ void apply(bool adjoint, const Reflectors& V, const View& C) const {
    T* const W = memory.products[warp];
    for (int c = warp * memory_t::COLUMNS; c < C.n; c += WARPS * memory_t::COLUMNS) {
      multiply_strip(V, C, c, W);
      update_strip(adjoint, V, C, c, W);
    }
  }

  /// W <- V^H C for the strip of C from column c0 on, by one warp: COLUMNS columns, PITCH apart.
  template <class Reflectors, class View>
  __device__ __forceinline__ void multiply_strip(const Reflectors& V, const View& C, int c0, T* W) const {
    tile<T> sum[TILES][STRIP];
#pragma unroll 4
    for (int k0 = 0; k0 < C.m; k0 += 8) {
      right_factor<T> right[STRIP];
#pragma unroll
      for (int s = 0; s < STRIP; ++s) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const int i = k0 + t + 4 * e, c = c0 + s * 8 + column;
          T x{};
          if (i < C.m && c < C.n) x = C.read(i, c);
          right[s].set(e, conj(x));
        }
      }
#pragma unroll
      for (int b = 0; b < TILES; ++b) {
        left_factor<T> left;
        set_left(left, V, k0, b * tile_rows);
#pragma unroll
        for (int s = 0; s < STRIP; ++s) add(sum[b][s], left, right[s]);
      }
    }
    put_products(W, sum);
  }

  /// The strip less V T W, or less V T^H W if `adjoint`, by one warp.
  template <class Reflectors, class View>
  __device__ __forceinline__ void update_strip(bool adjoint, const Reflectors& V, const View& C, int c0,
                                               const T* W) const {
    T* const own = memory.products[warp];
    tile<T> sum[TILES][STRIP];
    multiply_by_triangle(adjoint, W, sum);
    put_products(own, sum);
    right_factor<T> right[STEPS][STRIP];
#pragma unroll
    for (int k = 0; k < STEPS; ++k) {
#pragma unroll
      for (int s = 0; s < STRIP; ++s) {
#pragma unroll
        for (int e = 0; e < 2; ++e)
          right[k][s].set(e, -conj(own[8 * k + t + 4 * e + (s * 8 + column) * PITCH]));
      }
    }
    for (int i0 = 0; i0 < C.m; i0 += tile_rows * AT_ONCE) subtract(V, C, i0, c0, right);
    __syncwarp();  // before the next strip's products come to where these are
  }

 private:
  /// Row i of T, whose element c is -tau_c times the row so far times column c of V^H V.
  __device__ __forceinline__ void form_row(const T* gram, int i) const {
    T row[NB];
#pragma unroll
    for (int c = 0; c < NB; ++c) {
      const T tau = memory.tau[c];
      T sums[2] = {};
#pragma unroll
      for (int l = 0; l < c; ++l) multiply_add(sums[l % 2], row[l], gram[l + c * PITCH]);
      T x{};
      multiply_add(x, -tau, sums[0] + sums[1]);
      row[c] = i < c ? x : i == c ? tau : T{};
      memory.triangle[i + c * PITCH] = row[c];
    }
  }

  /// Rows i0 ... of columns j0 ... of V^H V.
  template <class Reflectors>
  __device__ __forceinline__ void multiply_reflectors(const Reflectors& V, int m, int i0, int j0) const {
    tile<T> sum[2];                        // of every second step: a sum waits for itself
    for (int k0 = j0; k0 < m; k0 += 16) {  // above there are zeros
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        if (k0 + 8 * h >= m) continue;
        left_factor<T> left;
        right_factor<T> right;
        set_left(left, V, k0 + 8 * h, i0);
#pragma unroll
        for (int e = 0; e < 2; ++e) right.set(e, conj(V(k0 + 8 * h + t + 4 * e, j0 + g)));
        add(sum[h], left, right);
      }
    }
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int i = i0 + g + e / 2 * 8, j = j0 + 2 * t + e % 2;
      if (i < NB) memory.gram[i + j * PITCH] = sum[0].x[e] + sum[1].x[e];
    }
  }

  /// 16 columns of V^H from i0 on, 8 of what is summed over.
  template <class Reflectors>
  __device__ __forceinline__ void set_left(left_factor<T>& left, const Reflectors& V, int k0, int i0) const {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int i = g + e % 2 * 8;
      T x{};
      if (NB % 16 == 0 || i0 + i < NB) x = conj(V(k0 + t + e / 2 * 4, i0 + i));
      left.set(e, x);
    }
  }

  static __device__ void add(tile<T>& sum, const left_factor<T>& left, const right_factor<T>& right) {
    if constexpr (direct) {
      multiply_add(sum, left, right);
    } else {
      tile<T> part;
      multiply_add(part, left, right);
#pragma unroll
      for (int e = 0; e < 4; ++e) sum.x[e] = sum.x[e] + part.x[e];
    }
  }

  /// From tiles to W.
  __device__ __forceinline__ void put_products(T* W, const tile<T> (&sum)[TILES][STRIP]) const {
    __syncwarp();
#pragma unroll
    for (int b = 0; b < TILES; ++b) {
#pragma unroll
      for (int s = 0; s < STRIP; ++s) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int k = b * tile_rows + g + e / 2 * 8;
          if (NB % 16 == 0 || k < NB) W[k + (s * 8 + t + e % 2 * 4) * PITCH] = sum[b][s].x[e];
        }
      }
    }
    __syncwarp();
  }

  /// sum <- T W or T^H W.
  __device__ __forceinline__ void multiply_by_triangle(bool adjoint, const T* W,
                                                       tile<T> (&sum)[TILES][STRIP]) const {
#pragma unroll
    for (int b = 0; b < TILES; ++b) {
#pragma unroll
      for (int s = 0; s < STRIP; ++s) sum[b][s] = {};
#pragma unroll
      for (int k = 0; k < STEPS; ++k) {
        left_factor<T> left;
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int i = b * tile_rows + g + e % 2 * 8, l = 8 * k + t + e / 2 * 4;
          T x{};
          if (NB % 16 == 0 || i < NB)
            x = adjoint ? conj(memory.triangle[l + i * PITCH]) : memory.triangle[i + l * PITCH];
          left.set(e, x);
        }
#pragma unroll
        for (int s = 0; s < STRIP; ++s) {
          right_factor<T> right;
#pragma unroll
          for (int e = 0; e < 2; ++e) right.set(e, conj(W[8 * k + t + 4 * e + (s * 8 + column) * PITCH]));
          add(sum[b][s], left, right);
        }
      }
    }
  }

  /// Tiles of the strip from row i0 on, read at once.
  template <class Reflectors, class View>
  __device__ __forceinline__ void subtract(const Reflectors& V, const View& C, int i0, int c0,
                                           const right_factor<T> (&right)[STEPS][STRIP]) const {
    tile<T> c[AT_ONCE][STRIP];
    const auto for_each = [&](auto work) {
#pragma unroll
      for (int b = 0; b < AT_ONCE; ++b) {
#pragma unroll
        for (int s = 0; s < STRIP; ++s) {
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            const int i = i0 + b * tile_rows + g + e / 2 * 8, j = c0 + s * 8 + t + e % 2 * 4;
            if (i < C.m && j < C.n) work(i, j, c[b][s].x[e]);
          }
        }
      }
    };
    for_each([&](int i, int j, T& x) { x = C.read(i, j); });
#pragma unroll
    for (int b = 0; b < AT_ONCE; ++b) {
      const int first = i0 + b * tile_rows;
      if (first >= C.m) break;
      tile<T> sum[STRIP];
#pragma unroll
      for (int k = 0; k < STEPS; ++k) {
        left_factor<T> left;
#pragma unroll
        for (int e = 0; e < 4; ++e) left.set(e, V(first + g + e % 2 * 8, 8 * k + t + e / 2 * 4));
#pragma unroll
        for (int s = 0; s < STRIP; ++s) multiply_add(direct ? c[b][s] : sum[s], left, right[k][s]);
      }
      if constexpr (!direct) {
#pragma unroll
        for (int s = 0; s < STRIP; ++s) {
#pragma unroll
          for (int e = 0; e < 4; ++e) c[b][s].x[e] = c[b][s].x[e] + sum[s].x[e];
        }
      }
    }
    for_each([&](int i, int j, T& x) { C.write(i, j, x); });
  }
};

}  // namespace talus::cuda::householder
