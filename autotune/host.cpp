#include "host.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <stdexcept>

#include "commands.hpp"
#include "host/cholesky/kernels.hpp"
#include "host/cholesky/ways.hpp"
#include "measure/plan.hpp"
#include "measure/program.hpp"
#include "measure/routines.hpp"
#include "words.hpp"

namespace talus::tune {

namespace fs = std::filesystem;

// ---- the table -----------------------------------------------------------------------------------

namespace {

bool is_same(const host_line& a, const host_line& b) { return a.precision == b.precision && a.isa == b.isa; }

/// What is wrong with a line below these; empty: nothing.
std::string problem_of(const host_line& line, const std::vector<host_line>& above) {
  if (line.isa != "baseline" && line.isa != "avx2" && line.isa != "avx512")
    return "instruction set '" + line.isa + "' is none of baseline, avx2, avx512";
  if (std::any_of(above.begin(), above.end(), [&](const host_line& other) { return is_same(line, other); }))
    return "never serves: a line above it has the same precision and instruction set";
  if (line.n_max > 4096)
    return "n_max " + std::to_string(line.n_max) +
           " is above 4096: a group of matrices no longer fits into any cache";
  return "";
}

void write_host_table(const std::string& path, const std::vector<host_line>& lines) {
  std::string text =
      "// Cholesky on the CPU: up to n_max a batch is factored in SIMD lanes, a matrix per lane, above one "
      "matrix after the\n"
      "// other with OpenBLAS. By precision and instruction set; talus-tune --backend host writes the lines "
      "of "
      "the machine\n"
      "// that it runs on, talus-tune --check finds mistakes.\n//\n//          precision, isa, n_max\n\n";
  for (const host_line& line : lines) {
    text += formatted("TALUS_LANES(%c, %8s, %3d)", line.precision, line.isa.c_str(), line.n_max) +
            (line.evidence.empty() ? "" : "  // " + line.evidence) + "\n";
  }
  write_file(path, text);
}

}  // namespace

std::vector<host_line> read_host_table(const std::string& path, std::vector<problem_found>& problems) {
  std::vector<host_line> lines;
  std::ifstream file(path);
  if (!file) problems.push_back({0, "cannot be read"});
  const std::regex pattern(R"(TALUS_LANES\(\s*([sdcz])\s*,\s*(\w+)\s*,\s*(\d{1,6})\s*\)\s*(?://\s*(.*))?)");
  int number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    std::smatch parts;
    if (text.empty() || text.rfind("//", 0) == 0) continue;
    std::string problem = "is neither a comment nor TALUS_LANES(precision, isa, n_max)";
    if (std::regex_match(text, parts, pattern)) {
      const host_line line = {parts[1].str()[0], parts[2], std::stoi(parts[3]), parts[4]};
      problem = problem_of(line, lines);
      lines.push_back(line);
    }
    if (!problem.empty()) problems.push_back({number, problem});
  }
  return lines;
}

int choose_lanes_n_max(const std::vector<measurement>& all, char precision, double& factor) {
  constexpr double band = 1.02;
  std::map<int, double> worst;  // of the regimes, by size
  for (const measurement& m : all) {
    if (m.precision == precision && m.how.family == "lanes") worst[m.n] = std::max(worst[m.n], m.ratio());
  }
  int chosen = 0;
  for (const auto& [n, ratio] : worst) {
    if (!(ratio <= band)) break;
    chosen = n;
    factor = 1 / ratio;
  }
  return chosen;
}

// ---- lanes against one by one --------------------------------------------------------------------

namespace {

using host::potrf_way;

/// The routine whose ways the host chooses between.
template <class T>
using description = measure::potrf<T>;

template <class T>
measurement measure_ways(int n, std::int64_t batch) {
  measure::stopwatch watch(backend::host);
  const std::unique_ptr<measure::problem<T>> p =
      measure::make_problem<description<T>>(uplo::lower, backend::host, measure::square(n), batch);
  const auto seconds_of = [&](potrf_way way) {
    return measure::seconds_per_run(*p, watch, 1, [&](int copy) {
      const auto x = p->operands(copy);
      measure::require_success(host::potrf_at(way, x.uplo, x.A, x.info));
    });
  };
  measurement m;
  m.precision = precision_of<T>;
  m.n = n;
  m.batch = p->batch;
  m.how.family = "lanes";
  const measure::result_check<description<T>> check(*p);
  for (const potrf_way way : {potrf_way::one_by_one, potrf_way::lanes}) {
    seconds_of(way);
    const std::string wrong = check.complaint(true);
    if (!wrong.empty()) throw std::runtime_error("n = " + std::to_string(n) + ": " + wrong);
  }
  std::vector<double> lanes, others;
  double spent = 0;
  while (lanes.size() < 5 || (spent < 0.2 && lanes.size() < 200)) {  // short runs more often
    others.push_back(seconds_of(potrf_way::one_by_one));
    lanes.push_back(seconds_of(potrf_way::lanes));
    spent += others.back() + lanes.back();
  }
  m.take_times(lanes, others);
  return m;
}

/// The same for a regime.
measurement measure_point(char precision, int n, const std::string& regime) {
  const double bytes = static_cast<double>(cuda::element_of(precision).size) * n * n;
  const std::int64_t wanted = measure::parse_regime(regime).batch_count;
  const measure::fill fill = measure::fill_of(backend::host, precision, omp_get_max_threads(), 0);
  measurement m;
  with_type(precision, [&](auto zero) {
    if constexpr (measure::is_built<description>()) {
      m = measure_ways<decltype(zero)>(n, wanted > 0 ? wanted : fill.batch_count(bytes));
    } else {
      throw std::invalid_argument("--backend host: tunes potrf, which TALUS_ROUTINES left out of this build");
    }
  });
  m.regime = regime;
  say(formatted("%c n = %3d %-6s lanes %8.3f ms, one by one %8.3f ms: %.2fx", precision, n, regime.c_str(),
                m.median_ms, m.reference_ms, 1 / m.ratio()));
  return m;
}

/// Puts what was chosen for this machine's instruction set into the host's table, and says so.
void update_host_table(const std::string& path, const std::vector<measurement>& all,
                       const std::string& machine) {
  std::vector<problem_found> problems;
  std::vector<host_line> lines;
  if (fs::exists(path)) lines = read_host_table(path, problems);
  if (!problems.empty()) throw std::runtime_error(path + ": " + problems.front().what);
  for (const char precision : std::string(built_precisions)) {
    if (std::none_of(all.begin(), all.end(), [&](const measurement& m) { return m.precision == precision; }))
      continue;
    double factor = 0;
    host_line tuned;
    tuned.precision = precision;
    tuned.n_max = choose_lanes_n_max(all, precision, factor);
    tuned.evidence = formatted("%.2fx one by one there, on ", factor) + machine;
    with_type(precision, [&](auto zero) {
      if constexpr (measure::is_built<description>())
        tuned.isa = host::lane_kernels<host::cholesky_kernels<decltype(zero)>>().isa;
    });
    const auto same =
        std::find_if(lines.begin(), lines.end(), [&](const host_line& line) { return is_same(line, tuned); });
    std::printf("%c, %s: lanes up to n = %d", precision, tuned.isa.c_str(), tuned.n_max);
    if (same == lines.end()) {
      lines.push_back(tuned);
      std::printf("\n");
    } else {
      std::printf(same->n_max == tuned.n_max ? ", as before\n" : " (was %d)\n", same->n_max);
      *same = tuned;
    }
  }
  write_host_table(path, lines);
  std::printf("written: %s (build again to run it)\n", path.c_str());
}

}  // namespace

int run_tune_host(const options& o, const std::string& command) {
  const std::string tuned = description<double>::name;
  if (o.routine != tuned)
    throw measure::usage_error("--routine: the host has no table of " + o.routine +
                               "; --backend host tunes " + tuned + " alone");
  const double budget = budget_of(o);
  const std::string out = o.out.empty() ? "autotune/tables/host" : o.out;
  const std::vector<int> sizes = measure::parse_sizes(
      o.sizes.empty() ? "32,48,64,80,96,112,128,160,192,224,256,288,320,352,384,416,448,480,512" : o.sizes);
  // Many matrices, and sixteen per thread, which groups of lanes divide worse.
  std::vector<std::string> regimes = {"fill", "b" + std::to_string(16 * omp_get_max_threads())};
  if (!o.regimes.empty()) regimes = o.regimes;
  for (const std::string& regime : regimes) measure::parse_regime(regime);
  const std::string precisions = precisions_of(o);
  workplace at = prepare(o, command, backend::host, out, {});
  heed_interrupts();
  std::vector<measurement> all = at.known;
  const double started = clock_seconds();
  for (const char precision : precisions) {
    for (const int n : sizes) {
      for (const std::string& regime : regimes) {
        if (std::any_of(all.begin(), all.end(), [&](const measurement& m) {
              return m.precision == precision && m.n == n && m.regime == regime;
            }))
          continue;
        if (is_interrupted() || (budget > 0 && clock_seconds() - started >= budget)) {
          // A threshold of some of the sizes would be none.
          std::printf("%s; the same command goes on from here\n",
                      is_interrupted() ? "interrupted" : ("the budget of " + o.budget + " ended").c_str());
          return measure::unfinished;
        }
        all.push_back(measure_point(precision, n, regime));
        at.file.add(all.back());
      }
    }
  }
  update_host_table((fs::path(out) / (o.routine + ".inc")).string(), all,
                    at.limits.name + ", " + at.limits.details);
  return measure::fine;
}

}  // namespace talus::tune
