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

std::string name_of(const measurement& m) {
  return describe(m.how) + ' ' + m.regime + ' ' + std::to_string(m.n);
}

/// Calls in one launch that were made when those in classes had begun.
std::set<std::string> after_classes(const std::vector<measurement>& all, char precision) {
  std::set<std::string> names, begun;
  for (const measurement& m : all) {
    if (m.precision != precision) continue;
    if (!is_alone(m.how)) begun.insert(m.regime);
    if (is_alone(m.how) && begun.count(m.regime) > 0) names.insert(name_of(m));
  }
  return names;
}

/// What choose_classes chooses, and which of the known calls it asks for.
struct choice {
  chosen_classes chosen;
  std::map<std::string, measurement> asked;
};
choice choice_of(const class_plan& plan, const class_memory& memory) {
  choice c;
  c.chosen = choose_classes(
      plan, class_rules{},
      [&](const class_call& call) {
        const measurement m = memory.recall(call);
        if (memory.find(call)) c.asked[name_of(m)] = m;
        return m;
      },
      [&](std::int64_t batch) { return memory.holds(plan.precision, batch); }, [](const std::string&) {});
  return c;
}

/// Calls in classes; and of those in one launch the best with as many matrices up to the same size, and
/// near it those by kernels that are chosen somewhere. Those that were made `later`, for comparison with
/// another set, go.
std::vector<measurement> without_those_behind(const class_plan& plan, const choice& of_all,
                                              const std::set<std::string>& later) {
  constexpr double near_if_chosen = 1.12;
  std::map<std::pair<int, std::int64_t>, double> best;
  for (const auto& [name, m] : of_all.asked) {
    if (!is_alone(m.how) || m.result != outcome::ok) continue;
    const auto [known, is_new] = best.emplace(std::pair{m.n, m.batch}, m.ratio());
    if (!is_new) known->second = std::min(known->second, m.ratio());
  }
  std::set<std::string> chosen;  // as calls name them
  for (const std::vector<size_class>& of : plan.alone) {
    for (const size_class& c : of) {
      for (const table_line& line : of_all.chosen.lines) {
        if (is_alone(line.how) && as_class(line.how) == c.how)
          chosen.insert(line.how.schedule + ' ' + c.name);
      }
    }
  }
  std::vector<measurement> some;
  for (const auto& [name, m] : of_all.asked) {
    const double limit = chosen.count(describe(m.how)) > 0 ? near_if_chosen : 1;
    const bool is_near = m.result == outcome::ok && m.ratio() <= limit * best[{m.n, m.batch}];
    if (!is_alone(m.how) || (is_near && later.count(name) == 0)) some.push_back(m);
  }
  return some;
}

std::vector<measurement> thinned_calls(const routine& of, const recorded& measured) {
  std::vector<measurement> kept;
  const bool is_thinned = !value_of(measured.about, thinned).empty();
  for (const char precision : std::string("sdcz")) {
    if (value_of(measured.about, std::string("classes ") + precision).empty()) continue;
    const class_plan plan = plan_of_classes(of, measured.about, precision);
    const choice of_all = choice_of(plan, class_memory(measured.all, is_thinned));
    const std::vector<measurement> some =
        without_those_behind(plan, of_all, after_classes(measured.all, precision));
    const choice of_some = choice_of(plan, class_memory(some, true));
    const auto text = [&](const choice& c) {
      table t;
      t.lines = c.chosen.lines;
      return text_of(t, of);
    };
    if (text(of_all) != text(of_some)) throw std::runtime_error("thinned, it would choose other lines");
    for (const auto& [name, m] : of_some.asked) kept.push_back(m);
  }
  return kept;
}

}  // namespace

int run_thin(const options& o) {
  const routine& of = routine_named(o.routine);
  recorded measured = read_results(o.thin);
  const std::vector<measurement> kept = of.mixed_sizes
                                            ? thinned_calls(of, measured)
                                            : thinned_sizes(measured, read_good_table(generic_path(o), of));
  if (value_of(measured.about, thinned).empty())
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
