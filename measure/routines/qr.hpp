#pragma once

#include "measure/routines/orgqr.hpp"

namespace talus::measure {

/// R is the problem's B.
template <class T>
struct qr : description<problem<T>> {
  static constexpr const char* name = "qr";
  static constexpr matrix_kind kind = geqrf<T>::kind;
  static constexpr bool is_square = false, has_B = true, reads_B = false, B_like_A = true;
  static constexpr peer peers[] = {{"openblas", "geqrf + copy + orgqr"}};

  static double flops(const sizes& s) { return geqrf<T>::flops(s) + orgqr<T>::flops(s); }
  static double bytes(const sizes& s) {
    const int k = std::min(s.m, s.n);
    return matrix_bytes<T>(s) + matrix_bytes<T>({s.m, k}) + matrix_bytes<T>({k, s.n});
  }

  /// The larger one of ||A x - Q R x|| / (||A|| ||x||) and how far Q is from unitary. Below R's diagonal are
  /// zeros, so all of R counts.
  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    using check = matrix_check<T>;
    using number = typename check::number;
    const std::size_t k = std::min(one.m, one.n), ldr = static_cast<std::size_t>(p.ldb());
    const std::vector<T> Q = p.download_A(one.matrix), R = p.download_B(one.matrix);
    const auto q = [&](std::size_t i, std::size_t j) -> number { return Q[i + j * one.m]; };
    const auto r = [&](std::size_t i, std::size_t j) -> number { return R[i + j * ldr]; };
    long double norm = 0;
    typename check::vector y = check::times(q, one.m, check::times(r, k, one.x(), norm), norm);
    check::subtract(y, one.Ax());
    return one.in_n_eps(
        larger(check::norm1(y) / (one.norm_A() * check::norm1(one.x())), distance_from_unitary(one, Q, k)));
  }
  static std::size_t work_bytes(const problem<T>& p) { return qr_work<T>(p.m, p.n, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>&A = x.A, &R = x.B;
    return A.array ? qr_batched(A.m, A.n, A.array, A.lda, R.array, R.lda, x.info, A.count, q)
                   : qr_strided_batched(A.m, A.n, A.slab, A.lda, A.stride, R.slab, R.lda, R.stride, x.info,
                                        A.count, q);
  }
};

}  // namespace talus::measure
