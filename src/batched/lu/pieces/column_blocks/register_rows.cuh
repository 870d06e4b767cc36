// Rows of a panel of LU in the registers of threads: what a thread does for each column that is eliminated.
#pragma once

#include "batched/lu/pieces/column_blocks/pivot_exchange.cuh"
#include "batched/lu/pieces/pivot.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// ROWS rows of a thread, of IB columns. They do not move; what changes is the position that each has, from
/// the first of these columns' pivots on. The column that is eliminated is the first, and leaves: its part of
/// L is stored where the row is.
template <class T, class Policy, int ROWS>
struct register_rows {
  using R = real_t<T>;
  static constexpr int IB = Policy::IB;
  static constexpr int nowhere = -1;  // the position of a row that is not there
  using exchange_t = pivot_exchange<T, Policy>;
  using row_t = offered_row<T, IB>;

  T column[ROWS];  // the first that is left
  T a[ROWS][IB];   // those behind it; anything, where there are none left, and of rows that were pivots
  int position[ROWS], home[ROWS];
  T* place[ROWS];  // of the first column
  int ld[ROWS];    // from there to the next: parts of a front have their own

  /// What a thread has to offer as a pivot: the first of its candidates, the largest key of its warp's, and
  /// what others' elements are multiplied by if it is the pivot.
  struct own_candidate {
    candidate first;
    unsigned largest;
    int raised;
    T x, factor;
  };
  /// Of column j: the largest element of the first `offered` positions, or else what is at position j; that
  /// is raised to the floor.
  template <bool LARGEST>
  __device__ __forceinline__ own_candidate candidate_of(int j, int offered, R floor) const {
    own_candidate best{};
#pragma unroll
    for (int v = 0; v < ROWS; ++v) {
      const T x = column[v];
      candidate other = LARGEST ? candidate::of(x, position[v]) : candidate::at(position[v]);
      const bool is_one = LARGEST ? position[v] >= j && position[v] < offered : position[v] == j;
      if (!is_one) other.key = 0;
      if (v == 0 || other.is_before(best.first)) {
        best.first = other;
        best.x = x;
      }
    }
    best.largest = largest_of_group<32>(best.first.key);
    if (!LARGEST && floor > 0 && best.first.key != 0) best.raised = raise_to_floor(best.x, floor);
    const T factor = reciprocal(best.x);
    best.factor = is_ordinary<R>(high_bits_of(best.x)) ? factor : T{};
    return best;
  }
  /// For column j, of which a thread has this candidate. BEHIND: rows are one pivot behind, `last`, and L is
  /// of that one.
  template <bool BEHIND>
  __device__ __forceinline__ void offer(exchange_t& exchange, const own_candidate& best, int j,
                                        const T (&L)[ROWS], const row_t* last, int said = 0) const {
    exchange.template offer<BEHIND>(best.first, best.largest, j, last, [&](auto& to) {
      constexpr int PART = 8;  // of the columns: those that are left, about
#pragma unroll
      for (int v = 0; v < ROWS; ++v) {
        if (position[v] != best.first.position()) continue;
        to.row.home = 4 * home[v] + (best.raised != 0 ? row_t::raised : 0) + said;
        to.row.pivot = best.x;
        to.row.factor = best.factor;
        if (BEHIND) to.L = L[v];
#pragma unroll
        for (int first = 0; first < IB; first += PART) {
          if (first > 0 && first >= IB - j) continue;
#pragma unroll
          for (int k = first; k < first + PART; ++k) to.row.x[k] = a[v][k];
        }
      }
    });
  }

  /// For a pivot that is not ordinary: what is left of the column is divided by it, unless it is zero.
  __device__ __forceinline__ void divide(int j, const row_t& pivot) {
    if (is_zero(pivot.pivot)) return;
#pragma unroll
    for (int v = 0; v < ROWS; ++v) {
      if (position[v] >= j && position[v] != pivot.position())
        column[v] = rare_quotient(column[v], pivot.pivot);
    }
  }
  /// Eliminates column j with its pivot: L, which is `factor` times what is left of it, and what that does to
  /// the next column, which is then the first.
  __device__ __forceinline__ void eliminate(int j, const row_t& pivot, T factor, T (&L)[ROWS]) {
    const int found = pivot.position();
    const T u = pivot.x[0];
#pragma unroll
    for (int v = 0; v < ROWS; ++v) {
      position[v] = position[v] == found ? j : position[v] == j ? found : position[v];
      L[v] = product(column[v], factor);
      column[v] = a[v][0];
      multiply_add(column[v], -L[v], u);
    }
  }
  /// Stores L of column j.
  __device__ __forceinline__ void store(int j, const T (&L)[ROWS]) {
#pragma unroll
    for (int v = 0; v < ROWS; ++v) {
      if (position[v] > j) *place[v] = L[v];
      place[v] += ld[v];
    }
  }
  /// What it does to the other columns.
  __device__ __forceinline__ void update(int j, const row_t& pivot, const T (&L)[ROWS]) {
    constexpr int AT_ONCE = IB < 16 || ROWS > 1 ? 8 : 16;
#pragma unroll
    for (int first = 0; first < IB; first += AT_ONCE) {
      if (first > 0 && first >= IB - j) continue;
      T u[AT_ONCE];
#pragma unroll
      for (int k = 0; k < AT_ONCE; k += piece<T>) {
        const auto some = *reinterpret_cast<const pack<T, piece<T>>*>(pivot.x + first + k);
#pragma unroll
        for (int e = 0; e < piece<T>; ++e) u[k + e] = some.x[e];
      }
      __syncwarp();  // all of them, before one is waited for
#pragma unroll
      for (int v = 0; v < ROWS; ++v) {
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
          if (first + k == 0) continue;
          a[v][first + k - 1] = a[v][first + k];
          multiply_add(a[v][first + k - 1], -L[v], u[k]);
        }
      }
    }
  }
};

}  // namespace talus::cuda::lu
