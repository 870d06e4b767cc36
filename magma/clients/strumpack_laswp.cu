#include "strumpack_laswp.hpp"

#include <magma_v2.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace client {
namespace {

constexpr int threads = 128;

/// A thread for each column. Pivots come to shared memory, as many as there are threads at a time.
template <class M>
__global__ void exchange(const int* rows_array, const int* columns_array, M* const* A_array, const int* lda,
                         const int* const* pivots_array) {
  __shared__ int pivots[threads];
  const int b = blockIdx.x, rows = rows_array[b], columns = columns_array[b];
  const int j = blockIdx.y * threads + threadIdx.x;
  M* const column = A_array[b] + static_cast<std::ptrdiff_t>(j) * lda[b];
  for (int first = 0; first < rows; first += threads) {
    const int count = min(threads, rows - first);
    __syncthreads();
    if (threadIdx.x < count) pivots[threadIdx.x] = pivots_array[b][first + threadIdx.x] - 1;
    __syncthreads();
    for (int i = 0; j < columns && i < count; ++i) {
      const int row = first + i, other = pivots[i];
      if (row == other) continue;
      const M kept = column[row];
      column[row] = column[other];
      column[other] = kept;
    }
  }
}

}  // namespace

template <class M>
void exchange_rows(int count, int max_columns, const int* rows, const int* columns, M* const* A_array,
                   const int* lda, const int* const* pivots_array, cudaStream_t stream) {
  if (count == 0 || max_columns == 0) return;
  const dim3 grid(static_cast<unsigned>(count), static_cast<unsigned>((max_columns + threads - 1) / threads));
  exchange<<<grid, threads, 0, stream>>>(rows, columns, A_array, lda, pivots_array);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("exchange_rows: ") + cudaGetErrorString(error));
}

#define INSTANTIATE(M)                                                                                       \
  template void exchange_rows<M>(int, int, const int*, const int*, M* const*, const int*, const int* const*, \
                                 cudaStream_t);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(magmaFloatComplex)
INSTANTIATE(magmaDoubleComplex)

}  // namespace client
