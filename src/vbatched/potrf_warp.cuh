// Cholesky of matrices of different sizes, each in the registers of a warp or a part of one.
#pragma once

#include "batched/potrf_warp.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {

/// Warps draw as many matrices as they have room for; all of them are eliminated as far as the largest
/// reaches, and neighbours in the order are nearly equal. The rest as for potrf_warp.
template <class T, int LANES, int ROWS, int BLOCKS, uplo UPLO>
__global__ void __launch_bounds__(128, BLOCKS)
    potrf_warp_vbatched(std::int64_t first_block, variable_batch<T> A, int* info_array, share s) {
  constexpr int OF_WARP = 32 / LANES;
  const int first = static_cast<int>(first_block + blockIdx.x) * static_cast<int>(blockDim.y) +
                    static_cast<int>(threadIdx.y) / OF_WARP * OF_WARP;
  for_each_draw<32>(s, first, OF_WARP, [&](int position, int end) {
    const int mine = position + static_cast<int>(threadIdx.y) % OF_WARP;
    const int b = mine < end ? s.number(mine) : 0;
    single<T> matrix({nullptr, 0, 0, 1});
    if (mine < end)
      with_legal(s, A, info_array, b, threadIdx.x == 0, [&](const single<T>& M) { matrix = M; });
    factor_in_warp<T, LANES, ROWS, false, false, UPLO>(b, matrix.n > 0, matrix, info_array, nothing{});
  });
}

template <class T, int LANES, int ROWS, int BLOCKS>
int launch_potrf_warp(int tbc, uplo uplo, variable_batch<T> A, int* info, const share& s, queue q) {
  const auto launch_it = [&](auto kernel_of) {
    constexpr talus::uplo UPLO = decltype(kernel_of)::value;
    const int elements = tbc * potrf_warp_elements(sizeof(T), LANES, ROWS, UPLO);
    return launch_share<potrf_warp_vbatched<T, LANES, ROWS, BLOCKS, UPLO>>(
        s, tbc, A.count, dim3(LANES, static_cast<unsigned>(tbc)),
        static_cast<std::size_t>(elements) * sizeof(T), 0, q, A, info);
  };
  return uplo == uplo::lower ? launch_it(std::integral_constant<talus::uplo, uplo::lower>{})
                             : launch_it(std::integral_constant<talus::uplo, uplo::upper>{});
}

}  // namespace talus::cuda
