// One allocation for everything: arrays are taken from it one after the other.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "common/backend.hpp"

namespace example {

/// Without memory it only counts: what takes arrays is run twice, first so, then with as much memory as that
/// took.
class memory_layout {
 public:
  explicit memory_layout(talus::queue q, char* memory = nullptr) : q_(q), memory_(memory) {}

  std::size_t bytes() const { return used_; }
  bool only_counts() const { return memory_ == nullptr; }

  template <class T>
  T* take(std::size_t count) {
    constexpr std::size_t line = 256;
    if (count > (std::numeric_limits<std::size_t>::max() - used_ - line) / sizeof(T))
      throw unavailable("more memory than this machine can address");
    T* const place = memory_ ? reinterpret_cast<T*>(memory_ + used_) : nullptr;
    used_ += (count * sizeof(T) + line - 1) / line * line;
    return place;
  }

  template <class T>
  T* send(const std::vector<T>& values) {
    return send(values, values.size());
  }
  /// While it only counts, `values` need not be there, only their number.
  template <class T>
  T* send(const std::vector<T>& values, std::size_t count) {
    T* const place = take<T>(count);
    if (memory_) copy(place, values.data(), count * sizeof(T), q_);
    return place;
  }

 private:
  talus::queue q_;
  char* memory_;
  std::size_t used_ = 0;
};

}  // namespace example
