#pragma once

#include "batched/blas/backends.hpp"
#include "batched/blas/trsm.hpp"
#include "measure/routines/potrf.hpp"

namespace talus::measure {

/// The first of the two solves with a Cholesky factor: L X = B, or U^H X = B.
template <class T>
struct trsm : description<problem<T>> {
  static constexpr const char* name = "trsm";
  using starts_from = potrf<T>;
  static constexpr bool writes_A = false, has_B = true;
  static constexpr int measured_nrhs = 1;
  static constexpr growth priced[] = {{}, {.nrhs = 8}, {.nrhs_is_n = true}};
  static constexpr peer peers[] = {{"cublas", "trsmBatched", false}, {"openblas"}};

  static double flops(const sizes& s) { return flops_per_operation<T> * s.n * s.n * s.nrhs; }
  static double bytes(const sizes& s) {
    return least_triangle_bytes<T>(s.n) + 2 * right_hand_side_bytes<T>(s);
  }

  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    using number = typename matrix_check<T>::number;
    const std::vector<T> stored = p.download_A(one.matrix);
    return one.of_solution(p, [&](std::size_t i, std::size_t j) -> number {
      if (i < j) return 0;
      if (one.is_lower) return stored[i + j * one.n];
      return matrix_check<T>::conj(stored[j + i * one.n]);
    });
  }
  static std::size_t work_bytes(const problem<T>& p) {
    return trsm_work<T>(side::left, p.n, p.nrhs, p.batch);
  }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>&A = x.A, &B = x.B;
    const op op = x.uplo == uplo::lower ? op::none : op::conj_trans;
    return A.array ? trsm_batched<T>(side::left, x.uplo, op, diag::non_unit, A.n, B.n, T(1), A.array, A.lda,
                                     B.array, B.lda, x.info, A.count, q)
                   : trsm_strided_batched<T>(side::left, x.uplo, op, diag::non_unit, A.n, B.n, T(1), A.slab,
                                             A.lda, A.stride, B.slab, B.lda, B.stride, x.info, A.count, q);
  }

  using tables = cuda::trsm_tables;
  static constexpr auto box(const sizes& s) { return cuda::upto(s.n, s.nrhs); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<batch<T>>& x, queue q) {
    const op op = x.uplo == uplo::lower ? op::none : op::conj_trans;
    return cuda::trsm<T>({side::left, x.uplo, op, diag::non_unit, T(1)}, read_only(x.A), x.B, x.info, q,
                         line);
  }
  static int run_table(int table, const operands_of<batch<T>>& x, queue q) {
    return run_line(tables::template select<T>(table, cuda::upto(x.A.n, x.B.n), x.A.count), x, q);
  }
#endif
};

}  // namespace talus::measure
