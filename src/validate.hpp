// Argument checks: pure, the same on every backend, done before anything is touched.
#pragma once

#include <algorithm>
#include <cstdint>

#include "batch.hpp"
#include "talus/types.hpp"

namespace talus {

/// Collects the status of a call: 0 while all arguments were legal, else -i for the first that was not.
///   return arguments{}.check(1, is_legal(uplo)).check(2, n >= 0).status;
struct arguments {
  int status = 0;

  constexpr arguments& check(int i, bool legal) {
    if (status == 0 && !legal) status = -i;
    return *this;
  }
};

constexpr bool is_legal(uplo triangle) { return triangle == uplo::lower || triangle == uplo::upper; }
constexpr bool is_legal(const queue& q) {
  return (q.where == backend::host || q.where == backend::cuda) && q.options == 0 &&
         q.reserved[0] == nullptr && q.reserved[1] == nullptr;
}
constexpr bool is_legal_ld(int ld, int rows) { return ld >= std::max(1, rows); }

/// Null is fine where there is nothing to point at: one of the extents is 0 (or illegal, which its own
/// check reports).
constexpr bool is_legal_data(const void* pointer, std::int64_t batch_count, int rows = 1, int columns = 1) {
  return pointer != nullptr || batch_count <= 0 || rows <= 0 || columns <= 0;
}

/// The same for a slab, which on the GPU begins at a multiple of sizeof(T): kernels load whole elements, where
/// C++ asks a complex number for half of that. Strides and leading dimensions, in elements, keep it so. What a
/// pointer array points at is not known here.
template <class T>
bool is_legal_slab(const T* A, backend where, std::int64_t batch_count, int rows, int columns) {
  if (batch_count <= 0 || rows <= 0 || columns <= 0) return true;
  return A != nullptr && (where != backend::cuda || reinterpret_cast<std::uintptr_t>(A) % sizeof(T) == 0);
}

/// Do two matrices of a slab share an element? They are rows x columns with leading dimension ld, and start
/// stride >= 0 elements apart. (No, where ld < rows: its own check reports that.)
///
/// Matrices b and b + k have one in common if k * stride = j * ld + i for two columns j apart and two rows i
/// apart: 0 <= j < columns, -rows < i < rows. For each j it is enough to look at the first multiple of the
/// stride beyond j * ld - rows.
constexpr bool matrices_overlap(int rows, int columns, int ld, std::int64_t stride,
                                std::int64_t batch_count) {
  if (rows <= 0 || columns <= 0 || ld < rows || batch_count <= 1) return false;
  if (stride < rows) return true;
  for (std::int64_t j = (stride - rows + 1) / ld; j < columns; ++j) {  // up to there, one stride is too far
    const std::int64_t k = std::max<std::int64_t>(1, (j * ld - rows) / stride + 1);
    if (k >= batch_count) return false;
    if (k * stride < j * ld + rows) return true;
  }
  return false;
}

/// Matrices that are written must not overlap.
constexpr bool is_legal_stride(std::int64_t stride, int rows, int columns, int ld, std::int64_t batch_count) {
  return batch_count <= 1 || columns == 0 ||
         (stride >= 0 && !matrices_overlap(rows, columns, ld, stride, batch_count));
}

// The argument lists that routines share, in LAPACK's order; each gives the status of the call so far.

/// uplo, n, A_array, lda, info_array, batch_count, q
inline int check_matrix_batched(uplo uplo, int n, const void* A_array, int lda, const int* info_array,
                                std::int64_t batch_count, queue q) {
  return arguments{}
      .check(1, is_legal(uplo))
      .check(2, n >= 0)
      .check(3, is_legal_data(A_array, batch_count, n))
      .check(4, is_legal_ld(lda, n))
      .check(5, is_legal_data(info_array, batch_count))
      .check(6, batch_count >= 0)
      .check(7, is_legal(q))
      .status;
}

/// uplo, n, A, lda, stride_A, info_array, batch_count, q
template <class T>
int check_matrix_strided_batched(uplo uplo, int n, const T* A, int lda, std::int64_t stride_A,
                                 const int* info_array, std::int64_t batch_count, queue q) {
  return arguments{}
      .check(1, is_legal(uplo))
      .check(2, n >= 0)
      .check(3, is_legal_slab(A, q.where, batch_count, n, n))
      .check(4, is_legal_ld(lda, n))
      .check(5, is_legal_stride(stride_A, n, n, lda, batch_count))
      .check(6, is_legal_data(info_array, batch_count))
      .check(7, batch_count >= 0)
      .check(8, is_legal(q))
      .status;
}

/// uplo, n, nrhs, A_array, lda, B_array, ldb, info_array, batch_count, q
inline int check_system_batched(uplo uplo, int n, int nrhs, const void* A_array, int lda, const void* B_array,
                                int ldb, const int* info_array, std::int64_t batch_count, queue q) {
  return arguments{}
      .check(1, is_legal(uplo))
      .check(2, n >= 0)
      .check(3, nrhs >= 0)
      .check(4, is_legal_data(A_array, batch_count, n))
      .check(5, is_legal_ld(lda, n))
      .check(6, is_legal_data(B_array, batch_count, n, nrhs))
      .check(7, is_legal_ld(ldb, n))
      .check(8, is_legal_data(info_array, batch_count))
      .check(9, batch_count >= 0)
      .check(10, is_legal(q))
      .status;
}

/// uplo, n, nrhs, A, lda, stride_A, B, ldb, stride_B, info_array, batch_count, q; one A may serve all B if it
/// is only read
template <class T>
int check_system_strided_batched(uplo uplo, int n, int nrhs, const T* A, int lda, std::int64_t stride_A,
                                 bool A_is_written, const T* B, int ldb, std::int64_t stride_B,
                                 const int* info_array, std::int64_t batch_count, queue q) {
  return arguments{}
      .check(1, is_legal(uplo))
      .check(2, n >= 0)
      .check(3, nrhs >= 0)
      .check(4, is_legal_slab(A, q.where, batch_count, n, n))
      .check(5, is_legal_ld(lda, n))
      .check(6, A_is_written ? is_legal_stride(stride_A, n, n, lda, batch_count) : stride_A >= 0)
      .check(7, is_legal_slab(B, q.where, batch_count, n, nrhs))
      .check(8, is_legal_ld(ldb, n))
      .check(9, is_legal_stride(stride_B, n, nrhs, ldb, batch_count))
      .check(10, is_legal_data(info_array, batch_count))
      .check(11, batch_count >= 0)
      .check(12, is_legal(q))
      .status;
}

// ---- batches of variable size --------------------------------------------------------------------

/// For a bound that the caller does not know: the call finds it.
constexpr int unknown_bound = -1;

/// uplo, n, A_array, lda, info_array, batch_count, n_max, q
inline int check_matrix_vbatched(uplo uplo, const int* n, const void* A_array, const int* lda,
                                 const int* info_array, std::int64_t batch_count, int n_max, queue q) {
  return arguments{}
      .check(1, is_legal(uplo))
      .check(2, is_legal_data(n, batch_count))
      .check(3, is_legal_data(A_array, batch_count, n_max == 0 ? 0 : 1))
      .check(4, is_legal_data(lda, batch_count))
      .check(5, is_legal_data(info_array, batch_count))
      .check(6, batch_count >= 0)
      .check(7, n_max >= unknown_bound)
      .check(8, is_legal(q))
      .status;
}

/// uplo, n, nrhs, A_array, lda, B_array, ldb, info_array, batch_count, n_max, nrhs_max, q
inline int check_system_vbatched(uplo uplo, const int* n, const int* nrhs, const void* A_array,
                                 const int* lda, const void* B_array, const int* ldb, const int* info_array,
                                 std::int64_t batch_count, int n_max, int nrhs_max, queue q) {
  return arguments{}
      .check(1, is_legal(uplo))
      .check(2, is_legal_data(n, batch_count))
      .check(3, is_legal_data(nrhs, batch_count))
      .check(4, is_legal_data(A_array, batch_count, n_max == 0 ? 0 : 1))
      .check(5, is_legal_data(lda, batch_count))
      .check(6, is_legal_data(B_array, batch_count, n_max == 0 ? 0 : 1, nrhs_max == 0 ? 0 : 1))
      .check(7, is_legal_data(ldb, batch_count))
      .check(8, is_legal_data(info_array, batch_count))
      .check(9, batch_count >= 0)
      .check(10, n_max >= unknown_bound)
      .check(11, nrhs_max >= unknown_bound)
      .check(12, is_legal(q))
      .status;
}

/// What info says of a matrix if its own sizes or its pointer are illegal, or n above the promised bound: -i
/// of the first such argument, else 0. Nothing of the matrix is touched then.
template <class T>
TALUS_HOST_DEVICE int check_matrix(const matrix<T>& A, int n_max) {
  if (A.n < 0) return -2;
  if (A.n > 0 && A.A == nullptr) return -3;
  if (A.lda < (A.n > 1 ? A.n : 1)) return -4;
  return n_max != unknown_bound && A.n > n_max ? -7 : 0;
}

/// The same for a system A X = B.
template <class T>
TALUS_HOST_DEVICE int check_system(const matrix<const T>& A, const matrix<T>& B, int n_max, int nrhs_max) {
  if (A.n < 0) return -2;
  if (B.n < 0) return -3;
  if (A.n > 0 && A.A == nullptr) return -4;
  if (A.lda < (A.n > 1 ? A.n : 1)) return -5;
  if (A.n > 0 && B.n > 0 && B.A == nullptr) return -6;
  if (B.lda < (A.n > 1 ? A.n : 1)) return -7;
  if (n_max != unknown_bound && A.n > n_max) return -10;
  return nrhs_max != unknown_bound && B.n > nrhs_max ? -11 : 0;
}

}  // namespace talus
