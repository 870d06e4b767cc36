// Which candidates are worth measuring at a point, by what is known of its neighbours.
#pragma once

#include <string>
#include <vector>

#include "results.hpp"
#include "space.hpp"

namespace talus::tune {

/// Candidates at one point that are worth measuring, most promising first: those that lose more than half
/// at the nearest sizes measured before, below and above, are left out.
struct worth_measuring {
  std::vector<kernel> kernels;
  int left_out = 0;
};
worth_measuring prune(const routine& of, const cuda::gpu_limits& limits, const kernel& reference,
                      char precision, int n, const std::string& regime,
                      const std::vector<measurement>& before);

}  // namespace talus::tune
