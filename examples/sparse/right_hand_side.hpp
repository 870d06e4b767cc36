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

/// The right-hand sides of systems first, first + 1, ..., one after the other.
inline std::vector<double> right_hand_sides(int n, std::int64_t first, int systems, int nrhs) {
  std::vector<double> all;
  for (int s = 0; s < systems; ++s) {
    for (int r = 0; r < nrhs; ++r) {
      const std::vector<double> one = right_hand_side(n, first + s, r);
      all.insert(all.end(), one.begin(), one.end());
    }
  }
  return all;
}

}  // namespace sparse
