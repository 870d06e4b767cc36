// Cholesky of one matrix per SIMD lane: a group of matrices is packed so that the same element of all of them
// is one value, lanes<T>, worked on as if it were one matrix, and unpacked. The packed form is always the
// lower triangle; an upper one is its conjugate transpose, made on the way in and undone on the way out.
//
// No operation joins lanes and no branch depends on their values, so a matrix gets the same bits in every
// lane, beside any neighbours.
#include "host/lanes.hpp"

#include "host/potrf_ways.hpp"
#include "host/simd.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// A tile's side: its elements and a side of each of two others stay in registers.
template <class T>
constexpr int side = is_complex<T> ? (registers == 32 ? 3 : 2) : (registers == 32 ? 4 : 3);

constexpr int tiles(int n, int side) { return (n + side - 1) / side; }

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

/// The scratch of one group.
template <class T>
struct workspace {
  triangle<T> L;
  real_lanes<T>* inverse;  // reciprocals of L's diagonal
  lanes<T>* X;             // E columns of right-hand sides, row by row

  static std::size_t bytes(int n) {
    constexpr int E = side<T>;
    const auto p = static_cast<std::size_t>(tiles(n, E));
    return (p * (p + 1) / 2 * E * E + p * E * E) * sizeof(lanes<T>) +
           p * E * (sizeof(real_lanes<T>) + sizeof(int));
  }

  workspace(int n, void* work) {
    constexpr int E = side<T>;
    const int p = tiles(n, E);
    const auto data = static_cast<lanes<T>*>(work);
    X = data + p * (p + 1) / 2 * E * E;
    inverse = reinterpret_cast<real_lanes<T>*>(X + p * E * E);
    int* const row = reinterpret_cast<int*>(inverse + p * E);
    for (int q = 0, i = 0; q < p; ++q) {
      for (int r = 0; r < E; ++r, ++i) row[i] = E * E * (q * (q + 1) / 2) + r;
    }
    L = {data, row, n};
  }
};

// ---- packing -------------------------------------------------------------------------------------

template <class T>
TALUS_INLINE void load(uplo uplo, const T* const* A, int lda, const triangle<T>& L) {
  for (int j = 0; j < L.n; ++j) {
    const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(j) * lda;
    if (uplo == uplo::lower) {
      lanes<T>* const to = L.data + L.E * j;
      const int* const row = L.row + j;
      load_run(A, column + j, L.n - j, [&](int i) TALUS_INLINED -> lanes<T>& { return to[row[i]]; });
    } else {
      lanes<T>* const to = L.data + L.row[j];
      load_run(A, column, j + 1, [&](int i) TALUS_INLINED -> lanes<T>& { return to[L.E * i]; });
      if constexpr (is_complex<T>) {
        for (int i = 0; i < j; ++i) to[L.E * i] = conj<T>(to[L.E * i]);
      }
    }
    if constexpr (is_complex<T>) L(j, j).im = real_lanes<T>{};
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

/// Where `good` is given, only matrices whose good[l] is 0 are written.
template <class T, class Where>
TALUS_INLINE void store_column(const int* good, T* const* A, std::ptrdiff_t at, int length, Where where) {
  if (good) {
    store_run_of_good(good, A, at, length, where);
  } else {
    store_run(A, at, length, where);
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

// ---- potrf ---------------------------------------------------------------------------------------

template <class T>
using mask_of = typename simd<real_of<T>>::mask;

/// Writes the infos of a group; true if all are 0.
template <class T>
bool write(mask_of<T> from, int* info) {
  int any = 0;
  for (int l = 0; l < width_of<T>; ++l) any |= info[l] = static_cast<int>(from[l]);
  return any == 0;
}

/// C(u, v) -= sum over k < k_end of a(u, k) conj(b(v, k)), where a and b are panels.
template <class T, int M, int N>
TALUS_INLINE void update(lanes<T> (&C)[M][N], const lanes<T>* a, const lanes<T>* b, int k_end) {
  constexpr int E = side<T>;
  for (int k = 0; k < k_end; ++k, a += E, b += E) {
    TALUS_UNROLL
    for (int v = 0; v < N; ++v) {
      TALUS_UNROLL
      for (int u = 0; u < M; ++u) subtract_product_conj<T>(C[u][v], a[u], b[v]);
    }
  }
}

/// Factors the diagonal tile of a panel, whose first column is j, from M rows. info: j of the first pivot
/// that is not > 0, from 1; that pivot is left in place of its root.
template <int M, class T>
TALUS_INLINE void diagonal_tile(lanes<T>* panel, int j, real_lanes<T>* inverse, mask_of<T>& info) {
  constexpr int E = side<T>;
  lanes<T> C[M][M];
  TALUS_UNROLL
  for (int v = 0; v < M; ++v) {
    TALUS_UNROLL
    for (int u = v; u < M; ++u) C[u][v] = panel[(j + v) * E + u];
  }
  for (const lanes<T>* a = panel; a != panel + j * E; a += E) {
    TALUS_UNROLL
    for (int v = 0; v < M; ++v) {
      subtract_square<T>(C[v][v], a[v]);
      TALUS_UNROLL
      for (int u = v + 1; u < M; ++u) subtract_product_conj<T>(C[u][v], a[u], a[v]);
    }
  }
  TALUS_UNROLL
  for (int v = 0; v < M; ++v) {
    const real_lanes<T> pivot = C[v][v].re, root = square_root(pivot);
    const mask_of<T> good = pivot > 0;  // not so for NaN
    info |= ~good & (info == 0) & (j + v + 1);
    C[v][v].re = good ? root : pivot;
    const real_lanes<T> reciprocal = 1 / root;
    inverse[j + v] = reciprocal;
    TALUS_UNROLL
    for (int u = v + 1; u < M; ++u) C[u][v] = C[u][v] * reciprocal;
    TALUS_UNROLL
    for (int w = v + 1; w < M; ++w) {
      subtract_square<T>(C[w][w], C[w][v]);
      TALUS_UNROLL
      for (int u = w + 1; u < M; ++u) subtract_product_conj<T>(C[u][w], C[u][v], C[w][v]);
    }
  }
  TALUS_UNROLL
  for (int v = 0; v < M; ++v) {
    TALUS_UNROLL
    for (int u = v; u < M; ++u) panel[(j + v) * E + u] = C[u][v];
  }
}

/// The tile of M rows of `panel` under the diagonal tile of `above` at column j: update, then solve from the
/// right.
template <int M, class T>
TALUS_INLINE void lower_tile(lanes<T>* panel, const lanes<T>* above, int j, const real_lanes<T>* inverse) {
  constexpr int E = side<T>;
  lanes<T> C[M][E];
  TALUS_UNROLL
  for (int v = 0; v < E; ++v) {
    TALUS_UNROLL
    for (int u = 0; u < M; ++u) C[u][v] = panel[(j + v) * E + u];
  }
  update<T, M, E>(C, panel, above, j);
  const lanes<T>* const diagonal = above + j * E;
  TALUS_UNROLL
  for (int v = 0; v < E; ++v) {
    TALUS_UNROLL
    for (int u = 0; u < M; ++u) {
      C[u][v] = C[u][v] * inverse[j + v];
      panel[(j + v) * E + u] = C[u][v];
    }
    TALUS_UNROLL
    for (int w = v + 1; w < E; ++w) {
      TALUS_UNROLL
      for (int u = 0; u < M; ++u) subtract_product_conj<T>(C[u][w], C[u][v], diagonal[v * E + w]);
    }
  }
}

/// Calls f(integral constant) for the number of rows that the last panel has.
template <int M, class F>
TALUS_INLINE void with_rows(int rows, F f) {
  if constexpr (M > 0) {
    if (rows == M) {
      f(std::integral_constant<int, M>{});
    } else {
      with_rows<M - 1>(rows, f);
    }
  }
}

/// Cholesky, left-looking: a tile at a time, each finished when it is reached. Rows are taken BLOCK panels at
/// a time: the panels above, which need not fit in a near cache, are read once for all of them.
template <class T>
mask_of<T> factor(const triangle<T>& L, real_lanes<T>* inverse) {
  constexpr int E = side<T>, BLOCK = 8;
  const int whole = L.n / E, rest = L.n % E, panels = tiles(L.n, E);
  mask_of<T> info = {};
  for (int begin = 0; begin < panels; begin += BLOCK) {
    const int end = begin + BLOCK < whole ? begin + BLOCK : whole;
    const bool with_rest = rest > 0 && begin + BLOCK >= panels;
    for (int q = 0; q < end; ++q) {
      lanes<T>* const above = L.panel(q);
      if (q >= begin) diagonal_tile<E, T>(above, q * E, inverse, info);
      for (int p = q < begin ? begin : q + 1; p < end; ++p)
        lower_tile<E, T>(L.panel(p), above, q * E, inverse);
      if (with_rest) {
        with_rows<E - 1>(
            rest, [&](auto M) TALUS_INLINED { lower_tile<M, T>(L.panel(whole), above, q * E, inverse); });
      }
    }
  }
  with_rows<E - 1>(
      rest, [&](auto M) TALUS_INLINED { diagonal_tile<M, T>(L.panel(whole), whole * E, inverse, info); });
  return info;
}

// ---- potf2 ---------------------------------------------------------------------------------------

/// The best of 32, 48 and 64, measured at n = 256 ... 700.
template <class T>
constexpr int potf2_n_max = sizeof(T) == sizeof(float) ? 64 : 48;

/// The lower triangle of one matrix, its rows in the lanes.
template <class T>
struct columns {
  lanes<T>* data;
  int vectors;  // of a column

  static constexpr int W = width_of<T>, parts = lanes<T>::parts;

  TALUS_INLINE lanes<T>* column(int k) const { return data + k * vectors; }
  TALUS_INLINE real_of<T>* at(int i, int k) const {
    return reinterpret_cast<real_of<T>*>(column(k)) + i / W * (W * parts) + i % W;
  }
  TALUS_INLINE lanes<T> broadcast(int i, int k) const {
    lanes<T> x;
    x.re = *at(i, k) - real_lanes<T>{};
    if constexpr (is_complex<T>) x.im = at(i, k)[W] - real_lanes<T>{};
    return x;
  }
};

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
    if constexpr (!is_complex<T>) {
      R* const l = L.at(0, j) + j;
      for (int i = 0; i < n - j; ++i) {
        if constexpr (TO_MATRIX)
          a[i * step] = l[i];
        else
          l[i] = a[i * step];
      }
    } else {
      for (int i = j; i < n; ++i) {
        R* const of_matrix = a + (i - j) * step * 2;
        R* const l = L.at(i, j);
        if constexpr (TO_MATRIX) {
          of_matrix[0] = l[0];
          of_matrix[1] = i == j ? R{0} : sign * l[L.W];
        } else {
          l[0] = of_matrix[0];
          l[L.W] = i == j ? R{0} : sign * of_matrix[1];
        }
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

// ---- potrs ---------------------------------------------------------------------------------------

/// Looks for diagonal elements that are not > 0, as potrf leaves them where it fails, and inverts the others.
template <class T>
mask_of<T> invert_diagonal(const triangle<T>& L, real_lanes<T>* inverse) {
  constexpr int E = side<T>;
  mask_of<T> info = {};
  for (int j = 0; j < tiles(L.n, E) * E; ++j) {
    const real_lanes<T> d = L(j, j).re;
    info |= ~(d > 0) & (info == 0) & (j + 1);
    inverse[j] = 1 / d;
  }
  return info;
}

/// N columns of X:  L Y = X,  L^H X = Y. Row k of them begins at X + k * N.
template <int N, class T>
TALUS_INLINE void solve_columns(const triangle<T>& L, const real_lanes<T>* inverse, lanes<T>* X) {
  constexpr int E = side<T>;
  const int panels = tiles(L.n, E);
  for (int p = 0; p < panels; ++p) {
    const lanes<T>* const panel = L.panel(p);
    lanes<T>* const mine = X + p * E * N;
    lanes<T> C[E][N];
    TALUS_UNROLL
    for (int u = 0; u < E; ++u) {
      TALUS_UNROLL
      for (int v = 0; v < N; ++v) C[u][v] = mine[u * N + v];
    }
    const lanes<T>* a = panel;
    for (const lanes<T>* x = X; x != mine; x += N, a += E) {
      TALUS_UNROLL
      for (int v = 0; v < N; ++v) {
        TALUS_UNROLL
        for (int u = 0; u < E; ++u) subtract_product<T>(C[u][v], a[u], x[v]);
      }
    }
    TALUS_UNROLL
    for (int u = 0; u < E; ++u) {
      TALUS_UNROLL
      for (int v = 0; v < N; ++v) {
        TALUS_UNROLL
        for (int k = 0; k < u; ++k) subtract_product<T>(C[u][v], a[k * E + u], C[k][v]);
        C[u][v] = C[u][v] * inverse[p * E + u];
        mine[u * N + v] = C[u][v];
      }
    }
  }
  for (int p = panels - 1; p >= 0;
       --p) {  // each solved panel is subtracted from all above: streams through L again
    const lanes<T>* const diagonal = L.panel(p) + p * E * E;
    lanes<T>* const mine = X + p * E * N;
    lanes<T> C[E][N];
    TALUS_UNROLL
    for (int u = E - 1; u >= 0; --u) {
      TALUS_UNROLL
      for (int v = 0; v < N; ++v) {
        C[u][v] = mine[u * N + v];
        TALUS_UNROLL
        for (int k = E - 1; k > u; --k) subtract_product_conj<T>(C[u][v], C[k][v], diagonal[u * E + k]);
        C[u][v] = C[u][v] * inverse[p * E + u];
        mine[u * N + v] = C[u][v];
      }
    }
    const lanes<T>* a = L.panel(p);
    for (lanes<T>* x = X; x != mine; x += N, a += E) {
      TALUS_UNROLL
      for (int v = 0; v < N; ++v) {
        lanes<T> c = x[v];
        TALUS_UNROLL
        for (int u = 0; u < E; ++u) subtract_product_conj<T>(c, C[u][v], a[u]);
        x[v] = c;
      }
    }
  }
}

/// Solves for the columns from j on that fit in the scratch, N of them.
template <int N, class T>
void solve_from(const workspace<T>& work, int j, T* const* B, int ldb, const int* good) {
  const triangle<T>& L = work.L;
  lanes<T>* const X = work.X;
  for (int i = L.n; i < tiles(L.n, side<T>) * side<T>; ++i) {
    for (int v = 0; v < N; ++v) X[i * N + v] = lanes<T>{};
  }
  for (int v = 0; v < N; ++v) {
    load_run(B, static_cast<std::ptrdiff_t>(j + v) * ldb, L.n,
             [&](int i) TALUS_INLINED -> lanes<T>& { return X[i * N + v]; });
  }
  solve_columns<N, T>(L, work.inverse, X);
  for (int v = 0; v < N; ++v) {
    store_column(good, B, static_cast<std::ptrdiff_t>(j + v) * ldb, L.n,
                 [&](int i) TALUS_INLINED { return X[i * N + v]; });
  }
}

template <class T>
void solve(const workspace<T>& work, int nrhs, T* const* B, int ldb, const int* good) {
  constexpr int E = side<T>;
  int j = 0;
  for (; j + E <= nrhs; j += E) solve_from<E, T>(work, j, B, ldb, good);
  for (; j < nrhs; ++j) solve_from<1, T>(work, j, B, ldb, good);
}

// ---- potri ---------------------------------------------------------------------------------------

/// C(u, v) -= sum over the rows k of the tiles at a and b of a(k, u)^H b(k, v)
template <class T, int E>
TALUS_INLINE void update_transposed(lanes<T> (&C)[E][E], const lanes<T>* a, const lanes<T>* b) {
  for (int k = 0; k < E; ++k) {
    TALUS_UNROLL
    for (int v = 0; v < E; ++v) {
      TALUS_UNROLL
      for (int u = 0; u < E; ++u) subtract_product_conj<T>(C[u][v], b[v * E + k], a[u * E + k]);
    }
  }
}

/// L <- M = L^-1, row of tiles by row of tiles. L(p, q) is last read for M(p, q) itself, so M takes its
/// place.
template <class T>
void invert(const triangle<T>& L, const real_lanes<T>* inverse) {
  constexpr int E = side<T>;
  for (int p = 0; p < tiles(L.n, E); ++p) {
    lanes<T>* const panel = L.panel(p);
    lanes<T>* const diagonal = panel + p * E * E;
    lanes<T> D[E][E];  // the inverse of the diagonal tile
    TALUS_UNROLL
    for (int v = 0; v < E; ++v) {
      D[v][v] = element<T>(inverse[p * E + v]);
      TALUS_UNROLL
      for (int u = v + 1; u < E; ++u) {
        D[u][v] = lanes<T>{};
        TALUS_UNROLL
        for (int k = v; k < u; ++k) subtract_product<T>(D[u][v], diagonal[k * E + u], D[k][v]);
        D[u][v] = D[u][v] * inverse[p * E + u];
      }
    }
    for (int q = 0; q < p; ++q) {
      lanes<T> C[E][E] = {};  // -L(p, q:p) M(q:p, q)
      for (int t = q; t < p; ++t) {
        const lanes<T>* const a = panel + t * E * E;
        const lanes<T>* const b = L.panel(t) + q * E * E;
        for (int k = 0; k < E; ++k) {
          TALUS_UNROLL
          for (int v = 0; v < E; ++v) {
            TALUS_UNROLL
            for (int u = 0; u < E; ++u) subtract_product<T>(C[u][v], a[k * E + u], b[v * E + k]);
          }
        }
      }
      lanes<T>* const to = panel + q * E * E;  // M(p, q) = D C
      TALUS_UNROLL
      for (int v = 0; v < E; ++v) {
        TALUS_UNROLL
        for (int u = 0; u < E; ++u) {
          lanes<T> negative = {};
          TALUS_UNROLL
          for (int k = 0; k <= u; ++k) subtract_product<T>(negative, D[u][k], C[k][v]);
          to[v * E + u] = negative * (real_lanes<T>{} - 1);
        }
      }
    }
    TALUS_UNROLL
    for (int v = 0; v < E; ++v) {
      TALUS_UNROLL
      for (int u = v; u < E; ++u) diagonal[v * E + u] = D[u][v];
    }
  }
}

/// M <- the lower triangle of M^H M, row of tiles by row of tiles: row p needs no row above it.
template <class T>
void multiply_by_adjoint(const triangle<T>& M) {
  constexpr int E = side<T>;
  const int panels = tiles(M.n, E);
  for (int p = 0; p < panels; ++p) {
    for (int q = 0; q <= p; ++q) {  // the diagonal tile last: the others need it
      lanes<T> C[E][E] = {};
      for (int t = p; t < panels; ++t)
        update_transposed<T, E>(C, M.panel(t) + p * E * E, M.panel(t) + q * E * E);
      lanes<T>* const to = M.panel(p) + q * E * E;
      TALUS_UNROLL
      for (int v = 0; v < E; ++v) {
        TALUS_UNROLL
        for (int u = 0; u < E; ++u) to[v * E + u] = C[u][v] * (real_lanes<T>{} - 1);
      }
    }
  }
  if constexpr (is_complex<T>) {
    for (int j = 0; j < M.n; ++j) M(j, j).im = real_lanes<T>{};
  }
}

// ---- the routines --------------------------------------------------------------------------------

template <class T>
void potrf(uplo uplo, int n, T* const* A, int lda, int* info, void* scratch) {
  const workspace<T> work(n, scratch);
  load<T>(uplo, A, lda, work.L);
  write<T>(factor(work.L, work.inverse), info);
  store<T>(uplo, work.L, A, lda);
}

template <class T>
void potrs(uplo uplo, int n, int nrhs, const T* const* A, int lda, T* const* B, int ldb, int* info,
           void* scratch) {
  const workspace<T> work(n, scratch);
  load<T>(uplo, A, lda, work.L);
  complete_tiles(work.L);
  const bool all_good = write<T>(invert_diagonal(work.L, work.inverse), info);
  solve(work, nrhs, B, ldb, all_good ? nullptr : info);
}

template <class T>
void posv(uplo uplo, int n, int nrhs, T* const* A, int lda, T* const* B, int ldb, int* info, void* scratch) {
  const workspace<T> work(n, scratch);
  load<T>(uplo, A, lda, work.L);
  const bool all_good = write<T>(factor(work.L, work.inverse), info);
  store<T>(uplo, work.L, A, lda);
  complete_tiles(work.L);
  invert_diagonal(work.L, work.inverse);
  solve(work, nrhs, B, ldb, all_good ? nullptr : info);
}

template <class T>
void potri(uplo uplo, int n, T* const* A, int lda, int* info, void* scratch) {
  const workspace<T> work(n, scratch);
  load<T>(uplo, A, lda, work.L);
  complete_tiles(work.L);
  const bool all_good = write<T>(invert_diagonal(work.L, work.inverse), info);
  invert(work.L, work.inverse);
  multiply_by_adjoint(work.L);
  store<T>(uplo, work.L, A, lda, all_good ? nullptr : info);
}

/// Up to this n whole groups of potrs, posv and potri are faster in lanes, too. Measured against OpenBLAS
/// 0.3.21 on one thread per matrix, with 112 MB of matrices on two cores with 2 MB of L2 cache each: potrs
/// and potri are at least 1.1 times as fast at n = n_max, with every instruction set.
template <class T>
constexpr int n_max = registers == 32 ? (is_complex<T> ? 192 : 256) : (is_complex<T> ? 128 : 192);

#define TALUS_TEXT_OF(isa) TALUS_TEXT(isa)
#define TALUS_TEXT(isa) #isa

}  // namespace

template <>
const lane_functions<TALUS_T>& functions<TALUS_T>() noexcept {
  static constexpr lane_functions<TALUS_T> all = {
      TALUS_TEXT_OF(TALUS_ISA),
      width_of<TALUS_T>,
      lanes_n_max(precision_of<TALUS_T>, TALUS_TEXT_OF(TALUS_ISA)),
      n_max<TALUS_T>,
      workspace<TALUS_T>::bytes,
      potrf<TALUS_T>,
      potrs<TALUS_T>,
      posv<TALUS_T>,
      potri<TALUS_T>,
      potf2_n_max<TALUS_T>,
      potf2<TALUS_T>};
  return all;
}

}  // namespace talus::host::TALUS_ISA
