// LU of one matrix on the calling thread, with OpenBLAS for the products. Its xTRSM and xGEMM copy what they
// read into blocks of their own, so that their bits do not depend on where a matrix lies; its xGETRF does not
// keep what Talus promises of NaN and of equal pivots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "host/aligned.hpp"
#include "host/diagonal.hpp"
#include "host/lapack.hpp"
#include "host/lu/kernels.hpp"
#include "talus/types.hpp"

namespace talus::host {

template <class T>
matrix<T> block(const matrix<T>& A, int i, int j, int m, int n) {
  return {A.A + i + static_cast<std::ptrdiff_t>(j) * A.lda, m, n, A.lda};
}

/// Row i trades places with row ipiv[i], which counts from 1: from the first pivot to the last, or back.
template <class T>
void exchange_rows(const matrix<T>& A, const int* ipiv, int pivots) {
  for (int j = 0; j < A.n; ++j) {
    for (int i = 0; i < pivots; ++i) std::swap(A(i, j), A(ipiv[i] - 1, j));
  }
}
template <class T>
void exchange_rows_back(const matrix<T>& A, const int* ipiv, int pivots) {
  for (int j = 0; j < A.n; ++j) {
    for (int i = pivots - 1; i >= 0; --i) std::swap(A(i, j), A(ipiv[i] - 1, j));
  }
}

/// A panel is worked on as one up to this many columns and bytes: more of it would not stay in a near cache
/// from one column to the next. A few columns always are. The best of 16 ... 256 columns for all n up to
/// 512, be OpenBLAS's products those of AVX2 or of AVX-512.
constexpr int panel_columns = 256, panel_columns_at_least = 32;
constexpr std::size_t panel_most_bytes = 2 << 20;

template <class T>
bool is_one_panel(const lu_kernels<T>& kernels, int m, int n) {
  return n <= panel_columns_at_least || (n <= panel_columns && kernels.panel_bytes(m, n) <= panel_most_bytes);
}

/// Scratch of factor.
template <class T>
std::size_t factor_bytes(const lu_kernels<T>& kernels, int m, int n) {
  return std::min(kernels.panel_bytes(m, std::min(n, panel_columns)),
                  std::max(panel_most_bytes, kernels.panel_bytes(m, panel_columns_at_least)));
}

/// Eliminates each.columns columns, with or without (ipiv is null) row exchanges, recursively: the left ones,
/// what they make of the others, then those. info as getrf_batched documents it. each.replaced counts on.
template <class T>
int factor(const lu_kernels<T>& kernels, const matrix<T>& A, const elimination<real_type<T>>& each,
           void* scratch) {
  const int k = each.columns;
  if (k == 0) return 0;
  if (A.n == k && is_one_panel(kernels, A.m, k)) return kernels.panel(A.m, k, A.A, A.lda, each, scratch);

  const int left = A.n > k ? k : (k / 2 + 15) / 16 * 16, right = A.n - left, below = A.m - left;
  elimination<real_type<T>> part = each;
  part.columns = left;
  int info = factor(kernels, block(A, 0, 0, A.m, left), part, scratch);

  if (each.ipiv != nullptr) exchange_rows(block(A, 0, left, A.m, right), each.ipiv, left);
  lapack::trsm('L', 'L', 'N', 'U', left, right, A.A, A.lda, &A(0, left), A.lda);
  if (below == 0) return info;
  lapack::subtract_product(below, right, left, &A(left, 0), A.lda, &A(0, left), A.lda, &A(left, left), A.lda);
  if (k == left) return info;

  part.columns = k - left;
  part.pivot_rows = each.pivot_rows - left;
  if (each.ipiv != nullptr) part.ipiv = each.ipiv + left;
  const int info_right = factor(kernels, block(A, left, left, below, right), part, scratch);
  if (info == 0 && info_right > 0) info = left + info_right;
  if (each.ipiv != nullptr) {
    exchange_rows(block(A, left, 0, below, left), part.ipiv, k - left);
    for (int i = left; i < k; ++i) each.ipiv[i] += left;
  }
  return info;
}

/// Right-hand sides from which on OpenBLAS's xTRSM is worth the copies it makes of A.
constexpr int many_sides = 16;

/// B <- op(A)^-1 B with the factors in A; ipiv may be null. Scratch of substitution_bytes.
template <class T>
void solve(const lu_kernels<T>& kernels, op op, const T* A, int lda, const int* ipiv, const matrix<T>& B,
           void* scratch) {
  if (B.n == 0) return;
  if (op == op::none && B.n < many_sides)
    return kernels.substitute(B.m, B.n, A, lda, ipiv, B.A, B.lda, scratch);
  const char letter = static_cast<char>(op);
  if (op == op::none) {
    if (ipiv != nullptr) exchange_rows(B, ipiv, B.m);
    lapack::trsm('L', 'L', letter, 'U', B.m, B.n, A, lda, B.A, B.lda);
    lapack::trsm('L', 'U', letter, 'N', B.m, B.n, A, lda, B.A, B.lda);
  } else {
    lapack::trsm('L', 'U', letter, 'N', B.m, B.n, A, lda, B.A, B.lda);
    lapack::trsm('L', 'L', letter, 'U', B.m, B.n, A, lda, B.A, B.lda);
    if (ipiv != nullptr) exchange_rows_back(B, ipiv, B.m);
  }
}

template <class T>
int solve_if_factored(const lu_kernels<T>& kernels, op op, const matrix<const T>& A, const int* ipiv,
                      const matrix<T>& B, void* scratch) {
  const int info = failed_pivot(A);
  if (info == 0) solve(kernels, op, A.A, A.lda, ipiv, B, scratch);
  return info;
}

/// C <- A^-1 = U^-1 L^-1 P^T from the factors in A, which C may lie on: they are copied first, to scratch of
/// aligned_bytes. There xTRTRI inverts U, some of whose kernels sum in an order that depends on a matrix's
/// alignment; then  C L = U^-1  is solved from right to left by blocks of columns.
template <class T>
int invert_if_factored(const matrix<const T>& A, const int* ipiv, const matrix<T>& C, void* scratch) {
  constexpr int nb = 64;
  const int n = A.n, info = failed_pivot(A);
  if (info > 0) return info;
  const matrix<T> X = aligned_matrix<T>(n, n, scratch);
  for (int j = 0; j < n; ++j) std::copy_n(&A(0, j), n, &X(0, j));
  lapack::trtri('U', n, X.A, X.lda);
  for (int j = (n - 1) / nb * nb; j >= 0; j -= nb) {
    const int jb = std::min(nb, n - j), next = j + jb;
    for (int c = j; c < next; ++c) {
      std::copy_n(&X(0, c), c + 1, &C(0, c));
      std::fill_n(&C(0, c) + c + 1, n - c - 1, T(0));
    }
    if (next < n) {
      lapack::subtract_product(n, jb, n - next, &C(0, next), C.lda, &X(next, j), X.lda, &C(0, j), C.lda);
    }
    lapack::trsm('R', 'L', 'N', 'U', n, jb, &X(j, j), X.lda, &C(0, j), C.lda);
  }
  for (int j = n - 1; j >= 0; --j) {
    if (ipiv[j] != j + 1) std::swap_ranges(&C(0, j), &C(0, j) + n, &C(0, ipiv[j] - 1));
  }
  return 0;
}

}  // namespace talus::host
