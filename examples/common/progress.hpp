// One line on stderr while something takes long: rewritten in place on a terminal, every few seconds
// elsewhere.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

namespace example {

class progress {
 public:
  progress(std::string what, std::int64_t total) : what_(std::move(what)), total_(total) {}
  ~progress() {
    if (terminal_ && shown_) std::fprintf(stderr, "\r\033[K");
  }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// One more is done; any thread may say so.
  void advance() {
    const std::int64_t done = ++done_;
    const std::unique_lock<std::mutex> lock(printing_, std::try_to_lock);
    if (!lock) return;
    const auto now = clock::now();
    if (now < next_) return;
    next_ = now + interval();
    shown_ = true;
    std::fprintf(stderr, terminal_ ? "\r\033[K%s: %lld of %lld" : "%s: %lld of %lld\n", what_.c_str(),
                 static_cast<long long>(done), static_cast<long long>(total_));
    std::fflush(stderr);
  }

 private:
  using clock = std::chrono::steady_clock;
  std::chrono::milliseconds interval() const { return std::chrono::milliseconds(terminal_ ? 200 : 5000); }

  std::string what_;
  std::int64_t total_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::atomic<std::int64_t> done_{0};
  std::mutex printing_;
  clock::time_point next_ = clock::now() + interval();
  bool shown_ = false;
};

/// One line on stderr for as long as it lives, if that is a terminal: what cannot count its steps.
class notice {
 public:
  explicit notice(const std::string& text) {
    if (terminal_) std::fprintf(stderr, "\r\033[K%s ...", text.c_str()), std::fflush(stderr);
  }
  ~notice() {
    if (terminal_) std::fprintf(stderr, "\r\033[K");
  }
  notice(const notice&) = delete;
  notice& operator=(const notice&) = delete;

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

}  // namespace example
