#pragma once

#include "batched/cholesky/posv.hpp"
#include "measure/routines/potrs.hpp"

namespace talus::measure {

template <class T>
struct posv : description<problem<T>> {
  static constexpr const char* name = "posv";
  using tables = cuda::posv_tables;
  static constexpr bool has_B = true;
  static constexpr int measured_nrhs = 1;
  static constexpr peer peers[] = {{"cusolver", "potrf + potrs", true, 1}, {"magma"}, {"openblas"}};

  static double flops(const sizes& s) { return potrf<T>::flops(s) + potrs<T>::flops(s); }
  static double bytes(const sizes& s) { return potrf<T>::bytes(s) + 2 * right_hand_side_bytes<T>(s); }

  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    return static_cast<double>(larger(residual_of_cholesky(one, p), one.of_solution(p)));
  }
  static std::size_t work_bytes(const problem<T>& p) { return posv_work<T>(p.n, p.nrhs, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>&A = x.A, &B = x.B;
    return A.array ? posv_batched(x.uplo, A.n, B.n, A.array, A.lda, B.array, B.lda, x.info, A.count, q)
                   : posv_strided_batched(x.uplo, A.n, B.n, A.slab, A.lda, A.stride, B.slab, B.lda, B.stride,
                                          x.info, A.count, q);
  }

  static constexpr auto box(const sizes& s) { return cuda::upto(s.n, s.nrhs); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<batch<T>>& x, queue q) {
    return cuda::posv_at(line, x.uplo, x.A, x.B, x.info, q);
  }
  static int run_table(int table, const operands_of<batch<T>>& x, queue q) {
    return run_line(tables::template select<T>(table, cuda::upto(x.A.n, x.B.n), x.A.count), x, q);
  }
#endif
};

}  // namespace talus::measure
