// The tiles of a front, in whichever of its blocks they lie.
#pragma once

#include "batched/cholesky/fronts.hpp"
#include "gpu/scalar.cuh"
#include "gpu/tile.cuh"
#include "gpu/triangle.cuh"

namespace talus::cuda::cholesky {

/// A front as a lower triangle of 16 x 16 tiles. Each tile lies in one block of the front. The first `pivots`
/// rows and columns of tiles contain the k pivots, and unused rows and columns if k pivots do not fill them.
/// stored_triangle is the counterpart for a matrix.
template <class T>
struct stored_front {
  static constexpr bool ends_in_columns = true;
  front<T> A;
  int pivots, row, t;
  bool lower;

  __device__ stored_front(uplo uplo, const front<T>& A_, int pivots_, const tile_lane& my)
      : A(A_), pivots(pivots_), row(my.row), t(my.t), lower(uplo == uplo::lower) {}

  __device__ tile_place<T> place(int I, int P) const {
    const bool below = I >= pivots, right = P >= pivots;
    const T* const block = right ? A.A22 : below ? A.A21 : A.A11;
    const std::ptrdiff_t lda = right ? A.lda22 : below ? A.lda21 : A.lda11;
    const int i = square_order * (below ? I - pivots : I), j = square_order * (right ? P - pivots : P);
    return {block + (lower ? i + j * lda : j + i * lda), static_cast<int>(lda), (below ? A.n2 : A.k) - i,
            (right ? A.n2 : A.k) - j};
  }

  /// A tile on the diagonal, zero above it and where there are no rows.
  template <bool DIAGONAL>
  __device__ void fetch(square<T>& a, int I, int P) const {
    for_each<DIAGONAL>(I, P, [&](int h, int e, const T* at, bool inside) {
      a.half[h].x[e] = T{};
      if (inside) a.half[h].x[e] = *at;
    });
  }
  template <bool DIAGONAL>
  __device__ void store(const square<T>& a, int I, int P) const {
    for_each<DIAGONAL>(I, P, [&](int h, int e, T* at, bool inside) {
      if (inside) *at = a.half[h].x[e];
    });
  }

 private:
  template <bool DIAGONAL, class Work>
  __device__ void for_each(int I, int P, Work work) const {
    const tile_place<T> at = place(I, P);
    T* const corner = const_cast<T*>(at.corner);
    const int beyond = square_order * (I - P);  // rows of the tile are so much further down than columns
    const int down = lower ? 1 : at.lda, right = lower ? at.lda : 1;
    T* first = corner + static_cast<std::ptrdiff_t>(row) * down + static_cast<std::ptrdiff_t>(t) * right;
    T* second = first + 8 * down;
#pragma unroll
    for (int q = 0; q < 4; ++q, first += 4 * right, second += 4 * right) {
      const int j = t + 4 * q;
      work(q / 2, q % 2, first, row < at.rows && j < at.columns && (!DIAGONAL || row + beyond >= j));
      work(q / 2, q % 2 + 2, second,
           row + 8 < at.rows && j < at.columns && (!DIAGONAL || row + 8 + beyond >= j));
    }
  }
};

}  // namespace talus::cuda::cholesky
