// The machine's measured limits, and the least time that they leave for a routine (the roofline).
#pragma once

#include <algorithm>
#include <string>

#include "talus/types.hpp"

namespace fem {

struct machine {
  std::string name;      ///< of the processor or GPU
  std::string details;   ///< cores and instruction set; or multiprocessors, driver, CUDA
  double bandwidth = 0;  ///< bytes per second of a large copy, read plus written
  double peak = 0;       ///< flops per second of a large matrix product; infinite if it was not measured

  double floor_seconds(double bytes, double flops) const { return std::max(bytes / bandwidth, flops / peak); }
};

/// Measures the limits of a queue's backend for matrices of T, in about a second.
template <class T>
machine measure_machine(talus::queue q);

/// Bytes of one triangle of an n-by-n matrix in whole 32-byte sectors, column by column.
template <class T>
double triangle_bytes(int n) {
  double bytes = 0;
  for (int j = 0; j < n; ++j) bytes += static_cast<double>(((n - j) * sizeof(T) + 31) / 32 * 32);
  return bytes;
}

}  // namespace fem
