// Right-looking blocked Cholesky from separate kernels, for matrices too large for one block: Algorithm 1 of
// Abdelfattah, Haidar, Tomov, Dongarra (ICCS 2016), each line a launch over the whole batch.
#pragma once

#include "potrf_thread.cuh"
#include "syrk.cuh"
#include "trsm.cuh"

namespace talus::cuda {

/// In outer steps of nb columns, each factored in inner steps of B: what the inner steps update stays inside
/// the nb columns, what the outer step updates lies to their right and is read and written only n / nb times.
/// A matrix that fails is skipped by all later kernels, which read its info.
template <class T, int IB, int THREADS, int ROWS>
int launch_potrf_blocked(int nb, int tbc, uplo uplo, batch<T> A, int* info, queue q) {
  constexpr int B = potrf_blocked_order;
  const int n = A.n;
  for (int k = 0; k < n; k += nb) {
    const int right = std::min(k + nb, n);  // of the outer step's columns
    for (int j = k; j < right; j += B) {
      const int below = std::min(j + B, n);
      int status =
          launch_potrf_thread<T, IB, THREADS, ROWS>(tbc, uplo, A.block(j, j, below - j, below - j), info, j, q);
      if (status == 0 && below < n) status = launch_trsm_right<T, B>(uplo, A, info, j, q);
      if (status == 0 && below < right) status = launch_syrk_lower(uplo, A, info, j, below, below, right, q);
      if (status != 0) return status;
    }
    if (right < n) {
      if (const int status = launch_syrk_lower(uplo, A, info, k, right, right, n, q)) return status;
    }
  }
  return 0;
}

}  // namespace talus::cuda
