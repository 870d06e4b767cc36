// LU of small matrices on the CPU, one per SIMD lane, and the part of larger ones that is Talus's own.
#pragma once

#include <cstddef>

#include "batched/lu/backends.hpp"
#include "host/lanes/group.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// The kernels of one precision and one instruction set (lanes.cpp). Those that take arrays of pointers
/// work on a group of `width` matrices, matrix l of which has pointer l and gets info[l].
template <class T>
struct lu_kernels {
  using R = real_type<T>;

  const char* isa;  // baseline, avx2 or avx512
  int width;

  /// Up to this order a batch is done faster in lanes than one matrix after the other.
  int getrf_n_max, getrs_n_max, getri_n_max;

  /// Bytes of scratch, aligned to 64, that each of the following needs.
  std::size_t (*work_bytes)(int m, int n);
  void (*getrf)(int m, int n, T* const* A, int lda, int* const* ipiv, int* info, void* work);
  /// replaced: of null pointers, if nobody asks.
  void (*getrf_nopiv)(int m, int n, T* const* A, int lda, const R* const* floors, int* const* replaced,
                      int* info, void* work);
  /// ipiv: of null pointers, if no rows were exchanged.
  void (*getrs)(op, int n, int nrhs, const T* const* A, int lda, const int* const* ipiv, T* const* B, int ldb,
                int* info, void* work);
  void (*gesv)(int n, int nrhs, T* const* A, int lda, int* const* ipiv, T* const* B, int ldb, int* info,
               void* work);
  /// C may be A.
  void (*getri)(int n, const T* const* A, int lda, const int* const* ipiv, T* const* C, int ldc, int* info,
                void* work);

  /// Eliminates all n <= m columns of one matrix by one thread; returns info, and counts on in each.replaced.
  /// Scratch of panel_bytes, aligned to 64 bytes.
  std::size_t (*panel_bytes)(int m, int n);
  int (*panel)(int m, int n, T* A, int lda, const elimination<R>& each, void* work);

  /// B <- A^-1 B with the factors of one matrix, whose U has no zero on its diagonal, by one thread. ipiv may
  /// be null. Scratch of substitution_bytes, aligned to 64 bytes.
  std::size_t (*substitution_bytes)(int n);
  void (*substitute)(int n, int nrhs, const T* A, int lda, const int* ipiv, T* B, int ldb, void* work);
};

}  // namespace talus::host
