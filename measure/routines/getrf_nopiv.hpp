#pragma once

#include "measure/routines/getrf.hpp"

namespace talus::measure {

/// Where no pivot is small, so that none is looked for and none replaced.
template <class T>
struct getrf_nopiv : description<problem<T>> {
  static constexpr const char* name = "getrf_nopiv";
  static constexpr std::string_view built_with = "getrf";
  static constexpr matrix_kind kind = matrix_kind::dominant;
  static constexpr bool is_square = false;
  static constexpr peer peers[] = {{.library = "cusolver", .how = "loop", .batch_max = longest_loop},
                                   {.library = "cublas", .is_square = true},
                                   {"magma"}};

  static double flops(const sizes& s) { return getrf<T>::flops(s); }
  static double bytes(const sizes& s) { return 2 * matrix_bytes<T>(s); }

  static double residual(const matrix_check<T>& one, const problem<T>& p) { return residual_of_lu(one, p); }
  static std::size_t work_bytes(const problem<T>& p) { return getrf_nopiv_work<T>(p.m, p.n, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>& A = x.A;
    return A.array ? getrf_nopiv_batched(A.m, A.n, A.array, A.lda, real_of<T>(0), nullptr, nullptr, x.info,
                                         A.count, q)
                   : getrf_nopiv_strided_batched(A.m, A.n, A.slab, A.lda, A.stride, real_of<T>(0), nullptr,
                                                 nullptr, x.info, A.count, q);
  }
};

}  // namespace talus::measure
