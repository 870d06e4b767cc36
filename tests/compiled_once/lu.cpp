// Compiles the slow functions of lu.hpp once, with -O3.
#include "lu/lu.hpp"

#include "measure/precisions.hpp"

namespace talus::test {

/// Elimination backwards: the state before step j from that after it.
template <class T>
known_lu<T>::known_lu(const known_shape& shape, unsigned seed)
    : m(shape.m), n(shape.n), A(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)), factors(A) {
  const int k = shape.k;
  small_numbers<T> draw(seed);
  const auto at = [this](int i, int j) { return static_cast<std::size_t>(i + j * m); };
  const auto swap_rows = [&](dense<T>& X, int i, int other, int from, int to) {
    for (int j = from; i != other && j < to; ++j) std::swap(X[at(i, j)], X[at(other, j)]);
  };
  for (int j = k; j < n; ++j) {
    for (int i = k; i < m; ++i) A[at(i, j)] = factors[at(i, j)] = draw.element(1);
  }
  ipiv.resize(static_cast<std::size_t>(k));
  for (int j = k - 1; j >= 0; --j) {
    const bool zero = shape.zeros.count(j) > 0;
    const int p = zero ? j : j + draw.below(shape.pivot_rows - j);
    ipiv[static_cast<std::size_t>(j)] = p + 1;
    T &before = A[at(j, j)], &after = factors[at(j, j)];  // its turn comes
    before = after = zero ? T(0) : draw.pivot();
    if (zero) info = j + 1;
    if (shape.small.count(j) > 0) {
      ++replaced;
      after = draw.below(3) == 0 ? T(1) : draw.unit();
      before = after == T(1) && draw.below(2) == 0 ? T(0) : after * real_of<T>(0.5);
    }
    for (int c = j + 1; c < n; ++c) A[at(j, c)] = factors[at(j, c)] = draw.element(1);
    for (int i = j + 1; i < m; ++i) {
      // A zero divides nothing: what stands below it, in rows that give no pivots, is left as it is.
      T& l = factors[at(i, j)];
      if (i >= shape.pivot_rows) {
        l = draw.element(1);
      } else if (!zero) {
        l = draw.multiplier(after, i > p);
      }
      A[at(i, j)] = zero ? l : times(l, after);
      for (int c = j + 1; c < n; ++c) A[at(i, c)] += times(l, factors[at(j, c)]);
    }
    swap_rows(A, j, p, j, n);
  }
  for (int j = 0; j < k; ++j) swap_rows(factors, j, ipiv[static_cast<std::size_t>(j)] - 1, 0, j);
}

template <class T>
dense<T> exchanged(dense<T> A, const std::vector<int>& ipiv, int m, int n) {
  for (std::size_t i = 0; i < ipiv.size(); ++i) {
    for (int j = 0; j < n; ++j)
      std::swap(A[i + static_cast<std::size_t>(j * m)], A[static_cast<std::size_t>(ipiv[i] - 1 + j * m)]);
  }
  return A;
}

template <class T>
double lu_ratio(const dense<T>& A, const dense<T>& factors, const std::vector<int>& ipiv, int m, int n,
                int k) {
  if (m == 0 || n == 0) return 0;
  const auto at = [m](int i, int j) { return static_cast<std::size_t>(i + j * m); };
  const double norm = norm1(A, m, n), scale = norm == 0 ? 1 : 1 / norm;
  dense<T> R = scaled(exchanged(A, ipiv, m, n), scale);
  const dense<T> U = scaled(factors, scale);
  for (int j = 0; j < n; ++j) {
    for (int l = 0; l < std::min(j + 1, k); ++l) {
      R[at(l, j)] -= U[at(l, j)];
      for (int i = l + 1; i < m; ++i) R[at(i, j)] -= times(factors[at(i, l)], U[at(l, j)]);
    }
    for (int i = k; j >= k && i < m; ++i) R[at(i, j)] -= U[at(i, j)];
  }
  return norm1(R, m, n) / (std::max(m, n) * static_cast<double>(epsilon<T>));
}

template <class T>
double lu_ratio(const dense<T>& A, const dense<T>& factors, const std::vector<int>& ipiv, int m, int n) {
  return lu_ratio(A, factors, ipiv, m, n, std::min(m, n));
}

template <class T>
double growth(const dense<T>& A, const dense<T>& factors, int m, int n) {
  double most = 0, most_of_U = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const auto e = static_cast<std::size_t>(i + j * m);
      most = std::max(most, static_cast<double>(std::abs(A[e])));
      if (i <= j) most_of_U = std::max(most_of_U, static_cast<double>(std::abs(factors[e])));
    }
  }
  return most_of_U > most ? most_of_U / most : 1;
}

template <class T>
double largest_multiplier(const dense<T>& factors, int m, int n) {
  double most = 0;
  for (int j = 0; j < std::min(m, n); ++j) {
    for (int i = j + 1; i < m; ++i) {
      const auto l = static_cast<double>(std::abs(factors[static_cast<std::size_t>(i + j * m)]));
      most = worse(most, l);
    }
  }
  return most;
}

template <class T>
int first_zero(const dense<T>& factors, int m, int n) {
  for (int j = 0; j < std::min(m, n); ++j) {
    if (factors[static_cast<std::size_t>(j + j * m)] == T(0)) return j + 1;
  }
  return 0;
}

#define INSTANTIATE(T)                                                                                      \
  template struct known_lu<T>;                                                                              \
  template dense<T> exchanged(dense<T> A, const std::vector<int>& ipiv, int m, int n);                      \
  template double lu_ratio(const dense<T>& A, const dense<T>& factors, const std::vector<int>& ipiv, int m, \
                           int n, int k);                                                                   \
  template double lu_ratio(const dense<T>& A, const dense<T>& factors, const std::vector<int>& ipiv, int m, \
                           int n);                                                                          \
  template double growth(const dense<T>& A, const dense<T>& factors, int m, int n);                         \
  template double largest_multiplier(const dense<T>& factors, int m, int n);                                \
  template int first_zero(const dense<T>& factors, int m, int n);
TALUS_FOR_ALL_TYPES(INSTANTIATE)
#undef INSTANTIATE

// talus-accuracy has reference solutions with more digits.
#define INSTANTIATE_MORE(T)                                                                                 \
  template double lu_ratio(const dense<T>& A, const dense<T>& factors, const std::vector<int>& ipiv, int m, \
                           int n, int k);                                                                   \
  template double lu_ratio(const dense<T>& A, const dense<T>& factors, const std::vector<int>& ipiv, int m, \
                           int n);
INSTANTIATE_MORE(long double)
INSTANTIATE_MORE(std::complex<long double>)
#undef INSTANTIATE_MORE

}  // namespace talus::test
