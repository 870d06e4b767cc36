// The fronts of a multifrontal LU factorization, and the scratch of kernels that share a matrix among blocks.
// Compiles without nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batch.hpp"
#include "gpu/task_queue.hpp"
#include "scratch.hpp"
#include "talus/types.hpp"

namespace talus {

/// Fronts in blocks of their own: A11 k x k, A12 k x n2, A21 m2 x k, A22 m2 x n2. Batch: batch or
/// variable_batch.
template <class Batch>
struct lu_fronts {
  Batch A11, A12, A21, A22;
};

/// What becomes of them beside A11.
struct split {
  talus::form form = talus::form::lapack;
  talus::schur schur = talus::schur::subtract;
};

/// Groups of columns that have counters of their own. Group g uses counter g % lu_group_places.
constexpr int lu_group_places = 64;

/// The counters of a matrix in LU by column blocks. They only grow, except `finished`, until the slot of the
/// queue gets another matrix. batched/lu/pieces/column_blocks/task_list.hpp has the numbers that tasks wait for.
///
///   counter        | value                              | written by              | read by
///   panels         | panels that are factored           | panel                   | panel, exchange, solve
///   exchanged      | parts: exchange tasks of the step  | exchange                | solve
///   near_solved    | one part per step                  | solve, near             | update, near
///   near_updated   | parts: near update tasks           | update, near            | panel of the next step
///   solved[place]  | far solve tasks of all steps       | solve, far              | update, far
///   updated[place] | far update tasks of all steps      | update, far             | solve, far
struct lu_progress {
  /// The parts of a step. The last part of the step sets `finished` to 0 for the next step, and then `steps`.
  struct step_parts {
    int* finished;  // parts of the current step

    TALUS_HOST_DEVICE int* steps() const { return finished + 1; }  // steps with all parts finished
  };
  int* first;  // of `size` counters

  static constexpr int first_solved = 7, first_updated = first_solved + lu_group_places;
  static constexpr int size = first_updated + lu_group_places;

  TALUS_HOST_DEVICE int* panels() const { return first; }
  TALUS_HOST_DEVICE step_parts exchanged() const { return {first + 1}; }
  TALUS_HOST_DEVICE step_parts near_solved() const { return {first + 3}; }
  TALUS_HOST_DEVICE step_parts near_updated() const { return {first + 5}; }
  TALUS_HOST_DEVICE int* solved(int place) const { return first + first_solved + place; }
  TALUS_HOST_DEVICE int* updated(int place) const { return first + first_updated + place; }
};

/// Scratch of LU of equal sizes: a queue of tasks for each matrix that is worked on at the same time.
constexpr std::size_t lu_work_bytes(std::int64_t count) {
  return count <= 0 ? 0 : cuda::task_queue_bytes(count, lu_progress::size);
}
/// Where it begins in scratch of mixed sizes: behind what their order takes.
constexpr std::size_t offset_of_lu_work(std::int64_t count) { return (schedule_bytes(count) + 15) / 16 * 16; }
constexpr std::size_t mixed_lu_work_bytes(std::int64_t count) {
  return offset_of_lu_work(count) + lu_work_bytes(count);
}

}  // namespace talus

namespace talus::cuda::lu {

/// A front: A11, A12, A21 and A22 as above.
template <class T>
struct front {
  matrix<T> A11, A12, A21, A22;
};

}  // namespace talus::cuda::lu
