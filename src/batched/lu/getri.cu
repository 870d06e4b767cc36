// Inverse from the factors of an LU factorization on the GPU, in their place and beside them.
#include "batched/blas/trsm.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/getri_panel.cuh"

namespace talus::cuda {

/// As the solution of A X = I where that stays on the chip.
template <>
int getri_outofplace(batch<const TALUS_T> A, vectors<const int> ipiv, batch<TALUS_T> C, int* info, queue q) {
  if (A.n > 0 && blas::is_inverted<TALUS_T>(A.n, A.count)) {
    const auto plan = blas::inverse_of(blas::plan_of_getrs<TALUS_T>(op::none, ipiv), blas::written::all);
    return blas::invert(plan, A, C, info, q);
  }
  return lu::invert_all(on_device(A), ipiv, on_device(C), info, q);
}

template <>
int getri(batch<TALUS_T> A, vectors<const int> ipiv, int* info, queue q) {
  return getri_outofplace(read_only(A), ipiv, A, info, q);
}

}  // namespace talus::cuda
