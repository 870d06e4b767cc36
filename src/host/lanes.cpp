// Cholesky on one matrix per SIMD lane: a group of matrices is packed so that the same element of all of them
// is one vector, worked on as if it were one matrix of vectors, and unpacked.
//
// This file is compiled once per precision and instruction set. All of it lives in namespaces of their own
// (nothing here has a name that another instruction set's object file has too), so no wider instruction can
// reach a machine without it.
//
// No lane's arithmetic depends on another lane: the same matrix gives the same bits in every lane and every
// group.
#include "host/lanes.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace talus::host::TALUS_ISA {
namespace {

template <class T>
struct scalar {
  using real = T;
  static constexpr int parts = 1;
};
template <class R>
struct scalar<std::complex<R>> {
  using real = R;
  static constexpr int parts = 2;  // real and imaginary parts are vectors of their own
};
using R = scalar<TALUS_T>::real;
constexpr int parts = scalar<TALUS_T>::parts;

#if defined(__AVX512F__)
constexpr int vector_bytes = 64, registers = 32;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32, registers = 16;
#else
constexpr int vector_bytes = 16, registers = 16;
#endif
constexpr int W = vector_bytes / static_cast<int>(sizeof(R));  // lanes: matrices of a group

typedef R vec __attribute__((vector_size(vector_bytes)));
typedef R unaligned_vec __attribute__((vector_size(vector_bytes), aligned(sizeof(R))));
using integer = decltype(vec{} < vec{});  // a vector of integers as wide as R: all bits set where true

#define TALUS_INLINE inline __attribute__((always_inline))

TALUS_INLINE vec broadcast(R x) { return x - vec{}; }

TALUS_INLINE vec square_root(vec x) {
#if defined(__AVX512F__)
  if constexpr (sizeof(R) == 8) {
    return (vec)_mm512_maskz_sqrt_pd(0xff, (__m512d)x);
  } else {
    return (vec)_mm512_maskz_sqrt_ps(0xffff, (__m512)x);
  }
#elif defined(__AVX2__)
  if constexpr (sizeof(R) == 8) {
    return (vec)_mm256_sqrt_pd((__m256d)x);
  } else {
    return (vec)_mm256_sqrt_ps((__m256)x);
  }
#else
  for (int l = 0; l < W; ++l)
    x[l] = sizeof(R) == 8 ? static_cast<R>(__builtin_sqrt(x[l]))
                          : static_cast<R>(__builtin_sqrtf(static_cast<float>(x[l])));
  return x;
#endif
}

// ---- one element of all matrices -----------------------------------------------------------------

/// An element: one vector, or one of real and one of imaginary parts.
struct element {
  vec part[parts];
};

TALUS_INLINE element load(const R* p) {
  element e;
  for (int q = 0; q < parts; ++q) e.part[q] = *reinterpret_cast<const vec*>(p + q * W);
  return e;
}
TALUS_INLINE void store(R* p, const element& e) {
  for (int q = 0; q < parts; ++q) *reinterpret_cast<vec*>(p + q * W) = e.part[q];
}
/// c -= a * conj(b)
TALUS_INLINE void subtract_product_conj(element& c, const element& a, const element& b) {
  if constexpr (parts == 1) {
    c.part[0] -= a.part[0] * b.part[0];
  } else {
    c.part[0] -= a.part[0] * b.part[0];
    c.part[0] -= a.part[1] * b.part[1];
    c.part[1] -= a.part[1] * b.part[0];
    c.part[1] += a.part[0] * b.part[1];
  }
}
TALUS_INLINE element conj(element a) {
  if constexpr (parts == 2) a.part[1] = -a.part[1];
  return a;
}
TALUS_INLINE element operator*(element a, vec b) {
  for (int q = 0; q < parts; ++q) a.part[q] *= b;
  return a;
}
TALUS_INLINE element operator-(element a) {
  for (int q = 0; q < parts; ++q) a.part[q] = -a.part[q];
  return a;
}
TALUS_INLINE element real_element(vec x) {
  element e = {};
  e.part[0] = x;
  return e;
}

/// The matrices of a group in scratch memory: element (i, j) of all of them is a vector, or two.
struct packed {
  R* data;
  std::ptrdiff_t row, column;  // in reals

  TALUS_INLINE R* at(int i, int j) const { return data + i * row + j * column; }
  TALUS_INLINE element operator()(int i, int j) const { return load(at(i, j)); }
  TALUS_INLINE void set(int i, int j, const element& e) const { store(at(i, j), e); }
};

// ---- packing -------------------------------------------------------------------------------------

/// The first `count` of W reals; the others are 0 and are not touched in memory.
TALUS_INLINE vec load_some(const R* p, int count) {
#if defined(__AVX512F__)
  if constexpr (sizeof(R) == 8) {
    return (vec)_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << count) - 1), p);
  } else {
    return (vec)_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), p);
  }
#else
  vec v = {};
  for (int l = 0; l < W; ++l) {
    if (l < count) v[l] = p[l];
  }
  return v;
#endif
}
TALUS_INLINE void store_some(R* p, vec v, int count) {
#if defined(__AVX512F__)
  if constexpr (sizeof(R) == 8) {
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << count) - 1), (__m512d)v);
  } else {
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << count) - 1), (__m512)v);
  }
#else
  for (int l = 0; l < count; ++l) p[l] = v[l];
#endif
}

/// Two rows of a matrix of reals whose blocks of S x S off the diagonal trade places.
template <int S>
TALUS_INLINE void exchange_blocks(vec& a, vec& b) {
  integer low, high;
  for (int i = 0; i < W; ++i) {
    low[i] = i & S ? i - S + W : i;
    high[i] = i & S ? i + W : i + S;
  }
  const vec first = __builtin_shuffle(a, b, low), second = __builtin_shuffle(a, b, high);
  a = first;
  b = second;
}
/// W vectors as a W x W matrix of reals, transposed in log2(W) rounds of block exchanges.
template <int S = 1>
TALUS_INLINE void transpose(vec (&v)[W]) {
  if constexpr (S < W) {
#pragma GCC unroll 16
    for (int r = 0; r < W; ++r) {
      if ((r & S) == 0) exchange_blocks<S>(v[r], v[r + S]);
    }
    transpose<2 * S>(v);
  }
}

/// `count` reals from each lane's memory to scratch, where elements lie `stride` reals apart.
TALUS_INLINE void pack_reals(const R* const* memory, std::ptrdiff_t first, int count, R* scratch,
                             std::ptrdiff_t stride) {
  for (int r0 = 0; r0 < count; r0 += W) {
    vec v[W];
    const int some = count - r0 < W ? count - r0 : W;
#pragma GCC unroll 16
    for (int l = 0; l < W; ++l) v[l] = load_some(memory[l] + first + r0, some);
    transpose(v);
#pragma GCC unroll 16
    for (int r = 0; r < W; ++r) {
      if (r < some) *reinterpret_cast<vec*>(scratch + (r0 + r) / parts * stride + r % parts * W) = v[r];
    }
  }
}
/// The way back, for the lanes whose bit is set.
TALUS_INLINE void unpack_reals(const R* scratch, std::ptrdiff_t stride, R* const* memory,
                               std::ptrdiff_t first, int count, unsigned lanes) {
  for (int r0 = 0; r0 < count; r0 += W) {
    vec v[W];
    const int some = count - r0 < W ? count - r0 : W;
#pragma GCC unroll 16
    for (int r = 0; r < W; ++r) {
      v[r] = r < some ? *reinterpret_cast<const vec*>(scratch + (r0 + r) / parts * stride + r % parts * W)
                      : vec{};
    }
    transpose(v);
#pragma GCC unroll 16
    for (int l = 0; l < W; ++l) {
      if (lanes >> l & 1) store_some(memory[l] + first + r0, v[l], some);
    }
  }
}

constexpr unsigned all_lanes = (1u << W) - 1;

/// Rows of scratch lie an odd number of elements apart, so that a column of a tile does not fall into one
/// cache set.
TALUS_INLINE packed in_scratch(int n, R* scratch) { return {scratch, (n | 1) * parts * W, parts * W}; }

/// What is stored of column j: rows top ... bottom-1.
struct stored_column {
  int top, bottom;
  R* scratch;
  std::ptrdiff_t stride;
  TALUS_INLINE stored_column(const packed& L, uplo uplo, int n, int j)
      : top(uplo == uplo::lower ? j : 0),
        bottom(uplo == uplo::lower ? n : j + 1),
        scratch(uplo == uplo::lower ? L.at(j, j) : L.at(j, 0)),
        stride(uplo == uplo::lower ? L.row : L.column) {}
  TALUS_INLINE int reals() const { return (bottom - top) * parts; }
  TALUS_INLINE void negate_imaginary_parts() const {
    for (int i = 0; i < bottom - top; ++i) {
      vec* const im = reinterpret_cast<vec*>(scratch + i * stride + W);
      *im = -*im;
    }
  }
};

/// Packs the triangles of W matrices as lower ones; upper ones are transposed and conjugated on the way.
TALUS_INLINE packed pack_triangles(uplo uplo, int n, const R* const* A, int lda, R* scratch) {
  const packed L = in_scratch(n, scratch);
  for (int j = 0; j < n; ++j) {
    const stored_column column(L, uplo, n, j);
    pack_reals(A, (column.top + static_cast<std::ptrdiff_t>(j) * lda) * parts, column.reals(), column.scratch,
               column.stride);
    if constexpr (parts == 2) {
      if (uplo == uplo::upper) column.negate_imaginary_parts();
      reinterpret_cast<vec*>(L.at(j, j))[1] = vec{};  // the diagonal is real, whatever is stored
    }
  }
  return L;
}
TALUS_INLINE void unpack_triangles(const packed& L, uplo uplo, int n, R* const* A, int lda, unsigned lanes) {
  for (int j = 0; j < n; ++j) {
    const stored_column column(L, uplo, n, j);
    if (parts == 2 && uplo == uplo::upper) column.negate_imaginary_parts();
    unpack_reals(column.scratch, column.stride, A,
                 (column.top + static_cast<std::ptrdiff_t>(j) * lda) * parts, column.reals(), lanes);
    if (parts == 2 && uplo == uplo::upper) column.negate_imaginary_parts();  // who comes next reads L
  }
}

/// Right-hand sides follow the triangle in scratch; rows of X are contiguous down a column.
TALUS_INLINE packed pack_columns(int n, int nrhs, const R* const* B, int ldb, R* scratch) {
  const packed X{scratch + static_cast<std::ptrdiff_t>(n) * (n | 1) * parts * W, parts * W,
                 static_cast<std::ptrdiff_t>(n) * parts * W};
  for (int j = 0; j < nrhs; ++j) {
    pack_reals(B, static_cast<std::ptrdiff_t>(j) * ldb * parts, n * parts, X.at(0, j), X.row);
  }
  return X;
}
TALUS_INLINE void unpack_columns(const packed& X, int n, int nrhs, R* const* B, int ldb, unsigned lanes) {
  for (int j = 0; j < nrhs; ++j) {
    unpack_reals(X.at(0, j), X.row, B, static_cast<std::ptrdiff_t>(j) * ldb * parts, n * parts, lanes);
  }
}

// ---- factorization -------------------------------------------------------------------------------

/// Elements of a tile's side, so that a tile and two of its sides fit in the registers.
constexpr int TILE = parts == 1 ? (registers == 32 ? 4 : 3) : (registers == 32 ? 3 : 2);

/// C(MI x MJ) = A(i:, j:) - L(i:, 0:j) L(j:, 0:j)^H; of a diagonal tile the lower triangle alone
template <int MI, int MJ, bool DIAGONAL>
TALUS_INLINE void update_tile(const packed& L, int i, int j, element (&C)[MI][MJ]) {
#pragma GCC unroll 4
  for (int u = 0; u < MI; ++u) {
#pragma GCC unroll 4
    for (int v = 0; v < MJ; ++v) {
      if (!DIAGONAL || u >= v) C[u][v] = L(i + u, j + v);
    }
  }
  for (int k = 0; k < j; ++k) {
    element a[MI], b[MJ];
#pragma GCC unroll 4
    for (int u = 0; u < MI; ++u) a[u] = L(i + u, k);
#pragma GCC unroll 4
    for (int v = 0; v < MJ; ++v) b[v] = DIAGONAL ? a[v] : L(j + v, k);
#pragma GCC unroll 4
    for (int u = 0; u < MI; ++u) {
#pragma GCC unroll 4
      for (int v = 0; v < MJ; ++v) {
        if (!DIAGONAL || u >= v) subtract_product_conj(C[u][v], a[u], b[v]);
      }
    }
  }
}

/// Factors the diagonal tile at (j, j) and leaves the reciprocals of its diagonal in inverse.
template <int M>
TALUS_INLINE void diagonal_tile(const packed& L, int j, vec (&inverse)[TILE], integer& info) {
  element C[M][M];
  update_tile<M, M, true>(L, j, j, C);
#pragma GCC unroll 4
  for (int c = 0; c < M; ++c) {
    const vec pivot = C[c][c].part[0];
    const integer good = pivot > vec{};  // false for NaN
    info = (info == 0) & ~good ? integer{} + (j + c + 1) : info;
    const vec root = square_root(pivot);
    inverse[c] = 1 / root;
    C[c][c] = real_element(good ? root : pivot);
#pragma GCC unroll 4
    for (int u = c + 1; u < M; ++u) C[u][c] = C[u][c] * inverse[c];
#pragma GCC unroll 4
    for (int v = c + 1; v < M; ++v) {
#pragma GCC unroll 4
      for (int u = v; u < M; ++u) subtract_product_conj(C[u][v], C[u][c], C[v][c]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < M; ++v) {
#pragma GCC unroll 4
    for (int u = v; u < M; ++u) L.set(j + u, j + v, C[u][v]);
  }
}

/// A tile below it: update, then solve with the diagonal tile from the right.
template <int M>
TALUS_INLINE void lower_tile(const packed& L, int i, int j, const vec (&inverse)[TILE]) {
  element C[M][TILE];
  update_tile<M, TILE, false>(L, i, j, C);
#pragma GCC unroll 4
  for (int c = 0; c < TILE; ++c) {
#pragma GCC unroll 4
    for (int k = 0; k < c; ++k) {
      const element l = L(j + c, j + k);
#pragma GCC unroll 4
      for (int u = 0; u < M; ++u) subtract_product_conj(C[u][c], C[u][k], l);
    }
#pragma GCC unroll 4
    for (int u = 0; u < M; ++u) {
      C[u][c] = C[u][c] * inverse[c];
      L.set(i + u, j + c, C[u][c]);
    }
  }
}

/// Left-looking Cholesky by tiles. info: per lane, 0 or 1 + the first column whose pivot is not > 0.
integer factor(const packed& L, int n) {
  integer info = {};
  vec inverse[TILE] = {};
  for (int j = 0; j < n; j += TILE) {
    switch (n - j) {
      case 1:
        diagonal_tile<1>(L, j, inverse, info);
        break;
      case 2:
        diagonal_tile<2>(L, j, inverse, info);
        break;
      case 3:
        if constexpr (TILE > 2) {
          diagonal_tile<3>(L, j, inverse, info);
          break;
        }
        [[fallthrough]];
      default:
        diagonal_tile<TILE>(L, j, inverse, info);
    }
    int i = j + TILE;
    for (; i + TILE <= n; i += TILE) lower_tile<TILE>(L, i, j, inverse);
    if (n - i == 1) lower_tile<1>(L, i, j, inverse);
    if (n - i == 2) lower_tile<2>(L, i, j, inverse);
    if (n - i == 3) lower_tile<3>(L, i, j, inverse);
  }
  return info;
}

// ---- solution and inverse ------------------------------------------------------------------------

/// Per lane, 0 or 1 + the first diagonal element that is not > 0.
integer check_diagonal(const packed& L, int n) {
  integer info = {};
  for (int j = 0; j < n; ++j) {
    const integer good = L(j, j).part[0] > vec{};
    info = (info == 0) & ~good ? integer{} + (j + 1) : info;
  }
  return info;
}

/// C columns of X: L Y = X, L^H X = Y
template <int C>
TALUS_INLINE void solve_columns(const packed& L, const packed& X, int n, int c0) {
  element x[C];
  for (int i = 0; i < n; ++i) {
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) x[c] = X(i, c0 + c);
    for (int k = 0; k < i; ++k) {
      const element l = conj(L(i, k));
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) subtract_product_conj(x[c], X(k, c0 + c), l);
    }
    const vec inverse = 1 / L(i, i).part[0];
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) X.set(i, c0 + c, x[c] * inverse);
  }
  for (int i = n - 1; i >= 0; --i) {
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) x[c] = X(i, c0 + c);
    for (int k = i + 1; k < n; ++k) {
      const element l = L(k, i);
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) subtract_product_conj(x[c], X(k, c0 + c), l);
    }
    const vec inverse = 1 / L(i, i).part[0];
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) X.set(i, c0 + c, x[c] * inverse);
  }
}

void solve(const packed& L, const packed& X, int n, int nrhs) {
  int c = 0;
  for (; c + 4 <= nrhs; c += 4) solve_columns<4>(L, X, n, c);
  for (; c < nrhs; ++c) solve_columns<1>(L, X, n, c);
}

/// L <- L^-1, then L <- the lower triangle of L^-H L^-1
void invert(const packed& L, int n) {
  for (int j = 0; j < n; ++j) {  // column j of L^-1, from column j of L and the inverted columns to its left
    const vec inverse = 1 / L(j, j).part[0];
    L.set(j, j, real_element(inverse));
    for (int k = 0; k < j; ++k) {  // row j of L^-1: -(1 / l_jj) L(j, k:j) L^-1(k:j, k)
      element x = {};
      for (int i = k; i < j; ++i) subtract_product_conj(x, L(j, i), conj(L(i, k)));
      L.set(j, k, x * inverse);
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      element x = {};
      for (int k = i; k < n; ++k) subtract_product_conj(x, L(k, j), L(k, i));
      // row i of column j needs L(k, j) and L(k, i) for k >= i only: what lies above is done with
      L.set(i, j, i == j ? real_element(-x.part[0]) : -x);
    }
  }
}

unsigned write_info(const integer& lanes, int* info) {
  unsigned good = 0;
  for (int l = 0; l < W; ++l) {
    info[l] = static_cast<int>(lanes[l]);
    good |= static_cast<unsigned>(lanes[l] == 0) << l;
  }
  return good;
}

// ---- the four routines ---------------------------------------------------------------------------

using T = TALUS_T;
const R* const* reals(const T* const* A) { return reinterpret_cast<const R* const*>(A); }
R* const* reals(T* const* A) { return reinterpret_cast<R* const*>(A); }
R* reals(T* scratch) { return reinterpret_cast<R*>(scratch); }

void potrf(uplo uplo, int n, T* const* A, int lda, int* info, T* scratch) {
  const packed L = pack_triangles(uplo, n, reals(A), lda, reals(scratch));
  write_info(factor(L, n), info);
  unpack_triangles(L, uplo, n, reals(A), lda, all_lanes);
}

void potrs(uplo uplo, int n, int nrhs, const T* const* A, int lda, T* const* B, int ldb, int* info,
           T* scratch) {
  const packed L = pack_triangles(uplo, n, reals(A), lda, reals(scratch));
  const unsigned good = write_info(check_diagonal(L, n), info);
  const packed X = pack_columns(n, nrhs, reals(B), ldb, reals(scratch));
  solve(L, X, n, nrhs);
  unpack_columns(X, n, nrhs, reals(B), ldb, good);
}

void posv(uplo uplo, int n, int nrhs, T* const* A, int lda, T* const* B, int ldb, int* info, T* scratch) {
  const packed L = pack_triangles(uplo, n, reals(A), lda, reals(scratch));
  const unsigned good = write_info(factor(L, n), info);
  unpack_triangles(L, uplo, n, reals(A), lda, all_lanes);
  const packed X = pack_columns(n, nrhs, reals(B), ldb, reals(scratch));
  solve(L, X, n, nrhs);
  unpack_columns(X, n, nrhs, reals(B), ldb, good);
}

void potri(uplo uplo, int n, T* const* A, int lda, int* info, T* scratch) {
  const packed L = pack_triangles(uplo, n, reals(A), lda, reals(scratch));
  const unsigned good = write_info(check_diagonal(L, n), info);
  invert(L, n);
  unpack_triangles(L, uplo, n, reals(A), lda, good);
}

}  // namespace

template <>
const lane_functions<T>& functions<T>() {
  static constexpr lane_functions<T> all = {W, potrf, potrs, posv, potri};
  return all;
}

}  // namespace talus::host::TALUS_ISA
