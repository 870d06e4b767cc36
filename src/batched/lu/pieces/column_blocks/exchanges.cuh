// Which rows come where when pivots are exchanged, one after the other: found at once.
#pragma once

#include "gpu/launch.cuh"

namespace talus::cuda::lu {

/// Exchanges of rows one after the other, at most MOST, a power of two; and what comes of them. Rows count
/// from the first one that is exchanged.
template <int MOST>
struct exchanges {
  int pivot[MOST];   // row t is exchanged with row pivot[t], which is not above it
  int source[MOST];  // what comes to row t in the end
  int target[MOST];  // where what is in row `origin` in the beginning comes to, below the pivots' rows; or -1
  int origin[MOST];

  /// Of exchanges begin ... begin + count - 1, by THREADS threads, which meet before: a warp, or a block.
  template <int THREADS>
  __device__ __forceinline__ void find(int begin, int count) {
    constexpr int EACH = ceil_div(MOST, THREADS);
    const int thread = static_cast<int>(threadIdx.x) % THREADS;
    const auto meet = [] {
      if constexpr (THREADS == 32) {
        __syncwarp();
      } else {
        __syncthreads();
      }
    };
    const auto for_each = [&](auto work) {
#pragma unroll
      for (int e = 0; e < EACH; ++e) {
        if (thread + e * THREADS < count) work(e, thread + e * THREADS);
      }
    };
    for (int e = thread; e < ROWS; e += THREADS) {
      if (e >= MOST) key[e - MOST] = -1;
#pragma unroll
      for (int w = 0; w < WORDS; ++w) times[e][w] = 0;
    }
    meet();
    int row[EACH], same[EACH];
    for_each([&](int e, int t) {
      row[e] = number_of(pivot[begin + t] - begin, count);
      atomicOr(&times[row[e]][t / 32], 1u << t % 32);
    });
    meet();
    for_each([&](int e, int t) {
      same[e] = last_before(row[e], t);
      before[t] = last_before(t, t);
      target[begin + t] = row[e] >= MOST && is_last(row[e], t) ? pivot[begin + t] : -1;
    });
    meet();
    for_each([&](int e, int t) {
      const auto first_in = [&](int s) {  // row s before exchange s
        for (int last = before[s]; last >= 0; last = before[s]) s = last;
        return begin + s;
      };
      source[begin + t] = same[e] >= 0 ? first_in(same[e]) : pivot[begin + t];
      origin[begin + t] = first_in(t);
    });
    meet();
  }

 private:
  static constexpr int WORDS = (MOST + 31) / 32, KEYS = 2 * MOST, ROWS = MOST + KEYS;

  int before[MOST];             // the last exchange before t with row t; or -1
  int key[KEYS];                // rows below the pivots' ones, by a hash of them
  unsigned times[ROWS][WORDS];  // when a row is exchanged with one above it: a bit for each exchange

  /// Of a row, in `times`.
  __device__ int number_of(int row, int count) {
    if (row < count) return row;
    int at = static_cast<int>(static_cast<unsigned>(row) * 0x61c88647u >> 16) & (KEYS - 1);
    while (true) {
      const int other = atomicCAS(&key[at], -1, row);
      if (other == -1 || other == row) return MOST + at;
      at = (at + 1) & (KEYS - 1);
    }
  }
  __device__ int last_before(int row, int t) const {
    for (int w = t / 32; w >= 0; --w) {
      const unsigned earlier = times[row][w] & (w == t / 32 ? (1u << t % 32) - 1 : ~0u);
      if (earlier != 0) return 32 * w + 31 - __clz(static_cast<int>(earlier));
    }
    return -1;
  }
  __device__ bool is_last(int row, int t) const {
    for (int w = t / 32; w < WORDS; ++w) {
      if ((times[row][w] & (w == t / 32 ? ~1u << t % 32 : ~0u)) != 0) return false;
    }
    return true;
  }
};

}  // namespace talus::cuda::lu
