#pragma once

#include "measure/routines/potrf.hpp"

namespace talus::measure {

template <class T>
struct potrs {
  static constexpr const char* name = "potrs";
  using problem = measure::problem<T>;
  using operands = operands_of<batch<T>>;
  using starts_from = potrf<T>;
  using check = solution_check<T>;
  using tables = void;
  static constexpr bool mixed_sizes = problem::mixed_sizes, writes_A = false, has_B = true;
  static constexpr int measured_nrhs = 1;
  static constexpr peer peers[] = {
      {"cusolver", "", false, 1}, {"cublas", "2 trsmBatched", false}, {"magma", "", false}, {"openblas"}};

  static double flops(const sizes& s) { return flops_per_operation<T> * 2 * s.n * s.n * s.nrhs; }
  static double bytes(const sizes& s) {
    return least_triangle_bytes<T>(s.n) + 2 * right_hand_side_bytes<T>(s);
  }

  static std::size_t work_bytes(const problem& p) { return potrs_work<T>(p.n, p.nrhs, p.batch); }
  static int run(const operands& x, queue q) {
    const batch<T>&A = x.A, &B = x.B;
    return A.array ? potrs_batched<T>(x.uplo, A.n, B.n, A.array, A.lda, B.array, B.lda, x.info, A.count, q)
                   : potrs_strided_batched<T>(x.uplo, A.n, B.n, A.slab, A.lda, A.stride, B.slab, B.lda,
                                              B.stride, x.info, A.count, q);
  }
};

}  // namespace talus::measure
