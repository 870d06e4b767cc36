// One size of one routine: every library on the same matrices, in turn.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "peers.hpp"
#include "plan.hpp"
#include "report.hpp"
#include "routines.hpp"
#include "verify.hpp"

namespace talus::bench {

struct settings {
  std::string routine = "potrf";
  talus::uplo uplo = talus::uplo::lower;
  backend where = backend::host;
  regime how_many = {"fill", 0};
  fill filling = {};
  int nrhs = 1;
  int repeats = 5;
  int table = 0, line = -1;  // of potrf on cuda: which table; which of its lines, -1: the one that serves n
  bool forces_line = false;  // table or line were asked for
  int figure = 0;            // of the paper; 0: none
};

struct outcome {
  std::vector<row> rows;              // one per library that ran, talus first
  std::vector<std::string> warnings;  // wrong results and failures
  bool talus_is_right = true;
};

/// Called as the work goes on, with words to show.
using progress = std::function<void(const std::string&)>;

namespace detail {

template <class T>
struct contender {
  const library<T>* who = nullptr;
  bool wrong = false;
  double probed = 0;            // seconds that a run takes, about
  std::vector<double> seconds;  // per run
};

}  // namespace detail

/// Factors the whole batch, so that the problem holds what potrf left. Returns a complaint, or nothing.
template <class T>
std::string factor_in_place(problem<T>& p) {
  p.restore(0);
  const queue q = p.where == backend::cuda ? queue::cuda() : queue::host();
  const int status = find_routine<T>("potrf")->run(p, 0, q);
  if (status != 0) return strerror(status);
  const std::string wrong = complaint(p, "potrf", true, false);
  p.keep_A();
  return wrong;
}

/// `libraries` hold talus first. `machine` gives the roofline.
template <class T>
outcome measure(const settings& s, int n, const std::string& precision,
                const std::vector<library<T>>& libraries, const machine& limits,
                const std::function<std::string(int n, std::int64_t batch)>& table_line,
                const progress& show) {
  using namespace detail;
  outcome result;
  const routine<T>& work = *find_routine<T>(s.routine);
  const int nrhs = work.has_B ? s.nrhs : 0;
  const std::int64_t wanted = s.how_many.batch_count > 0
                                  ? s.how_many.batch_count
                                  : s.filling.batch_count(static_cast<double>(sizeof(T)) * n * (n + nrhs));
  show("allocating");
  const std::unique_ptr<problem<T>> p = allocate_problem<T>(s.uplo, s.where, n, nrhs, wanted);
  if (work.takes_factor) {
    const std::string wrong = factor_in_place(*p);
    if (!wrong.empty()) {
      result.warnings.push_back("talus potrf, from which " + s.routine + " starts: " + wrong);
      result.talus_is_right = false;
    }
  }

  // The first run is checked; it may also load code, so the next ones tell how long a run takes: the shortest
  // of a few, lest a disturbed one passes for long enough.
  stopwatch watch(s.where);
  std::vector<contender<T>> contenders;
  double slowest = 0;
  for (const library<T>& who : libraries) {
    if (n < who.n_min || n > who.n_max) continue;
    const bool is_talus = who.name == "talus";
    const std::string name = joined({who.name, who.variant}, ", ");
    contender<T> c;
    c.who = &who;
    try {
      show(name + ", checking");
      p->restore(0);
      fill_bytes(s.where, p->info(), 0xff, static_cast<std::size_t>(p->batch) * sizeof(int));
      who.run(*p, 0);
      const std::string wrong = complaint(*p, s.routine, who.writes_info, who.name == "copy");
      if (!wrong.empty()) {
        result.warnings.push_back(name + ": " + wrong);
        c.wrong = true;
        if (is_talus) result.talus_is_right = false;
      }
      double seconds = 1;
      for (int run = 0; run < 3 && seconds > shortest_seconds; ++run) {
        const double one = seconds_per_run(*p, watch, 1, [&](int copy) { who.run(*p, copy); });
        seconds = std::max(std::min(seconds, one), 1e-9);
        if (seconds > 0.1) break;
      }
      c.probed = seconds;
      slowest = std::max(slowest, seconds);
      contenders.push_back(c);
    } catch (const std::exception& e) {
      result.warnings.push_back(name + " failed: " + e.what());
      if (is_talus) result.talus_is_right = false;
    }
  }

  // All run back to back as often as talus needs to, each run on a copy of its own: with the number of copies
  // changes how many come out of the cache. Every other time in the opposite order: who comes first must not
  // matter.
  const int runs = contenders.empty() ? 0 : runs_of(*p, contenders.front().probed);
  const int repeats = wanted_repeats(s.repeats, runs * slowest);
  for (int repeat = 1; repeat <= repeats; ++repeat) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      contender<T>& c = contenders[repeat % 2 != 0 ? i : contenders.size() - 1 - i];
      show(c.who->name + ", run " + std::to_string(repeat) + " of " + std::to_string(repeats));
      c.seconds.push_back(seconds_per_run(*p, watch, runs, [&](int copy) { c.who->run(*p, copy); }));
    }
  }

  const std::string shortage = wanted > p->batch ? "memory for " + std::to_string(p->batch) + " of " +
                                                       std::to_string(wanted) + " matrices"
                                                 : "";
  const double batch = static_cast<double>(p->batch);
  const double bytes = least_bytes<T>(n, work.writes_A, nrhs) * batch;
  const double flops = work.flops(n, nrhs) * batch;
  for (const contender<T>& c : contenders) {
    const bool is_copy = c.who->name == "copy";
    const statistics time = statistics_of(c.seconds);
    const bool cached =
        static_cast<double>(p->slab_bytes()) * runs < 2.0 * static_cast<double>(last_level_cache(s.where));
    row r;
    r.library = c.who->name;
    r.routine = s.routine;
    r.precision = precision;
    r.regime = s.how_many.name;
    r.m = r.n = n;
    r.batch = p->batch;
    r.median_ms = time.median * 1e3;
    r.min_ms = time.min * 1e3;
    r.max_ms = time.max * 1e3;
    r.gflops = is_copy ? 0 : flops / time.median * 1e-9;
    r.roofline_fraction = limits.floor_seconds<T>(bytes, is_copy ? 0 : flops) / time.median;
    r.note = joined({c.wrong ? wrong_result : "",
                     c.who->name == "talus" ? table_line(n, p->batch) : c.who->variant,
                     s.uplo == talus::uplo::upper ? "upper" : "",
                     work.has_B ? "nrhs=" + std::to_string(nrhs) : "", shortage, cached ? "in cache" : ""});
    const auto same_name = std::find_if(result.rows.begin(), result.rows.end(),
                                        [&](const row& other) { return other.library == r.library; });
    if (same_name == result.rows.end()) {
      result.rows.push_back(r);
    } else if (r.median_ms < same_name->median_ms) {
      *same_name = r;
    }
  }
  if (!shortage.empty()) result.warnings.push_back(shortage);
  return result;
}

}  // namespace talus::bench
