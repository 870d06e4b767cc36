#pragma once

#include "measure/routines/potrf.hpp"

namespace talus::measure {

template <class T>
struct potrs : description<problem<T>> {
  static constexpr const char* name = "potrs";
  using starts_from = potrf<T>;
  static constexpr bool writes_A = false, has_B = true;
  static constexpr int measured_nrhs = 1;
  static constexpr peer peers[] = {
      {"cusolver", "", false, 1}, {"cublas", "2 trsmBatched", false}, {"magma", "", false}, {"openblas"}};

  static double flops(const sizes& s) { return flops_per_operation<T> * 2 * s.n * s.n * s.nrhs; }
  static double bytes(const sizes& s) {
    return least_triangle_bytes<T>(s.n) + 2 * right_hand_side_bytes<T>(s);
  }

  static double residual(const matrix_check<T>& one, const problem<T>& p) { return one.of_solution(p); }
  static std::size_t work_bytes(const problem<T>& p) { return potrs_work<T>(p.n, p.nrhs, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>&A = x.A, &B = x.B;
    return A.array ? potrs_batched<T>(x.uplo, A.n, B.n, A.array, A.lda, B.array, B.lda, x.info, A.count, q)
                   : potrs_strided_batched<T>(x.uplo, A.n, B.n, A.slab, A.lda, A.stride, B.slab, B.lda,
                                              B.stride, x.info, A.count, q);
  }
};

}  // namespace talus::measure
