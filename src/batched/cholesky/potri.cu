// Inverse from a Cholesky factor on the GPU: the widest panel whose rows fit in shared memory.
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potri_panel.cuh"

namespace talus::cuda {

template <>
int potri(uplo uplo, batch<TALUS_T> A, int* info, queue q) {
  using D = device_t<TALUS_T>;
  if (A.n == 0) return clear_info(info, A.count, q);
  return with_widest_panel<D>(
      A.n, [&](auto IB) { return cholesky::launch_potri_panel<D, IB>(uplo, on_device(A), info, q); });
}

}  // namespace talus::cuda
