// Arrays that live where the backend under test wants them.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef TALUS_WITH_CUDA
#include <cuda_runtime.h>
#endif

#include "talus/talus.hpp"

namespace talus::test {

inline backend& backend_under_test() {
  static backend where = backend::host;
  return where;
}
inline bool on_cuda() { return backend_under_test() == backend::cuda; }
inline queue test_queue() { return on_cuda() ? queue::cuda() : queue::host(); }

#ifdef TALUS_WITH_CUDA
inline void check_cuda(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

struct stream {
  stream() { check_cuda(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking), "cudaStreamCreate"); }
  ~stream() { cudaStreamDestroy(handle); }
  cudaStream_t handle = nullptr;
};

/// What work() enqueues to a stream, captured: nothing of it runs before it is replayed.
class graph {
 public:
  template <class Work>
  graph(const stream& s, Work work) : stream_(s.handle) {
    cudaGraph_t captured = nullptr;
    check_cuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "begin capture");
    work();
    check_cuda(cudaStreamEndCapture(stream_, &captured), "end capture");
    const cudaError_t instantiated = cudaGraphInstantiate(&executable_, captured, 0);
    check_cuda(cudaGraphDestroy(captured), "destroy");
    check_cuda(instantiated, "instantiate");
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  ~graph() { cudaGraphExecDestroy(executable_); }

  /// Returns when it has ended.
  void replay() const {
    check_cuda(cudaGraphLaunch(executable_, stream_), "replay");
    check_cuda(cudaStreamSynchronize(stream_), "synchronise");
  }

 private:
  cudaStream_t stream_;
  cudaGraphExec_t executable_ = nullptr;
};
#endif

/// Waits for the queue and throws if a kernel failed.
inline void finish() {
#ifdef TALUS_WITH_CUDA
  if (on_cuda()) check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
#endif
}

/// `size` elements in the memory of the backend under test.
template <class T>
class array {
 public:
  explicit array(std::size_t size) : size_(size) {
#ifdef TALUS_WITH_CUDA
    if (on_cuda()) {
      check_cuda(cudaMalloc(&data_, bytes() + 1), "cudaMalloc");
      return;
    }
#endif
    data_ = static_cast<T*>(::operator new(bytes() + 1));
  }
  explicit array(const std::vector<T>& values) : array(values.size()) { upload(values); }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() {
#ifdef TALUS_WITH_CUDA
    if (on_cuda()) {
      cudaFree(data_);
      return;
    }
#endif
    ::operator delete(data_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

  void upload(const std::vector<T>& values) {
#ifdef TALUS_WITH_CUDA
    if (on_cuda()) {
      check_cuda(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice), "upload");
      return;
    }
#endif
    if (!values.empty()) std::memcpy(static_cast<void*>(data_), values.data(), bytes());
  }
  std::vector<T> download() const {
    std::vector<T> values(size_);
#ifdef TALUS_WITH_CUDA
    if (on_cuda()) {
      check_cuda(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost), "download");
      return values;
    }
#endif
    std::memcpy(static_cast<void*>(values.data()), data_, bytes());
    return values;
  }

 private:
  std::size_t bytes() const { return size_ * sizeof(T); }
  std::size_t size_;
  T* data_ = nullptr;
};

}  // namespace talus::test
