// The source of tasks for the kernels of `tiled`: fronts or whole matrices, of one size or of mixed sizes.
// There is one source for all of them, so that the kernels are compiled once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batch.hpp"
#include "batched/cholesky/fronts.hpp"
#include "checks/cholesky.hpp"
#include "gpu/equal_sizes.cuh"
#include "gpu/subset.cuh"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda::cholesky {

template <class T>
struct tiled_fronts {
  using element = T;
  talus::uplo uplo;
  either_batch<T> A;  // whole fronts; A11 if k is null
  const int* k;       // eliminated columns of each front, or null
  either_batch<T> A21, A22;
  int order_max;
  std::size_t offset_of_scratch;  // of the queues: after the order of a call
  either_positions positions = {};

  /// Returns front b; if b is negative, a front without rows.
  __device__ front<T> front_at(std::int64_t b) const {
    if (b < 0) return {};
    return k == nullptr ? front_of(uplo, A[b], A21[b], A22[b]) : front_of(uplo, A[b], k[b]);
  }
};

template <class T>
tiled_fronts<T> as_tiled(uplo uplo, const front_batch<T>& A) {
  return {uplo, A.A11, nullptr, A.A21, A.A22, A.A11.n + A.A22.n, 0};
}
/// Returns whole matrices as fronts: all their columns are eliminated.
template <class T>
tiled_fronts<T> as_tiled(uplo uplo, const equal_sizes<T>& source) {
  const batch<T> none = source.A.block(0, 0, 0, 0);
  return as_tiled(uplo, front_batch<T>{source.A, none, none});
}
template <class T>
tiled_fronts<T> as_tiled(uplo uplo, const mixed_sizes<front_check<T>>& source) {
  const variable_fronts<T>& A = source.check.A;
  return {uplo,
          A.A,
          A.split ? nullptr : A.k,
          A.A21,
          A.A22,
          source.check.bounds[0],
          offset_of_fronts(A.count),
          {source.s}};
}
template <class T>
tiled_fronts<T> as_tiled(uplo uplo, const mixed_sizes<matrix_check<T>>& source) {
  const variable_batch<T>& A = source.check.A;
  const variable_batch<T> none = {};
  return {uplo, A, A.n, none, none, source.check.bounds[0], offset_of_fronts(A.count), {source.s}};
}

/// Launches the kernel for `tiles` tiles of a warp. Defined in batched/cholesky/tiled.cu.
template <class T>
int launch_tiled(int tiles, const tiled_fronts<T>& fronts, int* info, queue q);

}  // namespace talus::cuda::cholesky
