// One matrix on the calling thread, with OpenBLAS for the products. Its xTRSM, xSYRK and xHERK copy what they
// read into blocks of their own, so that their bits do not depend on where a matrix lies; its xPOTRF does not
// keep what Talus promises: it takes NaN for a pivot, leaves columns before a failed pivot unfinished, and on
// some processors sums in an order that depends on a matrix's alignment.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "batch.hpp"
#include "host/cholesky/kernels.hpp"
#include "host/lapack.hpp"
#include "talus/types.hpp"

namespace talus::host {

template <class T>
matrix<const T> read_only(const matrix<T>& A) {
  return {A.A, A.m, A.n, A.lda};
}

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
  lapack::trsm('L', letter, lower ? 'N' : 'C', B.m, B.n, A, lda, B.A, B.lda);
  lapack::trsm('L', letter, lower ? 'C' : 'N', B.m, B.n, A, lda, B.A, B.lda);
}

/// A copy of one triangle in scratch, with a real diagonal, whatever the matrix holds there. It begins at a
/// 64-byte line; columns are an odd number of lines apart, since those at powers of two compete for few lines
/// of a cache.
template <class T>
struct aligned_copy {
  static constexpr int line = 64 / sizeof(T);

  static std::size_t leading_dimension(int n) {
    return ((static_cast<std::size_t>(n) + line - 1) / line | 1) * line;
  }

  static std::size_t bytes(int n) {
    std::size_t all = 0;
    const bool overflow =
        __builtin_mul_overflow(leading_dimension(n), static_cast<std::size_t>(n) * sizeof(T), &all);
    return overflow ? std::numeric_limits<std::size_t>::max() : all;  // of which there is none to be had
  }

  static matrix<T> make(uplo uplo, const matrix<const T>& A, void* scratch) {
    const matrix<T> X{static_cast<T*>(scratch), A.n, A.n, static_cast<int>(leading_dimension(A.n))};
    copy_triangle(uplo, A, X);
    return X;
  }

  static void copy_triangle(uplo uplo, const matrix<const T>& from, const matrix<T>& to) {
    const bool lower = uplo == uplo::lower;
    for (int j = 0; j < from.n; ++j) {
      const int top = lower ? j : 0, rows = lower ? from.n - j : j + 1;
      std::copy_n(&from(top, j), rows, &to(top, j));
      to(j, j) = std::real(to(j, j));
    }
  }
};

/// Scratch of solve_if_factored.
template <class T>
std::size_t solve_bytes(int n) {
  return std::is_floating_point_v<T> ? 0 : aligned_copy<T>::bytes(n);
}

/// OpenBLAS would read imaginary parts of the diagonal: where there are any it gets a copy without.
template <class T>
int solve_if_factored(uplo uplo, const matrix<const T>& A, const matrix<T>& B, void* scratch) {
  const int info = failed_pivot(A);
  if (info > 0) return info;
  if (has_real_diagonal(A)) {
    solve(uplo, A.A, A.lda, B);
  } else {
    const matrix<T> L = aligned_copy<T>::make(uplo, A, scratch);
    solve(uplo, L.A, L.lda, B);
  }
  return 0;
}

/// By OpenBLAS's xPOTRI, on a copy: some of its kernels sum in another order where a matrix lies at another
/// distance from a 64-byte line. Scratch of aligned_copy.
template <class T>
int invert_if_factored(uplo uplo, const matrix<T>& A, void* scratch) {
  const matrix<const T> L = read_only(A);
  const int info = failed_pivot(L);
  if (info > 0) return info;
  const matrix<T> X = aligned_copy<T>::make(uplo, L, scratch);
  lapack::potri(static_cast<char>(uplo), A.n, X.A, X.lda);
  aligned_copy<T>::copy_triangle(uplo, read_only(X), A);
  return 0;
}

}  // namespace talus::host
