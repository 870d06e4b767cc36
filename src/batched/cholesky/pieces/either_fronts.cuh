// Fronts of one size and of mixed sizes as the source of a kernel that is compiled once for both.
#pragma once

#include <cstdint>
#include <utility>

#include "batch.hpp"
#include "batched/cholesky/fronts.hpp"
#include "checks/cholesky.hpp"
#include "gpu/either_sizes.cuh"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda {
namespace cholesky {

template <class T>
struct either_fronts {
  using element = T;
  either_batch<T> A;  // without k, A11
  const int* k;       // of whole matrices
  either_batch<T> A21, A22;
  subset s = whole_batch;

  /// work(b, front): front b is this block's, which is one warp.
  template <class Work>
  __device__ __forceinline__ void for_each_front(uplo uplo, std::int64_t first_block, Work work) const {
    for_each_in_queue<32>(s, static_cast<int>(blockIdx.x), 1, [&](int position, int) {
      const int number = s.number(position);
      if (number < 0) return;
      const std::int64_t b = first_block + number;
      work(b, k == nullptr ? front_of(uplo, A[b], A21[b], A22[b]) : front_of(uplo, A[b], k[b]));
    });
  }
};

}  // namespace cholesky

template <class T>
auto as_either(const front_batch<T>& A, no_epilogue then) {
  return std::pair(cholesky::either_fronts<T>{A.A11, nullptr, A.A21, A.A22}, then);
}
template <class T>
auto as_either(const mixed_sizes<cholesky::front_check<T>>& source, no_epilogue then) {
  const variable_fronts<T>& A = source.check.A;
  return std::pair(cholesky::either_fronts<T>{A.A, A.split ? nullptr : A.k, A.A21, A.A22, source.s}, then);
}

}  // namespace talus::cuda
