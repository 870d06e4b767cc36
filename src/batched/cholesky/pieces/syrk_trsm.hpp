// The shapes of syrk_trsm.cuh, and what they need of a GPU.
#pragma once

#include "batch.hpp"
#include "gpu/limits.hpp"
#include "talus/types.hpp"

namespace talus::cuda::cholesky {

/// Warps of a block.
constexpr int syrk_trsm_warps = 4;

/// Elements of shared memory: the slabs, of each the facing tiles and those of the warps; the tiles of the
/// diagonal block that are below its diagonal, and what solves with those on it.
constexpr int syrk_trsm_elements(int stages, int nb, int tiles) {
  const int columns = nb / 16, slab = columns + syrk_trsm_warps * tiles;
  return (stages * slab + columns * (columns - 1) / 2) * 256 + columns * 5 * 64;
}

/// Slabs on their way: three, but two where three would not leave room for two blocks, or not for one on
/// every GPU.
constexpr int syrk_trsm_stages(std::size_t element_size, int nb, int tiles) {
  const auto bytes = [=](int stages) {
    return static_cast<std::size_t>(syrk_trsm_elements(stages, nb, tiles)) * element_size;
  };
  const std::size_t everywhere = generic_limits.shared_bytes, half = any_gpu_limits.shared_bytes / 2;
  return bytes(3) <= everywhere || (bytes(2) > everywhere && bytes(3) <= half) ? 3 : 2;
}

/// Why no block has so many columns and tiles per warp; null if one can.
constexpr const char* syrk_trsm_objection(int nb, int tiles, const element& e, const gpu_limits& limits) {
  if (tiles < 1) return "tiles is below 1";
  if (e.registers() * tiles * nb > 256) return "a warp's sums need more registers than there are";
  const int elements = syrk_trsm_elements(syrk_trsm_stages(e.size, nb, tiles), nb, tiles);
  if (static_cast<std::size_t>(elements) * e.size > limits.shared_bytes)
    return "a block needs more shared memory than the GPU has";
  return nullptr;
}

}  // namespace talus::cuda::cholesky
