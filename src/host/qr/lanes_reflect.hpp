// Householder reflectors of a group of matrices, one matrix per SIMD lane, in blocks of as many as a tile has
// columns:  H_1 H_2 ... = I - V F V^H  with F upper triangular (LAPACK's xLARFT calls it T).
#pragma once

#include "host/lanes/numbers.hpp"
#include "host/lanes/rectangle.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// The scratch of one group, and what is in it of Q = H_1 H_2 ... H_k.
template <class T>
struct workspace {
  rectangle<T> X;      // A; below its diagonal, the reflectors
  rectangle<T> Y;      // E columns of another matrix, with as many rows
  lanes<T>* diagonal;  // per block: the diagonal tile of V, with its ones and zeros
  lanes<T>* factor;    // per block: F, column by column
  lanes<T>* tau;       // later gels has reciprocals of R's diagonal there, for divide()
  mask_of<T>* powers;  // of two, by which the columns of A were multiplied

  static constexpr int E = side<T>;

  static std::size_t bytes(int m, int n) {
    const auto k = static_cast<std::size_t>(tiles(m < n ? m : n, E));
    return (rectangle<T>::elements(m, n) + rectangle<T>::elements(m, E) + k * (2 * E * E + E)) *
               sizeof(lanes<T>) +
           static_cast<std::size_t>(n) * sizeof(mask_of<T>) +
           2 * static_cast<std::size_t>(tiles(m, E)) * E * sizeof(int);
  }

  workspace(int m, int n, void* scratch) {
    const int blocks = tiles(m < n ? m : n, E);
    const auto data = static_cast<lanes<T>*>(scratch);
    lanes<T>* const y = data + rectangle<T>::elements(m, n);
    diagonal = y + rectangle<T>::elements(m, E);
    factor = diagonal + blocks * E * E;
    tau = factor + blocks * E * E;
    powers = reinterpret_cast<mask_of<T>*>(tau + blocks * E);
    int* const row = reinterpret_cast<int*>(powers + n);
    int* const row_of_y = row + tiles(m, E) * E;
    rectangle<T>::set_rows(m, n, row);
    rectangle<T>::set_rows(m, E, row_of_y);
    X = {data, row, m, n};
    Y = {y, row_of_y, m, E};
  }
};

// ---- one reflector -------------------------------------------------------------------------------

/// The larger part of a number without its sign, as the integer of the same bits. That orders numbers that
/// are not negative as they are ordered, with NaN above all.
template <class T>
TALUS_INLINE mask_of<T> size_of(const lanes<T>& x) {
  mask_of<T> size = reinterpret_cast<mask_of<T>>(absolute<real_of<T>>(x.re));
  if constexpr (is_complex<T>) {
    const mask_of<T> other = reinterpret_cast<mask_of<T>>(absolute<real_of<T>>(x.im));
    size = other > size ? other : size;
  }
  return size;
}
template <class T>
TALUS_INLINE mask_of<T> larger(mask_of<T> a, mask_of<T> b) {
  return a > b ? a : b;
}

/// The power of two that brings numbers of at most this size near to 1, so that their squares neither
/// overflow nor vanish.
template <class T>
TALUS_INLINE real_lanes<T> scale_for(mask_of<T> size) {
  constexpr int digits = sizeof(real_of<T>) == 4 ? 23 : 52;
  constexpr int twice_bias = sizeof(real_of<T>) == 4 ? 254 : 2046;
  const mask_of<T> exponent = twice_bias - (size >> digits);
  return reinterpret_cast<real_lanes<T>>((exponent < 1 ? mask_of<T>{} + 1 : exponent) << digits);
}

/// The magnitude of a with the sign of b.
template <class T>
TALUS_INLINE real_lanes<T> with_sign_of(real_lanes<T> a, real_lanes<T> b) {
  using bits = mask_of<T>;
  const bits sign = reinterpret_cast<bits>(b) ^ reinterpret_cast<bits>(absolute<real_of<T>>(b));
  return reinterpret_cast<real_lanes<T>>(reinterpret_cast<bits>(absolute<real_of<T>>(a)) | sign);
}

template <class T>
TALUS_INLINE real_lanes<T> square_of(const lanes<T>& x) {
  real_lanes<T> sum = x.re * x.re;
  if constexpr (is_complex<T>) sum += x.im * x.im;
  return sum;
}

/// As LAPACK's xLARFG:  H^H (alpha; x) = (beta; 0),  H = I - tau v v^H,  v = (1; x / (alpha - beta)). Only
/// where x is exactly zero and alpha real is tau zero.
template <class T>
struct reflector {
  lanes<T> tau, beta;
  lanes<T> inverse;  // v is what is scaled of x, times this

  /// below: the size of x; squares: of what is scaled of x.
  TALUS_INLINE reflector(const lanes<T>& alpha, mask_of<T> below, real_lanes<T> scale,
                         real_lanes<T> squares) {
    const lanes<T> a = alpha * scale;
    const real_lanes<T> norm = with_sign_of<T>(square_root(squares + square_of<T>(a)), a.re);
    const real_lanes<T> one = ones<T>();
    lanes<T> difference = a;  // alpha - beta, where beta is -norm
    difference.re += norm;
    tau = difference;
    if constexpr (is_complex<T>) {
      tau.re /= norm;
      tau.im /= norm;
      inverse = conj<T>(difference) * (one / square_of<T>(difference));
    } else {
      tau.re /= norm;
      inverse.re = one / difference.re;
    }
    mask_of<T> none = below == 0;
    if constexpr (is_complex<T>) none &= alpha.im == 0;
    tau = select(none, lanes<T>{}, tau);
    inverse = select(none, lanes<T>{}, inverse);
    beta = select(none, alpha, element<T>(-norm / scale));
  }
};

// ---- a block of them -----------------------------------------------------------------------------

/// Column V of F. products: v_i^H v_V of the reflectors before it.
template <int V, class T>
TALUS_INLINE void extend_factor(lanes<T>* F, const lanes<T> (&products)[side<T>], const lanes<T>& tau) {
  constexpr int E = side<T>;
  TALUS_UNROLL
  for (int i = 0; i < E; ++i) {
    lanes<T> f = {};
    TALUS_UNROLL
    for (int s = i; s < V; ++s) subtract_product<T>(f, F[s * E + i], products[s]);
    if (i < V) F[V * E + i] = f * tau;
    if (i == V) F[V * E + i] = tau;
    if (i > V) F[V * E + i] = lanes<T>{};
  }
}

/// Block b's diagonal tile of V, of which `count` columns are reflectors.
template <class T>
TALUS_INLINE void set_diagonal(const workspace<T>& work, int b, int count) {
  constexpr int E = side<T>;
  const lanes<T>* const tile = work.X.tile(b, b);
  lanes<T>* const D = work.diagonal + b * E * E;
  for_tile<E, E>([&](int u, int v) TALUS_INLINED {
    D[v * E + u] = u < v || v >= count ? lanes<T>{} : u == v ? element<T>(ones<T>()) : tile[v * E + u];
  });
}

/// Column V of block q becomes a reflector, which is applied to the block's others; then those that follow,
/// as long as they are fewer than k in all. below: the size of the column below the diagonal.
template <int V, class T>
TALUS_INLINE void reflect_columns(const workspace<T>& work, int q, int k, mask_of<T> below) {
  constexpr int E = side<T>;
  const rectangle<T>& X = work.X;
  const int j = q * E + V, m = X.m;
  lanes<T>* const F = work.factor + q * E * E;
  if (j >= k) {
    TALUS_UNROLL
    for (int i = V * E; i < E * E; ++i) F[i] = lanes<T>{};
    return;
  }
  lanes<T>* const columns = X.data + E * E * q;
  lanes<T>* const top = columns + X.row[j];
  const lanes<T> alpha = top[E * V];
  const real_lanes<T> scale = scale_for<T>(larger<T>(below, size_of<T>(alpha)));

  // less x^H c of the columns c that follow, less v^H x of the reflectors before
  lanes<T> dots[E] = {};
  real_lanes<T> squares = {};
  for (int i = j + 1; i < m; ++i) {
    const lanes<T>* const row = columns + X.row[i];
    const lanes<T> x = row[E * V] * scale;
    squares += square_of<T>(x);
    TALUS_UNROLL
    for (int w = 0; w < E; ++w) {
      if (w < V) subtract_product_conj<T>(dots[w], x, row[E * w]);
      if (w > V) subtract_product_conj<T>(dots[w], row[E * w], x);
    }
  }

  const reflector<T> H(alpha, below, scale, squares);
  lanes<T> products[E] = {};
  TALUS_UNROLL
  for (int w = 0; w < E; ++w) {
    if (w < V) {
      products[w] = conj<T>(top[E * w]);
      subtract_product<T>(products[w], dots[w], H.inverse);
    }
    if (w > V) {
      lanes<T> product = top[E * w];
      subtract_product_conj<T>(product, dots[w], H.inverse);
      dots[w] = product * conj<T>(H.tau);
      top[E * w].re -= dots[w].re;
      if constexpr (is_complex<T>) top[E * w].im -= dots[w].im;
    }
  }
  top[E * V] = H.beta;
  work.tau[j] = H.tau;
  extend_factor<V, T>(F, products, H.tau);

  mask_of<T> next = {};
  const auto apply_to = [&](lanes<T>* row) TALUS_INLINED {
    const lanes<T> v = row[E * V] = (row[E * V] * scale) * H.inverse;
    TALUS_UNROLL
    for (int w = V + 1; w < E; ++w) subtract_product<T>(row[E * w], v, dots[w]);
  };
  if (j + 1 < m) apply_to(columns + X.row[j + 1]);
  for (int i = j + 2; i < m; ++i) {
    lanes<T>* const row = columns + X.row[i];
    apply_to(row);
    if constexpr (V + 1 < E) next = larger<T>(next, size_of<T>(row[E * (V + 1)]));
  }
  if constexpr (V + 1 < E) reflect_columns<V + 1, T>(work, q, k, next);
}

/// Block q, the earlier blocks having been applied to it, is factored.
template <class T>
TALUS_INLINE void reflect(const workspace<T>& work, int q, int k) {
  constexpr int E = side<T>;
  const rectangle<T>& X = work.X;
  const lanes<T>* const column = X.data + E * E * q;
  mask_of<T> below = {};
  for (int i = q * E + 1; i < X.m; ++i) below = larger<T>(below, size_of<T>(column[X.row[i]]));
  reflect_columns<0, T>(work, q, k, below);
  set_diagonal(work, q, k - q * E);
}

/// F of block b, whose reflectors and tau are from elsewhere.
template <int V, class T>
TALUS_INLINE void extend_factors(const lanes<T> (&G)[side<T>][side<T>], const lanes<T>* tau, lanes<T>* F) {
  if constexpr (V < side<T>) {
    extend_factor<V, T>(F, G[V], tau[V]);
    extend_factors<V + 1, T>(G, tau, F);
  }
}
template <class T>
TALUS_INLINE void form_factor(const workspace<T>& work, int b, int k) {
  constexpr int E = side<T>;
  set_diagonal(work, b, k - b * E);
  lanes<T> G[E][E] = {};  // G[v][i]: less v_i^H v_v
  const lanes<T>* V = work.diagonal + b * E * E;
  for (int p = b;;) {
    TALUS_UNROLL
    for (int u = 0; u < E; ++u) {
      for_tile<E, E>([&](int i, int v) TALUS_INLINED {
        if (i < v) subtract_product_conj<T>(G[v][i], V[v * E + u], V[i * E + u]);
      });
    }
    if (++p == tiles(work.X.m, E)) break;
    V = work.X.tile(p, b);
  }
  for_tile<E, E>([&](int i, int v) TALUS_INLINED { G[v][i] = G[v][i] * (-ones<T>()); });
  extend_factors<0, T>(G, work.tau + b * E, work.factor + b * E * E);
}

/// N columns of C, from the first of its tiles `c` on, become (I - V F V^H) C, or with F^H, of block b.
template <int N, bool ADJOINT, class T>
TALUS_INLINE void apply_block(const workspace<T>& work, int b, const rectangle<T>& C, int c) {
  constexpr int E = side<T>;
  const int panels = tiles(work.X.m, E);
  const std::ptrdiff_t step = E * E * tiles(work.X.n, E), step_of_c = E * E * tiles(C.n, E);
  lanes<T>* const first = C.tile(b, c);
  const lanes<T>* const diagonal = work.diagonal + b * E * E;
  const lanes<T>* const F = work.factor + b * E * E;

  lanes<T> W[E][N] = {};  // less V^H C
  const lanes<T>*V = diagonal, *next = work.X.tile(b, b), *y = first;
  for (int p = b; p < panels; ++p) {
    TALUS_UNROLL
    for (int u = 0; u < E; ++u) {
      for_tile<E, N>([&](int k, int n)
                         TALUS_INLINED { subtract_product_conj<T>(W[k][n], y[n * E + u], V[k * E + u]); });
    }
    V = next += step;
    y += step_of_c;
  }
  TALUS_UNROLL
  for (int n = 0; n < N; ++n) {  // F V^H C
    for_tile<E, 1>([&](int at, int) TALUS_INLINED {
      const int k = ADJOINT ? E - 1 - at : at;
      lanes<T> sum = {};
      TALUS_UNROLL
      for (int i = 0; i < E; ++i) {
        if (ADJOINT && i <= k) subtract_product_conj<T>(sum, W[i][n], F[k * E + i]);
        if (!ADJOINT && i >= k) subtract_product<T>(sum, W[i][n], F[i * E + k]);
      }
      W[k][n] = sum;
    });
  }
  V = diagonal;
  next = work.X.tile(b, b);
  lanes<T>* z = first;
  for (int p = b; p < panels; ++p) {
    TALUS_UNROLL
    for (int u = 0; u < E; ++u) {
      TALUS_UNROLL
      for (int n = 0; n < N; ++n) {
        lanes<T> x = z[n * E + u];
        TALUS_UNROLL
        for (int k = 0; k < E; ++k) subtract_product<T>(x, V[k * E + u], W[k][n]);
        z[n * E + u] = x;
      }
    }
    V = next += step;
    z += step_of_c;
  }
}

/// N columns of C become Q C, or Q^H C, by the first `end` blocks.
template <int N, bool ADJOINT, class T>
void apply_blocks(const workspace<T>& work, int end, const rectangle<T>& C, int c) {
  if constexpr (ADJOINT) {
    for (int b = 0; b < end; ++b) apply_block<N, true, T>(work, b, C, c);
  } else {
    for (int b = end - 1; b >= 0; --b) apply_block<N, false, T>(work, b, C, c);
  }
}

/// QR, left-looking: a block of E columns at a time, each finished when it is reached.
template <class T>
void factor(const workspace<T>& work) {
  constexpr int E = side<T>;
  const rectangle<T>& X = work.X;
  const int k = X.m < X.n ? X.m : X.n, blocks = tiles(k, E);
  for (int q = 0; q < tiles(X.n, E); ++q) {
    apply_blocks<E, true, T>(work, q < blocks ? q : blocks, X, q);
    if (q < blocks) reflect(work, q, k);
  }
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
