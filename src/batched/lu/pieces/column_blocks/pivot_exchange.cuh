// The exchange in which the blocks of a cluster find the pivot of a column. Each block has some rows of the
// column; afterwards every block has the pivot's row.
#pragma once

#include <cstddef>

#include "batched/lu/pieces/pivot.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/cluster.cuh"
#include "gpu/named_barriers.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// A candidate for the pivot of a column, with its row: what a block sends to every block of its cluster.
template <class T, int COLUMNS>
struct alignas(16) offered_row {
  static constexpr int raised = 1;  // flag: the pivot was below the floor and was replaced by the floor
  static constexpr int of_nan = 2;  // flag: the column has a NaN

  unsigned key, place;  // as in a candidate
  int home;             // 4 * (the row where it is stored) + flags
  alignas(16) T pivot;
  T factor;  // 1 / pivot; 0 if elements of the column must be divided by the pivot instead
  alignas(
      16) T x[COLUMNS + 1];  // the row to the right of the pivot; the last element fills a piece of 16 bytes

  __device__ int position() const { return static_cast<int>(~place); }
  __device__ candidate first() const { return {key, low_bits_of(pivot), place}; }
  __device__ const T& element(int k) const { return k == 0 ? pivot : x[k - 1]; }  // from the pivot on

  /// Numbers of pieces of 16 bytes: before x, and in total for `columns` columns from the pivot on.
  static constexpr int head = sizeof(T) == 16 ? 3 : 2;
  __device__ static int pieces(int columns) { return head + ceil_div(columns - 1, piece<T>); }
};

/// An offered_row before it is sent. In a stale row only the pivot is updated: x then starts at the pivot's
/// column, and L * (row of the previous pivot) must still be subtracted from x.
template <class T, int COLUMNS>
struct candidate_row {
  offered_row<T, COLUMNS> row;
  T L;
};

/// The slots of the exchange in the shared memory of a block, for offers t = 0, 1, 2, ..., one per column:
///
///   slot                     | written by             | read by               | may be reused
///   warp_candidates[t % 2][] | each searching warp,   | searching warps of    | at offer t + 2, after the
///                            | before the barrier     | the block             | barrier of t + 1
///   rows[t % 3][]            | a block of the cluster | searching warps of    | at offer t + 3, after t + 2
///                            | each, asynchronously   | the receiving block   | has come from all blocks
///   arrived[t % 2]           | stores into rows, by   | the same warps, in    | at offer t + 2, in its
///                            | their bytes            | winner()              | other phase
///   pivots[column]           | first threads, keep()  | the block             | in the next panel
///
/// A block sends offer t only after it has received offer t - 1 from every block. A block sends offer t - 1
/// only after all of its searching warps have passed the named barrier of offer t - 1, and so have finished
/// with offer t - 3, which used the same slot of `rows`.
template <class T, int COLUMNS, int WARPS>
struct own_pivots {
  candidate_row<T, COLUMNS> warp_candidates[2][WARPS];
  offered_row<T, COLUMNS> pivots[COLUMNS];
};
template <class T, class Policy>
struct sent_offers {
  offered_row<T, Policy::IB> rows[3][Policy::MOST_BLOCKS];
  arrivals arrived[2];
  unsigned count;  // number of offers so far
};

/// Returns the lane of the first candidate with the largest key. Not inlined, because ties are rare.
__device__ inline __noinline__ int first_of_equal(candidate mine, unsigned largest) {
  if (largest == 0) return 0;
  const bool is_one = mine.key == largest;
  const unsigned low_bits = largest_of_group<32>(is_one ? mine.low_bits : 0);
  const bool still_tied = is_one && mine.low_bits == low_bits;
  const unsigned place = largest_of_group<32>(still_tied ? mine.place : 0);
  return __ffs(static_cast<int>(__ballot_sync(~0u, still_tied && mine.place == place))) - 1;
}

/// The search for the pivots of a panel, by the first `warps` warps of each block of a cluster:
///
///   offer(): 1. each warp writes its first candidate and its row
///            2. all warps of the block find the first of these, and send its row to all blocks
///   winner(): 3. all warps wait for the rows of all blocks and find the first of them: the pivot's row
///   keep():  4. the block keeps the pivot's row
///
/// Candidate rows may be stale: offer() updates the row that it sends. The caller updates the other rows
/// between offer() and winner(), while the rows are being sent.
template <class T, class Policy>
struct pivot_exchange {
  using R = real_t<T>;
  static constexpr int IB = Policy::IB;
  static constexpr bool ALONE = Policy::ALONE;
  using row_t = offered_row<T, IB>;

  own_pivots<T, IB, Policy::WARPS>& own;
  sent_offers<T, Policy>& sent;
  cluster_size<ALONE> blocks;
  int warps;
  unsigned count, slot;  // number of offers so far; slot of the last offer
  int lane = static_cast<int>(threadIdx.x % 32), warp = uniform(static_cast<int>(threadIdx.x / 32));
  // Each thread sends pieces to one block: address of its first piece in slot 0, and of arrived[0], there.
  unsigned to, counter;
  unsigned key = 0;  // of the row that winner() returned

  __device__ __forceinline__ pivot_exchange(own_pivots<T, IB, Policy::WARPS>& own_,
                                            sent_offers<T, Policy>& sent_, cluster_size<ALONE> blocks_,
                                            int warps_, int rank)
      : own(own_),
        sent(sent_),
        blocks(blocks_),
        warps(warps_),
        count(sent_.count),
        slot((sent_.count + 2) % 3) {
    const int other = blocks.remainder(lane);
    to = in_memory_of(other, reinterpret_cast<int4*>(&sent.rows[0][rank]) + first_piece());
    counter = in_memory_of(other, &sent.arrived[0]);
  }

  /// Sends the candidate of this block for column j. All lanes of the searching warps call, with the largest
  /// key of their warp's candidates. fill(candidate_row) is called by the lane with the first candidate, if
  /// there is one. Only the columns from j on are sent, so the rest of a received row is unspecified. STALE:
  /// candidate rows are stale, and `last` is the row of the previous pivot.
  template <bool STALE, class Fill>
  __device__ __forceinline__ void offer(const candidate& mine, unsigned largest, int j, const row_t* last,
                                        Fill fill) {
    const unsigned turn = count++ % 2;
    slot = slot == 2 ? 0 : slot + 1;
    const int pieces = row_t::pieces(IB - j), step = blocks.quotient(warps * 32);
    if (!ALONE && threadIdx.x == 0) sent.arrived[turn].begin(blocks.count() * 16 * pieces);
    auto& warp_candidates = own.warp_candidates[turn];
    if (is_first(mine, largest)) {
      warp_candidates[warp].row.key = mine.key;
      warp_candidates[warp].row.place = mine.place;
      if (mine.key != 0) fill(warp_candidates[warp]);
    }
    synchronize();
    const auto& first =
        warp_candidates[first_of(warps, [&](int w) -> const row_t& { return warp_candidates[w].row; })];
    const unsigned place = to + slot * static_cast<unsigned>(sizeof(sent.rows[0])),
                   counts = counter + turn * static_cast<unsigned>(sizeof(arrivals));
#pragma unroll 1
    for (int piece = first_piece(), k = 0; piece < pieces; piece += step, ++k) {
      const int4 some = STALE ? updated(first, piece, *last) : piece_of(first.row, piece);
      if constexpr (!ALONE) {
        send_async(place + static_cast<unsigned>(16 * k * step), some, counts);
      } else {
        reinterpret_cast<int4*>(&sent.rows[slot][0])[piece] = some;
      }
    }
    __syncwarp();
  }
  /// Waits for the last offer of all blocks, and returns the pivot's row.
  __device__ __forceinline__ const row_t& winner() {
    if constexpr (ALONE) {
      synchronize();
      return sent.rows[slot][0];
    } else {
      sent.arrived[(count - 1) % 2].wait((count - 1) / 2 % 2);
      const auto& offers = sent.rows[slot];
      return offers[first_of(blocks.count(), [&](int b) -> const row_t& { return offers[b]; })];
    }
  }
  /// Keeps a row as the pivot of column j. Reading takes time, so this has two steps. Each of the first
  /// threads reads and keeps a piece.
  __device__ __forceinline__ int4 read(const row_t& pivot) const {
    return piece_of(pivot, min(static_cast<int>(threadIdx.x), PIECES - 1));
  }
  __device__ __forceinline__ void keep(const int4& piece, int j) {
    if (threadIdx.x < PIECES) reinterpret_cast<int4*>(&own.pivots[j])[threadIdx.x] = piece;
  }

 private:
  static constexpr int PIECES = static_cast<int>(sizeof(row_t) / 16);
  static_assert(sizeof(row_t) % 16 == 0 && PIECES <= 32);

  __device__ int first_piece() const { return blocks.quotient(static_cast<int>(threadIdx.x)); }
  __device__ __forceinline__ void synchronize() const { synchronize_at<pivot_search_barrier>(32 * warps); }
  __device__ __forceinline__ bool is_first(const candidate& mine, unsigned largest) const {
    const unsigned same = __ballot_sync(~0u, mine.key == largest);
    if (__builtin_expect((same & (same - 1)) != 0, 0)) return lane == first_of_equal(mine, largest);
    return mine.key == largest;
  }
  /// Returns the number of the row with the first candidate, among `count` rows. All lanes call.
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
  /// Returns a piece of a stale row after its update. Without a branch, because a branch takes longer than
  /// the multiplications.
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
