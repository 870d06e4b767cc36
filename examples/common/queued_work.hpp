// Work in the order of one queue: recorded and replayed, timed in between, its memory cleared.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "talus/types.hpp"

namespace example {

/// A queue of the backend with a stream of its own: the default stream cannot be recorded.
class own_queue {
 public:
  explicit own_queue(talus::backend where);
  ~own_queue();
  own_queue(const own_queue&) = delete;
  own_queue& operator=(const own_queue&) = delete;

  talus::queue get() const { return q_; }

 private:
  talus::queue q_;
};

/// Waits until all work is done. Throws unavailable where something of it failed.
void wait(talus::queue q);

/// Sets memory of the queue's backend to zero.
void clear(void* memory, std::size_t bytes, talus::queue q);

/// Something that is queued again and again with the same arguments: on a GPU a CUDA graph, on the host a
/// call.
class recorded_work {
 public:
  recorded_work(talus::queue q, const std::function<void()>& work);
  ~recorded_work();
  recorded_work(const recorded_work&) = delete;
  recorded_work& operator=(const recorded_work&) = delete;

  void replay() const;

 private:
  struct graph;
  talus::queue q_;
  std::function<void()> work_;
  std::unique_ptr<graph> graph_;
};

/// When the queue comes to certain points of its work, recorded work included.
class timeline {
 public:
  explicit timeline(talus::queue q);
  ~timeline();
  timeline(const timeline&) = delete;
  timeline& operator=(const timeline&) = delete;

  void restart() { next_ = 0; }  ///< the next mark is number 0 again
  void mark();                   ///< may be recorded
  double seconds(std::size_t from,
                 std::size_t to) const;  ///< between two marks; the queue has been waited for

 private:
  struct point;
  talus::queue q_;
  std::size_t next_ = 0;
  std::vector<std::unique_ptr<point>> points_;
};

}  // namespace example
