// Descriptions of trsm and gemm of mixed sizes: enough to price the lines of their tables.
#pragma once

#include "batched/blas/backends.hpp"
#include "measure/parts.hpp"
#include "measure/routines/trsm.hpp"
#include "talus/vbatched.hpp"
#include "vbatched/blas/gemm.hpp"
#include "vbatched/blas/trsm.hpp"

namespace talus::measure::priced {

struct parts_of_trsm {
  static constexpr matrix_kind kinds[] = {matrix_kind::dominant, matrix_kind::general};  // A, B
  static sizes sizes_of(std::size_t i, const sizes& s) {
    return i == 0 ? sizes{s.n, s.n, s.n, 0} : sizes{s.n, s.nrhs, 0, 0};
  }
};

template <class T>
struct trsm_vbatched : description<problem_of_parts<T, true, parts_of_trsm>> {
  static constexpr const char* name = "trsm_vbatched";
  static constexpr bool has_B = true;
  static constexpr int measured_nrhs = 1;
  static constexpr growth priced[] = {{}, {.nrhs = 8}, {.nrhs = 32}, {.nrhs_is_n = true}};
  using operands = parts_of<variable_batch<T>, 2>;
  using tables = cuda::trsm_vbatched_tables;

  static double flops(const sizes& s) { return trsm<T>::flops(s); }
  static double bytes(const sizes& s) { return trsm<T>::bytes(s); }
  template <class Problem>
  static std::size_t work_bytes(const Problem& p) {
    return talus::trsm_vbatched_work<T>(p.n, p.largest.nrhs, p.batch);
  }
  static constexpr auto box(const sizes& s) { return cuda::upto(s.n, s.nrhs); }
#ifdef TALUS_WITH_CUDA
  static int run_lines(const cuda::class_lines& by, const operands& x, queue q) {
    const triangular_system<T> of = {side::left, uplo::lower, op::none, diag::non_unit, T(1)};
    return cuda::trsm_vbatched_by(by, of, read_only(x.part[0]), x.part[1], x.info, x.largest.n,
                                  x.largest.nrhs, q);
  }
#endif
};

struct parts_of_gemm {
  static constexpr matrix_kind kinds[] = {matrix_kind::general, matrix_kind::general,
                                          matrix_kind::general};  // C, A, B
  static sizes sizes_of(std::size_t i, const sizes& s) {
    return i == 0 ? sizes{s.m, s.n, 0, 0} : i == 1 ? sizes{s.m, s.k, 0, 0} : sizes{s.k, s.n, 0, 0};
  }
};

template <class T>
struct gemm_vbatched : description<problem_of_parts<T, true, parts_of_gemm>> {
  static constexpr const char* name = "gemm_vbatched";
  static constexpr growth priced[] = {{}, {.k_max = 32}};
  using operands = parts_of<variable_batch<T>, 3>;
  using tables = cuda::gemm_vbatched_tables;

  static double flops(const sizes& s) { return 2 * flops_per_operation<T> * s.m * s.n * s.k; }
  static double bytes(const sizes& s) {
    return static_cast<double>(sizeof(T)) * (2.0 * s.m * s.n + 1.0 * s.k * (s.m + s.n));
  }
  template <class Problem>
  static std::size_t work_bytes(const Problem& p) {
    return talus::gemm_vbatched_work<T>(p.m, p.n, p.largest.k, p.batch);
  }
  static constexpr auto box(const sizes& s) { return cuda::upto(s.m, s.n, s.k); }
#ifdef TALUS_WITH_CUDA
  static int run_lines(const cuda::class_lines& by, const operands& x, queue q) {
    const product_of<T> of = {op::none, op::none, T(1), T(1)};
    return cuda::gemm_vbatched_by(by, of, read_only(x.part[1]), read_only(x.part[2]), x.part[0], x.k, x.info,
                                  x.largest.m, x.largest.n, x.largest.k, q);
  }
#endif
};

}  // namespace talus::measure::priced
