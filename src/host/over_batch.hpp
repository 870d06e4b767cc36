// One routine over a whole batch, group of lanes by group or matrix by matrix. The routine describes itself:
//
//   width()                               matrices in a group
//   range()                               which batches go in lanes
//   lanes_bytes(m, n), alone_bytes(m, n)  scratch of a group, and of one matrix alone
//   in_lanes(groups..., infos, scratch)   does a whole group; infos has room for all lanes
//   alone(matrices..., scratch)           does one matrix, returns its info
//
// where groups and matrices are one per operand: A, and what belongs to it, such as right-hand sides, or
// vectors of pivots, or a further extent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <vector>

#include <omp.h>

#include "batch.hpp"
#include "host/lanes/group.hpp"
#include "host/lanes/schedule.hpp"
#include "host/one_thread_blas.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// One piece of memory per thread, all of them one allocation, each aligned to 64 bytes.
class thread_scratch {
 public:
  thread_scratch(int threads, std::size_t bytes) noexcept {
    std::size_t all = 0;
    if (__builtin_add_overflow(bytes, line - 1, &each_)) return;
    each_ = each_ / line * line;
    if (__builtin_mul_overflow(each_, static_cast<std::size_t>(threads), &all)) return;
    memory_ = static_cast<std::byte*>(std::aligned_alloc(line, std::max(all, line)));
  }
  ~thread_scratch() { std::free(memory_); }
  thread_scratch(const thread_scratch&) = delete;
  thread_scratch& operator=(const thread_scratch&) = delete;

  explicit operator bool() const { return memory_ != nullptr; }
  void* of_this_thread() const { return memory_ + static_cast<std::size_t>(omp_get_thread_num()) * each_; }

 private:
  static constexpr std::size_t line = 64;
  std::size_t each_ = 0;
  std::byte* memory_ = nullptr;
};

/// What a routine says that does nothing in lanes.
struct one_by_one {
  static constexpr int width() { return 1; }
  static constexpr lanes_range range() { return no_range(); }
  static constexpr std::size_t lanes_bytes(int, int) { return 0; }
};
template <class Routine>
constexpr bool has_lanes = !std::is_base_of_v<one_by_one, Routine>;

/// The least work, in nanoseconds, for which another thread is started.
constexpr double least_time = 20000;

/// Returns the number of threads for tasks that take one thread `time` nanoseconds in all.
inline int threads_for(std::int64_t tasks, double time) {
  const double useful = std::min(1 + time / least_time, static_cast<double>(tasks));
  return static_cast<int>(std::min(useful, static_cast<double>(omp_get_max_threads())));
}

/// Estimates the time of one thread for all matrices of a batch, in nanoseconds.
template <class Batch, class... Batches>
double time_of(const Batch& A, const Batches&... rest) {
  return estimated_time(A.m, A.n,
                        (static_cast<double>(A.n) + ... + static_cast<double>(columns_of(rest, 0)))) *
         static_cast<double>(A.count);
}

/// Calls run(info), with memory for the infos of a caller who does not want them.
template <class Run>
int with_info(int* info, std::int64_t count, Run run) {
  if (info != nullptr) return run(info);
  const std::unique_ptr<int[]> own(new (std::nothrow) int[static_cast<std::size_t>(count)]);
  return own ? run(own.get()) : err_work;
}

/// The matrices which(0), ..., which(count - 1), at most as many as there are lanes.
template <class Routine, class Which, class... Batches>
void do_group(const Routine& routine, std::int64_t count, Which which, int* info, void* scratch,
              const Batches&... operands) {
  const int width = routine.width();
  const auto members = static_cast<int>(std::min<std::int64_t>(width, count));
  int infos[lanes_max];
  routine.in_lanes(group_of(operands, width, members, which)..., infos, scratch);
  for (int l = 0; l < members; ++l) info[which(l)] = infos[l];
}

template <class Routine, class Batch, class... Batches>
int over_groups(const Routine& routine, int* info, const Batch& A, const Batches&... rest) {
  const int width = routine.width();
  const std::int64_t groups = (A.count + width - 1) / width;
  const int threads = threads_for(groups, time_of(A, rest...));
  const thread_scratch scratch(threads, routine.lanes_bytes(A.m, A.n));
  if (!scratch) return err_work;
  const std::int64_t chunk = groups_at_a_time(groups, width, A[0], threads);
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads)
  for (std::int64_t first = 0; first < A.count; first += width) {
    const auto which = [first](int l) { return first + l; };
    do_group(routine, A.count - first, which, info, scratch.of_this_thread(), A, rest...);
  }
  return 0;
}

/// OpenBLAS works on one thread in each matrix.
template <class Routine, class Batch, class... Batches>
int over_matrices(const Routine& routine, int* info, const Batch& A, const Batches&... rest) {
  const int threads = threads_for(A.count, time_of(A, rest...));
  const thread_scratch scratch(threads, routine.alone_bytes(A.m, A.n));
  if (!scratch) return err_work;
  const one_thread_blas guard;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::int64_t b = 0; b < A.count; ++b) {
    info[b] = routine.alone(A[b], rest[b]..., scratch.of_this_thread());
  }
  return 0;
}

/// Matrices of one size.
template <class Routine, class Batch, class... Batches>
int over_batch(const Routine& routine, int* info, const Batch& A, const Batches&... rest) {
  const lanes_range range = routine.range();
  return range.covers(std::min(A.m, A.n), A.count) && range.fits(A.m, A.n)
             ? over_groups(routine, info, A, rest...)
             : over_matrices(routine, info, A, rest...);
}

template <class Routine, class Batch, class... Batches>
void run_task(const Routine& routine, const task& t, int* info, void* scratch, const Batch& A,
              const Batches&... rest) {
  if (!t.in_lanes) {
    const std::int64_t b = *t.matrices;
    info[b] = routine.alone(A[b], rest[b]..., scratch);
    return;
  }
  if constexpr (has_lanes<Routine>) {
    for (std::int64_t done = 0; done < t.count; done += routine.width()) {
      const auto which = [first = t.matrices + done](int l) { return first[l]; };
      do_group(routine, t.count - done, which, info, scratch, A, rest...);
    }
  }
}

/// Matrices of their own sizes, once all memory is there. check(matrices...): 0, or the info of a matrix that
/// must not be touched.
template <class Routine, class Check, class Batch, class... Batches>
int over_sizes(const Routine& routine, Check check, int* info, const Batch& A, const Batches&... rest) try {
  // min(m, n), or info of those with nothing to do
  std::vector<int> orders(static_cast<std::size_t>(A.count));
  int* const order = orders.data();
#pragma omp parallel for if (A.count > 10000)
  for (std::int64_t b = 0; b < A.count; ++b) {
    const int illegal = check(A[b], rest[b]...);
    order[b] = illegal != 0 ? illegal : std::min(A.m[b], A.n[b]);
  }

  const schedule plan(orders, routine.range(), routine.width(), A, rest...);
  const std::vector<task>& tasks = plan.tasks();
  std::size_t bytes = 0;  // of scratch that serves each of the tasks
  bool all_in_lanes = true;
  double time = 0;
  for (const task& t : tasks) {
    const int m = A.m[*t.matrices], n = A.n[*t.matrices];
    bytes = std::max(bytes, t.in_lanes ? routine.lanes_bytes(m, n) : routine.alone_bytes(m, n));
    all_in_lanes = all_in_lanes && t.in_lanes;
    time += t.time;
  }
  const auto end = static_cast<std::int64_t>(tasks.size());
  const int threads = std::max(1, threads_for(end, time));
  const thread_scratch scratch(threads, bytes);
  if (!scratch) return err_work;

  std::optional<one_thread_blas> guard;
  if (!all_in_lanes) guard.emplace();
  for (std::int64_t b = 0; b < A.count; ++b) {
    if (order[b] < 1) info[b] = order[b];
  }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::int64_t i = 0; i < end; ++i) {
    run_task(routine, tasks[static_cast<std::size_t>(i)], info, scratch.of_this_thread(), A, rest...);
  }
  return 0;
} catch (const std::exception&) {  // no memory for the schedule
  return err_work;
}

}  // namespace talus::host
