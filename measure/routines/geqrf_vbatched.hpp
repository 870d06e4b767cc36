#pragma once

#include "measure/routines/geqrf.hpp"
#include "talus/vbatched.hpp"
#include "vbatched/qr/geqrf.hpp"

namespace talus::measure {

template <class T>
struct geqrf_vbatched : description<variable_problem<T>> {
  static constexpr const char* name = "geqrf_vbatched";
  using of_one_size = geqrf<T>;
  static constexpr matrix_kind kind = of_one_size::kind;
  static constexpr bool is_square = false, has_tau = true;
  static constexpr peer peers[] = {{"openblas"}};

  static double flops(const sizes& s) { return of_one_size::flops(s); }
  static double bytes(const sizes& s) { return of_one_size::bytes(s); }

  static double residual(const matrix_check<T>& one, const variable_problem<T>& p) {
    return residual_of_reflectors(one, p);
  }
  static std::size_t work_bytes(const variable_problem<T>& p) {
    return geqrf_vbatched_work<T>(p.m, p.n, p.batch);
  }
  static int run(const operands_of<variable_batch<T>>& x, queue q) {
    return talus::geqrf_vbatched(x.A.m, x.A.n, x.A.array, x.A.lda, x.tau.array, x.info, x.A.count, x.m_max,
                                 x.n_max, q);
  }

  using tables = cuda::geqrf_vbatched_tables;
  static constexpr auto box(const sizes& s) { return cuda::upto(s.m, s.n); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::geqrf_vbatched_at<T>(line, x.A, x.tau, x.info, x.m_max, x.n_max, q);
  }
  static int run_lines(const cuda::class_lines& by, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::geqrf_vbatched_by<T>(by, x.A, x.tau, x.info, x.m_max, x.n_max, q);
  }
  static int run_table(int table, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::geqrf_vbatched_with<T>(table, x.A, x.tau, x.info, x.m_max, x.n_max, q);
  }
#endif
};

}  // namespace talus::measure
