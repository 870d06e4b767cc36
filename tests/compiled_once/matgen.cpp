// Compiles the slow functions of matgen.hpp once, with -O3.
#include "matgen.hpp"

#include "measure/precisions.hpp"

namespace talus::test {

template <class T>
dense<T> random_matrix(int m, int n, unsigned seed) {
  std::mt19937 generator(seed);
  dense<T> A(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
  for (T& a : A) a = random_element<T>(generator);
  return A;
}

template <class T>
dense<T> exact_factor(int n, unsigned seed) {
  std::mt19937 generator(seed);
  auto small = [&] { return static_cast<real_of<T>>(static_cast<int>(generator() % 5) - 2); };
  dense<T> L(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) {
    L[static_cast<std::size_t>(j + j * n)] = static_cast<real_of<T>>(1 << generator() % 3);
    for (int i = j + 1; i < n; ++i) {
      T& l = L[static_cast<std::size_t>(i + j * n)];
      const real_of<T> re = small();
      if constexpr (is_complex<T>) {
        l = {re, small()};
      } else {
        l = re;
      }
    }
  }
  return L;
}

template <class T>
dense<T> times_own_conjugate_transpose(const dense<T>& L, int n) {
  dense<T> A(L.size());
  for (int k = 0; k < n; ++k) {
    for (int j = k; j < n; ++j) {
      const T l = conjugate(L[static_cast<std::size_t>(j + k * n)]);
      for (int i = k; i < n; ++i)
        A[static_cast<std::size_t>(i + j * n)] += times(L[static_cast<std::size_t>(i + k * n)], l);
    }
  }
  return A;
}

template <class T>
dense<T> hermitian(const std::string& kind, int n, unsigned seed) {
  using R = real_of<T>;
  auto at = [n](int i, int j) { return static_cast<std::size_t>(i + j * n); };
  if (kind == "exact") return times_own_conjugate_transpose(exact_factor<T>(n, seed), n);

  std::mt19937 generator(seed);
  dense<T> A(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  if (kind == "condition") {  // H diag(d) H with the reflection H = I - 2 v v^H
    std::vector<R> d(static_cast<std::size_t>(n));
    std::vector<T> v(d.size());
    R norm = 0, mean = 0;
    for (int i = 0; i < n; ++i) {
      const R least = std::log(R(64) * static_cast<R>(n) * epsilon<T>);
      d[static_cast<std::size_t>(i)] =
          std::exp(n > 1 ? least * static_cast<R>(i) / static_cast<R>(n - 1) : R(0));
      v[static_cast<std::size_t>(i)] = random_element<T>(generator);
      norm += std::norm(v[static_cast<std::size_t>(i)]);
    }
    for (T& x : v) x /= std::sqrt(norm);
    for (std::size_t i = 0; i < d.size(); ++i) mean += d[i] * std::norm(v[i]);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const auto r = static_cast<std::size_t>(i), c = static_cast<std::size_t>(j);
        A[at(i, j)] = v[r] * conjugate(v[c]) * (R(4) * mean - R(2) * (d[r] + d[c]));
        if (i == j) A[at(i, j)] = std::real(A[at(i, j)]) + d[r];
      }
    }
    return A;
  }
  for (int j = 0; j < n; ++j) {
    A[at(j, j)] = std::real(random_element<T>(generator)) + static_cast<R>(n);
    for (int i = j + 1; i < n; ++i) {
      A[at(i, j)] = random_element<T>(generator);
      A[at(j, i)] = conjugate(A[at(i, j)]);
    }
  }
  if (kind == "random") return A;
  auto scale = [&](int i) {
    if (kind == "graded") return std::ldexp(R(1), -(20 * i) / n);
    if (kind == "tiny") return std::sqrt(std::numeric_limits<R>::min()) * R(32);
    if (kind == "huge") return std::sqrt(std::numeric_limits<R>::max()) / R(1024);
    throw std::invalid_argument("hermitian: no kind of matrix is called '" + kind + "'");
  };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) A[at(i, j)] *= scale(i) * scale(j);
  }
  return A;
}

template <class T>
dense<T> ill_conditioned(int m, int n, std::mt19937& generator) {
  using R = real_of<T>;
  const auto unit_vector = [&](int length) {
    dense<T> v(static_cast<std::size_t>(length));
    R norm = 0;
    for (T& x : v) norm += std::norm(x = random_element<T>(generator));
    for (T& x : v) x /= std::sqrt(norm);
    return v;
  };
  const dense<T> v = unit_vector(m), w = unit_vector(n);
  const int k = std::min(m, n);
  const R least = std::log(R(64) * static_cast<R>(k) * epsilon<T>);
  std::vector<R> d(static_cast<std::size_t>(std::max(m, n)));  // 0 beyond the diagonal's end
  T middle{};                                                  // v^H D w
  for (int i = 0; i < k; ++i) {
    const auto e = static_cast<std::size_t>(i);
    d[e] = std::exp(k > 1 ? least * static_cast<R>(i) / static_cast<R>(k - 1) : R(0));
    middle += conjugate(v[e]) * w[e] * d[e];
  }
  dense<T> A(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
  for (std::size_t j = 0; j < w.size(); ++j) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      T& a = A[i + j * v.size()];
      a = v[i] * conjugate(w[j]) * R(4) * middle;
      if (j < v.size()) a -= R(2) * v[i] * conjugate(v[j]) * d[j];
      if (i < w.size()) a -= R(2) * w[i] * conjugate(w[j]) * d[i];
      if (i == j) a += d[i];
    }
  }
  return A;
}

template <class T>
dense<T> general(const std::string& kind, int m, int n, unsigned seed) {
  using R = real_of<T>;
  std::mt19937 generator(seed);
  if (kind == "condition") return ill_conditioned<T>(m, n, generator);
  const R tiny = sizeof(R) == 4 ? R(1e-30) : static_cast<R>(1e-300);
  const auto grade = [](int i, int extent) { return std::ldexp(R(1), -(20 * i) / extent); };
  dense<T> A = random_matrix<T>(m, n, seed);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      T& a = A[static_cast<std::size_t>(i + j * m)];
      if (kind == "dominant" && i == j) a += static_cast<R>(std::max(m, n));
      if (kind == "growth") a = i == j || j == n - 1 ? R(1) : i > j && j < 20 ? R(-1) : R(0);
      if (kind == "ties") a = unit_element<T>(generator);
      if (kind == "zero_column" && j == std::min(m, n) / 2) a = 0;
      if (kind == "graded") a *= grade(i, m) * grade(j, n);
      if (kind == "tiny") a *= tiny;
      if (kind == "huge") a *= 1 / tiny;
    }
  }
  const std::vector<std::string>& known = general_kinds();
  if (std::find(known.begin(), known.end(), kind) == known.end())
    throw std::invalid_argument("general: no kind of matrix is called '" + kind + "'");
  return A;
}

#define INSTANTIATE(T)                                                        \
  template dense<T> random_matrix(int m, int n, unsigned seed);               \
  template dense<T> exact_factor(int n, unsigned seed);                       \
  template dense<T> times_own_conjugate_transpose(const dense<T>& L, int n);  \
  template dense<T> hermitian(const std::string& kind, int n, unsigned seed); \
  template dense<T> ill_conditioned(int m, int n, std::mt19937& generator);   \
  template dense<T> general(const std::string& kind, int m, int n, unsigned seed);
TALUS_FOR_ALL_TYPES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace talus::test
