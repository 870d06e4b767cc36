// The triangle of a group of matrices, packed: the same element of all of them is one value, lanes<T>. The
// packed form is always the lower triangle; an upper one is its transpose, of Hermitian matrices conjugated,
// made on the way in and undone on the way out.
#pragma once

#include "host/lanes/tile.hpp"
#include "talus/types.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// Lower triangle of a group of matrices, in panels of E rows: panel p holds its columns one after the other,
/// E elements each, so that a tile's update streams through memory. A last panel is filled up with rows of
/// the identity where a routine asks for it.
template <class T>
struct triangle {
  static constexpr int E = side<T>;

  lanes<T>* data;
  const int* row;  // where row i begins: (i, k) is E * k further
  int n;

  TALUS_INLINE lanes<T>* panel(int p) const { return data + E * E * (p * (p + 1) / 2); }
  TALUS_INLINE lanes<T>& operator()(int i, int k) const { return data[row[i] + E * k]; }
};

/// The scratch of a group of solves with triangles of order n. Inverse: what divides by the diagonal.
template <class T, class Inverse>
struct triangle_workspace {
  triangle<T> L;
  Inverse* inverse;  // one for each of the diagonal, those included that fill the last panel up
  lanes<T>* X;       // E columns of right-hand sides, row by row

  static std::size_t bytes(int n) {
    constexpr int E = side<T>;
    const auto p = static_cast<std::size_t>(tiles(n, E));
    return (p * (p + 1) / 2 * E * E + p * E * E) * sizeof(lanes<T>) + p * E * (sizeof(Inverse) + sizeof(int));
  }

  triangle_workspace(int n, void* work) {
    constexpr int E = side<T>;
    const int p = tiles(n, E);
    const auto data = static_cast<lanes<T>*>(work);
    X = data + p * (p + 1) / 2 * E * E;
    inverse = reinterpret_cast<Inverse*>(X + p * E * E);
    int* const row = reinterpret_cast<int*>(inverse + p * E);
    for (int q = 0, i = 0; q < p; ++q) {
      for (int r = 0; r < E; ++r, ++i) row[i] = E * E * (q * (q + 1) / 2) + r;
    }
    L = {data, row, n};
  }
};

/// The stored triangle, an upper one transposed; all of it conjugated if asked for.
template <class T>
TALUS_INLINE void load(uplo uplo, bool conjugated, const T* const* A, int lda, const triangle<T>& L) {
  for (int j = 0; j < L.n; ++j) {
    const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(j) * lda;
    if (uplo == uplo::lower) {
      lanes<T>* const to = L.data + L.E * j;
      const int* const row = L.row + j;
      load_run(A, column + j, L.n - j, [&](int i) TALUS_INLINED -> lanes<T>& { return to[row[i]]; });
      if (is_complex<T> && conjugated) {
        for (int i = 0; i < L.n - j; ++i) to[row[i]] = conj<T>(to[row[i]]);
      }
    } else {
      lanes<T>* const to = L.data + L.row[j];
      load_run(A, column, j + 1, [&](int i) TALUS_INLINED -> lanes<T>& { return to[L.E * i]; });
      if (is_complex<T> && conjugated) {
        for (int i = 0; i <= j; ++i) to[L.E * i] = conj<T>(to[L.E * i]);
      }
    }
  }
}

/// Of Hermitian matrices, or their factors.
template <class T>
TALUS_INLINE void load(uplo uplo, const T* const* A, int lda, const triangle<T>& L) {
  load(uplo, uplo == uplo::upper, A, lda, L);
  if constexpr (is_complex<T>) {
    for (int j = 0; j < L.n; ++j) L(j, j).im = real_lanes<T>{};
  }
}

/// Rows of the identity up to a whole panel, and zeros above the diagonal of the diagonal tiles.
template <class T>
TALUS_INLINE void complete_tiles(const triangle<T>& L) {
  constexpr int E = side<T>;
  const int whole = tiles(L.n, E) * E;
  for (int i = L.n; i < whole; ++i) {
    for (int k = 0; k < i; ++k) L(i, k) = lanes<T>{};
    L(i, i) = element<T>(real_lanes<T>{} + 1);
  }
  for (int i = 0; i < whole; ++i) {
    for (int k = i + 1; k < (i / E + 1) * E; ++k) L(i, k) = lanes<T>{};
  }
}

template <class T>
TALUS_INLINE void store(uplo uplo, const triangle<T>& L, T* const* A, int lda, const int* good = nullptr) {
  for (int j = 0; j < L.n; ++j) {
    const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(j) * lda;
    if (uplo == uplo::lower) {
      const lanes<T>* const from = L.data + L.E * j;
      const int* const row = L.row + j;
      store_column(good, A, column + j, L.n - j, [&](int i) TALUS_INLINED { return from[row[i]]; });
    } else {
      const lanes<T>* const from = L.data + L.row[j];
      store_column(good, A, column, j + 1, [&](int i) TALUS_INLINED { return conj<T>(from[L.E * i]); });
    }
  }
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
