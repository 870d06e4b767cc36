// A group of rectangular matrices, packed: the same element of all of them is one value, lanes<T>.
#pragma once

#include "host/lanes/tile.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// In panels of E rows: panel p holds its columns one after the other, E elements each, so that a tile's
/// update streams through memory. Rows and columns are filled up to whole tiles.
template <class T>
struct rectangle {
  static constexpr int E = side<T>;

  lanes<T>* data;
  const int* row;  // where row i begins: (i, k) is E * k further
  int m, n;

  static std::size_t elements(int m, int n) {
    return static_cast<std::size_t>(tiles(m, E)) * static_cast<std::size_t>(tiles(n, E)) * (E * E);
  }
  static void set_rows(int m, int n, int* row) {
    const int panel = E * E * tiles(n, E);
    for (int p = 0, i = 0; p < tiles(m, E); ++p) {
      for (int u = 0; u < E; ++u, ++i) row[i] = p * panel + u;
    }
  }

  TALUS_INLINE lanes<T>* panel(int p) const { return data + row[p * E]; }
  TALUS_INLINE lanes<T>* tile(int p, int q) const { return panel(p) + q * E * E; }
  TALUS_INLINE lanes<T>& operator()(int i, int k) const { return data[row[i] + E * k]; }
};

/// What fills the tiles up is zero.
template <class T>
TALUS_INLINE void load(const T* const* A, int lda, const rectangle<T>& X) {
  constexpr int E = side<T>;
  const int rows = tiles(X.m, E) * E, columns = tiles(X.n, E) * E;
  for (int j = 0; j < X.n; ++j) {
    lanes<T>* const to = X.data + E * j;
    const int* const row = X.row;
    load_run(A, static_cast<std::ptrdiff_t>(j) * lda, X.m,
             [&](int i) TALUS_INLINED -> lanes<T>& { return to[row[i]]; });
  }
  for (int j = 0; j < columns; ++j) {
    for (int i = j < X.n ? X.m : 0; i < rows; ++i) X(i, j) = lanes<T>{};
  }
}

template <class T>
TALUS_INLINE void store(const rectangle<T>& X, T* const* A, int lda) {
  for (int j = 0; j < X.n; ++j) {
    const lanes<T>* const from = X.data + X.E * j;
    const int* const row = X.row;
    store_run(A, static_cast<std::ptrdiff_t>(j) * lda, X.m,
              [&](int i) TALUS_INLINED { return from[row[i]]; });
  }
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
