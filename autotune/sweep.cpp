#include "sweep.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "measure/plan.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

/// What each kind of kernel loses to the best at a size, by what was measured there. A kind that is a
/// candidate but was not measured was hopeless already.
std::map<kernel, double> losses_at(int n, const routine& of, const cuda::gpu_limits& limits, char precision,
                                   const std::vector<measurement>& measured) {
  constexpr double never_measured = 1e9;
  double best = std::numeric_limits<double>::infinity();
  for (const measurement& m : measured) {
    if (m.n == n && m.median_ms > 0) best = std::min(best, m.ratio());
  }
  std::map<kernel, double> losses;
  for (const kernel& k : of.candidates(precision, n, limits)) losses[neighbour_key(of, k)] = never_measured;
  for (const measurement& m : measured) {
    if (m.n != n || !(m.median_ms > 0)) continue;
    double& known = losses.emplace(neighbour_key(of, m.how), never_measured).first->second;
    known = std::min(known, m.ratio() / best);
  }
  return losses;
}

std::string minutes(double seconds) {
  return formatted("%d:%02d", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
}

/// One point: its candidates, one after the other.
class point_sweep {
 public:
  point_sweep(const sweep_plan& plan, const table& generic, const point_maker& make_point, const listener& to,
              char precision, int n, const std::string& regime)
      : plan_(plan), make_point_(make_point), to_(to) {
    blank_.precision = precision;
    blank_.regime = regime;
    blank_.n = n;
    blank_.batch = batch_count(precision, n, regime);
    where_ = std::string(1, precision) + ", n = " + std::to_string(n) + ", " + regime;
    const table_line* const line = select(generic.lines, precision, n, blank_.batch);
    if (!line) throw std::runtime_error("the generic table has no line for " + where_);
    reference_ = line->how;
  }

  /// A measurement, new or made before; those of other points say nothing.
  void take(const measurement& m) {
    if (m.precision != blank_.precision || m.n != blank_.n || m.regime != blank_.regime) return;
    done_.insert(m.how);
    if (m.how == reference_) reference_seconds_ = m.reference_ms * 1e-3;
    if (m.result == outcome::ok && (best_.median_ms == 0 || m.ratio() < best_.ratio())) best_ = m;
  }

  /// Measures what is not known yet. `before` is what prunes; false: stopped.
  bool run(const std::vector<measurement>& before, std::vector<std::string>& troubles) {
    if (!done_.count(reference_)) measure_reference();
    const std::vector<kernel> chosen = worth_measuring(*plan_.of, plan_.limits, reference_, blank_.precision,
                                                       blank_.n, blank_.regime, before);
    tried_ = chosen.size() + 1;
    std::size_t number = 0;
    for (const kernel& k : chosen) {
      ++number;
      if (done_.count(k)) continue;
      if (to_.stop()) return false;
      to_.show(where_ +
               formatted(", candidate %zu of %zu, best %.2fx: ", number, chosen.size(), 1 / best_.ratio()) +
               describe(k));
      measure_candidate(k, troubles);
    }
    return true;
  }

  bool measured_anything() const { return here_ != nullptr; }

  std::string report() const {
    const double flops = plan_.of->flops(blank_.precision, blank_.n) * static_cast<double>(best_.batch);
    return formatted("%c n = %4d %-6s %8.1f GFLOP/s %5.2fx  %-56s %zu tried, %d slow", blank_.precision,
                     blank_.n, blank_.regime.c_str(), flops / best_.median_ms * 1e-6, 1 / best_.ratio(),
                     describe(best_.how).c_str(), tried_, slow_) +
           (troubled_ > 0 ? ", " + std::to_string(troubled_) + " FAILED" : "");
  }

 private:
  /// The matrices are only made where something is left to measure.
  measuring_point& here() {
    if (!here_) {
      to_.show(where_ + ": making " + std::to_string(blank_.batch) + " matrices");
      here_ = make_point_(blank_.precision, blank_.n, blank_.batch, reference_);
      blank_.batch = here_->batch();
      require_reference("");
    }
    return *here_;
  }

  void require_reference(const std::string& after) {
    const measuring_point::verdict reference = here_->check(reference_);
    if (reference.result == outcome::ok) return;
    throw std::runtime_error(where_ + ": the generic table's kernel " + reference.why + after);
  }

  void record(const measurement& m) {
    to_.add(m);
    take(m);
  }

  void measure_reference() {
    here();
    measurement m = blank_;
    m.how = reference_;
    here().measure(reference_, reference_, m);
    m.reference_ms = m.median_ms;  // by definition its ratio is 1
    record(m);
  }

  void measure_candidate(const kernel& k, std::vector<std::string>& troubles) {
    constexpr double hopeless = 1.2;
    const measuring_point::verdict verdict = here().check(k);
    measurement m = blank_;
    m.how = k;
    m.result = verdict.result;
    m.why = verdict.why;
    m.reference_ms = reference_seconds_ * 1e3;
    if (m.result != outcome::ok) {
      record(m);
      troubles.push_back(where_ + ": " + describe(k) + " " + m.why);
      ++troubled_;
      if (m.result == outcome::failed)  // did it take the device with it?
        require_reference(" after " + describe(k) + " did; the same command goes on behind that");
      return;
    }
    const double most = hopeless * best_.ratio() * reference_seconds_;
    double seconds = here().probe(k);
    if (seconds > most) seconds = std::min(seconds, here().probe(k));  // one run may have been disturbed
    if (seconds > most) {
      m.result = outcome::slow;
      m.median_ms = m.min_ms = m.max_ms = seconds * 1e3;
      ++slow_;
    } else {
      here().measure(k, reference_, m);
    }
    record(m);
  }

  const sweep_plan& plan_;
  const point_maker& make_point_;
  const listener& to_;
  measurement blank_, best_;  // what all of this point have in common; the fastest of them
  std::string where_;
  kernel reference_;
  std::set<kernel> done_;
  std::unique_ptr<measuring_point> here_;
  double reference_seconds_ = 0;
  std::size_t tried_ = 0;
  int slow_ = 0, troubled_ = 0;
};

/// The measurements of one precision and regime at the sizes that come before order[at]: what prunes a point
/// is then the same whether the sweep was interrupted or not.
std::vector<measurement> made_before(const std::vector<measurement>& all, char precision,
                                     const std::string& regime, const std::vector<int>& order,
                                     std::size_t at) {
  const std::set<int> earlier(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(at));
  std::vector<measurement> some;
  std::copy_if(all.begin(), all.end(), std::back_inserter(some), [&](const measurement& m) {
    return m.precision == precision && m.regime == regime && earlier.count(m.n) > 0;
  });
  return some;
}

}  // namespace

std::vector<int> tuning_sizes() {
  const std::map<int, int> step_up_to = {{48, 1},   {64, 2},    {128, 4},   {256, 8},
                                         {512, 16}, {1024, 32}, {1536, 512}};
  std::vector<int> sizes = {2};
  for (const auto& [last, step] : step_up_to) {
    while (sizes.back() + step <= last) sizes.push_back(sizes.back() + step);
  }
  return sizes;
}

std::vector<int> coarse_to_fine(const std::vector<int>& sizes) {
  std::vector<int> order;
  std::set<int> taken;
  for (std::size_t step = 16; step > 0; step /= 2) {
    for (std::size_t i = 0; i < sizes.size(); i += step) {
      if (taken.insert(sizes[i]).second) order.push_back(sizes[i]);
    }
    if (step == 16 && !sizes.empty() && taken.insert(sizes.back()).second) order.push_back(sizes.back());
  }
  return order;
}

std::vector<kernel> worth_measuring(const routine& of, const cuda::gpu_limits& limits,
                                    const kernel& reference, char precision, int n, const std::string& regime,
                                    const std::vector<measurement>& before) {
  constexpr double hopeless = 1.6, unknown = 1.1;
  std::vector<measurement> measured;
  std::copy_if(before.begin(), before.end(), std::back_inserter(measured),
               [&](const measurement& m) { return m.precision == precision && m.regime == regime; });
  int below = 0, above = std::numeric_limits<int>::max();  // the nearest sizes
  for (const measurement& m : measured) {
    if (m.n < n) below = std::max(below, m.n);
    if (m.n > n) above = std::min(above, m.n);
  }
  std::vector<std::map<kernel, double>> neighbours;
  for (const int size : {below, above}) {
    const bool is_near = size <= 2 * n && n <= 2 * size;  // one further away says nothing
    if (is_near) neighbours.push_back(losses_at(size, of, limits, precision, measured));
  }
  std::multimap<double, kernel> promising;
  for (const kernel& k : of.candidates(precision, n, limits)) {
    if (k == reference) continue;  // it is measured with every other
    std::vector<double> lost;
    for (const auto& losses : neighbours) {
      const auto found = losses.find(neighbour_key(of, k));
      if (found != losses.end()) lost.push_back(found->second);
    }
    const double least = lost.empty() ? unknown : *std::min_element(lost.begin(), lost.end());
    if (lost.size() < 2 || least < hopeless) promising.emplace(least, k);
  }
  std::vector<kernel> chosen;
  for (const auto& [loss, k] : promising) chosen.push_back(k);
  return chosen;
}

std::int64_t batch_count(char precision, int n, const std::string& regime) {
  constexpr double most_bytes = 2e9;  // of a batch given by number: more of them say nothing new
  const double matrix_bytes = static_cast<double>(cuda::element_of(precision).size) * n * n;
  const std::int64_t wanted = measure::parse_regime(regime).batch_count;
  if (wanted == 0) return measure::fill_of(backend::cuda, precision, 1, 0).batch_count(matrix_bytes);
  return std::min(wanted, std::max<std::int64_t>(1, static_cast<std::int64_t>(most_bytes / matrix_bytes)));
}

table candidates_of(const sweep_plan& plan, const table& generic) {
  table t;
  for (const char precision : plan.precisions) {
    std::vector<kernel> all;
    for (const int n : plan.sizes) {
      const std::vector<kernel> here = plan.of->candidates(precision, n, plan.limits);
      all.insert(all.end(), here.begin(), here.end());
    }
    for (const table_line& line : lines_of(generic, precision)) all.push_back(line.how);
    const table one = table_of(*plan.of, precision, all, plan.limits);
    t.lines.insert(t.lines.end(), one.lines.begin(), one.lines.end());
  }
  return t;
}

sweep_result sweep(const sweep_plan& plan, const table& generic, const std::vector<measurement>& known,
                   const point_maker& make_point, const listener& to) {
  const auto seconds = to.seconds ? to.seconds : clock_seconds;
  const double started = seconds();
  const std::vector<int> order = coarse_to_fine(plan.sizes);
  std::vector<measurement> all = known;
  const listener collecting = {[&](const measurement& m) {
                                 to.add(m);
                                 all.push_back(m);
                               },
                               to.show, to.say, to.stop, seconds};
  sweep_result result;
  result.of_points = static_cast<int>(plan.sizes.size() * plan.regimes.size() * plan.precisions.size());
  int new_points = 0;
  for (std::size_t p = 0; p < plan.precisions.size(); ++p) {
    // Each precision gets its share of the budget, and one point if that is gone already, so that none is
    // left without measurements.
    const double share = static_cast<double>(p + 1) / static_cast<double>(plan.precisions.size());
    const char precision = plan.precisions[p];
    bool has_time = true;
    for (std::size_t at = 0; at < order.size() && has_time; ++at) {
      for (const std::string& regime : plan.regimes) {
        const bool first = at == 0 && regime == plan.regimes.front();
        has_time = first || plan.budget_seconds <= 0 || seconds() - started <= share * plan.budget_seconds;
        if (!has_time) break;
        point_sweep point(plan, generic, make_point, collecting, precision, order[at], regime);
        for (const measurement& m : all) point.take(m);
        if (to.stop() || !point.run(made_before(all, precision, regime, order, at), result.troubles)) {
          result.interrupted = true;
          return result;
        }
        ++result.points;
        new_points += point.measured_anything();
        const double left =
            new_points == 0 ? 0 : (seconds() - started) / new_points * (result.of_points - result.points);
        to.say(formatted("%4d/%d  %s left  ", result.points, result.of_points, minutes(left).c_str()) +
               point.report());
      }
    }
    result.out_of_budget = result.out_of_budget || !has_time;
  }
  return result;
}

}  // namespace talus::tune
