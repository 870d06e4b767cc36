// How much scratch a batch of mixed sizes takes on the GPU: pure arithmetic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace talus {

/// Matrices that one schedule orders; a larger batch is worked on in parts, one after the other.
constexpr std::int64_t schedule_most = std::int64_t{1} << 30;

/// Bytes of what a schedule says beside the order: the bins' counts and the classes' shares.
constexpr std::size_t schedule_head_bytes = 16 * 1024;

constexpr std::size_t schedule_bytes(std::int64_t batch_count) {
  return schedule_head_bytes + static_cast<std::size_t>(std::min(batch_count, schedule_most)) * sizeof(int);
}

}  // namespace talus
