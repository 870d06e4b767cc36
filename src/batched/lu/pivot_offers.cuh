// How the blocks of a cluster find the pivot of a column, of which each has some rows.
#pragma once

#include <cstddef>

#include "batched/lu/pivot.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/cluster.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// What a block offers to its whole cluster as the next pivot: the first of its candidates, and its row.
template <class T, int COLUMNS>
struct alignas(16) offered_row {
  candidate first;
  int home;              // the row where it is, times 2; plus 1 if its pivot was raised to the floor
  alignas(16) T factor;  // 1 / pivot, which others' elements are multiplied by; 0, if that is not ordinary
  alignas(16) T x[COLUMNS];  // from the pivot on

  /// Of 16 bytes, up to the first columns of x.
  __device__ static int pieces(int columns) { return 2 + ceil_div(columns, piece<T>); }
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

/// Where offers lie, among what else a block has in shared memory (column_block.cuh).
template <class T, class Policy>
struct column_block_memory;

/// How the first `warps` warps of each block of a cluster find the pivot of a column. Each warp keeps its
/// first candidate and that one's row; all warps of a block find the first of these, and send it to all
/// blocks; and all find the first of what came.
template <class T, class Policy>
struct offers_exchange {
  static constexpr int IB = Policy::IB, BLOCKS = Policy::BLOCKS;
  using memory_t = column_block_memory<T, Policy>;
  using offer_t = offered_row<T, IB>;

  memory_t& memory;
  int warps;
  unsigned turns;  // that were offered
  int lane = static_cast<int>(threadIdx.x % 32), warp = uniform(static_cast<int>(threadIdx.x / 32));
  // A thread sends some pieces to one block: where the first of the first turn goes, and what counts them.
  unsigned to, counter;
  int of_block = 0;  // the warp that had the block's first
  unsigned key = 0;  // of what first() returned

  __device__ __forceinline__ offers_exchange(memory_t& memory_, int warps_, int rank)
      : memory(memory_), warps(warps_), turns(static_cast<unsigned>(memory_.turns)) {
    to = in_memory_of(lane % BLOCKS, reinterpret_cast<int4*>(&memory.offers[0][rank]) + first_piece());
    counter = in_memory_of(lane % BLOCKS, &memory.offered[0]);
  }

  /// All lanes of these warps call, with the largest key of their warp's candidates. fill(offer): by the lane
  /// that has the first of them, if it is one. Only so many columns of x are sent: behind them is anything.
  template <class Fill>
  __device__ __forceinline__ void offer(const candidate& mine, unsigned largest, int columns, Fill fill) {
    const unsigned turn = turns++ % 2;
    const int pieces = offer_t::pieces(columns);
    if (BLOCKS > 1 && threadIdx.x == 0) memory.offered[turn].begin(BLOCKS * 16 * pieces);
    if (is_first(mine, largest)) {
      offer_t& offered = memory.of_warps[turn][warp];
      offered.first = mine;
      if (mine.key != 0) fill(offered);
    }
    asm volatile("bar.sync 2, %0;" ::"r"(32 * warps) : "memory");
    candidate of_warp{};
    if (lane < warps) of_warp = memory.of_warps[turn][lane].first;
    of_block = lane_of_first(of_warp, largest_of_group<32>(of_warp.key));
    if constexpr (BLOCKS > 1) {
      const auto from = reinterpret_cast<const int4*>(&memory.of_warps[turn][of_block]);
      const unsigned place = to + turn * static_cast<unsigned>(sizeof(memory.offers[0]));
      const unsigned count = counter + turn * static_cast<unsigned>(sizeof(arrivals));
      const int step = warps * 32 / BLOCKS;
#pragma unroll 1
      for (int piece = first_piece(), k = 0; piece < pieces; piece += step, ++k) {
        const int4 some = from[piece];  // not by reference: byte by byte
        send_async(place + static_cast<unsigned>(16 * k * step), some, count);
      }
      __syncwarp();
    }
  }
  /// Of what was offered last.
  __device__ __forceinline__ const offer_t& first() {
    const unsigned turn = (turns - 1) % 2;
    if constexpr (BLOCKS == 1) {
      key = memory.of_warps[turn][of_block].first.key;
      return memory.of_warps[turn][of_block];
    } else {
      memory.offered[turn].wait((turns - 1) / 2 % 2);
      candidate mine{};
      if (lane < BLOCKS) mine = memory.offers[turn][lane].first;
      key = largest_of_group<32>(mine.key);
      return memory.offers[turn][lane_of_first(mine, key)];
    }
  }

 private:
  __device__ int first_piece() const { return static_cast<int>(threadIdx.x) / BLOCKS; }
  __device__ __forceinline__ bool is_first(const candidate& mine, unsigned largest) const {
    const unsigned same = __ballot_sync(~0u, mine.key == largest);
    if (__builtin_expect((same & (same - 1)) != 0, 0)) return lane == first_of_equal(mine, largest);
    return mine.key == largest;
  }
  __device__ __forceinline__ static int lane_of_first(const candidate& mine, unsigned largest) {
    const unsigned same = __ballot_sync(~0u, mine.key == largest);
    if (__builtin_expect((same & (same - 1)) != 0, 0)) return first_of_equal(mine, largest);
    return __ffs(static_cast<int>(same)) - 1;
  }
};

}  // namespace talus::cuda::lu
