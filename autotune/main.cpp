// talus-tune: measures every kernel of the search space on this machine, and writes the table that chooses
// among them.
#include <omp.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends.hpp"
#include "batched/posv_table.hpp"
#include "batched/potrf_table.hpp"
#include "choose.hpp"
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
#include "words.hpp"

namespace talus::tune {
namespace {

namespace fs = std::filesystem;
using bench::bad_arguments, bench::fine, bench::no_backend, bench::unfinished, bench::wrong;
using bench::usage_error;

/// What the user may say, before it is understood.
struct options {
  std::string routine = "potrf", out, results, sizes, budget, backend = "cuda", generic, gpu, candidates,
              plot, picture = "tuned.png";
  std::vector<std::string> precisions, regimes, check, explain, agree, select;
  std::int64_t batch = cuda::any_batch;
  int capability = 0;
  bool fresh = false, space = false;
};

const char* const examples = R"(Examples:
  talus-tune --precision d,s --out autotune/tables/h200 --budget 20m
      tunes potrf on this GPU; run it again after an interruption and it goes on
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
4 interrupted: run it again to go on.)";

void declare(CLI::App& app, options& o) {
  app.footer(examples);
  app.set_help_flag("-h,--help", "Print this help");
  const auto precision = CLI::IsMember({"s", "d", "c", "z"});
  app.add_option("--routine", o.routine, "What to tune: potrf or posv")->capture_default_str();
  app.add_option("--precision", o.precisions, "Any of s, d, c, z; all that are in this build if not given")
      ->delimiter(',')
      ->check(precision);
  app.add_option("--out", o.out, "Folder of the table that is written; autotune/tables/<gpu> if not given")
      ->type_name("DIR");
  app.add_option("--results", o.results,
                 "File of all measurements; <routine>.csv in results/<gpu> beside tables/<gpu> if not given")
      ->type_name("FILE");
  app.add_option("--budget", o.budget,
                 "Time for the measurements, as 90s, 20m or 1h; coarse to fine until it ends")
      ->type_name("TIME");
  app.add_option("--sizes", o.sizes,
                 "Sizes to measure, as A:B:S or a list, instead of some 120 from 2 to 1536 (posv: to 64)");
  app.add_option("--regime", o.regimes,
                 "Batches to measure: 'fill' about 1 GB of matrices (0.5 GB in single), b<N> N of them; "
                 "default fill,b3000; on the host fill and 16 per thread")
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
      ->check(CLI::PositiveNumber);
  app.add_option("--gpu", o.gpu,
                 "--explain: for this GPU instead of the one that is here, as \"NVIDIA H200\"");
  app.add_option("--select", o.select, "Write the table from measurements made before, in one run or several")
      ->type_name("FILE");
  app.add_option("--agree", o.agree, "Compare the choices of two sweeps")
      ->expected(2)
      ->type_name("FILE FILE");
  app.add_option("--plot", o.plot, "Draw measurements: parameter against rate, tuned against generic")
      ->type_name("FILE");
  app.add_option("--picture", o.picture, "--plot: the picture to write")
      ->capture_default_str()
      ->type_name("FILE");
  app.add_flag("--space", o.space, "Print the search space, each bound with its reason");
  app.add_option("--candidates", o.candidates,
                 "Write the tables that a search build is built with to this folder")
      ->type_name("DIR");
  app.add_option("--capability", o.capability,
                 "--candidates, --explain: of the GPU, 90 for 9.0; of the one that is here if not given");
}

// ---- words ---------------------------------------------------------------------------------------

std::string generic_path(const options& o) {
  return o.generic.empty() ? std::string(TALUS_AUTOTUNE_DIR) + "/tables/generic/" + o.routine + ".inc"
                           : o.generic;
}

/// Precisions asked for, or all that this build has.
std::string precisions_of(const options& o) {
  std::string all;
  for (const std::string& p : o.precisions) {
    if (all.find(p) == std::string::npos) all += p;
  }
  for (const char p : all) {
    if (std::string(built_precisions).find(p) == std::string::npos)
      throw usage_error(std::string("--precision: ") + p + " is not in this build (TALUS_PRECISIONS chose " +
                        built_precisions + ")");
  }
  return all.empty() ? built_precisions : all;
}

std::string default_results(const options& o, const std::string& out) {
  if (!o.results.empty()) return o.results;
  const fs::path folder = fs::path(out).lexically_normal();
  const fs::path named = folder.has_filename() ? folder : folder.parent_path();
  if (named.parent_path().filename() == "tables")
    return (named.parent_path().parent_path() / "results" / named.filename() / (o.routine + ".csv")).string();
  return (named / (o.routine + ".csv")).string();
}

/// Before the minutes of measuring: can the results be written at all?
void require_writable(const std::string& option, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.empty() ? "." : folder, error);
  const fs::path probe = folder / ".talus-tune";
  const bool writable = !error && std::ofstream(probe);
  fs::remove(probe, error);
  if (!writable) throw usage_error(option + ": cannot write into '" + folder.string() + "'");
}

volatile std::sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

/// On a terminal, what is being done stands in the line where the next result will.
void show(const std::string& words) {
  if (!isatty(STDERR_FILENO)) return;
  std::fprintf(stderr, "\r\033[K%s", words.c_str());
  std::fflush(stderr);
}
void say(const std::string& words) {
  show("");
  std::printf("%s\n", words.c_str());
}

// ---- tables from measurements --------------------------------------------------------------------

/// The tables folder's name of a GPU: "NVIDIA H200" is h200.
std::string folder_name(const std::string& gpu) {
  std::string name;
  for (const char c : gpu) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (letter)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  for (const std::string prefix : {"nvidia_", "tesla_", "geforce_"}) {
    if (name.rfind(prefix, 0) == 0) name = name.substr(prefix.size());
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "gpu" : name;
}

/// Which lines of a table went, and which came.
void print_changes(const table& before, const table& after) {
  const auto has = [](const table& t, const table_line& line) {
    return std::any_of(t.lines.begin(), t.lines.end(), [&](const table_line& other) {
      return other.precision == line.precision && other.n_max == line.n_max &&
             other.batch_max == line.batch_max && other.how == line.how;
    });
  };
  const auto print_missing = [&](char sign, const table& of, const table& in) {
    for (const table_line& line : of.lines) {
      if (!has(in, line))
        std::printf("%c %c, n_max %s, batch_max %s: %s\n", sign, line.precision,
                    text_of_n(line.n_max).c_str(), text_of_batch(line.batch_max).c_str(),
                    describe(line.how).c_str());
    }
  };
  print_missing('-', before, after);
  print_missing('+', after, before);
}

/// Chooses lines from all measurements of a file, puts them into the GPU's table and says what was gained.
int write_tuned_table(const options& o, const recorded& measured, const std::string& out) {
  const routine& of = routine_named(o.routine);
  const table generic = read_good_table(generic_path(o), of);
  const std::string path = (fs::path(out) / (o.routine + ".inc")).string();
  table tuned;
  if (fs::exists(path)) tuned = read_good_table(path, of);
  const table before = tuned;
  tuned.gpu = value_of(measured.about, "GPU");
  tuned.name = folder_name(tuned.gpu);
  tuned.capability = std::atoi(value_of(measured.about, "capability").c_str());
  if (tuned.gpu.empty() || tuned.capability == 0)
    throw std::runtime_error("the measurements do not say of which GPU they are");
  tuned.preamble = "// " + o.routine + " on " + tuned.gpu +
                   ", chosen by talus-tune. Edit it if you know better; talus-tune\n" +
                   "// --check finds mistakes. Behind each line: time at the largest measured n that it "
                   "serves, and how many times as\n" +
                   "// fast that is as the generic table. docs/tuning.md explains the columns.\n";
  for (const char* fact : {"details", "commit", "date"})
    tuned.preamble += "// " + std::string(fact) + ": " + value_of(measured.about, fact) + "\n";

  const rules r;
  std::vector<table_line> kept;
  std::printf("\n%-9s %6s %6s %8s | gain over the generic table: %s\n", "precision", "points", "lines",
              "changed", "geometric mean, median, least, most");
  for (const char precision : std::string("sdcz")) {
    const std::vector<point> points = points_of(measured.all, precision, r);
    if (points.empty()) {
      for (const table_line& line : tuned.lines) {
        if (line.precision == precision) kept.push_back(line);
      }
      continue;
    }
    const std::vector<table_line> lines = choose_lines(points, generic, r);
    if (lines.empty()) {
      throw std::runtime_error(std::string("precision ") + precision +
                               ": the measurements do not hold the generic table's own kernels");
    }
    kept.insert(kept.end(), lines.begin(), lines.end());
    const gain g = gain_of(points, lines, generic);
    std::printf("%-9c %6d %6d %8d | %.2fx, %.2fx, %.3fx at n = %d, %.2fx at n = %d\n", precision, g.points,
                g.lines, g.changed_lines, g.mean, g.median, g.least, g.least_n, g.most, g.most_n);
  }
  if (kept.empty()) throw std::runtime_error("nothing was measured");
  tuned.lines = kept;
  const std::vector<problem_found> problems = check(tuned, of);
  for (const problem_found& p : problems) std::fprintf(stderr, "%s: %s\n", path.c_str(), p.what.c_str());
  if (!problems.empty()) return wrong;
  write_table(path, tuned);
  if (!before.lines.empty()) print_changes(before, tuned);
  std::printf("written: %s (build again to run it)\n", path.c_str());
  return fine;
}

int run_select(const options& o) {
  if (o.out.empty()) throw usage_error("--select: --out DIR says where the table goes");
  require_writable("--out", o.out);
  recorded all = read_results(o.select[0]);
  for (std::size_t i = 1; i < o.select.size(); ++i) {
    const recorded more = read_results(o.select[i]);
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
  const table generic = read_good_table(generic_path(o), routine_named(o.routine));
  const recorded a = read_results(o.agree[0]), b = read_results(o.agree[1]);
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
  const cuda::potrf_line& line = lines[static_cast<std::size_t>(index)];
  const std::size_t from = Tables::template table_of<T>(index);
  const cuda::gpu_table& head = Tables::gpus[from];
  const int within = index - first[from];
  const kernel how = kernel_of(line);
  const bool continues = within > 0 && lines[static_cast<std::size_t>(index - 1)].n_max == line.n_max;
  int n_min = 1;
  for (int i = index - 1; i >= first[from]; --i) {
    if (lines[static_cast<std::size_t>(i)].n_max < line.n_max) {
      n_min = lines[static_cast<std::size_t>(i)].n_max + 1;
      break;
    }
  }
  std::printf("  table %s%s, line %d: %s\n", head.name, own ? "" : " (this GPU has none of its own here)",
              within, describe(how).c_str());
  std::printf("  serves n = %d to %s%s%s\n", n_min, text_of_n(line.n_max).c_str(),
              line.batch_max != cuda::any_batch
                  ? (", batches of up to " + std::to_string(line.batch_max)).c_str()
                  : "",
              continues && line.batch_max == cuda::any_batch ? ", larger batches" : "");

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
  return of.nrhs > 0 ? explain(of, cuda::posv_tables{}, o) : explain(of, cuda::potrf_tables{}, o);
}

int run_candidates(const options& o) {
  const routine& of = routine_named(o.routine);
  const gpu_here device = current_gpu();
  const int capability = o.capability != 0 ? o.capability : device.present ? device.capability : 90;
  const fs::path folder = fs::path(o.candidates) / "generic";
  require_writable("--candidates", folder);
  const table all = candidate_table(of, o.precisions.empty() ? "sdcz" : joined(o.precisions, ""),
                                    cuda::limits_of(capability), read_good_table(generic_path(o), of));
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

/// Measurements that a file holds already, to go on with; none where there is no such file or --fresh was
/// given. They must have been made under the same facts.
struct earlier {
  recorded measured;
  bool go_on = false;
};
earlier read_earlier(const options& o, const std::string& results, const facts& about,
                     const std::vector<std::string>& must_agree) {
  earlier found;
  found.go_on = !o.fresh && fs::exists(results) && fs::file_size(results) > 0;
  if (!found.go_on) return found;
  found.measured = read_results(results);
  for (const std::string& fact : must_agree) {
    const std::string then = value_of(found.measured.about, fact), now = value_of(about, fact);
    if (then != now)
      throw usage_error("--results: '" + results + "' was measured with another " + fact + " (" + then +
                        ", now " + now + "): --fresh starts over, --results FILE keeps it");
  }
  return found;
}

std::string fingerprint(const table& t) {  // FNV-1a of what the lines say
  std::uint64_t hash = 14695981039346656037u;
  for (const table_line& line : t.lines) {
    for (const char c :
         line.precision + text_of_n(line.n_max) + text_of_batch(line.batch_max) + describe(line.how))
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

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
  if (!device.present) {
    std::fprintf(stderr,
                 "talus-tune: there is no usable GPU here (%s); --backend host tunes the CPU's threshold, "
                 "--help shows what else works without one\n",
                 strerror(err_no_cuda));
    return no_backend;
  }
  plan.limits = cuda::limits_of(device.capability);
  if (o.sizes.empty()) leave_out_sizes_without_choice(plan);
  const std::vector<std::string> missing = missing_kernels(plan, generic);
  if (!missing.empty())
    throw std::runtime_error("this build lacks " + std::to_string(missing.size()) +
                             " kernels of the search space, such as " + missing.front() +
                             ": './run tune' builds them all (or: talus-tune --candidates DIR, then cmake "
                             "-DTALUS_TABLES=DIR)");
  const std::string out = o.out.empty() ? "autotune/tables/" + folder_name(device.name) : o.out;
  const std::string results = default_results(o, out);
  require_writable("--out", out);
  require_writable("--results", fs::path(results).parent_path());

  const bench::machine limits = bench::machine::measure(backend::cuda);
  plan.bandwidth = limits.bandwidth;
  plan.cache_bytes = static_cast<double>(bench::last_level_cache(backend::cuda));
  facts about = bench::facts_of(limits, backend::cuda, command);
  about.insert(about.begin() + 1, {"capability", std::to_string(device.capability)});
  about.insert(about.begin() + 2, {"clocks", device.clocks});
  about.emplace_back("reference", fingerprint(generic));

  const auto [known, go_on] = read_earlier(o, results, about, {"GPU", "details", "reference"});

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
  std::printf("measurements go to %s%s\n", results.c_str(),
              go_on ? (", which holds " + std::to_string(known.all.size()) + " already").c_str() : "");
  std::fflush(stdout);

  results_file file(results, about, go_on);
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  const sweep_result done =
      sweep(plan, generic, known.all, points_on_gpu(*plan.of),
            {[&](const measurement& m) { file.add(m); }, show, say, [] { return interrupted != 0; }});
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
  return write_tuned_table(o, read_results(results), out);
}

int run_tune_host(const options& o, const std::string& command) {
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
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  std::vector<measurement> all = known.all;
  const bool complete = sweep_host(
      plan, all, [&](const measurement& m) { file.add(m); }, say, [] { return interrupted != 0; });
  if (!complete) {
    std::printf("interrupted; the same command goes on from here\n");
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
  return o.backend == "host" ? run_tune_host(o, command) : run_tune(o, command);
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
