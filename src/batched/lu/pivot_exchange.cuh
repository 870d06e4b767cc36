// How the blocks of a cluster find the pivot of a column, of which each has some rows, and get its row.
#pragma once

#include <cstddef>

#include "batched/lu/pivot.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/cluster.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// A candidate for a pivot and its row, as a block offers them to its whole cluster.
template <class T, int COLUMNS>
struct alignas(16) offered_row {
  static constexpr int raised = 1, of_nan = 2;  // to the floor; there is a NaN in its column

  unsigned key, place;  // as a candidate's
  int home;             // the row where it is stored, times 4; plus what is said of it
  alignas(16) T pivot;
  T factor;  // 1 / pivot, which others' elements are multiplied by; 0, if that is not ordinary
  alignas(16)
      T x[COLUMNS + 1];  // behind the pivot; pieces of 16 bytes are read up to the last, which is no column

  __device__ int position() const { return static_cast<int>(~place); }
  __device__ candidate first() const { return {key, low_bits_of(pivot), place}; }
  __device__ const T& element(int k) const { return k == 0 ? pivot : x[k - 1]; }  // from the pivot on

  /// Pieces of 16 bytes: those before x, and all up to so many columns from the pivot on.
  static constexpr int head = sizeof(T) == 16 ? 3 : 2;
  __device__ static int pieces(int columns) { return head + ceil_div(columns - 1, piece<T>); }
};

/// The same before it is sent. It may be behind: only the pivot has been updated by the last column's, and x
/// begins there, one column to the left. Of the rest L times the last pivot's row is still to be subtracted.
template <class T, int COLUMNS>
struct candidate_row {
  offered_row<T, COLUMNS> row;
  T L;
};

/// What a block has of that in shared memory for itself, and what all blocks send to it.
template <class T, int COLUMNS, int WARPS>
struct own_pivots {
  candidate_row<T, COLUMNS> of_warps[2][WARPS];  // every other offer the same
  offered_row<T, COLUMNS> pivots[COLUMNS];       // of the columns that are being factored
};
template <class T, class Policy>
struct sent_offers {
  /// Every third offer the same: who sends one has the one before of all blocks, so their warps have all come
  /// to that, and read none before it.
  offered_row<T, Policy::IB> rows[3][Policy::BLOCKS];
  arrivals came[2];
  unsigned count;  // of offers in all
};

/// Of a warp's candidates with the largest key, the lane of the first. Out of line: there is rarely more than
/// one.
__device__ inline __noinline__ int first_of_equal(candidate mine, unsigned largest) {
  if (largest == 0) return 0;
  const bool is_one = mine.key == largest;
  const unsigned low_bits = largest_of_group<32>(is_one ? mine.low_bits : 0);
  const bool is_still = is_one && mine.low_bits == low_bits;
  const unsigned place = largest_of_group<32>(is_still ? mine.place : 0);
  return __ffs(static_cast<int>(__ballot_sync(~0u, is_still && mine.place == place))) - 1;
}

/// How the first `warps` warps of each block of a cluster find the pivot of a column. Each warp writes its
/// first candidate, and its row; all warps of a block find the first of these, and send it to all blocks; and
/// all find the first of what came. Rows may be behind: who sends one makes up for it, and others are updated
/// while offers are on their way.
template <class T, class Policy>
struct pivot_exchange {
  using R = real_t<T>;
  static constexpr int IB = Policy::IB, BLOCKS = Policy::BLOCKS;
  using row_t = offered_row<T, IB>;

  own_pivots<T, IB, Policy::WARPS>& own;
  sent_offers<T, Policy>& sent;
  int warps;
  unsigned count, slot;  // of offers; where the last one is
  int lane = static_cast<int>(threadIdx.x % 32), warp = uniform(static_cast<int>(threadIdx.x / 32));
  // A thread sends some pieces to one block: where its first goes in slot 0, and the first of what counts
  // them.
  unsigned to, counter;
  unsigned key = 0;  // of what first() returned

  __device__ __forceinline__ pivot_exchange(own_pivots<T, IB, Policy::WARPS>& own_,
                                            sent_offers<T, Policy>& sent_, int warps_, int rank)
      : own(own_), sent(sent_), warps(warps_), count(sent_.count), slot((sent_.count + 2) % 3) {
    to = in_memory_of(lane % BLOCKS, reinterpret_cast<int4*>(&sent.rows[0][rank]) + first_piece());
    counter = in_memory_of(lane % BLOCKS, &sent.came[0]);
  }

  /// For column j. All lanes of these warps call, with the largest key of their warp's candidates.
  /// fill(candidate_row): by the lane that has the first of them, if there is one. Only columns that are left
  /// are sent: behind them is anything. BEHIND: rows are, and `last` is the last pivot's.
  template <bool BEHIND, class Fill>
  __device__ __forceinline__ void offer(const candidate& mine, unsigned largest, int j, const row_t* last,
                                        Fill fill) {
    const unsigned turn = count++ % 2;
    slot = slot == 2 ? 0 : slot + 1;
    const int pieces = row_t::pieces(IB - j), step = warps * 32 / BLOCKS;
    if (BLOCKS > 1 && threadIdx.x == 0) sent.came[turn].begin(BLOCKS * 16 * pieces);
    auto& of_warps = own.of_warps[turn];
    if (is_first(mine, largest)) {
      of_warps[warp].row.key = mine.key;
      of_warps[warp].row.place = mine.place;
      if (mine.key != 0) fill(of_warps[warp]);
    }
    meet();
    const auto& first = of_warps[first_of(warps, [&](int w) -> const row_t& { return of_warps[w].row; })];
    const unsigned place = to + slot * static_cast<unsigned>(sizeof(sent.rows[0])),
                   counts = counter + turn * static_cast<unsigned>(sizeof(arrivals));
#pragma unroll 1
    for (int piece = first_piece(), k = 0; piece < pieces; piece += step, ++k) {
      const int4 some = BEHIND ? updated(first, piece, *last) : piece_of(first.row, piece);
      if constexpr (BLOCKS > 1) {
        send_async(place + static_cast<unsigned>(16 * k * step), some, counts);
      } else {
        reinterpret_cast<int4*>(&sent.rows[slot][0])[piece] = some;
      }
    }
    __syncwarp();
  }
  /// Of what was offered last.
  __device__ __forceinline__ const row_t& first() {
    if constexpr (BLOCKS > 1) {
      sent.came[(count - 1) % 2].wait((count - 1) / 2 % 2);
      return sent.rows[slot][first_of(BLOCKS, [&](int b) -> const row_t& { return sent.rows[slot][b]; })];
    } else {
      meet();
      return sent.rows[slot][0];
    }
  }
  /// Notes a row as the pivot of column j, in two steps, as it takes time to read it: the first threads have
  /// a piece each.
  __device__ __forceinline__ int4 read(const row_t& pivot) const {
    return piece_of(pivot, min(static_cast<int>(threadIdx.x), PIECES - 1));
  }
  __device__ __forceinline__ void note(const int4& some, int j) {
    if (threadIdx.x < PIECES) reinterpret_cast<int4*>(&own.pivots[j])[threadIdx.x] = some;
  }

 private:
  static constexpr int PIECES = static_cast<int>(sizeof(row_t) / 16);
  static_assert(sizeof(row_t) % 16 == 0 && PIECES <= 32);

  __device__ static int first_piece() { return static_cast<int>(threadIdx.x) / BLOCKS; }
  __device__ __forceinline__ void meet() const {
    asm volatile("bar.sync 2, %0;" ::"r"(32 * warps) : "memory");
  }
  __device__ __forceinline__ bool is_first(const candidate& mine, unsigned largest) const {
    const unsigned same = __ballot_sync(~0u, mine.key == largest);
    if (__builtin_expect((same & (same - 1)) != 0, 0)) return lane == first_of_equal(mine, largest);
    return mine.key == largest;
  }
  /// Which of `count` rows has the first candidate. All lanes call.
  template <class Row>
  __device__ __forceinline__ int first_of(int count, Row row) {
    unsigned mine = 0;
    if (lane < count) mine = row(lane).key;
    key = largest_of_group<32>(mine);
    const unsigned same = __ballot_sync(~0u, mine == key);
    if (__builtin_expect((same & (same - 1)) != 0, 0))
      return first_of_equal(lane < count ? row(lane).first() : candidate{}, key);
    return __ffs(static_cast<int>(same)) - 1;
  }
  __device__ __forceinline__ static int4 piece_of(const row_t& row, int piece) {
    return reinterpret_cast<const int4*>(&row)[piece];
  }
  /// A piece of a row that is behind, as it is sent. Without a branch, which would take longer than what it
  /// saves.
  __device__ __forceinline__ static int4 updated(const candidate_row<T, IB>& of, int piece,
                                                 const row_t& last) {
    constexpr int EACH = cuda::piece<T>;
    const bool is_head = piece < row_t::head;
    const int k = is_head ? 0 : (piece - row_t::head) * EACH;
    pack<T, EACH> x;
#pragma unroll
    for (int e = 0; e < EACH; ++e) {
      x.x[e] = of.row.x[k + 1 + e];
      multiply_add(x.x[e], -of.L, last.x[k + 1 + e]);
    }
    const int4 head = piece_of(of.row, piece);
    int4 all;
    memcpy(&all, &x, 16);
    return {is_head ? head.x : all.x, is_head ? head.y : all.y, is_head ? head.z : all.z,
            is_head ? head.w : all.w};
  }
};

}  // namespace talus::cuda::lu
