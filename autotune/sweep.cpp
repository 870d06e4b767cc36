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

/// The factor by which a probe of a candidate may exceed the time of the best candidate so far, or of the
/// reference.
struct probe_limit {
  double factor;
  bool is_of_best;
};

/// One point: its candidates, one after the other.
class point_sweep {
 public:
  point_sweep(const routine& of, const named_point& at, const std::string& table_name, probe_limit limit,
              const point_maker& make_point, const listener& to)
      : of_(of),
        table_name_(table_name),
        limit_(limit),
        make_point_(make_point),
        to_(to),
        where_(words_of(at)),
        reference_(at.reference) {
    blank_.precision = at.precision;
    blank_.regime = at.regime;
    blank_.n = at.n;
    blank_.of = at.of;
    blank_.batch = at.batch;
  }

  static std::string words_of(const named_point& at) {
    return std::string(1, at.precision) + ", n = " + text_of(at.n, at.of) + ", " + at.regime;
  }

  /// A measurement, new or made before; those of other points say nothing.
  void take(const measurement& m) {
    if (m.precision != blank_.precision || m.n != blank_.n || !(m.of == blank_.of) ||
        m.regime != blank_.regime)
      return;
    done_.insert(m.how);
    if (m.how == reference_) reference_seconds_ = m.reference_ms * 1e-3;
    if (m.result == outcome::ok && (best_.median_ms == 0 || m.ratio() < best_.ratio())) best_ = m;
  }

  /// Measures what is not known yet; false: stopped.
  bool run(const std::vector<kernel>& chosen, std::vector<std::string>& troubles) {
    if (!done_.count(reference_)) measure_reference();
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
    const double flops = of_.flops(blank_.precision, blank_.n) * static_cast<double>(best_.batch);
    const std::string rate = blank_.of == shape() ? formatted("%8.1f GFLOP/s", flops / best_.median_ms * 1e-6)
                                                  : formatted("%13.4g ms", best_.median_ms);
    return formatted("%c n = %4s %-6s %s %5.2fx  %-56s %zu tried, %d slow", blank_.precision,
                     text_of(blank_.n, blank_.of).c_str(), blank_.regime.c_str(), rate.c_str(),
                     1 / best_.ratio(), describe(best_.how).c_str(), tried_, slow_) +
           (troubled_ > 0 ? ", " + std::to_string(troubled_) + " FAILED" : "");
  }

 private:
  /// The matrices are only made where something is left to measure.
  measuring_point& here() {
    if (!here_) {
      to_.show(where_ + ": making " + std::to_string(blank_.batch) + " matrices");
      here_ =
          make_point_({blank_.precision, blank_.n, blank_.regime, blank_.batch, reference_, {}, blank_.of});
      blank_.batch = here_->batch();
      require_reference("");
    }
    return *here_;
  }

  void require_reference(const std::string& after) {
    const measuring_point::verdict reference = here_->check(reference_);
    if (reference.result == outcome::ok) return;
    throw std::runtime_error(where_ + ": the " + table_name_ + "'s kernel " + reference.why + after);
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
    const double most = limit_.factor * (limit_.is_of_best ? best_.ratio() : 1) * reference_seconds_;
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

  const routine& of_;
  const std::string table_name_;
  const probe_limit limit_;
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

/// A point without its candidates. The reference is the generic table's kernel.
named_point point_of(const table& generic, char precision, int n, const std::string& regime) {
  named_point at = {precision, n, regime, batch_count(precision, n, regime), {}, {}, {}};
  const table_line* const line = select(generic.lines, precision, n, at.batch);
  if (!line) throw std::runtime_error("the generic table has no line for " + point_sweep::words_of(at));
  at.reference = line->how;
  return at;
}

/// Adds each new measurement to `all`, too.
listener collecting_in(std::vector<measurement>& all, const listener& to) {
  return {[&all, &to](const measurement& m) {
            to.add(m);
            all.push_back(m);
          },
          to.show, to.say, to.stop, to.seconds};
}

/// "  12/340  1:05 left  "
std::string progress(const sweep_result& so_far, int new_points, double seconds) {
  const double left = new_points == 0 ? 0 : seconds / new_points * (so_far.of_points - so_far.points);
  return formatted("%4d/%d  %s left  ", so_far.points, so_far.of_points, minutes(left).c_str());
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
  const listener collecting = collecting_in(all, to);
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
        const named_point here = point_of(generic, precision, order[at], regime);
        point_sweep point(*plan.of, here, "generic table", {1.2, true}, make_point, collecting);
        for (const measurement& m : all) point.take(m);
        const auto chosen = [&] {
          return worth_measuring(*plan.of, plan.limits, here.reference, precision, here.n, regime,
                                 made_before(all, precision, regime, order, at));
        };
        if (to.stop() || !point.run(chosen(), result.troubles)) {
          result.interrupted = true;
          return result;
        }
        ++result.points;
        new_points += point.measured_anything();
        to.say(progress(result, new_points, seconds() - started) + point.report());
      }
    }
    result.out_of_budget = result.out_of_budget || !has_time;
  }
  return result;
}

/// The points of each precision from the largest size to the smallest.
static std::vector<named_point> largest_first(std::vector<named_point> points) {
  for (auto first = points.begin(); first != points.end();) {
    const auto last = std::find_if(first, points.end(),
                                   [&](const named_point& p) { return p.precision != first->precision; });
    std::stable_sort(first, last, [](const named_point& a, const named_point& b) { return a.n > b.n; });
    first = last;
  }
  return points;
}

sweep_result measure_points(const routine& of, const std::vector<named_point>& points,
                            const std::vector<measurement>& known, const point_maker& make_point,
                            const listener& to) {
  const auto seconds = to.seconds ? to.seconds : clock_seconds;
  const double started = seconds();
  sweep_result result;
  result.of_points = static_cast<int>(points.size());
  int new_points = 0;
  // A kernel that takes three times as long as the library's at one size is not run at smaller ones, where it
  // loses even more.
  std::map<std::pair<char, kernel>, int> hopeless_below;
  const auto look_at = [&](const measurement& m) {
    if (m.result != outcome::slow || m.median_ms < 3 * m.reference_ms || !(m.of == shape())) return;
    int& n = hopeless_below[{m.precision, m.how}];
    n = std::max(n, m.n);
  };
  for (const measurement& m : known) look_at(m);
  listener listening = to;
  listening.add = [&](const measurement& m) {
    look_at(m);
    to.add(m);
  };
  for (named_point at : largest_first(points)) {
    const auto is_hopeless = [&](const kernel& k) {
      const auto found = hopeless_below.find({at.precision, k});
      return at.of == shape() && found != hopeless_below.end() && at.n < found->second;
    };
    at.others.erase(std::remove_if(at.others.begin(), at.others.end(), is_hopeless), at.others.end());
    point_sweep point(of, at, "GPU's table", {1.5, false}, make_point, listening);
    for (const measurement& m : known) point.take(m);
    if (to.stop() || !point.run(at.others, result.troubles)) {
      result.interrupted = true;
      return result;
    }
    ++result.points;
    new_points += point.measured_anything();
    to.say(progress(result, new_points, seconds() - started) + point.report());
  }
  return result;
}

}  // namespace talus::tune
