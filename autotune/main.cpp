// talus-tune: measures every kernel of the search space on this machine, and writes the table that chooses
// among them.
#include <omp.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends.hpp"
#include "batched/posv_table.hpp"
#include "batched/potrf_table.hpp"
#include "choose.hpp"
#include "classes.hpp"
#include "commands.hpp"
#include "gpu.hpp"
#include "host.hpp"
#include "host_table.hpp"
#include "machine.hpp"
#include "plan.hpp"
#include "problem.hpp"
#include "program.hpp"
#include "report.hpp"
#include "results.hpp"
#include "space.hpp"
#include "sweep.hpp"
#include "table.hpp"
#include "vbatched/potrf_table.hpp"
#include "words.hpp"

namespace talus::tune {
namespace {

namespace fs = std::filesystem;
using bench::bad_arguments, bench::fine, bench::no_backend, bench::unfinished, bench::wrong;
using bench::usage_error;

const char* const examples = R"(Examples:
  talus-tune --precision d,s --out autotune/tables/h200 --budget 20m
      tunes potrf on this GPU; run it again after an interruption and it goes on
  talus-tune --routine potrf_vbatched --out autotune/tables/h200
      divides different sizes into classes, each with the kernel that potrf's measurements say is the fastest
  talus-tune --check autotune/tables/*/potrf.inc
      is a table in order? No GPU needed
  talus-tune --explain potrf d 96 --batch 3000
      which line of the tables in this build serves this size here, and why
  talus-tune --select autotune/results/h200/potrf.csv --out autotune/tables/h200
      writes the table again from what was measured; no GPU needed
  talus-tune --agree first.csv second.csv
      do two sweeps choose the same kernels, within the noise?
  talus-tune --plot autotune/results/h200/potrf.csv --picture potrf.png
  talus-tune --backend host --out autotune/tables/host
      up to which n the CPU works on one matrix per SIMD lane

A build has the kernels of its tables only; './run tune' first builds all candidates.

Exit codes: 0 fine; 1 something measured or checked is wrong; 2 bad arguments; 3 no such backend here;
4 interrupted, or on the host out of time: run it again to go on; 5 output could not be written.)";

/// Takes 9.0 and 90, and makes 90 of both: CUDA 12 serves no GPU below 5.0, so 5 is a mistake.
std::string whole_capability(std::string& text) {
  const std::string given = text;
  const bool has_point = text.size() >= 3 && text[text.size() - 2] == '.';
  if (has_point) text.erase(text.size() - 2, 1);
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const int value = digits && text.size() <= 3 ? std::stoi(text) : 0;
  if (value >= 50 && value < 200) return "";
  return "'" + given + "' is no compute capability, which are written 9.0 or 90";
}

std::string whole_batch(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && text.size() < 19 && std::stoll(text) > 0) return "";
  return "'" + text + "' is no number of matrices";
}

void declare(CLI::App& app, options& o) {
  app.footer(examples);
  app.set_help_flag("-h,--help", "Print this help");
  const auto precision = CLI::IsMember({"s", "d", "c", "z"});
  app.add_option("--routine", o.routine, "What to tune: potrf, posv or potrf_vbatched")
      ->capture_default_str();
  app.add_option("--precision", o.precisions, "Any of s, d, c, z; all that are in this build if not given")
      ->delimiter(',')
      ->check(precision);
  app.add_option("--out", o.out, "Folder of the table that is written; autotune/tables/<gpu> if not given")
      ->type_name("DIR");
  app.add_option("--results", o.results,
                 "File of all measurements; <routine>.csv in results/<gpu> beside tables/<gpu> if not given")
      ->type_name("FILE");
  app.add_option("--budget", o.budget,
                 "Time for the measurements, as 90s, 20m or 1h; on a GPU coarse to fine until it ends")
      ->type_name("TIME");
  app.add_option("--sizes", o.sizes,
                 "Sizes to measure, as A:B:S or a list, instead of some 120 from 2 to 1536 (posv: to 64); "
                 "potrf_vbatched: largest sizes, instead of the bounds of its classes and some beyond");
  app.add_option("--regime", o.regimes,
                 "Batches to measure: 'fill' about 1 GB of matrices (0.5 GB in single), b<N> N of them; "
                 "default fill,b3000; on the host fill and 16 per thread; potrf_vbatched: "
                 "b100,b500,b3000,b20000,b100000")
      ->delimiter(',');
  app.add_option("--backend", o.backend, "What to tune: the GPU's kernels or the CPU's threshold")
      ->check(CLI::IsMember({"cuda", "host"}))
      ->capture_default_str();
  app.add_flag("--fresh", o.fresh, "Start over, even if there are measurements to go on with");
  app.add_option("--generic", o.generic, "The generic table, which tuned ones are compared with")
      ->type_name("FILE");

  app.add_option("--check", o.check, "Check tables, explain each problem")->type_name("FILE");
  app.add_option("--explain", o.explain, "Which line serves this size, and why")
      ->expected(3)
      ->type_name("ROUTINE PRECISION N");
  app.add_option("--batch", o.batch, "--explain: matrices in the batch; any if not given")
      ->check(CLI::Validator(whole_batch, ""));
  app.add_option("--gpu", o.gpu,
                 "--explain, --candidates: for this GPU instead of the one that is here, as \"NVIDIA H200\"");
  app.add_option("--select", o.select, "Write the table from measurements made before, in one run or several")
      ->type_name("FILE");
  app.add_option("--agree", o.agree, "Compare the choices of two sweeps")
      ->expected(2)
      ->type_name("FILE FILE");
  app.add_option(
         "--plot", o.plot,
         "Draw measurements: the best kernels against the generic table's; of potrf_vbatched, classes "
         "against one launch. autotune/plot.py --parameters draws what each parameter matters")
      ->type_name("FILE");
  app.add_option("--picture", o.picture, "--plot: the picture to write")
      ->capture_default_str()
      ->type_name("FILE");
  app.add_flag("--space", o.space, "Print the search space, each bound with its reason");
  app.add_option("--candidates", o.candidates,
                 "Write the tables that a search build is built with to this folder")
      ->type_name("DIR");
  app.add_option(
         "--from", o.from,
         "potrf_vbatched: potrf's measurements, of which its classes are made; potrf.csv beside its own "
         "measurements if not given")
      ->type_name("FILE");
  app.add_option("--capability", o.capability,
                 "--candidates, --explain: of the GPU, as 9.0 or 90; of the one that is here if not given")
      ->transform(CLI::Validator(whole_capability, ""));
}

// ---- tables from measurements --------------------------------------------------------------------

/// The measurements in a file that the user named.
recorded read_named(const std::string& option, const std::string& path) {
  if (!std::ifstream(path)) throw usage_error(option + ": cannot read '" + path + "'");
  return read_results(path);
}

int run_select(const options& o) {
  if (o.out.empty()) throw usage_error("--select: --out DIR says where the table goes");
  require_writable("--out", o.out);
  if (!routine_named(o.routine).schedules.empty() && o.select.size() > 1)
    throw usage_error("--select: of " + o.routine + " one file at a time, not " +
                      std::to_string(o.select.size()));
  recorded all = read_named("--select", o.select[0]);
  for (std::size_t i = 1; i < o.select.size(); ++i) {
    const recorded more = read_named("--select", o.select[i]);
    for (const char* fact : {"GPU", "reference"}) {
      if (value_of(more.about, fact) != value_of(all.about, fact))
        throw usage_error("--select: '" + o.select[i] + "' was measured with another " + fact + " than '" +
                          o.select[0] + "'");
    }
    all.all.insert(all.all.end(), more.all.begin(), more.all.end());
  }
  return write_tuned_table(o, all, o.out);
}

int run_agree(const options& o) {
  if (!routine_named(o.routine).schedules.empty())
    throw usage_error("--agree: compares sweeps of equal sizes, not of " + o.routine);
  const table generic = read_good_table(generic_path(o), routine_named(o.routine));
  const recorded a = read_named("--agree", o.agree[0]), b = read_named("--agree", o.agree[1]);
  const rules r;
  agreement sum;
  for (const char precision : std::string("sdcz")) {
    const std::vector<point> points_a = points_of(a.all, precision, r),
                             points_b = points_of(b.all, precision, r);
    if (points_a.empty() || points_b.empty()) continue;
    const agreement one =
        compare(points_a, choose_lines(points_a, generic, r), points_b, choose_lines(points_b, generic, r));
    for (const std::string& d : one.disagreements) std::printf("%s\n", d.c_str());
    std::printf("%c: %d of %d points agree\n", precision, one.agreeing, one.points);
    sum.points += one.points;
    sum.agreeing += one.agreeing;
  }
  if (sum.points == 0) throw usage_error("--agree: the two files have no point in common");
  std::printf("%.1f %% of %d points agree within the noise band\n", 100.0 * sum.agreeing / sum.points,
              sum.points);
  return fine;
}

// ---- tables --------------------------------------------------------------------------------------

int run_check(const options& o) {
  int bad = 0;
  for (const std::string& path : o.check) {
    const std::string name = fs::path(path).stem().string();
    std::vector<problem_found> problems;
    if (fs::path(path).parent_path().filename() == "host") {
      problems = check_host_table(path);
    } else {
      const routine& of = routine_named(name);
      const table t = read_table(path, of, problems);
      const std::vector<problem_found> more = check(t, of);
      problems.insert(problems.end(), more.begin(), more.end());
      const std::string folder = fs::absolute(path).parent_path().filename().string();
      if (problems.empty() && t.name != folder)
        problems.push_back(
            {0, "is table '" + t.name + "' by its TALUS_TABLE, but lies in folder '" + folder + "'"});
    }
    for (const problem_found& p : problems)
      std::printf("%s%s: %s\n", path.c_str(), p.number > 0 ? (":" + std::to_string(p.number)).c_str() : "",
                  p.what.c_str());
    if (problems.empty()) std::printf("%s: in order\n", path.c_str());
    bad += !problems.empty();
  }
  return bad == 0 ? fine : wrong;
}

template <class T, class Tables>
void explain_here(const routine& of, Tables, int t, int n, std::int64_t batch, bool own) {
  const auto& lines = Tables::template lines<T>;
  const auto& first = Tables::template first_line<T>;
  const int index = Tables::template select<T>(t, n, batch);
  const auto& line = lines[static_cast<std::size_t>(index)];
  const std::size_t from = Tables::template table_of<T>(index);
  const cuda::gpu_table& head = Tables::gpus[from];
  const int within = index - first[from];
  const kernel how = kernel_of(line);
  const bool in_set = !how.schedule.empty();
  const bool continues = within > 0 && lines[static_cast<std::size_t>(index - 1)].n_max == line.n_max;
  int n_min = 1, classes = 1;
  for (int i = index - 1; i >= first[from]; --i) {
    const auto& above = lines[static_cast<std::size_t>(i)];
    if (in_set && above.batch_max != line.batch_max) break;
    if (above.n_max < line.n_max) n_min = std::max(n_min, above.n_max + 1);
    if (in_set && !is_alone(kernel_of(above))) ++classes;
  }
  std::printf("  table %s%s, line %d: %s\n", head.name, own ? "" : " (this GPU has none of its own here)",
              within, describe(how).c_str());
  std::printf("  serves n = %d to %s%s%s\n", n_min, text_of_n(line.n_max).c_str(),
              line.batch_max != cuda::any_batch
                  ? (", batches of up to " + std::to_string(line.batch_max)).c_str()
                  : "",
              continues && line.batch_max == cuda::any_batch ? ", larger batches" : "");
  if (in_set) {
    if (how.schedule == "ordered")
      std::printf("  a call whose largest n is here has an order, and one launch\n");
    else if (is_alone(how) || classes == 1)
      std::printf("  a call whose largest n is here has one launch\n");
    else
      std::printf(
          "  a call whose largest n is here has %d classes of sizes, an order, and a launch for each\n",
          classes);
  }

  // The evidence stands in the file, not in the program; and the file may have changed since.
  const std::string path = std::string(TALUS_TABLES_DIR) + "/" + head.name + "/" + of.name + ".inc";
  std::vector<problem_found> problems;
  const table file = read_table(path, of, problems);
  const table_line* const there = select(file, precision_of<T>, n, batch);
  if (!there) {
    std::printf("  %s is not here, so the measurement behind the line is not known\n", path.c_str());
  } else if (there->how != how) {
    std::printf("  but %s:%d says %s: build again to run that\n", path.c_str(), there->number,
                describe(there->how).c_str());
  } else {
    std::printf("  %s:%d\n", path.c_str(), there->number);
    if (!there->evidence.empty()) std::printf("  measured: %s\n", there->evidence.c_str());
  }
}

template <class Tables>
int explain(const routine& of, Tables tables_of_routine, const options& o) {
  const std::string &name = of.name, &precision = o.explain[1];
  std::vector<int> sizes;
  try {
    sizes = bench::parse_sizes(o.explain[2]);
  } catch (const std::invalid_argument& e) {
    throw usage_error(std::string("--explain: ") + e.what());
  }
  if (precision.size() != 1 || std::string(built_precisions).find(precision) == std::string::npos)
    throw usage_error("--explain: precision '" + precision + "' is none of this build's " + built_precisions);

  const gpu_here device = current_gpu();
  const auto& tables = Tables::gpus;
  const auto count = static_cast<int>(tables.size());
  std::vector<int> which;
  if (!o.gpu.empty() || device.present) {
    which = {cuda::choose_table(tables.data(), count, o.gpu.empty() ? device.name : o.gpu,
                                o.gpu.empty() ? device.capability : o.capability)};
  } else {
    for (int t = 0; t < count; ++t) which.push_back(t);  // no GPU is meant: all that there are
  }
  const std::string gpu = o.gpu.empty() ? device.name : o.gpu;
  for (const int n : sizes) {
    std::printf("%s, %s, n = %d, %s%s%s\n", name.c_str(), precision.c_str(), n,
                o.batch == cuda::any_batch ? "a large batch" : ("batch " + std::to_string(o.batch)).c_str(),
                gpu.empty() ? ", every table of this build (no GPU here; --gpu NAME asks for one)" : " on ",
                gpu.c_str());
    for (const int t : which) {
      const bool own = gpu.empty() || gpu == tables[static_cast<std::size_t>(t)].gpu;
      with_type(precision[0],
                [&](auto zero) { explain_here<decltype(zero)>(of, tables_of_routine, t, n, o.batch, own); });
    }
  }
  return fine;
}

int run_explain(const options& o) {
  const routine& of = routine_named(o.explain[0]);
  if (!of.schedules.empty()) return explain(of, cuda::potrf_vbatched_tables{}, o);
  return of.nrhs > 0 ? explain(of, cuda::posv_tables{}, o) : explain(of, cuda::potrf_tables{}, o);
}

int run_candidates(const options& o) {
  const routine& of = routine_named(o.routine);
  const gpu_here device = current_gpu();
  const int capability = o.capability != 0 ? o.capability : device.present ? device.capability : 90;
  const fs::path folder = fs::path(o.candidates) / "generic";
  require_writable("--candidates", folder);
  const std::string precisions = o.precisions.empty() ? "sdcz" : joined(o.precisions, "");
  const table all = of.schedules.empty() ? candidate_table(of, precisions, cuda::limits_of(capability),
                                                           read_good_table(generic_path(o), of))
                                         : class_candidates(o, precisions, capability);
  write_table((folder / (o.routine + ".inc")).string(), all);
  std::printf("%zu candidates for compute capability %d.%d in %s\n", all.lines.size(), capability / 10,
              capability % 10, folder.c_str());
  return fine;
}

int run_plot(const options& o) {
  const std::string script = std::string(TALUS_AUTOTUNE_DIR) + "/plot.py";
  if (!fs::exists(o.plot)) throw usage_error("--plot: cannot read '" + o.plot + "'");
  const char* arguments[] = {"python3", script.c_str(), o.plot.c_str(), "-o", o.picture.c_str(), nullptr};
  std::fflush(stdout);
  execvp("python3", const_cast<char* const*>(arguments));
  throw std::runtime_error("--plot: python3 could not be started");
}

// ---- tuning --------------------------------------------------------------------------------------

/// As those of posv that no kernel solves with on the chip.
void leave_out_sizes_without_choice(sweep_plan& plan) {
  const auto has_none = [&](int n) {
    return std::all_of(plan.precisions.begin(), plan.precisions.end(),
                       [&](char p) { return candidates(*plan.of, p, n, plan.limits).size() < 2; });
  };
  plan.sizes.erase(std::remove_if(plan.sizes.begin(), plan.sizes.end(), has_none), plan.sizes.end());
}

int run_tune(const options& o, const std::string& command) {
  sweep_plan plan;
  plan.of = &routine_named(o.routine);
  plan.precisions = precisions_of(o);
  if (!o.regimes.empty()) plan.regimes = o.regimes;
  for (const std::string& regime : plan.regimes) bench::parse_regime(regime);
  plan.sizes = o.sizes.empty() ? tuning_sizes() : bench::parse_sizes(o.sizes);
  plan.budget_seconds = o.budget.empty() ? 0 : parse_seconds(o.budget);
  const table generic = read_good_table(generic_path(o), *plan.of);

  const gpu_here device = current_gpu();
  if (!device.present) return no_gpu_here();
  plan.limits = cuda::limits_of(device.capability);
  if (o.sizes.empty()) leave_out_sizes_without_choice(plan);
  const std::vector<std::string> missing = missing_kernels(plan, generic);
  if (!missing.empty())
    throw std::runtime_error("this build lacks " + std::to_string(missing.size()) +
                             " kernels of the search space, such as " + missing.front() +
                             ": './run tune' builds them all (or: talus-tune --candidates DIR, then cmake "
                             "-DTALUS_TABLES=DIR)");
  const workplace at = prepare(o, device, generic, command);
  const bench::machine& limits = at.limits;
  plan.bandwidth = limits.bandwidth;
  plan.cache_bytes = static_cast<double>(bench::last_level_cache(backend::cuda));
  const auto [known, go_on] = read_earlier(o, at.results, at.about, {"GPU", "details", "reference"});

  std::size_t candidates_at_most = 0;
  for (const char p : plan.precisions) {
    for (const int n : plan.sizes) candidates_at_most += candidates(*plan.of, p, n, plan.limits).size();
  }
  candidates_at_most *= plan.regimes.size();
  const std::size_t points = plan.sizes.size() * plan.regimes.size() * plan.precisions.size();
  // Most are pruned or cut short: 0.4 seconds a point on an H200.
  std::printf(
      "%s\n%s, %s\nbandwidth %.1f GB/s, peak %.1f GFLOP/s in double, %.1f GFLOP/s in single\n"
      "%s in %s: %zu points (%zu sizes, %s), at most %zu candidates; about %zu minutes%s\n",
      limits.name.c_str(), limits.details.c_str(), device.clocks.c_str(), limits.bandwidth * 1e-9,
      limits.peak_double * 1e-9, limits.peak_single * 1e-9, o.routine.c_str(), plan.precisions.c_str(),
      points, plan.sizes.size(), joined(plan.regimes, " and ").c_str(), candidates_at_most, points / 150 + 1,
      plan.budget_seconds > 0 ? (", " + o.budget + " at most").c_str() : "");
  std::printf("measurements go to %s%s\n", at.results.c_str(),
              go_on ? (", which holds " + std::to_string(known.all.size()) + " already").c_str() : "");
  std::fflush(stdout);

  results_file file(at.results, at.about, go_on);
  heed_interrupts();
  const sweep_result done = sweep(plan, generic, known.all, points_on_gpu(*plan.of),
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

int run_tune_host(const options& o, const std::string& command) {
  if (o.routine != "potrf")
    throw usage_error("--routine: the host has no table of " + o.routine +
                      "; --backend host tunes potrf alone");
  const double budget = o.budget.empty() ? 0 : parse_seconds(o.budget);
  const std::string out = o.out.empty() ? "autotune/tables/host" : o.out;
  const std::string results = default_results(o, out);
  require_writable("--out", out);
  require_writable("--results", fs::path(results).parent_path());
  host_plan plan;
  plan.precisions = precisions_of(o);
  if (!o.sizes.empty()) plan.sizes = bench::parse_sizes(o.sizes);
  // Many matrices, and sixteen per thread, which groups of lanes divide worse.
  plan.regimes = {"fill", "b" + std::to_string(16 * omp_get_max_threads())};
  if (!o.regimes.empty()) plan.regimes = o.regimes;
  for (const std::string& regime : plan.regimes) bench::parse_regime(regime);
  const bench::machine limits = bench::machine::measure(backend::host);
  facts about = bench::facts_of(limits, backend::host, command);
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
  update_host_table((fs::path(out) / "potrf.inc").string(), all, limits.name + ", " + limits.details);
  return fine;
}

int run(const options& o, const std::string& command) {
  if (!o.check.empty()) return run_check(o);
  if (!o.explain.empty()) return run_explain(o);
  if (!o.plot.empty()) return run_plot(o);
  const routine& of = routine_named(o.routine);
  if (o.space) {
    std::printf("%s", explain_space(of).c_str());
    return fine;
  }
  if (!o.candidates.empty()) return run_candidates(o);
  if (!o.select.empty()) return run_select(o);
  if (!o.agree.empty()) return run_agree(o);
  if (o.backend == "host") return run_tune_host(o, command);
  return of.schedules.empty() ? run_tune(o, command) : run_tune_classes(o, command);
}

}  // namespace
}  // namespace talus::tune

int main(int argc, char** argv) {
  using namespace talus::tune;
  options o;
  CLI::App app{"Chooses the fastest kernel for each size by measuring, once per GPU model.", "talus-tune"};
  declare(app, o);
  return talus::bench::run_program(app, argc, argv,
                                   [&](const std::string& command) { return run(o, command); });
}
