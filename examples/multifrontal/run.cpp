#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/progress.hpp"
#include "sparse/right_hand_side.hpp"

namespace multifrontal {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

class whole_run {
 public:
  whole_run(const sparse::problem& what, const analysis& all, const run_settings& how, talus::queue q)
      : what_(what),
        how_(how),
        q_(q),
        solver_(what.A, all, how.systems, how.nrhs, q),
        b_(sparse::right_hand_sides(what.A.n, 0, how.systems, how.nrhs)) {
    for (const level_plan& level : all.where.levels)
      result_.levels.push_back({static_cast<std::int64_t>(level.fronts) * how.systems, level.n_max,
                                level.k_max, level.flops * how.systems, 0, 0});
  }

  run_outcome operator()() {
    const std::optional<failure> failed = factor();
    if (!failed) solve();
    return {failed, result_};
  }

 private:
  /// The values of systems first, first + 1, ...
  void send_values(std::int64_t first) {
    example::progress sent("values of systems", how_.systems);
    values_.resize(at(how_.systems));
#pragma omp parallel for schedule(dynamic)
    for (int s = 0; s < how_.systems; ++s) {
      values_[at(s)] = what_.values(first + s);
      sent.advance();
    }
    for (int s = 0; s < how_.systems; ++s) solver_.send_values(s, values_[at(s)]);
  }

  /// Seconds of the best of some replays; before(i) is called ahead of number i.
  template <class Before>
  double best_of(const example::recorded_work& work, example::timeline& ends, Before before) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < how_.repeats; ++i) {
      before(i);
      ends.restart();
      ends.mark();
      work.replay();
      ends.mark();
      example::wait(q_);
      best = std::min(best, ends.seconds(0, 1));
    }
    return best;
  }

  std::optional<failure> factor() {
    const example::notice running("factoring");
    example::timeline ends(q_), marks(q_);
    const example::recorded_work work(q_, [this] { solver_.factor(); });
    // The last time with the values that are solved with.
    result_.factor_seconds = best_of(work, ends, [this](int i) {
      send_values(static_cast<std::int64_t>(how_.repeats - 1 - i) * how_.systems);
    });
    const std::optional<failure> failed = solver_.first_failure();
    if (failed) return failed;

    const example::recorded_work in_parts(q_, [&] {
      marks.restart();
      solver_.factor(&marks);
    });
    in_parts.replay();
    example::wait(q_);
    result_.entries_seconds = marks.seconds(0, 1);
    for (std::size_t l = 0; l < solver_.levels(); ++l) {
      result_.levels[l].assembly_seconds = marks.seconds(2 * l + 1, 2 * l + 2);
      result_.levels[l].factor_seconds = marks.seconds(2 * l + 2, 2 * l + 3);
    }
    return failed;
  }

  void solve() {
    const example::notice running("solving");
    solver_.send(solver::vector::b, b_);
    example::timeline ends(q_);
    const example::recorded_work work(q_, [this] { solver_.solve(); });
    result_.solve_seconds = best_of(work, ends, [](int) {});
    result_.first_error = result_.last_error = worst_error();
    while (!(result_.last_error <= how_.error_bound) && result_.refinements < how_.refinements_max) {
      solver_.find_residual();
      solver_.correct();
      ++result_.refinements;
      const double before = result_.last_error;
      result_.last_error = worst_error();
      if (!(result_.last_error < before / 2)) break;  // it does not get better
    }
  }

  double worst_error() const {
    return sparse::worst_backward_error(what_.A, values_, solver_.fetch(solver::vector::x), b_);
  }

  const sparse::problem& what_;
  const run_settings& how_;
  talus::queue q_;
  solver solver_;
  std::vector<double> b_;
  std::vector<std::vector<double>> values_;
  run_result result_;
};

}  // namespace

run_outcome run_all(const sparse::problem& what, const analysis& all, const run_settings& how,
                    talus::queue q) {
  return whole_run(what, all, how, q)();
}

}  // namespace multifrontal
