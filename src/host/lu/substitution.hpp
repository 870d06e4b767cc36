// Solves with the factors of one matrix, whose columns stream by once for some right-hand sides, its rows in
// the lanes.
#pragma once

#include "host/lanes/vectors.hpp"
#include "host/lu/lanes_pivot.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// Of N right-hand sides. Both triangles are worked through by blocks of columns: what a block's unknowns
/// are, and what is left of the rows that follow. Unknowns go to another place than the rows came from, so
/// that a vector of rows may begin, or end, with some that are not needed any more.
template <int N, class T>
struct substitution {
  using R = real_of<T>;
  static constexpr int P = lanes<T>::parts, W = width_of<T>;
  static constexpr int rows_of_vector = W / P, block = N == 1 ? 8 : 4;

  const T* A;
  int lda, n;
  lanes<T>* inverse;  // reciprocals of U's diagonal, which are normal numbers, W to each
  T *Y, *X;           // what is left of the rows, of L and of U; N columns each

  static std::size_t bytes(int n) {
    return static_cast<std::size_t>(tiles(n, W)) * sizeof(lanes<T>) +
           2 * static_cast<std::size_t>(n) * N * sizeof(T);
  }

  substitution(int order, const T* factors, int ld, void* scratch)
      : A(factors),
        lda(ld),
        n(order),
        inverse(static_cast<lanes<T>*>(scratch)),
        Y(reinterpret_cast<T*>(inverse + tiles(n, W))),
        X(Y + static_cast<std::ptrdiff_t>(n) * N) {}

  TALUS_INLINE const T* at(int i, int k) const { return A + i + static_cast<std::ptrdiff_t>(k) * lda; }
  TALUS_INLINE std::ptrdiff_t place(int i, int v) const { return i + static_cast<std::ptrdiff_t>(v) * n; }

  void invert_diagonal() const {
    for (int first = 0; first < n; first += W) {
      lanes<T> d = element<T>(ones<T>());
      for (int l = 0; l < W && first + l < n; ++l) {
        const lanes<T> one = broadcast(at(first + l, first + l));
        d.re[l] = one.re[0];
        if constexpr (is_complex<T>) d.im[l] = one.im[0];
      }
      const divisor<T> by(d);
      inverse[first / W] = by.reciprocal * by.up;
    }
  }

  /// From row `first` up to row `end` of `rows`, less K columns of A from k on times x; and some rows beside
  /// these. Vectors lie behind each other from row `begin` on.
  template <int K>
  TALUS_INLINE void subtract(const lanes<T> (&x)[K][N], int k, T* rows, int begin, int first, int end) const {
    const auto one_by_one = [&](int from, int to) TALUS_INLINED {
      for (int i = from; i < to; ++i) {
        for (int v = 0; v < N; ++v) {
          T* const y = rows + place(i, v);
          lanes<T> left = broadcast(y);
          TALUS_UNROLL
          for (int q = 0; q < K; ++q) subtract_product<T>(left, broadcast(at(i, k + q)), x[q][v]);
          store_first_lane(left, y);
        }
      }
    };
    if (first < begin) one_by_one(first, begin);
    int i = first > begin ? begin + (first - begin) / rows_of_vector * rows_of_vector : begin;
    for (; i < end && i + rows_of_vector <= n; i += rows_of_vector) {
      vec_of<R> a[K];
      TALUS_UNROLL
      for (int q = 0; q < K; ++q) a[q] = load_vector(reinterpret_cast<const R*>(at(i, k + q)));
      TALUS_UNROLL
      for (int v = 0; v < N; ++v) {
        R* const y = reinterpret_cast<R*>(rows + place(i, v));
        vec_of<R> left = load_vector<R>(y);
        TALUS_UNROLL
        for (int q = 0; q < K; ++q) {
          left -= a[q] * x[q][v].re;
          if constexpr (is_complex<T>) left -= times_i<R>(a[q]) * x[q][v].im;
        }
        store_vector<R>(left, y);
      }
    }
    one_by_one(i, end);
  }

  /// Unknowns k ... k + K - 1 of  L Y = B.
  template <int K>
  TALUS_INLINE void forward(int k) const {
    lanes<T> x[K][N];
    for_tile<K, N>([&](int u, int v) TALUS_INLINED {
      x[u][v] = broadcast(Y + place(k + u, v));
      TALUS_UNROLL
      for (int q = 0; q < u; ++q) subtract_product<T>(x[u][v], broadcast(at(k + u, k + q)), x[q][v]);
      store_first_lane(x[u][v], X + place(k + u, v));
    });
    subtract<K>(x, k, Y, n % rows_of_vector, k + K, n);
  }

  /// Of  U X = Y: they are B's.
  template <int K>
  TALUS_INLINE void backward(int k, T* B, int ldb) const {
    lanes<T> x[K][N];
    for_tile<K, N>([&](int from_last, int v) TALUS_INLINED {
      const int u = K - 1 - from_last, i = k + u;
      x[u][v] = broadcast(X + place(i, v));
      TALUS_UNROLL
      for (int q = u + 1; q < K; ++q) subtract_product<T>(x[u][v], broadcast(at(i, k + q)), x[q][v]);
      lanes<T> reciprocal;
      reciprocal.re = inverse[i / W].re[i % W] - real_lanes<T>{};
      if constexpr (is_complex<T>) reciprocal.im = inverse[i / W].im[i % W] - real_lanes<T>{};
      x[u][v] = x[u][v] * reciprocal;
      store_first_lane(x[u][v], B + i + static_cast<std::ptrdiff_t>(v) * ldb);
    });
    subtract<K>(x, k, X, 0, 0, k);
  }

  /// B, of N columns, becomes the solution. ipiv may be null.
  void run(const int* ipiv, T* B, int ldb) const {
    for (int v = 0; v < N; ++v) {
      T* const y = Y + place(0, v);
      for (int i = 0; i < n; ++i) y[i] = B[i + static_cast<std::ptrdiff_t>(v) * ldb];
      for (int i = 0; ipiv != nullptr && i < n; ++i) {
        const T was = y[i];
        y[i] = y[ipiv[i] - 1];
        y[ipiv[i] - 1] = was;
      }
    }
    int k = 0;
    for (; k + block <= n; k += block) forward<block>(k);
    for (; k < n; ++k) forward<1>(k);
    for (; k >= block; k -= block) backward<block>(k - block, B, ldb);
    for (; k > 0; --k) backward<1>(k - 1, B, ldb);
  }
};

/// Right-hand sides that are solved for at a time, while there are as many.
template <class T>
constexpr int sides = is_complex<T> ? 2 : 4;

template <class T>
std::size_t substitution_bytes(int n) {
  return substitution<sides<T>, T>::bytes(n);
}

template <class T>
void substitute(int n, int nrhs, const T* A, int lda, const int* ipiv, T* B, int ldb, void* scratch) {
  const substitution<1, T> one(n, A, lda, scratch);
  const substitution<sides<T>, T> some(n, A, lda, scratch);
  one.invert_diagonal();
  for (; nrhs >= sides<T>; nrhs -= sides<T>, B += static_cast<std::ptrdiff_t>(sides<T>) * ldb)
    some.run(ipiv, B, ldb);
  for (; nrhs > 0; --nrhs, B += ldb) one.run(ipiv, B, ldb);
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
