// Scratch and tickets of task queues (gpu/task_queue.cuh): pure arithmetic, which compiles without nvcc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "batch.hpp"

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

/// A ticket: the value that a slot's word `taken` had before a block added 1 to it. Slot s serves the
/// positions s, s + slots, s + 2 slots, ... in turn. Position s + round * slots is served in round `round`.
///
///   bits   | meaning
///   0-29   | number of the task that the ticket stands for. At the end of a round each block adds 1 once in
///          | vain, so the number may exceed the last task by the number of blocks
///   30-31  | 0
///   32-63  | round: how many positions of the slot are finished
struct task_ticket {
  unsigned long long word;

  static constexpr unsigned most_tasks = 0x3fffffff;

  TALUS_HOST_DEVICE int number() const { return static_cast<int>(word & most_tasks); }
  /// Returns the position that slot `slot` serves in the ticket's round, or `positions` after the last one.
  TALUS_HOST_DEVICE int position(int slot, int slots, int positions) const {
    const unsigned long long round = word >> 32;
    const unsigned long long position = round * static_cast<unsigned>(slots) + static_cast<unsigned>(slot);
    return position < static_cast<unsigned>(positions) ? static_cast<int>(position) : positions;
  }
  /// Returns the first ticket of the round after the round that served `position`.
  TALUS_HOST_DEVICE static task_ticket after(int position, int slots) {
    return {(static_cast<unsigned long long>(position / slots) + 1) << 32};
  }
};

}  // namespace talus::cuda
