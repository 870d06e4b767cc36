// Right-looking blocked Cholesky from separate kernels, for matrices too large for one block: Algorithm 1 of
// Abdelfattah, Haidar, Tomov, Dongarra (ICCS 2016), each line a launch over the whole batch.
#pragma once

#include "potrf_smem.cuh"
#include "syrk.cuh"
#include "trsm.cuh"

namespace talus::cuda {

/// In steps of NB columns. A matrix that fails in one step is skipped by all later kernels, which read its
/// info. Bound by device memory: the trailing matrix is read and written n / NB times.
template <class T, int IB, int NB, int TBC, int THREADS>
int launch_potrf_blocked(uplo uplo, batch<T> A, int* info, queue q) {
  for (int j = 0; j < A.n; j += NB) {
    const int jb = std::min(NB, A.n - j);
    int status = launch_potrf_smem<T, IB, TBC, THREADS>(uplo, A.block(j, j, jb, jb), info, j, q);
    if (status == 0 && j + NB < A.n) status = launch_trsm_right<T, NB>(uplo, A, info, j, q);
    if (status == 0 && j + NB < A.n) status = launch_syrk_lower<T, NB>(uplo, A, info, j, q);
    if (status != 0) return status;
  }
  return 0;
}

}  // namespace talus::cuda
