// Q times columns that are in the registers of a part of a warp, a warp or a few: reflectors are read from
// shared memory.
#pragma once

#include "batched/qr/pieces/columns.cuh"

namespace talus::cuda::householder {

/// Reflectors where columns_memory was, for `columns_of_q`: a column each, in DOWN parts, row i in part i %
/// DOWN, with v's own zeros and one; tau beside them.
template <class T, class Shape>
struct reflectors_memory {
  columns_memory<T, Shape> memory;

  __device__ explicit reflectors_memory(const columns_memory<T, Shape>& memory_) : memory(memory_) {}

  /// Rows r, r + DOWN, ... of column j.
  __device__ __forceinline__ T* part(int j, int r) const {
    return memory.a + j * memory.pitch + r * memory.part;
  }

  /// From what `columns` left: each lane those that it had. All that is above the diagonal is lost.
  __device__ __forceinline__ void make_explicit(int lane) const {
    for_each_column(lane, [&](int j, int r, T(&v)[Shape::ROWS]) {
      const T* const from = memory.from_row(0, j, r);
      const T scale = memory.scale(j);
#pragma unroll
      for (int k = 0; k < Shape::ROWS; ++k) {
        T x{};
        multiply_add(x, from[k], scale);
        v[k] = x;
      }
    });
  }
  /// From a matrix that lies as it is.
  __device__ __forceinline__ void spread(int lane) const {
    for_each_column(lane, [&](int j, int r, T(&v)[Shape::ROWS]) {
#pragma unroll
      for (int k = 0; k < Shape::ROWS; ++k) v[k] = memory.a[j * memory.pitch + k * Shape::DOWN + r];
      if (Shape::DOWN > 1) Shape::meet();  // other lanes read the same column
    });
  }

 private:
  /// get(j, r, v) finds what is below the diagonal of column j in its part r.
  template <class Get>
  __device__ __forceinline__ void for_each_column(int lane, Get get) const {
    const int r = lane % Shape::DOWN, c = lane / Shape::DOWN;
#pragma unroll
    for (int q = 0; q < Shape::COLUMNS; ++q) {
      const int j = c + q * Shape::ACROSS;
      T v[Shape::ROWS];
      get(j, r, v);
#pragma unroll
      for (int k = 0; k < Shape::ROWS; ++k) {
        const int i = k * Shape::DOWN + r;
        if (i <= j) v[k] = from_real<T>(i == j ? 1 : 0);
      }
      put_pieces<Shape::ROWS>(part(j, r), v);
    }
    Shape::meet();
  }
};

/// A lane's part of columns that Q or Q^H is multiplied by, dealt out as columns_shape says.
template <class T, class Shape>
struct columns_of_q {
  static constexpr int DOWN = Shape::DOWN, ACROSS = Shape::ACROSS, ROWS = Shape::ROWS,
                       COLUMNS = Shape::COLUMNS, SHRINK = Shape::SHRINK;

  T a[COLUMNS][ROWS];
  reflectors_memory<T, Shape> v;
  int r, c;  // this lane

  __device__ columns_of_q(const reflectors_memory<T, Shape>& v_, int lane)
      : v(v_), r(lane % DOWN), c(lane / DOWN) {}

  /// Q times columns of the identity, with k reflectors.
  __device__ __forceinline__ void form(int k) {
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
#pragma unroll
      for (int i = 0; i < ROWS; ++i) a[q][i] = from_real<T>(i * DOWN + r == c + q * ACROSS ? 1 : 0);
    }
    backward<true, 0>(k);
  }

  /// Q or Q^H, with k reflectors, times columns that are there.
  __device__ __forceinline__ void multiply(bool adjoint, int k) {
    if (adjoint) {
      forward<0>(k);
    } else {
      backward<false, 0>(k);
    }
  }

  /// From and to shared memory, where columns lie as they are, or conjugated.
  __device__ __forceinline__ void load(const columns_memory<T, Shape>& memory, bool conjugated) {
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      get_column(a[q], memory.a + (c + q * ACROSS) * memory.pitch, r, Shape{});
      conjugate_if(conjugated, a[q]);
    }
    Shape::meet();
  }
  __device__ __forceinline__ void store(const columns_memory<T, Shape>& memory, bool conjugated) {
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      T* const to = memory.a + (c + q * ACROSS) * memory.pitch;
      conjugate_if(conjugated, a[q]);
      if constexpr (DOWN == 1) {
        put_pieces<ROWS>(to, a[q]);
      } else {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) to[k * DOWN + r] = a[q][k];
      }
    }
    Shape::meet();
  }

 private:
  static __device__ __forceinline__ void conjugate_if(bool conjugated, T (&column)[ROWS]) {
#pragma unroll
    for (int k = 0; k < ROWS; ++k) column[k] = conjugated ? conj(column[k]) : column[k];
  }

  /// Reflectors J ..., from the last to the first. IDENTITY: of columns left of a reflector's nothing is
  /// changed.
  template <bool IDENTITY, int J>
  __device__ __forceinline__ void backward(int k) {
    if constexpr (J < Shape::N && J < Shape::M) {
      constexpr int U = J / ACROSS, LEFT = ACROSS * (U + 1) - J;
      constexpr int COUNT = IDENTITY && LEFT < SHRINK * DOWN ? LEFT : SHRINK * DOWN;
      if (J + COUNT < k) backward<IDENTITY, J + COUNT>(k);
#pragma unroll 1
      for (int j = min(J + COUNT, k) - 1; j >= J; --j)
        reflect<IDENTITY ? U : 0, J / DOWN / piece<T> * piece<T>>(j, v.memory.tau(j));
    }
  }

  /// The same from the first to the last, with conjugate tau.
  template <int J>
  __device__ __forceinline__ void forward(int k) {
    if constexpr (J < Shape::N && J < Shape::M) {
      constexpr int COUNT = SHRINK * DOWN;
#pragma unroll 1
      for (int j = J; j < min(J + COUNT, k); ++j)
        reflect<0, J / DOWN / piece<T> * piece<T>>(j, conj(v.memory.tau(j)));
      if (J + COUNT < k) forward<J + COUNT>(k);
    }
  }

  /// Columns of slots FROM and up less tau v v^H times them, where v has nothing but zeros before row FIRST
  /// of each lane.
  template <int FROM, int FIRST>
  __device__ __forceinline__ void reflect(int j, T tau) {
    constexpr int LIVE = ROWS - FIRST;
    T x[LIVE], products[COLUMNS];
    get_pieces<LIVE>(x, v.part(j, r) + FIRST);
    multiply_columns<Shape, FROM, FIRST, 0>(x, a, products);
#pragma unroll
    for (int q = FROM; q < COLUMNS; ++q) {
      T factor{};
      multiply_add(factor, tau, products[q]);
#pragma unroll
      for (int k = 0; k < LIVE; ++k) multiply_add(a[q][FIRST + k], -factor, x[k]);
    }
  }
};

}  // namespace talus::cuda::householder
