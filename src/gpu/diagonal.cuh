// Whether factors can be solved with: what their diagonals say.
#pragma once

#include <cuda_runtime.h>

namespace talus::cuda {

/// Of the factored matrices of a block: whether this thread's can be solved with, and whether any can.
struct usable_factors {
  bool mine, any;
};

/// Says in *info, unless it is null, for which diagonal element j < n is_bad(j) first, counted from 1, or 0.
/// All threads of the block call; those of one matrix have the same threadIdx.y < 32.
template <class IsBad>
__device__ __forceinline__ usable_factors check_diagonal(bool exists, int n, int* info, IsBad is_bad) {
  __shared__ int first_bad[32];
  const int tx = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  int& first = first_bad[threadIdx.y];
  if (tx == 0) first = n;
  __syncthreads();
  for (int j = tx; exists && j < n; j += threads) {
    if (is_bad(j)) atomicMin(&first, j);
  }
  __syncthreads();
  const bool mine = exists && first == n;
  if (exists && tx == 0 && info != nullptr) *info = mine ? 0 : first + 1;
  return {mine, __syncthreads_or(mine) != 0};
}

}  // namespace talus::cuda
