// Which kernel multiplies which matrices of a batch of mixed sizes on which GPU: gemm_vbatched's tables.
// Compiles without nvcc.
#pragma once

#include <variant>

#include "batched/blas/backends.hpp"
#include "batched/blas/families/products.hpp"
#include "gpu/table.hpp"
#include "vbatched/schedule.hpp"

namespace talus::cuda {
namespace blas {

struct gemm_vbatched_routine {
  static constexpr const char* name = "gemm_vbatched";
  static constexpr int extents = 3;
  static constexpr const char* extent_names[] = {"m", "n", "k"};
  static constexpr int forms[] = {0};
  using kernel = std::variant<small_products, products>;

  template <class Family>
  static constexpr const char* objection(const mixed_line<gemm_vbatched_routine>& line, const Family& family,
                                         const element& e, const gpu_limits& limits) {
    if (goes_by_steps(line.schedule)) return "no product goes step by step";
    if (line.schedule == schedule::filtered)
      return "no kernel of products leaves out matrices of other classes";
    return family.objection(line.bounds[0], line.bounds[1], line.bounds[2], e, limits);
  }
};

inline constexpr table_entry<mixed_line<gemm_vbatched_routine>> gemm_vbatched_entries[] = {
#include "gemm_vbatched_tables.inc"  // written by CMake, as trsm_tables.inc
};

}  // namespace blas

using gemm_vbatched_tables = tables<blas::gemm_vbatched_routine, blas::gemm_vbatched_entries>;

#ifdef TALUS_WITH_CUDA
/// Multiplies by the given lines. m, n and k lie within the bounds of the last line. For the tuner.
template <class T>
int gemm_vbatched_by(const class_lines&, product_of<T>, variable_batch<const T> A, variable_batch<const T> B,
                     variable_batch<T> C, const int* k, int* info, int m_max, int n_max, int k_max, queue q);
#endif

}  // namespace talus::cuda
