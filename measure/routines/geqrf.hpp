#pragma once

#include <utility>

#include "batched/qr/geqrf.hpp"
#include "measure/routines/description.hpp"
#include "measure/routines/reflectors.hpp"

namespace talus::measure {

/// Of factors: ||A x - Q R x|| / (||A|| ||x||), and how far Q is from unitary: ||Q^H Q R x - R x|| / ||R x||.
template <class T, class Problem>
double residual_of_reflectors(const matrix_check<T>& one, const Problem& p) {
  using check = matrix_check<T>;
  const std::vector<T> R = p.download_A(one.matrix);
  const reflectors<T> Q(R, p.download_tau(one.matrix), one.m);
  const std::size_t k = std::min(one.m, one.n);
  typename check::vector Rx(one.m);
  for (std::size_t j = 0; j < one.n; ++j) {
    for (std::size_t i = 0; i <= j && i < k; ++i) Rx[i] += check::product(R[i + j * one.m], one.x()[j]);
  }
  typename check::vector y = Rx;
  Q.apply(y);
  typename check::vector back = y;
  Q.apply_conj_trans(back);
  check::subtract(y, one.Ax());
  check::subtract(back, Rx);
  return one.in_n_eps(larger(check::norm1(y) / (one.norm_A() * check::norm1(one.x())),
                             check::norm1(back) / check::norm1(Rx)));
}

template <class T>
struct geqrf : description<problem<T>> {
  static constexpr const char* name = "geqrf";
  static constexpr matrix_kind kind = matrix_kind::general;
  static constexpr bool is_square = false, has_tau = true;
  static constexpr growth priced[] = {{}, {.m_times = 4}};
  static constexpr peer peers[] = {
      {.library = "cusolver", .how = "loop", .batch_max = longest_loop},
      {.library = "cusolver_streams", .how = "loop over 8 streams", .batch_max = longest_loop},
      {"cublas", "", false},
      {"magma"},
      {"openblas"}};

  static double flops(const sizes& s) {
    const double m = s.m, n = s.n;
    return flops_per_operation<T> *
           (m >= n ? 2 * m * n * n - 2 * n * n * n / 3 + m * n + n * n + 14 * n / 3
                   : 2 * n * m * m - 2 * m * m * m / 3 + 3 * n * m - m * m + 14 * m / 3);
  }
  static double bytes(const sizes& s) { return 2 * matrix_bytes<T>(s) + tau_bytes<T>(s); }

  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    return residual_of_reflectors(one, p);
  }
  static std::size_t work_bytes(const problem<T>& p) { return geqrf_work<T>(p.m, p.n, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>& A = x.A;
    return A.array ? geqrf_batched(A.m, A.n, A.array, A.lda, x.tau.array, x.info, A.count, q)
                   : geqrf_strided_batched(A.m, A.n, A.slab, A.lda, A.stride, x.tau.slab, x.tau.stride,
                                           x.info, A.count, q);
  }

  using tables = cuda::geqrf_tables;
  static constexpr auto box(const sizes& s) { return cuda::upto(s.m, s.n); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<batch<T>>& x, queue q) {
    return cuda::geqrf_at<T>(line, x.A, x.tau, x.info, q);
  }
  static int run_table(int table, const operands_of<batch<T>>& x, queue q) {
    return run_line(tables::template select<T>(table, cuda::upto(x.A.m, x.A.n), x.A.count), x, q);
  }
#endif
};

}  // namespace talus::measure
