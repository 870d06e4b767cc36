// The kernels of smem_lookahead.hpp.
#pragma once

#include "batched/cholesky/families/smem.cuh"
#include "batched/cholesky/families/smem_lookahead.hpp"

namespace talus::cuda::cholesky {

/// The parameters of the compiled kernel. It has registers for WARPS warps on a multiprocessor. If RELOADS is
/// true, shared memory does not hold all tiles.
template <int TILES_, int LEADERS_, int WARPS_, bool RELOADS_>
struct lookahead_policy {
  static constexpr int TILES = TILES_, LEADERS = LEADERS_, WARPS = WARPS_;
  static constexpr bool RELOADS = RELOADS_;
};
template <class T, int THREADS, int TILES, bool RELOADS>
using lookahead_policy_of =
    lookahead_policy<TILES, lookahead_leaders(THREADS),
                     smem_warps(element_of_type<T>, THREADS, TILES, RELOADS), RELOADS>;

/// Left-looking Cholesky of matrix number() of A in panels of tiles of 16 x 16, all in one launch.
///
/// Thread map  a block per matrix. The first LEADERS warps have the tiles on the diagonal, in turn if there
///             are two; of those below each of the other warps, the followers, has as many as there are
///             followers further down, TILES at most; all lanes work on one tile at a time
/// Stored      the tiles of the panel in registers; finished ones that later panels need in shared memory,
///             a quarter of the square; the factor of the tile on the diagonal there, too, with its
///             inverse. RELOADS: there is room for `held` of the finished tiles only, so that a
///             multiprocessor holds as many matrices as its registers do; the others are read again where
///             they are stored
/// Launch      count blocks, smem_elements of shared memory
/// Needs       n <= 16 most_tiles()
/// Barriers    two per panel: when the tile on the diagonal is factored and those below are updated; when
///             those are solved with it. While the others store, load and update theirs, a leader factors
///             the next tile on the diagonal. That one has been updated while the others solved or, by the
///             second leader, while the first one factored
/// Info        j: as LAPACK
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive, with look-ahead
/// Bound by    the chain of the tiles on the diagonal, which few matrices per multiprocessor hide
template <class T, class Policy, class Number, class Batch>
__device__ __forceinline__ void factor_with_lookahead(uplo uplo, Number number, Batch A, int* info_array,
                                                      int held) {
  constexpr int TILES = Policy::TILES, LEADERS = Policy::LEADERS;
  constexpr bool RELOADS = Policy::RELOADS;
  const int followers = static_cast<int>(blockDim.x) / 32 - LEADERS;
  constexpr bool TURNS = std::is_same_v<T, double>;  // else it costs more than it saves
  // Where registers suffice; in double where one warp leads (log, 63).
  constexpr bool WHOLE = std::is_same_v<T, real_t<T>> && (sizeof(T) == 4 ? TILES > 1 : LEADERS == 1);
  const int n = A.n, tiles = ceil_div(n, square_order), lane = static_cast<int>(threadIdx.x) % 32;
  // Shuffled, that the compiler knows it to be the same for all lanes.
  const int warp = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / 32, 0);
  const bool leads = warp < LEADERS;
  const int follower = warp - LEADERS + 1;  // of those that follow, from 1 on

  const smem_memory<T, 2, TILES, false> memory(tiles);
  auto factored = [&](int P) { return memory.factored(P) + 2 * lane; };
  auto slot = [&](int I, int K) { return memory.tile(I, K, lane); };
  const stored_triangle<T, TURNS> stored(uplo, A[number()], n, tile_lane(lane));

  // Of a leader its tile on the diagonal, and the next one on its way if it has all of them. Of the others:
  // tile I = follower + u * followers of a panel in a[u].
  constexpr int LED = LEADERS == 1 ? 2 : 1;
  square<T> a[TILES > LED ? TILES : LED];
  // Whether tile (I, K) is in shared memory when it is finished; whether all of its column are.
  auto is_held = [&](int I, int K) { return !RELOADS || memory.slot(I, K) < held; };
  auto all_held = [&](int K) { return !RELOADS || (K + 1) * (tiles - 1 - K) <= held; };
  auto finished = [&](int I, int K) {
    if (is_held(I, K)) return get(slot(I, K));
    square<T> a;
    stored.template fetch<false>(a, I, K);
    return TURNS ? stored.turned(a) : a;
  };
  auto update_diagonal = [&](int P, int K) {
    if (is_held(P, K)) {
      subtract_product(a[0], slot(P, K), facing_square<T>(slot(P, K)));
    } else {
      const square<T> both = finished(P, K);
      subtract_product(a[0], both, facing_square<T>(both));
    }
  };
  auto update_next_diagonal = [&](int P) {  // with what was finished before panel P
#pragma unroll 1
    for (int K = 0; K < P; ++K) update_diagonal(P + 1, K);
  };
  auto below = [&](int P, auto work) {
#pragma unroll
    for (int u = 0; u < TILES; ++u) {
      const int I = follower + u * followers;
      if (I > P && I < tiles) work(a[u], recomputed(I));  // or addresses live on in registers
    }
  };
  auto has_no_more_tiles = [&] {  // a leader: no registers are kept for those of a follower
#pragma unroll
    for (int u = LED; u < TILES; ++u) a[u] = {};
  };
  if (leads) {
    if (warp < tiles) stored.template fetch<true>(a[0], warp, warp);
    if (TURNS) a[0] = stored.turned(a[0]);
  } else {
    below(0, [&](square<T>& a, int I) { stored.template fetch<false>(a, I, 0); });
  }
  int info = 0;
  for (int P = 0;; ++P) {
    const bool last = P + 1 == tiles;
    const bool factors = warp == P % LEADERS, factors_next = leads && warp == (P + 1) % LEADERS;
    const int rest = n - P * square_order;
    if (factors) {
      if (LEADERS == 1 && !last) stored.template fetch<true>(a[1], P + 1, P + 1);
      const int failed = potrf_tile<WHOLE>(a[0], factored(P), 0, rest, lane);
      if (lane == 0) *memory.verdict = failed;
      has_no_more_tiles();
    } else if (factors_next) {
      if (TURNS && P > 0) a[0] = stored.turned(a[0]);
      if (!last) update_next_diagonal(P);
      has_no_more_tiles();
    } else {
#pragma unroll 1
      for (int I = P + follower; I < tiles; I += followers) stored.prefetch(I, P + 1);
      if (TURNS) below(P, [&](square<T>& a, int) { a = stored.turned(a); });
#pragma unroll 1
      for (int K = 0; K < P; ++K) {
        if (all_held(K)) {
          const facing_square<T> facing(slot(P, K));
          below(P, [&](square<T>& a, int I) { subtract_product(a, slot(I, K), facing); });
        } else {
          const facing_square<T> facing(finished(P, K));
          below(P, [&](square<T>& a, int I) { subtract_product(a, finished(I, K), facing); });
        }
      }
    }
    __syncthreads();
    const int failed = *memory.verdict;
    if (failed < square_order && failed < rest) info = P * square_order + failed + 1;
    if (factors) {
      stored.template store<true>(a[0], P, P);
      if (LEADERS > 1 && P + LEADERS < tiles) stored.template fetch<true>(a[0], P + LEADERS, P + LEADERS);
    } else if (!leads) {
      below(P, [&](square<T>& a, int I) {
        trsm_tile(a, factored(P));
        if (is_held(I, P)) {
          put(slot(I, P), a);
        } else if (info == 0) {  // of a tile that failed only a part of what solves with it is there
          stored.template store<false, false>(a, I, P);
        }
      });
    }
    if (last || info != 0) break;
    if (LEADERS == 1 && leads) {
      a[0] = TURNS ? stored.turned(a[1]) : a[1];
      update_next_diagonal(P);
    }
    __syncthreads();
    if (factors_next) {
      update_diagonal(P + 1, P);
    } else if (!leads) {
      // What is needed next is loaded where there is room now.
      below(P, [&](square<T>& a, int I) {
        if (is_held(I, P)) stored.template store<false>(a, I, P);
        if (I > P + 1) stored.template fetch<false>(a, I, P + 1);
      });
    }
  }
  if (threadIdx.x == 0) info_array[number()] = info;
}

template <class T, class Policy, class Source>
__global__ void __launch_bounds__(32 * Policy::WARPS)
    potrf_smem_lookahead(std::int64_t first_block, Source source, uplo uplo, int* info_array, int held) {
  source.template for_each_of_block<32 * Policy::WARPS>(
      first_block, info_array, [&](auto number, const auto& A) {
        factor_with_lookahead<T, Policy>(uplo, number, A, info_array, held);
      });
}

template <class Line, uplo UPLO, class Source, class Then>
int smem_lookahead::launch(Source source, int* info, queue q, Then) {
  using T = typename Source::element;
  constexpr int THREADS = Line::kernel.threads, TILES = Line::kernel.tiles;
  constexpr std::int64_t carve_out = Source::equal ? -1 : 0;
  using memory = smem_memory<T, 2, TILES, false>;
  constexpr int held_everywhere =
      lookahead_held(generic_limits.shared_bytes, element_of_type<T>, THREADS, TILES);
  const int n = source.n_max(), all = memory::all(n);
  // A kernel that reads tiles again is there only if some GPU needs it for some n of the line.
  if constexpr (memory::all(Line::line.bounds[0]) > held_everywhere) {
    if (all > held_everywhere) {
      std::size_t limit = 0;
      if (const int status = shared_memory_limit(limit)) return status;
      const int held = lookahead_held(limit, element_of_type<T>, THREADS, TILES);
      using policy = lookahead_policy_of<T, THREADS, TILES, true>;
      if (all > held)
        return launch_over<potrf_smem_lookahead<T, policy, Source>>(
            source, 1, dim3(THREADS), memory::bytes(n, held, 0), carve_out, q, UPLO, info, held);
    }
  }
  using policy = lookahead_policy_of<T, THREADS, TILES, false>;
  return launch_over<potrf_smem_lookahead<T, policy, Source>>(
      source, 1, dim3(THREADS), memory::bytes(n, all, 0), carve_out, q, UPLO, info, all);
}

}  // namespace talus::cuda::cholesky
