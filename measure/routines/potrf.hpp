#pragma once

#include "batched/cholesky/potrf.hpp"
#include "measure/routines/description.hpp"

namespace talus::measure {

/// Of a Cholesky factor, k columns of it: ||A x - L L^H x - [0; S x2]|| / (||A|| ||x||), S being the Schur
/// complement behind them and x2 as long as it.
template <class T, class Problem>
double residual_of_cholesky(const matrix_check<T>& one, const Problem& p) {
  using check = matrix_check<T>;
  const std::vector<T> stored = p.download_A(one.matrix);
  typename check::vector r = one.Ax();
  for (std::size_t j = 0; j < one.n; ++j) {  // column j of L, or S, is row j of U, or S, conjugated
    const auto L = [&](std::size_t i) -> typename check::number {
      if (one.is_lower) return stored[i + j * one.n];
      return check::conj(stored[j + i * one.n]);
    };
    if (j >= one.k) {
      for (std::size_t i = j; i < one.n; ++i) r[i] -= check::product(L(i), one.x()[j]);
      for (std::size_t i = j + 1; i < one.n; ++i) r[j] -= check::product(check::conj(L(i)), one.x()[i]);
      continue;
    }
    typename check::number y = 0;  // of y = L^H x
    for (std::size_t i = j; i < one.n; ++i) y += check::product(check::conj(L(i)), one.x()[i]);
    for (std::size_t i = j; i < one.n; ++i) r[i] -= check::product(L(i), y);
  }
  return one.in_n_eps(check::norm1(r) / (one.norm_A() * check::norm1(one.x())));
}

template <class T>
struct potrf : description<problem<T>> {
  static constexpr const char* name = "potrf";
  using tables = cuda::potrf_tables;
  static constexpr peer peers[] = {
      {.library = "cusolver"},
      {.library = "cusolver_streams", .how = "loop over 8 streams", .batch_max = longest_loop},
      {.library = "magma"},
      {.library = "openblas"}};

  static double flops(const sizes& s) {
    const double n = s.n;
    return flops_per_operation<T> * (n * n * n / 3 + n * n / 2 + n / 6);
  }
  static double bytes(const sizes& s) { return 2 * least_triangle_bytes<T>(s.n); }

  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    return residual_of_cholesky(one, p);
  }
  static std::size_t work_bytes(const problem<T>& p) { return potrf_work<T>(p.n, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>& A = x.A;
    return A.array ? potrf_batched(x.uplo, A.n, A.array, A.lda, x.info, A.count, q)
                   : potrf_strided_batched(x.uplo, A.n, A.slab, A.lda, A.stride, x.info, A.count, q);
  }

  static constexpr auto box(const sizes& s) { return cuda::upto(s.n); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<batch<T>>& x, queue q) {
    return cuda::potrf_at(line, x.uplo, x.A, x.info, q);
  }
  static int run_table(int table, const operands_of<batch<T>>& x, queue q) {
    return run_line(tables::template select<T>(table, cuda::upto(x.A.n), x.A.count), x, q);
  }
#endif
};

}  // namespace talus::measure
