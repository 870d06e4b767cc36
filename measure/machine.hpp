// The machine's own limits, measured, and the least time they leave for a routine (the roofline).
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <string>
#include <type_traits>

#include "talus/types.hpp"

namespace talus::measure {

/// What one machine can do at best, measured on it by machine::measure.
struct machine {
  std::string name;        ///< of the processor or GPU, as it calls itself
  std::string details;     ///< cores; or multiprocessors, compute capability, driver, CUDA
  double bandwidth = 0;    ///< bytes per second a large copy moves, read plus written
  double peak_single = 0;  ///< flops per second of multiply-adds in float, all cores or tensor units
  double peak_double = 0;  ///< the same in double

  /// Copies and multiplies for a fraction of a second. A cuda backend without a device throws
  /// std::runtime_error.
  static machine measure(backend where);

  template <class T>
  double peak() const {
    return std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>> ? peak_single : peak_double;
  }

  /// max(bytes / bandwidth, flops / peak), in seconds.
  template <class T>
  double floor_seconds(double bytes, double flops) const {
    return std::max(bytes / bandwidth, flops / peak<T>());
  }
};

/// Bytes of one triangle of an n-by-n matrix with lda = n in whole 32-byte sectors, column by column: what
/// has to be read, and again what has to be written.
template <class T>
double triangle_bytes(int n) {
  double bytes = 0;
  for (int j = 0; j < n; ++j) bytes += static_cast<double>(((n - j) * sizeof(T) + 31) / 32 * 32);
  return bytes;
}

/// The same, or the whole square, which has fewer sectors while columns share them.
template <class T>
double least_triangle_bytes(int n) {
  return std::min(triangle_bytes<T>(n), static_cast<double>(sizeof(T)) * n * n);
}

}  // namespace talus::measure
