// How the blocks of a cluster find the pivot of a column, of which each has some rows.
#pragma once

#include <cstddef>

#include "batched/lu/pivot.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/cluster.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// What a warp offers to its whole cluster as the next pivot: the first of its candidates, and its row.
template <class T, int COLUMNS>
struct alignas(16) offered_row {
  candidate first;
  int home;  // the row where it is, times 2; plus 1 if its pivot was raised to the floor
  T factor;  // what the others' elements of the column are multiplied by: 1 / pivot, if it is ordinary
  T x[COLUMNS];
};

/// Where offers lie, among what else a block has in shared memory (column_block.cuh).
template <class T, class Policy>
struct column_block_memory;

/// How the first `warps` warps of each block of a cluster find the pivot of a column: each sends its first
/// candidate and that one's row to all blocks, and all find the first of these.
template <class T, class Policy>
struct offers_exchange {
  static constexpr int IB = Policy::IB, BLOCKS = Policy::BLOCKS;
  static constexpr int pieces = sizeof(offered_row<T, IB>) / 16, sends = ceil_div(BLOCKS * pieces, 32);
  using memory_t = column_block_memory<T, Policy>;
  static constexpr unsigned to_other_turn = sizeof(memory_t::offers[0]);

  memory_t& memory;
  int warps;
  unsigned turns;  // that were offered
  int lane = static_cast<int>(threadIdx.x) % 32, warp = uniform(static_cast<int>(threadIdx.x) / 32);
  unsigned to[sends], counter[sends];  // of the first turn, in shared memory of other blocks

  __device__ __forceinline__ offers_exchange(memory_t& memory_, int warps_, int rank)
      : memory(memory_), warps(warps_), turns(static_cast<unsigned>(memory_.turns)) {
#pragma unroll
    for (int s = 0; s < sends; ++s) {
      const int k = 32 * s + lane, block = k / pieces;
      to[s] = counter[s] = 0;
      if (BLOCKS == 1 || block >= BLOCKS) continue;
      const auto mine = reinterpret_cast<int4*>(&memory.offers[0][rank * warps + warp]) + k % pieces;
      to[s] = in_memory_of(block, mine);
      counter[s] = in_memory_of(block, &memory.offered[0]);
    }
  }

  /// All lanes of these warps call. fill(offer): by the lane that has the warp's first candidate.
  template <class Fill>
  __device__ __forceinline__ void offer(const candidate& mine, Fill fill) {
    const candidate best = first_of_warp(mine);
    const unsigned turn = turns++ % 2;
    offered_row<T, IB>& offered = BLOCKS > 1 ? memory.of_warp[warp] : memory.offers[turn][warp];
    if (lane == 0) offered.first = best;
    if (best.key != 0) fill(best.position(), offered);
    if constexpr (BLOCKS > 1) {
      if (threadIdx.x == 0) memory.offered[turn].begin(BLOCKS * warps * 16 * pieces);
      __syncwarp();
#pragma unroll
      for (int s = 0; s < sends; ++s) {
        const int k = 32 * s + lane;
        if (k >= BLOCKS * pieces) continue;
        send_async(to[s] + turn * to_other_turn, reinterpret_cast<const int4*>(&offered)[k % pieces],
                   counter[s] + turn * static_cast<unsigned>(sizeof(arrivals)));
      }
      __syncwarp();
    }
  }
  /// Of what was offered last.
  __device__ __forceinline__ const offered_row<T, IB>& first() {
    const unsigned turn = (turns - 1) % 2;
    if constexpr (BLOCKS > 1) {
      memory.offered[turn].wait((turns - 1) / 2 % 2);
    } else {
      asm volatile("bar.sync 2, %0;" ::"r"(32 * warps) : "memory");
    }
    const auto& offers = memory.offers[turn];
    const int count = BLOCKS * warps;
    int number = lane;
    candidate mine{};
    if (lane < count) mine = offers[lane].first;
    if (count > 32) {
      if (lane + 32 < count) {
        const candidate other = offers[lane + 32].first;
        if (other.is_before(mine)) mine = other, number = lane + 32;
      }
      return offers[__shfl_sync(~0u, number, lane_of_first(mine))];
    }
    return offers[lane_of_first(mine)];
  }

 private:
  /// Rarely has more than one the largest key.
  __device__ __forceinline__ static int lane_of_first(const candidate& mine) {
    const unsigned key = largest_of_group<32>(mine.key);
    unsigned first = __ballot_sync(~0u, mine.key == key);
    if (__builtin_expect((first & (first - 1)) != 0, 0)) {
      const candidate one = first_of_group<32>(mine);
      first =
          __ballot_sync(~0u, mine.key == one.key && mine.low_bits == one.low_bits && mine.place == one.place);
    }
    return __ffs(static_cast<int>(first)) - 1;
  }
  __device__ __forceinline__ static candidate first_of_warp(const candidate& mine) {
    const int from = lane_of_first(mine);
    return {__shfl_sync(~0u, mine.key, from), __shfl_sync(~0u, mine.low_bits, from),
            __shfl_sync(~0u, mine.place, from)};
  }
};

}  // namespace talus::cuda::lu
