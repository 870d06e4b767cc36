// A picture of temperatures over time, as SVG.
#pragma once

#include <string>
#include <vector>

namespace chemistry {

struct series {
  std::vector<double> times, temperatures;
};

/// What one cell did, and in dots what it should have done.
struct curve {
  std::string label;
  series line, dots;
};

struct panel {
  std::string title;
  double end;  ///< of the axis of time
  std::vector<curve> curves;
};

/// Panels below each other. Time runs on a logarithmic scale over the last four decades before the end.
std::string svg(const std::vector<panel>& panels);

}  // namespace chemistry
