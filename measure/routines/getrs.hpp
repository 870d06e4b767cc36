#pragma once

#include "measure/routines/getrf.hpp"

namespace talus::measure {

template <class T>
struct getrs : description<problem<T>> {
  static constexpr const char* name = "getrs";
  using starts_from = getrf<T>;
  static constexpr matrix_kind kind = starts_from::kind;
  static constexpr bool writes_A = false, has_B = true, has_ipiv = true;
  static constexpr int measured_nrhs = 1;
  static constexpr peer peers[] = {
      {.library = "cusolver", .how = "loop", .writes_info = false, .batch_max = longest_loop},
      {"cublas", "", false},
      {"magma", "", false},
      {"openblas"}};

  static double flops(const sizes& s) { return flops_per_operation<T> * 2 * s.n * s.n * s.nrhs; }
  static double bytes(const sizes& s) {
    return matrix_bytes<T>(s) + ipiv_bytes(s) + 2 * right_hand_side_bytes<T>(s);
  }

  static double residual(const matrix_check<T>& one, const problem<T>& p) { return one.of_solution(p); }
  static std::size_t work_bytes(const problem<T>& p) { return getrs_work<T>(p.n, p.nrhs, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>&A = x.A, &B = x.B;
    return A.array ? getrs_batched<T>(op::none, A.n, B.n, A.array, A.lda, x.ipiv.array, B.array, B.lda,
                                      x.info, A.count, q)
                   : getrs_strided_batched<T>(op::none, A.n, B.n, A.slab, A.lda, A.stride, x.ipiv.slab,
                                              x.ipiv.stride, B.slab, B.lda, B.stride, x.info, A.count, q);
  }
};

}  // namespace talus::measure
