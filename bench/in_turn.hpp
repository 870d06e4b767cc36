// One problem: every way on the same matrices, in turn.
#pragma once

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure/plan.hpp"
#include "report.hpp"
#include "ways.hpp"

namespace talus::bench {

struct outcome {
  std::vector<row> rows;              // one per library that ran, talus first
  std::vector<std::string> warnings;  // wrong results and failures
  bool talus_is_right = true;
};

/// Called as the work goes on, with words to show.
using progress = std::function<void(const std::string&)>;

/// What is measured of one way on one problem.
template <class Problem>
struct contender {
  const way<Problem>* who = nullptr;
  bool wrong = false;
  std::vector<double> seconds = {};  // per run
};

template <class Problem>
struct timings {
  std::vector<contender<Problem>> contenders;  // those that could run, in the order given
  int runs = 0;                                // back to back
};

/// Every way on the same problem, in turn: the first run of each is checked by usual_check(way), the others
/// are timed. What went wrong is added to `result`.
template <class Problem, class Check>
timings<Problem> measure_in_turn(Problem& p, const std::vector<way<Problem>>& ways, int least_repeats,
                                 Check usual_check, outcome& result, const progress& show) {
  // The first run is checked; it may also load code, so the next ones tell how long a run takes: the shortest
  // of a few, lest a disturbed one passes for long enough.
  stopwatch watch(p.where);
  timings<Problem> all;
  double slowest = 0;
  const auto time = [&](const way<Problem>& who, int runs) {
    return seconds_per_run(
        p, watch, runs, [&](int copy) { who.run(p, copy); },
        [&](int copy) {
          if (who.prepare) who.prepare(p, copy);
        });
  };
  for (const way<Problem>& who : ways) {
    if (p.n > who.n_max) continue;
    const bool is_talus = who.name == "talus";
    const std::string name = joined({who.name, who.variant}, ", ");
    contender<Problem> c = {&who};
    try {
      show(name + ", checking");
      p.restore(0);
      if (who.prepare) who.prepare(p, 0);
      fill_bytes(p.where, p.info(), 0xff, static_cast<std::size_t>(p.batch) * sizeof(int));
      who.run(p, 0);
      const auto usual = [&] { return usual_check(who); };
      const std::string wrong = who.check ? who.check(p, usual) : usual();
      if (!wrong.empty()) {
        result.warnings.push_back(name + ": " + wrong);
        c.wrong = true;
        if (is_talus) result.talus_is_right = false;
      }
      double seconds = 1;
      for (int run = 0; run < 3 && seconds > shortest_seconds; ++run) {
        seconds = std::max(std::min(seconds, time(who, 1)), 1e-9);
        if (seconds > 0.1) break;
      }
      if (all.contenders.empty()) all.runs = runs_of(p, seconds);
      slowest = std::max(slowest, seconds);
      all.contenders.push_back(c);
    } catch (const std::exception& e) {
      result.warnings.push_back(name + " failed: " + e.what());
      if (is_talus) result.talus_is_right = false;
    }
  }

  // All run back to back as often as talus needs to, each run on a copy of its own: with the number of copies
  // changes how many come out of the cache. Every other time in the opposite order: who comes first must not
  // matter.
  const int repeats = wanted_repeats(least_repeats, all.runs * slowest);
  for (int repeat = 1; repeat <= repeats; ++repeat) {
    for (std::size_t i = 0; i < all.contenders.size(); ++i) {
      contender<Problem>& c = all.contenders[repeat % 2 != 0 ? i : all.contenders.size() - 1 - i];
      show(c.who->name + ", run " + std::to_string(repeat) + " of " + std::to_string(repeats));
      c.seconds.push_back(time(*c.who, all.runs));
    }
  }
  return all;
}

}  // namespace talus::bench
