// Rows of a panel of LU in the registers of threads: what a thread does for each column that is eliminated.
#pragma once

#include "batched/lu/pivot.cuh"
#include "batched/lu/pivot_offers.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// ROWS rows of a thread, of IB columns. They do not move; what changes is the position that each has, from
/// the first of these columns' pivots on. The column that is eliminated is the first, and leaves: its part of
/// L is stored where the row is.
template <class T, class Policy, int ROWS>
struct register_rows {
  using R = real_t<T>;
  static constexpr int IB = Policy::IB, AT_ONCE = IB < 16 || ROWS > 1 ? 8 : 16;  // columns of the pivot's row
  static constexpr int nowhere = -1;  // the position of a row that is not there
  using offer_t = offered_row<T, IB>;

  T a[ROWS][IB];  // anything, where columns have left
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
  /// Of column j, the first that is left: the largest element of the first `offered` positions, or else what
  /// is at position j; that is raised to the floor.
  template <bool LARGEST>
  __device__ __forceinline__ own_candidate candidate_of(int j, int offered, R floor) const {
    own_candidate best{};
#pragma unroll
    for (int v = 0; v < ROWS; ++v) {
      const T x = a[v][0];
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
  __device__ __forceinline__ void offer(offers_exchange<T, Policy>& exchange, const own_candidate& best,
                                        int j) const {
    exchange.offer(best.first, best.largest, IB - j, [&](offer_t& offer) {
      constexpr int PART = IB < 16 ? IB : 16;  // of the columns: those that are left, about
#pragma unroll
      for (int v = 0; v < ROWS; ++v) {
        if (position[v] != best.first.position()) continue;
        offer.home = 2 * home[v] + best.raised;
        offer.factor = best.factor;
#pragma unroll
        for (int first = 0; first < IB; first += PART) {
          if (first >= IB - j) continue;
#pragma unroll
          for (int k = first; k < first + PART; ++k) offer.x[k] = k == 0 ? best.x : a[v][k];
        }
      }
    });
  }

  /// Some of the pivot's row, from column `first` of those that are left.
  __device__ __forceinline__ static void read_pivot(const offer_t& pivot, int first, T (&u)[AT_ONCE]) {
#pragma unroll
    for (int k = 0; k < AT_ONCE; k += piece<T>) {
      const auto some = *reinterpret_cast<const pack<T, piece<T>>*>(pivot.x + first + k);
#pragma unroll
      for (int e = 0; e < piece<T>; ++e) u[k + e] = some.x[e];
    }
    __syncwarp();  // all of them, before one is waited for
  }
  /// Eliminates column j with its pivot, whose row was at position `found` and begins with u: L of it, which
  /// leaves, and what that does to the next column, which is then the first.
  __device__ __forceinline__ void eliminate(int j, int found, T factor, const T (&u)[AT_ONCE], T (&L)[ROWS]) {
    const bool is_rare = is_zero(factor);
#pragma unroll
    for (int v = 0; v < ROWS; ++v) {
      position[v] = position[v] == found ? j : position[v] == j ? found : position[v];
      const bool is_below = position[v] > j;
      T l = product(a[v][0], factor);
      if (__builtin_expect(is_rare, 0))
        l = is_below && !is_zero(u[0]) ? rare_quotient(a[v][0], u[0]) : a[v][0];
      L[v] = is_below ? l : T{};
      if (is_below) *place[v] = l;
      place[v] += ld[v];
      a[v][0] = a[v][1];
      multiply_add(a[v][0], -L[v], u[1]);
    }
  }
  /// What it does to the others.
  __device__ __forceinline__ void update(int j, const offer_t& pivot, T (&u)[AT_ONCE], const T (&L)[ROWS]) {
#pragma unroll
    for (int first = 0; first < IB; first += AT_ONCE) {
      if (first >= IB - j) continue;
      if (first > 0) read_pivot(pivot, first, u);
#pragma unroll
      for (int v = 0; v < ROWS; ++v) {
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
          if (first + k < 2) continue;
          a[v][first + k - 1] = a[v][first + k];
          multiply_add(a[v][first + k - 1], -L[v], u[k]);
        }
      }
    }
  }
};

}  // namespace talus::cuda::lu
