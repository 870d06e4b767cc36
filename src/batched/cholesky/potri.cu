// Inverse from a Cholesky factor on the GPU: the widest panel whose rows fit in shared memory.
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potri_panel.cuh"

namespace talus::cuda {

template <class T>
int potri(uplo uplo, batch<T> A, int* info, queue q) {
  using D = device_t<T>;
  if (A.n == 0) return clear_info(info, A.count, q);
  std::size_t limit = 0;
  if (const int status = shared_memory_limit(limit)) return status;
  limit -= 1024;  // what a block needs for itself
  const auto dA = on_device(A);
  if (cholesky::potri_panel_bytes<D, 8>(A.n) <= limit)
    return cholesky::launch_potri_panel<D, 8>(uplo, dA, info, q);
  if (cholesky::potri_panel_bytes<D, 4>(A.n) <= limit)
    return cholesky::launch_potri_panel<D, 4>(uplo, dA, info, q);
  if (cholesky::potri_panel_bytes<D, 2>(A.n) <= limit)
    return cholesky::launch_potri_panel<D, 2>(uplo, dA, info, q);
  return cholesky::launch_potri_panel<D, 1>(uplo, dA, info, q);
}

template int potri(uplo, batch<TALUS_T>, int*, queue);

}  // namespace talus::cuda
