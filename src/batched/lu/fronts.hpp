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

/// Numbers by which a matrix tells how far it is: of its panels, its next step, and groups of its columns,
/// which share these numbers where there are more (batched/lu/column_blocks.cuh).
constexpr int lu_group_places = 64, lu_progress_places = 7 + 2 * lu_group_places;

/// Scratch of LU of equal sizes: a queue of tasks for each matrix that is worked on at the same time.
constexpr std::size_t lu_work_bytes(std::int64_t count) {
  return count <= 0 ? 0 : cuda::task_queue_bytes(count, lu_progress_places);
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
