#pragma once

#include "batched/lu/gesv.hpp"
#include "measure/routines/getrs.hpp"

namespace talus::measure {

template <class T>
struct gesv : description<problem<T>> {
  static constexpr const char* name = "gesv";
  static constexpr matrix_kind kind = getrf<T>::kind;
  static constexpr bool has_B = true, has_ipiv = true;
  static constexpr int measured_nrhs = 1, most_nrhs = 16;
  static constexpr growth priced[] = {{}, {.nrhs = 8}, {.nrhs_is_n = true}};
  static constexpr peer peers[] = {
      {.library = "cusolver", .how = "getrf + getrs, loop", .batch_max = longest_loop},
      {"cublas", "getrfBatched + getrsBatched"},
      {"magma"},
      {"openblas"}};

  static double flops(const sizes& s) { return getrf<T>::flops(s) + getrs<T>::flops(s); }
  static double bytes(const sizes& s) { return getrf<T>::bytes(s) + 2 * right_hand_side_bytes<T>(s); }

  static double residual(const matrix_check<T>& one, const problem<T>& p) {
    return static_cast<double>(larger(residual_of_lu(one, p), one.of_solution(p)));
  }
  static std::size_t work_bytes(const problem<T>& p) { return gesv_work<T>(p.n, p.nrhs, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>&A = x.A, &B = x.B;
    return A.array ? gesv_batched(A.n, B.n, A.array, A.lda, x.ipiv.array, B.array, B.lda, x.info, A.count, q)
                   : gesv_strided_batched(A.n, B.n, A.slab, A.lda, A.stride, x.ipiv.slab, x.ipiv.stride,
                                          B.slab, B.lda, B.stride, x.info, A.count, q);
  }

  using tables = cuda::gesv_tables;
  static constexpr auto box(const sizes& s) { return cuda::upto(s.n, s.nrhs); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<batch<T>>& x, queue q) {
    return cuda::gesv_at(line, x.A, x.ipiv, x.B, x.info, q);
  }
  static int run_table(int table, const operands_of<batch<T>>& x, queue q) {
    return run_line(tables::template select<T>(table, cuda::upto(x.A.n, x.B.n), x.A.count), x, q);
  }
#endif
};

}  // namespace talus::measure
