#include "common/queued_work.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>

#include "common/backend.hpp"

#ifdef TALUS_WITH_CUDA
#include "common/cuda_calls.hpp"
#endif

namespace example {
namespace {

bool on_host(talus::queue q) { return q.where == talus::backend::host; }

}  // namespace

own_queue::own_queue(talus::backend where) {
  q_.where = where;
#ifdef TALUS_WITH_CUDA
  if (where == talus::backend::host) return;
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  q_.stream = stream;
#endif
}

own_queue::~own_queue() {
#ifdef TALUS_WITH_CUDA
  if (q_.stream) cudaStreamDestroy(stream_of(q_));
#endif
}

void wait([[maybe_unused]] talus::queue q) {
#ifdef TALUS_WITH_CUDA
  if (on_host(q)) return;
  check(cudaGetLastError(), "a kernel's launch");
  check(cudaStreamSynchronize(stream_of(q)), "the queued work");
#endif
}

void clear(void* memory, std::size_t bytes, talus::queue q) {
  if (on_host(q)) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    const auto pieces = static_cast<std::int64_t>((bytes + piece - 1) / piece);
#pragma omp parallel for schedule(static)
    for (std::int64_t p = 0; p < pieces; ++p) {
      const std::size_t begin = static_cast<std::size_t>(p) * piece;
      std::memset(static_cast<char*>(memory) + begin, 0, std::min(piece, bytes - begin));
    }
    return;
  }
#ifdef TALUS_WITH_CUDA
  check(cudaMemsetAsync(memory, 0, bytes, stream_of(q)), "cudaMemsetAsync");
#endif
}

// ---- recorded work -------------------------------------------------------------------------------

struct recorded_work::graph {
#ifdef TALUS_WITH_CUDA
  cudaGraphExec_t executable = nullptr;
#endif
};

recorded_work::recorded_work(talus::queue q, const std::function<void()>& work) : q_(q), graph_(new graph) {
  if (on_host(q)) {
    work_ = work;
    return;
  }
#ifdef TALUS_WITH_CUDA
  cudaGraph_t recorded = nullptr;
  check(cudaStreamBeginCapture(stream_of(q), cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  try {
    work();
  } catch (...) {
    cudaStreamEndCapture(stream_of(q), &recorded);
    if (recorded) cudaGraphDestroy(recorded);
    throw;
  }
  check(cudaStreamEndCapture(stream_of(q), &recorded), "cudaStreamEndCapture");
  const cudaError_t made = cudaGraphInstantiate(&graph_->executable, recorded, 0);
  cudaGraphDestroy(recorded);
  check(made, "cudaGraphInstantiate");
#endif
}

recorded_work::~recorded_work() {
#ifdef TALUS_WITH_CUDA
  if (graph_->executable) cudaGraphExecDestroy(graph_->executable);
#endif
}

void recorded_work::replay() const {
  if (on_host(q_)) {
    work_();
    return;
  }
#ifdef TALUS_WITH_CUDA
  check(cudaGraphLaunch(graph_->executable, stream_of(q_)), "cudaGraphLaunch");
#endif
}

// ---- time ----------------------------------------------------------------------------------------

struct timeline::point {
  std::chrono::steady_clock::time_point when;
#ifdef TALUS_WITH_CUDA
  cudaEvent_t event = nullptr;
  ~point() {
    if (event) cudaEventDestroy(event);
  }
#endif
};

timeline::timeline(talus::queue q) : q_(q) {}
timeline::~timeline() = default;

void timeline::mark() {
  if (next_ == points_.size()) points_.push_back(std::make_unique<point>());
  point& here = *points_[next_++];
  if (on_host(q_)) here.when = std::chrono::steady_clock::now();
#ifdef TALUS_WITH_CUDA
  if (on_host(q_)) return;
  if (!here.event) check(cudaEventCreate(&here.event), "cudaEventCreate");
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream_of(q_), &capturing), "cudaStreamIsCapturing");
  // In a graph, an event is a node of it only if it is recorded as an external one.
  const unsigned how =
      capturing == cudaStreamCaptureStatusActive ? cudaEventRecordExternal : cudaEventRecordDefault;
  check(cudaEventRecordWithFlags(here.event, stream_of(q_), how), "cudaEventRecord");
#endif
}

double timeline::seconds(std::size_t from, std::size_t to) const {
  if (on_host(q_)) return std::chrono::duration<double>(points_[to]->when - points_[from]->when).count();
  float milliseconds = 0;
#ifdef TALUS_WITH_CUDA
  check(cudaEventElapsedTime(&milliseconds, points_[from]->event, points_[to]->event),
        "cudaEventElapsedTime");
#endif
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace example
