// talus-tune for equal sizes, and for the host: measures, and writes the table.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"
#include "host.hpp"
#include "measure/plan.hpp"
#include "measure/program.hpp"
#include "space.hpp"
#include "sweep.hpp"
#include "words.hpp"

namespace talus::tune {

namespace fs = std::filesystem;
using measure::fine, measure::unfinished, measure::usage_error;

namespace {

/// What is asked for; sizes without a choice are left out.
sweep_plan plan_of(const options& o, const std::string& precisions, const cuda::gpu_limits& limits) {
  sweep_plan plan;
  plan.of = &routine_named(o.routine);
  plan.precisions = precisions;
  plan.limits = limits;
  if (!o.regimes.empty()) plan.regimes = o.regimes;
  for (const std::string& regime : plan.regimes) measure::parse_regime(regime);
  plan.budget_seconds = o.budget.empty() ? 0 : parse_seconds(o.budget);
  const auto has_choice = [&](int n) {
    return std::any_of(precisions.begin(), precisions.end(),
                       [&](char p) { return plan.of->candidates(p, n, limits).size() > 1; });
  };
  for (const int n : o.sizes.empty() ? tuning_sizes() : measure::parse_sizes(o.sizes)) {
    if (!o.sizes.empty() || has_choice(n)) plan.sizes.push_back(n);
  }
  return plan;
}

}  // namespace

int run_tune(const options& o, const std::string& command) {
  const routine& of = routine_named(o.routine);
  const std::string precisions = precisions_of(o);
  sweep_plan plan = plan_of(o, precisions, cuda::generic_limits);  // are the options good?
  const table generic = read_good_table(generic_path(o), of);
  const gpu_here device = current_gpu();
  if (!device.present) return no_gpu_here();
  plan = plan_of(o, precisions, cuda::limits_of(device.capability));
  require_kernels(of, candidates_of(plan, generic));
  const workplace at = prepare(o, device, generic, command);
  const auto [known, go_on] = read_earlier(o, at.results, at.about, {"GPU", "details", "reference"});

  const std::size_t points = plan.sizes.size() * plan.regimes.size() * plan.precisions.size();
  const measure::machine& limits = at.limits;
  // Most candidates are pruned or cut short: 0.4 seconds a point on an H200.
  std::printf(
      "%s\n%s, %s\nbandwidth %.1f GB/s, peak %.1f GFLOP/s in double, %.1f GFLOP/s in single\n"
      "%s in %s: %zu points (%zu sizes, %s); about %zu minutes%s\n",
      limits.name.c_str(), limits.details.c_str(), device.clocks.c_str(), limits.bandwidth * 1e-9,
      limits.peak_double * 1e-9, limits.peak_single * 1e-9, o.routine.c_str(), plan.precisions.c_str(),
      points, plan.sizes.size(), joined(plan.regimes, " and ").c_str(), points / 150 + 1,
      plan.budget_seconds > 0 ? (", " + o.budget + " at most").c_str() : "");
  std::printf("measurements go to %s%s\n", at.results.c_str(),
              go_on ? (", which holds " + std::to_string(known.all.size()) + " already").c_str() : "");
  std::fflush(stdout);

  results_file file(at.results, at.about, go_on);
  heed_interrupts();
  const sweep_result done = sweep(plan, generic, known.all, points_on_gpu(of),
                                  {[&](const measurement& m) { file.add(m); }, show, say, is_interrupted});
  show("");
  for (const std::string& trouble : done.troubles) std::printf("never chosen: %s\n", trouble.c_str());
  if (done.interrupted) {
    std::printf("interrupted after %d of %d points; the same command goes on from here\n", done.points,
                done.of_points);
    return unfinished;
  }
  if (done.out_of_budget)
    std::printf(
        "the budget of %s ended after %d of %d points; the same command goes on with the finer sizes\n",
        o.budget.c_str(), done.points, done.of_points);
  return write_tuned_table(o, read_results(at.results), at.out);
}

int run_candidates(const options& o) {
  const routine& of = routine_named(o.routine);
  const gpu_here device = current_gpu();
  const int capability = o.capability != 0 ? o.capability : device.present ? device.capability : 90;
  const cuda::gpu_limits limits = cuda::limits_of(capability);
  const fs::path folder = fs::path(o.candidates) / "generic";
  require_writable("--candidates", folder);
  const std::string precisions = o.precisions.empty() ? "sdcz" : joined(o.precisions, "");
  std::size_t count = 0;
  bool is_before = true;  // routines may call those that are listed before them
  for (const routine& other : routines()) {
    const bool is_asked_for = &other == &of;
    options named = o;
    named.routine = other.name;
    if (!is_asked_for) named.generic = "";
    const table generic = read_good_table(generic_path(named), other);
    table t;
    if (is_asked_for) {
      t = of.mixed_sizes ? class_candidates(o, precisions, capability)
                         : candidates_of(plan_of(o, precisions, limits), generic);
      count = t.lines.size();
    } else {
      for (const char p : precisions) {
        const std::vector<table_line> lines = lines_of(generic, p);
        t.lines.insert(t.lines.end(), is_before ? lines.begin() : lines.end() - 1, lines.end());
      }
    }
    is_before = is_before && !is_asked_for;
    t.name = "generic";  // stands in its place in the search build
    t.preamble =
        "// " + other.name + " in a build that tunes " + of.name + ". Written by talus-tune --candidates.\n";
    write_file((folder / (other.name + ".inc")).string(), text_of(t, other));
  }
  std::printf("%zu candidates for compute capability %d.%d in %s\n", count, capability / 10, capability % 10,
              folder.c_str());
  return fine;
}

int run_tune_host(const options& o, const std::string& command) {
  if (o.routine != host_routine)
    throw usage_error("--routine: the host has no table of " + o.routine + "; --backend host tunes " +
                      host_routine + " alone");
  const double budget = o.budget.empty() ? 0 : parse_seconds(o.budget);
  const std::string out = o.out.empty() ? "autotune/tables/host" : o.out;
  const std::string results = default_results(o, out);
  require_writable("--out", out);
  require_writable("--results", fs::path(results).parent_path());
  host_plan plan;
  plan.precisions = precisions_of(o);
  if (!o.sizes.empty()) plan.sizes = measure::parse_sizes(o.sizes);
  // Many matrices, and sixteen per thread, which groups of lanes divide worse.
  plan.regimes = {"fill", "b" + std::to_string(16 * omp_get_max_threads())};
  if (!o.regimes.empty()) plan.regimes = o.regimes;
  for (const std::string& regime : plan.regimes) measure::parse_regime(regime);
  const measure::machine limits = measure::machine::measure(backend::host);
  facts about = measure::facts_of(limits, backend::host, command);
  const auto [known, go_on] = read_earlier(o, results, about, {"CPU", "details"});
  std::printf("%s\n%s\nmeasurements go to %s\n", limits.name.c_str(), limits.details.c_str(),
              results.c_str());
  results_file file(results, about, go_on);
  heed_interrupts();
  std::vector<measurement> all = known.all;
  const auto started = std::chrono::steady_clock::now();
  const auto stop = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    return is_interrupted() || (budget > 0 && spent.count() >= budget);
  };
  const bool complete = sweep_host(
      plan, all, [&](const measurement& m) { file.add(m); }, say, stop);
  if (!complete) {  // a threshold of some of the sizes would be none
    std::printf("%s; the same command goes on from here\n",
                is_interrupted() ? "interrupted" : ("the budget of " + o.budget + " ended").c_str());
    return unfinished;
  }
  update_host_table((fs::path(out) / (o.routine + ".inc")).string(), all,
                    limits.name + ", " + limits.details);
  return fine;
}

}  // namespace talus::tune
