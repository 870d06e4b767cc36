// What classes and launches for all sizes may be made of, by what was measured of equal sizes.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "choose.hpp"
#include "classes.hpp"
#include "space.hpp"
#include "vbatched/schedule.hpp"

namespace talus::tune {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// What was measured of equal sizes with so many matrices, of kernels that serve different sizes, too, as
/// they would: in classes, which all have the same shared memory, or alone. A probe is enough to choose
/// among these where another family was ahead.
std::vector<measurement> usable(const routine& of, const std::vector<measurement>& of_equal, char precision,
                                const cuda::gpu_limits& limits, const char* regime, bool is_class) {
  std::vector<measurement> some;
  for (measurement m : of_equal) {
    if (m.precision != precision || m.regime != regime) continue;
    if (is_class && value_of(m.how, "carve_out_kb") != 0) continue;
    if (m.result == outcome::slow) m.result = outcome::ok;
    for (const cuda::schedule how : {cuda::schedule::queued, cuda::schedule::greedy}) {
      m.how.schedule = cuda::name_of(how);
      if (!of.objection(line_for(of, precision, m.n, m.how), limits).empty()) continue;
      some.push_back(m);
      break;
    }
  }
  return some;
}

/// Lines of these, whatever the generic table has, which says nothing of classes.
std::vector<table_line> lines_by(const std::vector<point>& points, double line_gain) {
  rules r;
  r.most_loss = never;
  r.line_gain = line_gain;
  return choose_lines(points, table{}, r);
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
      if (is_by_steps(k) && ratio <= near * best_of(p).second && some.size() < most &&
          std::find(some.begin(), some.end(), k) == some.end())
        some.push_back(k);
    }
  }
  const std::size_t count = some.size();
  for (std::size_t i = 0; i < count; ++i) {
    some.push_back(some[i]);
    some.back().schedule = cuda::name_of(cuda::schedule::lazy);
  }
  return some;
}

/// Adds a kernel to those of its bound.
void add_class(size_classes& all, int n_max, const kernel& how) {
  const auto which =
      std::count_if(all.begin(), all.end(), [&](const size_class& c) { return c.n_max == n_max; });
  all.push_back({text_of_n(n_max) + (which > 0 ? "." + std::to_string(which) : ""), n_max, how});
}

}  // namespace

size_classes finest_classes(const routine& of, const std::vector<measurement>& of_equal, char precision,
                            const cuda::gpu_limits& limits) {
  constexpr std::size_t most = 20;
  const std::vector<point> points =
      points_of(usable(of, of_equal, precision, limits, "fill", true), precision, rules{});
  double line_gain = 0.1;  // a launch costs more than a line that is read
  std::vector<table_line> lines;
  do {
    lines = lines_by(points, line_gain);
    line_gain *= 1.25;
  } while (lines.size() > most);
  if (lines.empty() || !is_by_steps(lines.back().how))
    throw std::runtime_error("the measurements of " + of.of_equal_sizes + ", precision " + precision +
                             ", do not reach sizes where kernels that go by steps are the fastest");
  size_classes space;
  int above = 0;
  for (const table_line& line : lines) {
    const std::vector<kernel> ways = is_by_steps(line.how)
                                         ? ways_of_steps(line.how, points, above, line.n_max())
                                         : std::vector<kernel>{line.how};
    for (const kernel& k : ways) add_class(space, line.n_max(), k);
    above = line.n_max();
  }
  return space;
}

size_classes kernels_alone(const routine& of, const std::vector<measurement>& of_equal, char precision,
                           const cuda::gpu_limits& limits, const table& generic) {
  constexpr double near = 1.12, serves = 1.5;
  constexpr int warp_size = 32;
  std::map<kernel, int> bound;
  for (const char* regime : {"fill", "b3000"}) {
    const std::vector<point> points =
        points_of(usable(of, of_equal, precision, limits, regime, false), precision, rules{});
    std::set<kernel> here;
    for (const table_line& line : lines_by(points, rules{}.line_gain)) here.insert(line.how);
    // What several warps share ends earlier, which in the mean may be worth more.
    for (const point& p : points) {
      for (const auto& [k, ratio] : p.ratio) {
        if (value_of(k, "threads") > warp_size && regime == std::string("b3000") &&
            ratio <= near * best_of(p).second)
          here.insert(k);
      }
    }
    for (const point& p : points) {
      for (const auto& [k, ratio] : p.ratio) {
        if (here.count(k) > 0 && !is_by_steps(k) && ratio <= serves * best_of(p).second)
          bound[k] = std::max(bound[k], p.n);
      }
    }
  }
  for (const table_line& line : lines_of(generic, precision)) {
    if (is_by_steps(line.how)) continue;
    int& n_max = bound[as_class(line.how)];
    n_max = std::max(n_max, line.n_max());
  }
  std::set<std::pair<int, kernel>> by_bound;
  for (const auto& [k, n_max] : bound) by_bound.emplace(n_max, k);
  size_classes space;
  for (const auto& [n_max, k] : by_bound) add_class(space, n_max, k);
  return space;
}

}  // namespace talus::tune
