// The measurements: which points, in which order, and each candidate against the generic table's kernel.
// Where they are made is for `point_maker` to say, so that the order of things can be tested without a GPU.
#pragma once

#include <functional>
#include <memory>
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

/// The sizes that are tuned unless others are asked for: every one up to 48, then closer than any kernel's
/// borders.
std::vector<int> tuning_sizes();

/// From coarse to fine: whenever the budget ends, what was measured is spread over all sizes.
std::vector<int> coarse_to_fine(const std::vector<int>& sizes);

/// Candidates at one point that are worth measuring, most promising first: those that lose more than half at
/// the nearest sizes measured before, below and above, are left out.
std::vector<kernel> worth_measuring(const routine& of, const cuda::gpu_limits& limits,
                                    const kernel& reference, char precision, int n, const std::string& regime,
                                    const std::vector<measurement>& before);

/// The matrices of one point, ready to be factored by any kernel.
class measuring_point {
 public:
  virtual ~measuring_point() = default;

  /// Matrices there are: fewer than asked for where memory is short.
  virtual std::int64_t batch() const = 0;

  /// How a kernel fails or what is wrong with its result; nothing if it is right. The run that tells loads
  /// its code.
  struct verdict {
    outcome result = outcome::ok;
    std::string why;
  };
  virtual verdict check(const kernel& k) = 0;

  /// Seconds of one run, to see whether more are worth it.
  virtual double probe(const kernel& k) = 0;

  /// Times a kernel in turn with the reference: m's four times.
  virtual void measure(const kernel& k, const kernel& reference, measurement& m) = 0;
};

/// A point with its kernels named one by one.
struct named_point {
  char precision = 0;
  int n = 0;
  std::string regime;
  std::int64_t batch = 0;
  kernel reference;
  std::vector<kernel> others;  // without the reference
  shape of = {};
};

/// Makes the matrices of a point.
using point_maker = std::function<std::unique_ptr<measuring_point>(const named_point&)>;

/// Matrices in a batch of a regime.
std::int64_t batch_count(char precision, int n, const std::string& regime);

struct sweep_result {
  int points = 0, of_points = 0;
  bool interrupted = false, out_of_budget = false;
  std::vector<std::string> troubles;  // failed and wrong candidates
};

/// What a sweep tells while it goes on.
struct listener {
  std::function<void(const measurement&)> add;   // each new measurement, as soon as it is made
  std::function<void(const std::string&)> show;  // what is being done
  std::function<void(const std::string&)> say;   // a point is done
  std::function<bool()> stop;                    // asked before each candidate
  std::function<double()> seconds = nullptr;     // since any start; the clock if empty
};

/// Measures the reference and then the other kernels of each point, in this order. Kernels that take over 1.5
/// times as long as the reference are recorded as slow. `known` is not measured again.
sweep_result measure_points(const routine& of, const std::vector<named_point>& points,
                            const std::vector<measurement>& known, const point_maker& make_point,
                            const listener& to);

/// Every candidate of a plan and the generic table's kernels: what the search build is built with. The last
/// line of each precision serves every n.
table candidates_of(const sweep_plan& plan, const table& generic);

/// Runs the plan. What `known` holds is not measured again. Throws std::runtime_error where the reference
/// itself fails; if that is because a candidate took the device with it, that candidate was recorded, and the
/// next run goes on behind it.
sweep_result sweep(const sweep_plan& plan, const table& generic, const std::vector<measurement>& known,
                   const point_maker& make_point, const listener& to);

}  // namespace talus::tune
