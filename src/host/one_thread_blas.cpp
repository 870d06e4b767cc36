#include "host/one_thread_blas.hpp"

#include <mutex>

extern "C" {
void openblas_set_num_threads(int);
int openblas_get_num_threads(void);
}

namespace talus::host {
namespace {
std::mutex guard;
int inside = 0, users_threads = 1;
}  // namespace

one_thread_blas::one_thread_blas() noexcept {
  const std::lock_guard<std::mutex> lock(guard);
  if (inside++ > 0) return;
  users_threads = openblas_get_num_threads();
  if (users_threads != 1) openblas_set_num_threads(1);
}

one_thread_blas::~one_thread_blas() {
  const std::lock_guard<std::mutex> lock(guard);
  if (--inside == 0 && users_threads != 1) openblas_set_num_threads(users_threads);
}

}  // namespace talus::host
