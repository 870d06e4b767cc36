// OpenBLAS on one thread per caller, for as long as a Talus call runs.
#pragma once

namespace talus::host {

/// While one of these lives, OpenBLAS starts no threads of its own: Talus calls it from its own threads, one
/// matrix each. Calls of Talus from several threads share one state: the first to come in saves the user's
/// number of threads, the last to go restores it.
class one_thread_blas {
 public:
  one_thread_blas() noexcept;
  ~one_thread_blas();
  one_thread_blas(const one_thread_blas&) = delete;
  one_thread_blas& operator=(const one_thread_blas&) = delete;
};

}  // namespace talus::host
