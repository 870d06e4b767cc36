// Inverse from a Cholesky factor on the GPU: as the solution of A X = I where that stays on the chip; else with the
// widest panel whose rows fit in shared memory.
#include "batched/blas/trsm.hpp"
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potri_panel.cuh"

namespace talus::cuda {

template <>
int potri(uplo uplo, batch<TALUS_T> A, int* info, queue q) {
  using D = device_t<TALUS_T>;
  if (A.n == 0) return clear_info(info, A.count, q);
  if (blas::is_inverted<TALUS_T>(A.n, A.count)) {
    const auto part = uplo == talus::uplo::lower ? blas::written::lower : blas::written::upper;
    return blas::invert(blas::inverse_of(blas::plan_of_potrs<TALUS_T>(uplo), part), read_only(A), A, info, q);
  }
  return with_widest_panel<D>(
      A.n, [&](auto IB) { return cholesky::launch_potri_panel<D, IB>(uplo, on_device(A), info, q); });
}

}  // namespace talus::cuda
