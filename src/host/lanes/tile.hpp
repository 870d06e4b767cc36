// Square tiles of a group of matrices, packed: what their kernels have in common.
#pragma once

#include <cstddef>
#include <type_traits>

#include "host/lanes/simd.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// A tile's side: its elements and a side of each of two others stay in registers.
template <class T>
constexpr int side = is_complex<T> ? (registers == 32 ? 3 : 2) : (registers == 32 ? 4 : 3);

constexpr int tiles(int n, int side) { return (n + side - 1) / side; }

/// f(u, v) for all rows u and columns v of a tile.
template <int M, int N, class F>
TALUS_INLINE void for_tile(F f) {
  TALUS_UNROLL
  for (int v = 0; v < N; ++v) {
    TALUS_UNROLL
    for (int u = 0; u < M; ++u) f(u, v);
  }
}

/// Calls f(integral constant) for the number of rows that the last panel has, 1 ... M.
template <int M, class F>
TALUS_INLINE void with_rows(int rows, F f) {
  if constexpr (M > 0) {
    if (rows == M) {
      f(std::integral_constant<int, M>{});
    } else {
      with_rows<M - 1>(rows, f);
    }
  }
}

/// Writes the infos of a group; true if all are 0.
template <class T>
bool write(mask_of<T> from, int* info) {
  int any = 0;
  for (int l = 0; l < width_of<T>; ++l) any |= info[l] = static_cast<int>(from[l]);
  return any == 0;
}

/// Where `good` is given, only matrices whose good[l] is 0 are written.
template <class T, class Where>
TALUS_INLINE void store_column(const int* good, T* const* A, std::ptrdiff_t at, int length, Where where) {
  if (good) {
    store_run_of_good(good, A, at, length, where);
  } else {
    store_run(A, at, length, where);
  }
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
