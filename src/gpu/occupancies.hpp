// The numbers of blocks that a GPU runs at once, for the shapes in which a kernel was launched.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace talus::cuda {

/// Numbers of blocks, or clusters, of one kernel that a device runs at once, for the shapes in which the
/// kernel was launched. CUDA takes microseconds to compute such a number. A number is replaced only when 32
/// shapes are known.
class occupancies {
 public:
  /// A shape of launches; equal shapes have equal keys.
  static std::uint64_t key(int device, std::size_t shared_bytes, std::uint64_t threads, int cluster) {
    constexpr int shared_bits = 18, threads_bits = 11, cluster_bits = 5;
    const std::uint64_t memory = static_cast<std::uint64_t>(device + 1) << shared_bits | shared_bytes;
    return (memory << threads_bits | threads) << cluster_bits | static_cast<std::uint64_t>(cluster);
  }

  /// Returns the number for a shape, or -1 if it is not known.
  std::int64_t find(std::uint64_t key) const {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const std::uint64_t one = known_[slot(key, i)].load(std::memory_order_relaxed);
      if (one == 0) return -1;
      if (one >> number_bits == key) return static_cast<std::int64_t>(one & most);
    }
    return -1;
  }

  void keep(std::uint64_t key, std::int64_t number) {
    if (key >> (64 - number_bits) != 0 || number > std::int64_t{most}) return;  // no room for these bits
    const std::uint64_t one = key << number_bits | static_cast<std::uint64_t>(number);
    for (std::size_t i = 0; i < known_.size(); ++i) {
      std::uint64_t none = 0;
      if (known_[slot(key, i)].compare_exchange_strong(none, one, std::memory_order_relaxed)) return;
    }
    known_[slot(key, 0)].store(one, std::memory_order_relaxed);
  }

 private:
  static constexpr int number_bits = 20;
  static constexpr std::uint64_t most = (std::uint64_t{1} << number_bits) - 1;

  std::size_t slot(std::uint64_t key, std::size_t i) const { return (key % 61 + i) % known_.size(); }

  std::array<std::atomic<std::uint64_t>, 32> known_{};  // key, number; 0: none
};

}  // namespace talus::cuda
