// Compiles the slow functions of blas.hpp once, with -O3.
#include "blas/blas.hpp"

#include "measure/precisions.hpp"

namespace talus::test {

template <class T>
dense<T> transposed_factor(dense<T> A, int n) {
  const auto at = [n](int i, int j) { return static_cast<std::size_t>(i + j * n); };
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k; i < n; ++i) {
      if (magnitude(A[at(i, k)]) > magnitude(A[at(pivot, k)])) pivot = i;
    }
    for (int j = 0; j < n; ++j) std::swap(A[at(k, j)], A[at(pivot, j)]);
    for (int i = k + 1; i < n; ++i) {
      const T l = A[at(i, k)] / A[at(k, k)];
      for (int j = k; j < n; ++j) A[at(i, j)] -= times(l, A[at(k, j)]);
    }
  }
  dense<T> L(A.size());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i <= j; ++i) L[at(j, i)] = A[at(i, j)];
  }
  return L;
}

template <class T>
dense<T> triangle(const std::string& kind, int n, unsigned seed) {
  using R = real_of<T>;
  if (kind == "factor") return transposed_factor(random_matrix<T>(n, n, seed), n);
  const R tiny = sizeof(R) == 4 ? R(1e-30) : static_cast<R>(1e-300);
  const double eps = static_cast<double>(epsilon<T>);
  // The angle for which Kahan's triangle has that condition.
  const double angle = n > 1 ? 2 * std::atan(std::pow(eps, 1.0 / (n - 1))) : 1;
  dense<T> L = random_matrix<T>(n, n, seed);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      T& l = L[static_cast<std::size_t>(i + j * n)];
      if (i < j) l = 0;
      if (i == j && kind != "small") l += static_cast<R>(n);
      if (i < j) continue;
      if (kind == "kahan") {
        const double power = std::pow(std::sin(angle), j);
        l = static_cast<R>(i == j ? power : -std::cos(angle) * power);
      }
      if (kind == "graded") l *= static_cast<R>(std::pow(eps, -(i + j) / (2.0 * n)));
      if (kind == "tiny") l *= tiny;
      if (kind == "huge") l *= 1 / tiny;
      if (kind == "small" && i == j) l = 1;
    }
  }
  return L;
}

template <class T>
dense<T> exact_triangle(int n, unsigned seed) {
  small_numbers<T> draw(seed);
  dense<T> L(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      T& l = L[static_cast<std::size_t>(i + j * n)];
      const int part = draw.below(3) - 1, other = draw.below(3) - 1;
      l = static_cast<real_of<T>>(part);
      if constexpr (is_complex<T>) l = {static_cast<real_of<T>>(part), static_cast<real_of<T>>(other)};
      if (i == j) l = draw.unit() * static_cast<real_of<T>>(1 << draw.below(2));
    }
  }
  return L;
}

template <class T>
dense<T> small_integers(int m, int n, unsigned seed) {
  small_numbers<T> draw(seed);
  dense<T> A(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
  for (T& a : A) a = draw.element(1);
  return A;
}

template <class T>
dense<T> as_stored(const trsm_form& f, dense<T> L, int n) {
  for (int j = 0; j < n; ++j) {
    if (f.diag == diag::unit) L[static_cast<std::size_t>(j + j * n)] = 1;
  }
  return f.uplo == uplo::lower ? L : applied(op::trans, L, n);
}

template <class T>
dense<T> sides_of(const trsm_form& f, const dense<T>& A, const dense<T>& X, int m, int n) {
  const dense<T> of_A = applied(f.op, A, f.order(m, n));
  return f.side == side::left ? product(of_A, X, m, m, n) : product(X, of_A, m, n, n);
}

template <class T>
double trsm_ratio(const trsm_form& f, const dense<T>& A, const dense<T>& X, dense<T> B, T alpha, int m,
                  int n) {
  for (T& b : B) b = times(alpha, b);
  const dense<T> of_A = applied(f.op, A, f.order(m, n));
  return f.side == side::left ? solve_ratio(of_A, X, B, m, n)
                              : solve_ratio(applied(op::trans, of_A, n), applied(op::trans, X, m, n),
                                            applied(op::trans, B, m, n), n, m);
}

#define INSTANTIATE(T)                                                                                      \
  template dense<T> transposed_factor(dense<T> A, int n);                                                   \
  template dense<T> triangle(const std::string& kind, int n, unsigned seed);                                \
  template dense<T> exact_triangle(int n, unsigned seed);                                                   \
  template dense<T> small_integers(int m, int n, unsigned seed);                                            \
  template dense<T> as_stored(const trsm_form& f, dense<T> L, int n);                                       \
  template dense<T> sides_of(const trsm_form& f, const dense<T>& A, const dense<T>& X, int m, int n);       \
  template double trsm_ratio(const trsm_form& f, const dense<T>& A, const dense<T>& X, dense<T> B, T alpha, \
                             int m, int n);
TALUS_FOR_ALL_TYPES(INSTANTIATE)
#undef INSTANTIATE

// talus-accuracy has reference solutions with more digits.
#define INSTANTIATE_MORE(T)                                                                                 \
  template double trsm_ratio(const trsm_form& f, const dense<T>& A, const dense<T>& X, dense<T> B, T alpha, \
                             int m, int n);
INSTANTIATE_MORE(long double)
INSTANTIATE_MORE(std::complex<long double>)
#undef INSTANTIATE_MORE

}  // namespace talus::test
