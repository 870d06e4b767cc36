// Solve with the factors of an LU factorization on the GPU.
#include "batched/blas/trsm.cuh"
#include "batched/lu/backends.hpp"

namespace talus::cuda {

template <>
int getrs(op op, batch<const TALUS_T> A, vectors<const int> ipiv, batch<TALUS_T> B, int* info, queue q) {
  return blas::solve(blas::plan_of_getrs<TALUS_T>(op, ipiv), A, B, info, q);
}

template <>
int getrs_nopiv(op op, batch<const TALUS_T> A, batch<TALUS_T> B, int* info, queue q) {
  return blas::solve(blas::plan_of_getrs<TALUS_T>(op, {}), A, B, info, q);
}

}  // namespace talus::cuda
