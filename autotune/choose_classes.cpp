// Sets of classes over the batches, and the table of them.
#include <algorithm>
#include <cmath>

#include "class_search.hpp"
#include "classes.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

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
    if (!sets.empty() && (same(own, sets.back().is) || search.serves_as_well(sets.back().is, own))) {
      sets.back().to = batch;
      sets.back().largest = search.largest();
    } else {
      sets.push_back({own, batch, batch, search.largest()});
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
