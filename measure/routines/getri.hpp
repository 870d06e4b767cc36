// The inverse from LU's factors, in their place and in another.
#pragma once

#include "measure/routines/getrf.hpp"

namespace talus::measure {

/// Of an inverse: ||x - A^-1 A x|| / (||A|| ||A^-1|| ||x||).
template <class T>
double residual_of_inverse(const matrix_check<T>& one, const std::vector<T>& inverse) {
  using check = matrix_check<T>;
  const auto element = [&](std::size_t i, std::size_t j) ->
      typename check::number { return inverse[i + j * one.n]; };
  long double norm = 0;
  typename check::vector r = check::times(element, one.n, one.Ax(), norm);
  check::subtract(r, one.x());
  return one.in_n_eps(check::norm1(r) / (one.norm_A() * norm * check::norm1(one.x())));
}

template <class T>
struct getri : description<problem<T>> {
  static constexpr const char* name = "getri";
  using starts_from = getrf<T>;
  static constexpr matrix_kind kind = starts_from::kind;
  static constexpr bool has_ipiv = true;
  static constexpr peer peers[] = {{"openblas"}};

  static double flops(const sizes& s) {
    const double n = s.n;
    return flops_per_operation<T> * (4 * n * n * n / 3 - n * n + 5 * n / 3);
  }
  static double bytes(const sizes& s) { return 2 * matrix_bytes<T>(s) + ipiv_bytes(s); }

  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    return residual_of_inverse(one, p.download_A(one.matrix));
  }
  static std::size_t work_bytes(const problem<T>& p) { return getri_work<T>(p.n, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>& A = x.A;
    return A.array ? getri_batched(A.n, A.array, A.lda, x.ipiv.array, x.info, A.count, q)
                   : getri_strided_batched(A.n, A.slab, A.lda, A.stride, x.ipiv.slab, x.ipiv.stride, x.info,
                                           A.count, q);
  }
};

/// C is the problem's B.
template <class T>
struct getri_outofplace : description<problem<T>> {
  static constexpr const char* name = "getri_outofplace";
  static constexpr std::string_view built_with = "getri";
  using starts_from = getrf<T>;
  static constexpr matrix_kind kind = starts_from::kind;
  static constexpr bool writes_A = false, has_B = true, reads_B = false, B_like_A = true, A_to_B = true,
                        has_ipiv = true;
  static constexpr peer peers[] = {{"cublas"}, {"magma", "", false}, {"openblas", "copy + getri"}};

  static double flops(const sizes& s) { return getri<T>::flops(s); }
  static double bytes(const sizes& s) { return getri<T>::bytes(s); }

  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    return residual_of_inverse(one, p.download_B(one.matrix));
  }
  static std::size_t work_bytes(const problem<T>& p) { return getri_outofplace_work<T>(p.n, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>&A = x.A, &C = x.B;
    return A.array
               ? getri_outofplace_batched<T>(A.n, A.array, A.lda, x.ipiv.array, C.array, C.lda, x.info,
                                             A.count, q)
               : getri_outofplace_strided_batched<T>(A.n, A.slab, A.lda, A.stride, x.ipiv.slab, x.ipiv.stride,
                                                     C.slab, C.lda, C.stride, x.info, A.count, q);
  }
};

}  // namespace talus::measure
