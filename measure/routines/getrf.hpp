#pragma once

#include <limits>
#include <utility>

#include "batched/lu/backends.hpp"
#include "batched/lu/getrf.hpp"
#include "measure/routines/description.hpp"

namespace talus::measure {

/// Of factors, k columns and rows of them: ||A x - P (L U x + [0; S x2])|| / (||A|| ||x||), S being the Schur
/// complement behind them and x2 as many elements as it has columns. Without pivots P is the identity; where
/// k is given, rows below the first k take no part in it.
template <class T, class Problem>
double residual_of_lu(const matrix_check<T>& one, const Problem& p) {
  using check = matrix_check<T>;
  const std::vector<T> LU = p.download_A(one.matrix);
  typename check::vector y(one.m);  // U x above S x2, then with L, then with P
  for (std::size_t j = 0; j < one.n; ++j) {
    const std::size_t rows = j < one.k ? j + 1 : one.m;
    for (std::size_t i = 0; i < rows; ++i) y[i] += check::product(LU[i + j * one.m], one.x()[j]);
  }
  for (std::size_t j = one.k; j-- > 0;) {
    for (std::size_t i = j + 1; i < one.m; ++i) y[i] += check::product(LU[i + j * one.m], y[j]);
  }
  const std::vector<int> ipiv = p.download_ipiv(one.matrix);
  const std::size_t rows = p.has_k ? one.k : one.m;  // among which P exchanges
  for (std::size_t j = ipiv.size(); j-- > 0;) {
    const std::size_t i = static_cast<std::size_t>(ipiv[j]) - 1;
    if (i < j || i >= rows) return std::numeric_limits<double>::infinity();
    std::swap(y[j], y[i]);
  }
  check::subtract(y, one.Ax());
  return one.in_n_eps(check::norm1(y) / (one.norm_A() * check::norm1(one.x())));
}

inline double ipiv_bytes(const sizes& s) { return static_cast<double>(sizeof(int)) * std::min(s.m, s.n); }

template <class T>
struct getrf : description<problem<T>> {
  static constexpr const char* name = "getrf";
  static constexpr matrix_kind kind = matrix_kind::general;
  static constexpr bool is_square = false, has_ipiv = true;
  static constexpr growth priced[] = {{}, {.m_times = 2}};
  static constexpr peer peers[] = {{.library = "cusolver", .how = "loop", .batch_max = longest_loop},
                                   {.library = "cublas", .is_square = true},
                                   {"magma"},
                                   {"openblas"}};

  static double flops(const sizes& s) {
    const double m = s.m, n = s.n, k = std::min(m, n);
    const double updates = k * (m * n - (m + n) * (k + 1) / 2 + (k + 1) * (2 * k + 1) / 6);
    return flops_per_operation<T> * (k + k * (m - (k + 1) / 2) + 2 * updates);  // reciprocals first
  }
  static double bytes(const sizes& s) { return 2 * matrix_bytes<T>(s) + ipiv_bytes(s); }

  static double residual(const matrix_check<T>& one, const problem<T>& p) { return residual_of_lu(one, p); }
  static std::size_t work_bytes(const problem<T>& p) { return getrf_work<T>(p.m, p.n, p.batch); }
  static int run(const operands_of<batch<T>>& x, queue q) {
    const batch<T>& A = x.A;
    return A.array ? getrf_batched(A.m, A.n, A.array, A.lda, x.ipiv.array, x.info, A.count, q)
                   : getrf_strided_batched(A.m, A.n, A.slab, A.lda, A.stride, x.ipiv.slab, x.ipiv.stride,
                                           x.info, A.count, q);
  }

  using tables = cuda::getrf_tables;
  static constexpr auto box(const sizes& s) { return cuda::upto(s.m, s.n); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands_of<batch<T>>& x, queue q) {
    return cuda::getrf_at(line, pivoting::partial, x.A, eliminations<real_of<T>>{x.ipiv}, x.info, q);
  }
  static int run_table(int table, const operands_of<batch<T>>& x, queue q) {
    return run_line(tables::template select<T>(table, cuda::upto(x.A.m, x.A.n), x.A.count), x, q);
  }
#endif
};

}  // namespace talus::measure
