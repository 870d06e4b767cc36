#include "host/one_thread_blas.hpp"

#include <omp.h>

#include <mutex>

extern "C" {
int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);
}

namespace talus::host {
namespace {

std::mutex mutex;
int holders = 0;
int threads_before = 1;

/// An OpenBLAS that is itself built on OpenMP also sets the OpenMP threads of its caller: not ours to change.
void set_blas_threads(int threads) {
  const int omp_threads = omp_get_max_threads();
  openblas_set_num_threads(threads);
  if (omp_get_max_threads() != omp_threads) omp_set_num_threads(omp_threads);
}

}  // namespace

one_thread_blas::one_thread_blas() noexcept {
  const std::lock_guard<std::mutex> lock(mutex);
  if (holders++ > 0) return;
  threads_before = openblas_get_num_threads();
  if (threads_before != 1) set_blas_threads(1);
}

one_thread_blas::~one_thread_blas() {
  const std::lock_guard<std::mutex> lock(mutex);
  if (--holders == 0 && threads_before != 1) set_blas_threads(threads_before);
}

}  // namespace talus::host
