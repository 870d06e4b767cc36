// Solves with one triangle of a group of matrices, packed.
//
// Packed: a triangle, or a rectangle whose part below the diagonal is meant. Right-hand sides are N columns
// of X, of which row k begins at X + k * N; rows that fill the last panel up hold zeros. divide(i, x): x over
// the diagonal's element i.
#pragma once

#include "host/lanes/tile.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// Of a unit triangle.
struct undivided {
  template <class T>
  TALUS_INLINE lanes<T> operator()(int, const lanes<T>& x) const {
    return x;
  }
};

/// L Y = X, where rows of tiles above `first` hold zeros.
template <int N, class T, class Packed, class Divide>
TALUS_INLINE void solve_forward(const Packed& L, lanes<T>* X, Divide divide, int first = 0) {
  constexpr int E = side<T>;
  const int panels = tiles(L.n, E);
  for (int p = first; p < panels; ++p) {
    lanes<T>* const mine = X + p * E * N;
    lanes<T> C[E][N];
    for_tile<E, N>([&](int u, int v) TALUS_INLINED { C[u][v] = mine[u * N + v]; });
    const lanes<T>* a = L.panel(p) + first * E * E;
    for (const lanes<T>* x = X + first * E * N; x != mine; x += N, a += E)
      for_tile<E, N>([&](int u, int v) TALUS_INLINED { subtract_product<T>(C[u][v], a[u], x[v]); });
    for_tile<E, N>([&](int u, int v) TALUS_INLINED {  // a: the diagonal tile
      TALUS_UNROLL
      for (int k = 0; k < u; ++k) subtract_product<T>(C[u][v], a[k * E + u], C[k][v]);
      mine[u * N + v] = C[u][v] = divide(p * E + u, C[u][v]);
    });
  }
}

/// The rows of x up to `end` less what the panel `a`, whose unknowns C are, contributes.
template <bool CONJ, int N, class T>
TALUS_INLINE void subtract_panel(const lanes<T> (&C)[side<T>][N], const lanes<T>* a, lanes<T>* x,
                                 const lanes<T>* end) {
  for (; x != end; x += N, a += side<T>) {
    TALUS_UNROLL
    for (int v = 0; v < N; ++v) {
      lanes<T> c = x[v];
      TALUS_UNROLL
      for (int u = 0; u < side<T>; ++u) subtract<CONJ, T>(c, a[u], C[u][v]);
      x[v] = c;
    }
  }
}

/// L^T Y = X, or with ^H. Each solved panel is subtracted from all above, so that L is read panel by panel.
template <bool CONJ, int N, class T, class Packed, class Divide>
TALUS_INLINE void solve_backward(const Packed& L, lanes<T>* X, Divide divide) {
  constexpr int E = side<T>;
  for (int p = tiles(L.n, E) - 1; p >= 0; --p) {
    const lanes<T>* const panel = L.panel(p);
    const lanes<T>* const diagonal = panel + p * E * E;
    lanes<T>* const mine = X + p * E * N;
    lanes<T> C[E][N];
    for_tile<E, N>([&](int from_last, int v) TALUS_INLINED {
      const int u = E - 1 - from_last;
      C[u][v] = mine[u * N + v];
      TALUS_UNROLL
      for (int k = E - 1; k > u; --k) subtract<CONJ, T>(C[u][v], diagonal[u * E + k], C[k][v]);
      mine[u * N + v] = C[u][v] = divide(p * E + u, C[u][v]);
    });
    subtract_panel<CONJ, N, T>(C, panel, X, mine);
  }
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
