#pragma once

#include "measure/routines/getrf.hpp"
#include "talus/vbatched.hpp"

namespace talus::measure {

/// The same of unsymmetric fronts, with pivots from the rows that are eliminated.
template <class T>
struct getrf_partial_vbatched : description<variable_problem<T>> {
  static constexpr const char* name = "getrf_partial_vbatched";
  static constexpr std::string_view built_with = "getrf";
  static constexpr const char* short_name = "getrf_partial";
  static constexpr matrix_kind kind = matrix_kind::general;
  static constexpr bool is_square = false, has_ipiv = true, has_k = true;
  static constexpr peer peers[] = {{"openblas", "getrf, laswp, trsm, gemm"}};

  static double flops(const sizes& s) {
    const int m2 = s.m - s.k, n2 = s.n - s.k;
    return getrf<T>::flops(s) - getrf<T>::flops({m2, n2, std::min(m2, n2)});
  }
  static double bytes(const sizes& s) {
    return s.k == 0 ? 0 : 2 * matrix_bytes<T>(s) + static_cast<double>(sizeof(int)) * s.k;
  }

  static double residual(const matrix_check<T>& one, const variable_problem<T>& p) {
    return residual_of_lu(one, p);
  }
  static std::size_t work_bytes(const variable_problem<T>& p) {
    return getrf_partial_vbatched_work<T>(p.m, p.n, p.k, p.batch);
  }
  static int run(const operands_of<variable_batch<T>>& x, queue q) {
    return talus::getrf_partial_vbatched(x.A.m, x.A.n, x.k, x.A.array, x.A.lda, x.ipiv.array, x.info,
                                         x.A.count, x.m_max, x.n_max, x.k_max, q);
  }
};

}  // namespace talus::measure
