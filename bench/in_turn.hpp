// One problem: every way on the same matrices, in turn.
#pragma once

#include <algorithm>
#include <cmath>
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
  double probed = 0;            // seconds that a run takes, about
  std::vector<double> seconds;  // per run
};

template <class Problem>
struct timings {
  std::vector<contender<Problem>> contenders;  // those that could run, in the order given
  int runs = 0;                                // back to back
};

/// Every way on the same problem, in turn: the first run of each is checked by usual_check(way), the others
/// are timed. What went wrong is added to `result`.
template <class Problem, class Check>
timings<Problem> measure_in_turn(Problem& p, const std::vector<way<Problem>>& ways, int n, int least_repeats,
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
    if (n < who.n_min || n > who.n_max) continue;
    const bool is_talus = who.name == "talus";
    const std::string name = joined({who.name, who.variant}, ", ");
    contender<Problem> c;
    c.who = &who;
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
      c.probed = seconds;
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
  all.runs = all.contenders.empty() ? 0 : runs_of(p, all.contenders.front().probed);
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

/// What all ways on a problem have in common.
struct work_done {
  double bytes = 0, flops = 0;  // of the whole batch
};

/// Times, rate and share of the roofline; who, where and how many is for the caller to fill in.
template <class T>
row timed_row(const std::string& library, bool is_copy, const std::vector<double>& seconds,
              const work_done& work, const machine& limits) {
  const statistics time = statistics_of(seconds);
  row r;
  r.library = library;
  r.median_ms = time.median * 1e3;
  r.min_ms = time.min * 1e3;
  r.max_ms = time.max * 1e3;
  r.gflops = is_copy ? 0 : work.flops / time.median * 1e-9;
  r.roofline_fraction = limits.floor_seconds<T>(work.bytes, is_copy ? 0 : work.flops) / time.median;
  return r;
}

/// Of several rows under one name the fastest stays.
inline void keep_fastest(std::vector<row>& rows, const row& r) {
  const auto same_name =
      std::find_if(rows.begin(), rows.end(), [&](const row& other) { return other.library == r.library; });
  if (same_name == rows.end()) {
    rows.push_back(r);
  } else if (r.median_ms < same_name->median_ms) {
    *same_name = r;
  }
}

/// Whether the runs' matrices together are no more than twice the last cache.
template <class Problem>
bool is_cached(const Problem& p, int runs) {
  return static_cast<double>(p.slab_bytes()) * runs < 2.0 * static_cast<double>(last_level_cache(p.where));
}

}  // namespace talus::bench
