// BLAS's operations on small matrices on the CPU: solves with one per SIMD lane, products of one matrix at a
// time.
#pragma once

#include <cstddef>

#include "batched/blas/backends.hpp"
#include "host/lanes/group.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// The kernels of one precision and one instruction set (lanes.cpp).
template <class T>
struct blas_kernels {
  const char* isa;  // baseline, avx2 or avx512
  int width;

  /// Up to triangles of this order whole groups of trsm are faster in lanes than one after the other.
  int trsm_n_max;
  /// Solves for `sides` columns of B, or from the right rows, with triangles of order n: on a group of
  /// `width` matrices, matrix l of which has pointer l. Scratch of trsm_bytes, aligned to 64 bytes.
  std::size_t (*trsm_bytes)(int n);
  void (*trsm)(const triangular_system<T>&, int n, int sides, const T* const* A, int lda, T* const* B,
               int ldb, void* work);

  /// y = op(A) x for one m x n matrix by one thread.
  void (*multiply)(op, int m, int n, const T* A, int lda, const T* x, T* y);
};

}  // namespace talus::host
