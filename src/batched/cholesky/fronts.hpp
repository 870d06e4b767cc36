// The fronts of a multifrontal Cholesky factorization, and where their blocks are. Compiles without nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batch.hpp"
#include "gpu/task_queue.hpp"
#include "scratch.hpp"
#include "talus/types.hpp"

namespace talus {

/// A front whose first k rows and columns are eliminated, seen as lower: its k x k block, the n2 rows below,
/// and the triangle that is left. Of upper storage A21 is the k x n2 block A12, and all are read by rows.
template <class T>
struct front {
  T *A11, *A21, *A22;
  int lda11, lda21, lda22;
  int k, n2;
};

/// That of one matrix.
template <class T>
TALUS_HOST_DEVICE front<T> front_of(uplo uplo, const matrix<T>& A, int k) {
  const std::ptrdiff_t lda = A.lda;
  return {A.A, A.A + (uplo == uplo::lower ? k : k * lda), A.A + k + k * lda, A.lda, A.lda, A.lda, k, A.n - k};
}
/// That of blocks of their own.
template <class T>
TALUS_HOST_DEVICE front<T> front_of(uplo uplo, const matrix<T>& A11, const matrix<T>& A21,
                                    const matrix<T>& A22) {
  return {A11.A, A21.A, A22.A, A11.lda, A21.lda, A22.lda, A11.n, uplo == uplo::lower ? A21.m : A21.n};
}

/// Fronts of one size: a source of kernels' matrices.
template <class T>
struct front_batch {
  static constexpr bool equal = true;
  using element = T;
  batch<T> A11, A21, A22;

  std::int64_t count() const { return A11.count; }
};
/// Those of whole matrices.
template <class T>
front_batch<T> fronts_of(uplo uplo, const batch<T>& A, int k) {
  const int n2 = A.n - k;
  return {A.block(0, 0, k, k), uplo == uplo::lower ? A.block(k, 0, n2, k) : A.block(0, k, k, n2),
          A.block(k, k, n2, n2)};
}

/// Fronts of mixed sizes: whole matrices and their k, or blocks of their own. Plain data, as batch.
template <class T>
struct variable_fronts {
  talus::uplo uplo;
  bool split;
  variable_batch<T> A;  // split: A11
  const int* k;         // of whole matrices
  variable_batch<T> A21, A22;
  std::int64_t count;

  TALUS_HOST_DEVICE front<T> operator[](std::int64_t b) const {
    return split ? front_of(uplo, A[b], A21[b], A22[b]) : front_of(uplo, A[b], k[b]);
  }
};
template <class T>
variable_fronts<T> fronts_of(uplo uplo, const variable_batch<T>& A, const int* k) {
  return {uplo, false, A, k, {}, {}, A.count};
}
template <class T>
variable_fronts<T> fronts_of(uplo uplo, const variable_batch<T>& A11, const variable_batch<T>& A21,
                             const variable_batch<T>& A22) {
  return {uplo, true, A11, nullptr, A21, A22, A11.count};
}

/// Columns that a block of `tiled` works on; of the widest elements half as many, or registers do not
/// suffice.
constexpr int front_unit(std::size_t element_size) { return element_size == 16 ? 32 : 64; }

/// Scratch of a call on fronts of one order, or of orders up to it: a queue of tasks for each that is worked
/// on at the same time.
template <class T>
constexpr std::size_t fronts_bytes(std::int64_t order, std::int64_t count) {
  return count <= 0 || order <= 0 ? 0 : cuda::task_queue_bytes(count, order / front_unit(sizeof(T)) + 2);
}

/// Where it begins in scratch of mixed sizes: behind what their order takes, at a multiple of 16 bytes.
constexpr std::size_t offset_of_fronts(std::int64_t count) { return (schedule_bytes(count) + 15) / 16 * 16; }

/// Scratch of a call on mixed sizes. Orders without a bound are taken for what fits on no GPU.
template <class T>
constexpr std::size_t mixed_fronts_bytes(std::int64_t order_max, std::int64_t count) {
  constexpr std::int64_t unknown_order = 262'144;
  return offset_of_fronts(count) + fronts_bytes<T>(order_max < 0 ? unknown_order : order_max, count);
}

/// Whether that much suffices for orders of which only a bound may be known: without one it shows later.
template <class T>
constexpr bool is_enough_for_fronts(std::size_t bytes, std::int64_t order_max, std::int64_t count) {
  return bytes >= (order_max < 0 ? schedule_bytes(count) : mixed_fronts_bytes<T>(order_max, count));
}

}  // namespace talus
