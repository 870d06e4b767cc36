// QR of one matrix per SIMD lane: a group of matrices is packed, worked on as if it were one matrix, and
// unpacked. Compiled once per instruction set, TALUS_ISA.
//
// No operation joins lanes and no branch depends on what is in them, so a matrix gets the same bits in every
// lane, beside any neighbours.
#include "host/qr/kernels.hpp"
#include "host/qr/lanes_reflect.hpp"
#include "host/qr/lanes_scaling.hpp"

namespace talus::host::TALUS_ISA {
namespace {

// ---- to and from memory --------------------------------------------------------------------------

template <class T>
void store_tau(const workspace<T>& work, int k, T* const* tau) {
  store_run(tau, 0, k, [&](int j) TALUS_INLINED { return work.tau[j]; });
}

/// The first k reflectors of a group that were found by geqrf.
template <class T>
void load_reflectors(const workspace<T>& work, int k, const T* const* A, int lda, const T* const* tau) {
  constexpr int E = side<T>;
  load(A, lda, work.X);
  load_run(tau, 0, k, [&](int j) TALUS_INLINED -> lanes<T>& { return work.tau[j]; });
  for (int j = k; j < tiles(k, E) * E; ++j) work.tau[j] = lanes<T>{};
  for (int b = 0; b < tiles(k, E); ++b) form_factor(work, b, k);
}

/// X <- A^H; what fills its tiles up is zero.
template <class T>
void load_adjoint(const T* const* A, int lda, const rectangle<T>& X) {
  constexpr int E = side<T>;
  const int rows = tiles(X.m, E) * E, columns = tiles(X.n, E) * E;
  for (int j = 0; j < X.m; ++j) {
    lanes<T>* const to = &X(j, 0);
    load_run(A, static_cast<std::ptrdiff_t>(j) * lda, X.n,
             [&](int i) TALUS_INLINED -> lanes<T>& { return to[E * i]; });
    if constexpr (is_complex<T>) {
      for (int i = 0; i < X.n; ++i) to[E * i] = conj<T>(to[E * i]);
    }
  }
  for (int j = 0; j < columns; ++j) {
    for (int i = j < X.n ? X.m : 0; i < rows; ++i) X(i, j) = lanes<T>{};
  }
}

/// R, the first k rows of X, with zeros below its diagonal.
template <class T>
void store_triangle(const rectangle<T>& X, int k, T* const* R, int ldr) {
  for (int j = 0; j < X.n; ++j) {
    store_run(R, static_cast<std::ptrdiff_t>(j) * ldr, k,
              [&](int i) TALUS_INLINED { return i <= j ? X(i, j) : lanes<T>{}; });
  }
}

/// Rows `first` ... of the scratch's N columns become zero.
template <int N, class T>
TALUS_INLINE void clear(const rectangle<T>& Y, int first) {
  for (int i = first; i < tiles(Y.m, side<T>) * side<T>; ++i) {
    TALUS_UNROLL
    for (int v = 0; v < N; ++v) Y(i, v) = lanes<T>{};
  }
}

/// Calls f(integral constant, j): for columns j, j + 1, ..., as many as the constant says, up to `end`.
template <class T, class F>
TALUS_INLINE void by_columns(int end, F f) {
  constexpr int E = side<T>;
  int j = 0;
  for (; j + E <= end; j += E) f(std::integral_constant<int, E>{}, j);
  with_rows<E - 1>(end - j, [&](auto N) TALUS_INLINED { f(N, j); });
}

// ---- Q -------------------------------------------------------------------------------------------

/// The first n columns of Q, k of whose reflectors there are, go to A. The others are an identity's.
template <class T>
void form(const workspace<T>& work, int n, int k, T* const* A, int lda) {
  constexpr int E = side<T>;
  const rectangle<T>& Y = work.Y;
  const int blocks = tiles(k, E);
  for (int c = 0; c < tiles(n, E); ++c) {
    clear<E>(Y, 0);
    for (int v = 0; v < E && c * E + v < n; ++v) Y(c * E + v, v) = element<T>(ones<T>());
    apply_blocks<E, false, T>(work, c < blocks ? c + 1 : blocks, Y, 0);
    for (int v = 0; v < E && c * E + v < n; ++v) {
      store_run(A, static_cast<std::ptrdiff_t>(c * E + v) * lda, Y.m,
                [&](int i) TALUS_INLINED { return Y(i, v); });
    }
  }
}

/// C <- Q C or Q^H C
template <bool ADJOINT, class T>
void multiply_left(const workspace<T>& work, int blocks, int n, T* const* C, int ldc) {
  const rectangle<T>& Y = work.Y;
  by_columns<T>(n, [&](auto count, int j) {
    constexpr int N = count;
    clear<N>(Y, Y.m);
    for (int v = 0; v < N; ++v) {
      load_run(static_cast<const T* const*>(C), static_cast<std::ptrdiff_t>(j + v) * ldc, Y.m,
               [&](int i) TALUS_INLINED -> lanes<T>& { return Y(i, v); });
    }
    apply_blocks<N, ADJOINT, T>(work, blocks, Y, 0);
    for (int v = 0; v < N; ++v) {
      store_run(C, static_cast<std::ptrdiff_t>(j + v) * ldc, Y.m,
                [&](int i) TALUS_INLINED { return Y(i, v); });
    }
  });
}

/// C <- C Q^H = (Q C^H)^H, or C Q = (Q^H C^H)^H: rows of C are columns of the scratch.
template <bool ADJOINT, class T>
void multiply_right(const workspace<T>& work, int blocks, int m, T* const* C, int ldc) {
  const rectangle<T>& Y = work.Y;
  by_columns<T>(m, [&](auto count, int j) {
    constexpr int N = count;
    clear<N>(Y, Y.m);
    for (int i = 0; i < Y.m; ++i) {
      lanes<T>* const row = &Y(i, 0);
      load_run(static_cast<const T* const*>(C), j + static_cast<std::ptrdiff_t>(i) * ldc, N,
               [&](int v) TALUS_INLINED -> lanes<T>& { return row[v * side<T>]; });
      TALUS_UNROLL
      for (int v = 0; v < N; ++v) row[v * side<T>] = conj<T>(row[v * side<T>]);
    }
    apply_blocks<N, ADJOINT, T>(work, blocks, Y, 0);
    for (int i = 0; i < Y.m; ++i) {
      const lanes<T>* const row = &Y(i, 0);
      store_run(C, j + static_cast<std::ptrdiff_t>(i) * ldc, N,
                [&](int v) TALUS_INLINED { return conj<T>(row[v * side<T>]); });
    }
  });
}

// ---- gels ----------------------------------------------------------------------------------------

/// Looks for diagonal elements of R that are zero or NaN. The reciprocals of all elements, for divide(),
/// replace tau.
template <class T>
diagonal_check<T> invert_diagonal(const workspace<T>& work) {
  const rectangle<T>& X = work.X;
  mask_of<T> info = {}, subnormal = {};
  for (int j = 0; j < X.n; ++j) {
    const lanes<T> d = X(j, j);
    info |= (is_zero(d) | is_nan(d)) & (info == 0) & (j + 1);
    work.tau[j] = divisor<T>(d).reciprocal;
    subnormal |= is_subnormal<T>(d);
  }
  return {info, any<T>(subnormal)};
}

/// R X = Y, N columns.
template <int N, class T>
TALUS_INLINE void solve(const workspace<T>& work, bool subnormal) {
  constexpr int E = side<T>;
  const rectangle<T>&X = work.X, &Y = work.Y;
  for (int j = X.n - 1; j >= 0; --j) {
    lanes<T> x[N];
    TALUS_UNROLL
    for (int v = 0; v < N; ++v) x[v] = Y(j, v) = divide<T>(Y(j, v), X(j, j), work.tau[j], subnormal);
    const lanes<T>* const column = X.data + E * j;
    for (int i = 0; i < j; ++i) {
      TALUS_UNROLL
      for (int v = 0; v < N; ++v) subtract_product<T>(Y(i, v), column[X.row[i]], x[v]);
    }
  }
}

/// R^H X = Y, N columns.
template <int N, class T>
TALUS_INLINE void solve_adjoint(const workspace<T>& work, bool subnormal) {
  constexpr int E = side<T>;
  const rectangle<T>&X = work.X, &Y = work.Y;
  for (int j = 0; j < X.n; ++j) {
    lanes<T> x[N];
    TALUS_UNROLL
    for (int v = 0; v < N; ++v) x[v] = Y(j, v) = divide<T>(Y(j, v), X(j, j), conj<T>(work.tau[j]), subnormal);
    const lanes<T>* const row = X.data + X.row[j];
    for (int i = j + 1; i < X.n; ++i) {
      TALUS_UNROLL
      for (int v = 0; v < N; ++v) subtract_product_conj<T>(Y(i, v), x[v], row[E * i]);
    }
  }
}

/// Solves with the QR of a tall matrix: B <- R^-1 Q^H B, above the other rows of Q^H B, or for the least norm
/// B <- Q R^-H B.
///
///   scaled     true in lanes where factor_loaded scaled the columns of A
///   subnormal  true if an element of R's diagonal is subnormal in a lane
template <class T>
void solve_columns(const workspace<T>& work, bool least_norm, mask_of<T> scaled, bool subnormal, int nrhs,
                   T* const* B, int ldb, const int* good) {
  const mask_of<T>* const powers = any<T>(scaled) ? work.powers : nullptr;
  const rectangle<T>& Y = work.Y;
  const int given = least_norm ? work.X.n : Y.m, blocks = tiles(work.X.n, side<T>);
  by_columns<T>(nrhs, [&](auto count, int j) {
    constexpr int N = count;
    clear<N>(Y, given);
    for (int v = 0; v < N; ++v) {
      load_run(static_cast<const T* const*>(B), static_cast<std::ptrdiff_t>(j + v) * ldb, given,
               [&](int i) TALUS_INLINED -> lanes<T>& { return Y(i, v); });
    }
    mask_of<T> of_sides[N];
    const mask_of<T> where = scaled | has_far_sides<N>(Y, given);
    const bool far = any<T>(where);
    if (far) scale_sides<T>(Y, given, N, where, least_norm ? powers : nullptr, of_sides);
    if (least_norm) {
      solve_adjoint<N>(work, subnormal);
      apply_blocks<N, false, T>(work, blocks, Y, 0);
    } else {
      apply_blocks<N, true, T>(work, blocks, Y, 0);
      solve<N>(work, subnormal);
    }
    if (far) scale_solutions_back<T>(Y, work.X.n, N, least_norm ? nullptr : powers, of_sides);
    for (int v = 0; v < N; ++v) {
      store_column(good, B, static_cast<std::ptrdiff_t>(j + v) * ldb, Y.m,
                   [&](int i) TALUS_INLINED { return Y(i, v); });
    }
  });
}

// ---- the routines --------------------------------------------------------------------------------

template <class T>
void geqrf(int m, int n, T* const* A, int lda, T* const* tau, void* scratch) {
  const workspace<T> work(m, n, scratch);
  if (any<T>(factor_loaded(work, [&] { load(A, lda, work.X); }))) scale_triangle_back(work);
  store(work.X, A, lda);
  store_tau(work, m < n ? m : n, tau);
}

template <class T>
void ormqr(talus::side where, bool adjoint, int m, int n, int k, const T* const* A, int lda,
           const T* const* tau, T* const* C, int ldc, void* scratch) {
  const bool left = where == talus::side::left;
  const workspace<T> work(left ? m : n, k, scratch);
  const int blocks = tiles(k, side<T>);
  load_reflectors(work, k, A, lda, tau);
  if (left) {
    (adjoint ? multiply_left<true, T> : multiply_left<false, T>)(work, blocks, n, C, ldc);
  } else {
    (adjoint ? multiply_right<false, T> : multiply_right<true, T>)(work, blocks, m, C, ldc);
  }
}

template <class T>
void orgqr(int m, int n, int k, T* const* A, int lda, const T* const* tau, void* scratch) {
  const workspace<T> work(m, k, scratch);
  load_reflectors(work, k, static_cast<const T* const*>(A), lda, tau);
  form(work, n, k, A, lda);
}

template <class T>
void gels(bool adjoint, int m, int n, int nrhs, const T* const* A, int lda, T* const* B, int ldb, int* info,
          void* scratch) {
  const bool tall = m >= n;
  const workspace<T> work(tall ? m : n, tall ? n : m, scratch);
  const mask_of<T> scaled = factor_loaded(work, [&] {
    if (tall) {
      load(A, lda, work.X);
    } else {
      load_adjoint(A, lda, work.X);
    }
  });
  const auto [failed, subnormal] = invert_diagonal(work);
  const bool all_good = write<T>(failed, info);
  solve_columns(work, adjoint == tall, scaled, subnormal, nrhs, B, ldb, all_good ? nullptr : info);
}

template <class T>
void qr(int m, int n, T* const* A, int lda, T* const* R, int ldr, void* scratch) {
  const workspace<T> work(m, n, scratch);
  const int k = m < n ? m : n;
  if (any<T>(factor_loaded(work, [&] { load(static_cast<const T* const*>(A), lda, work.X); })))
    scale_triangle_back(work);
  store_triangle(work.X, k, R, ldr);
  form(work, k, k, A, lda);
}

#define TALUS_TEXT_OF(isa) TALUS_TEXT(isa)
#define TALUS_TEXT(isa) #isa

constexpr int n_max = 256;
constexpr std::size_t bytes_max = std::size_t{4} << 20;

}  // namespace
}  // namespace talus::host::TALUS_ISA

namespace talus::host {

template <>
const qr_kernels<TALUS_T>& kernels_for<qr_kernels<TALUS_T>, isa::TALUS_ISA>() noexcept {
  using namespace TALUS_ISA;
  static constexpr qr_kernels<TALUS_T> all = {TALUS_TEXT_OF(TALUS_ISA),
                                              width_of<TALUS_T>,
                                              n_max,
                                              bytes_max,
                                              workspace<TALUS_T>::bytes,
                                              TALUS_ISA::geqrf<TALUS_T>,
                                              TALUS_ISA::ormqr<TALUS_T>,
                                              TALUS_ISA::orgqr<TALUS_T>,
                                              TALUS_ISA::gels<TALUS_T>,
                                              TALUS_ISA::qr<TALUS_T>};
  return all;
}

}  // namespace talus::host
