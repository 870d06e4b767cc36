// Elimination of rows that threads hold in registers. No row moves: what changes is the position that it has
// in LAPACK's order, and where it is stored in the end.
#pragma once

#include "batched/lu/pivot.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// A team of threads that hold rows: LANES of a warp (then WARPS = 1), or WARPS whole warps, the first of
/// their block. Row i of the matrix is row i / THREADS of thread i % THREADS.
template <int LANES_, int WARPS_, int ROWS_, int COLUMNS_>
struct rows_shape {
  static_assert(WARPS_ == 1 || LANES_ == 32);
  static constexpr int LANES = LANES_, WARPS = WARPS_, ROWS = ROWS_, COLUMNS = COLUMNS_;
  static constexpr int THREADS = LANES * WARPS;
};

/// How several warps find which of them has the pivot. One warp needs nothing.
template <int WARPS>
struct comparison_of_warps {
  unsigned key[2][WARPS];  // of each one's best; all ones where it is not plain which row that is
  candidate candidates[WARPS];
};
template <>
struct comparison_of_warps<1> {};

/// What the threads of a team tell each other, by way of shared memory, in turn for odd and even columns.
template <class T, int WARPS, int COLUMNS>
struct rows_exchange : comparison_of_warps<WARPS> {
  static constexpr int pitch = (COLUMNS + piece<T> - 1) / piece<T> * piece<T>;
  struct alignas(16) published {
    T x[pitch];    // a row; in the column that is eliminated the factor which the others are multiplied by
    int position;  // that it had
  };
  published row[2][WARPS];  // of each warp its best one
};

/// The first of the candidates of all warps of a team. All their threads call it.
template <int WARPS, class Sync>
__device__ __forceinline__ candidate first_of_team(candidate mine, int warp,
                                                   comparison_of_warps<WARPS>& of_warps, Sync sync) {
  mine = first_of_group<32>(mine);
  if constexpr (WARPS > 1) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    sync();
    if (lane == 0) of_warps.candidates[warp] = mine;
    sync();
    mine = first_of_group<32>(lane < WARPS ? of_warps.candidates[lane] : candidate{});
    sync();
  }
  return mine;
}

/// ROWS rows of COLUMNS elements in each thread of a team.
template <class T, class Shape>
struct thread_rows {
  using R = real_t<T>;
  using exchange_t = rows_exchange<T, Shape::WARPS, Shape::COLUMNS>;
  static constexpr int LANES = Shape::LANES, WARPS = Shape::WARPS, THREADS = Shape::THREADS;
  static constexpr int ROWS = Shape::ROWS, N = Shape::COLUMNS;
  static constexpr int no_position = 0x3fffffff;  // of a row that is not there; it is zero

  T a[ROWS][N];
  int position[ROWS];
  int thread;  // of the team

  int info = 0;                    // of the first pivot that is zero or NaN, from 1
  int replaced = 0;                // of its own pivots, those that were below the floor
  int ipiv[ceil_div(N, THREADS)];  // pivot j from 0, with thread j % THREADS

  __device__ explicit thread_rows(int thread_) : thread(thread_) {}

  /// Columns 0 ... columns - 1 are eliminated, with pivots from rows at positions before pivot_rows.
  /// ALIKE: so are those of all teams of the warp; else there may be teams that go up to columns_of_all.
  template <pivoting HOW, bool ALIKE>
  __device__ __forceinline__ void eliminate(int columns, int columns_of_all, int pivot_rows, R floor,
                                            exchange_t& exchange) {
#pragma unroll
    for (int j = 0; j < N; ++j) {
      if (j >= columns_of_all) break;
      const bool eliminates = ALIKE || j < columns;
      const T* row;  // the pivot's
      if constexpr (HOW == pivoting::partial) {
        row = choose_pivot(j, eliminates, pivot_rows, exchange);
      } else {
        row = take_pivot(j, eliminates, floor, exchange);
      }
      const T factor = row[j];
      T l[ROWS];
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {  // rows that are done have multiplier zero
        const bool below = eliminates && position[u] > j;
        const T quotient = product(a[u][j], factor);
        a[u][j] = below ? quotient : a[u][j];
        l[u] = below ? quotient : T{};
      }
#pragma unroll
      for (int c = (j + 1) / piece<T> * piece<T>; c < N; c += piece<T>) {
        const auto pivots = *reinterpret_cast<const pack<T, piece<T>>*>(row + c);
#pragma unroll
        for (int e = 0; e < piece<T>; ++e) {
          if (c + e <= j || c + e >= N) continue;
#pragma unroll
          for (int u = 0; u < ROWS; ++u) multiply_add(a[u][c + e], -l[u], pivots.x[e]);
        }
      }
    }
  }

  /// The lanes of this team in its warp.
  __device__ unsigned team() const { return LANES == 32 ? ~0u : ((1u << LANES % 32) - 1) << first_lane(); }

 private:
  __device__ static void sync() {
    if constexpr (WARPS == 1) {
      __syncwarp();
    } else {
      asm volatile("bar.sync 2, %0;" ::"n"(THREADS) : "memory");
    }
  }
  __device__ static bool any(bool x) {
    if constexpr (WARPS == 1) {
      return __any_sync(~0u, x);
    } else {
      int result = 0;
      asm volatile(
          "{.reg .pred p, q; setp.ne.s32 p, %1, 0; barrier.red.or.pred q, 2, %2, p; selp.s32 %0, 1, 0, q;}"
          : "=r"(result)
          : "r"(static_cast<int>(x)), "n"(THREADS)
          : "memory");
      return result != 0;
    }
  }
  /// The first of them.
  __device__ int first_lane() const {
    return LANES == 32 ? 0 : static_cast<int>(threadIdx.x + threadIdx.y * blockDim.x) % 32 / LANES * LANES;
  }
  __device__ int warp() const { return WARPS == 1 ? 0 : thread / 32; }

  /// Finds the largest element of column j: its row, which all get, goes to position j.
  ///
  /// Candidates are compared by their keys, which are shorter. Whose key alone is the largest publishes
  /// its row. Where there is no such one, or its element has no normal reciprocal, they are compared
  /// exactly.
  __device__ __forceinline__ const T* choose_pivot(int j, bool eliminates, int pivot_rows,
                                                   exchange_t& exchange) {
    unsigned key = 0;
    int slot = 0;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      const bool offers = eliminates && position[u] >= j && position[u] < pivot_rows;
      const unsigned other = offers ? key_of(a[u][j]) : 0;
      if (other > key) slot = u;
      key = other == key && key > 1 ? ~0u : max(key, other);  // two of a thread's own: not plain
    }
    T factor = reciprocal(element(slot, j));
    auto& mine = exchange.row[j % 2][warp()];
    unsigned largest = largest_of_group<LANES>(key);
    const unsigned candidates = __ballot_sync(~0u, key == largest) & team();
    bool is_mine = candidates == 1u << (LANES == 32 ? thread % 32 : first_lane() + thread);
    bool is_plain = is_ordinary<R>(largest) && (candidates & (candidates - 1)) == 0;
    if (is_mine && is_plain) publish(slot, j, factor, mine);
    const auto* row = &mine;
    if constexpr (WARPS > 1) {
      if (thread % 32 == 0) exchange.key[j % 2][warp()] = is_plain || largest == 0 ? largest : ~0u;
      sync();
      unsigned keys[WARPS];
#pragma unroll
      for (int w = 0; w < WARPS; ++w) keys[w] = exchange.key[j % 2][w];
      int from = 0, count = 1;
      largest = keys[0];
#pragma unroll
      for (int w = 1; w < WARPS; ++w) {
        if (keys[w] >= largest) {
          count = keys[w] == largest ? 2 : 1;
          from = w;
        }
        largest = max(largest, keys[w]);
      }
      is_plain = is_ordinary<R>(largest) && count == 1;
      row = &exchange.row[j % 2][from];
      is_mine = is_mine && warp() == from;
    }
    if (__builtin_expect(any_of_warp(eliminates && !is_plain), 0)) {
      row = &exchange.row[j % 2][0];
      choose_exactly(j, eliminates, pivot_rows, slot, is_mine, exchange);
    }
    if constexpr (WARPS == 1) sync();
    if (!eliminates) return row->x;
    const int found = row->position;
    if (thread == j % THREADS) ipiv[j / THREADS] = found;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (position[u] == j) position[u] = found;
      if (is_mine && u == slot) position[u] = j;
    }
    return row->x;
  }
  /// Of several warps all know the same.
  __device__ static bool any_of_warp(bool x) {
    if constexpr (WARPS == 1) {
      return __any_sync(~0u, x);
    } else {
      return x;
    }
  }

  /// The same exactly, by way of the first warp's row. Of equal magnitudes the row at the smallest
  /// position comes first; where column j has a NaN, the row which is at j. What is divided by a pivot
  /// without a normal reciprocal is divided here. All threads call it, of teams that need it or not.
  __device__ __forceinline__ void choose_exactly(int j, bool eliminates, int pivot_rows, int& slot,
                                                 bool& is_mine, exchange_t& exchange) {
    candidate mine{};
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (!eliminates || position[u] < j || position[u] >= pivot_rows) continue;
      const candidate other = candidate::of(a[u][j], position[u]);
      if (other.is_before(mine)) mine = other;
    }
    if constexpr (WARPS == 1) {
      mine = first_of_group<LANES>(mine);
    } else {
      mine = first_of_team(mine, warp(), exchange, [] { sync(); });
    }
    const bool is_nan = mine.template is_nan<R>();
    if (eliminates && info == 0 && (is_nan || mine.is_zero())) info = j + 1;
    const int found = is_nan ? j : mine.position();
    is_mine = false;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (!eliminates || position[u] != found) continue;
      is_mine = true;
      slot = u;
    }
    publish_with_division(j, eliminates, is_mine, slot, exchange);
  }

  /// Row j is the pivot's: thread j % THREADS has it.
  __device__ __forceinline__ const T* take_pivot(int j, bool eliminates, R floor, exchange_t& exchange) {
    constexpr int last = ROWS - 1;
    const int slot = j / THREADS < last ? j / THREADS : last;
    const bool is_mine = eliminates && thread == j % THREADS;
    T& pivot = a[slot][j];
    if (is_mine && floor > 0 && raise_to_floor(pivot, floor)) ++replaced;
    const bool rare = is_mine && !is_ordinary<R>(key_of(pivot));
    auto& row = exchange.row[j % 2][0];
    if (is_mine) publish(slot, j, reciprocal(pivot), row);
    if (__builtin_expect(any(rare), 0)) publish_with_division(j, eliminates, is_mine, slot, exchange);
    sync();
    return row.x;
  }

  /// The pivot's row to all, where the pivot may have no normal reciprocal: then column j below it <- that
  /// divided by it, and 1 is what it is still to be multiplied by. A zero divides nothing.
  __device__ __forceinline__ void publish_with_division(int j, bool eliminates, bool is_mine, int slot,
                                                        exchange_t& exchange) {
    auto& row = exchange.row[j % 2][0];
    sync();
    if (is_mine) publish(slot, j, element(slot, j), row);
    sync();
    const T pivot = row.x[j];
    const R size = magnitude(pivot);
    T factor = from_real<T>(1);
    if (is_ordinary<R>(key_of(pivot))) {
      factor = reciprocal(pivot);
    } else if (eliminates) {
      if (info == 0 && !(size > 0)) info = j + 1;
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        const bool divides = size != 0 && position[u] >= j && !(is_mine && u == slot);
        if (divides) a[u][j] = rare_quotient(a[u][j], pivot);
      }
    }
    sync();
    if (is_mine) row.x[j] = factor;
    if constexpr (WARPS > 1) sync();
  }

  /// Row `slot` of this thread from column j + 1 on, and in column j what the others are multiplied by.
  __device__ __forceinline__ void publish(int slot, int j, T factor,
                                          typename exchange_t::published& to) const {
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (u != slot) continue;
#pragma unroll
      for (int c = j / piece<T> * piece<T>; c < N; c += piece<T>) {
        pack<T, piece<T>> p;
#pragma unroll
        for (int e = 0; e < piece<T>; ++e) p.x[e] = c + e == j ? factor : a[u][c + e < N ? c + e : 0];
        *reinterpret_cast<pack<T, piece<T>>*>(to.x + c) = p;
      }
      to.position = position[u];
    }
  }

  /// a[slot][c], by selection: registers have no addresses.
  __device__ T element(int slot, int c) const {
    T x = a[0][c];
#pragma unroll
    for (int u = 1; u < ROWS; ++u) {
      if (u == slot) x = a[u][c];
    }
    return x;
  }
};

}  // namespace talus::cuda::lu
