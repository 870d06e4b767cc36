#pragma once

#include "measure/routines/potrf.hpp"
#include "talus/vbatched.hpp"

namespace talus::measure {

/// The fronts of a multifrontal solver. MAGMA's users compose it of calls for their blocks.
template <class T>
struct potrf_partial_vbatched : description<variable_problem<T>> {
  static constexpr const char* name = "potrf_partial_vbatched";
  static constexpr const char* short_name = "potrf_partial";
  static constexpr bool has_k = true;
  static constexpr peer peers[] = {{"openblas", "potrf, trsm, herk"}};

  static double flops(const sizes& s) {
    return potrf<T>::flops(square(s.n)) - potrf<T>::flops(square(s.n - s.k));
  }
  static double bytes(const sizes& s) { return s.k == 0 ? 0 : potrf<T>::bytes(s); }

  static double residual(const matrix_check<T>& one, const variable_problem<T>& p) {
    return residual_of_cholesky(one, p);
  }
  static std::size_t work_bytes(const variable_problem<T>& p) {
    return potrf_partial_vbatched_work<T>(p.n, p.k, p.batch);
  }
  static int run(const operands_of<variable_batch<T>>& x, queue q) {
    return talus::potrf_partial_vbatched(x.uplo, x.A.n, x.k, x.A.array, x.A.lda, x.info, x.A.count, x.n_max,
                                         x.k_max, q);
  }
};

}  // namespace talus::measure
