// The host's two ways through a batch, and which one each routine goes. Up to which n potrf takes the first:
// autotune/tables/host/potrf.inc.
#pragma once

#include <cstdint>
#include <string_view>

#include "batch.hpp"
#include "host/cholesky/kernels.hpp"
#include "talus/types.hpp"

namespace talus::host {

enum class potrf_way {
  lanes,      // one matrix per SIMD lane, a group of them at a time
  one_by_one  // one matrix per thread at a time, with OpenBLAS for the products
};

/// Up to n_max a batch is factored in lanes by this instruction set.
struct lanes_line {
  char precision;
  std::string_view isa;
  int n_max;
};

inline constexpr lanes_line lanes_table[] = {
#define TALUS_LANES(precision, isa, n_max) {#precision[0], #isa, n_max},
#include "host_potrf.inc"  // written by CMake: includes the table
#undef TALUS_LANES
};

/// Where the table does not know an instruction set, lanes serve what they do everywhere.
constexpr int lanes_n_max(char precision, std::string_view isa) {
  for (const lanes_line& line : lanes_table) {
    if (line.precision == precision && line.isa == isa) return line.n_max;
  }
  return 64;
}

template <class T>
lanes_range potrf_range(const cholesky_kernels<T>& kernels) {
  return {kernels.potrf_n_max, 32, kernels.width};
}

/// Of potrs and posv, whatever the number of right-hand sides.
template <class T>
lanes_range solve_range(const cholesky_kernels<T>& kernels) {
  return {kernels.n_max, 32, kernels.width};
}

/// OpenBLAS's xPOTRI takes longest against lanes: a quarter of a group is already faster there on one thread.
template <class T>
lanes_range potri_range(const cholesky_kernels<T>& kernels) {
  return {kernels.n_max, 48, (kernels.width + 3) / 4};
}

/// Factors by the given way, whichever n it was meant for. For the tuner.
template <class T>
int potrf_at(potrf_way way, uplo, batch<T> A, int* info);

}  // namespace talus::host
