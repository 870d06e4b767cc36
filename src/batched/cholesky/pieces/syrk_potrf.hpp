// The number of warps of syrk_potrf.cuh.
#pragma once

#include "batch.hpp"
#include "talus/types.hpp"

namespace talus::cuda::cholesky {

/// Warps that factor a diagonal block: one for two rows of tiles.
constexpr int syrk_potrf_warps(int diagonal) { return (diagonal / 16 + 1) / 2; }

}  // namespace talus::cuda::cholesky
