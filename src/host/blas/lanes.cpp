// BLAS's operations in SIMD lanes. Of trsm each lane has a matrix: a group of them is packed, worked on as if
// it were one, and unpacked. Of a product with a vector the lanes have rows of one matrix. Compiled once per
// instruction set, TALUS_ISA.
//
// What is summed up in which order follows from the sizes alone, so a matrix gets the same bits in every
// lane, beside any neighbours, wherever it lies.
#include "host/blas/kernels.hpp"
#include "host/lanes/numbers.hpp"
#include "host/lanes/triangle.hpp"
#include "host/lanes/triangular_solve.hpp"
#include "host/lanes/vectors.hpp"

namespace talus::host::TALUS_ISA {
namespace {

// ---- trsm ----------------------------------------------------------------------------------------

template <class T>
using workspace = triangle_workspace<T, divisor<T>>;

/// What is solved once triangles are packed:  L Y = alpha B  or  L^T Y = alpha B.
template <class T>
struct packed_system {
  const workspace<T>& work;
  bool backward, unit, by_rows, scaled;
  lanes<T> alpha;
  T* const* B;
  int ldb;
};

/// N right-hand sides in the scratch.
template <int N, class T>
TALUS_INLINE void substitute(const packed_system<T>& system) {
  const workspace<T>& work = system.work;
  const auto run = [&](auto divide) TALUS_INLINED {
    if (system.backward) {
      solve_backward<false, N, T>(work.L, work.X, divide);
    } else {
      solve_forward<N, T>(work.L, work.X, divide);
    }
  };
  if (system.unit) {
    run(undivided());
  } else {
    run([&](int i, const lanes<T>& x) TALUS_INLINED { return work.inverse[i].divide(x); });
  }
}

/// For the columns of B from j on that fit in the scratch, N of them, or as many rows.
template <int N, class T>
void solve_from(const packed_system<T>& system, int j) {
  const int n = system.work.L.n;
  lanes<T>* const X = system.work.X;
  const T* const* const B = system.B;
  const std::ptrdiff_t ldb = system.ldb;
  if (system.by_rows) {
    for (int i = 0; i < n; ++i)
      load_run(B, i * ldb + j, N, [&](int v) TALUS_INLINED -> lanes<T>& { return X[i * N + v]; });
  } else {
    for (int v = 0; v < N; ++v)
      load_run(B, (j + v) * ldb, n, [&](int i) TALUS_INLINED -> lanes<T>& { return X[i * N + v]; });
  }
  if (system.scaled) {
    for (int i = 0; i < n * N; ++i) X[i] = X[i] * system.alpha;
  }
  for (int i = n * N; i < tiles(n, side<T>) * side<T> * N; ++i) X[i] = lanes<T>{};
  substitute<N>(system);
  if (system.by_rows) {
    for (int i = 0; i < n; ++i)
      store_run(system.B, i * ldb + j, N, [&](int v) TALUS_INLINED { return X[i * N + v]; });
  } else {
    for (int v = 0; v < N; ++v)
      store_run(system.B, (j + v) * ldb, n, [&](int i) TALUS_INLINED { return X[i * N + v]; });
  }
}

template <class T>
bool is_one(const lanes<T>& x) {
  if constexpr (is_complex<T>) {
    return x.re[0] == 1 && x.im[0] == 0;
  } else {
    return x.re[0] == 1;
  }
}

template <class T>
void trsm(const triangular_system<T>& system, int n, int sides, const T* const* A, int lda, T* const* B,
          int ldb, void* scratch) {
  const workspace<T> work(n, scratch);
  const bool unit = system.diag == diag::unit, by_rows = system.side == side::right;
  load(system.uplo, system.op == op::conj_trans, A, lda, work.L);
  complete_tiles(work.L);
  if (!unit) {
    for (int i = 0; i < tiles(n, side<T>) * side<T>; ++i) work.inverse[i] = divisor<T>::of_any(work.L(i, i));
  }
  // L^T is the system's matrix if one, or all three, of these transpose L: how it was packed, op, and the
  // rows of X in the place of columns.
  const bool backward = ((system.uplo == uplo::upper) != (system.op != op::none)) != by_rows;
  const lanes<T> alpha = broadcast(&system.alpha);
  const packed_system<T> packed = {work, backward, unit, by_rows, !is_one(alpha), alpha, B, ldb};
  constexpr int E = side<T>;
  int j = 0;
  for (; j + E <= sides; j += E) solve_from<E>(packed, j);
  for (; j < sides; ++j) solve_from<1>(packed, j);
}

constexpr int trsm_n_max = registers == 32 ? 128 : 64;

// ---- gemv ----------------------------------------------------------------------------------------

/// One matrix, by vectors of its columns.
template <class T>
struct multiplied {
  using R = real_of<T>;
  static constexpr int W = width_of<T>, P = lanes<T>::parts, rows = W / P;  // rows of a vector

  const T* A;
  int lda, m;

  TALUS_INLINE const R* at(int i, int j) const {
    return reinterpret_cast<const R*>(A + i + static_cast<std::ptrdiff_t>(j) * lda);
  }

  /// y += columns j ... j+K-1 times their elements of x
  template <int K>
  TALUS_INLINE void add_columns(int j, const T* x, T* y) const {
    lanes<T> factor[K];
    TALUS_UNROLL
    for (int q = 0; q < K; ++q) factor[q] = broadcast(x + j + q);
    int i = 0;
    for (; i + rows <= m; i += rows) {
      R* const to = reinterpret_cast<R*>(y + i);
      vec_of<R> sum = load_vector<R>(to);
      TALUS_UNROLL
      for (int q = 0; q < K; ++q) {
        const vec_of<R> a = load_vector(at(i, j + q));
        sum += a * factor[q].re;
        if constexpr (is_complex<T>) sum += times_i<R>(a) * factor[q].im;
      }
      store_vector<R>(sum, to);
    }
    for (; i < m; ++i) {
      lanes<T> sum = broadcast(y + i);
      TALUS_UNROLL
      for (int q = 0; q < K; ++q)
        sum = sum + broadcast(A + i + static_cast<std::ptrdiff_t>(j + q) * lda) * factor[q];
      store_first_lane(sum, y + i);
    }
  }

  /// y_j = a_j^T x, or a_j^H x, of columns j ... j+K-1
  template <bool CONJ, int K>
  TALUS_INLINE void sum_columns(int j, const T* x, T* y) const {
    vec_of<R> same[K] = {}, crossed[K] = {};  // products of like parts, and of unlike ones
    int i = 0;
    for (; i + rows <= m; i += rows) {
      const vec_of<R> b = load_vector(reinterpret_cast<const R*>(x + i));
      TALUS_UNROLL
      for (int q = 0; q < K; ++q) {
        const vec_of<R> a = load_vector(at(i, j + q));
        same[q] += a * b;
        if constexpr (is_complex<T>) crossed[q] += a * parts_exchanged<R>(b, std::make_index_sequence<W>{});
      }
    }
    for (int q = 0; q < K; ++q) {
      R re = 0, im = 0;
      for (int l = 0; l < W; l += P) {
        re += same[q][l];
        if constexpr (is_complex<T>) {
          re += CONJ ? same[q][l + 1] : -same[q][l + 1];
          im += CONJ ? crossed[q][l] - crossed[q][l + 1] : crossed[q][l] + crossed[q][l + 1];
        }
      }
      for (int r = i; r < m; ++r) {
        const R *const a = at(r, j + q), *const b = reinterpret_cast<const R*>(x + r);
        re += a[0] * b[0];
        if constexpr (is_complex<T>) {
          re += CONJ ? a[1] * b[1] : -a[1] * b[1];
          im += a[0] * b[1] + (CONJ ? -a[1] * b[0] : a[1] * b[0]);
        }
      }
      R* const to = reinterpret_cast<R*>(y + j + q);
      to[0] = re;
      if constexpr (is_complex<T>) to[1] = im;
    }
  }
};

template <class T>
void multiply(op op, int m, int n, const T* A, int lda, const T* x, T* y) {
  constexpr int K = 4;  // columns at a time
  const multiplied<T> matrix = {A, lda, m};
  int j = 0;
  if (op == op::none) {
    for (int i = 0; i < m; ++i) y[i] = T();
    for (; j + K <= n; j += K) matrix.template add_columns<K>(j, x, y);
    for (; j < n; ++j) matrix.template add_columns<1>(j, x, y);
  } else if (op == op::conj_trans && is_complex<T>) {
    for (; j + K <= n; j += K) matrix.template sum_columns<true, K>(j, x, y);
    for (; j < n; ++j) matrix.template sum_columns<true, 1>(j, x, y);
  } else {
    for (; j + K <= n; j += K) matrix.template sum_columns<false, K>(j, x, y);
    for (; j < n; ++j) matrix.template sum_columns<false, 1>(j, x, y);
  }
}

#define TALUS_TEXT_OF(isa) TALUS_TEXT(isa)
#define TALUS_TEXT(isa) #isa

}  // namespace
}  // namespace talus::host::TALUS_ISA

namespace talus::host {

template <>
const blas_kernels<TALUS_T>& kernels_for<blas_kernels<TALUS_T>, isa::TALUS_ISA>() noexcept {
  using namespace TALUS_ISA;
  static constexpr blas_kernels<TALUS_T> all = {
      TALUS_TEXT_OF(TALUS_ISA),  width_of<TALUS_T>,        trsm_n_max,
      workspace<TALUS_T>::bytes, TALUS_ISA::trsm<TALUS_T>, TALUS_ISA::multiply<TALUS_T>};
  return all;
}

}  // namespace talus::host
