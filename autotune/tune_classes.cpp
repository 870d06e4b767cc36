// talus-tune where matrices differ in size: which classes of sizes, measured call by call.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "classes.hpp"
#include "commands.hpp"
#include "measure/plan.hpp"
#include "measure/program.hpp"
#include "space.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

namespace fs = std::filesystem;
using measure::fine, measure::unfinished;
using measure::usage_error;

/// What ends a sweep from within.
struct end_asked_for {};

/// Of equal sizes: those asked for, or those of the same GPU.
std::vector<measurement> measurements_of_equal_sizes(const options& o, const std::string& out) {
  options equal = o;
  equal.routine = routine_named(o.routine).of_equal_sizes;
  equal.results = "";
  const std::string path = o.from.empty() ? default_results(equal, out) : o.from;
  if (!fs::exists(path))
    throw usage_error((o.from.empty() ? "" : "--from: ") + std::string("'") + path +
                      "' is not there: classes are made of what measurements say of equal sizes (talus-tune "
                      "--routine " +
                      equal.routine + "), --from FILE says where they are");
  return read_results(path).all;
}

class_plan plan_for(const options& o, char precision, const std::vector<measurement>& of_equal,
                    const cuda::gpu_limits& limits, const table& generic, double most_bytes) {
  class_plan plan;
  plan.of = &routine_named(o.routine);
  plan.precision = precision;
  plan.space = finest_classes(*plan.of, of_equal, precision, limits);
  plan.alone = kernels_alone(*plan.of, of_equal, precision, limits, generic);
  plan.batches = class_batches();
  if (!o.regimes.empty()) {
    plan.batches.clear();
    for (const std::string& regime : o.regimes) {
      plan.batches.push_back(measure::parse_regime(regime).batch_count);
      if (plan.batches.back() == 0)
        throw usage_error("--regime: '" + regime + "', but " + o.routine +
                          " is tuned for numbers of matrices, b<N>");
    }
    std::sort(plan.batches.begin(), plan.batches.end());
  }
  plan.maxima = o.sizes.empty() ? class_maxima(plan.space, plan.alone) : measure::parse_sizes(o.sizes);
  plan.most_bytes = most_bytes;
  return plan;
}

}  // namespace

table class_candidates(const options& o, const std::string& precisions, int capability) {
  const std::string gpu = o.gpu.empty() ? current_gpu().name : o.gpu;
  if (o.from.empty() && o.out.empty() && gpu.empty())
    throw usage_error(
        "--candidates: there is no GPU here whose measurements could be meant; --from FILE or --gpu NAME "
        "says which");
  const std::vector<measurement> of_equal = measurements_of_equal_sizes(o, tables_folder(o, gpu));
  const table generic = read_good_table(generic_path(o), routine_named(o.routine));
  std::vector<class_plan> plans;
  for (const char p : precisions)
    plans.push_back(plan_for(o, p, of_equal, cuda::limits_of(capability), generic, 0));
  return class_table(plans, generic);
}

int run_tune_classes(const options& o, const std::string& command) {
  const std::string precisions = precisions_of(o);
  const double budget = o.budget.empty() ? 0 : parse_seconds(o.budget);
  const table generic = read_good_table(generic_path(o), routine_named(o.routine));
  const gpu_here device = current_gpu();
  if (!device.present) return no_gpu_here();

  const std::vector<measurement> of_equal = measurements_of_equal_sizes(o, tables_folder(o, device.name));
  // Larger batches say nothing new, and small GPUs have no room for all those of one count side by side.
  const double most_bytes = std::min(6e9, device.memory / 16);
  std::vector<class_plan> plans;
  facts of_plans;
  std::vector<std::string> if_there;
  for (const char p : precisions) {
    plans.push_back(plan_for(o, p, of_equal, cuda::limits_of(device.capability), generic, most_bytes));

    for (const auto& fact : facts_of_classes(plans.back())) {
      of_plans.push_back(fact);
      if_there.push_back(fact.first);
    }
  }
  require_kernels(routine_named(o.routine), class_table(plans, generic));
  workplace at = prepare(o, device, generic, command);
  at.about.insert(at.about.end(), of_plans.begin(), of_plans.end());
  const auto [known, go_on] =
      read_earlier(o, at.results, at.about, {"GPU", "details", "reference"}, if_there);
  std::printf("%s\n%s, %s\n%s in %s: batches of", at.limits.name.c_str(), at.limits.details.c_str(),
              device.clocks.c_str(), o.routine.c_str(), precisions.c_str());
  for (const std::int64_t batch : plans.front().batches) std::printf(" %lld", static_cast<long long>(batch));
  std::printf(" matrices, sizes to %d%s\nmeasurements go to %s%s\n", plans.front().maxima.back(),
              budget > 0 ? (", " + o.budget + " at most").c_str() : "", at.results.c_str(),
              go_on ? (", which holds " + std::to_string(known.all.size()) + " already").c_str() : "");
  std::fflush(stdout);

  class_memory memory(known.all);
  results_file file(at.results, at.about, go_on);
  heed_interrupts();
  const auto started = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  int calls = 0;
  try {
    for (std::size_t p = 0; p < plans.size(); ++p) {
      const double share = budget * static_cast<double>(p + 1) / static_cast<double>(plans.size());
      const class_timer on_gpu = classes_on_gpu(routine_named(o.routine), generic);
      const auto time = [&](const class_call& call) {
        if (const measurement* const m = memory.find(call)) return *m;
        if (is_interrupted()) throw end_asked_for{};
        show(std::string(1, call.precision) + ", " + std::to_string(call.batch) + " matrices to n = " +
             std::to_string(call.n_max) + ", call " + std::to_string(++calls) + ": classes " + call.name);
        const measurement m = on_gpu(call);
        if (m.result != outcome::ok)
          say("never chosen: classes " + call.name + " to n = " + std::to_string(call.n_max) + ": " + m.why);
        memory.add(m);
        file.add(m);
        return m;
      };
      choose_classes(
          plans[p], class_rules{}, time,
          [&](std::int64_t batch) {
            return budget <= 0 || seconds() < share || memory.holds(plans[p].precision, batch);
          },
          say);
    }
  } catch (const end_asked_for&) {
    show("");
    std::printf("interrupted; the same command goes on from here\n");
    return unfinished;
  }
  show("");
  std::printf("%d calls measured in %.0f seconds\n", calls, seconds());
  return write_tuned_table(o, read_results(at.results), at.out);
}

}  // namespace talus::tune
