// How many blocks share a matrix of a class, whose size nobody knows before the kernel runs.
#pragma once

#include <cstdint>

#include "gpu/scalar.cuh"

namespace talus::cuda::blas {

/// Blocks that keep a device busy.
constexpr int enough_blocks = 2048;

/// Blocks of each of so many matrices: where these are few, as many as keep the device busy.
TALUS_HOST_DEVICE constexpr int blocks_of_each(std::int64_t matrices, int least, int most) {
  const std::int64_t wanted = matrices > 0 ? enough_blocks / matrices : most;
  return most <= least || wanted >= most ? most : wanted > least ? static_cast<int>(wanted) : least;
}

/// Returns the number of parts into which a kernel divides each matrix if a warp, or some of its lanes,
/// processes a part. Few matrices are divided into more parts, to keep the device busy.
TALUS_HOST_DEVICE constexpr int parts_of_each(std::int64_t matrices, int most) {
  return blocks_of_each((matrices + 7) / 8, 1, most);
}

}  // namespace talus::cuda::blas
