// OpenBLAS on one thread per call, for loops over matrices that are parallel themselves.
#pragma once

#include <omp.h>

extern "C" {
int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);
}

namespace example {

/// Limits OpenBLAS to one thread for the object's lifetime, then restores its number of threads.
class one_thread_blas {
 public:
  one_thread_blas() { set_threads(1); }
  ~one_thread_blas() { set_threads(before_); }
  one_thread_blas(const one_thread_blas&) = delete;
  one_thread_blas& operator=(const one_thread_blas&) = delete;

 private:
  /// Keeps the number of OpenMP threads, which an OpenBLAS built with OpenMP changes.
  static void set_threads(int threads) {
    const int omp_threads = omp_get_max_threads();
    openblas_set_num_threads(threads);
    omp_set_num_threads(omp_threads);
  }

  int before_ = openblas_get_num_threads();
};

}  // namespace example
