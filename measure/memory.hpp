// Memory and time of either backend: arrays, copies between host and device, a clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "talus/types.hpp"

namespace talus::measure {

struct out_of_memory : std::bad_alloc {
  const char* what() const noexcept override { return "out of memory"; }
};

/// How much memory the host can give without hurting anyone.
std::size_t available_host_memory();

/// Throws out_of_memory if the host has no such room: it would grant it, and then have to kill for it.
void require_room(backend where, double bytes);
void* allocate(backend where, std::size_t bytes);
void release(backend where, void* memory) noexcept;
void copy_within(backend where, void* to, const void* from, std::size_t bytes);  // queued
void copy_across(backend where, void* to, const void* from, std::size_t bytes);  // host to device or back
void fill_bytes(backend where, void* memory, unsigned char value, std::size_t bytes);
std::size_t last_level_cache(backend where);

/// Waits for all that was queued on the default stream.
void finish(backend where);

inline queue queue_of(backend where) { return where == backend::cuda ? queue::cuda() : queue::host(); }

template <class T>
class array {
 public:
  array(backend where, std::size_t size)
      : where_(where), size_(size), data_(static_cast<T*>(allocate(where, size * sizeof(T)))) {}
  array(backend where, const std::vector<T>& values) : array(where, values.size()) {
    copy_across(where, data_, values.data(), size_ * sizeof(T));
  }
  ~array() { release(where_, data_); }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// `count` elements from `first` on, when all that was queued is done.
  std::vector<T> host(std::size_t first, std::size_t count) const {
    std::vector<T> values(count);
    copy_across(where_, values.data(), data_ + first, count * sizeof(T));
    return values;
  }
  std::vector<T> host() const { return host(0, size_); }

 private:
  backend where_;
  std::size_t size_;
  T* data_;
};

/// A queue with the scratch that a call on cuda asks for, which one call after the other uses.
class queue_with_scratch {
 public:
  queue_with_scratch(backend where, std::size_t bytes)
      : scratch_(where, where == backend::cuda ? bytes : 0), queue_(queue_of(where)) {
    if (scratch_.size() == 0) return;
    queue_.work = scratch_.data();
    queue_.work_bytes = scratch_.size();
  }
  operator queue() const { return queue_; }

 private:
  array<char> scratch_;
  queue queue_;
};

/// Seconds between start and stop: of the clock, or of the GPU's own on the default stream, which begins when
/// all up to stop is queued. The host's part of a launch, 2 to 4 us, so does not count unless the queued
/// calls wait for the GPU.
class stopwatch {
 public:
  explicit stopwatch(backend where);
  ~stopwatch();
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  void start();
  double stop();  // waits for all that was queued

  /// The shortest of `repeats` runs: a limit is what the machine does when nothing disturbs it.
  template <class Work>
  double best_seconds(int repeats, Work work) {
    double best = std::numeric_limits<double>::max();
    for (int run = 0; run < repeats; ++run) {
      start();
      work();
      best = std::min(best, stop());
    }
    return best;
  }

 private:
  struct events;
  std::unique_ptr<events> on_gpu_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace talus::measure
