// LU of one matrix on the calling thread, with OpenBLAS for the products. Its xTRSM and xGEMM copy what they
// read into blocks of their own, so that their bits do not depend on where a matrix lies; its xGETRF does not
// keep what Talus promises of NaN and of equal pivots.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <utility>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/fronts.hpp"
#include "host/aligned.hpp"
#include "host/diagonal.hpp"
#include "host/lapack.hpp"
#include "host/lu/kernels.hpp"
#include "host/triangular.hpp"
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
  if (op == op::none && B.n < many_sides && has_normal_reciprocals(A, lda, B.m))
    return kernels.substitute(B.m, B.n, A, lda, ipiv, B.A, B.lda, scratch);
  const char letter = static_cast<char>(op);
  if (op == op::none) {
    if (ipiv != nullptr) exchange_rows(B, ipiv, B.m);
    lapack::trsm('L', 'L', letter, 'U', B.m, B.n, A, lda, B.A, B.lda);
    solve_triangle('L', 'U', letter, 'N', B.m, B.n, T(1), A, lda, B.A, B.lda);
  } else {
    solve_triangle('L', 'U', letter, 'N', B.m, B.n, T(1), A, lda, B.A, B.lda);
    lapack::trsm('L', 'L', letter, 'U', B.m, B.n, A, lda, B.A, B.lda);
    if (ipiv != nullptr) exchange_rows_back(B, ipiv, B.m);
  }
}

/// Returns 0, or the first j, from 1, whose pivot is no row from j to n. ipiv may be null.
inline int failed_exchange(const int* ipiv, int n) {
  for (int j = 1; ipiv != nullptr && j <= n; ++j) {
    if (ipiv[j - 1] < j || ipiv[j - 1] > n) return j;
  }
  return 0;
}

/// Returns 0, or the first column, from 1, whose pivot or diagonal element is illegal.
template <class T>
int failed_column(const matrix<const T>& A, const int* ipiv) {
  const int pivot = failed_pivot(A), exchange = failed_exchange(ipiv, A.n);
  return pivot == 0 || exchange == 0 ? pivot + exchange : std::min(pivot, exchange);
}

template <class T>
int solve_if_factored(const lu_kernels<T>& kernels, op op, const matrix<const T>& A, const int* ipiv,
                      const matrix<T>& B, void* scratch) {
  const int info = failed_column(A, ipiv);
  if (info == 0) solve(kernels, op, A.A, A.lda, ipiv, B, scratch);
  return info;
}

/// A21 <- A21 U^-1 as an elimination that is completed leaves it: under a zero on U's diagonal a column stays
/// undivided.
template <class T>
void divide_by(const matrix<T>& U, const matrix<T>& A21) {
  if (has_normal_reciprocals(U.A, U.lda, U.n))
    return lapack::trsm('R', 'U', 'N', 'N', A21.m, U.n, U.A, U.lda, A21.A, A21.lda);
  for (int j = 0; j < U.n; ++j) {
    T* const x = &A21(0, j);
    for (int l = 0; l < j; ++l) {
      for (int i = 0; i < A21.m; ++i) x[i] -= times(A21(i, l), U(l, j));
    }
    if (U(j, j) == T(0)) continue;
    for (int i = 0; i < A21.m; ++i) x[i] = quotient(x[i], U(j, j));
  }
}

template <class T>
void set_to_zero(const matrix<T>& A) {
  for (int j = 0; A.m > 0 && j < A.n; ++j) std::fill_n(&A(0, j), A.m, T(0));
}

/// Scratch of factor_split.
template <class T>
std::size_t split_bytes(const lu_kernels<T>& kernels, int k) {
  return std::max(factor_bytes(kernels, k, k), kernels.substitution_bytes(k));
}

/// A front in blocks: A11 is eliminated, the others become what `form` and `schur` ask for; info as
/// getrf_partial_split_batched documents it. OpenBLAS never sees a block without elements.
template <class T>
int factor_split(const lu_kernels<T>& kernels, form form, schur schur, const lu_fronts<matrix<T>>& A,
                 const elimination<real_type<T>>& each, void* scratch) {
  const matrix<T>&A11 = A.A11, &A12 = A.A12, &A21 = A.A21, &A22 = A.A22;
  const int k = A11.n, m2 = A22.m, n2 = A22.n;
  const int info = factor(kernels, A11, each, scratch);
  if (form == form::left) {
    if (info > 0) return info;
    if (k > 0) solve(kernels, op::none, A11.A, A11.lda, each.ipiv, A12, scratch);  // A11^-1 A12
  } else if (k > 0) {
    if (n2 > 0) {
      if (each.ipiv != nullptr) exchange_rows(A12, each.ipiv, k);
      lapack::trsm('L', 'L', 'N', 'U', k, n2, A11.A, A11.lda, A12.A, A12.lda);  // U12 = L11^-1 P^T A12
    }
    if (m2 > 0) divide_by(A11, A21);  // L21 = A21 U11^-1
  }
  if (m2 == 0 || n2 == 0) return info;
  const T sign = schur == schur::subtract ? T(-1) : T(1), rest = schur == schur::subtract ? T(1) : T(0);
  if (k > 0) {
    lapack::gemm('N', 'N', m2, n2, k, sign, A21.A, A21.lda, A12.A, A12.lda, rest, A22.A, A22.lda);
  } else if (schur == schur::product) {
    set_to_zero(A22);
  }
  return info;
}

/// C <- A^-1 = U^-1 L^-1 P^T from the factors in A, which C may lie on: they are copied first, to scratch of
/// aligned_bytes. There xTRTRI inverts U, some of whose kernels sum in an order that depends on a matrix's
/// alignment; then  C L = U^-1  is solved from right to left by blocks of columns. Where xTRTRI's division of
/// complex numbers would overflow, because U's diagonal is close to the largest number, U is scaled by a
/// power of two, and C, too.
template <class T>
int invert_if_factored(const matrix<const T>& A, const int* ipiv, const matrix<T>& C, void* scratch) {
  constexpr int nb = 64;
  const int n = A.n, info = failed_column(A, ipiv);
  if (info > 0) return info;
  const matrix<T> X = aligned_matrix<T>(n, n, scratch);
  int power = 0;
  for (int j = 0; j < n; ++j) {
    std::copy_n(&A(0, j), n, &X(0, j));
    if (largest_part(A(j, j)) > largest_divisor<T>) power = -8;
  }
  for (int j = 0; j < n; ++j) scale(&X(0, j), j + 1, power);
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
  for (int j = 0; j < n; ++j) scale(&C(0, j), n, power);
  for (int j = n - 1; j >= 0; --j) {
    if (ipiv[j] != j + 1) std::swap_ranges(&C(0, j), &C(0, j) + n, &C(0, ipiv[j] - 1));
  }
  return 0;
}

}  // namespace talus::host
