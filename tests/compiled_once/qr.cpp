// Compiles the slow functions of qr.hpp once, with -O3.
#include "qr/qr.hpp"

#include "measure/precisions.hpp"

namespace talus::test {

template <class T>
dense<T> qr_matrix(const std::string& kind, int m, int n, unsigned seed) {
  using R = real_of<T>;
  for (const char* const common : {"random", "condition", "tiny", "huge", "zero_column"}) {
    if (kind == common) return general<T>(kind, m, n, seed);
  }
  if (std::find(qr_kinds().begin(), qr_kinds().end(), kind) == qr_kinds().end())
    throw std::invalid_argument("qr_matrix: no kind of matrix is called '" + kind + "'");
  const R tiny = sizeof(R) == 4 ? R(1e-30) : static_cast<R>(1e-300);
  const R scales[] = {1 / tiny, tiny, R(1)};
  const int independent = std::max(1, std::min(m, n) / 2);
  const auto grade = [](int i, int extent) { return std::ldexp(R(1), -(40 * i) / extent); };
  dense<T> A = random_matrix<T>(m, n, seed);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      T& a = A[static_cast<std::size_t>(i + j * m)];
      if (kind == "graded_rows") a *= grade(i, m);
      if (kind == "graded_columns") a *= grade(j, n);
      if (kind == "rank_deficient" && j >= independent)
        a = A[static_cast<std::size_t>(i + (j % independent) * m)] * R(-2);
      if (kind == "clustered") a = T(1) + a * std::sqrt(epsilon<T>);
      if (kind == "mixed") a *= scales[j % 3];
      if (kind == "tiny_below") a = j == 0 ? T(i == 0 ? 1 : 0) : i == 0 ? T(1) : a * tiny;
      if (kind == "zero") a = 0;
    }
  }
  return A;
}

template <class T>
repeated_general<T> repeated_qr(const std::string& kind, int m, int n, int distinct, unsigned seed) {
  repeated_general<T> all("random", m, n, 0, 0);
  for (int i = 0; i < distinct; ++i)
    all.matrices.push_back(qr_matrix<T>(kind, m, n, seed + static_cast<unsigned>(i)));
  return all;
}

template <class T>
dense<T> well_conditioned(int m, int n, unsigned seed) {
  dense<T> A = general<T>("dominant", m, n, seed);
  std::mt19937 generator(seed);
  for (int i = 0; i < m; ++i) {
    const T unit = unit_element<T>(generator);
    for (int j = 0; j < n; ++j) {
      T& a = A[static_cast<std::size_t>(i + j * m)];
      a = times(a, unit);
    }
  }
  return A;
}

template <class T>
dense<judged<T>> explicit_Q(const dense<T>& V, const dense<T>& tau, int m, int k, int columns) {
  using W = judged<T>;
  const auto at = [m](int i, int j) { return static_cast<std::size_t>(i + j * m); };
  dense<W> Q(static_cast<std::size_t>(m) * static_cast<std::size_t>(columns)), v(static_cast<std::size_t>(m));
  for (int j = 0; j < std::min(m, columns); ++j) Q[at(j, j)] = W(1);
  for (int j = k - 1; j >= 0; --j) {
    const W t = static_cast<W>(tau[static_cast<std::size_t>(j)]);
    for (int i = j; i < m; ++i) v[static_cast<std::size_t>(i)] = i == j ? W(1) : static_cast<W>(V[at(i, j)]);
    for (int c = j; c < columns; ++c) {  // of the columns before it H_j changes nothing
      W dot{};
      for (int i = j; i < m; ++i) dot += times(conjugate(v[static_cast<std::size_t>(i)]), Q[at(i, c)]);
      dot = times(t, dot);
      for (int i = j; i < m; ++i) Q[at(i, c)] -= times(v[static_cast<std::size_t>(i)], dot);
    }
  }
  return Q;
}

template <class T>
dense<T> adjoint(const dense<T>& A, int m, int n) {
  dense<T> B(A.size());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i)
      B[static_cast<std::size_t>(j + i * n)] = conjugate(A[static_cast<std::size_t>(i + j * m)]);
  }
  return B;
}

template <class T>
dense<T> upper_trapezoid(const dense<T>& factors, int m, int n, int k) {
  dense<T> R(static_cast<std::size_t>(k) * static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < std::min(j + 1, k); ++i)
      R[static_cast<std::size_t>(i + j * k)] = factors[static_cast<std::size_t>(i + j * m)];
  }
  return R;
}

template <class T>
double qr_ratio(const dense<T>& A, const dense<judged<T>>& Q, const dense<T>& R, int m, int n, int k) {
  using W = judged<T>;
  double worst = 0;
  dense<W> residual(static_cast<std::size_t>(m));
  for (int j = 0; j < n; ++j) {
    double largest = 0, norm = 0, size = 0;
    for (int i = 0; i < m; ++i)
      largest = worse(largest, static_cast<double>(magnitude(A[static_cast<std::size_t>(i + j * m)])));
    const double scale = largest == 0 ? 1 : std::ldexp(1.0, -std::ilogb(largest));
    for (int i = 0; i < m; ++i) {
      W& r = residual[static_cast<std::size_t>(i)];
      r = static_cast<W>(A[static_cast<std::size_t>(i + j * m)]) * scale;
      norm += std::abs(r);
    }
    for (int l = 0; l < k; ++l) {
      const W r = static_cast<W>(R[static_cast<std::size_t>(l + j * k)]) * scale;
      if (r == W(0)) continue;
      for (int i = 0; i < m; ++i)
        residual[static_cast<std::size_t>(i)] -= times(Q[static_cast<std::size_t>(i + l * m)], r);
    }
    for (const W& r : residual) size += std::abs(r);
    worst = worse(worst, norm == 0 && size == 0 ? 0 : size / (m * norm * static_cast<double>(epsilon<T>)));
  }
  return worst;
}

template <class T>
double orthogonality_ratio(const dense<judged<T>>& Q, int m, int k) {
  using W = judged<T>;
  dense<W> difference(static_cast<std::size_t>(k) * static_cast<std::size_t>(k));
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i <= j; ++i) {
      W dot = i == j ? W(-1) : W(0);
      for (int l = 0; l < m; ++l)
        dot +=
            times(conjugate(Q[static_cast<std::size_t>(l + i * m)]), Q[static_cast<std::size_t>(l + j * m)]);
      difference[static_cast<std::size_t>(i + j * k)] = difference[static_cast<std::size_t>(j + i * k)] = dot;
    }
  }
  return norm1(difference, k, k) / (std::max(1, m) * static_cast<double>(epsilon<T>));
}

template <class T>
bool has_real_diagonal(const dense<T>& A, int m, int k) {
  for (int j = 0; j < k; ++j) {
    if (std::imag(A[static_cast<std::size_t>(j + j * m)]) != 0) return false;
  }
  return true;
}

template <class T>
bool are_taus(const dense<T>& tau) {
  const double rounding = 16 * static_cast<double>(epsilon<T>);
  return std::all_of(tau.begin(), tau.end(), [&](T t) {
    return t == T(0) ||
           (std::real(t) >= 1 - rounding && static_cast<double>(std::abs(t - T(1))) <= 1 + rounding);
  });
}

template <class T>
double difference_ratio(const dense<T>& A, const dense<T>& B, double size) {
  double worst = A.size() == B.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < std::min(A.size(), B.size()); ++e)
    worst = worse(worst, static_cast<double>(std::abs(A[e] - B[e])));
  return worst / (size * static_cast<double>(epsilon<T>));
}

template <class T>
bool has_nan(const slab<T>& s, std::int64_t b, int j) {
  for (int i = 0; i < s.m; ++i) {
    if (std::isnan(std::real(s.at(b, i, j))) || std::isnan(std::imag(s.at(b, i, j)))) return true;
  }
  return false;
}

#define INSTANTIATE(T)                                                                                     \
  template dense<T> qr_matrix(const std::string& kind, int m, int n, unsigned seed);                       \
  template repeated_general<T> repeated_qr(const std::string& kind, int m, int n, int distinct,            \
                                           unsigned seed);                                                 \
  template dense<T> well_conditioned(int m, int n, unsigned seed);                                         \
  template dense<judged<T>> explicit_Q(const dense<T>& V, const dense<T>& tau, int m, int k, int columns); \
  template dense<T> adjoint(const dense<T>& A, int m, int n);                                              \
  template dense<T> upper_trapezoid(const dense<T>& factors, int m, int n, int k);                         \
  template double qr_ratio(const dense<T>& A, const dense<judged<T>>& Q, const dense<T>& R, int m, int n,  \
                           int k);                                                                         \
  template double orthogonality_ratio<T>(const dense<judged<T>>& Q, int m, int k);                         \
  template bool has_real_diagonal(const dense<T>& A, int m, int k);                                        \
  template bool are_taus(const dense<T>& tau);                                                             \
  template double difference_ratio(const dense<T>& A, const dense<T>& B, double size);                     \
  template bool has_nan(const slab<T>& s, std::int64_t b, int j);
TALUS_FOR_ALL_TYPES(INSTANTIATE)
#undef INSTANTIATE

// talus-accuracy has reference solutions with more digits.
#define INSTANTIATE_MORE(T) template dense<T> adjoint(const dense<T>& A, int m, int n);
INSTANTIATE_MORE(long double)
INSTANTIATE_MORE(std::complex<long double>)
#undef INSTANTIATE_MORE

}  // namespace talus::test
