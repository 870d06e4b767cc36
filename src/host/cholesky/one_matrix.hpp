// One matrix on the calling thread, with OpenBLAS for the products. Its xTRSM, xSYRK and xHERK copy what they
// read into blocks of their own, so that their bits do not depend on where a matrix lies; its xPOTRF does not
// keep what Talus promises: it takes NaN for a pivot, leaves columns before a failed pivot unfinished, and on
// some processors sums in an order that depends on a matrix's alignment.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <type_traits>

#include "batch.hpp"
#include "host/aligned.hpp"
#include "host/cholesky/kernels.hpp"
#include "host/lapack.hpp"
#include "host/triangular.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// Scratch of factor.
template <class T>
std::size_t factor_bytes(const cholesky_kernels<T>& kernels) {
  const auto nb = static_cast<std::size_t>(kernels.potf2_n_max);
  return nb * (nb + lanes_max) * sizeof(T);
}

/// Cholesky, right-looking by blocks of potf2_n_max columns; info as potrf_batched documents it.
template <class T>
int factor(const cholesky_kernels<T>& kernels, uplo uplo, const matrix<T>& A, void* scratch) {
  const int nb = kernels.potf2_n_max;
  for (int k = 0; k < A.n; k += nb) {
    const int kb = std::min(nb, A.n - k), next = k + kb, rest = A.n - next;
    const int info = kernels.potf2(uplo, kb, &A(k, k), A.lda, scratch);
    const int done = info > 0 ? info - 1 : kb;  // columns before a failed pivot are finished
    if (rest > 0 && done > 0) {
      if (uplo == uplo::lower) {
        lapack::trsm('R', 'L', 'C', 'N', rest, done, &A(k, k), A.lda, &A(next, k), A.lda);
        if (info == 0) lapack::subtract_herk('L', 'N', rest, kb, &A(next, k), A.lda, &A(next, next), A.lda);
      } else {
        lapack::trsm('L', 'U', 'C', 'N', done, rest, &A(k, k), A.lda, &A(k, next), A.lda);
        if (info == 0) lapack::subtract_herk('U', 'C', rest, kb, &A(k, next), A.lda, &A(next, next), A.lda);
      }
    }
    if (info > 0) return k + info;
  }
  return 0;
}

/// Rows i ... i+m-1 and columns j ... j+n-1 of a matrix. One without elements starts nowhere: that may be
/// beyond the matrix's end.
template <class T>
matrix<T> block_of(const matrix<T>& A, int i, int j, int m, int n) {
  return {m > 0 && n > 0 ? &A(i, j) : nullptr, m, n, A.lda};
}

/// Partial Cholesky of a front in three blocks, A21 n2 x k or for uplo::upper k x n2: the factor over A11 and
/// A21, the Schur complement over A22's triangle. Scratch of factor; info as potrf_partial_batched documents
/// it. OpenBLAS never sees a block without elements. Where no column is eliminated nothing is written, so
/// imaginary parts of A22's diagonal stay.
///
/// A front in one piece gets the bits of one in blocks: xTRSM and xHERK copy A11 and A21 into blocks of their
/// own before they sum, in an order that the extents alone decide, and add each sum to its element of A22 at
/// once, which rounds the same wherever A22 lies.
template <class T>
int factor_partial(const cholesky_kernels<T>& kernels, uplo uplo, const matrix<T>& A11, const matrix<T>& A21,
                   const matrix<T>& A22, void* scratch) {
  const int k = A11.n, n2 = A22.n;
  const int info = k > 0 ? factor(kernels, uplo, A11, scratch) : 0;
  if (info > 0 || k == 0 || n2 == 0) return info;
  if (uplo == uplo::lower) {
    lapack::trsm('R', 'L', 'C', 'N', n2, k, A11.A, A11.lda, A21.A, A21.lda);  // L21 = A21 L11^-H
    lapack::subtract_herk('L', 'N', n2, k, A21.A, A21.lda, A22.A, A22.lda);   // A22 - L21 L21^H
  } else {
    lapack::trsm('L', 'U', 'C', 'N', k, n2, A11.A, A11.lda, A21.A, A21.lda);  // U12 = U11^-H A12
    lapack::subtract_herk('U', 'C', n2, k, A21.A, A21.lda, A22.A, A22.lda);   // A22 - U12^H U12
  }
  return 0;
}

/// The same of a front in one piece.
template <class T>
int factor_partial(const cholesky_kernels<T>& kernels, uplo uplo, const matrix<T>& A, int k, void* scratch) {
  const int n2 = A.n - k;
  const matrix<T> A21 = uplo == uplo::lower ? block_of(A, k, 0, n2, k) : block_of(A, 0, k, k, n2);
  return factor_partial(kernels, uplo, block_of(A, 0, 0, k, k), A21, block_of(A, k, k, n2, n2), scratch);
}

/// 0, or the first j, from 1, whose diagonal element is not > 0: where potrf failed.
template <class T>
int failed_pivot(const matrix<T>& A) {
  for (int j = 0; j < A.n; ++j) {
    if (!(std::real(A(j, j)) > 0)) return j + 1;
  }
  return 0;
}

/// A negative zero counts as zero: it takes nothing away from a product.
template <class T>
bool has_real_diagonal(const matrix<T>& A) {
  for (int j = 0; j < A.n; ++j) {
    if (!(std::imag(A(j, j)) == 0)) return false;
  }
  return true;
}

/// B <- A^-1 B with the factor in A.
template <class T>
void solve(uplo uplo, const T* A, int lda, const matrix<T>& B) {
  const bool lower = uplo == uplo::lower;
  const char letter = static_cast<char>(uplo);
  if (B.n == 0) return;
  solve_triangle('L', letter, lower ? 'N' : 'C', 'N', B.m, B.n, T(1), A, lda, B.A, B.lda);
  solve_triangle('L', letter, lower ? 'C' : 'N', 'N', B.m, B.n, T(1), A, lda, B.A, B.lda);
}

/// One triangle, with a real diagonal, whatever the matrix holds there.
template <class T>
void copy_triangle(uplo uplo, const matrix<const T>& from, const matrix<T>& to) {
  const bool lower = uplo == uplo::lower;
  for (int j = 0; j < from.n; ++j) {
    const int top = lower ? j : 0, rows = lower ? from.n - j : j + 1;
    std::copy_n(&from(top, j), rows, &to(top, j));
    to(j, j) = std::real(to(j, j));
  }
}

/// A copy of one triangle in scratch of aligned_bytes.
template <class T>
matrix<T> aligned_triangle(uplo uplo, const matrix<const T>& A, void* scratch) {
  const matrix<T> X = aligned_matrix<T>(A.n, A.n, scratch);
  copy_triangle(uplo, A, X);
  return X;
}

/// Scratch of solve_if_factored.
template <class T>
std::size_t solve_bytes(int n) {
  return std::is_floating_point_v<T> ? 0 : aligned_bytes<T>(n, n);
}

/// OpenBLAS would read imaginary parts of the diagonal: where there are any it gets a copy without.
template <class T>
int solve_if_factored(uplo uplo, const matrix<const T>& A, const matrix<T>& B, void* scratch) {
  const int info = failed_pivot(A);
  if (info > 0) return info;
  if (has_real_diagonal(A)) {
    solve(uplo, A.A, A.lda, B);
  } else {
    const matrix<T> L = aligned_triangle(uplo, A, scratch);
    solve(uplo, L.A, L.lda, B);
  }
  return 0;
}

/// By OpenBLAS's xPOTRI, on a copy: some of its kernels sum in another order where a matrix lies at another
/// distance from a 64-byte line. Scratch of aligned_bytes.
template <class T>
int invert_if_factored(uplo uplo, const matrix<T>& A, void* scratch) {
  const matrix<const T> L = read_only(A);
  const int info = failed_pivot(L);
  if (info > 0) return info;
  const matrix<T> X = aligned_triangle(uplo, L, scratch);
  lapack::potri(static_cast<char>(uplo), A.n, X.A, X.lda);
  copy_triangle(uplo, read_only(X), A);
  return 0;
}

}  // namespace talus::host
