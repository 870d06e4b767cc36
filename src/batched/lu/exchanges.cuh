// Which rows come where when a panel's pivots are exchanged, one after the other: found at once.
#pragma once

namespace talus::cuda::lu {

/// Exchanges of rows one after the other, and what comes of them; rows count from a panel's first.
template <int NB>
struct exchanges {
  int pivot[NB];   // row t is exchanged with row pivot[t], which is not above it
  int source[NB];  // what comes to row t in the end
  int target[NB];  // where what is in row `origin` in the beginning comes to, below the pivots' rows; or -1
  int origin[NB];
  int same[NB], before[NB];  // the last exchange before t with the same row, and with row t; or -1

  /// Of exchanges begin ... begin + count - 1. All warps of a block call; they meet before.
  template <int WARPS>
  __device__ __forceinline__ void find(int begin, int count) {
    const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
    for (int t = begin + warp; t < begin + count; t += WARPS) {
      const int with = pivot[t];
      int last_same = -1, last_before = -1;
      bool is_last = true;
      for (int first = begin; first < begin + count; first += 32) {
        const int s = first + lane, other = s < begin + count ? pivot[s] : -1;
        const unsigned same_row = __ballot_sync(~0u, other == with),
                       this_row = __ballot_sync(~0u, other == t);
        const unsigned earlier = t <= first ? 0 : t - first >= 32 ? ~0u : (1u << (t - first)) - 1;
        if ((same_row & earlier) != 0) last_same = first + 31 - __clz(static_cast<int>(same_row & earlier));
        if ((this_row & earlier) != 0) last_before = first + 31 - __clz(static_cast<int>(this_row & earlier));
        const unsigned not_later = t < first ? 0 : t - first >= 31 ? ~0u : (2u << (t - first)) - 1;
        if ((same_row & ~not_later) != 0) is_last = false;
      }
      if (lane == 0) {
        same[t] = last_same;
        before[t] = last_before;
        target[t] = is_last && with >= begin + count ? with : -1;
      }
    }
    __syncthreads();
    const int t = begin + thread;
    if (thread < count) {
      const auto first_in = [&](int s) {  // row s before exchange s
        for (int last = before[s]; last >= 0; last = before[s]) s = last;
        return s;
      };
      source[t] = same[t] >= 0 ? first_in(same[t]) : pivot[t];
      origin[t] = first_in(t);
    }
    __syncthreads();
  }
};

}  // namespace talus::cuda::lu
