// QR of one matrix on the calling thread, by OpenBLAS's LAPACK, on copies: its reflectors are applied by
// products of a matrix and a vector, some of which sum in another order where a matrix lies elsewhere.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <type_traits>

#include "batch.hpp"
#include "host/aligned.hpp"
#include "host/diagonal.hpp"
#include "host/lapack.hpp"
#include "host/qr/scaling.hpp"
#include "host/triangular.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// Columns, or rows, of the matrix that Q is applied to which are copied at a time.
constexpr int columns_at_a_time = 256;

/// Scratch of one matrix alone, of which m x n have to be copied: that copy, tau, powers of two, columns of
/// another matrix, and LAPACK's own.
template <class T>
struct one_matrix {
  matrix<T> X;  // m x n
  T* tau;
  int* powers;  // n of them, by which columns are multiplied
  T* columns;   // room for columns_at_a_time columns as long as the longer side, or rows
  T* work;

  static std::size_t sum(std::size_t a, std::size_t b) {
    std::size_t all = 0;
    return __builtin_add_overflow(a, b, &all) ? static_cast<std::size_t>(-1) : all;
  }
  static std::size_t tau_bytes(int m, int n) { return aligned_bytes<T>(std::min(m, n), 1); }
  static std::size_t powers_bytes(int n) {
    return (static_cast<std::size_t>(n) * sizeof(int) + 63) / 64 * 64;
  }
  static std::size_t columns_bytes(int m, int n) {
    const int longer = std::max(m, n);
    return std::max(aligned_bytes<T>(longer, columns_at_a_time), aligned_bytes<T>(columns_at_a_time, longer));
  }
  static std::size_t bytes(int m, int n, bool with_columns) {
    const std::size_t copies = sum(aligned_bytes<T>(m, n), with_columns ? columns_bytes(m, n) : 0);
    const int longest = std::max({m, n, columns_at_a_time});
    return sum(copies,
               tau_bytes(m, n) + powers_bytes(n) + lapack::work_elements(longest, longest) * sizeof(T));
  }

  one_matrix(int m, int n, bool with_columns, void* scratch) : X(aligned_matrix<T>(m, n, scratch)) {
    auto* next = static_cast<std::byte*>(scratch) + aligned_bytes<T>(m, n);
    tau = reinterpret_cast<T*>(next);
    next += tau_bytes(m, n);
    powers = reinterpret_cast<int*>(next);
    next += powers_bytes(n);
    columns = reinterpret_cast<T*>(next);
    if (with_columns) next += columns_bytes(m, n);
    work = reinterpret_cast<T*>(next);
  }
};

template <class E, class T>
void copy_columns(const matrix<E>& from, int rows, int columns, const matrix<T>& to) {
  for (int j = 0; j < columns; ++j) std::copy_n(&from(0, j), rows, &to(0, j));
}

/// Factors what copy() puts into one.X.
template <class T, class Copy>
void factor_copy(const one_matrix<T>& one, T* tau, Copy copy) {
  const matrix<T>& X = one.X;
  const auto factor = [&] { lapack::geqrf(X.m, X.n, X.A, X.lda, tau, one.work); };
  scale_triangle_back(X, factor_scaled(X, one.powers, copy, factor));
}

template <class T>
void factor(const matrix<T>& A, T* tau, void* scratch) {
  const one_matrix<T> one(A.m, A.n, false, scratch);
  factor_copy(one, tau, [&] { copy_columns(A, A.m, A.n, one.X); });
  copy_columns(one.X, A.m, A.n, A);
}

/// C <- op(Q) C, or C op(Q), with the A.n reflectors in A.
template <class T>
void multiply(side side, bool adjoint, const matrix<const T>& A, const T* tau, const matrix<T>& C,
              void* scratch) {
  if (C.m == 0 || C.n == 0) return;
  const one_matrix<T> one(A.m, A.n, true, scratch);
  const bool left = side == side::left;
  const int all = left ? C.n : C.m;
  copy_columns(A, A.m, A.n, one.X);
  for (int j = 0; j < all; j += columns_at_a_time) {
    const int some = std::min(columns_at_a_time, all - j), m = left ? C.m : some, n = left ? some : C.n;
    const matrix<T> part = {left ? &C(0, j) : &C(j, 0), m, n, C.lda},
                    Y = aligned_matrix<T>(m, n, one.columns);
    copy_columns(part, m, n, Y);
    lapack::ormqr(static_cast<char>(side), adjoint, m, n, A.n, one.X.A, one.X.lda, tau, Y.A, Y.lda, one.work);
    copy_columns(Y, m, n, part);
  }
}

/// The first A.n columns of the Q of k reflectors take the place of those.
template <class T>
void form(int k, const matrix<T>& A, const T* tau, void* scratch) {
  const one_matrix<T> one(A.m, A.n, false, scratch);
  copy_columns(A, A.m, k, one.X);
  lapack::orgqr(A.m, A.n, k, one.X.A, one.X.lda, tau, one.work);
  copy_columns(one.X, A.m, A.n, A);
}

template <class T>
void factor_and_form(const matrix<T>& A, const matrix<T>& R, void* scratch) {
  const one_matrix<T> one(A.m, A.n, false, scratch);
  const int k = std::min(A.m, A.n);
  factor_copy(one, one.tau, [&] { copy_columns(A, A.m, A.n, one.X); });
  for (int j = 0; j < A.n; ++j) {
    const int above = std::min(j + 1, k);
    std::copy_n(&one.X(0, j), above, &R(0, j));
    std::fill_n(&R(0, j) + above, k - above, T(0));
  }
  lapack::orgqr(A.m, k, k, one.X.A, one.X.lda, one.tau, one.work);
  copy_columns(one.X, A.m, k, A);
}

template <class T>
T conjugate(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x;
  } else {
    return std::conj(x);
  }
}

/// gels with A, or A^H: by the QR of the tall one of them. A stays as it is.
template <class T>
int solve(bool adjoint, const matrix<T>& A, const matrix<T>& B, void* scratch) {
  const bool tall = A.m >= A.n, least_norm = adjoint == tall;
  const int p = std::max(A.m, A.n), k = std::min(A.m, A.n), given = least_norm ? k : p;
  const one_matrix<T> one(p, k, true, scratch);
  const matrix<T>& X = one.X;
  const auto copy = [&] {
    if (tall) return copy_columns(A, p, k, X);
    for (int j = 0; j < p; ++j) {
      for (int i = 0; i < k; ++i) X(j, i) = conjugate(A(i, j));
    }
  };
  const int* const powers =
      factor_scaled(X, one.powers, copy, [&] { lapack::geqrf(p, k, X.A, X.lda, one.tau, one.work); });
  const int info = failed_pivot(read_only(X));
  if (info > 0) return info;

  for (int j = 0; j < B.n; j += columns_at_a_time) {
    const int some = std::min(columns_at_a_time, B.n - j);
    const matrix<T> part = {&B(0, j), p, some, B.lda}, Y = aligned_matrix<T>(p, some, one.columns);
    copy_columns(part, given, some, Y);
    int of_sides[columns_at_a_time];
    scale_sides(Y, given, least_norm ? powers : nullptr, of_sides);
    if (least_norm) {
      solve_triangle('L', 'U', 'C', 'N', k, some, T(1), X.A, X.lda, Y.A, Y.lda);
      for (int c = 0; c < some; ++c) std::fill_n(&Y(0, c) + k, p - k, T(0));
    }
    lapack::ormqr('L', !least_norm, p, some, k, X.A, X.lda, one.tau, Y.A, Y.lda, one.work);
    if (!least_norm) solve_triangle('L', 'U', 'N', 'N', k, some, T(1), X.A, X.lda, Y.A, Y.lda);
    scale_solutions_back(Y, k, least_norm ? nullptr : powers, of_sides);
    copy_columns(Y, p, some, part);
  }
  return 0;
}

}  // namespace talus::host
