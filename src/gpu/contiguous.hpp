// The layout of contiguous.cuh.
#pragma once

#include <cstdint>

#include "batch.hpp"

namespace talus::cuda {

/// The largest order that is copied so, and elements of shared memory for a matrix of order n on its way, of
/// which `piece` are 16 bytes. An odd number of these, or no whole one: so matrices begin in different banks.
constexpr int contiguous_most = 16;
TALUS_HOST_DEVICE constexpr int contiguous_elements(int n, int piece) {
  return n * n % piece == 0 && n * n / piece % 2 == 0 ? n * n + piece : n * n;
}

}  // namespace talus::cuda
