#include "class_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "cheapest_path.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// What is so much slower is not looked at again.
constexpr double hopeless = 1.3;

std::ptrdiff_t as_difference(std::size_t c) { return static_cast<std::ptrdiff_t>(c); }
double loss_of(const measurement& m) { return m.result == outcome::ok ? std::log(m.ratio()) : never; }

double least_of(const std::vector<std::pair<size_class, double>>& some) {
  double least = never;
  for (const auto& [by, lost] : some) least = std::min(least, lost);
  return least;
}

/// The class that a size is in.
std::size_t covering(const size_classes& all, int n_max) {
  std::size_t c = 0;
  while (all[c].n_max < n_max) ++c;
  return c;
}

bool same(const size_classes& a, const size_classes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const size_class& x, const size_class& y) {
    return x.n_max == y.n_max && x.how == y.how;
  });
}

}  // namespace

bool same(const class_set& a, const class_set& b) {
  return same(a.classes, b.classes) &&
         std::equal(a.alone.begin(), a.alone.end(), b.alone.begin(), b.alone.end(),
                    [](const alone_line& x, const alone_line& y) {
                      return x.n_max == y.n_max && x.by.how == y.by.how;
                    });
}

batch_search::batch_search(const class_plan& plan, const class_rules& r, const class_timer& time,
                           std::int64_t batch)
    : plan_(plan), rules_(r), time_(time), batch_(batch) {
  for (const int n : plan.maxima) {  // the mean of n * n is a third of its maximum
    const double bytes =
        static_cast<double>(cuda::element_of(plan.precision).size) * n * n / 3 * static_cast<double>(batch);
    if (bytes <= plan.most_bytes || maxima_.empty()) maxima_.push_back(n);
  }
}

class_set batch_search::best(const class_set& above) const {
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

measurement batch_search::at(const class_set& set, int n_max) const {
  for (const alone_line& line : set.alone) {
    if (n_max <= line.n_max) return measured({line.by}, n_max, false);
  }
  return measured_in_classes(set.classes, n_max, false);
}

double batch_search::loss(const class_set& set, int n_max) const { return loss_of(at(set, n_max)); }

bool batch_search::serves_as_well(const class_set& set, const class_set& other) const {
  double sum = 0;
  for (const int n : maxima_) {
    const double lost = loss(set, n) - loss(other, n);
    if (lost > std::log1p(rules_.most_loss)) return false;
    sum += lost;
  }
  return sum < std::log1p(rules_.set_gain) * static_cast<double>(maxima_.size());
}

measurement batch_search::measured(const size_classes& by, int n_max, bool again) const {
  std::vector<std::string> names;
  for (const size_class& c : by) names.push_back(c.name);
  const std::string alone = is_alone(by.front().how) ? by.front().how.schedule + ' ' : "";
  return time_({plan_.precision, n_max, batch_, alone + joined(names, "+") + (again ? " again" : ""), by});
}

batch_search::choices batch_search::choices_at(int n) const {
  constexpr int enough = 3;
  choices tried;
  int hopeless_ones = 0;
  for (const std::vector<size_class>& of : plan_.alone) {
    for (size_class c : of) {
      if (c.n_max < n || hopeless_ones == enough) continue;
      for (const char* schedule : {"direct", "ordered"}) {
        c.how.schedule = schedule;
        const measurement m = measured({c}, n, false);
        if (m.result == outcome::slow) continue;  // of a thinned file
        tried.emplace_back(c, loss_of(m));
        const bool is_far_behind = tried.back().second > least_of(tried) + std::log(hopeless);
        hopeless_ones = is_far_behind ? hopeless_ones + 1 : 0;
        if (is_far_behind) break;
      }
    }
  }
  return tried;
}

std::vector<alone_line> batch_search::alone_up_to_the_best_end(const std::vector<choices>& alone,
                                                               const std::vector<double>& by_classes) const {
  const auto same_line = [](const size_class& a, const size_class& b) {
    return a.name == b.name && a.how == b.how;
  };
  const double line = std::log1p(rules_.line_gain);
  path_steps<size_class> steps;
  for (const choices& here : alone) {
    steps.emplace_back();
    for (const auto& [by, lost] : here) {
      if (lost != never) steps.back().push_back({by, lost + (steps.size() == 1 ? line : 0)});
    }
  }
  const auto reached = reached_by(std::move(steps), line, same_line);
  double least = std::accumulate(by_classes.begin(), by_classes.end(), 0.0), rest = 0;
  std::size_t end = 0;
  for (std::size_t i = by_classes.size(); i > 0; --i) {
    if (i < by_classes.size()) rest += by_classes[i];
    if (i > reached.size()) continue;
    const double cost = reached[i - 1][cheapest(reached[i - 1])].cost + rest;
    if (cost >= least) continue;
    least = cost;
    end = i;
  }
  std::vector<alone_line> lines;
  if (end == 0) return lines;
  const std::vector<size_class> path = path_to(reached, end - 1, cheapest(reached[end - 1]));
  for (std::size_t i = 0; i < end; ++i) {
    if (lines.empty() || !same_line(lines.back().by, path[i])) lines.push_back({0, path[i]});
    lines.back().n_max = maxima_[i];
  }
  return lines;
}

measurement batch_search::measured_in_classes(const size_classes& all, int n_max, bool again) const {
  return measured({all.begin(), all.begin() + 1 + as_difference(covering(all, n_max))}, n_max, again);
}
double batch_search::in_classes(const size_classes& all, int n_max, bool again) const {
  return loss_of(measured_in_classes(all, n_max, again));
}

size_classes batch_search::finest(const size_classes& above) const {
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

size_classes batch_search::coarsened(size_classes all, const std::vector<int>& served) const {
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

bool batch_search::pays(const size_classes& all, const size_classes& without, std::size_t c,
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

void batch_search::choose_ways_of_steps(size_classes& all, const std::vector<int>& served) const {
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

}  // namespace talus::tune
