// Where matrices differ in size: for batches of one number, what serves calls alone and the classes of larger
// ones; and the sets of these over all batches, as a table.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "cheapest_path.hpp"
#include "classes.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// What is so much slower is not looked at again.
constexpr double hopeless = 1.3;

std::ptrdiff_t as_difference(std::size_t c) { return static_cast<std::ptrdiff_t>(c); }

/// The logarithm of a call's time over the generic table's.
double loss_of(const measurement& m) { return m.result == outcome::ok ? std::log(m.ratio()) : never; }

/// The class that a size is in.
std::size_t covering(const size_classes& all, int n_max) {
  std::size_t c = 0;
  while (all[c].n_max < n_max) ++c;
  return c;
}

/// A kernel for calls up to n_max, as one launch for all sizes.
struct alone_line {
  int n_max;
  size_class by;
};
bool operator==(const alone_line& a, const alone_line& b) { return a.n_max == b.n_max && a.by == b.by; }

/// What serves batches of some number: each call the first of `alone` that covers it, or else the classes.
struct class_set {
  std::vector<alone_line> alone;
  size_classes classes;
};

/// Kernels for the calls up to one size, with what these lose by them.
using choices = std::vector<path_point<size_class>>;

double least_of(const choices& some) { return some.empty() ? never : some[cheapest(some)].cost; }

/// Looks for the lines of one batch.
class batch_search {
 public:
  batch_search(const class_plan& plan, const class_rules& r, const class_timer& time, std::int64_t batch)
      : plan_(plan), rules_(r), time_(time), batch_(batch) {
    for (const int n : plan.maxima) {  // the mean of n * n is a third of its maximum
      const double bytes =
          static_cast<double>(cuda::element_of(plan.precision).size) * n * n / 3 * static_cast<double>(batch);
      if (bytes <= plan.most_bytes || maxima_.empty()) maxima_.push_back(n);
    }
  }

  int largest() const { return maxima_.back(); }
  const std::vector<int>& maxima() const { return maxima_; }

  /// What is beyond the measured sizes is as in `above`, if that has anything.
  class_set best(const class_set& above) const {
    path_steps<size_class> alone;
    for (const int n : maxima_) alone.push_back(choices_at(n));
    const size_classes fine = finest(above.classes);
    std::size_t first = maxima_.size();  // of the maxima that classes may serve
    while (first > 0 &&
           in_classes(fine, maxima_[first - 1]) <= least_of(alone[first - 1]) + std::log(hopeless))
      --first;
    class_set set;
    if (first < maxima_.size()) {
      set.classes = coarsened(fine, {maxima_.begin() + as_difference(first), maxima_.end()});
    } else {
      set.classes = above.classes.empty() ? fine : above.classes;
    }
    std::vector<double> by_classes(first, never);
    for (std::size_t i = first; i < maxima_.size(); ++i)
      by_classes.push_back(in_classes(set.classes, maxima_[i]));
    set.alone = alone_up_to_the_best_end(std::move(alone), by_classes);
    return set;
  }

  measurement at(const class_set& set, int n_max) const {
    for (const alone_line& line : set.alone) {
      if (n_max <= line.n_max) return measured({line.by}, n_max);
    }
    return measured_in_classes(set.classes, n_max);
  }

  /// Whether one set serves as well as the other: nearly as fast in the mean, and far behind with no call.
  bool serves_as_well(const class_set& set, const class_set& other) const {
    if (set.alone == other.alone && set.classes == other.classes) return true;
    double sum = 0;
    for (const int n : maxima_) {
      const double lost = loss_of(at(set, n)) - loss_of(at(other, n));
      if (lost > std::log1p(rules_.most_loss)) return false;
      sum += lost;
    }
    return sum < std::log1p(rules_.set_gain) * static_cast<double>(maxima_.size());
  }

 private:
  measurement measured(const size_classes& by, int n_max, bool again = false) const {
    std::vector<std::string> names;
    for (const size_class& c : by) names.push_back(c.name);
    const std::string alone = is_alone(by.front().how) ? by.front().how.schedule + ' ' : "";
    return time_({plan_.precision, n_max, batch_, alone + joined(names, "+") + (again ? " again" : ""), by});
  }
  measurement measured_in_classes(const size_classes& all, int n_max, bool again = false) const {
    return measured({all.begin(), all.begin() + 1 + as_difference(covering(all, n_max))}, n_max, again);
  }
  double in_classes(const size_classes& all, int n_max, bool again = false) const {
    return loss_of(measured_in_classes(all, n_max, again));
  }

  /// Kernels for a few more than n first. It is over when some are hopeless one after the other.
  choices choices_at(int n) const {
    constexpr int enough = 3;
    choices tried;
    int hopeless_ones = 0;
    for (size_class c : plan_.alone) {
      if (c.n_max < n || hopeless_ones == enough) continue;
      for (const char* schedule : {"direct", "ordered"}) {
        c.how.schedule = schedule;
        const measurement m = measured({c}, n);
        if (m.result == outcome::slow) continue;  // of a thinned file
        tried.push_back({c, loss_of(m)});
        const bool is_far_behind = tried.back().cost > least_of(tried) + std::log(hopeless);
        hopeless_ones = is_far_behind ? hopeless_ones + 1 : 0;
        if (is_far_behind) break;
      }
    }
    return tried;
  }

  /// Which of the choices serves which calls, one line for as many as it is good for; beyond the last of them
  /// the classes do.
  std::vector<alone_line> alone_up_to_the_best_end(path_steps<size_class> alone,
                                                   const std::vector<double>& by_classes) const {
    const double line = std::log1p(rules_.line_gain);
    for (path_point<size_class>& choice : alone.front()) choice.cost += line;
    const path_steps<size_class> reached = reached_by(std::move(alone), line);
    double least = std::accumulate(by_classes.begin(), by_classes.end(), 0.0), rest = 0;
    std::size_t end = 0;
    for (std::size_t i = by_classes.size(); i > 0; --i) {
      if (i < by_classes.size()) rest += by_classes[i];
      const double cost = i > reached.size() ? never : least_of(reached[i - 1]) + rest;
      if (cost >= least) continue;
      least = cost;
      end = i;
    }
    std::vector<alone_line> lines;
    if (end == 0) return lines;
    const size_classes path = cheapest_path(reached, end - 1);
    for (std::size_t i = 0; i < end; ++i) {
      if (lines.empty() || !(lines.back().by == path[i])) lines.push_back({0, path[i]});
      lines.back().n_max = maxima_[i];
    }
    return lines;
  }

  size_classes finest(const size_classes& above) const {
    size_classes all;
    int below = 0;
    for (const size_class& c : plan_.space) {
      if (c.n_max == below) continue;
      if (below < largest() || above.empty()) all.push_back(c);
      below = c.n_max;
    }
    const int last = all.back().n_max;
    std::copy_if(above.begin(), above.end(), std::back_inserter(all),
                 [&](const size_class& c) { return c.n_max > last; });
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

  /// Of the kernels for each class that goes by steps, the one whose sum over the class's sizes is least.
  void choose_ways_of_steps(size_classes& all, const std::vector<int>& served) const {
    for (std::size_t c = 0; c < all.size(); ++c) {
      const auto is_way = [&, n_max = all[c].n_max](const size_class& way) { return way.n_max == n_max; };
      if (std::count_if(plan_.space.begin(), plan_.space.end(), is_way) == 1) continue;
      double least = never;
      for (const size_class& way : plan_.space) {
        if (!is_way(way)) continue;
        size_classes tried = all;
        tried[c] = way;
        double sum = 0;
        bool seen = false;
        for (const int n : served) {
          if (covering(tried, n) != c) continue;
          sum += in_classes(tried, n);
          seen = true;
        }
        if (!seen || sum >= least) continue;
        least = sum;
        all[c] = way;
      }
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

/// A set with the batches that it is for.
struct set_of_batches {
  class_set is;
  std::int64_t from, to;  // the smallest and the largest batch that it was chosen for
  int largest;            // size that was measured with the largest
};

/// The lines of a set, with their evidence.
std::vector<table_line> lines_of(const class_plan& plan, const set_of_batches& set, std::int64_t batch_max,
                                 const batch_search& search) {
  constexpr const char* unmeasured = "not measured with so many";
  std::vector<table_line> lines;
  const auto add = [&](const size_class& by, int n_max, const std::string& evidence) {
    lines.push_back(line_for(*plan.of, plan.precision, n_max, by.how));
    lines.back().batch_max = batch_max;
    lines.back().evidence = evidence;
  };
  const auto measured_at = [&](int n) {
    const measurement m = search.at(set.is, n);
    return formatted("%lld to n = %d: %.4g ms, %.2fx", static_cast<long long>(set.to), n, m.median_ms,
                     1 / m.ratio());
  };
  for (const alone_line& line : set.is.alone)
    add(line.by, line.n_max, line.n_max <= set.largest ? measured_at(line.n_max) : unmeasured);
  int below = 0;
  const int alone_to = set.is.alone.empty() ? 0 : set.is.alone.back().n_max;
  for (const size_class& c : set.is.classes) {
    const int n = std::min(c.n_max, set.largest);
    add(c, c.n_max, below >= set.largest ? unmeasured : n <= alone_to ? "of larger calls" : measured_at(n));
    below = c.n_max;
  }
  return lines;
}

/// "direct 56; 3 classes: 16 64 any_extent".
std::string words_of(const class_set& set) {
  std::vector<std::string> alone, classes;
  for (const alone_line& line : set.alone)
    alone.push_back(line.by.how.schedule + ' ' + text_of_n(line.n_max));
  for (const size_class& c : set.classes) classes.push_back(c.name);
  return (alone.empty() ? "" : joined(alone, ", ") + "; ") + std::to_string(classes.size()) +
         " classes: " + joined(classes, " ");
}

}  // namespace

chosen_classes choose_classes(const class_plan& plan, const class_rules& r, const class_timer& time,
                              const std::function<bool(std::int64_t)>& has_time,
                              const std::function<void(const std::string&)>& say) {
  std::vector<set_of_batches> sets;
  chosen_classes chosen;
  double logarithms = 0;
  for (const std::int64_t batch : plan.batches) {
    if (!sets.empty() && !has_time(batch)) break;
    const batch_search search(plan, r, time, batch);
    const class_set own = search.best(sets.empty() ? class_set{} : sets.back().is);
    if (!sets.empty() && search.serves_as_well(sets.back().is, own)) {
      sets.back().to = batch;
      sets.back().largest = search.largest();
    } else {
      sets.push_back({own, batch, batch, search.largest()});
    }
    const class_set& all = sets.back().is;
    double here = 0;
    for (const int n : search.maxima()) {
      const double gain = -loss_of(search.at(all, n));
      if (chosen.calls++ == 0 || gain < std::log(chosen.least)) {
        chosen.least = std::exp(gain);
        chosen.least_n = n;
        chosen.least_batch = batch;
      }
      here += gain;
    }
    logarithms += here;
    say(formatted("%c %7lld matrices up to n = %4d: %5.2fx, ", plan.precision, static_cast<long long>(batch),
                  search.largest(), std::exp(here / static_cast<double>(search.maxima().size()))) +
        words_of(all));
  }
  chosen.mean = std::exp(logarithms / std::max(chosen.calls, 1));
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const bool is_last = s + 1 == sets.size();
    const std::vector<table_line> lines =
        lines_of(plan, sets[s], is_last ? cuda::any_batch : border_between(sets[s].to, sets[s + 1].from),
                 batch_search(plan, r, time, sets[s].to));
    chosen.lines.insert(chosen.lines.end(), lines.begin(), lines.end());
  }
  return chosen;
}

}  // namespace talus::tune
