// A picture of a factorization: for each level of the tree its time, its flops, its fronts.
#pragma once

#include <string>
#include <vector>

#include "report.hpp"

namespace multifrontal {

/// An SVG file's text. Levels go from the leaves (left) to the root.
std::string picture(const std::string& title, const std::vector<level_report>& levels);

}  // namespace multifrontal
