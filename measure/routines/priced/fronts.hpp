// Descriptions of eliminations of fronts: enough to price the lines of their tables.
#pragma once

#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/potrf_partial.hpp"
#include "batched/lu/backends.hpp"
#include "measure/parts.hpp"
#include "measure/routines/getrf_partial_vbatched.hpp"
#include "measure/routines/potrf_partial_vbatched.hpp"
#include "vbatched/cholesky/potrf_partial.hpp"
#include "vbatched/lu/getrf_partial_split.hpp"

namespace talus::measure::priced {

struct one_front {
  static constexpr matrix_kind kinds[] = {matrix_kind::positive_definite};
  static sizes sizes_of(std::size_t, const sizes& s) { return {s.n, s.n, s.n, 0}; }
};

template <class T>
struct potrf_partial : description<problem_of_parts<T, false, one_front>> {
  static constexpr const char* name = "potrf_partial";
  static constexpr bool has_k = true;
  static constexpr growth priced[] = {{}, {.k_max = 32}};
  using operands = parts_of<batch<T>, 1>;
  using tables = cuda::potrf_partial_tables;

  static double flops(const sizes& s) { return potrf_partial_vbatched<T>::flops(s); }
  static double bytes(const sizes& s) { return potrf_partial_vbatched<T>::bytes(s); }
  static constexpr auto box(const sizes& s) { return cuda::upto(s.n, s.k); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands& x, queue q) {
    return cuda::potrf_partial(uplo::lower, x.part[0], x.largest.k, x.info, q, line);
  }
#endif
};

/// measure::potrf_partial_vbatched with its tables.
template <class T>
struct potrf_partial_vbatched : measure::potrf_partial_vbatched<T> {
  static constexpr growth priced[] = {{}, {.k_max = 32}};
  using tables = cuda::potrf_partial_vbatched_tables;
  static constexpr auto box(const sizes& s) { return cuda::upto(s.n, s.k); }
#ifdef TALUS_WITH_CUDA
  static int run_lines(const cuda::class_lines& by, const operands_of<variable_batch<T>>& x, queue q) {
    return cuda::potrf_partial_vbatched_by(by, x.uplo, x.A, x.k, x.info, x.n_max, x.k_max, q);
  }
#endif
};

struct four_blocks {
  static constexpr matrix_kind kinds[] = {matrix_kind::dominant, matrix_kind::general, matrix_kind::general,
                                          matrix_kind::general};  // A11, A12, A21, A22
  static sizes sizes_of(std::size_t i, const sizes& s) {
    return {i < 2 ? s.k : s.m - s.k, i % 2 == 0 ? s.k : s.n - s.k, 0, 0};
  }
};

/// Fronts of one size. Their kernels also serve mixed sizes.
template <class T>
struct getrf_partial_split : description<problem_of_parts<T, false, four_blocks>> {
  static constexpr const char* name = "getrf_partial_split";
  static constexpr matrix_kind kind = matrix_kind::general;
  static constexpr bool is_square = false, has_ipiv = true, has_k = true;
  static constexpr growth priced[] = {{}, {.k_max = 16}, {.k_max = 32}, {.k_max = 64}};
  using operands = parts_of<batch<T>, 4>;
  using tables = cuda::getrf_partial_split_tables;

  static double flops(const sizes& s) { return getrf_partial_vbatched<T>::flops(s); }
  static double bytes(const sizes& s) { return getrf_partial_vbatched<T>::bytes(s); }
  static constexpr auto box(const sizes& s) { return cuda::upto(s.m, s.n, s.k); }
#ifdef TALUS_WITH_CUDA
  static int run_line(int line, const operands& x, queue q) {
    eliminations<real_of<T>> each;
    each.ipiv = x.ipiv;
    return cuda::getrf_partial_split(pivoting::partial, form::lapack, schur::subtract,
                                     lu_fronts<batch<T>>{x.part[0], x.part[1], x.part[2], x.part[3]}, each,
                                     x.info, q, line);
  }
#endif
};

}  // namespace talus::measure::priced
