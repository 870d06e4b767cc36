// Solve with the factors of LU factorizations of mixed sizes on the GPU.
#include "batched/blas/trsm.cuh"
#include "batched/lu/backends.hpp"
#include "vbatched/blas/solve.cuh"

namespace talus::cuda {
namespace {

int solve(op op, variable_batch<const TALUS_T> A, const blas::infos_of_solve& infos,
          variable_batch<TALUS_T> B, int* info, int n_max, int nrhs_max, queue q) {
  const blas::systems_check<TALUS_T, blas::infos_of_solve> check = {A, B, infos, false,
                                                                    upto(n_max, nrhs_max)};
  return blas::solve_classes(check, info, q, [=](const blas::infos_of_solve& part) {
    return blas::plan_of_getrs<TALUS_T>(op, part.ipiv);
  });
}

}  // namespace

template <>
int getrs(op op, variable_batch<const TALUS_T> A, vectors<const int> ipiv, variable_batch<TALUS_T> B,
          int* info, int n_max, int nrhs_max, queue q) {
  return solve(op, A, {ipiv, true}, B, info, n_max, nrhs_max, q);
}

template <>
int getrs_nopiv(op op, variable_batch<const TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
                int nrhs_max, queue q) {
  return solve(op, A, {{}, false}, B, info, n_max, nrhs_max, q);
}

}  // namespace talus::cuda
