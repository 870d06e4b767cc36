#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include <omp.h>

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

}  // namespace talus::host
