// A picture of errors over the points' spacing, as SVG.
#pragma once

#include <string>
#include <vector>

#include "convergence.hpp"

namespace regression {

struct panel {
  std::string title;
  basis monomials;
  std::vector<refinement> refinements;  ///< those with large spacings first
};

/// Panels beside each other, all on the same logarithmic axes: dots, and lines of the expected slope through
/// the last one.
std::string svg(const std::vector<panel>& panels);

}  // namespace regression
