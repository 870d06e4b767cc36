// Cholesky of one small matrix with its rows in the lanes: for the diagonal blocks of a larger one.
#pragma once

#include "host/lanes/columns.hpp"
#include "talus/types.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// The best of 32, 48 and 64, measured at n = 256 ... 700.
template <class T>
constexpr int potf2_n_max = sizeof(T) == sizeof(float) ? 64 : 48;

/// Column j from vector `first` on, less what the K columns from k on contribute.
template <int K, class T>
TALUS_INLINE void subtract_columns(const columns<T>& L, int j, int k, int first) {
  lanes<T> b[K];
  TALUS_UNROLL
  for (int q = 0; q < K; ++q) b[q] = L.broadcast(j, k + q);
  lanes<T>* const c = L.column(j);
  for (int v = first; v < L.vectors; ++v) {
    lanes<T> x = c[v];
    TALUS_UNROLL
    for (int q = 0; q < K; ++q) subtract_product_conj<T>(x, L.column(k + q)[v], b[q]);
    c[v] = x;
  }
}

/// Column j from or to the triangle that uplo names, where an upper one holds the conjugates.
template <bool TO_MATRIX, class T>
TALUS_INLINE void copy_column(uplo uplo, T* A, int lda, const columns<T>& L, int n, int j) {
  using R = real_of<T>;
  R* const a = reinterpret_cast<R*>(A + j * (std::ptrdiff_t{1} + lda));
  const auto copy = [&](std::ptrdiff_t step, R sign) TALUS_INLINED {
    for (int i = j; i < n; ++i) {
      R* const of_matrix = a + (i - j) * step * L.parts;
      R* const l = L.at(i, j);
      if constexpr (TO_MATRIX) {
        of_matrix[0] = l[0];
        if constexpr (is_complex<T>) of_matrix[1] = i == j ? R{0} : sign * l[L.W];
      } else {
        l[0] = of_matrix[0];
        if constexpr (is_complex<T>) l[L.W] = i == j ? R{0} : sign * of_matrix[1];
      }
    }
  };
  if (uplo == uplo::lower) {
    copy(1, R{1});
  } else {
    copy(lda, R{-1});
  }
}

/// Cholesky of one matrix, left-looking: for the diagonal blocks of a larger one.
template <class T>
int potf2(uplo uplo, int n, T* A, int lda, void* scratch) {
  using R = real_of<T>;
  const columns<T> L = {static_cast<lanes<T>*>(scratch), tiles(n, width_of<T>)};
  for (int j = 0; j < n; ++j) {
    for (int v = j / L.W; v < L.vectors; ++v) L.column(j)[v] = lanes<T>{};
    copy_column<false>(uplo, A, lda, L, n, j);
  }
  int info = 0;
  for (int j = 0; j < n && info == 0; ++j) {
    const int first = j / L.W;
    int k = 0;
    for (; k + 8 <= j; k += 8) subtract_columns<8>(L, j, k, first);
    if (k + 4 <= j) subtract_columns<4>(L, j, k, first), k += 4;
    for (; k < j; ++k) subtract_columns<1>(L, j, k, first);
    const R pivot = *L.at(j, j);
    if (!(pivot > 0)) {
      info = j + 1;
    } else {
      const real_lanes<T> root = square_root(pivot - real_lanes<T>{}), reciprocal = 1 / root;
      for (int v = first; v < L.vectors; ++v) L.column(j)[v] = L.column(j)[v] * reciprocal;
      *L.at(j, j) = root[0];
    }
  }
  const int done = info > 0 ? info - 1 : n;
  for (int j = 0; j < done; ++j) copy_column<true>(uplo, A, lda, L, n, j);
  if (info > 0) {
    R* const pivot = reinterpret_cast<R*>(A + done * (std::ptrdiff_t{1} + lda));
    pivot[0] = *L.at(done, done);
    if constexpr (is_complex<T>) pivot[1] = 0;
  }
  return info;
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
