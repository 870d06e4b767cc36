// From files of measurements: the GPU's table, whether two agree, and what choosing needs of one.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "choose.hpp"
#include "classes.hpp"
#include "commands.hpp"
#include "measure/program.hpp"
#include "space.hpp"
#include "words.hpp"

namespace talus::tune {

namespace fs = std::filesystem;
using measure::fine, measure::usage_error;

namespace {

/// Which lines of a table went, and which came.
void print_changes(const table& before, const table& after) {
  const auto words_of = [](const table_line& line) {
    return std::string(1, line.precision) + ", n_max " + text_of_n(line.n_max()) + ", batch_max " +
           text_of_batch(line.batch_max) + ": " + describe(line.how);
  };
  const auto print_missing = [&](char sign, const table& of, const table& in) {
    std::set<std::string> known;
    for (const table_line& line : in.lines) known.insert(words_of(line));
    for (const table_line& line : of.lines) {
      if (known.count(words_of(line)) == 0) std::printf("%c %s\n", sign, words_of(line).c_str());
    }
  };
  print_missing('-', before, after);
  print_missing('+', after, before);
}

/// The lines of one precision; says what they gain.
std::vector<table_line> sizes_from(const routine& of, const recorded& measured, char precision,
                                   const table& generic) {
  const rules r;
  const std::vector<point> points = points_of(measured.all, precision, r);
  std::vector<table_line> lines = choose_lines(points, generic, r);
  if (lines.empty()) {
    throw std::runtime_error(std::string("precision ") + precision +
                             ": the measurements do not hold the generic table's own kernels");
  }
  const gain g = gain_of(points, lines, generic);
  std::printf("%-9c %6d %6d %8d | %.2fx, %.2fx, %.3fx at n = %d, %.2fx at n = %d\n", precision, g.points,
              g.lines, g.changed_lines, g.mean, g.median, g.least, g.least_n, g.most, g.most_n);
  for (table_line& line : lines) line.bounds = of.box(line.n_max());
  return lines;
}

/// By what identifies a call.
using calls = std::map<std::string, measurement>;

/// The same where matrices differ in size: chosen again as when it was measured, from what is known of calls.
/// `asked` gets those of them that it depends on.
chosen_classes choose_again(const class_plan& plan, const class_memory& memory, calls& asked) {
  const auto recall = [&](const class_call& call) {
    if (const measurement* const m = memory.find(call))
      asked[describe(m->how) + ' ' + m->regime + ' ' + std::to_string(m->n)] = *m;
    return memory.recall(call);
  };
  const auto is_known = [&](std::int64_t batch) { return memory.holds(plan.precision, batch); };
  return choose_classes(plan, class_rules{}, recall, is_known, [](const std::string&) {});
}

std::vector<table_line> classes_from(const routine& of, const recorded& measured, char precision) {
  calls asked;
  const chosen_classes chosen = choose_again(plan_of_classes(of, measured.about, precision),
                                             class_memory(measured.all, is_thinned(measured)), asked);
  std::printf("%-9c %6d %6zu | %.2fx, %.2fx with %lld matrices to n = %d\n", precision, chosen.calls,
              chosen.lines.size(), chosen.mean, chosen.least, static_cast<long long>(chosen.least_batch),
              chosen.least_n);
  return chosen.lines;
}

}  // namespace

int write_tuned_table(const options& o, const recorded& measured, const std::string& out) {
  const routine& of = routine_named(o.routine);
  const table generic = read_good_table(generic_path(o), of);
  const std::string path = (fs::path(out) / (o.routine + ".inc")).string();
  table before, tuned;
  if (fs::exists(path)) before = read_good_table(path, of);
  tuned.gpu = value_of(measured.about, "GPU");
  tuned.name = folder_name(tuned.gpu);
  tuned.capability = std::atoi(value_of(measured.about, "capability").c_str());
  if (tuned.gpu.empty() || tuned.capability == 0)
    throw std::runtime_error("the measurements do not say of which GPU they are");
  tuned.preamble = "// " + o.routine + " on " + tuned.gpu +
                   ", chosen by talus-tune. Edit it if you know better; talus-tune\n" +
                   "// --check finds mistakes. Behind each line: time at the largest measured n that it "
                   "serves, and how many times as\n" +
                   "// fast that is as the generic table. docs/tuning.md says how lines are chosen.\n";
  for (const char* fact : {"details", "commit", "date"})
    tuned.preamble += "// " + std::string(fact) + ": " + value_of(measured.about, fact) + "\n";

  if (!of.mixed_sizes)
    std::printf("\n%-9s %6s %6s %8s | gain over the generic table: %s\n", "precision", "points", "lines",
                "changed", "geometric mean, median, least, most");
  else
    std::printf("\n%-9s %6s %6s | gain over the generic table: %s\n", "precision", "calls", "lines",
                "geometric mean, least");
  for (const char precision : std::string("sdcz")) {
    const bool is_there = std::any_of(measured.all.begin(), measured.all.end(), [&](const measurement& one) {
      return one.precision == precision && one.result == outcome::ok;
    });
    const std::vector<table_line> lines = !is_there        ? lines_of(before, precision)
                                          : of.mixed_sizes ? classes_from(of, measured, precision)
                                                           : sizes_from(of, measured, precision, generic);
    tuned.lines.insert(tuned.lines.end(), lines.begin(), lines.end());
  }
  if (tuned.lines.empty()) throw std::runtime_error("nothing was measured");
  const std::vector<problem_found> problems = check(tuned, of);
  for (const problem_found& p : problems) std::fprintf(stderr, "%s: %s\n", path.c_str(), p.what.c_str());
  if (!problems.empty()) return measure::wrong;
  write_file(path, text_of(tuned, of));
  if (!before.lines.empty()) print_changes(before, tuned);
  std::printf("written: %s (build again to run it)\n", path.c_str());
  return fine;
}

namespace {

/// The measurements in a file that the user named.
recorded read_named(const std::string& option, const std::string& path) {
  if (!std::ifstream(path)) throw usage_error(option + ": cannot read '" + path + "'");
  return read_results(path);
}

}  // namespace

int run_select(const options& o) {
  if (o.out.empty()) throw usage_error("--select: --out DIR says where the table goes");
  require_writable("--out", o.out);
  if (routine_named(o.routine).mixed_sizes && o.select.size() > 1)
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
  if (routine_named(o.routine).mixed_sizes)
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

// ---- thinning ------------------------------------------------------------------------------------

namespace {

/// Of each point the reference, with the noise that is known of it, the best kernels, and as far as they are
/// near, those that are chosen at some point or stand in the generic table.
std::vector<measurement> thinned_sizes(const recorded& measured, const table& generic) {
  constexpr std::size_t best = 2;
  constexpr double near = 1.15;
  std::vector<measurement> kept;
  for (const char precision : std::string("sdcz")) {
    const std::vector<point> points = points_of(measured.all, precision, rules{});
    std::set<kernel> chosen;
    rules all_lines;
    all_lines.own_gain = -1;  // none goes
    for (const table_line& line : choose_lines(points, generic, all_lines)) chosen.insert(line.how);
    for (const table_line& line : lines_of(generic, precision)) chosen.insert(line.how);
    for (const point& p : points) {
      std::multimap<double, kernel> by_ratio;
      for (const auto& [k, ratio] : p.ratio) by_ratio.emplace(ratio, k);
      const table_line* const reference = select(generic.lines, precision, p.n, p.batch);
      std::size_t rank = 0;
      for (const auto& [ratio, k] : by_ratio) {
        const bool is_reference = reference && k == reference->how;
        const bool is_near = ratio <= near * by_ratio.begin()->first && chosen.count(k) > 0;
        if (rank++ >= best && !is_near && !is_reference) continue;
        measurement m;
        m.precision = precision;
        m.regime = p.regime;
        m.n = p.n;
        m.batch = p.batch;
        m.how = k;
        m.reference_ms = p.reference_ms;
        m.median_ms = ratio * p.reference_ms;
        if (is_reference) m.why = noise_words + formatted("%.4g", p.band);
        kept.push_back(m);
      }
    }
  }
  return kept;
}

/// Where matrices differ in size, of one precision: the calls that choosing asks for, and of those in one
/// launch what is near the best of as many matrices up to the same size.
std::vector<measurement> thinned_calls(const class_plan& plan, const recorded& measured) {
  constexpr double near = 1.12;
  const auto text = [&](const chosen_classes& chosen) {
    table t;
    t.lines = chosen.lines;
    return text_of(t, *plan.of);
  };
  calls of_all, of_some;
  const std::string lines =
      text(choose_again(plan, class_memory(measured.all, is_thinned(measured)), of_all));
  std::map<std::pair<int, std::int64_t>, double> best;
  const auto is_one_launch = [](const measurement& m) { return is_alone(m.how) && m.result == outcome::ok; };
  for (const auto& [name, m] : of_all) {
    if (!is_one_launch(m)) continue;
    double& least = best.emplace(std::pair{m.n, m.batch}, m.ratio()).first->second;
    least = std::min(least, m.ratio());
  }
  std::vector<measurement> some, kept;
  for (const auto& [name, m] : of_all) {
    if (!is_alone(m.how) || (is_one_launch(m) && m.ratio() <= near * best[{m.n, m.batch}])) some.push_back(m);
  }
  if (text(choose_again(plan, class_memory(some, true), of_some)) != lines)
    throw std::runtime_error("thinned, it would choose other lines");
  for (const auto& [name, m] : of_some) kept.push_back(m);
  return kept;
}

}  // namespace

int run_thin(const options& o) {
  const routine& of = routine_named(o.routine);
  recorded measured = read_results(o.thin);
  std::vector<measurement> kept;
  if (!of.mixed_sizes) kept = thinned_sizes(measured, read_good_table(generic_path(o), of));
  for (const char precision : std::string(of.mixed_sizes ? "sdcz" : "")) {
    if (value_of(measured.about, std::string("classes ") + precision).empty()) continue;
    const std::vector<measurement> of_precision =
        thinned_calls(plan_of_classes(of, measured.about, precision), measured);
    kept.insert(kept.end(), of_precision.begin(), of_precision.end());
  }
  if (!is_thinned(measured))
    measured.about.emplace_back(
        thinned, "to what choosing needs, of " + std::to_string(measured.all.size()) + " measurements");
  results_file file(o.thin, measured.about, false);
  for (measurement m : kept) {
    m.min_ms = m.max_ms = 0;  // nobody chooses by them
    file.add(m);
  }
  std::printf("%zu of %zu measurements left in %s\n", kept.size(), measured.all.size(), o.thin.c_str());
  return fine;
}

}  // namespace talus::tune
