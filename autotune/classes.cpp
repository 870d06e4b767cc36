#include "classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// What potrf measured, of kernels that serve different sizes too, as they would. A probe is enough to choose
/// among these where another family was ahead.
std::vector<measurement> usable(const std::vector<measurement>& of_potrf, char precision,
                                const cuda::gpu_limits& limits) {
  std::vector<measurement> some;
  for (measurement m : of_potrf) {
    if (m.precision != precision || m.regime != "fill") continue;
    if (m.how.family == "smem" && m.how.nb != 0) continue;  // all classes have the same shared memory
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

/// Looks for the classes of one batch.
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

  /// From the finest classes down; those beyond what is measured as in `above`, or the finest.
  size_classes coarsened(const size_classes& above) const {
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
    choose_ways_of_steps(all);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t c = 0; c + 1 < all.size();) {
        size_classes without = all;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(c));
        if (pays(all, without, c)) {
          ++c;
        } else {
          all = without;
          changed = true;
        }
      }
    }
    mark_direct(all);
    return all;
  }

  /// The logarithm of the time of a call up to n_max over the generic table's, by the classes' schedules.
  double loss(const size_classes& all, int n_max) const {
    const std::size_t c = covering(all, n_max);
    return all[c].how.schedule == "direct" ? alone(all, c, n_max) : in_classes(all, c, n_max);
  }

  /// Whether one set serves as well as the other: nearly as fast in the mean, and far behind with no call.
  bool serves_as_well(const size_classes& set, const size_classes& other) const {
    double sum = 0;
    for (const int n : maxima_) {
      const double lost = loss(set, n) - loss(other, n);
      if (lost > std::log1p(rules_.most_loss)) return false;
      sum += lost;
    }
    return sum < std::log1p(rules_.set_gain) * static_cast<double>(maxima_.size());
  }

  measurement at(const size_classes& all, int n_max) const {
    const std::size_t c = covering(all, n_max);
    return all[c].how.schedule == "direct"
               ? measured({all[c]}, n_max)
               : measured({all.begin(), all.begin() + 1 + as_difference(c)}, n_max);
  }

 private:
  static std::ptrdiff_t as_difference(std::size_t c) { return static_cast<std::ptrdiff_t>(c); }
  static std::size_t covering(const size_classes& all, int n_max) {
    std::size_t c = 0;
    while (all[c].n_max < n_max) ++c;
    return c;
  }

  measurement measured(const size_classes& by, int n_max) const {
    std::vector<std::string> names;
    for (const size_class& c : by) names.push_back(c.name);
    return time_({plan_.precision, n_max, batch_, joined(names, "+"), by});
  }
  static double loss_of(const measurement& m) {
    return m.result == outcome::ok ? std::log(m.ratio()) : never;
  }
  double alone(const size_classes& all, std::size_t c, int n_max) const {
    return loss_of(measured({all[c]}, n_max));
  }
  double in_classes(const size_classes& all, std::size_t c, int n_max) const {
    return loss_of(measured({all.begin(), all.begin() + 1 + as_difference(c)}, n_max));
  }

  /// The same by the better of the two: all in one launch, or by their classes.
  double least_loss(const size_classes& all, int n_max) const {
    const std::size_t c = covering(all, n_max);
    const double divided = in_classes(all, c, n_max);
    return c == 0 || goes_step_by_step(all[c].how) ? divided : std::min(divided, alone(all, c, n_max));
  }

  /// Whether class c, which `without` lacks, is worth its launch; so is one whose sizes are not all measured.
  bool pays(const size_classes& all, const size_classes& without, std::size_t c) const {
    if (all[c].n_max > largest()) return true;
    double gain = 0;
    for (const int n : maxima_) {
      if (c > 0 && n <= all[c - 1].n_max) continue;
      const double with_it = least_loss(all, n), without_it = least_loss(without, n);
      if (with_it == never) return without_it == never;
      if (without_it - with_it > std::log1p(rules_.most_loss)) return true;
      gain += without_it - with_it;
    }
    return gain >= std::log1p(rules_.class_gain);
  }

  /// Of the kernels for each class that goes step by step, the one whose sum over the class's sizes is least.
  void choose_ways_of_steps(size_classes& all) const {
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
        for (const int n : maxima_) {
          if (covering(tried, n) != c) continue;
          sum += in_classes(tried, c, n);
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

  /// Which calls are better off with one launch for all sizes.
  void mark_direct(size_classes& all) const {
    for (std::size_t c = 1; c < all.size(); ++c) {
      const int n_max = all[c].n_max;
      if (goes_step_by_step(all[c].how) || n_max > largest()) continue;
      if (alone(all, c, n_max) <= in_classes(all, c, n_max)) all[c].how.schedule = "direct";
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

class_space finest_classes(const std::vector<measurement>& of_potrf, char precision,
                           const cuda::gpu_limits& limits) {
  constexpr std::size_t most = 20;
  rules r;
  r.most_loss = never;  // the generic table's kernels of potrf are no measure here
  r.line_gain = 0.1;    // a launch costs more than a line that is read
  const std::vector<point> points = points_of(usable(of_potrf, precision, limits), precision, r);
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

table class_table(const std::vector<std::pair<char, class_space>>& spaces, const table& also) {
  table t;
  t.name = "generic";  // stands in its place in the search build
  t.preamble = "// Every class that potrf_vbatched's tables may have. Written by talus-tune --candidates.\n";
  for (const auto& [precision, space] : spaces) {
    std::vector<table_line> lines;
    const auto add = [&](table_line line) {
      line.batch_max = cuda::any_batch;
      line.evidence = "";
      if (line.how.schedule == "direct") line.how.schedule = "binned";  // the same kernel
      const bool known = std::any_of(lines.begin(), lines.end(), [&](const table_line& other) {
        return other.n_max == line.n_max && other.how == line.how;
      });
      if (!known) lines.push_back(line);
    };
    for (const std::vector<size_class>& of : space) {
      for (const size_class& c : of) add(line_of(precision, c));
    }
    for (const table_line& line : also.lines) {
      if (line.precision == precision) add(line);
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
  const table_line* const first = last->how.schedule == "direct" ? last : select(t, precision, 0, batch);
  size_classes all;
  for (const table_line* line = first; line <= last; ++line)
    all.push_back({name_of(line->n_max, 0), line->n_max, line->how});
  return all;
}

std::vector<std::int64_t> class_batches() { return {100, 500, 3000, 20000, 100000}; }

std::vector<int> class_maxima(const class_space& space) {
  std::vector<int> maxima;
  for (const std::vector<size_class>& of : space) {
    if (of.front().n_max != cuda::any_n) maxima.push_back(of.front().n_max);
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
  return {precision, parse_class_space(value("classes")), numbers_in<std::int64_t>(value("batches")),
          numbers_in<int>(value("maxima")), std::stod(value("bytes"))};
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

chosen_classes choose_classes(const class_plan& plan, const class_rules& r, const class_timer& time,
                              const std::function<bool(std::int64_t)>& has_time,
                              const std::function<void(const std::string&)>& say) {
  struct set {
    size_classes all;
    std::int64_t from, to;  // batches that it was chosen for
    int largest;            // that was measured with `to`
  };
  std::vector<set> sets;
  chosen_classes chosen;
  double logarithms = 0;
  for (const std::int64_t batch : plan.batches) {
    if (!sets.empty() && !has_time(batch)) break;
    const batch_search search(plan, r, time, batch);
    const size_classes own = search.coarsened(sets.empty() ? size_classes{} : sets.back().all);
    if (!sets.empty() && (same(own, sets.back().all) || search.serves_as_well(sets.back().all, own))) {
      sets.back().to = batch;
      sets.back().largest = search.largest();
    } else {
      sets.push_back({own, batch, batch, search.largest()});
    }
    const size_classes& all = sets.back().all;
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
    std::vector<std::string> names;
    for (const size_class& c : all) names.push_back((c.how.schedule == "direct" ? "=" : "") + c.name);
    char words[96];
    std::snprintf(words, sizeof words, "%c %7lld matrices up to n = %4d: %5.2fx, ", plan.precision,
                  static_cast<long long>(batch), search.largest(),
                  std::exp(here / static_cast<double>(search.maxima().size())));
    say(words + std::to_string(all.size()) + " classes: " + joined(names, " "));
  }
  chosen.mean = std::exp(logarithms / std::max(chosen.calls, 1));

  for (std::size_t s = 0; s < sets.size(); ++s) {
    const batch_search search(plan, r, time, sets[s].to);
    for (const size_class& c : sets[s].all) {
      table_line line = line_of(plan.precision, c);
      line.batch_max = s + 1 == sets.size() ? cuda::any_batch : border_between(sets[s].to, sets[s + 1].from);
      const int n = std::min(c.n_max, sets[s].largest);
      const bool has_measured =
          c.n_max <= sets[s].largest || &c == &sets[s].all.front() || (&c - 1)->n_max < sets[s].largest;
      if (has_measured) {
        const measurement m = search.at(sets[s].all, n);
        char words[96];
        std::snprintf(words, sizeof words, "%lld to n = %d: %.4g ms, %.2fx",
                      static_cast<long long>(sets[s].to), n, m.median_ms, 1 / m.ratio());
        line.evidence = words;
      } else {
        line.evidence = "not measured with so many";
      }
      chosen.lines.push_back(line);
    }
  }
  return chosen;
}

}  // namespace talus::tune
