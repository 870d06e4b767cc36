// Right-hand sides that are the same for everybody who solves.
#pragma once

#include <cstdint>
#include <vector>

#include "common/random_numbers.hpp"

namespace sparse {

/// Number r of a system; its numbers are in [-1, 1).
inline std::vector<double> right_hand_side(int n, std::int64_t system, int r) {
  return example::random_vector(n,
                                (static_cast<std::uint64_t>(system) << 32) + static_cast<std::uint32_t>(r));
}

/// All of a system, one after the other.
inline std::vector<double> right_hand_sides(int n, std::int64_t system, int nrhs) {
  std::vector<double> all;
  for (int r = 0; r < nrhs; ++r) {
    const std::vector<double> one = right_hand_side(n, system, r);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}  // namespace sparse
