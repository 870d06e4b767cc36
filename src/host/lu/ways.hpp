// Which batches each of LU's routines does in lanes, the others one matrix after the other.
#pragma once

#include "host/lu/kernels.hpp"

namespace talus::host {

/// Of getrf and gesv.
template <class T>
lanes_range getrf_range(const lu_kernels<T>& kernels) {
  return {kernels.getrf_n_max, 32, kernels.width};
}

/// Of getrs and getrs_nopiv, whatever the number of right-hand sides.
template <class T>
lanes_range getrs_range(const lu_kernels<T>& kernels) {
  return {kernels.getrs_n_max, 32, kernels.width};
}

template <class T>
lanes_range getri_range(const lu_kernels<T>& kernels) {
  return {kernels.getri_n_max, 32, kernels.width};
}

}  // namespace talus::host
