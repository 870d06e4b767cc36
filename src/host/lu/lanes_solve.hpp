// Solves and inverses with the factors of a group of matrices, one per SIMD lane.
#pragma once

#include "host/lanes/triangular_solve.hpp"
#include "host/lu/lanes_pivot.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// Looks for diagonal elements of U that are zero or NaN, and inverts the others for divide(). Rows and
/// columns that fill tiles up become those of an identity.
template <class T>
diagonal_check<T> invert_diagonal(const workspace<T>& work) {
  constexpr int E = side<T>;
  const rectangle<T>& X = work.X;
  mask_of<T> info = {}, subnormal = {};
  for (int j = 0; j < X.n; ++j) {
    const lanes<T> d = X(j, j);
    subnormal |= is_subnormal<T>(d);
    info |= (is_zero(d) | is_nan(d)) & (info == 0) & (j + 1);
    work.inverse[j] = divisor<T>(d).reciprocal;
  }
  for (int j = X.n; j < tiles(X.n, E) * E; ++j) {
    for (int i = 0; i < j; ++i) X(i, j) = X(j, i) = lanes<T>{};
    work.inverse[j] = X(j, j) = element<T>(ones<T>());
  }
  return {info, any<T>(subnormal)};
}

/// N columns of Y, of which row k begins at Y + k * N:  L Z = Y,  U Y = Z.
struct plain {
  static constexpr bool exchanges_first = true;

  /// Rows of tiles above `first` hold zeros.
  template <int N, class T>
  static TALUS_INLINE void forward(const workspace<T>& work, lanes<T>* Y, int first = 0) {
    solve_forward<N, T>(work.X, Y, undivided(), first);
  }

  template <int N, class T>
  static TALUS_INLINE void backward(const workspace<T>& work, lanes<T>* Y, bool subnormal) {
    constexpr int E = side<T>;
    const rectangle<T>& X = work.X;
    const int panels = tiles(X.n, E);
    for (int p = panels - 1; p >= 0; --p) {
      lanes<T>* const mine = Y + p * E * N;
      lanes<T> C[E][N];
      for_tile<E, N>([&](int u, int v) TALUS_INLINED { C[u][v] = mine[u * N + v]; });
      const lanes<T>* const diagonal = X.tile(p, p);
      const lanes<T>* a = diagonal + E * E;
      for (const lanes<T>* y = mine + E * N; y != Y + panels * E * N; y += N, a += E)
        for_tile<E, N>([&](int u, int v) TALUS_INLINED { subtract_product<T>(C[u][v], a[u], y[v]); });
      for_tile<E, N>([&](int from_last, int v) TALUS_INLINED {
        const int u = E - 1 - from_last;
        TALUS_UNROLL
        for (int k = u + 1; k < E; ++k) subtract_product<T>(C[u][v], diagonal[k * E + u], C[k][v]);
        mine[u * N + v] = C[u][v] =
            divide<T>(C[u][v], diagonal[u * E + u], work.inverse[p * E + u], subnormal);
      });
    }
  }

  template <int N, class T>
  static TALUS_INLINE void run(const workspace<T>& work, lanes<T>* Y, bool subnormal) {
    forward<N, T>(work, Y);
    backward<N, T>(work, Y, subnormal);
  }
};

/// U^T Z = Y,  L^T Y = Z,  or with ^H. Each solved panel is subtracted from those that need it, so that L
/// and U are read panel by panel here, too.
template <bool CONJ>
struct transposed {
  static constexpr bool exchanges_first = false;

  template <int N, class T>
  static TALUS_INLINE void run(const workspace<T>& work, lanes<T>* Y, bool subnormal) {
    constexpr int E = side<T>;
    const rectangle<T>& X = work.X;
    const int panels = tiles(X.n, E);
    for (int p = 0; p < panels; ++p) {
      lanes<T>* const mine = Y + p * E * N;
      const lanes<T>* const diagonal = X.tile(p, p);
      lanes<T> C[E][N];
      for_tile<E, N>([&](int u, int v) TALUS_INLINED {
        C[u][v] = mine[u * N + v];
        TALUS_UNROLL
        for (int k = 0; k < u; ++k) subtract<CONJ, T>(C[u][v], diagonal[u * E + k], C[k][v]);
        const lanes<T> by = diagonal[u * E + u], inverse = work.inverse[p * E + u];
        mine[u * N + v] = C[u][v] = divide<T>(C[u][v], by, CONJ ? conj<T>(inverse) : inverse, subnormal);
      });
      subtract_panel<CONJ, N, T>(C, diagonal + E * E, mine + E * N, Y + panels * E * N);
    }
    solve_backward<CONJ, N, T>(X, Y, undivided());
  }
};

/// The right-hand sides of a group. good: as store_column takes it.
template <class T>
struct system_of {
  const workspace<T>& work;
  bool subnormal;  // true if an element of U's diagonal is subnormal in a lane
  bool exchanged;  // rows, as work.rows says
  int nrhs;
  T* const* B;
  int ldb;
  const int* good;
};

/// Rows of N columns trade places as the pivots' did, from first to last or from last to first: by selection
/// from all rows below where those are few, else lane by lane.
template <int N, class T>
void exchange_rows(const workspace<T>& work, bool from_first) {
  constexpr int W = width_of<T>;
  typedef int ints __attribute__((vector_size(W * sizeof(int))));
  const int n = work.X.n;
  for (int step = 0; step < n; ++step) {
    const int j = from_first ? step : n - 1 - step;
    if (n - j <= W) {
      const ints pivots = *reinterpret_cast<const ints*>(work.rows + j * W);
      const auto at = __builtin_convertvector(pivots, mask_of<T>);
      exchange_by_selection<N, 1, T>(j, n, at, [&](int i) TALUS_INLINED { return work.Y + i * N; });
      continue;
    }
    for (int l = 0; l < W; ++l) {
      const int row = work.rows[j * W + l];
      if (row != j) exchange<T>(work.Y + j * N, work.Y + row * N, l, N, 1);
    }
  }
}

/// For the columns from j on that fit in the scratch, N of them.
template <int N, class T, class Substitution>
void solve_from(const system_of<T>& system, int j, Substitution) {
  const workspace<T>& work = system.work;
  const int n = work.X.n;
  lanes<T>* const Y = work.Y;
  for (int i = n * N; i < tiles(n, side<T>) * side<T> * N; ++i) Y[i] = lanes<T>{};
  for (int v = 0; v < N; ++v) {
    load_run(static_cast<const T* const*>(system.B), static_cast<std::ptrdiff_t>(j + v) * system.ldb, n,
             [&](int i) TALUS_INLINED -> lanes<T>& { return Y[i * N + v]; });
  }
  if (system.exchanged && Substitution::exchanges_first) exchange_rows<N>(work, true);
  Substitution::template run<N, T>(work, Y, system.subnormal);
  if (system.exchanged && !Substitution::exchanges_first) exchange_rows<N>(work, false);
  for (int v = 0; v < N; ++v) {
    store_column(system.good, system.B, static_cast<std::ptrdiff_t>(j + v) * system.ldb, n,
                 [&](int i) TALUS_INLINED { return Y[i * N + v]; });
  }
}

template <class T, class Substitution>
void solve(const system_of<T>& system, Substitution substitution) {
  constexpr int E = side<T>;
  int j = 0;
  for (; j + E <= system.nrhs; j += E) solve_from<E>(system, j, substitution);
  for (; j < system.nrhs; ++j) solve_from<1>(system, j, substitution);
}

// ---- getri ---------------------------------------------------------------------------------------

/// Column j of  U^-1 L^-1  is column columns[j * width + l] of lane l's inverse: they trade places as the
/// rows did, from last to first.
template <class T>
void find_columns(const workspace<T>& work, int* column_at) {
  constexpr int W = width_of<T>;
  const int n = work.X.n;
  for (int i = 0; i < n * W; ++i) column_at[i] = i / W;
  for (int j = n - 1; j >= 0; --j) {
    for (int l = 0; l < W; ++l) {
      int &a = column_at[j * W + l], &b = column_at[work.rows[j * W + l] * W + l];
      const int was = a;
      a = b;
      b = was;
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int l = 0; l < W; ++l) work.columns[column_at[i * W + l] * W + l] = i;
  }
}

/// C <- U^-1 L^-1 P^T, E columns at a time: those of L^-1 begin with zeros.
template <class T>
void invert(const workspace<T>& work, bool subnormal, T* const* C, int ldc, const int* good) {
  constexpr int E = side<T>, W = width_of<T>;
  const int n = work.X.n, panels = tiles(n, E);
  lanes<T>* const Y = work.Y;
  find_columns(work, reinterpret_cast<int*>(Y));
  for (int p = 0; p < panels; ++p) {
    for (int i = 0; i < panels * E * E; ++i) Y[i] = lanes<T>{};
    for (int u = 0; u < E; ++u) Y[(p * E + u) * E + u] = element<T>(ones<T>());
    plain::forward<E, T>(work, Y, p);
    plain::backward<E, T>(work, Y, subnormal);
    for (int v = 0; v < E && p * E + v < n; ++v) {
      T* columns[W];
      for (int l = 0; l < W; ++l) {
        columns[l] = C[l] + static_cast<std::ptrdiff_t>(work.columns[(p * E + v) * W + l]) * ldc;
      }
      store_column(good, columns, 0, n, [&](int i) TALUS_INLINED { return Y[i * E + v]; });
    }
  }
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
