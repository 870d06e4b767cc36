// Solve with a Cholesky factor on the GPU.
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potrs_panel.cuh"

namespace talus::cuda {

template <>
int potrs(uplo uplo, batch<const TALUS_T> A, batch<TALUS_T> B, int* info, queue q) {
  return solve_all(cholesky::factors{uplo}, on_device(A), on_device(B), info, q);
}

}  // namespace talus::cuda
