#include "classes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>

#include "choose.hpp"
#include "plan.hpp"
#include "space.hpp"
#include "vbatched/potrf_table.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

const routine& potrf_vbatched() { return routine_named("potrf_vbatched"); }

bool goes_step_by_step(const kernel& k) { return k.family == "blocked"; }

/// What potrf measured with so many matrices, of kernels that serve different sizes too, as they would: in
/// classes, which all have the same shared memory, or alone. A probe is enough to choose among these where
/// another family was ahead.
std::vector<measurement> usable(const std::vector<measurement>& of_potrf, char precision,
                                const cuda::gpu_limits& limits, const char* regime, bool is_class) {
  std::vector<measurement> some;
  for (measurement m : of_potrf) {
    if (m.precision != precision || m.regime != regime) continue;
    if (is_class && m.how.family == "smem" && m.how.nb != 0) continue;
    m.how.schedule = goes_step_by_step(m.how) ? "greedy_classic" : "binned";
    if (m.result == outcome::slow) m.result = outcome::ok;
    table_line line;
    line.precision = precision;
    line.n_max = m.n;
    line.how = m.how;
    const auto& families = potrf_vbatched().families;
    const bool known = std::find(families.begin(), families.end(), m.how.family) != families.end();
    if (known && potrf_vbatched().objection(line, limits).empty()) some.push_back(m);
  }
  return some;
}

/// The kernels that are within a tenth of the fastest at some point of a class, that which serves it first,
/// greedy and lazy.
std::vector<kernel> ways_of_steps(const kernel& first, const std::vector<point>& points, int above,
                                  int n_max) {
  constexpr double near = 1.1;
  constexpr std::size_t most = 3;
  std::vector<kernel> some = {first};
  for (const point& p : points) {
    if (p.n <= above || p.n > n_max) continue;
    for (const auto& [k, ratio] : p.ratio) {
      if (goes_step_by_step(k) && ratio <= near * best_of(p).second && some.size() < most &&
          std::find(some.begin(), some.end(), k) == some.end())
        some.push_back(k);
    }
  }
  const std::size_t count = some.size();
  for (std::size_t i = 0; i < count; ++i) {
    some.push_back(some[i]);
    some.back().schedule = "lazy_classic";
  }
  return some;
}

std::string name_of(int n_max, std::size_t which) {
  return text_of_n(n_max) + (which > 0 ? "." + std::to_string(which) : "");
}

table_line line_of(char precision, const size_class& c) {
  table_line line;
  line.precision = precision;
  line.n_max = c.n_max;
  line.how = c.how;
  return line;
}

bool same(const size_classes& a, const size_classes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const size_class& x, const size_class& y) {
    return x.n_max == y.n_max && x.how == y.how;
  });
}

/// A kernel for calls up to n_max, as one launch for all sizes.
struct alone_line {
  int n_max;
  size_class by;
};

/// What serves batches of some number: each call the first of `alone` that covers it, or else the classes.
struct class_set {
  std::vector<alone_line> alone;
  size_classes classes;
};

bool same(const class_set& a, const class_set& b) {
  return same(a.classes, b.classes) &&
         std::equal(a.alone.begin(), a.alone.end(), b.alone.begin(), b.alone.end(),
                    [](const alone_line& x, const alone_line& y) {
                      return x.n_max == y.n_max && x.by.how == y.by.how;
                    });
}

/// Looks for the lines of one batch.
class batch_search {
 public:
  batch_search(const class_plan& plan, const class_rules& r, const class_timer& time, std::int64_t batch)
      : plan_(plan), rules_(r), time_(time), batch_(batch) {
    for (const int n : plan.maxima) {  // the mean of n * n is a third of its maximum
      const double bytes =
          static_cast<double>(element_size(plan.precision)) * n * n / 3 * static_cast<double>(batch);
      if (bytes <= plan.most_bytes || maxima_.empty()) maxima_.push_back(n);
    }
  }

  int largest() const { return maxima_.back(); }
  const std::vector<int>& maxima() const { return maxima_; }

  /// What is beyond the measured sizes is as in `above`, if that has anything.
  class_set best(const class_set& above) const {
    std::vector<choices> alone;
    for (const int n : maxima_) alone.push_back(choices_at(n));
    const size_classes fine = finest(above.classes);
    std::size_t first = maxima_.size();  // of the maxima that classes may serve
    const auto is_hopeless = [&](std::size_t i) {
      return in_classes(fine, maxima_[i]) > least_of(alone[i]) + std::log(hopeless);
    };
    while (first > 0 && !is_hopeless(first - 1)) --first;
    class_set set;
    if (first < maxima_.size()) {
      set.classes = coarsened(fine, {maxima_.begin() + as_difference(first), maxima_.end()});
    } else {
      set.classes = above.classes.empty() ? fine : above.classes;
    }
    std::vector<double> by_classes(first, never);
    for (std::size_t i = first; i < maxima_.size(); ++i)
      by_classes.push_back(in_classes(set.classes, maxima_[i]));
    set.alone = alone_up_to_the_best_end(alone, by_classes);
    return set;
  }

  measurement at(const class_set& set, int n_max) const {
    for (const alone_line& line : set.alone) {
      if (n_max <= line.n_max) return measured({line.by}, n_max, false);
    }
    return measured_in_classes(set.classes, n_max, false);
  }

  /// The logarithm of the time of a call up to n_max over the generic table's.
  double loss(const class_set& set, int n_max) const { return loss_of(at(set, n_max)); }

  /// Whether one set serves as well as the other: nearly as fast in the mean, and far behind with no call.
  bool serves_as_well(const class_set& set, const class_set& other) const {
    double sum = 0;
    for (const int n : maxima_) {
      const double lost = loss(set, n) - loss(other, n);
      if (lost > std::log1p(rules_.most_loss)) return false;
      sum += lost;
    }
    return sum < std::log1p(rules_.set_gain) * static_cast<double>(maxima_.size());
  }

 private:
  /// What is so much slower is not looked at again.
  static constexpr double hopeless = 1.3;

  static std::ptrdiff_t as_difference(std::size_t c) { return static_cast<std::ptrdiff_t>(c); }
  static double loss_of(const measurement& m) {
    return m.result == outcome::ok ? std::log(m.ratio()) : never;
  }

  measurement measured(const size_classes& by, int n_max, bool again) const {
    std::vector<std::string> names;
    for (const size_class& c : by) names.push_back(c.name);
    const std::string alone = is_alone(by.front().how) ? by.front().how.schedule + ' ' : "";
    return time_({plan_.precision, n_max, batch_, alone + joined(names, "+") + (again ? " again" : ""), by});
  }

  // ---- all sizes in one launch -------------------------------------------------------------------

  /// What calls up to one size lose by each kernel that was tried.
  using choices = std::vector<std::pair<size_class, double>>;

  static double least_of(const choices& some) {
    double least = never;
    for (const auto& [by, lost] : some) least = std::min(least, lost);
    return least;
  }

  /// Kernels for a few more than n first. It is over when some are hopeless one after the other.
  choices choices_at(int n) const {
    constexpr int enough = 3;
    choices tried;
    int hopeless_ones = 0;
    for (const std::vector<size_class>& of : plan_.alone) {
      for (size_class c : of) {
        if (c.n_max < n || hopeless_ones == enough) continue;
        for (const char* schedule : {"direct", "ordered"}) {
          c.how.schedule = schedule;
          tried.emplace_back(c, loss_of(measured({c}, n, false)));
          const bool is_far_behind = tried.back().second > least_of(tried) + std::log(hopeless);
          hopeless_ones = is_far_behind ? hopeless_ones + 1 : 0;
          if (is_far_behind) break;
        }
      }
    }
    return tried;
  }

  /// Which of the choices serves which calls, one line for as many as it is good for; beyond the last of them
  /// the classes do.
  std::vector<alone_line> alone_up_to_the_best_end(const std::vector<choices>& alone,
                                                   const std::vector<double>& by_classes) const {
    struct step {
      const size_class* by;
      double cost;            // of all calls up to this one
      std::ptrdiff_t before;  // which step of the size before this one
    };
    const auto same_line = [](const size_class& a, const size_class& b) {
      return a.name == b.name && a.how == b.how;
    };
    std::vector<std::vector<step>> steps;
    for (const choices& here : alone) {
      std::vector<step> all;
      for (const auto& [by, lost] : here) {
        if (lost == never) continue;
        step best = {&by, std::log1p(rules_.line_gain) + lost, -1};
        if (!steps.empty()) best.cost = never;
        for (std::size_t s = 0; !steps.empty() && s < steps.back().size(); ++s) {
          const step& before = steps.back()[s];
          const double cost =
              before.cost + lost + (same_line(*before.by, by) ? 0 : std::log1p(rules_.line_gain));
          if (cost < best.cost) best = {&by, cost, as_difference(s)};
        }
        all.push_back(best);
      }
      if (all.empty()) break;
      steps.push_back(all);
    }
    double least = std::accumulate(by_classes.begin(), by_classes.end(), 0.0), rest = 0;
    std::size_t end = 0;
    std::ptrdiff_t last = -1;
    for (std::size_t i = by_classes.size(); i > 0; --i) {
      if (i < by_classes.size()) rest += by_classes[i];
      for (std::size_t s = 0; i <= steps.size() && s < steps[i - 1].size(); ++s) {
        if (steps[i - 1][s].cost + rest < least) {
          least = steps[i - 1][s].cost + rest;
          end = i;
          last = as_difference(s);
        }
      }
    }
    std::vector<alone_line> lines;
    for (std::size_t i = end; i > 0; --i) {
      const step& here = steps[i - 1][static_cast<std::size_t>(last)];
      if (lines.empty() || !same_line(lines.front().by, *here.by))
        lines.insert(lines.begin(), {maxima_[i - 1], *here.by});
      last = here.before;
    }
    return lines;
  }

  // ---- classes -----------------------------------------------------------------------------------

  static std::size_t covering(const size_classes& all, int n_max) {
    std::size_t c = 0;
    while (all[c].n_max < n_max) ++c;
    return c;
  }

  measurement measured_in_classes(const size_classes& all, int n_max, bool again) const {
    return measured({all.begin(), all.begin() + 1 + as_difference(covering(all, n_max))}, n_max, again);
  }
  double in_classes(const size_classes& all, int n_max, bool again = false) const {
    return loss_of(measured_in_classes(all, n_max, again));
  }

  size_classes finest(const size_classes& above) const {
    size_classes all;
    int below = 0;
    for (const std::vector<size_class>& of : plan_.space) {
      if (below < largest() || above.empty()) all.push_back(of.front());
      below = of.front().n_max;
    }
    if (!above.empty()) {
      const int last = all.back().n_max;
      for (const size_class& c : above) {
        if (c.n_max > last) all.push_back(c);
      }
    }
    return all;
  }

  /// From the finest classes down, for calls up to these sizes.
  size_classes coarsened(size_classes all, const std::vector<int>& served) const {
    choose_ways_of_steps(all, served);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t c = 0; c + 1 < all.size();) {
        size_classes without = all;
        without.erase(without.begin() + as_difference(c));
        if (pays(all, without, c, served)) {
          ++c;
        } else {
          all = without;
          changed = true;
        }
      }
    }
    return all;
  }

  /// Whether class c, which `without` lacks, is worth its launch; so is one whose sizes are not all measured.
  bool pays(const size_classes& all, const size_classes& without, std::size_t c,
            const std::vector<int>& served) const {
    if (all[c].n_max > largest()) return true;
    double gain = 0;
    for (const int n : served) {
      if (c > 0 && n <= all[c - 1].n_max) continue;
      const double with_it = in_classes(all, n), without_it = in_classes(without, n);
      if (with_it == never) return without_it == never;
      double here = without_it - with_it;
      if (here > std::log1p(rules_.most_loss)) here = in_classes(without, n, true) - in_classes(all, n, true);
      if (here > std::log1p(rules_.most_loss)) return true;
      gain += here;
    }
    return gain >= std::log1p(rules_.class_gain);
  }

  /// Of the kernels for each class that goes step by step, the one whose sum over the class's sizes is least.
  void choose_ways_of_steps(size_classes& all, const std::vector<int>& served) const {
    for (std::size_t c = 0; c < all.size(); ++c) {
      const auto of = std::find_if(plan_.space.begin(), plan_.space.end(),
                                   [&](const auto& ways) { return ways.front().n_max == all[c].n_max; });
      double least = never;
      size_class best = all[c];
      for (const size_class& way : *of) {
        if (of->size() == 1) break;
        size_classes tried = all;
        tried[c] = way;
        double sum = 0;
        bool seen = false;
        for (const int n : served) {
          if (covering(tried, n) != c) continue;
          sum += in_classes(tried, n);
          seen = true;
        }
        if (seen && sum < least) {
          least = sum;
          best = way;
        }
      }
      all[c] = best;
    }
  }

  const class_plan& plan_;
  const class_rules& rules_;
  const class_timer& time_;
  std::int64_t batch_;
  std::vector<int> maxima_;
};

/// Between two measured batches: their geometric mean, to two digits.
std::int64_t border_between(std::int64_t few, std::int64_t many) {
  const double middle = std::sqrt(static_cast<double>(few) * static_cast<double>(many));
  const double step = std::pow(10, std::floor(std::log10(middle)) - 1);
  return step <= 1 ? static_cast<std::int64_t>(middle)
                   : static_cast<std::int64_t>(std::round(middle / step) * step);
}

}  // namespace

kernel as_class(kernel how) {
  if (is_alone(how)) how.schedule = "binned";
  return how;
}

class_space finest_classes(const std::vector<measurement>& of_potrf, char precision,
                           const cuda::gpu_limits& limits) {
  constexpr std::size_t most = 20;
  rules r;
  r.most_loss = never;  // the generic table's kernels of potrf are no measure here
  r.line_gain = 0.1;    // a launch costs more than a line that is read
  const std::vector<point> points =
      points_of(usable(of_potrf, precision, limits, "fill", true), precision, r);
  std::vector<table_line> lines;
  do {
    lines = choose_lines(points, table{}, r);
    r.line_gain *= 1.25;
  } while (lines.size() > most);
  if (lines.empty() || !goes_step_by_step(lines.back().how))
    throw std::runtime_error(std::string("potrf's measurements of precision ") + precision +
                             " do not reach sizes that blocked is the fastest for");
  class_space space;
  int above = 0;
  for (const table_line& line : lines) {
    std::vector<size_class> of;
    const std::vector<kernel> ways = goes_step_by_step(line.how)
                                         ? ways_of_steps(line.how, points, above, line.n_max)
                                         : std::vector<kernel>{line.how};
    for (const kernel& k : ways) of.push_back({name_of(line.n_max, of.size()), line.n_max, k});
    space.push_back(of);
    above = line.n_max;
  }
  return space;
}

class_space kernels_alone(const std::vector<measurement>& of_potrf, char precision,
                          const cuda::gpu_limits& limits, const table& generic) {
  constexpr double near = 1.12, serves = 1.5;
  std::map<kernel, int> bound;
  for (const char* regime : {"fill", "b3000"}) {
    rules r;
    r.most_loss = never;
    const std::vector<point> points =
        points_of(usable(of_potrf, precision, limits, regime, false), precision, r);
    std::map<kernel, int> here;
    for (const table_line& line : choose_lines(points, table{}, r)) here[line.how];
    // What several warps share ends earlier, which in the mean may be worth more.
    for (const point& p : points) {
      for (const auto& [k, ratio] : p.ratio) {
        if (k.threads > 32 && regime == std::string("b3000") && ratio <= near * best_of(p).second) here[k];
      }
    }
    for (const point& p : points) {
      for (auto& [k, n_max] : here) {
        const auto found = p.ratio.find(k);
        if (found != p.ratio.end() && found->second <= serves * best_of(p).second)
          n_max = std::max(n_max, p.n);
      }
    }
    for (const auto& [k, n_max] : here) {
      if (!goes_step_by_step(k)) bound[k] = std::max(bound[k], n_max);
    }
  }
  for (const table_line& line : generic.lines) {
    if (line.precision != precision || goes_step_by_step(line.how)) continue;
    int& n_max = bound[as_class(line.how)];
    n_max = std::max(n_max, line.n_max);
  }
  std::map<int, std::vector<size_class>> by_bound;
  for (const auto& [k, n_max] : bound) {
    std::vector<size_class>& of = by_bound[n_max];
    of.push_back({name_of(n_max, of.size()), n_max, k});
  }
  class_space space;
  for (const auto& one : by_bound) space.push_back(one.second);
  return space;
}

std::string text_of(const class_space& space) {
  std::vector<std::string> words;
  for (const std::vector<size_class>& of : space) {
    for (const size_class& c : of) {
      const kernel& k = c.how;
      std::string text = c.name + ' ' + k.schedule + '/' + k.family;
      for (const int value : {k.ib, k.nb, k.tbc, k.threads, k.rows}) text += '/' + std::to_string(value);
      words.push_back(text);
    }
  }
  return joined(words, "; ");
}

class_space parse_class_space(const std::string& text) {
  class_space space;
  for (const std::string& word : bench::split(text, ';')) {
    const auto wrong = [&] { return std::runtime_error("'" + word + "' is no class of sizes"); };
    std::istringstream in(word);
    size_class c;
    std::string how;
    if (!(in >> c.name >> how)) throw wrong();
    const std::vector<std::string> parts = bench::split(how, '/');
    if (parts.size() != 7) throw wrong();
    try {
      const std::string bound = c.name.substr(0, c.name.find('.'));
      c.n_max = bound == text_of_n(cuda::any_n) ? cuda::any_n : std::stoi(bound);
      c.how = {parts[1],
               std::stoi(parts[2]),
               std::stoi(parts[3]),
               std::stoi(parts[4]),
               std::stoi(parts[5]),
               std::stoi(parts[6]),
               parts[0]};
    } catch (const std::logic_error&) {
      throw wrong();
    }
    if (space.empty() || space.back().front().n_max != c.n_max) space.emplace_back();
    space.back().push_back(c);
  }
  return space;
}

table class_table(const std::vector<class_plan>& plans, const table& also) {
  table t;
  t.name = "generic";  // stands in its place in the search build
  t.preamble = "// Every class that potrf_vbatched's tables may have. Written by talus-tune --candidates.\n";
  for (const class_plan& plan : plans) {
    std::vector<table_line> lines;
    const auto add = [&](table_line line) {
      line.batch_max = cuda::any_batch;
      line.evidence = "";
      line.how = as_class(line.how);
      const bool known = std::any_of(lines.begin(), lines.end(), [&](const table_line& other) {
        return other.n_max == line.n_max && other.how == line.how;
      });
      if (!known) lines.push_back(line);
    };
    for (const class_space* space : {&plan.space, &plan.alone}) {
      for (const std::vector<size_class>& of : *space) {
        for (const size_class& c : of) add(line_of(plan.precision, c));
      }
    }
    for (const table_line& line : also.lines) {
      if (line.precision == plan.precision) add(line);
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const table_line& a, const table_line& b) { return a.n_max < b.n_max; });
    t.lines.insert(t.lines.end(), lines.begin(), lines.end());
  }
  return t;
}

size_classes classes_by(const table& t, char precision, int n_max, std::int64_t batch) {
  const table_line* const last = select(t, precision, n_max, batch);
  if (!last) return {};
  const table_line* const first = is_alone(last->how) ? last : select(t, precision, 0, batch);
  size_classes all;
  for (const table_line* line = first; line <= last; ++line) {
    if (line == last || !is_alone(line->how))
      all.push_back({name_of(line->n_max, 0), line->n_max, line->how});
  }
  return all;
}

std::vector<std::int64_t> class_batches() { return {100, 500, 3000, 20000, 100000}; }

std::vector<int> class_maxima(const class_space& space, const class_space& alone) {
  constexpr double apart = 1.05;
  std::set<int> bounds;
  for (const class_space* of : {&space, &alone}) {
    for (const std::vector<size_class>& one : *of) {
      if (one.front().n_max != cuda::any_n) bounds.insert(one.front().n_max);
    }
  }
  std::vector<int> maxima;
  for (auto n = bounds.begin(); n != bounds.end(); ++n) {
    if (std::next(n) == bounds.end() || *std::next(n) >= apart * *n) maxima.push_back(*n);
  }
  const int last = maxima.empty() ? 64 : maxima.back();
  for (const double times : {1.25, 1.5, 2.0, 3.0})
    maxima.push_back((static_cast<int>(times * last) + 15) / 16 * 16);
  return maxima;
}

namespace {

std::string regime_of(std::int64_t batch) { return "b" + std::to_string(batch); }

template <class Number>
std::string in_words(const std::vector<Number>& numbers) {
  std::vector<std::string> words;
  for (const Number number : numbers) words.push_back(std::to_string(number));
  return joined(words, " ");
}
template <class Number>
std::vector<Number> numbers_in(const std::string& text) {
  std::vector<Number> numbers;
  std::istringstream in(text);
  for (Number number; in >> number;) numbers.push_back(number);
  return numbers;
}

}  // namespace

facts facts_of_classes(const class_plan& plan) {
  const std::string p(1, plan.precision);
  return {{"classes " + p, text_of(plan.space)},
          {"alone " + p, text_of(plan.alone)},
          {"batches " + p, in_words(plan.batches)},
          {"maxima " + p, in_words(plan.maxima)},
          {"bytes " + p, std::to_string(static_cast<std::int64_t>(plan.most_bytes))}};
}

class_plan plan_of_classes(const facts& about, char precision) {
  const std::string p(1, precision);
  const auto value = [&](const std::string& name) {
    const std::string text = value_of(about, name + ' ' + p);
    if (text.empty())
      throw std::runtime_error("the measurements do not say which " + name + ' ' + p + " has");
    return text;
  };
  return {precision,
          parse_class_space(value("classes")),
          parse_class_space(value("alone")),
          numbers_in<std::int64_t>(value("batches")),
          numbers_in<int>(value("maxima")),
          std::stod(value("bytes"))};
}

measurement measurement_of(const class_call& call) {
  measurement m;
  m.precision = call.precision;
  m.regime = regime_of(call.batch);
  m.n = call.n_max;
  m.batch = call.batch;
  m.how.family = call.name;
  return m;
}

class_memory::class_memory(const std::vector<measurement>& all) {
  for (const measurement& m : all) add(m);
}
void class_memory::add(const measurement& m) { known_[{m.precision, m.regime, m.n, m.how.family}] = m; }

const measurement* class_memory::find(const class_call& call) const {
  const auto found = known_.find({call.precision, regime_of(call.batch), call.n_max, call.name});
  return found == known_.end() ? nullptr : &found->second;
}

measurement class_memory::recall(const class_call& call) const {
  if (const measurement* const m = find(call)) return *m;
  throw std::runtime_error("nothing was measured of " + std::to_string(call.batch) +
                           " matrices to n = " + std::to_string(call.n_max) + " in classes " + call.name +
                           ", precision " + call.precision + ": the sweep was not finished");
}

bool class_memory::holds(char precision, std::int64_t batch) const {
  return std::any_of(known_.begin(), known_.end(), [&](const auto& one) {
    return std::get<0>(one.first) == precision && std::get<1>(one.first) == regime_of(batch);
  });
}

namespace {
constexpr const char* unmeasured = "not measured with so many";
}

chosen_classes choose_classes(const class_plan& plan, const class_rules& r, const class_timer& time,
                              const std::function<bool(std::int64_t)>& has_time,
                              const std::function<void(const std::string&)>& say) {
  struct set {
    class_set is;
    std::int64_t to;  // the largest batch that it was chosen for
    int largest;      // that was measured with it
  };
  std::vector<set> sets;
  std::vector<std::int64_t> from;  // the smallest
  chosen_classes chosen;
  double logarithms = 0;
  for (const std::int64_t batch : plan.batches) {
    if (!sets.empty() && !has_time(batch)) break;
    const batch_search search(plan, r, time, batch);
    const class_set own = search.best(sets.empty() ? class_set{} : sets.back().is);
    if (!sets.empty() && (same(own, sets.back().is) || search.serves_as_well(sets.back().is, own))) {
      sets.back().to = batch;
      sets.back().largest = search.largest();
    } else {
      sets.push_back({own, batch, search.largest()});
      from.push_back(batch);
    }
    const class_set& all = sets.back().is;
    double here = 0;
    for (const int n : search.maxima()) {
      const double gain = -search.loss(all, n);
      if (chosen.calls++ == 0 || gain < std::log(chosen.least)) {
        chosen.least = std::exp(gain);
        chosen.least_n = n;
        chosen.least_batch = batch;
      }
      here += gain;
    }
    logarithms += here;
    char words[96];
    std::snprintf(words, sizeof words, "%c %7lld matrices up to n = %4d: %5.2fx, ", plan.precision,
                  static_cast<long long>(batch), search.largest(),
                  std::exp(here / static_cast<double>(search.maxima().size())));
    std::vector<std::string> alone, classes;
    for (const alone_line& line : all.alone)
      alone.push_back(line.by.how.schedule + ' ' + text_of_n(line.n_max));
    for (const size_class& c : all.classes) classes.push_back(c.name);
    say(words + (alone.empty() ? "" : joined(alone, ", ") + "; ") + std::to_string(classes.size()) +
        " classes: " + joined(classes, " "));
  }
  chosen.mean = std::exp(logarithms / std::max(chosen.calls, 1));

  for (std::size_t s = 0; s < sets.size(); ++s) {
    const batch_search search(plan, r, time, sets[s].to);
    const class_set& all = sets[s].is;
    const std::int64_t batch_max =
        s + 1 == sets.size() ? cuda::any_batch : border_between(sets[s].to, from[s + 1]);
    const auto add = [&](const size_class& by, int n_max) {
      table_line line = line_of(plan.precision, by);
      line.n_max = n_max;
      line.batch_max = batch_max;
      chosen.lines.push_back(line);
    };
    const auto measured_at = [&](int n) {
      const measurement m = search.at(all, n);
      char words[96];
      std::snprintf(words, sizeof words, "%lld to n = %d: %.4g ms, %.2fx", static_cast<long long>(sets[s].to),
                    n, m.median_ms, 1 / m.ratio());
      return std::string(words);
    };
    for (const alone_line& line : all.alone) {
      add(line.by, line.n_max);
      chosen.lines.back().evidence = line.n_max <= sets[s].largest ? measured_at(line.n_max) : unmeasured;
    }
    int below = 0;
    const int alone_to = all.alone.empty() ? 0 : all.alone.back().n_max;
    for (const size_class& c : all.classes) {
      add(c, c.n_max);
      const int n = std::min(c.n_max, sets[s].largest);
      chosen.lines.back().evidence = below >= sets[s].largest ? unmeasured
                                     : n <= alone_to          ? "of larger calls"
                                                              : measured_at(n);
      below = c.n_max;
    }
  }
  return chosen;
}

}  // namespace talus::tune
