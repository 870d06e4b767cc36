// Small matrices on the CPU: one matrix per SIMD lane. lanes.cpp is compiled once per instruction set;
// lane_kernels picks the widest one this machine has.
#pragma once

#include <complex>
#include <cstddef>
#include <type_traits>

#include "talus/types.hpp"

namespace talus::host {

/// The kernels of one precision and one instruction set. Each works on one group of `width` matrices, given
/// by `width` pointers: where a batch ends inside a group, its last matrix is given again, which computes and
/// stores the same bits again. info[l] belongs to lane l. scratch holds `width` copies of what is named,
/// aligned to 64 bytes.
template <class T>
struct lane_functions {
  int width;
  void (*potrf)(uplo, int n, T* const* A, int lda, int* info, T* scratch);  // n * (n + 1)
  void (*potrs)(uplo, int n, int nrhs, const T* const* A, int lda, T* const* B, int ldb, int* info,
                T* scratch);  // n * (n + 1 + nrhs)
  void (*posv)(uplo, int n, int nrhs, T* const* A, int lda, T* const* B, int ldb, int* info,
               T* scratch);                                                 // n * (n + 1 + nrhs)
  void (*potri)(uplo, int n, T* const* A, int lda, int* info, T* scratch);  // n * (n + 1)
};

constexpr int widest_group = 16;  // floats in 64 bytes

namespace baseline {
template <class T>
const lane_functions<T>& functions();
}
#if defined(__x86_64__)
namespace avx2 {
template <class T>
const lane_functions<T>& functions();
}
namespace avx512 {
template <class T>
const lane_functions<T>& functions();
}
#endif

template <class T>
const lane_functions<T>& lane_kernels() {
#if defined(__x86_64__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx512) return avx512::functions<T>();
  if (has_avx2) return avx2::functions<T>();
#endif
  return baseline::functions<T>();
}

}  // namespace talus::host
