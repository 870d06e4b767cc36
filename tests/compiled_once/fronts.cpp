// Compiles the slow functions of fronts.hpp once, with -O3.
#include "cholesky/fronts.hpp"

#include "measure/precisions.hpp"

namespace talus::test {

template <class T>
void subtract_columns(dense<T>& A, const dense<T>& L, int n, int k) {
  for (int l = 0; l < k; ++l) {
    for (int j = l; j < n; ++j) {
      const T x = conjugate(L[static_cast<std::size_t>(j + l * n)]);
      for (int i = l; i < n; ++i)
        A[static_cast<std::size_t>(i + j * n)] -= times(L[static_cast<std::size_t>(i + l * n)], x);
    }
  }
}

template <class T>
dense<T> without_columns(dense<T> F, int n, int k) {
  std::fill_n(F.begin(), static_cast<std::ptrdiff_t>(n) * k, T());
  return F;
}

template <class T>
double front_ratio(const dense<T>& A, const dense<T>& F, int n, int k) {
  if (n == 0) return 0;
  const double scale = 1 / norm1(A, n, n);
  dense<T> R = scaled(A, scale);
  const dense<T> S = whole(scaled(without_columns(F, n, k), scale), n);
  for (std::size_t i = 0; i < R.size(); ++i) R[i] -= S[i];
  subtract_columns(R, scaled(F, std::sqrt(scale)), n, k);
  return norm1(R, n, n) / (n * static_cast<double>(epsilon<T>));
}

#define INSTANTIATE(T)                                                          \
  template void subtract_columns(dense<T>& A, const dense<T>& L, int n, int k); \
  template dense<T> without_columns(dense<T> F, int n, int k);                  \
  template double front_ratio(const dense<T>& A, const dense<T>& F, int n, int k);
TALUS_FOR_ALL_TYPES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace talus::test
