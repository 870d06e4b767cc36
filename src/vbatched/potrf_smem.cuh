// Cholesky of matrices of different sizes, each on the chip by one warp or by several.
#pragma once

#include <algorithm>

#include "batched/potrf_smem.cuh"
#include "batched/potrf_smem_ahead.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {

/// Whether matrices are factored by a kernel that knows borders, so that a warp is told which of them have
/// one.
template <class T>
constexpr bool potrf_smem_has_border = std::is_same_v<T, real_t<T>>;

/// A warp is a block, and draws one matrix after the other. The rest as for potrf_smem.
template <class T, int TILES, uplo UPLO>
__global__ void __launch_bounds__(32, potrf_smem_warps(sizeof(T), !std::is_same_v<T, real_t<T>>, 32, TILES))
    potrf_smem_vbatched(std::int64_t first_block, variable_batch<T> A, int* info_array, share s) {
  for_each_draw<32>(s, static_cast<int>(first_block + blockIdx.x), 1, [&](int position, int) {
    const int b = s.number(position);
    with_legal(s, A, info_array, b, threadIdx.x == 0, [&](const single<T>& M) {
      const auto number = [b] { return b; };
      if constexpr (potrf_smem_has_border<T>) {
        if (potrf_smem_border(M.n) > 0)
          return factor_in_smem<T, TILES, UPLO, 8>(number, M, info_array, nothing{});
      }
      factor_in_smem<T, TILES, UPLO, 0>(number, M, info_array, nothing{});
    });
  });
}

/// Bytes of shared memory for every matrix up to order n_max.
template <class T, int TILES>
std::size_t potrf_smem_vbatched_bytes(int n_max) {
  using memory = potrf_smem_memory<T, 32, TILES, false>;
  static constexpr auto bordered = all_potrf_smem_slots<potrf_smem_bordered_tiles>(8);
  std::size_t most = 0;
  for (int n = n_max; n > std::max(0, n_max - 2 * square_order); --n) {
    const bool has_border = potrf_smem_has_border<T> && potrf_smem_border(n) > 0;
    const int elements = has_border ? bordered.elements[ceil_div(n, square_order)] : 0;
    most = std::max(most, memory::bytes(n, has_border ? 0 : memory::all(n), 0) +
                              static_cast<std::size_t>(elements) * sizeof(T));
  }
  return most;
}

/// Alone with that much of a multiprocessor's memory as shared memory; 0: as CUDA likes.
template <class T, int TILES>
int launch_potrf_smem(int n_max, int shared_kb, uplo uplo, variable_batch<T> A, int* info, const share& s,
                      queue q) {
  const std::size_t bytes = potrf_smem_vbatched_bytes<T, TILES>(n_max);
  const dim3 threads(32);
  return uplo == uplo::lower ? launch_share<potrf_smem_vbatched<T, TILES, uplo::lower>>(
                                   s, 1, A.count, threads, bytes, shared_kb, q, A, info)
                             : launch_share<potrf_smem_vbatched<T, TILES, uplo::upper>>(
                                   s, 1, A.count, threads, bytes, shared_kb, q, A, info);
}

/// A block draws one matrix after the other. The rest as for potrf_smem_ahead.
template <class T, int THREADS, int TILES, bool LACKS, uplo UPLO>
__global__ void __launch_bounds__(THREADS, (potrf_smem_ahead_blocks<T, THREADS, TILES, LACKS>))
    potrf_smem_ahead_vbatched(std::int64_t first_block, variable_batch<T> A, int* info_array, int held,
                              share s) {
  for_each_draw<THREADS>(s, static_cast<int>(first_block + blockIdx.x), 1, [&](int position, int) {
    const int b = s.number(position);
    with_legal(s, A, info_array, b, threadIdx.x == 0, [&](const single<T>& M) {
      factor_in_smem_ahead<T, THREADS, TILES, LACKS, UPLO>([b] { return b; }, M, info_array, held);
    });
  });
}

/// For matrices up to order n_max, which is no more than MOST, the bound of the line.
template <class T, int THREADS, int TILES, int MOST>
int launch_potrf_smem_ahead(int n_max, uplo uplo, variable_batch<T> A, int* info, const share& s, queue q) {
  using memory = potrf_smem_memory<T, THREADS, TILES, false>;
  const int all = memory::all(n_max);
  constexpr auto most_held = [](std::size_t limit) {
    return potrf_smem_held(limit, sizeof(T), !std::is_same_v<T, real_t<T>>, THREADS, TILES);
  };
  const auto launch_it = [&](auto lacks, int held) {
    const std::size_t bytes = memory::bytes(n_max, held, 0);
    const dim3 threads(THREADS);
    return uplo == uplo::lower
               ? launch_share<potrf_smem_ahead_vbatched<T, THREADS, TILES, lacks, uplo::lower>>(
                     s, 1, A.count, threads, bytes, 0, q, A, info, held)
               : launch_share<potrf_smem_ahead_vbatched<T, THREADS, TILES, lacks, uplo::upper>>(
                     s, 1, A.count, threads, bytes, 0, q, A, info, held);
  };
  if constexpr (memory::all(MOST) > most_held(generic_limits.shared_bytes)) {
    std::size_t limit = 0;
    if (const int status = shared_memory_limit(limit)) return status;
    if (all > most_held(limit)) return launch_it(std::true_type{}, most_held(limit));
  }
  return launch_it(std::false_type{}, all);
}

}  // namespace talus::cuda
