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
  T x[COLUMNS];  // from the pivot on
  candidate first;
  int home;  // the row where it is, times 2; plus 1 if its pivot was raised to the floor
  T factor;  // what the others' elements of the column are multiplied by: 1 / pivot, if it is ordinary
};

/// Where offers lie, among what else a block has in shared memory (column_block.cuh).
template <class T, class Policy>
struct column_block_memory;

/// How the first `warps` warps of each block of a cluster find the pivot of a column. Each warp keeps its
/// first candidate and that one's row; all warps of a block find the first of these, and send it to all
/// blocks; and all find the first of what came.
template <class T, class Policy>
struct offers_exchange {
  static constexpr int IB = Policy::IB, BLOCKS = Policy::BLOCKS;
  static constexpr int pieces = sizeof(offered_row<T, IB>) / 16;
  using memory_t = column_block_memory<T, Policy>;

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

  /// All lanes of these warps call. fill(place, offer): by the lane that has the warp's first candidate.
  template <class Fill>
  __device__ __forceinline__ void offer(const candidate& mine, Fill fill) {
    const unsigned turn = turns++ % 2;
    if (BLOCKS > 1 && threadIdx.x == 0) memory.offered[turn].begin(BLOCKS * 16 * pieces);
    if (lane == lane_of_first(mine)) {
      offered_row<T, IB>& offered = memory.of_warps[turn][warp];
      offered.first = mine;
      if (mine.key != 0) fill(mine.position(), offered);
    }
    asm volatile("bar.sync 2, %0;" ::"r"(32 * warps) : "memory");
    candidate of_warp{};
    if (lane < warps) of_warp = memory.of_warps[turn][lane].first;
    of_block = lane_of_first(of_warp);
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
  __device__ __forceinline__ const offered_row<T, IB>& first() {
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
  /// Rarely has more than one the largest key.
  __device__ __forceinline__ static int lane_of_first(const candidate& mine) {
    return lane_of_first(mine, largest_of_group<32>(mine.key));
  }
  __device__ __forceinline__ static int lane_of_first(const candidate& mine, unsigned key) {
    unsigned first = __ballot_sync(~0u, mine.key == key);
    if (__builtin_expect((first & (first - 1)) != 0, 0)) {
      const candidate one = first_of_group<32>(mine);
      first =
          __ballot_sync(~0u, mine.key == one.key && mine.low_bits == one.low_bits && mine.place == one.place);
    }
    return __ffs(static_cast<int>(first)) - 1;
  }
};

}  // namespace talus::cuda::lu
