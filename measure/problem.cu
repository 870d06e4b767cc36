#include <algorithm>

#include "measure/check_cuda.cuh"
#include "measure/device_element.cuh"
#include "measure/gpu.hpp"

namespace talus::measure::gpu {
namespace {

constexpr int threads = 256;

/// A grid-stride loop over all elements, in the order of memory.
template <bool IS_A, class E>
__global__ void generate_kernel(E* X, int n, int columns, std::int64_t size) {
  const std::int64_t matrix_size = static_cast<std::int64_t>(n) * columns;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t e = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < size;
       e += step) {
    const std::int64_t b = e / matrix_size;
    const int within = static_cast<int>(e - b * matrix_size);
    const int j = within / n, i = within - j * n;
    store(X + e, IS_A ? element_of_A(b, i, j, n) : element_of_B(b, i, j));
  }
}

__global__ void point_to_kernel(void** array, char* first, std::int64_t stride_bytes, std::int64_t count) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < count;
       k += step)
    array[k] = first + k * stride_bytes;
}

unsigned blocks_for(std::int64_t size) {
  return static_cast<unsigned>(std::clamp<std::int64_t>((size + threads - 1) / threads, 1, 1 << 16));
}

/// A block per matrix, or per several one after the other.
template <class E>
__global__ void generate_variable_kernel(E* A, const std::int64_t* first, const int* n, std::int64_t batch) {
  for (std::int64_t b = blockIdx.x; b < batch; b += gridDim.x) {
    E* const A_b = A + first[b];
    const int n_b = n[b];
    const std::int64_t size = static_cast<std::int64_t>(n_b) * n_b;
    for (std::int64_t e = threadIdx.x; e < size; e += threads) {
      const int j = static_cast<int>(e / n_b), i = static_cast<int>(e - static_cast<std::int64_t>(j) * n_b);
      store(A_b + e, element_of_A(b, i, j, n_b));
    }
  }
}

/// Where a group of `lanes` threads works: on one column of one slot.
struct column_of_slot {
  std::int64_t b;
  int j, lane;
  __device__ column_of_slot(int n_max, int lanes) {
    const std::int64_t column =
        static_cast<std::int64_t>(blockIdx.x) * (threads / lanes) + static_cast<int>(threadIdx.x) / lanes;
    b = column / n_max;
    j = static_cast<int>(column - b * n_max);
    lane = static_cast<int>(threadIdx.x) % lanes;
  }
};

template <class E>
__global__ void __launch_bounds__(threads)
    pad_kernel(E* __restrict__ padded, int n_max, bool lower, const E* const* __restrict__ A_array,
               const int* __restrict__ n, std::int64_t batch, int lanes) {
  const column_of_slot at(n_max, lanes);
  if (at.b >= batch) return;
  const int n_b = n[at.b], begin = lower ? at.j : 0, end = lower ? n_max : at.j + 1;
  const int inside = at.j < n_b ? n_b : 0;
  const E* __restrict__ const from = A_array[at.b] + static_cast<std::int64_t>(at.j) * n_b;
  E* const to = padded + (at.b * n_max + at.j) * n_max;
#pragma unroll 4
  for (int i = begin / lanes * lanes + at.lane; i < end; i += lanes) {
    if (i < begin) continue;
    if (i < inside) {
      to[i] = from[i];
    } else {
      store(to + i, {i == at.j ? 1.0 : 0.0, 0.0});
    }
  }
}

template <class E>
__global__ void __launch_bounds__(threads)
    unpad_kernel(E* const* __restrict__ A_array, const int* __restrict__ n, bool lower,
                 const E* __restrict__ padded, int n_max, std::int64_t batch, int lanes) {
  const column_of_slot at(n_max, lanes);
  if (at.b >= batch) return;
  const int n_b = n[at.b];
  if (at.j >= n_b) return;
  const int begin = lower ? at.j : 0, end = lower ? n_b : at.j + 1;
  E* __restrict__ const to = A_array[at.b] + static_cast<std::int64_t>(at.j) * n_b;
  const E* const from = padded + (at.b * n_max + at.j) * n_max;
#pragma unroll 4
  for (int i = begin / lanes * lanes + at.lane; i < end; i += lanes) {
    if (i >= begin) to[i] = from[i];
  }
}

/// As many threads as a column has rows, up to a warp.
int lanes_for(int n_max) {
  int lanes = 4;
  while (lanes < 32 && lanes < n_max) lanes *= 2;
  return lanes;
}

unsigned blocks_for_columns(int n_max, std::int64_t batch, int lanes) {
  const std::int64_t columns_per_block = threads / lanes;
  return static_cast<unsigned>((batch * n_max + columns_per_block - 1) / columns_per_block);
}

}  // namespace

template <class T>
void generate_A(T* A, int n, std::int64_t batch) {
  const std::int64_t size = batch * n * n;
  generate_kernel<true><<<blocks_for(size), threads>>>(plain(A), n, n, size);
  check_launch("generate_A");
}

template <class T>
void generate_B(T* B, int n, int nrhs, std::int64_t batch) {
  const std::int64_t size = batch * n * nrhs;
  generate_kernel<false><<<blocks_for(size), threads>>>(plain(B), n, nrhs, size);
  check_launch("generate_B");
}

void point_to(void** array, void* first, std::int64_t stride_bytes, std::int64_t count) {
  point_to_kernel<<<blocks_for(count), threads>>>(array, static_cast<char*>(first), stride_bytes, count);
  check_launch("point_to");
}

template <class T>
void generate_variable_A(T* A, const std::int64_t* first, const int* n, std::int64_t batch) {
  generate_variable_kernel<<<static_cast<unsigned>(std::min<std::int64_t>(batch, 1 << 16)), threads>>>(
      plain(A), first, n, batch);
  check_launch("generate_variable_A");
}

template <class T>
void pad(T* padded, int n_max, bool lower, const T* const* A_array, const int* n, std::int64_t batch) {
  const int lanes = lanes_for(n_max);
  pad_kernel<<<blocks_for_columns(n_max, batch, lanes), threads>>>(
      plain(padded), n_max, lower, reinterpret_cast<const plain_type<T>* const*>(A_array), n, batch, lanes);
  check_launch("pad");
}

template <class T>
void unpad(T* const* A_array, const int* n, bool lower, const T* padded, int n_max, std::int64_t batch) {
  const int lanes = lanes_for(n_max);
  unpad_kernel<<<blocks_for_columns(n_max, batch, lanes), threads>>>(
      reinterpret_cast<plain_type<T>* const*>(A_array), n, lower,
      reinterpret_cast<const plain_type<T>*>(padded), n_max, batch, lanes);
  check_launch("unpad");
}

#define TALUS_INSTANTIATE(T)                                                            \
  template void generate_A(T*, int, std::int64_t);                                      \
  template void generate_B(T*, int, int, std::int64_t);                                 \
  template void generate_variable_A(T*, const std::int64_t*, const int*, std::int64_t); \
  template void pad(T*, int, bool, const T* const*, const int*, std::int64_t);          \
  template void unpad(T* const*, const int*, bool, const T*, int, std::int64_t);
TALUS_INSTANTIATE(float)
TALUS_INSTANTIATE(double)
TALUS_INSTANTIATE(std::complex<float>)
TALUS_INSTANTIATE(std::complex<double>)

}  // namespace talus::measure::gpu
