// What a call from Python needs of CUDA itself. Without CUDA in the build, no array gets this far.
#pragma once

#include <cstddef>

namespace talus::python {

/// Makes a device the current one, and afterwards the one that was.
class device_scope {
 public:
  explicit device_scope(int device);
  ~device_scope();
  device_scope(const device_scope&) = delete;

 private:
  int before_, device_;
};

/// A copy of host memory on the current device, made and freed in the stream's order. The host memory may be
/// changed as soon as the constructor has returned. A std::runtime_error says why there is none: a stream
/// that is captured cannot take what lies in host memory now.
class device_copy {
 public:
  device_copy(const void* host, std::size_t bytes, void* stream);
  ~device_copy();
  device_copy(const device_copy&) = delete;
  std::byte* get() const { return static_cast<std::byte*>(memory_); }

 private:
  void* memory_ = nullptr;
  void* stream_;
};

}  // namespace talus::python
