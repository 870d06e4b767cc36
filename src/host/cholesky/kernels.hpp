// Cholesky of small matrices on the CPU, one per SIMD lane, and the part of larger ones that is Talus's own.
#pragma once

#include <cstddef>

#include "host/lanes/group.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// The kernels of one precision and one instruction set (lanes.cpp). The first four each work on a group of
/// `width` matrices, matrix l of which has pointer l and gets info[l].
template <class T>
struct cholesky_kernels {
  const char* isa;  // baseline, avx2 or avx512
  int width;

  /// Up to this n a batch is done faster in lanes than by OpenBLAS, one matrix after the other: factored, and
  /// anything else.
  int potrf_n_max, n_max;

  /// Bytes of scratch, aligned to 64, that each of the following needs.
  std::size_t (*work_bytes)(int n);
  void (*potrf)(uplo, int n, T* const* A, int lda, int* info, void* work);
  void (*potrs)(uplo, int n, int nrhs, const T* const* A, int lda, T* const* B, int ldb, int* info,
                void* work);
  void (*posv)(uplo, int n, int nrhs, T* const* A, int lda, T* const* B, int ldb, int* info, void* work);
  void (*potri)(uplo, int n, T* const* A, int lda, int* info, void* work);

  /// Cholesky of one matrix of order n <= potf2_n_max by one thread; returns its info. Scratch of n * (n +
  /// lanes_max) elements, aligned to 64 bytes.
  int potf2_n_max;
  int (*potf2)(uplo, int n, T* A, int lda, void* work);
};

}  // namespace talus::host
