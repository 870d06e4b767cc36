// One matrix with its rows in the lanes.
#pragma once

#include "host/lanes/tile.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// The columns of one matrix, its rows in the lanes.
template <class T>
struct columns {
  lanes<T>* data;
  int vectors;  // from one column to the next

  static constexpr int W = width_of<T>, parts = lanes<T>::parts;

  TALUS_INLINE lanes<T>* column(int k) const { return data + static_cast<std::ptrdiff_t>(k) * vectors; }
  TALUS_INLINE real_of<T>* at(int i, int k) const {
    return reinterpret_cast<real_of<T>*>(column(k)) + (i / W * (W * parts) + i % W);
  }
  TALUS_INLINE lanes<T> broadcast(int i, int k) const {
    lanes<T> x;
    x.re = *at(i, k) - real_lanes<T>{};
    if constexpr (is_complex<T>) x.im = at(i, k)[W] - real_lanes<T>{};
    return x;
  }
};

}  // namespace
}  // namespace talus::host::TALUS_ISA
