// Compiles the slow functions of check.hpp once, with -O3.
#include "check.hpp"

#include "measure/precisions.hpp"

namespace talus::test {

template <class T>
slab<T> right_hand_sides(int n, int nrhs, int ld, std::int64_t count, int distinct) {
  slab<T> s(n, nrhs, ld, count);
  for (std::int64_t b = 0; b < count; ++b) {
    s.put(b, random_matrix<T>(n, nrhs, static_cast<unsigned>(100 + b % distinct)));
  }
  return s;
}

template <class T>
bool position_does_not_matter(const slab<T>& result, std::int64_t distinct) {
  for (std::int64_t b = distinct; b < result.count; ++b) {
    if (!result.same_bits(b, result, b % distinct)) return false;
  }
  return true;
}

template <class T>
double norm1(const dense<T>& A, int m, int n) {
  double norm = 0;
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += static_cast<double>(std::abs(A[static_cast<std::size_t>(i + j * m)]));
    norm = std::isnan(sum) ? sum : std::max(norm, sum);
    if (std::isnan(norm)) break;
  }
  return norm;
}

template <class T>
dense<T> scaled(dense<T> A, double factor) {
  for (T& a : A) a *= static_cast<real_of<T>>(factor);
  return A;
}

template <class T>
dense<in_double<T>> factor_residual(const dense<T>& A, const dense<T>& L, int n) {
  const double scale = n == 0 ? 1 : 1 / norm1(A, n, n);
  using wide = dense<in_double<T>>;
  wide R = scaled(wide(A.begin(), A.end()), scale);
  const wide factor = scaled(wide(L.begin(), L.end()), std::sqrt(scale));
  for (int k = 0; k < n; ++k) {
    for (int j = k; j < n; ++j) {
      const in_double<T> l = conjugate(factor[static_cast<std::size_t>(j + k * n)]);
      for (int i = k; i < n; ++i)
        R[static_cast<std::size_t>(i + j * n)] -= times(factor[static_cast<std::size_t>(i + k * n)], l);
    }
  }
  return R;
}

template <class T>
double factor_ratio(const dense<T>& A, const dense<T>& L, int n) {
  return n == 0 ? 0 : norm1(factor_residual(A, L, n), n, n) / (n * static_cast<double>(epsilon<T>));
}

template <class T>
double entry_ratio(const dense<T>& A, const dense<in_double<T>>& R, int n) {
  const auto at = [n](int i, int j) { return static_cast<std::size_t>(i + j * n); };
  const double norm = norm1(A, n, n);
  double worst = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const double size =
          std::sqrt(static_cast<double>(std::abs(A[at(i, i)]) * std::abs(A[at(j, j)]))) / norm;
      const double ratio = static_cast<double>(std::abs(R[at(i, j)])) / size;
      worst = worse(worst, ratio);
    }
  }
  return worst / ((4 * std::sqrt(n) + 4) * static_cast<double>(epsilon<T>));
}

template <class T>
dense<T> product(const dense<T>& A, const dense<T>& B, int m, int k, int n) {
  dense<T> C(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) {
    for (int l = 0; l < k; ++l) {
      const T b = B[static_cast<std::size_t>(l + j * k)];
      for (int i = 0; i < m; ++i)
        C[static_cast<std::size_t>(i + j * m)] += times(A[static_cast<std::size_t>(i + l * m)], b);
    }
  }
  return C;
}

template <class T>
dense<T> applied(op op, const dense<T>& A, int m, int n) {
  if (op == op::none) return A;
  dense<T> B(A.size());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const T a = A[static_cast<std::size_t>(i + j * m)];
      B[static_cast<std::size_t>(j + i * n)] = op == op::trans ? a : conjugate(a);
    }
  }
  return B;
}

template <class T>
dense<T> applied(op op, const dense<T>& A, int n) {
  return applied(op, A, n, n);
}

template <class T>
double solve_ratio(const dense<T>& A, const dense<T>& X, const dense<T>& B, int n, int nrhs) {
  if (n == 0) return 0;
  const dense<T> AX = product(A, X, n, n, nrhs);
  const double norm = norm1(A, n, n);
  double worst = 0;
  for (int j = 0; j < nrhs; ++j) {
    double residual = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      const auto e = static_cast<std::size_t>(i + j * n);
      residual += static_cast<double>(std::abs(B[e] - AX[e]));
      size += static_cast<double>(std::abs(X[e]));
    }
    const double ratio = residual / (n * norm * size * static_cast<double>(epsilon<T>));
    worst = worse(worst, ratio);
  }
  return worst;
}

template <class T>
double inverse_ratio(const dense<T>& A, const dense<T>& X, int n) {
  if (n == 0) return 0;
  dense<T> R = product(A, X, n, n, n);
  for (int j = 0; j < n; ++j) R[static_cast<std::size_t>(j + j * n)] -= T(1);
  return norm1(R, n, n) / (n * norm1(A, n, n) * norm1(X, n, n) * static_cast<double>(epsilon<T>));
}

#define INSTANTIATE(T)                                                                                   \
  template slab<T> right_hand_sides(int n, int nrhs, int ld, std::int64_t count, int distinct);          \
  template bool position_does_not_matter(const slab<T>& result, std::int64_t distinct);                  \
  template double norm1(const dense<T>& A, int m, int n);                                                \
  template dense<T> scaled(dense<T> A, double factor);                                                   \
  template dense<in_double<T>> factor_residual(const dense<T>& A, const dense<T>& L, int n);             \
  template double factor_ratio(const dense<T>& A, const dense<T>& L, int n);                             \
  template double entry_ratio(const dense<T>& A, const dense<in_double<T>>& R, int n);                   \
  template dense<T> product(const dense<T>& A, const dense<T>& B, int m, int k, int n);                  \
  template dense<T> applied(op op, const dense<T>& A, int m, int n);                                     \
  template dense<T> applied(op op, const dense<T>& A, int n);                                            \
  template double solve_ratio(const dense<T>& A, const dense<T>& X, const dense<T>& B, int n, int nrhs); \
  template double inverse_ratio(const dense<T>& A, const dense<T>& X, int n);
TALUS_FOR_ALL_TYPES(INSTANTIATE)
#undef INSTANTIATE

// talus-accuracy has reference solutions with more digits.
#define INSTANTIATE_MORE(T)                                                                              \
  template dense<T> scaled(dense<T> A, double factor);                                                   \
  template dense<T> applied(op op, const dense<T>& A, int m, int n);                                     \
  template dense<T> applied(op op, const dense<T>& A, int n);                                            \
  template double norm1(const dense<T>& A, int m, int n);                                                \
  template dense<T> product(const dense<T>& A, const dense<T>& B, int m, int k, int n);                  \
  template double solve_ratio(const dense<T>& A, const dense<T>& X, const dense<T>& B, int n, int nrhs); \
  template double inverse_ratio(const dense<T>& A, const dense<T>& X, int n);
INSTANTIATE_MORE(long double)
INSTANTIATE_MORE(std::complex<long double>)
#undef INSTANTIATE_MORE

}  // namespace talus::test
