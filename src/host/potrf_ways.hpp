// The host's two ways to factor a batch, and up to which n the first is taken:
// autotune/tables/host/potrf.inc.
#pragma once

#include <cstdint>
#include <string_view>

#include "batch.hpp"
#include "host/lanes.hpp"
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

/// Whether `count` matrices of order n are factored in lanes. A group of matrices takes one thread the same
/// time however few of its lanes have one, so one group alone is slower than its matrices on several threads
/// from about n = 128 on, and up to 8 times slower with one matrix in it. The number of threads itself must
/// not decide: the same call gives the same bits on any number.
template <class T>
bool potrf_pays_in_lanes(const lane_functions<T>& lanes, int n, std::int64_t count) {
  return n <= lanes.potrf_n_max && (n <= 32 || count > lanes.width);
}

/// Factors by the given way, whichever n it was meant for. For the tuner.
template <class T>
int potrf_at(potrf_way way, uplo, batch<T> A, int* info);

}  // namespace talus::host
