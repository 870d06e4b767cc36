// Solve with Cholesky factors of mixed sizes on the GPU.
#include "batched/blas/trsm.cuh"
#include "batched/cholesky/backends.hpp"
#include "vbatched/blas/solve.cuh"

namespace talus::cuda {

template <>
int potrs(uplo uplo, variable_batch<const TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
          int nrhs_max, queue q) {
  const blas::systems_check<TALUS_T, blas::infos_of_solve> check = {
      A, B, {{}, false}, false, upto(n_max, nrhs_max)};
  return blas::solve_classes(check, info, q,
                             [=](const blas::infos_of_solve&) { return blas::plan_of_potrs<TALUS_T>(uplo); });
}

}  // namespace talus::cuda
