// A whole run: factorization, solution, refinement, and what was measured of them.
#pragma once

#include <optional>
#include <vector>

#include "report.hpp"
#include "solver.hpp"
#include "sparse/problem.hpp"

namespace multifrontal {

struct run_settings {
  int systems = 1, nrhs = 1;
  int repeats = 3;  ///< of what is timed, the best counts
  int refinements_max = 5;
  double error_bound = 1e-14;
};

struct run_result {
  std::vector<level_report> levels;
  double entries_seconds = 0;  ///< factors cleared, A's entries written
  double factor_seconds = 0;   ///< first kernel to last
  double solve_seconds = 0;
  double first_error = 0, last_error = 0;  ///< the worst sparse::backward_error of all: solved, and refined
  int refinements = 0;
};

/// A failure, or the result.
struct run_outcome {
  std::optional<failure> failed;
  run_result result;
};

/// Factors and solves all systems. Each timed replay but the last factors other systems' values, so that
/// nothing that was recorded can depend on them.
run_outcome run_all(const sparse::problem& what, const analysis& all, const run_settings& how,
                    talus::queue q);

}  // namespace multifrontal
