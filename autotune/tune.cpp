// talus-tune on a GPU: measures, and writes the table; and the tables that a build for that is made with.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "classes.hpp"
#include "commands.hpp"
#include "gpu.hpp"
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
  plan.budget_seconds = budget_of(o);
  const auto has_choice = [&](int n) {
    return std::any_of(precisions.begin(), precisions.end(),
                       [&](char p) { return plan.of->candidates(p, n, limits).size() > 1; });
  };
  for (const int n : o.sizes.empty() ? tuning_sizes() : measure::parse_sizes(o.sizes)) {
    if (!o.sizes.empty() || has_choice(n)) plan.sizes.push_back(n);
  }
  return plan;
}

/// Where matrices differ in size, of each precision: made of what was measured of equal sizes, in the file
/// that was asked for, or on the same GPU.
std::vector<class_plan> class_plans_of(const options& o, const std::string& precisions,
                                       const std::string& out, const cuda::gpu_limits& limits,
                                       const table& generic, double most_bytes) {
  class_plan plan;
  plan.of = &routine_named(o.routine);
  plan.most_bytes = most_bytes;
  options equal = o;
  equal.routine = plan.of->of_equal_sizes;
  equal.results = "";
  const std::string path = o.from.empty() ? results_path(equal, out) : o.from;
  if (!fs::exists(path))
    throw usage_error((o.from.empty() ? "" : "--from: ") + std::string("'") + path +
                      "' is not there: classes are made of what measurements say of equal sizes (talus-tune "
                      "--routine " +
                      equal.routine + "), --from FILE says where they are");
  const std::vector<measurement> of_equal = read_results(path).all;
  for (const std::string& regime : o.regimes) {
    plan.batches.push_back(measure::parse_regime(regime).batch_count);
    if (plan.batches.back() == 0)
      throw usage_error("--regime: '" + regime + "', but " + o.routine +
                        " is tuned for numbers of matrices, b<N>");
  }
  std::sort(plan.batches.begin(), plan.batches.end());
  if (plan.batches.empty()) plan.batches = class_batches();
  std::vector<class_plan> plans;
  for (const char precision : precisions) {
    plan.precision = precision;
    plan.space = finest_classes(*plan.of, of_equal, precision, limits);
    plan.alone = kernels_alone(*plan.of, of_equal, precision, limits, generic);
    plan.maxima = o.sizes.empty() ? class_maxima(plan.space, plan.alone) : measure::parse_sizes(o.sizes);
    plans.push_back(plan);
  }
  return plans;
}

facts facts_of(const gpu_here& device, const table& generic) {
  return {{"capability", std::to_string(device.capability)},
          {"clocks", device.clocks},
          {"reference", fingerprint(generic)}};
}

/// Measures equal sizes; false: interrupted.
bool measure_sizes(const options& o, const std::string& command, const sweep_plan& plan, const table& generic,
                   const gpu_here& device) {
  require_kernels(*plan.of, candidates_of(plan, generic));
  workplace at = prepare(o, command, backend::cuda, tables_folder(o, device.name), facts_of(device, generic));
  const std::size_t points = plan.sizes.size() * plan.regimes.size() * plan.precisions.size();
  // Most candidates are pruned or cut short: 0.4 seconds a point on an H200.
  std::printf("%s in %s: %zu points (%zu sizes, %s); about %zu minutes%s\n", o.routine.c_str(),
              plan.precisions.c_str(), points, plan.sizes.size(), joined(plan.regimes, " and ").c_str(),
              points / 150 + 1, o.budget.empty() ? "" : (", " + o.budget + " at most").c_str());
  const sweep_result done = sweep(plan, generic, at.known, points_on_gpu(*plan.of),
                                  {[&](const measurement& m) { at.file.add(m); }, show, say, is_interrupted});
  show("");
  for (const std::string& trouble : done.troubles) std::printf("never chosen: %s\n", trouble.c_str());
  if (done.interrupted) {
    std::printf("interrupted after %d of %d points; the same command goes on from here\n", done.points,
                done.of_points);
  } else if (done.out_of_budget) {
    std::printf(
        "the budget of %s ended after %d of %d points; the same command goes on with the finer sizes\n",
        o.budget.c_str(), done.points, done.of_points);
  }
  return !done.interrupted;
}

/// What ends a search from within.
struct end_asked_for {};

/// Measures mixed sizes, call by call, as the search for classes asks for them; false: interrupted.
bool measure_classes(const options& o, const std::string& command, const std::string& precisions,
                     const table& generic, const gpu_here& device) {
  const routine& of = routine_named(o.routine);
  const std::string out = tables_folder(o, device.name);
  // Larger batches say nothing new, and small GPUs have no room for all those of one count side by side.
  const double most_bytes = std::min(6e9, device.memory / 16), budget = budget_of(o);
  const std::vector<class_plan> plans =
      class_plans_of(o, precisions, out, cuda::limits_of(device.capability), generic, most_bytes);
  require_kernels(of, class_table(plans, generic));
  facts of_plans;
  for (const class_plan& plan : plans) {
    for (const auto& fact : facts_of_classes(plan)) of_plans.push_back(fact);
  }
  workplace at = prepare(o, command, backend::cuda, out, facts_of(device, generic), of_plans);
  std::printf("%s in %s: sizes to %d%s\n", o.routine.c_str(), precisions.c_str(), plans.front().maxima.back(),
              o.budget.empty() ? "" : (", " + o.budget + " at most").c_str());
  class_memory memory(at.known);
  const class_timer on_gpu = classes_on_gpu(of, generic);
  const double started = clock_seconds();
  int calls = 0;
  const auto time = [&](const class_call& call) {
    if (const measurement* const m = memory.find(call)) return *m;
    if (is_interrupted()) throw end_asked_for{};
    show(std::string(1, call.precision) + ", " + std::to_string(call.batch) + " matrices to n = " +
         std::to_string(call.n_max) + ", call " + std::to_string(++calls) + ": classes " + call.name);
    const measurement m = on_gpu(call);
    if (m.result != outcome::ok)
      say("never chosen: classes " + call.name + " to n = " + std::to_string(call.n_max) + ": " + m.why);
    memory.add(m);
    at.file.add(m);
    return m;
  };
  try {
    double share = 0;  // of the budget, for this precision and those before it
    for (const class_plan& plan : plans) {
      share += budget / static_cast<double>(plans.size());
      const auto has_time = [&](std::int64_t batch) {
        return budget <= 0 || clock_seconds() - started < share || memory.holds(plan.precision, batch);
      };
      choose_classes(plan, class_rules{}, time, has_time, say);
    }
  } catch (const end_asked_for&) {
    say("interrupted; the same command goes on from here");
    return false;
  }
  say(formatted("%d calls measured in %.0f seconds", calls, clock_seconds() - started));
  return true;
}

}  // namespace

int run_tune(const options& o, const std::string& command) {
  const routine& of = routine_named(o.routine);
  const std::string precisions = precisions_of(o);
  budget_of(o);  // are the options good?
  if (!of.mixed_sizes) plan_of(o, precisions, cuda::generic_limits);
  const table generic = read_good_table(generic_path(o), of);
  const gpu_here device = current_gpu();
  if (!device.present) {
    std::fprintf(stderr,
                 "talus-tune: there is no usable GPU here (%s); --backend host tunes the CPU's threshold, "
                 "--help shows what else works without one\n",
                 strerror(err_no_cuda));
    return measure::no_backend;
  }
  heed_interrupts();
  const cuda::gpu_limits limits = cuda::limits_of(device.capability);
  const bool is_done = of.mixed_sizes
                           ? measure_classes(o, command, precisions, generic, device)
                           : measure_sizes(o, command, plan_of(o, precisions, limits), generic, device);
  if (!is_done) return unfinished;
  const std::string out = tables_folder(o, device.name);
  return write_tuned_table(o, read_results(results_path(o, out)), out);
}

int run_candidates(const options& o) {
  const routine& of = routine_named(o.routine);
  const gpu_here device = current_gpu();
  const int capability = o.capability != 0 ? o.capability : device.present ? device.capability : 90;
  const cuda::gpu_limits limits = cuda::limits_of(capability);
  const std::string gpu = o.gpu.empty() ? device.name : o.gpu;
  if (of.mixed_sizes && o.from.empty() && o.out.empty() && gpu.empty())
    throw usage_error(
        "--candidates: there is no GPU here whose measurements could be meant; --from FILE or --gpu NAME "
        "says which");
  const fs::path folder = fs::path(o.candidates) / "generic";
  require_writable("--candidates", folder);
  const std::string precisions = o.precisions.empty() ? "sdcz" : joined(o.precisions, "");
  std::size_t count = 0;
  bool is_before = true;  // routines may call those that are listed before them
  for (const routine& other : routines()) {
    if (!other.is_swept) continue;  // the build has all of their lines
    const bool is_asked_for = &other == &of;
    options named = o;
    named.routine = other.name;
    if (!is_asked_for) named.generic = "";
    const table generic = read_good_table(generic_path(named), other);
    table t;
    if (!is_asked_for) {
      for (const char p : precisions) {
        const std::vector<table_line> lines = lines_of(generic, p);
        t.lines.insert(t.lines.end(), is_before ? lines.begin() : lines.end() - 1, lines.end());
      }
    } else {
      t = of.mixed_sizes
              ? class_table(class_plans_of(o, precisions, tables_folder(o, gpu), limits, generic, 0), generic)
              : candidates_of(plan_of(o, precisions, limits), generic);
      count = t.lines.size();
      is_before = false;
    }
    t.name = "generic";  // stands in its place in the search build
    t.preamble =
        "// " + other.name + " in a build that tunes " + of.name + ". Written by talus-tune --candidates.\n";
    write_file((folder / (other.name + ".inc")).string(), text_of(t, other));
  }
  std::printf("%zu candidates for compute capability %d.%d in %s\n", count, capability / 10, capability % 10,
              folder.c_str());
  return fine;
}

}  // namespace talus::tune
