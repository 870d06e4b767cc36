// Solve with Cholesky factors of mixed sizes on the GPU.
#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potrs_panel.cuh"
#include "vbatched/cholesky/check.hpp"
#include "vbatched/panel_solve.cuh"

namespace talus::cuda {

template <>
int potrs(uplo uplo, variable_batch<const TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
          int nrhs_max, queue q) {
  const cholesky::system_check<TALUS_T> check{A, B, upto(n_max), nrhs_max};
  return solve_classes(check, info, q, [&](const auto&) { return cholesky::factors{uplo}; });
}

}  // namespace talus::cuda
