// Copies that a call makes: matrices of any layout, whose batch may have several dimensions.
#pragma once

#include <cstdint>
#include <vector>

#include "copy.hpp"

namespace talus::python {

/// Where the matrices of an array lie: its batch's dimensions, and strides in elements.
struct places {
  void* data;
  std::int64_t row, column;  // from one row, or column, to the next
  std::vector<std::int64_t> batch;
};

/// m-by-n matrices from one layout into another.
class copying {
 public:
  /// batch: the extents of its dimensions; where there are several, the longest one is copied at once.
  copying(part which, int m, int n, const std::vector<std::int64_t>& batch, const places& from,
          const places& to);

  /// The status of the first copy that failed, or 0.
  template <class T>
  int run(queue q) const;

 private:
  /// A dimension of the batch, and the strides of both arrays along it.
  struct dimension {
    std::int64_t extent, from, to;
  };

  part which_;
  int m_, n_;
  places from_, to_;
  std::vector<dimension> others_;
  dimension longest_{1, 0, 0};
  std::int64_t times_ = 1;  // how many indices the others have
};

template <class T>
int copying::run(queue q) const {
  for (std::int64_t i = 0; i < times_; ++i) {
    std::int64_t index = i, at_from = 0, at_to = 0;
    for (const dimension& d : others_) {
      at_from += index % d.extent * d.from;
      at_to += index % d.extent * d.to;
      index /= d.extent;
    }
    const matrices<const T> from{static_cast<const T*>(from_.data) + at_from, longest_.from, from_.row,
                                 from_.column};
    const matrices<T> to{static_cast<T*>(to_.data) + at_to, longest_.to, to_.row, to_.column};
    const int status = copy<T>(which_, m_, n_, longest_.extent, from, to, q);
    if (status != 0) return status;
  }
  return 0;
}

}  // namespace talus::python
