#pragma once

namespace talus::host {

/// While one of these lives, OpenBLAS works on one thread per call: the batch is what runs in parallel.
/// Several threads of a program may hold one at the same time; the last to let go restores OpenBLAS's number
/// of threads.
class one_thread_blas {
 public:
  one_thread_blas() noexcept;
  ~one_thread_blas();
  one_thread_blas(const one_thread_blas&) = delete;
  one_thread_blas& operator=(const one_thread_blas&) = delete;
};

}  // namespace talus::host
