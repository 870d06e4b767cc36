#pragma once

#include "measure/routines/geqrf.hpp"

namespace talus::measure {

/// C := Q^H C for a C of A's sizes, which is the problem's B. Complex Q, too, under this name.
template <class T>
struct ormqr : description<problem<T>> {
  static constexpr const char* name = "ormqr";
  using starts_from = geqrf<T>;
  static constexpr matrix_kind kind = starts_from::kind;
  static constexpr bool is_square = false, writes_A = false, has_B = true, B_like_A = true, has_tau = true;
  static constexpr peer peers[] = {{.library = "cusolver", .how = "loop", .batch_max = longest_loop},
                                   {"openblas"}};

  static double flops(const sizes& s) {
    const double m = s.m, n = s.n, k = std::min(m, n);
    return flops_per_operation<T> * (4 * m * n * k - 2 * n * k * k);
  }
  static double bytes(const sizes& s) {  // beyond column k of A no reflector is
    return matrix_bytes<T>({s.m, std::min(s.m, s.n)}) + tau_bytes<T>(s) + 2 * matrix_bytes<T>(s);
  }

  /// ||Q^H C x - C' x|| / (||C|| ||x||), C' being the result.
  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    using check = matrix_check<T>;
    const std::vector<T> after = p.download_B(one.matrix);
    const std::size_t ldc = static_cast<std::size_t>(p.ldb());
    typename check::vector before_x(one.m), after_x(one.m);
    long double norm = 0;
    for (std::size_t j = 0; j < one.n; ++j) {
      const typename check::vector before = one.right_hand_side(j, one.m);
      for (std::size_t i = 0; i < one.m; ++i) {
        before_x[i] += check::product(before[i], one.x()[j]);
        after_x[i] += check::product(after[i + j * ldc], one.x()[j]);
      }
      norm = larger(norm, check::norm1(before));
    }
    reflectors<T>(p.download_A(one.matrix), p.download_tau(one.matrix), one.m).apply_conj_trans(before_x);
    check::subtract(after_x, before_x);
    return one.in_n_eps(check::norm1(after_x) / (norm * check::norm1(one.x())));
  }
  static std::size_t work_bytes(const problem<T>& p) {
    return ormqr_work<T>(p.m, p.n, std::min(p.m, p.n), p.batch);
  }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>&A = x.A, &C = x.B;
    const int k = std::min(A.m, A.n);
    return A.array ? ormqr_batched<T>(side::left, op::conj_trans, A.m, C.n, k, A.array, A.lda, x.tau.array,
                                      C.array, C.lda, x.info, A.count, q)
                   : ormqr_strided_batched<T>(side::left, op::conj_trans, A.m, C.n, k, A.slab, A.lda,
                                              A.stride, x.tau.slab, x.tau.stride, C.slab, C.lda, C.stride,
                                              x.info, A.count, q);
  }
};

}  // namespace talus::measure
