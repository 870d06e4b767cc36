// Cholesky of one matrix per SIMD lane: a group of matrices is packed, worked on as if it were one matrix,
// and unpacked. Compiled once per instruction set, TALUS_ISA.
//
// No operation joins lanes and no branch depends on their values, so a matrix gets the same bits in every
// lane, beside any neighbours.
#include "host/cholesky/kernels.hpp"
#include "host/cholesky/potf2.hpp"
#include "host/cholesky/ways.hpp"
#include "host/lanes/numbers.hpp"
#include "host/lanes/triangle.hpp"
#include "host/lanes/triangular_solve.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// With the reciprocals of L's diagonal.
template <class T>
using workspace = triangle_workspace<T, real_lanes<T>>;

// ---- potrf ---------------------------------------------------------------------------------------

/// The lower triangle of C from column `first` on less x x^H.
template <class T, int M>
TALUS_INLINE void subtract_outer(lanes<T> (&C)[M][M], const lanes<T>* x, int first) {
  for_tile<M, M>([&](int u, int v) TALUS_INLINED {
    if (v < first || u < v) return;
    if (u == v) {
      subtract_square<T>(C[v][v], x[v]);
    } else {
      subtract_product_conj<T>(C[u][v], x[u], x[v]);
    }
  });
}

/// Factors the diagonal tile of a panel, whose first column is j, from M rows. info: j of the first pivot
/// that is not > 0, from 1; that pivot is left in place of its root.
template <int M, class T>
TALUS_INLINE void diagonal_tile(lanes<T>* panel, int j, real_lanes<T>* inverse, mask_of<T>& info) {
  constexpr int E = side<T>;
  lanes<T>* const tile = panel + j * E;
  lanes<T> C[M][M];
  for_tile<M, M>([&](int u, int v) TALUS_INLINED {
    if (u >= v) C[u][v] = tile[v * E + u];
  });
  for (const lanes<T>* a = panel; a != tile; a += E) subtract_outer<T>(C, a, 0);
  TALUS_UNROLL
  for (int v = 0; v < M; ++v) {
    const real_lanes<T> pivot = C[v][v].re, root = square_root(pivot);
    const mask_of<T> good = pivot > 0;  // not so for NaN
    info |= ~good & (info == 0) & (j + v + 1);
    C[v][v].re = good ? root : pivot;
    const real_lanes<T> reciprocal = 1 / root;
    inverse[j + v] = reciprocal;
    lanes<T> column[M];
    TALUS_UNROLL
    for (int u = v + 1; u < M; ++u) C[u][v] = column[u] = C[u][v] * reciprocal;
    subtract_outer<T>(C, column, v + 1);
  }
  for_tile<M, M>([&](int u, int v) TALUS_INLINED {
    if (u >= v) tile[v * E + u] = C[u][v];
  });
}

/// The tile of M rows of `panel` under the diagonal tile of `above` at column j: update, then solve from the
/// right.
template <int M, class T>
TALUS_INLINE void lower_tile(lanes<T>* panel, const lanes<T>* above, int j, const real_lanes<T>* inverse) {
  constexpr int E = side<T>;
  lanes<T>* const tile = panel + j * E;
  lanes<T> C[M][E];
  for_tile<M, E>([&](int u, int v) TALUS_INLINED { C[u][v] = tile[v * E + u]; });
  const lanes<T>*a = panel, *b = above;
  for (int k = 0; k < j; ++k, a += E, b += E)
    for_tile<M, E>([&](int u, int v) TALUS_INLINED { subtract_product_conj<T>(C[u][v], a[u], b[v]); });
  TALUS_UNROLL
  for (int v = 0; v < E; ++v) {
    TALUS_UNROLL
    for (int u = 0; u < M; ++u) tile[v * E + u] = C[u][v] = C[u][v] * inverse[j + v];
    for_tile<M, E>([&](int u, int w) TALUS_INLINED {
      if (w > v) subtract_product_conj<T>(C[u][w], C[u][v], b[v * E + w]);  // b: the diagonal tile
    });
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

// ---- potrs ---------------------------------------------------------------------------------------

/// Looks for diagonal elements that are not > 0, as potrf leaves them where it fails, and inverts the others
/// for divide(). Factors of potrf have no subnormal elements there; other factors may have.
template <class T>
diagonal_check<T> invert_diagonal(const triangle<T>& L, real_lanes<T>* inverse) {
  constexpr int E = side<T>;
  mask_of<T> info = {}, subnormal = {};
  for (int j = 0; j < tiles(L.n, E) * E; ++j) {
    const lanes<T> d = L(j, j);
    info |= ~(d.re > 0) & (info == 0) & (j + 1);
    inverse[j] = 1 / (d.re * scale_up<T>(d));
    subnormal |= is_subnormal<T>(d);
  }
  return {info, any<T>(subnormal)};
}

/// N columns of X:  L Y = X,  L^H X = Y. Row k of them begins at X + k * N.
template <int N, class T>
TALUS_INLINE void solve_columns(const triangle<T>& L, const real_lanes<T>* inverse, bool subnormal,
                                lanes<T>* X) {
  const auto by_root = [&](int i, const lanes<T>& x)
                           TALUS_INLINED { return divide<T>(x, L(i, i), inverse[i], subnormal); };
  solve_forward<N, T>(L, X, by_root);
  solve_backward<true, N, T>(L, X, by_root);
}

/// Solves for the columns from j on that fit in the scratch, N of them.
template <int N, class T>
void solve_from(const workspace<T>& work, bool subnormal, int j, T* const* B, int ldb, const int* good) {
  const triangle<T>& L = work.L;
  lanes<T>* const X = work.X;
  for (int i = L.n; i < tiles(L.n, side<T>) * side<T>; ++i) {
    for (int v = 0; v < N; ++v) X[i * N + v] = lanes<T>{};
  }
  for (int v = 0; v < N; ++v) {
    load_run(B, static_cast<std::ptrdiff_t>(j + v) * ldb, L.n,
             [&](int i) TALUS_INLINED -> lanes<T>& { return X[i * N + v]; });
  }
  solve_columns<N, T>(L, work.inverse, subnormal, X);
  for (int v = 0; v < N; ++v) {
    store_column(good, B, static_cast<std::ptrdiff_t>(j + v) * ldb, L.n,
                 [&](int i) TALUS_INLINED { return X[i * N + v]; });
  }
}

template <class T>
void solve(const workspace<T>& work, bool subnormal, int nrhs, T* const* B, int ldb, const int* good) {
  constexpr int E = side<T>;
  int j = 0;
  for (; j + E <= nrhs; j += E) solve_from<E, T>(work, subnormal, j, B, ldb, good);
  for (; j < nrhs; ++j) solve_from<1, T>(work, subnormal, j, B, ldb, good);
}

// ---- potri ---------------------------------------------------------------------------------------

/// L <- M = L^-1, row of tiles by row of tiles. L(p, q) is last read for M(p, q) itself, so M takes its
/// place.
template <class T>
void invert(const triangle<T>& L, const real_lanes<T>* inverse) {
  constexpr int E = side<T>;
  for (int p = 0; p < tiles(L.n, E); ++p) {
    lanes<T>* const panel = L.panel(p);
    lanes<T>* const diagonal = panel + p * E * E;
    lanes<T> D[E][E];  // the inverse of the diagonal tile
    for_tile<E, E>([&](int u, int v) TALUS_INLINED {
      if (u == v) D[v][v] = element<T>(inverse[p * E + v]);
      if (u <= v) return;
      D[u][v] = lanes<T>{};
      TALUS_UNROLL
      for (int k = v; k < u; ++k) subtract_product<T>(D[u][v], diagonal[k * E + u], D[k][v]);
      D[u][v] = D[u][v] * inverse[p * E + u];
    });
    for (int q = 0; q < p; ++q) {
      lanes<T> C[E][E] = {};  // -L(p, q:p) M(q:p, q)
      for (int t = q; t < p; ++t) {
        const lanes<T>* const a = panel + t * E * E;
        const lanes<T>* const b = L.panel(t) + q * E * E;
        for (int k = 0; k < E; ++k) {
          for_tile<E, E>([&](int u, int v)
                             TALUS_INLINED { subtract_product<T>(C[u][v], a[k * E + u], b[v * E + k]); });
        }
      }
      lanes<T>* const to = panel + q * E * E;  // M(p, q) = D C
      for_tile<E, E>([&](int u, int v) TALUS_INLINED {
        lanes<T> negative = {};
        TALUS_UNROLL
        for (int k = 0; k <= u; ++k) subtract_product<T>(negative, D[u][k], C[k][v]);
        to[v * E + u] = negative * (real_lanes<T>{} - 1);
      });
    }
    for_tile<E, E>([&](int u, int v) TALUS_INLINED {
      if (u >= v) diagonal[v * E + u] = D[u][v];
    });
  }
}

/// M <- the lower triangle of M^H M, row of tiles by row of tiles: row p needs no row above it.
template <class T>
void multiply_by_adjoint(const triangle<T>& M) {
  constexpr int E = side<T>;
  const int panels = tiles(M.n, E);
  for (int p = 0; p < panels; ++p) {
    for (int q = 0; q <= p; ++q) {  // the diagonal tile last: the others need it
      lanes<T> C[E][E] = {};        // -M(p:, p)^H M(p:, q)
      for (int t = p; t < panels; ++t) {
        const lanes<T>*const a = M.panel(t) + p * E * E, *const b = M.panel(t) + q * E * E;
        for (int k = 0; k < E; ++k) {
          for_tile<E, E>([&](int u, int v) TALUS_INLINED {
            subtract_product_conj<T>(C[u][v], b[v * E + k], a[u * E + k]);
          });
        }
      }
      lanes<T>* const to = M.panel(p) + q * E * E;
      for_tile<E, E>([&](int u, int v) TALUS_INLINED { to[v * E + u] = C[u][v] * (real_lanes<T>{} - 1); });
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
  const auto [failed, subnormal] = invert_diagonal(work.L, work.inverse);
  const bool all_good = write<T>(failed, info);
  solve(work, subnormal, nrhs, B, ldb, all_good ? nullptr : info);
}

template <class T>
void posv(uplo uplo, int n, int nrhs, T* const* A, int lda, T* const* B, int ldb, int* info, void* scratch) {
  const workspace<T> work(n, scratch);
  load<T>(uplo, A, lda, work.L);
  const bool all_good = write<T>(factor(work.L, work.inverse), info);
  store<T>(uplo, work.L, A, lda);
  complete_tiles(work.L);
  const bool subnormal = invert_diagonal(work.L, work.inverse).subnormal;
  solve(work, subnormal, nrhs, B, ldb, all_good ? nullptr : info);
}

template <class T>
void potri(uplo uplo, int n, T* const* A, int lda, int* info, void* scratch) {
  const workspace<T> work(n, scratch);
  load<T>(uplo, A, lda, work.L);
  complete_tiles(work.L);
  const auto [failed, subnormal] = invert_diagonal(work.L, work.inverse);
  const bool all_good = write<T>(failed, info);
  for (int j = 0; subnormal && j < n; ++j) work.inverse[j] = work.inverse[j] * scale_up<T>(work.L(j, j));
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
}  // namespace talus::host::TALUS_ISA

namespace talus::host {

template <>
const cholesky_kernels<TALUS_T>& kernels_for<cholesky_kernels<TALUS_T>, isa::TALUS_ISA>() noexcept {
  using namespace TALUS_ISA;
  static constexpr cholesky_kernels<TALUS_T> all = {
      TALUS_TEXT_OF(TALUS_ISA),
      width_of<TALUS_T>,
      lanes_n_max(precision_of<TALUS_T>, TALUS_TEXT_OF(TALUS_ISA)),
      n_max<TALUS_T>,
      workspace<TALUS_T>::bytes,
      TALUS_ISA::potrf<TALUS_T>,
      TALUS_ISA::potrs<TALUS_T>,
      TALUS_ISA::posv<TALUS_T>,
      TALUS_ISA::potri<TALUS_T>,
      potf2_n_max<TALUS_T>,
      potf2<TALUS_T>};
  return all;
}

}  // namespace talus::host
