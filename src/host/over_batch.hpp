// One routine over a whole batch, group of lanes by group or matrix by matrix. The routine describes itself:
//
//   width()                               matrices in a group
//   range()                               which batches go in lanes
//   lanes_bytes(A), alone_bytes(A)        scratch of a group, and of one matrix alone; A shows the sizes
//   in_lanes(groups..., infos, scratch)   does a whole group; infos has room for all lanes
//   alone(matrices..., scratch)           does one matrix, returns its info
//
// where groups and matrices are one per operand: A, and what belongs to it, such as right-hand sides.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

#include <omp.h>

#include "batch.hpp"
#include "host/lanes/group.hpp"
#include "host/lanes/schedule.hpp"
#include "host/one_thread_blas.hpp"
#include "host/thread_scratch.hpp"
#include "talus/types.hpp"

namespace talus::host {

inline int threads_for(std::int64_t tasks) {
  return static_cast<int>(std::min<std::int64_t>(omp_get_max_threads(), tasks));
}

template <class Routine, class Batch, class... Batches>
int over_groups(const Routine& routine, int* info, const Batch& A, const Batches&... rest) {
  const int width = routine.width();
  const std::int64_t groups = (A.count + width - 1) / width;
  const int threads = threads_for(groups);
  const thread_scratch scratch(threads, routine.lanes_bytes(A[0]));
  if (!scratch) return err_work;
  const auto do_group = [&](std::int64_t g) {
    const std::int64_t first = g * width;
    const auto members = static_cast<int>(std::min<std::int64_t>(width, A.count - first));
    const auto which = [first](int l) { return first + l; };
    int of_incomplete[lanes_max];
    int* const infos = members == width ? info + first : of_incomplete;
    routine.in_lanes(group_of(A, width, members, which), group_of(rest, width, members, which)..., infos,
                     scratch.of_this_thread());
    if (members < width) std::copy_n(infos, members, info + first);
  };
  const std::int64_t chunk = groups_at_a_time(groups, width, A[0], threads);
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads)
  for (std::int64_t g = 0; g < groups; ++g) do_group(g);
  return 0;
}

/// OpenBLAS works on one thread in each matrix.
template <class Routine, class Batch, class... Batches>
int over_matrices(const Routine& routine, int* info, const Batch& A, const Batches&... rest) {
  const int threads = threads_for(A.count);
  const thread_scratch scratch(threads, routine.alone_bytes(A[0]));
  if (!scratch) return err_work;
  const one_thread_blas guard;
  const auto do_matrix = [&](std::int64_t b) {
    info[b] = routine.alone(A[b], rest[b]..., scratch.of_this_thread());
  };
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::int64_t b = 0; b < A.count; ++b) do_matrix(b);
  return 0;
}

/// Matrices of one size.
template <class Routine, class Batch, class... Batches>
int over_batch(const Routine& routine, int* info, const Batch& A, const Batches&... rest) {
  return routine.range().covers(A.n, A.count) ? over_groups(routine, info, A, rest...)
                                              : over_matrices(routine, info, A, rest...);
}

/// Scratch that serves each of the tasks.
template <class Routine, class Batch>
std::size_t scratch_bytes(const Routine& routine, const std::vector<task>& tasks, const Batch& A) {
  std::size_t bytes = 0;
  for (const task& t : tasks) {
    const auto first = A[*t.matrices];
    bytes = std::max(bytes, t.in_lanes ? routine.lanes_bytes(first) : routine.alone_bytes(first));
  }
  return bytes;
}

template <class Routine, class Batch, class... Batches>
void run_task(const Routine& routine, const task& t, int* info, void* scratch, const Batch& A,
              const Batches&... rest) {
  if (!t.in_lanes) {
    const std::int64_t b = *t.matrices;
    info[b] = routine.alone(A[b], rest[b]..., scratch);
    return;
  }
  const int width = routine.width();
  for (std::int64_t done = 0; done < t.count; done += width) {
    const std::int64_t* const matrices = t.matrices + done;
    const auto members = static_cast<int>(std::min<std::int64_t>(width, t.count - done));
    const auto which = [matrices](int l) { return matrices[l]; };
    int infos[lanes_max];
    routine.in_lanes(group_of(A, width, members, which), group_of(rest, width, members, which)..., infos,
                     scratch);
    for (int l = 0; l < members; ++l) info[matrices[l]] = infos[l];
  }
}

/// Matrices of their own sizes, once all memory is there. check(matrices...): 0, or the info of a matrix that
/// must not be touched.
template <class Routine, class Check, class Batch, class... Batches>
int over_sizes(const Routine& routine, Check check, int* info, const Batch& A, const Batches&... rest) try {
  std::vector<int> orders(static_cast<std::size_t>(A.count));  // n, or info of those with nothing to do
  int* const order = orders.data();
  const auto find_order = [&](std::int64_t b) {
    const int illegal = check(A[b], rest[b]...);
    order[b] = illegal != 0 ? illegal : A.n[b];
  };
#pragma omp parallel for if (A.count > 10000)
  for (std::int64_t b = 0; b < A.count; ++b) find_order(b);

  const schedule plan(orders, routine.range(), routine.width(), A, rest...);
  const std::vector<task>& tasks = plan.tasks();
  const auto end = static_cast<std::int64_t>(tasks.size());
  const int threads = std::max(1, threads_for(end));
  const thread_scratch scratch(threads, scratch_bytes(routine, tasks, A));
  if (!scratch) return err_work;

  std::optional<one_thread_blas> guard;
  if (std::any_of(tasks.begin(), tasks.end(), [](const task& t) { return !t.in_lanes; })) guard.emplace();
  for (std::int64_t b = 0; b < A.count; ++b) {
    if (order[b] < 1) info[b] = order[b];
  }
  const auto run = [&](const task& t) { run_task(routine, t, info, scratch.of_this_thread(), A, rest...); };
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::int64_t i = 0; i < end; ++i) run(tasks[static_cast<std::size_t>(i)]);
  return 0;
} catch (const std::exception&) {  // no memory for the schedule
  return err_work;
}

}  // namespace talus::host
