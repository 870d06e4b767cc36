// The width of the panels of panels.cuh.
#pragma once

#include "batch.hpp"
#include "gpu/limits.hpp"

namespace talus::cuda::lu {

/// Columns of a panel.
constexpr int panel_columns = 8;

}  // namespace talus::cuda::lu
