// QR of small matrices on the CPU, one per SIMD lane.
#pragma once

#include <cstddef>

#include "batched/qr/backends.hpp"
#include "host/lanes/group.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// The kernels of one precision and one instruction set (lanes.cpp). Arrays of pointers are those of a group
/// of `width` matrices. adjoint: Q^H, or A^H, takes the place of Q, or A.
template <class T>
struct qr_kernels {
  const char* isa;  // baseline, avx2 or avx512
  int width;

  /// A batch goes in lanes up to this order, and up to this many bytes of a group.
  int n_max;
  std::size_t bytes_max;

  /// Bytes of scratch, aligned to 64, that each of the following needs, A being m x n.
  std::size_t (*work_bytes)(int m, int n);
  void (*geqrf)(int m, int n, T* const* A, int lda, T* const* tau, void* work);
  /// A: as many rows as the side of C that Q is on, k columns.
  void (*ormqr)(talus::side, bool adjoint, int m, int n, int k, const T* const* A, int lda,
                const T* const* tau, T* const* C, int ldc, void* work);
  void (*orgqr)(int m, int n, int k, T* const* A, int lda, const T* const* tau, void* work);
  /// A itself stays as it is.
  void (*gels)(bool adjoint, int m, int n, int nrhs, const T* const* A, int lda, T* const* B, int ldb,
               int* info, void* work);
  void (*qr)(int m, int n, T* const* A, int lda, T* const* R, int ldr, void* work);
};

}  // namespace talus::host
