// talus-tune --thin: of a file of measurements, what choosing from it needs. A sweep of all candidates is
// some megabytes; what is left of it is a tenth.
#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>

#include "choose.hpp"
#include "classes.hpp"
#include "commands.hpp"
#include "measure/program.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

/// Of each point the reference, with the noise that is known of it, the best kernels, and as far as they are
/// near, those that are chosen at some point or stand in the generic table.
std::vector<measurement> thinned_sizes(const recorded& measured, const table& generic) {
  constexpr std::size_t best = 2;
  constexpr double near = 1.15;
  const rules r;
  std::vector<measurement> kept;
  for (const char precision : std::string("sdcz")) {
    const std::vector<point> points = points_of(measured.all, precision, r);
    std::set<kernel> chosen;
    rules all_lines = r;
    all_lines.own_gain = -1;  // none goes
    for (const rules& by : {r, all_lines}) {
      for (const table_line& line : choose_lines(points, generic, by)) chosen.insert(line.how);
    }
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
  using calls = std::map<std::string, measurement>;
  const auto choose = [&](const class_memory& memory, calls& asked) {
    const chosen_classes chosen = choose_classes(
        plan, class_rules{},
        [&](const class_call& call) {
          if (const measurement* const m = memory.find(call))
            asked[describe(m->how) + ' ' + m->regime + ' ' + std::to_string(m->n)] = *m;
          return memory.recall(call);
        },
        [&](std::int64_t batch) { return memory.holds(plan.precision, batch); }, [](const std::string&) {});
    table t;
    t.lines = chosen.lines;
    return text_of(t, *plan.of);
  };
  calls of_all, of_some;
  const std::string lines = choose(class_memory(measured.all, is_thinned(measured)), of_all);
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
  if (choose(class_memory(some, true), of_some) != lines)
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
  return measure::fine;
}

}  // namespace talus::tune
