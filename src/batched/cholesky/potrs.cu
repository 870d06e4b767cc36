// Solve with a Cholesky factor on the GPU: one kernel, its threads per matrix chosen by n.
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potrs_panel.cuh"

namespace talus::cuda {

template <>
int potrs(uplo uplo, batch<const TALUS_T> A, batch<TALUS_T> B, int* info, queue q) {
  using D = device_t<TALUS_T>;
  if (A.n == 0) return clear_info(info, A.count, q);
  const auto dA = on_device(A);
  const auto dB = on_device(B);
  if (A.n <= 4) return cholesky::launch_potrs_panel<D, 4>(uplo, dA, dB, info, q);
  if (A.n <= 8) return cholesky::launch_potrs_panel<D, 8>(uplo, dA, dB, info, q);
  if (A.n <= 16) return cholesky::launch_potrs_panel<D, 16>(uplo, dA, dB, info, q);
  if (A.n <= 32) return cholesky::launch_potrs_panel<D, 32>(uplo, dA, dB, info, q);
  if (A.n <= 64) return cholesky::launch_potrs_panel<D, 64>(uplo, dA, dB, info, q);
  return cholesky::launch_potrs_panel<D, 256>(uplo, dA, dB, info, q);
}

}  // namespace talus::cuda
