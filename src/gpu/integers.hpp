// Arithmetic of integers, for kernels and for the host.
#pragma once

#include <algorithm>

#include "batch.hpp"

namespace talus::cuda {

#ifndef __CUDACC__
using std::max;  // CUDA has its own, in the global namespace
using std::min;
#endif

template <class Integer>
TALUS_HOST_DEVICE constexpr Integer ceil_div(Integer a, Integer b) {
  return (a + b - 1) / b;
}

}  // namespace talus::cuda
