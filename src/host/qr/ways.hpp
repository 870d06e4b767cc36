// Which batches QR's routines do in lanes, the others one matrix after the other.
#pragma once

#include <cstdint>

#include "host/qr/kernels.hpp"

namespace talus::host {

/// Of all routines, whatever the number of right-hand sides or columns of C. A tall matrix is faster alone
/// once its group does not stay in a near cache.
template <class T>
lanes_range qr_range(const qr_kernels<T>& kernels) {
  const std::size_t elements = kernels.bytes_max / sizeof(T);
  return {kernels.n_max, 32, kernels.width, static_cast<std::int64_t>(elements) / kernels.width};
}

}  // namespace talus::host
