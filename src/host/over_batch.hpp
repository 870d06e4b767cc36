// The host's two ways through a batch, group of lanes by group or matrix by matrix, and their scratch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <omp.h>

#include "batch.hpp"
#include "host/lanes.hpp"
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

inline int threads_for(std::int64_t tasks) {
  return static_cast<int>(std::min<std::int64_t>(omp_get_max_threads(), tasks));
}

/// Starts of the matrices of a group. An incomplete one is filled up with its first.
template <class T>
struct group {
  T* of[lanes_max];

  group(const batch<T>& A, std::int64_t first, int width) {
    for (int l = 0; l < width; ++l) of[l] = A[first + l < A.count ? first + l : first].A;
  }
  group(const variable_batch<T>& A, const std::int64_t* matrices, int count, int width) {
    for (int l = 0; l < width; ++l) of[l] = A.array[matrices[l < count ? l : 0]];
  }
};

/// Threads draw as many groups at a time as make up some dozens of kilobytes, so that drawing costs nothing
/// and the last ones end together.
template <class T>
std::int64_t groups_at_a_time(const lane_functions<T>& lanes, std::int64_t groups, int n, int threads) {
  constexpr std::int64_t bytes_at_a_time = 64 * 1024;
  const std::int64_t group_bytes = std::int64_t{n} * n * lanes.width * static_cast<std::int64_t>(sizeof(T));
  return std::clamp<std::int64_t>(bytes_at_a_time / std::max<std::int64_t>(group_bytes, 1), 1,
                                  1 + groups / (8 * threads));
}

/// Calls kernel(first, info, scratch) for every group of the batch, where info has room for all lanes.
template <class T, class Kernel>
int over_groups(const lane_functions<T>& lanes, std::int64_t count, int n, int* info, Kernel kernel) {
  const std::int64_t groups = (count + lanes.width - 1) / lanes.width;
  const int threads = threads_for(groups);
  const thread_scratch scratch(threads, lanes.work_bytes(n));
  if (!scratch) return err_work;
  const std::int64_t chunk = groups_at_a_time(lanes, groups, n, threads);
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads)
  for (std::int64_t g = 0; g < groups; ++g) {
    const std::int64_t first = g * lanes.width, last = std::min<std::int64_t>(first + lanes.width, count);
    if (last - first == lanes.width) {
      kernel(first, info + first, scratch.of_this_thread());
    } else {
      int infos[lanes_max];
      kernel(first, infos, scratch.of_this_thread());
      std::copy(infos, infos + (last - first), info + first);
    }
  }
  return 0;
}

/// Calls task(b, scratch) for every matrix, with OpenBLAS on one thread in each.
template <class Task>
int over_matrices(std::int64_t count, std::size_t scratch_bytes, Task task) {
  const int threads = threads_for(count);
  const thread_scratch scratch(threads, scratch_bytes);
  if (!scratch) return err_work;
  const one_thread_blas guard;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::int64_t b = 0; b < count; ++b) task(b, scratch.of_this_thread());
  return 0;
}

}  // namespace talus::host
