#pragma once

#include "batched/cholesky/potrf.hpp"
#include "measure/routines/description.hpp"

namespace talus::measure {

template <class T>
struct potrf {
  static constexpr const char* name = "potrf";
  using problem = measure::problem<T>;
  using operands = operands_of<batch<T>>;
  using starts_from = void;
  using check = factor_check<T>;
  using tables = cuda::potrf_tables;
  static constexpr bool mixed_sizes = problem::mixed_sizes, writes_A = true, has_B = false;
  static constexpr int measured_nrhs = 0;
  static constexpr peer peers[] = {{"cusolver"}, {"magma"}, {"openblas"}};

  static double flops(const sizes& s) {
    const double n = s.n;
    return flops_per_operation<T> * (n * n * n / 3 + n * n / 2 + n / 6);
  }
  static double bytes(const sizes& s) { return 2 * least_triangle_bytes<T>(s.n); }

  static std::size_t work_bytes(const problem& p) { return potrf_work<T>(p.n, p.batch); }
  static int run(const operands& x, queue q) {
    const batch<T>& A = x.A;
    return A.array ? potrf_batched(x.uplo, A.n, A.array, A.lda, x.info, A.count, q)
                   : potrf_strided_batched(x.uplo, A.n, A.slab, A.lda, A.stride, x.info, A.count, q);
  }

  static constexpr auto box(const sizes& s) { return cuda::upto(s.n); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands& x, queue q) {
    return cuda::potrf_at(line, x.uplo, x.A, x.info, q);
  }
  static int run_table(int table, const operands& x, queue q) {
    return run_line(tables::template select<T>(table, cuda::upto(x.A.n), x.A.count), x, q);
  }
#endif
};

}  // namespace talus::measure
