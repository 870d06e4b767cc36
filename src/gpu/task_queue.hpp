// Scratch of task queues (gpu/task_queue.cuh): pure arithmetic, which compiles without nvcc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace talus::cuda {

/// Matrices that are worked on at the same time, at most: more than any GPU has resident blocks.
constexpr std::int64_t most_task_slots = 2048;

constexpr int task_queue_slots(std::int64_t count) {
  return static_cast<int>(std::min(count, most_task_slots));
}
/// Of matrices of so many units, each of which tells of its progress.
constexpr std::size_t task_queue_bytes(std::int64_t count, std::int64_t units) {
  return static_cast<std::size_t>(task_queue_slots(count)) *
         (sizeof(unsigned long long) + (2 + static_cast<std::size_t>(units)) * sizeof(int));
}

}  // namespace talus::cuda
