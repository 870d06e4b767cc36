// Loads and stores of matrices in the layout of smem_layout.hpp.
#pragma once

#include "batched/lu/pieces/smem_layout.hpp"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// COUNT elements from 16 bytes on.
template <int COUNT, class T>
__device__ __forceinline__ void load_pieces(T (&x)[COUNT], const T* from) {
#pragma unroll
  for (int i = 0; i < COUNT; i += piece<T>) {
    const auto next = *reinterpret_cast<const pack<T, piece<T>>*>(from + i);
#pragma unroll
    for (int e = 0; e < piece<T>; ++e) x[i + e] = next.x[e];
  }
}
template <int COUNT, class T>
__device__ __forceinline__ void store_pieces(T* to, const T (&x)[COUNT]) {
#pragma unroll
  for (int i = 0; i < COUNT; i += piece<T>) {
    pack<T, piece<T>> next;
#pragma unroll
    for (int e = 0; e < piece<T>; ++e) next.x[e] = x[i + e];
    *reinterpret_cast<pack<T, piece<T>>*>(to + i) = next;
  }
}

}  // namespace talus::cuda::lu
