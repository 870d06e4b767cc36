// What is told of a factorization, level by level.
#pragma once

#include <cstdint>

namespace multifrontal {

struct level_report {
  std::int64_t fronts = 0;   ///< of all systems
  int n_max = 0, k_max = 0;  ///< most rows, most pivots
  double flops = 0;
  double assembly_seconds = 0;  ///< extend-add
  double factor_seconds = 0;    ///< the partial factorization's call
};

}  // namespace multifrontal
