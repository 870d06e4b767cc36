// LU of one matrix per SIMD lane: a group of matrices is packed, worked on as if it were one matrix, and
// unpacked. Compiled once per instruction set, TALUS_ISA.
//
// Each lane has its own pivots: rows trade places lane by lane, and no operation joins lanes. What branches
// depend on changes no bits, so a matrix gets the same in every lane, beside any neighbours.
#include "host/lanes/rectangle.hpp"
#include "host/lu/kernels.hpp"
#include "host/lu/lanes_pivot.hpp"
#include "host/lu/lanes_solve.hpp"
#include "host/lu/panel.hpp"
#include "host/lu/substitution.hpp"

namespace talus::host::TALUS_ISA {
namespace {

// ---- getrf ---------------------------------------------------------------------------------------

/// The tile of rows p and columns q, from which every pivot above and to the left is eliminated: U where the
/// rows are pivots, too.
template <class T>
TALUS_INLINE void update_tile(const rectangle<T>& X, int p, int q) {
  constexpr int E = side<T>;
  const int done = p < q ? p : q;
  lanes<T>* const tile = X.tile(p, q);
  lanes<T> C[E][E];
  for_tile<E, E>([&](int u, int v) TALUS_INLINED { C[u][v] = tile[v * E + u]; });
  const lanes<T>* a = X.panel(p);
  for (int s = 0; s < done; ++s) {
    const lanes<T>* const b = X.tile(s, q);
    TALUS_UNROLL
    for (int k = 0; k < E; ++k, a += E) {
      for_tile<E, E>([&](int u, int v) TALUS_INLINED { subtract_product<T>(C[u][v], a[u], b[v * E + k]); });
    }
  }
  if (p < q) {  // a: the diagonal tile
    for_tile<E, E>([&](int u, int v) TALUS_INLINED {
      TALUS_UNROLL
      for (int k = 0; k < u; ++k) subtract_product<T>(C[u][v], a[k * E + u], C[k][v]);
    });
  }
  for_tile<E, E>([&](int u, int v) TALUS_INLINED { tile[v * E + u] = C[u][v]; });
}

/// Column V of a panel of columns, the matrix's column j, is eliminated from those right of it in the panel.
/// pivots: an object that chooses the pivot and brings it to row j.
template <int V, class T, class Pivots>
TALUS_INLINE void eliminate_columns(const rectangle<T>& X, int first, int end, Pivots& pivots) {
  constexpr int E = side<T>;
  const int j = first + V;
  if (j >= end) return;
  lanes<T>* const columns = X.data + E * first;
  const lanes<T> pivot = pivots.choose(X, j);
  lanes<T> u[E];
  TALUS_UNROLL
  for (int w = V + 1; w < E; ++w) u[w] = columns[X.row[j] + E * w];
  const divisor<T> by(pivot);
  for (int i = j + 1; i < X.m; ++i) {
    lanes<T>* const x = columns + X.row[i];
    const lanes<T> l = x[E * V] = by.divide(x[E * V]);
    TALUS_UNROLL
    for (int w = V + 1; w < E; ++w) subtract_product<T>(x[E * w], l, u[w]);
  }
  if constexpr (V + 1 < E) eliminate_columns<V + 1>(X, first, end, pivots);
}

/// LU, left-looking: a panel of E columns at a time, each finished when it is reached.
template <class T, class Pivots>
void factor(const rectangle<T>& X, Pivots& pivots) {
  constexpr int E = side<T>;
  const int k = X.m < X.n ? X.m : X.n;
  for (int q = 0; q < tiles(X.n, E); ++q) {
    for (int p = 0; p < tiles(X.m, E); ++p) update_tile(X, p, q);
    eliminate_columns<0>(X, q * E, k, pivots);
  }
}

// ---- the routines --------------------------------------------------------------------------------

template <class T>
void getrf(int m, int n, T* const* A, int lda, int* const* ipiv, int* info, void* scratch) {
  const workspace<T> work(m, n, scratch);
  largest_pivots<T> pivots(work.rows);
  load(A, lda, work.X);
  factor(work.X, pivots);
  store(work.X, A, lda);
  store_pivots<T>(work.rows, m < n ? m : n, ipiv);
  write<T>(pivots.info, info);
}

template <class T>
void getrf_nopiv(int m, int n, T* const* A, int lda, const real_of<T>* const* floors, int* const* replaced,
                 int* info, void* scratch) {
  const workspace<T> work(m, n, scratch);
  diagonal_pivots<T> pivots(floors);
  load(A, lda, work.X);
  factor(work.X, pivots);
  store(work.X, A, lda);
  write<T>(pivots.info, info);
  for (int l = 0; l < width_of<T>; ++l) {
    if (replaced[l] != nullptr) *replaced[l] = static_cast<int>(pivots.replaced[l]);
  }
}

template <class T>
void getrs(op op, int n, int nrhs, const T* const* A, int lda, const int* const* ipiv, T* const* B, int ldb,
           int* info, void* scratch) {
  const workspace<T> work(n, n, scratch);
  load(A, lda, work.X);
  auto [failed, subnormal] = invert_diagonal(work);
  const bool exchanged = ipiv[0] != nullptr;
  if (exchanged) load_pivots<T>(ipiv, n, work.rows, failed);
  const bool all_good = write<T>(failed, info);
  const system_of<T> system = {work, subnormal, exchanged, nrhs, B, ldb, all_good ? nullptr : info};
  if (op == op::none) {
    solve(system, plain{});
  } else if (op == op::trans || !is_complex<T>) {
    solve(system, transposed<false>{});
  } else {
    solve(system, transposed<true>{});
  }
}

template <class T>
void gesv(int n, int nrhs, T* const* A, int lda, int* const* ipiv, T* const* B, int ldb, int* info,
          void* scratch) {
  const workspace<T> work(n, n, scratch);
  largest_pivots<T> pivots(work.rows);
  load(A, lda, work.X);
  factor(work.X, pivots);
  store(work.X, A, lda);
  store_pivots<T>(work.rows, n, ipiv);
  const bool all_good = write<T>(pivots.info, info);
  const bool subnormal = invert_diagonal(work).subnormal;
  solve(system_of<T>{work, subnormal, true, nrhs, B, ldb, all_good ? nullptr : info}, plain{});
}

template <class T>
void getri(int n, const T* const* A, int lda, const int* const* ipiv, T* const* C, int ldc, int* info,
           void* scratch) {
  const workspace<T> work(n, n, scratch);
  load(A, lda, work.X);
  auto [failed, subnormal] = invert_diagonal(work);
  load_pivots<T>(ipiv, n, work.rows, failed);
  const bool all_good = write<T>(failed, info);
  invert(work, subnormal, C, ldc, all_good ? nullptr : info);
}

constexpr int n_max = registers == 32 ? 128 : 64, getri_n_max = 2 * n_max;

#define TALUS_TEXT_OF(isa) TALUS_TEXT(isa)
#define TALUS_TEXT(isa) #isa

}  // namespace
}  // namespace talus::host::TALUS_ISA

namespace talus::host {

template <>
const lu_kernels<TALUS_T>& kernels_for<lu_kernels<TALUS_T>, isa::TALUS_ISA>() noexcept {
  using namespace TALUS_ISA;
  static constexpr lu_kernels<TALUS_T> all = {TALUS_TEXT_OF(TALUS_ISA),
                                              width_of<TALUS_T>,
                                              n_max,
                                              n_max,
                                              getri_n_max,
                                              workspace<TALUS_T>::bytes,
                                              TALUS_ISA::getrf<TALUS_T>,
                                              TALUS_ISA::getrf_nopiv<TALUS_T>,
                                              TALUS_ISA::getrs<TALUS_T>,
                                              TALUS_ISA::gesv<TALUS_T>,
                                              TALUS_ISA::getri<TALUS_T>,
                                              panel_bytes<TALUS_T>,
                                              panel<TALUS_T>,
                                              substitution_bytes<TALUS_T>,
                                              substitute<TALUS_T>};
  return all;
}

}  // namespace talus::host
