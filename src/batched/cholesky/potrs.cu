// Solve with a Cholesky factor on the GPU.
#include "batched/blas/trsm.cuh"
#include "batched/cholesky/backends.hpp"

namespace talus::cuda {

template <>
int potrs(uplo uplo, batch<const TALUS_T> A, batch<TALUS_T> B, int* info, queue q) {
  return blas::solve(blas::plan_of_potrs<TALUS_T>(uplo), A, B, info, q);
}

}  // namespace talus::cuda
