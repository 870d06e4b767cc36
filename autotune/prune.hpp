// Which candidates are worth measuring at a point, by what is known of its neighbours and of the machine.
#pragma once

#include <string>
#include <vector>

#include "results.hpp"
#include "space.hpp"

namespace talus::tune {

/// Candidates at one point that are worth measuring, most promising first: those that lose a quarter and more
/// at the nearest sizes measured before, below and above, are left out, and so are those whose traffic alone
/// takes longer than the reference.
struct worth_measuring {
  std::vector<kernel> kernels;
  int by_neighbours = 0, by_roofline = 0;  // left out
};
worth_measuring prune(const routine& of, const cuda::gpu_limits& limits, const kernel& reference,
                      char precision, int n, const std::string& regime,
                      const std::vector<measurement>& before, double floor_over_reference);

}  // namespace talus::tune
