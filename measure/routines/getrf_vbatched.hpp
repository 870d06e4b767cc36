#pragma once

#include "measure/routines/getrf.hpp"
#include "talus/vbatched.hpp"
#include "vbatched/lu/getrf.hpp"

namespace talus::measure {

template <class T>
struct getrf_vbatched : description<variable_problem<T>> {
  static constexpr const char* name = "getrf_vbatched";
  using of_one_size = getrf<T>;
  static constexpr matrix_kind kind = of_one_size::kind;
  static constexpr bool is_square = false, has_ipiv = true;
  static constexpr peer peers[] = {{"magma"}, {"openblas"}};

  static double flops(const sizes& s) { return of_one_size::flops(s); }
  static double bytes(const sizes& s) { return of_one_size::bytes(s); }

  static double residual(const matrix_check<T>& one, const variable_problem<T>& p) {
    return residual_of_lu(one, p);
  }
  static std::size_t work_bytes(const variable_problem<T>& p) {
    return getrf_vbatched_work<T>(p.m, p.n, p.batch);
  }
  static int run(const operands_of<variable_batch<T>>& x, queue q) {
    return talus::getrf_vbatched(x.A.m, x.A.n, x.A.array, x.A.lda, x.ipiv.array, x.info, x.A.count, x.m_max,
                                 x.n_max, q);
  }

  using tables = cuda::getrf_vbatched_tables;
  static constexpr auto box(const sizes& s) { return cuda::upto(s.m, s.n); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::getrf_vbatched_at(line, pivoting::partial, x.A, pivots(x), x.info, x.m_max, x.n_max, q);
  }
  static int run_lines(const cuda::class_lines& by, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::getrf_vbatched_by(by, pivoting::partial, x.A, pivots(x), x.info, x.m_max, x.n_max, q);
  }
  static int run_table(int table, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::getrf_vbatched_with(table, pivoting::partial, x.A, pivots(x), x.info, x.m_max, x.n_max, q);
  }

 private:
  static eliminations<real_of<T>> pivots(const operands_of<variable_batch<T>>& x) { return {x.ipiv}; }
#endif
};

}  // namespace talus::measure
