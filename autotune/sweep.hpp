// The measurements: which points, in which order, and each candidate against the generic table's kernel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "choose.hpp"
#include "results.hpp"
#include "space.hpp"
#include "table.hpp"

namespace talus::tune {

struct sweep_plan {
  const routine* of = nullptr;
  std::string precisions = "d";
  std::vector<std::string> regimes = {"fill", "b3000"};
  std::vector<int> sizes;
  cuda::gpu_limits limits = cuda::generic_limits;
  double budget_seconds = 0;  // 0: none
};

/// The sizes that are tuned unless others are asked for: every one up to 32, then closer than any kernel's
/// borders.
std::vector<int> tuning_sizes();

/// From coarse to fine: whenever the budget ends, what was measured is spread over all sizes.
std::vector<int> coarse_to_fine(const std::vector<int>& sizes);

/// Candidates at one point that are worth measuring, most promising first: those that lose a quarter and more
/// at the nearest sizes measured before, below and above, are left out, and so are those whose traffic alone
/// takes longer than the reference.
struct worth_measuring {
  std::vector<kernel> kernels;
  int by_neighbours = 0, by_roofline = 0;  // left out
};
worth_measuring prune(const routine& of, const cuda::gpu_limits& limits, const kernel& reference,
                      char precision, int n, const std::string& regime,
                      const std::vector<measurement>& before, double floor_over_reference);

struct sweep_result {
  int points = 0, of_points = 0;
  bool interrupted = false, out_of_budget = false;
  std::vector<std::string> troubles;  // failed and wrong candidates
};

/// Runs the plan on the current GPU. What `known` holds is not measured again; `add` gets each new
/// measurement as it is made; `stop` is asked between candidates. Throws std::runtime_error where the
/// reference itself fails, or this build lacks a candidate.
sweep_result sweep(const sweep_plan& plan, const table& generic, const std::vector<measurement>& known,
                   double bandwidth, const std::function<void(const measurement&)>& add,
                   const std::function<void(const std::string&)>& show,
                   const std::function<void(const std::string&)>& say, const std::function<bool()>& stop);

}  // namespace talus::tune
