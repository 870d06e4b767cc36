// Small matrices on the CPU: one matrix per SIMD lane. lanes.cpp is compiled once per instruction set, and
// lane_kernels picks the widest that this machine has.
#pragma once

#include <cstddef>

#include "talus/types.hpp"

namespace talus::host {

/// The kernels of one precision and one instruction set. Each works on a group of `width` matrices, matrix l
/// of which has pointer l and gets info[l]. Where a batch leaves a group incomplete, any of its matrices is
/// given again: that computes and stores the same bits again, so there is no second path for the rest.
template <class T>
struct lane_functions {
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

constexpr int lanes_max = 64 / sizeof(float);

namespace baseline {
template <class T>
const lane_functions<T>& functions() noexcept;
}
#if defined(__x86_64__)
namespace avx2 {
template <class T>
const lane_functions<T>& functions() noexcept;
}
namespace avx512 {
template <class T>
const lane_functions<T>& functions() noexcept;
}
#endif

/// Those of the widest instruction set of this machine.
template <class T>
const lane_functions<T>& lane_kernels() noexcept {
#if defined(__x86_64__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (has_avx512) return avx512::functions<T>();
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2) return avx2::functions<T>();
#endif
  return baseline::functions<T>();
}

}  // namespace talus::host
