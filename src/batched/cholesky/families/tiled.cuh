// The launch of tiled.hpp's kernels.
#pragma once

#include "batched/cholesky/families/tiled.hpp"
#include "batched/cholesky/pieces/tiled_fronts.cuh"
#include "gpu/task_queue.cuh"

namespace talus::cuda::cholesky {

template <class Line, uplo UPLO, class Source, class Then>
int tiled::launch(Source source, int* info, queue q, Then) {
  return launch_in_parts(as_tiled(UPLO, source), source.count(), [&](const auto& fronts) {
    return launch_tiled(Line::kernel.tiles, fronts, info, q);
  });
}

}  // namespace talus::cuda::cholesky
