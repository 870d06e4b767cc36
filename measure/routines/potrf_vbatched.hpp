#pragma once

#include "measure/routines/potrf.hpp"
#include "talus/vbatched.hpp"
#include "vbatched/cholesky/potrf.hpp"

namespace talus::measure {

template <class T>
struct potrf_vbatched : description<variable_problem<T>> {
  static constexpr const char* name = "potrf_vbatched";
  using of_one_size = potrf<T>;
  using tables = cuda::potrf_vbatched_tables;
  static constexpr peer peers[] = {{"magma"}, {"openblas"}};

  static double flops(const sizes& s) { return of_one_size::flops(s); }
  static double bytes(const sizes& s) { return of_one_size::bytes(s); }

  static double residual(const matrix_check<T>& one, const variable_problem<T>& p) {
    return residual_of_cholesky(one, p);
  }
  static std::size_t work_bytes(const variable_problem<T>& p) { return potrf_vbatched_work<T>(p.n, p.batch); }
  static int run(const operands_of<variable_batch<T>>& x, queue q) {
    return talus::potrf_vbatched(x.uplo, x.A.n, x.A.array, x.A.lda, x.info, x.A.count, x.n_max, q);
  }

  static constexpr auto box(const sizes& s) { return cuda::upto(s.n); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::potrf_vbatched_at(line, x.uplo, x.A, x.info, x.n_max, q);
  }
  static int run_lines(const cuda::class_lines& by, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::potrf_vbatched_by(by, x.uplo, x.A, x.info, x.n_max, q);
  }
  static int run_table(int table, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::potrf_vbatched_with(table, x.uplo, x.A, x.info, x.n_max, q);
  }
#endif
};

}  // namespace talus::measure
