// Elimination of rows that threads hold in registers. No row moves: what changes is the position that it has
// in LAPACK's order, and where it is stored in the end.
#pragma once

#include "batched/lu/pieces/pivot.cuh"
#include "gpu/named_barriers.cuh"
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

/// A row that all are to have.
template <class T, int COLUMNS>
struct alignas(16) published_row {
  T x[COLUMNS];
  T factor;      // what the others' elements of the column are multiplied by
  int position;  // that the row had
};

/// Whether the pivot's row gets to all by shuffles: they wait for no barrier, but move 4 bytes at a time.
template <class T, int LANES, int WARPS, int COLUMNS>
constexpr bool by_shuffles = WARPS == 1 && (sizeof(T) == 4 || (COLUMNS <= 8 && LANES < 32));

/// What a team has in shared memory, in turn for odd and even columns. One that shuffles uses none of it.
template <class T, int WARPS, int COLUMNS>
struct rows_exchange {
  published_row<T, COLUMNS> row[2][WARPS];  // of each warp its best one
  unsigned key[2][WARPS];  // of that one's candidate; all ones where it is not plain which row that is
  candidate first[WARPS];  // for the exact comparison
  T pivot;
};
template <class T, int COLUMNS>
struct rows_exchange<T, 1, COLUMNS> {
  published_row<T, COLUMNS> row[2][1];
};

/// The first of the candidates of all warps of a team. All their threads call it.
template <int WARPS, class Sync>
__device__ __forceinline__ candidate first_of_team(candidate mine, int warp, candidate (&first)[WARPS],
                                                   Sync sync) {
  mine = first_of_group<32>(mine);
  if constexpr (WARPS > 1) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    sync();
    if (lane == 0) first[warp] = mine;
    sync();
    mine = first_of_group<32>(lane < WARPS ? first[lane] : candidate{});
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
  static constexpr bool SHUFFLES = by_shuffles<T, LANES, WARPS, N>;
  static constexpr int no_position = 0x3fffffff;  // of a row that is not there: never a pivot's, never stored
  static constexpr int none = -1;                 // of a thread's rows

  T a[ROWS][N];
  int position[ROWS];
  unsigned undone[ROWS];   // all ones; zero once the row was a pivot's
  unsigned offered[ROWS];  // all ones; zero once the row was a pivot's, or if it stands behind pivot_rows
  int thread;              // of the team

  bool is_plain = true;            // unless EXACTLY: every pivot had the only largest key, and a normal
                                   // reciprocal. Lanes may disagree
  int info = 0;                    // of the first pivot that is zero or NaN, from 1
  int replaced = 0;                // of its own pivots, those that were below the floor
  int ipiv[ceil_div(N, THREADS)];  // pivot j from 0, with thread j % THREADS

  __device__ explicit thread_rows(int thread_) : thread(thread_) {}

  /// Columns 0 ... columns - 1 are eliminated, with pivots from rows at positions before pivot_rows.
  /// ALIKE: so are those of all teams of the warp; else there may be teams that go up to columns_of_all.
  /// EXACTLY: whatever the pivots are. Else a team is a whole warp, and if is_plain is false in any lane, all
  /// results are void.
  template <pivoting HOW, bool ALIKE, bool EXACTLY = true>
  __device__ __forceinline__ void eliminate(int columns, int columns_of_all, int pivot_rows, R floor,
                                            exchange_t& exchange) {
    static_assert(EXACTLY || (WARPS == 1 && LANES == 32 && ALIKE));
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      undone[u] = ~0u;
      offered[u] = position[u] < pivot_rows ? ~0u : 0;
      asm volatile("" : "+r"(undone[u]), "+r"(offered[u]));  // masks, no predicates
    }
#pragma unroll
    for (int j = 0; j < N; ++j) {
      if (j >= columns_of_all) break;
      const bool eliminates = ALIKE || j < columns;
      pivot_row row;
      if constexpr (HOW == pivoting::partial) {
        row = choose_pivot<EXACTLY>(j, eliminates, pivot_rows, exchange);
      } else {
        row = take_pivot<EXACTLY>(j, eliminates, floor, exchange);
      }
      if (HOW == pivoting::partial) {
        const int found = position_of(row);
        if (eliminates) exchange_positions(j, found, row);
      }
      T l[ROWS];  // multipliers
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        if (eliminates && row.is_here && row.is[u]) undone[u] = offered[u] = 0;
        l[u] = masked(a[u][j], undone[u]);
      }
      const T factor = factor_of(row);
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        l[u] = eliminates ? product(l[u], factor) : T{};  // a team that is done has no factor
        if (eliminates) a[u][j] = selected(undone[u], l[u], a[u][j]);
      }
#pragma unroll
      for (int c = j + 1; c < N; ++c) {
        const T x = element_of(row, c);  // of a team that is done, anything
#pragma unroll
        for (int u = 0; u < ROWS; ++u) {
          if (eliminates) multiply_add(a[u][c], -l[u], x);
        }
      }
    }
  }

  /// The lanes of this team in its warp.
  __device__ static unsigned team() { return LANES == 32 ? ~0u : ((1u << LANES % 32) - 1) << first_lane(); }

 private:
  // ---- the pivot's row ---------------------------------------------------------------------------

  /// As a thread sees it.
  struct pivot_row {
    bool is_here;                     // it is this thread's,
    bool is[ROWS];                    // and which of its rows; of other threads, anything
    T factor;                         // its thread has it: what the others' elements of the column are
                                      // multiplied by, which is 1 / pivot
    int lane;                         // of its thread, where the team is in one warp
    const published_row<T, N>* told;  // where it is, unless shuffles bring it
  };
  __device__ static T factor_of(const pivot_row& row) {
    if constexpr (SHUFFLES) {
      return shuffle(row.factor, row.lane);
    } else {
      return row.told->factor;
    }
  }
  __device__ T element_of(const pivot_row& row, int c) const {
    if constexpr (SHUFFLES) {
      return shuffle(element(row, c), row.lane);
    } else {
      return row.told->x[c];
    }
  }
  __device__ int position_of(const pivot_row& row) const {
    if constexpr (SHUFFLES) {
      int mine = position[0];
#pragma unroll
      for (int u = 1; u < ROWS; ++u) mine = row.is[u] ? position[u] : mine;
      return __shfl_sync(~0u, mine, row.lane);
    } else {
      return row.told->position;
    }
  }
  /// The pivot's row was at position `found`. Rows start in order, so others than the first N stay where they
  /// are until they are pivots'.
  __device__ __forceinline__ void exchange_positions(int j, int found, const pivot_row& row) {
    if (thread == j % THREADS) ipiv[j / THREADS] = found;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (u * THREADS < N && position[u] == j) position[u] = found;
      if (row.is_here && row.is[u]) position[u] = j;
    }
  }
  /// The pivot's row from column j + 1 on, to all.
  __device__ __forceinline__ void publish(const pivot_row& row, int j, published_row<T, N>& to) const {
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (!row.is_here || !row.is[u]) continue;
#pragma unroll
      for (int c = j + 1; c < N; ++c) to.x[c] = a[u][c];
      to.factor = row.factor;
      to.position = position[u];
    }
  }
  /// Of the pivot's row, by selection: registers have no addresses.
  __device__ T element(const pivot_row& row, int c) const {
    T x = a[0][c];
#pragma unroll
    for (int u = 1; u < ROWS; ++u) {
      if (row.is[u]) x = a[u][c];
    }
    return x;
  }

  // ---- which it is -------------------------------------------------------------------------------

  /// The row with the largest element of column j: it goes to position j.
  ///
  /// Candidates are compared by their keys, which are shorter. Where not one key alone is the largest, or its
  /// element has no normal reciprocal, they are compared exactly.
  template <bool EXACTLY>
  __device__ __forceinline__ pivot_row choose_pivot(int j, bool eliminates, int pivot_rows,
                                                    exchange_t& exchange) {
    pivot_row row{};
    unsigned bits[ROWS], key = 0;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      bits[u] = eliminates ? high_bits_of(a[u][j]) & offered[u] : 0;
      key = max(key, bits[u]);
    }
    bool has_one = false, has_two = false;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      row.is[u] = ROWS == 1 || bits[u] == key;
      has_two = has_two || (has_one && row.is[u]);
      has_one = has_one || row.is[u];
    }
    if (EXACTLY && has_two && key > 0) key = ~0u;  // two of a thread's own: not plain
    const unsigned largest = largest_of_group<LANES>(key);
    row.factor = reciprocal(from_here(element(row, j)));  // while the warp compares
    row.is_here = key == largest;  // true in several lanes if their keys tie: not plain then
    const unsigned candidates = __ballot_sync(~0u, row.is_here) & team();
    row.lane = last_of(candidates);
    bool is_plain = is_ordinary<R>(largest) && (candidates & (candidates - 1)) == 0;
    if constexpr (WARPS == 1) {
      this->is_plain = this->is_plain && is_plain && !(has_two && row.is_here);
      if (EXACTLY && !__builtin_expect(all_of_warp(!eliminates || is_plain), 1))
        row = first_exactly(j, eliminates, pivot_rows, exchange);
      if constexpr (!SHUFFLES) tell(row, j, exchange);
    } else {
      auto& told = exchange.row[j % 2];
      if (is_plain) publish(row, j, told[warp()]);
      if (thread % 32 == 0) exchange.key[j % 2][warp()] = is_plain || largest == 0 ? largest : ~0u;
      sync();
      const int from = warp_with_the_largest(exchange.key[j % 2], is_plain);
      if (warp() != from) row.is_here = false;
      row.told = &told[from];
      if (!__builtin_expect(is_plain, 1)) {
        row = first_exactly(j, eliminates, pivot_rows, exchange);
        tell(row, j, exchange);
      }
    }
    return row;
  }
  /// To all, who wait for it.
  __device__ __forceinline__ void tell(pivot_row& row, int j, exchange_t& exchange) const {
    row.told = &exchange.row[j % 2][0];
    publish(row, j, exchange.row[j % 2][0]);
    sync();
  }
  /// The warp whose best key is the largest of all, and whether that is plain.
  __device__ static int warp_with_the_largest(const unsigned (&key)[WARPS], bool& is_plain) {
    unsigned largest = key[0];
    int from = 0;
    bool is_alone = true;
#pragma unroll
    for (int w = 1; w < WARPS; ++w) {
      const unsigned other = key[w];
      is_alone = other != largest && (is_alone || other > largest);
      if (other > largest) from = w;
      largest = max(largest, other);
    }
    is_plain = is_ordinary<R>(largest) && is_alone;
    return from;
  }

  /// The row at position j.
  template <bool EXACTLY>
  __device__ __forceinline__ pivot_row take_pivot(int j, bool eliminates, R floor, exchange_t& exchange) {
    pivot_row row{};
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      row.is[u] = eliminates && position[u] == j;
      if (!row.is[u]) continue;
      row.is_here = true;
      if (floor > 0 && raise_to_floor(a[u][j], floor)) ++replaced;
    }
    const T pivot = element(row, j);
    row.factor = reciprocal(pivot);
    if constexpr (WARPS == 1) row.lane = last_of(__ballot_sync(~0u, row.is_here) & team());
    const bool is_rare = row.is_here && !is_ordinary<R>(high_bits_of(pivot));
    is_plain = is_plain && !is_rare;
    if (EXACTLY && __builtin_expect(any(is_rare), 0)) {
      int slot = none;
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        if (row.is[u]) slot = u;
      }
      row = divided(j, divide(column(j), slot, row.lane, j, eliminates, exchange));
    }
    if constexpr (!SHUFFLES) tell(row, j, exchange);
    return row;
  }

  // ---- where that is not plain: out of line, and not once for every column, because it is long ------

  /// Column j of a thread's rows.
  struct part {
    T x[ROWS];
    int position[ROWS];
  };
  /// What comes of it where the pivot may have no normal reciprocal, and the pivot's row.
  struct division {
    T x[ROWS];
    T factor;
    int mine, lane;
    bool fails;
  };
  __device__ __forceinline__ part column(int j) const {
    part mine;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      mine.x[u] = a[u][j];
      mine.position[u] = position[u];
    }
    return mine;
  }
  __device__ __forceinline__ pivot_row divided(int j, const division& of) {
#pragma unroll
    for (int u = 0; u < ROWS; ++u) a[u][j] = of.x[u];
    if (info == 0 && of.fails) info = j + 1;
    pivot_row row{};
    row.is_here = of.mine != none;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) row.is[u] = of.mine == u;
    row.factor = of.factor;
    row.lane = of.lane;
    return row;
  }

  /// Of equal magnitudes the row at the smallest position comes first; where column j has a NaN, the row
  /// which is at j. All threads call it, of teams that need it or not.
  __device__ __forceinline__ pivot_row first_exactly(int j, bool eliminates, int pivot_rows,
                                                     exchange_t& exchange) {
    return divided(j, find_exactly(column(j), thread, j, eliminates, pivot_rows, exchange));
  }
  __device__ __noinline__ static division find_exactly(part mine, int thread, int j, bool eliminates,
                                                       int pivot_rows, exchange_t& exchange) {
    candidate first{};
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (!eliminates || mine.position[u] < j || mine.position[u] >= pivot_rows) continue;
      const candidate other = candidate::of(mine.x[u], mine.position[u]);
      if (other.is_before(first)) first = other;
    }
    if constexpr (WARPS == 1) {
      first = first_of_group<LANES>(first);
    } else {
      first = first_of_team(first, thread / 32, exchange.first, [] { sync(); });
    }
    const bool is_nan = first.template is_nan<R>();
    const int found = is_nan ? j : first.position();
    int pivot = none;
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      if (eliminates && mine.position[u] == found) pivot = u;
    }
    const int lane = last_of(__ballot_sync(~0u, pivot != none) & team());
    division result = divide_by_pivot(mine, pivot, lane, j, eliminates, exchange);
    result.fails = result.fails || (eliminates && is_nan);
    return result;
  }
  __device__ __noinline__ static division divide(part mine, int pivot, int lane, int j, bool eliminates,
                                                 exchange_t& exchange) {
    return divide_by_pivot(mine, pivot, lane, j, eliminates, exchange);
  }
  /// What has no normal reciprocal divides what is below it, and the factor left is 1. A zero divides
  /// nothing.
  __device__ __forceinline__ static division divide_by_pivot(const part& mine, int slot, int lane, int j,
                                                             bool eliminates, exchange_t& exchange) {
    division result{{}, from_real<T>(1), slot, lane, false};
    T pivot = mine.x[0];
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      result.x[u] = mine.x[u];
      if (u == slot) pivot = mine.x[u];
    }
    if constexpr (WARPS == 1) {
      pivot = shuffle(pivot, lane);
    } else {
      if (slot != none) exchange.pivot = pivot;
      sync();
      pivot = exchange.pivot;
    }
    if (is_ordinary<R>(high_bits_of(pivot))) {
      result.factor = reciprocal(pivot);
    } else if (eliminates) {
      const R size = magnitude(pivot);
      result.fails = !(size > 0);
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        if (size != 0 && mine.position[u] >= j && u != slot) result.x[u] = rare_quotient(mine.x[u], pivot);
      }
    }
    return result;
  }

  // ---- threads of a team -------------------------------------------------------------------------

  __device__ static void sync() {
    if constexpr (WARPS == 1) {
      __syncwarp();
    } else {
      synchronize_at<lu_panel_barrier, THREADS>();
    }
  }
  __device__ static bool any(bool x) {
    if constexpr (WARPS == 1) {
      return __any_sync(~0u, x);
    } else {
      return any_at<lu_panel_barrier, THREADS>(x);
    }
  }
  /// Of 32 lanes all know the same.
  __device__ static bool all_of_warp(bool x) {
    if constexpr (LANES == 32) {
      return x;
    } else {
      return __all_sync(~0u, x);
    }
  }
  /// Of the team.
  __device__ static int first_lane() {
    return LANES == 32 ? 0 : static_cast<int>(threadIdx.x + threadIdx.y * blockDim.x) % 32 / LANES * LANES;
  }
  __device__ static int last_of(unsigned lanes) {
    int lane;
    asm("bfind.u32 %0, %1;" : "=r"(lane) : "r"(lanes));
    return lane;
  }
  __device__ int warp() const { return WARPS == 1 ? 0 : thread / 32; }
};

}  // namespace talus::cuda::lu
