// Left-looking blocked Cholesky from separate kernels, for matrices too large for one block. Algorithm 1 of
// Abdelfattah, Haidar, Tomov, Dongarra (ICCS 2016) with its update moved to where the panel is read anyway.
#pragma once

#include "potrf_smem.cuh"
#include "syrk_trsm.cuh"

namespace talus::cuda {

/// In steps of NB columns: what the columns to the left contribute to the diagonal block; its factorization;
/// what they contribute to the rows below, and the solve with it. A matrix that fails is skipped by all later
/// kernels, which read its info.
template <class T, int NB, int THREADS, int ROWS>
int launch_potrf_blocked(uplo uplo, batch<T> A, int* info, queue q) {
  const int n = A.n;
  // A kernel that finds no room to be loaded must not be met when the matrices are half factored: launched on
  // none of them, each is made ready before the first changes anything.
  batch<T> none = A.block(0, 0, std::min(n, NB), std::min(n, NB));
  none.count = 0;
  for (const int status : {launch_syrk_trsm<T, NB, false>(uplo, none, info, 0, 0, none.n, q),
                           launch_potrf_smem<T, THREADS, ROWS>(uplo, none, info, 0, q),
                           launch_syrk_trsm<T, NB, true>(uplo, none, info, 0, 0, none.n, q)}) {
    if (status != 0) return status;
  }
  for (int k = 0; k < n; k += NB) {
    const int below = std::min(k + NB, n);
    int status = k == 0 ? 0 : launch_syrk_trsm<T, NB, false>(uplo, A, info, k, k, below, q);
    if (status == 0)
      status = launch_potrf_smem<T, THREADS, ROWS>(uplo, A.block(k, k, below - k, below - k), info, k, q);
    if (status == 0 && below < n) status = launch_syrk_trsm<T, NB, true>(uplo, A, info, k, below, n, q);
    if (status != 0) return status;
  }
  return 0;
}

}  // namespace talus::cuda
