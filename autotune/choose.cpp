#include "choose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "cheapest_path.hpp"
#include "measure/plan.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Nine tenths of the reference's medians lie this close to their own median.
double noise_of(std::vector<double> medians) {
  if (medians.size() < 2) return 0;
  const double middle = measure::statistics_of(medians).median;
  for (double& m : medians) m = std::abs(m / middle - 1);
  std::sort(medians.begin(), medians.end());
  return medians[medians.size() * 9 / 10];
}

/// The kernels for small and for large batches at one size.
struct state {
  kernel few, many;
  bool split() const { return few != many; }
};
bool operator==(const state& a, const state& b) { return a.few == b.few && a.many == b.many; }

/// The points of one size with the fewest and with the most matrices, which may be one.
struct size_step {
  const point *few, *many;
  const kernel* generic = nullptr;
};

double ratio_at(const point& p, const kernel& k) {
  const auto found = p.ratio.find(k);
  return found == p.ratio.end() ? never : found->second;
}

/// What differences within the noise weigh: enough to prefer the faster of equals, and the generic table's
/// kernel among those that are not faster by more than the noise; too little for a line.
constexpr double within_the_band = 0.02;

/// What it costs to run kernel k at point p.
double loss_at(const point& p, const kernel& k, const kernel* generic, const rules& r) {
  const double ratio = ratio_at(p, k);
  if (!(ratio <= 1 + r.most_loss)) return never;
  const double loss = std::log(ratio / best_of(p).second), band = std::log1p(p.band);
  return std::max(0.0, loss - band) + within_the_band * loss +
         (generic && k == *generic ? 0 : within_the_band * band);
}

std::vector<size_step> steps_of(const std::vector<point>& points, const table& generic) {
  std::vector<size_step> steps;
  for (const point& p : points) {
    if (steps.empty() || steps.back().few->n != p.n) steps.push_back({&p, &p});
    steps.back().many = &p;
    const table_line* const line = select(generic.lines, p.precision, p.n, p.batch);
    if (line) steps.back().generic = &line->how;
  }
  return steps;
}

double cost_of(const size_step& s, const state& choice, const rules& r) {
  if (choice.split() && s.few->batch >= s.many->batch) return never;
  double cost = loss_at(*s.few, choice.few, s.generic, r);
  if (s.many != s.few) cost += loss_at(*s.many, choice.many, s.generic, r);
  if (choice.split()) cost += std::log1p(r.batch_gain);
  return cost;
}

/// Eligible choices at one size: every kernel for all batches, and every pair of those that are fast there.
std::vector<path_point<state>> choices_at(const size_step& s, const rules& r) {
  std::vector<path_point<state>> all;
  const auto add = [&](const kernel& few, const kernel& many) {
    const double cost = cost_of(s, {few, many}, r);
    if (std::isfinite(cost)) all.push_back({{few, many}, cost});
  };
  const auto fast = [&](const point& p) {
    return std::min(best_of(p).second * (1 + r.batch_gain), 1 + r.most_loss);
  };
  for (const auto& [k, ratio] : s.few->ratio) add(k, k);
  if (s.many == s.few) return all;
  const double fast_few = fast(*s.few), fast_many = fast(*s.many);
  for (const auto& [few, of_few] : s.few->ratio) {
    for (const auto& [many, of_many] : s.many->ratio) {
      if (of_few <= fast_few && of_many <= fast_many && few != many) add(few, many);
    }
  }
  return all;
}

const table_line* select(const std::vector<table_line>& lines, const point& p) {
  return select(lines, p.precision, p.n, p.batch);
}

/// The times at the largest measured size that a line serves.
std::string evidence_for(const table_line& line, const std::vector<table_line>& lines,
                         const std::vector<point>& points) {
  std::string evidence;
  int n = 0;
  for (auto p = points.rbegin(); p != points.rend() && (n == 0 || p->n == n); ++p) {
    if (select(lines, *p) != &line) continue;
    n = p->n;
    const double ratio = ratio_at(*p, line.how);
    evidence += formatted("; %s %.4g ms, %.2fx", p->regime.c_str(), p->reference_ms * ratio, 1 / ratio);
  }
  return n == 0 ? "" : "n = " + std::to_string(n) + evidence;
}

/// The cheapest choice at each size; none where a size has no eligible kernel, which cannot be: the reference
/// itself always is.
std::vector<state> cheapest_choices(const std::vector<size_step>& steps, const rules& r) {
  path_steps<state> all;
  for (const size_step& s : steps) all.push_back(choices_at(s, r));
  const auto reached = reached_by(std::move(all), std::log1p(r.line_gain));
  if (steps.empty() || reached.size() < steps.size()) return {};
  return cheapest_path(reached, steps.size() - 1);
}

/// Equal neighbours become one line, or two where the batch divides them: up to the geometric mean of the
/// measured batches, as far as one bound serves all its sizes.
std::vector<table_line> as_lines(const std::vector<size_step>& steps, const std::vector<state>& chosen) {
  std::vector<table_line> lines;
  for (std::size_t i = 0; i < steps.size();) {
    std::int64_t above_all_few = 0, below_all_many = cuda::any_batch;
    std::size_t end = i;
    while (end < steps.size() && chosen[end] == chosen[i]) {
      if (chosen[i].split()) {
        const std::int64_t few = std::max(above_all_few, steps[end].few->batch);
        const std::int64_t many = std::min(below_all_many, steps[end].many->batch);
        if (few >= many) break;
        above_all_few = few;
        below_all_many = many;
      }
      ++end;
    }
    table_line line;
    line.precision = steps[i].few->precision;
    line.bounds = {end == steps.size() ? cuda::any_extent : steps[end - 1].few->n};
    if (chosen[i].split()) {
      line.how = chosen[i].few;
      line.batch_max = static_cast<std::int64_t>(
          std::sqrt(static_cast<double>(above_all_few) * static_cast<double>(below_all_many)));
      lines.push_back(line);
    }
    line.how = chosen[i].many;
    line.batch_max = cuda::any_batch;
    lines.push_back(line);
    i = end;
  }
  return lines;
}

/// A table without line number `at`, whose points the next lines serve, or the one before it, if that grows.
std::vector<table_line> without_line(std::vector<table_line> lines, std::size_t at, bool before_grows) {
  if (before_grows) {
    lines[at - 1].bounds = lines[at].bounds;
    lines[at - 1].batch_max = std::max(lines[at - 1].batch_max, lines[at].batch_max);
  }
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  return lines;
}

/// What it costs, in the mean over the points that line number `at` serves, to have `other` instead of
/// `lines`; never, if some point loses too much to what it had at first.
double cost_of_change(const std::vector<table_line>& lines, const std::vector<table_line>& other,
                      std::size_t at, const std::vector<point>& points, const std::vector<double>& first,
                      const rules& r) {
  double sum = 0;
  int served = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const table_line *const now = select(lines, points[i]), *const then = select(other, points[i]);
    const double ratio = ratio_at(points[i], then->how);
    if (now->how != then->how && (ratio > first[i] * (1 + r.most_given) || ratio > 1 + r.own_gain))
      return never;
    sum += std::log(ratio / ratio_at(points[i], now->how));
    served += now == &lines[at];
  }
  return sum / std::max(served, 1);
}

/// Lines stay where they gain enough on what would serve without them.
std::vector<table_line> only_worthwhile(std::vector<table_line> lines, const std::vector<point>& points,
                                        const rules& r) {
  std::vector<double> first;
  for (const point& p : points) first.push_back(ratio_at(p, select(lines, p)->how));
  for (;;) {
    double least = std::log1p(r.own_gain);
    std::vector<table_line> best;
    for (std::size_t at = 0; at + 1 < lines.size(); ++at) {
      for (const bool before_grows : {false, true}) {
        if (before_grows && at == 0) continue;
        const std::vector<table_line> other = without_line(lines, at, before_grows);
        const double cost = cost_of_change(lines, other, at, points, first, r);
        if (cost >= least) continue;
        least = cost;
        best = other;
      }
    }
    if (best.empty()) return lines;
    lines = best;
  }
}

}  // namespace

std::vector<point> points_of(const std::vector<measurement>& all, char precision, const rules& r) {
  std::map<std::pair<int, std::string>, point> found;
  std::map<std::pair<int, std::string>, std::vector<double>> references;
  std::map<std::pair<int, std::string>, std::map<kernel, std::vector<double>>> ratios;
  for (const measurement& m : all) {
    if (m.precision != precision || m.result != outcome::ok || !(m.reference_ms > 0)) continue;
    const auto key = std::pair{m.n, m.regime};
    point& p = found[key];
    p.precision = precision;
    p.regime = m.regime;
    p.n = m.n;
    p.batch = m.batch;
    ratios[key][m.how].push_back(m.ratio());
    references[key].push_back(m.reference_ms);
    if (m.why.rfind(noise_words, 0) == 0) p.band = std::stod(m.why.substr(noise_words.size()));
  }
  std::vector<point> points;
  for (auto& [key, p] : found) {
    p.reference_ms = measure::statistics_of(references[key]).median;
    p.band = std::max({r.least_band, p.band, noise_of(references[key])});
    for (const auto& [k, all_ratios] : ratios[key]) p.ratio[k] = measure::statistics_of(all_ratios).median;
    points.push_back(p);
  }
  std::stable_sort(points.begin(), points.end(), [](const point& a, const point& b) {
    return std::pair{a.n, a.batch} < std::pair{b.n, b.batch};
  });
  return points;
}

std::pair<kernel, double> best_of(const point& p) {
  const auto best = std::min_element(p.ratio.begin(), p.ratio.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return *best;
}

std::vector<table_line> choose_lines(const std::vector<point>& points, const table& generic, const rules& r) {
  const std::vector<size_step> steps = steps_of(points, generic);
  const std::vector<state> chosen = cheapest_choices(steps, r);
  if (chosen.empty()) return {};
  std::vector<table_line> lines = only_worthwhile(as_lines(steps, chosen), points, r);

  // Above all that was measured the table must serve every n; where its last kernel cannot, the generic one
  // does.
  const table_line* const last =
      select(generic.lines, lines.back().precision, cuda::any_extent, cuda::any_batch);
  if (last && lines.back().how.family != last->how.family) {
    for (table_line& line : lines) {
      if (line.n_max() == cuda::any_extent) line.bounds = {points.back().n};
    }
    lines.push_back(*last);
    lines.back().evidence = "not measured: the generic table's line";
  }
  for (table_line& line : lines) {
    if (line.evidence.empty()) line.evidence = evidence_for(line, lines, points);
  }
  return lines;
}

gain gain_of(const std::vector<point>& points, const std::vector<table_line>& lines, const table& generic) {
  gain g;
  g.lines = static_cast<int>(lines.size());
  std::vector<double> gains;
  double logarithms = 0;
  std::set<const table_line*> changed;
  for (const point& p : points) {
    const table_line *const line = select(lines, p), *const before = select(generic.lines, p);
    if (line && before && line->how != before->how) changed.insert(line);
    const double gained = line ? 1 / ratio_at(p, line->how) : 0;
    if (gained == 0) {
      ++g.unmeasured;
      continue;
    }
    if (gains.empty() || gained < g.least) std::tie(g.least, g.least_n) = std::pair{gained, p.n};
    if (gains.empty() || gained > g.most) std::tie(g.most, g.most_n) = std::pair{gained, p.n};
    gains.push_back(gained);
    logarithms += std::log(gained);
  }
  g.points = static_cast<int>(gains.size());
  g.changed_lines = static_cast<int>(changed.size());
  g.median = measure::statistics_of(gains).median;
  g.mean = gains.empty() ? 0 : std::exp(logarithms / static_cast<double>(gains.size()));
  return g;
}

agreement compare(const std::vector<point>& a, const std::vector<table_line>& lines_a,
                  const std::vector<point>& b, const std::vector<table_line>& lines_b) {
  agreement result;
  // By the measurements of p: is `theirs` as good as `ours`?
  const auto as_good = [](const point& p, const kernel& theirs, const kernel& ours) {
    return theirs == ours || ratio_at(p, theirs) <= ratio_at(p, ours) * (1 + p.band) * (1 + p.band);
  };
  for (const point& p : a) {
    const auto same = std::find_if(b.begin(), b.end(), [&](const point& q) {
      return q.precision == p.precision && q.n == p.n && q.regime == p.regime;
    });
    if (same == b.end()) continue;
    const table_line* const ours = select(lines_a, p);
    const table_line* const theirs = select(lines_b, *same);
    if (!ours || !theirs) continue;
    ++result.points;
    if (as_good(p, theirs->how, ours->how) && as_good(*same, ours->how, theirs->how)) {
      ++result.agreeing;
    } else {
      result.disagreements.push_back(formatted(
          "%c, n = %d, %s: %s (%.3f, %.3f) against %s (%.3f, %.3f)", p.precision, p.n, p.regime.c_str(),
          describe(ours->how).c_str(), ratio_at(p, ours->how), ratio_at(*same, ours->how),
          describe(theirs->how).c_str(), ratio_at(p, theirs->how), ratio_at(*same, theirs->how)));
    }
  }
  return result;
}

}  // namespace talus::tune
