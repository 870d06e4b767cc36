#pragma once

#include "batched/qr/orgqr.hpp"
#include "measure/routines/geqrf.hpp"

namespace talus::measure {

/// The first min(m, n) columns of Q. Complex Q, too, under this name.
template <class T>
struct orgqr : description<problem<T>> {
  static constexpr const char* name = "orgqr";
  using starts_from = geqrf<T>;
  static constexpr matrix_kind kind = starts_from::kind;
  static constexpr bool is_square = false, has_tau = true;
  static constexpr peer peers[] = {{.library = "cusolver", .how = "loop", .batch_max = longest_loop},
                                   {"openblas"}};

  static double flops(const sizes& s) {
    const double m = s.m, n = std::min(s.m, s.n), k = n;
    return flops_per_operation<T> * (4 * m * n * k - 2 * (m + n) * k * k + 4 * k * k * k / 3);
  }
  static double bytes(const sizes& s) {
    return 2 * matrix_bytes<T>({s.m, std::min(s.m, s.n)}) + tau_bytes<T>(s);
  }

  /// The larger one of ||Q x - H_1 ... H_k x|| / ||x|| and how far Q is from unitary.
  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    using check = matrix_check<T>;
    const std::size_t k = std::min(one.m, one.n);
    const std::vector<T> Q = p.download_A(one.matrix);
    typename check::vector Qx(one.m), Hx(one.m);
    for (std::size_t j = 0; j < k; ++j) {
      Hx[j] = one.x()[j];
      for (std::size_t i = 0; i < one.m; ++i) Qx[i] += check::product(Q[i + j * one.m], one.x()[j]);
    }
    const long double norm_x = check::norm1(Hx);
    const reflectors<T> H(p.download_pristine_A(one.matrix), p.download_tau(one.matrix), one.m);
    H.apply(Hx);
    check::subtract(Qx, Hx);
    return one.in_n_eps(larger(check::norm1(Qx) / norm_x, distance_from_unitary(one, Q, k)));
  }
  static std::size_t work_bytes(const problem<T>& p) {
    const int k = std::min(p.m, p.n);
    return orgqr_work<T>(p.m, k, k, p.batch);
  }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>& A = x.A;
    const int k = std::min(A.m, A.n);
    return A.array ? orgqr_batched<T>(A.m, k, k, A.array, A.lda, x.tau.array, x.info, A.count, q)
                   : orgqr_strided_batched<T>(A.m, k, k, A.slab, A.lda, A.stride, x.tau.slab, x.tau.stride,
                                              x.info, A.count, q);
  }

  using tables = cuda::orgqr_tables;
  static constexpr auto box(const sizes& s) { return cuda::upto(s.m, std::min(s.m, s.n)); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<batch<T>>& x, queue q) {
    const int k = std::min(x.A.m, x.A.n);
    return cuda::orgqr_at<T>(line, k, x.A.block(0, 0, x.A.m, k), read_only(x.tau), x.info, q);
  }
  static int run_table(int table, const operands_of<batch<T>>& x, queue q) {
    const auto box = cuda::upto(x.A.m, std::min(x.A.m, x.A.n));
    return run_line(tables::template select<T>(table, box, x.A.count), x, q);
  }
#endif
};

}  // namespace talus::measure
