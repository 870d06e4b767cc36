// A matrix in scratch that begins at a 64-byte line, for routines of OpenBLAS that sum in another order
// where a matrix lies at another distance from one. Columns are an odd number of lines apart, since those
// at powers of two compete for few lines of a cache.
#pragma once

#include <cstddef>
#include <limits>

#include "batch.hpp"

namespace talus::host {

template <class T>
std::size_t aligned_leading_dimension(int m) {
  constexpr std::size_t line = 64 / sizeof(T);
  return ((static_cast<std::size_t>(m) + line - 1) / line | 1) * line;
}

/// With a column more: of a row, OpenBLAS's ZDOTC for AVX2 (0.3.21) reads what would be the next element.
template <class T>
std::size_t aligned_bytes(int m, int n) {
  std::size_t all = 0;
  const bool overflow = __builtin_mul_overflow(aligned_leading_dimension<T>(m),
                                               (static_cast<std::size_t>(n) + 1) * sizeof(T), &all);
  return overflow ? std::numeric_limits<std::size_t>::max() : all;  // of which there is none to be had
}

/// In scratch of aligned_bytes, aligned to 64 bytes.
template <class T>
matrix<T> aligned_matrix(int m, int n, void* scratch) {
  return {static_cast<T*>(scratch), m, n, static_cast<int>(aligned_leading_dimension<T>(m))};
}

}  // namespace talus::host
