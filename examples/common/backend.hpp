// What depends on where a queue runs, beside Talus itself: memory and time.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "talus/types.hpp"

namespace example {

/// The machine cannot do what was asked: no such backend, not enough memory, a device error.
struct unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string amount(double bytes);  ///< "1.50 GiB", "20.00 MiB"

/// Bytes that are free; infinity where nobody knows.
double free_memory(talus::backend where);

/// Throws unavailable unless `bytes` of the backend's memory are free; says what they are for.
void require_memory(talus::backend where, double bytes, const std::string& purpose);

void* allocate(talus::backend where, std::size_t bytes);
void release(talus::backend where, void* memory) noexcept;

/// On the queue, done when it returns. For cuda queues, either side may be host or device memory.
void copy(void* to, const void* from, std::size_t bytes, talus::queue q);

/// Uninitialised memory of one backend.
template <class T>
class array {
 public:
  array(talus::backend where, std::size_t count)
      : count_(count), memory_(static_cast<T*>(allocate(where, count * sizeof(T))), releaser{where}) {}

  T* data() const { return memory_.get(); }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  struct releaser {
    talus::backend where;
    void operator()(T* memory) const noexcept { release(where, memory); }
  };
  std::size_t count_;
  std::unique_ptr<T[], releaser> memory_;
};

/// An array that the host fills and a call uses: one memory where that is the host, else two.
template <class T>
class sent_array {
 public:
  sent_array(std::size_t count, talus::queue q)
      : q_(q), here_(talus::backend::host, count), there_(q.where, on_host() ? 0 : count) {}

  T* here() const { return here_.data(); }
  T* there() const { return on_host() ? here_.data() : there_.data(); }

  void send() const { send(here_.size()); }
  void send(std::size_t count) const { move(there_.data(), here_.data(), count); }  ///< the first ones
  void fetch() const { fetch(0, here_.size()); }
  void fetch(std::size_t begin, std::size_t count) const {
    move(here_.data() + begin, there_.data() + begin, count);
  }

 private:
  bool on_host() const { return q_.where == talus::backend::host; }
  void move(T* to, const T* from, std::size_t count) const {
    if (!on_host()) copy(to, from, count * sizeof(T), q_);
  }

  talus::queue q_;
  array<T> here_, there_;
};

/// Times the work of one queue: by the clock on the host, by events on a CUDA stream.
class stopwatch {
 public:
  explicit stopwatch(talus::queue q);
  ~stopwatch();
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  void start();
  double stop();  ///< waits for the queue; seconds since start

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace example
