#pragma once

#include "measure/routines/potrf.hpp"

namespace talus::measure {

template <class T>
struct potri : description<problem<T>> {
  static constexpr const char* name = "potri";
  using starts_from = potrf<T>;
  static constexpr peer peers[] = {{"openblas"}};

  static double flops(const sizes& s) {
    const double n = s.n;
    return flops_per_operation<T> * (2 * n * n * n / 3 + n * n / 2 + 5 * n / 6);
  }
  static double bytes(const sizes& s) { return 2 * least_triangle_bytes<T>(s.n); }

  /// Of a triangle of the inverse: ||x - A A^-1 x|| / (||A|| ||A^-1|| ||x||).
  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    using check = matrix_check<T>;
    const std::vector<T> stored = p.download_A(one.matrix);
    long double norm_inverse = 0, norm = 0;
    const auto inverse = [&](std::size_t i, std::size_t j) -> typename check::number {
      if (i == j) return std::real(stored[i + i * one.n]);
      if ((i > j) == one.is_lower) return stored[i + j * one.n];
      return check::conj(stored[j + i * one.n]);
    };
    typename check::vector r = one.A_times(check::times(inverse, one.n, one.x(), norm_inverse), norm);
    check::subtract(r, one.x());
    return one.in_n_eps(check::norm1(r) / (one.norm_A() * norm_inverse * check::norm1(one.x())));
  }
  static std::size_t work_bytes(const problem<T>& p) { return potri_work<T>(p.n, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>& A = x.A;
    return A.array ? potri_batched(x.uplo, A.n, A.array, A.lda, x.info, A.count, q)
                   : potri_strided_batched(x.uplo, A.n, A.slab, A.lda, A.stride, x.info, A.count, q);
  }
};

}  // namespace talus::measure
