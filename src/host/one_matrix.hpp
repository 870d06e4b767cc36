// One matrix on the calling thread, with OpenBLAS for the products. Its xTRSM, xSYRK and xHERK copy what they
// read into blocks of their own, so that their bits do not depend on where a matrix lies; its xPOTRF does not
// keep what Talus promises: it takes NaN for a pivot, leaves columns before a failed pivot unfinished, and on
// some processors sums in an order that depends on a matrix's alignment.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>

#include "batch.hpp"
#include "host/lanes.hpp"
#include "host/lapack.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// Scratch of factor.
template <class T>
std::size_t factor_bytes(const lane_functions<T>& lanes) {
  const auto nb = static_cast<std::size_t>(lanes.potf2_n_max);
  return nb * (nb + lanes_max) * sizeof(T);
}

/// Cholesky, right-looking by blocks of potf2_n_max columns; info as potrf_batched documents it.
template <class T>
int factor(const lane_functions<T>& lanes, uplo uplo, const matrix<T>& A, void* scratch) {
  const int nb = lanes.potf2_n_max;
  for (int k = 0; k < A.n; k += nb) {
    const int kb = std::min(nb, A.n - k), next = k + kb, rest = A.n - next;
    const int info = lanes.potf2(uplo, kb, &A(k, k), A.lda, scratch);
    const int done = info > 0 ? info - 1 : kb;  // columns before a failed pivot are finished
    if (rest > 0 && done > 0) {
      if (uplo == uplo::lower) {
        lapack::trsm('R', 'L', 'C', rest, done, &A(k, k), A.lda, &A(next, k), A.lda);
        if (info == 0) lapack::subtract_herk('L', 'N', rest, kb, &A(next, k), A.lda, &A(next, next), A.lda);
      } else {
        lapack::trsm('L', 'U', 'C', done, rest, &A(k, k), A.lda, &A(k, next), A.lda);
        if (info == 0) lapack::subtract_herk('U', 'C', rest, kb, &A(k, next), A.lda, &A(next, next), A.lda);
      }
    }
    if (info > 0) return k + info;
  }
  return 0;
}

/// 0, or the first j, from 1, whose diagonal element is not > 0: where potrf failed.
template <class T>
int failed_pivot(const matrix<T>& A) {
  for (int j = 0; j < A.n; ++j) {
    if (!(std::real(A(j, j)) > 0)) return j + 1;
  }
  return 0;
}

/// B <- A^-1 B with the factor in A.
template <class T>
void solve(uplo uplo, const T* A, int lda, const matrix<T>& B) {
  const bool lower = uplo == uplo::lower;
  const char letter = static_cast<char>(uplo);
  if (B.n == 0) return;
  lapack::trsm('L', letter, lower ? 'N' : 'C', B.m, B.n, A, lda, B.A, B.lda);
  lapack::trsm('L', letter, lower ? 'C' : 'N', B.m, B.n, A, lda, B.A, B.lda);
}

}  // namespace talus::host
