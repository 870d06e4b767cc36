// The panel of a left-looking blocked Cholesky: what the columns left of it contribute, and the solve with
// its diagonal block, in one kernel that reads and writes the panel once.
#pragma once

#include "batch.hpp"
#include "lane_rows.cuh"
#include "launch.cuh"
#include "mma.cuh"
#include "potrf_table.hpp"
#include "scalar.cuh"

namespace talus::cuda {

/// Elements from memory to shared memory, without registers and without waiting; zeros if there are none.
template <class T>
__device__ void copy_async(T* to, const T* from, bool exists) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(from), "n"(sizeof(T)),
               "r"(exists ? static_cast<int>(sizeof(T)) : 0)
               : "memory");
#else
  *to = exists ? *from : T{};
#endif
}
__device__ inline void close_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// All groups but the newest `open` have arrived.
template <int OPEN>
__device__ void wait_for_groups() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(OPEN) : "memory");
#endif
}

/// What a block of syrk_trsm is: the rows that its warps have, and what it keeps in shared memory, in
/// elements.
template <class T, int NB, bool SOLVE>
struct syrk_trsm_shape {
  static constexpr int SLAB = 16, N = tile_columns;
  static constexpr int BLOCKS = SOLVE ? potrf_blocked_rows(sizeof(T)) / 32 : 1;  // of 8 rows, per warp
  static constexpr int WARPS = SOLVE ? 4 : NB / N;  // a diagonal block is small: a warp per 8 rows of it
  static constexpr int ROWS = WARPS * BLOCKS * N, THREADS = 32 * WARPS;
  static constexpr int AT_ONCE =
      THREADS < 256 ? 256 / THREADS : 1;  // blocks per multiprocessor, for the registers
  static constexpr int STAGES = potrf_blocked_stages(sizeof(T), NB);
  static constexpr int stage = (ROWS + NB) * SLAB;
  static constexpr int scratch = 2 * tile_elements,
                       solved = SOLVE ? BLOCKS * N * (NB - N) : 0;  // of each warp
  static constexpr int diagonal = SOLVE ? NB * NB : 0;
  static constexpr int on_the_way = STAGES * stage, of_warps = WARPS * (scratch + solved),
                       afterwards = of_warps + (SOLVE ? NB : 0);
  static constexpr int before_diagonal = on_the_way > afterwards ? on_the_way : afterwards;
  static constexpr std::size_t bytes = static_cast<std::size_t>(before_diagonal + diagonal) * sizeof(T);
  static_assert(!SOLVE || bytes == potrf_blocked_elements(sizeof(T), NB) * sizeof(T));
};

/// C = A(i:e, k:k+nb) - L(i:e, 0:k) L(k:k+nb, 0:k)^H, and if SOLVE, C <- C L(k:k+nb, k:k+nb)^-H.
///
/// Thread map  a warp per 32 rows (complex double: 16; if not SOLVE: 8): it multiplies 8 x 16 blocks of its
///             rows with the tensor units, then solves with a row per lane
/// Stored      the warp's rows x NB sums of products in registers; slabs of 16 columns of the block's rows
///             and of the NB facing ones in shared memory, STAGES of them on the way, later the columns of C
///             that are solved; the diagonal block
/// Launch      ceil((e - i) / ROWS) * count blocks
/// Needs       k a multiple of 16; SOLVE: k + NB <= n. A failed matrix (info > 0) is skipped
/// Barriers    one per slab; none in the solve, whose warps are on their own
/// Source      Algorithm 3 of Abdelfattah et al. (ICCS 2016), without its potf2
/// Bound by    latency: two warps per scheduler do not fill the tensor units (over a whole factorization of n
///             = 1024 in double they run at 38 % of their rate), and the solve waits for its own chain
template <class T, int NB, bool SOLVE, uplo UPLO>
__global__ void __launch_bounds__(syrk_trsm_shape<T, NB, SOLVE>::THREADS,
                                  syrk_trsm_shape<T, NB, SOLVE>::AT_ONCE)
    syrk_trsm(std::int64_t first_block, batch<T> A, const int* info_array, int k, int i0, int end,
              int strips) {
  using shape = syrk_trsm_shape<T, NB, SOLVE>;
  using R = real_t<T>;
  constexpr int ROWS = shape::ROWS, SLAB = shape::SLAB, STAGES = shape::STAGES, BLOCKS = shape::BLOCKS;
  constexpr int THREADS = shape::THREADS, GROUPS = NB / 16, N = tile_columns;
  constexpr bool lower = UPLO == uplo::lower;
  const std::int64_t block = first_block + blockIdx.x, b = block / strips;
  if (info_array[b] != 0) return;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32, g = lane / 4,
            t = lane % 4;
  const int top = i0 + static_cast<int>(block % strips) * ROWS, mine = top + BLOCKS * N * warp;
  T* const shared = shared_memory<T>();
  T* const L = shared + shape::before_diagonal;  // SOLVE: the diagonal block, as stacks of tiles
  R* const inverse = reinterpret_cast<R*>(shared + shape::of_warps);  // of its diagonal
  const matrix<T> stored = A[b];
  const std::ptrdiff_t lda = stored.lda;
  __builtin_assume(__isGlobal(stored.A));
  const int corner = stack_at<T>(stack_row<T>(g), 2 * t), next = stack_next<T>(g);

  // Columns j ... j+15 of COUNT rows from `first` on, as two stacks of tiles. Lanes take consecutive
  // addresses.
  auto copy_slab = [&](T* to, int j, int first, auto count, int limit) {
    constexpr int COUNT = decltype(count)::value;
    if constexpr (lower) {
      constexpr int AT_ONCE = THREADS / COUNT;
      static_assert(AT_ONCE <= 8 && SLAB % AT_ONCE == 0);
      const int row = thread % COUNT, c0 = thread / COUNT, at = stack_at<T>(stack_row<T>(row), c0);
      const T* from = stored.A + first + row + (j + c0) * lda;
#pragma unroll
      for (int c = 0; c < SLAB; c += AT_ONCE, from = next_line(from, AT_ONCE * lda))
        copy_async(to + c / N * COUNT * N + stack_at<T>(at, c % N), from, first + row < limit);
    } else {
      constexpr int AT_ONCE = THREADS / SLAB;
      const int row = thread / SLAB, c = thread % SLAB;
      const int at = c / N * COUNT * N + stack_at<T>(stack_row<T>(row % N), c % N) + row / N * N * N;
      const T* from = stored.A + (first + row) * lda + j + c;
#pragma unroll
      for (int i = 0; i < COUNT; i += AT_ONCE, from = next_line(from, AT_ONCE * lda)) {
        if (COUNT % AT_ONCE == 0 || row + i < COUNT)
          copy_async(to + at + i * N, from, first + row + i < limit);
      }
    }
  };
  const int slabs = k / SLAB;
  auto copy_stage = [&](int s) {
    if (s < slabs) {
      T* const to = shared + s % STAGES * shape::stage;
      copy_slab(to, s * SLAB, top, std::integral_constant<int, ROWS>{}, end);
      copy_slab(to + ROWS * SLAB, s * SLAB, k, std::integral_constant<int, NB>{}, A.n);
    }
    close_group();
  };

  if constexpr (SOLVE) {
#pragma unroll 1
    for (int j = 0; j < NB; j += SLAB)
      copy_slab(L + j * NB, k + j, k, std::integral_constant<int, NB>{}, A.n);
  }
  tile<T> sum[GROUPS][BLOCKS];
#pragma unroll 1
  for (int s = 0; s < STAGES - 1; ++s) copy_stage(s);
#pragma unroll 1
  for (int s = 0; s < slabs; ++s) {
    wait_for_groups<STAGES - 2>();
    __syncthreads();
    copy_stage(s + STAGES - 1);
    const T* const from = shared + s % STAGES * shape::stage;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const T* const rows = kept(from + (half * ROWS + BLOCKS * N * warp) * N + corner);
      const T* const facing = kept(from + (2 * ROWS + half * NB) * N + corner);
      right_factor<T> right[BLOCKS];
#pragma unroll
      for (int e = 0; e < BLOCKS; ++e) right[e] = stack_right(rows + e * N * N, next);
#pragma unroll
      for (int group = 0; group < GROUPS; ++group) {
        const left_factor<T> left = stack_left(facing + group * 16 * N, next);
#pragma unroll
        for (int e = 0; e < BLOCKS; ++e) multiply_add(sum[group][e], left, right[e]);
      }
    }
  }
  wait_for_groups<0>();
  __syncthreads();
  if constexpr (SOLVE) {
    if (thread < NB)
      inverse[thread] = 1 / real(L[thread / N * NB * N + stack_at<T>(stack_row<T>(thread), thread % N)]);
    __syncthreads();
  }
  if (mine >= end) return;

  T* const scratch = shared + warp * (shape::scratch + shape::solved);
  T* const X = scratch + shape::scratch;  // SOLVE: 32 x (NB - 8) that are solved, as stacks of tiles
  const lane_rows<T, UPLO> rows(stored, min(end, mine + BLOCKS * N), scratch, lane);
  const int my_row = stack_row<T>(lane);
  T fetched[2][N];
  auto fetch = [&](int group) {
#pragma unroll
    for (int h = 0; h < 2; ++h) rows.fetch(fetched[h], mine, k + 16 * group + h * N);
  };
  fetch(0);
#pragma unroll
  for (int group = 0; group < GROUPS; ++group) {
    T x[2][N];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int c = 0; c < N; ++c) x[h][c] = fetched[h][c];
    }
    if (group + 1 < GROUPS) fetch(group + 1);
    if constexpr (SOLVE) {
#pragma unroll
      for (int J = 0; J < 2 * group; ++J) {  // the columns that are solved
        const left_factor<T> left = stack_left(L + (J * NB + 16 * group) * N + corner, next);
#pragma unroll
        for (int e = 0; e < BLOCKS; ++e)
          multiply_add(sum[group][e], left, stack_right(X + (J * BLOCKS + e) * N * N + corner, next));
      }
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int J = 2 * group + h;
      if constexpr (SOLVE) {
        if (h == 1) {
          const left_factor<T> left = stack_left(L + ((J - 1) * NB + J * N) * N + corner, next, 0);
#pragma unroll
          for (int e = 0; e < BLOCKS; ++e)
            multiply_add(sum[group][e], left, stack_right(X + ((J - 1) * BLOCKS + e) * N * N + corner, next));
        }
      }
      rows.arrange(x[h]);
      rows.subtract(x[h], sum[group], h);
      if constexpr (SOLVE) {
        const T* const diagonal = L + (J * NB + J * N) * N;
#pragma unroll
        for (int c = 0; c < N; ++c) {
          x[h][c] = x[h][c] * inverse[J * N + c];
#pragma unroll
          for (int i = c + 1; i < N; ++i)
            multiply_add(x[h][i], -x[h][c], conj(diagonal[stack_at<T>(stack_row<T>(i), c)]));
        }
        if ((J + 1) * N < NB) {
          if (lane < BLOCKS * N) store_row(X + J * BLOCKS * N * N, my_row, x[h]);
          __syncwarp();
        }
      }
      rows.store(x[h], mine, k + J * N);
    }
  }
}

template <class T, int NB, bool SOLVE>
int launch_syrk_trsm(uplo uplo, batch<T> A, const int* info, int k, int i0, int end, queue q) {
  using shape = syrk_trsm_shape<T, NB, SOLVE>;
  const int strips = ceil_div(end - i0, shape::ROWS);
  return uplo == uplo::lower
             ? launch<syrk_trsm<T, NB, SOLVE, uplo::lower>>(strips * A.count, dim3(shape::THREADS),
                                                            shape::bytes, q, A, info, k, i0, end, strips)
             : launch<syrk_trsm<T, NB, SOLVE, uplo::upper>>(strips * A.count, dim3(shape::THREADS),
                                                            shape::bytes, q, A, info, k, i0, end, strips);
}

}  // namespace talus::cuda
