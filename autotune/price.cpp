#include "price.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "measure/plan.hpp"
#include "words.hpp"

namespace talus::tune {

kernel key_of(const kernel& k) {
  kernel key = without(k, "tbc");
  key.schedule.clear();
  return key;
}

std::set<kernel> keys_of(const std::vector<table_line>& lines) {
  std::set<kernel> keys;
  for (const table_line& line : lines) keys.insert(key_of(line.how));
  return keys;
}

int largest_square(const table_line& line) {
  return *std::min_element(line.bounds.begin(), line.bounds.begin() + line.orders);
}

measure::sizes sizes_at(const routine& of, int n, const shape& shape) {
  const int m = shape.m == 0 ? n : shape.m;
  return {m, n, shape.k == 0 ? std::min(m, n) : shape.k, shape.nrhs == 0 ? of.measured_nrhs : shape.nrhs};
}

shape shape_at(const measure::growth& as, int n) {
  return {as.m_times == 1 ? 0 : as.m_times * n, as.k_max >= n ? 0 : as.k_max, as.nrhs_is_n ? n : as.nrhs};
}

int largest_order(const routine& of, const table_line& line, const measure::growth& as) {
  constexpr int most = 1 << 27;  // a line that serves this n serves all n
  const auto is_in = [&](int n) {
    const measure::sizes s = sizes_at(of, n, shape_at(as, n));
    return line.holds(of.extents_of(s.m, s.n, s.k, s.nrhs));
  };
  if (is_in(most)) return cuda::any_extent;
  int in = 0, out = most;
  while (out - in > 1) {
    const int n = in + (out - in) / 2;
    (is_in(n) ? in : out) = n;
  }
  return in;
}

void ratios::add(double ratio) {
  logarithms += std::log(ratio);
  least = std::min(least, ratio);
  greatest = std::max(greatest, ratio);
  ++count;
}

double ratios::mean() const { return count == 0 ? 1 : std::exp(logarithms / count); }

void priced_line::take_price(const ratios& of) {
  mean = of.mean();
  least = of.least;
  greatest = of.greatest;
  points = of.count;
}

std::string words_of_price(const priced_line& one, const std::string& point) {
  if (one.points == 0) return "";
  return formatted("%s %.2f (%.2f to %.2f, %d %s%s)",
                   one.is == verdict::reuse ? "re-used; price of a kernel of its own" : "price", one.mean,
                   one.least, one.greatest, one.points, point.c_str(), one.points == 1 ? "" : "s");
}

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Returns the extents of a matrix of order n and of this shape, as tables name them.
std::vector<int> extents_at(const routine& of, int n, const shape& shape) {
  const measure::sizes s = sizes_at(of, n, shape);
  return of.extents_of(s.m, s.n, s.k, s.nrhs);
}

std::size_t number_selected(const routine& of, const std::vector<table_line>& lines, int n,
                            std::int64_t batch, const shape& shape = {}) {
  const std::vector<int> extents = extents_at(of, n, shape);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].holds(extents) && batch <= lines[i].batch_max) return i;
  }
  return none;
}

// ---- points --------------------------------------------------------------------------------------

using measure::growth;

double bytes_of(char precision, const measure::sizes& s) {
  return static_cast<double>(cuda::element_of(precision).size) * measure::elements_of(s);
}

/// The size and shape of a point's matrices.
struct place {
  int n = 0;
  shape of;
};

/// How extensively a line is measured.
struct line_plan {
  bool is_brief = false;  // one size and one batch
};

/// The sizes at which a line is measured, ascending.
std::vector<int> sizes_in(const routine& of, const size_range& range, char precision, const growth& as,
                          const line_plan& of_line, const price_plan& plan) {
  constexpr double wide = 1.3, very_wide = 2.5, beyond = 1.5;
  const auto bytes = [&](int n) { return bytes_of(precision, sizes_at(of, n, shape_at(as, n))); };
  int largest = 1;
  for (int step = 1 << 20; step > 0; step /= 2) {
    if (bytes(largest + step) <= plan.matrix_bytes) largest += step;
  }
  if (range.first > largest)
    return bytes(range.first) <= plan.most_matrix_bytes ? std::vector{range.first} : std::vector<int>();
  const bool is_open = range.last == cuda::any_extent;
  const int below = range.first - 1;
  constexpr int of_only_line = 1024;
  const int wanted = !is_open     ? range.last
                     : below == 0 ? of_only_line
                                  : std::max(range.first, static_cast<int>(beyond * below));
  const int last = std::min(wanted, largest);
  const double ratio = static_cast<double>(last) / range.first;
  std::set<int> sizes = {last};
  if (of_line.is_brief) return {last};
  const auto add = [&](double share) {
    sizes.insert(static_cast<int>(std::lround(range.first * std::pow(ratio, share))));
  };
  const bool is_large = bytes(last) > plan.few_sizes_from_bytes;
  if (is_open && !is_large) add(0.1);
  if (!is_large && ratio > very_wide) {
    add(1.0 / 3);
    add(2.0 / 3);
  } else if (!is_large && ratio > wide) {
    add(0.5);
  }
  return {sizes.begin(), sizes.end()};
}

struct batch_at {
  std::string regime;
  std::int64_t count;
};

std::int64_t at_most(double bytes, double bytes_of_one) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes / bytes_of_one));
}

batch_at batch_of(const std::string& regime, double bytes_of_one, const price_plan& plan) {
  constexpr std::int64_t most = 1'000'000;
  const std::int64_t wanted = measure::parse_regime(regime).batch_count;
  if (wanted == 0) return {regime, std::min(most, at_most(plan.fill_bytes, bytes_of_one))};
  return {regime, std::min(wanted, at_most(plan.most_bytes, bytes_of_one))};
}

/// Returns the batches at which a line is measured at a place. The table selects the line for each of them.
std::vector<batch_at> batches_at(const routine& of, const std::vector<table_line>& lines, std::size_t line,
                                 const place& at, const line_plan& of_line, const price_plan& plan) {
  constexpr double near = 1.25;
  constexpr std::int64_t few = 4;
  const double bytes = bytes_of(lines[line].precision, sizes_at(of, at.n, at.of));
  std::vector<batch_at> all;
  const auto add = [&](const batch_at& one) {
    const bool is_known = std::any_of(all.begin(), all.end(), [&](const batch_at& other) {
      const double ratio = static_cast<double>(one.count) / static_cast<double>(other.count);
      return ratio < near && ratio > 1 / near;
    });
    const bool is_enough = of_line.is_brief && !all.empty();
    if (!is_known && !is_enough && number_selected(of, lines, at.n, one.count, at.of) == line)
      all.push_back(one);
  };
  const auto named = [](std::int64_t count) { return batch_at{"b" + std::to_string(count), count}; };
  const std::int64_t most = lines[line].batch_max;
  if (most != cuda::any_batch) {
    const std::int64_t fitting = std::min(most, at_most(plan.most_bytes_of_line, bytes));
    add(named(fitting));
    if (fitting > few) add(named((fitting + 1) / 2));
    for (const std::int64_t count : {3000, 100}) {
      if (count < fitting) add(named(count));
    }
    return all;
  }
  const std::vector<std::string> usual = {"fill", "b3000"};
  for (const std::string& regime : plan.regimes.empty() ? usual : plan.regimes)
    add(batch_of(regime, bytes, plan));
  if (!all.empty()) return all;
  std::int64_t above = 0;  // batches that lines for small batches serve
  const std::vector<int> extents = extents_at(of, at.n, at.of);
  for (std::size_t i = 0; i < line; ++i) {
    if (lines[i].holds(extents) && lines[i].batch_max != cuda::any_batch)
      above = std::max(above, lines[i].batch_max);
  }
  const std::int64_t fitting = at_most(plan.most_bytes_of_line, bytes);
  add(named(std::min(std::max(above + 1, above * 3 / 2), fitting)));
  return all;
}

/// Returns the place at the corner of a line's box. If must_serve is true, no line above may serve there;
/// extents without bound are as small as that allows. Returns nothing if there is no such place, or only
/// for matrices that are too large.
std::optional<place> corner_of(const routine& of, const std::vector<table_line>& lines, std::size_t line,
                               const price_plan& plan, bool must_serve = true) {
  const table_line& at = lines[line];
  int largest = 1;
  for (const int bound : at.bounds) largest = std::max(largest, bound == cuda::any_extent ? 1 : bound);
  for (const int unbounded : {largest, 2 * largest, 64, 128, 256, 512, 1024, 2048, 4096}) {
    measure::sizes s;
    for (std::size_t i = 0; i < at.bounds.size(); ++i) {
      const int extent = at.bounds[i] == cuda::any_extent ? unbounded : at.bounds[i];
      const std::string& name = of.extents[i];
      (name == "m" ? s.m : name == "n" ? s.n : name == "k" ? s.k : s.nrhs) = extent;
    }
    if (s.m == 0) s.m = s.n;
    const place corner = {s.n, {s.m == s.n ? 0 : s.m, s.k, s.nrhs == of.measured_nrhs ? 0 : s.nrhs}};
    if (bytes_of(at.precision, s) > plan.most_matrix_bytes) continue;
    if (!must_serve || number_selected(of, lines, corner.n, std::min<std::int64_t>(at.batch_max, 1 << 20),
                                       corner.of) == line)
      return corner;
  }
  return std::nullopt;
}

/// Every kernel of both tables that can run matrices of size n, except `reference`; none twice.
std::vector<kernel> others_at(const routine& of, const std::vector<table_line>& own,
                              const std::vector<table_line>& generic, const place& at,
                              const kernel& reference, const cuda::gpu_limits& limits) {
  std::vector<kernel> others;
  std::set<kernel> seen = {reference};
  const std::vector<int> extents = extents_at(of, at.n, at.of);
  for (const auto* lines : {&own, &generic}) {
    for (const table_line& line : *lines) {
      if (!line.holds(extents) || seen.count(line.how)) continue;
      table_line here = line;
      here.bounds = extents;
      here.batch_max = cuda::any_batch;
      if (!of.objection(here, limits).empty()) continue;
      seen.insert(line.how);
      others.push_back(line.how);
    }
  }
  return others;
}

}  // namespace

const table_line* selected(const routine& of, const std::vector<table_line>& lines, int n, std::int64_t batch,
                           const shape& shape) {
  const std::size_t number = number_selected(of, lines, n, batch, shape);
  return number == none ? nullptr : &lines[number];
}

size_range squares_of(const routine& of, const std::vector<table_line>& lines, std::size_t line,
                      const measure::growth& as) {
  size_range range = {1, largest_order(of, lines[line], as)};
  for (std::size_t i = 0; i < line; ++i) {
    if (lines[i].batch_max < lines[line].batch_max) continue;
    const int served = largest_order(of, lines[i], as);
    if (served >= range.last) return {};
    range.first = std::max(range.first, served + 1);
  }
  return range;
}

bool has_line(const std::vector<table_line>& lines, const table_line& line) {
  return std::any_of(lines.begin(), lines.end(), [&](const table_line& other) {
    return other.precision == line.precision && other.bounds == line.bounds && other.how == line.how &&
           other.batch_max == line.batch_max;
  });
}

std::vector<table_line> without_schedules(std::vector<table_line> lines) {
  for (table_line& line : lines) line.how.schedule.clear();
  return lines;
}

std::vector<named_point> price_points(const routine& of, const std::vector<table_line>& own,
                                      const std::vector<table_line>& generic, const price_plan& plan) {
  if (of.has_schedules && !own.front().how.schedule.empty())
    return price_points(of, without_schedules(own), without_schedules(generic), plan);
  std::vector<named_point> points;
  const std::set<kernel> generic_keys = keys_of(generic);
  for (std::size_t line = 0; line < own.size(); ++line) {
    if (has_line(generic, own[line])) continue;
    const char precision = own[line].precision;
    const bool is_generic = generic_keys.count(key_of(own[line].how)) > 0;
    bool has_points = false;
    const auto add = [&](const place& at, const line_plan& of_line) {
      for (const batch_at& batch : batches_at(of, own, line, at, of_line, plan)) {
        points.push_back({precision, at.n, batch.regime, batch.count, own[line].how,
                          others_at(of, own, generic, at, own[line].how, plan.limits), at.of});
        has_points = true;
      }
    };
    for (std::size_t s = 0; s < of.shapes.size(); ++s) {
      const measure::growth& as = of.shapes[s];
      const size_range range = squares_of(of, own, line, as);
      if (range.first > range.last) continue;
      const line_plan of_line = {is_generic || s > 0};
      for (const int n : sizes_in(of, range, precision, as, of_line, plan))
        add({n, shape_at(as, n)}, of_line);
    }
    if (has_points) continue;
    if (const auto corner = corner_of(of, own, line, plan)) add(*corner, {true});
    if (has_points || !of.has_schedules) continue;
    // A lone line above serves all calls of one size in this class, so only the class's kernel is measured.
    const auto corner = corner_of(of, own, line, plan, false);
    if (!corner) continue;
    const double bytes = bytes_of(precision, sizes_at(of, corner->n, corner->of));
    const std::int64_t count = std::min(own[line].batch_max, at_most(plan.fill_bytes, bytes));
    points.push_back({precision, corner->n, "b" + std::to_string(count), count, own[line].how,
                      others_at(of, own, generic, *corner, own[line].how, plan.limits), corner->of});
  }
  return points;
}

// ---- prices --------------------------------------------------------------------------------------

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// A measured point. Ratios to the reference, of slow kernels too: what one run took.
struct price_point {
  std::vector<int> extents;
  std::int64_t batch = 0;
  std::map<kernel, double> ratio;
  double given = 0;  // ratio of the kernel that the table as given selects

  double of(const kernel& k) const {
    const auto found = ratio.find(k);
    return found == ratio.end() ? never : found->second;
  }
};

std::vector<price_point> points_in(const routine& of, const std::vector<measurement>& measured,
                                   char precision) {
  std::map<std::tuple<int, shape, std::string>, price_point> found;
  for (const measurement& m : measured) {
    const bool has_time = m.result == outcome::ok || m.result == outcome::slow;
    if (m.precision != precision || !has_time || !(m.median_ms > 0) || !(m.reference_ms > 0)) continue;
    price_point& p = found[{m.n, m.of, m.regime}];
    p.extents = extents_at(of, m.n, m.of);
    p.batch = m.batch;
    double& ratio = p.ratio.emplace(m.how, m.ratio()).first->second;
    ratio = std::min(ratio, m.ratio());
  }
  std::vector<price_point> points;
  for (auto& [key, p] : found) points.push_back(p);
  return points;
}

/// A line of the table that is being pruned, and its number in the table as given.
struct open_line {
  table_line line;
  std::size_t number;
};
using open_table = std::vector<open_line>;

class pricing {
 public:
  pricing(const routine& of, const std::vector<table_line>& own, const std::vector<table_line>& generic,
          const std::vector<measurement>& measured, const cuda::gpu_limits& limits, const price_rules& rules)
      : of_(of), own_(own), limits_(limits), rules_(rules), generic_keys_(keys_of(generic)) {
    for (const table_line& line : generic) generic_.insert(line.how);
    for (std::size_t i = 0; i < own.size(); ++i) now_.push_back({own[i], i});
    for (price_point& p : points_in(of, measured, own.front().precision)) {
      const std::size_t line = served_by(now_, p);
      if (line == none) continue;
      p.given = p.of(now_[line].line.how);
      if (!std::isfinite(p.given)) continue;
      points_.push_back(p);
      measured_.insert(line);
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      priced_line one;
      one.line = own[i];
      const kernel key = key_of(own[i].how);
      const auto has_key = [&](const table_line& line) { return key_of(line.how) == key; };
      const bool is_alone = !generic_keys_.count(key) && std::count_if(own.begin(), own.end(), has_key) == 1;
      one.kernels = is_alone ? of.forms : 0;
      done_.lines.push_back(one);
    }
    done_.kernels_before = kernels_of_its_own();
  }

  priced_table run() {
    while (remove_cheapest()) {
    }
    price_what_stays();
    merge_neighbours();
    finish();
    return done_;
  }

 private:
  /// The table without one kernel, and what that costs.
  struct change {
    open_table after;
    ratios price, from_given;               // times after the change over times now, and over times at first
    std::map<std::size_t, ratios> of_line;  // price of each line, by number
    std::map<std::size_t, kernel> reused;
    std::set<std::size_t> dropped;
    bool is_possible = true;
  };

  std::size_t served_by(const open_table& lines, const price_point& p) const {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const table_line& line = lines[i].line;
      if (line.holds(p.extents) && p.batch <= line.batch_max) return i;
    }
    return none;
  }

  std::vector<const price_point*> points_of(std::size_t at) const {
    std::vector<const price_point*> some;
    for (const price_point& p : points_) {
      if (served_by(now_, p) == at) some.push_back(&p);
    }
    return some;
  }

  /// Distinct compiled kernels that the generic table lacks, of all forms.
  int kernels_of_its_own() const {
    std::set<kernel> keys;
    for (const open_line& one : now_) {
      if (!generic_keys_.count(key_of(one.line.how))) keys.insert(key_of(one.line.how));
    }
    return static_cast<int>(keys.size()) * of_.forms;
  }

  bool loses_too_much(double now, const price_point& p) const {
    return now > p.given * (1 + rules_.most_loss);
  }

  /// Another compiled kernel for a line's points, with the lowest mean; kernels that lose too much at a point
  /// only if all do.
  struct reuse_offer {
    kernel how;
    double mean = never;
    bool is_good = false;
  };
  reuse_offer best_reuse(const table_line& line, const open_table& compiled, const kernel& key,
                         const std::vector<const price_point*>& points) const {
    std::set<kernel> kernels = generic_;
    for (const open_line& one : compiled) kernels.insert(one.line.how);
    reuse_offer best;
    for (const kernel& k : kernels) {
      if (key_of(k) == key) continue;
      table_line with = line;
      with.how = k;
      if (!of_.objection(with, limits_).empty()) continue;
      ratios sum;
      bool is_good = true;
      for (const price_point* p : points) {
        sum.add(p->of(k) / p->of(line.how));
        is_good = is_good && !loses_too_much(p->of(k), *p);
      }
      if (!std::isfinite(sum.greatest)) continue;
      if (std::pair{!is_good, sum.mean()} < std::pair{!best.is_good, best.mean})
        best = {k, sum.mean(), is_good};
    }
    return best;
  }

  /// Takes kernel `key` from the lines at `which`, from the last line to the first: each is dropped, so that
  /// the lines below it serve its points, or gets another kernel.
  change without_kernel(const kernel& key, const std::vector<std::size_t>& which) const {
    change c;
    c.after = now_;
    std::vector<std::pair<std::size_t, const price_point*>> served;  // by which line
    for (auto at = which.rbegin(); at != which.rend(); ++at) {
      const std::vector<const price_point*> points = points_of(*at);
      if (points.empty()) {
        c.is_possible = false;
        return c;
      }
      const open_line was = now_[*at];
      for (const price_point* p : points) served.emplace_back(*at, p);
      // Lines before this one do not serve these points, so c.after without it shows who does.
      open_table dropped = c.after;
      dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(*at));
      ratios drop;
      bool drop_is_good = *at + 1 < c.after.size();  // the last line serves what no other line does
      for (const price_point* p : points) {
        const std::size_t line = served_by(dropped, *p);
        const double after = line == none ? never : p->of(dropped[line].line.how);
        drop.add(after / p->of(was.line.how));
        drop_is_good = drop_is_good && !loses_too_much(after, *p);
      }
      const bool may_drop = *at + 1 < c.after.size() && std::isfinite(drop.greatest);
      const reuse_offer reuse = best_reuse(was.line, c.after, key, points);
      const bool may_reuse = std::isfinite(reuse.mean);
      const bool prefers_drop = drop_is_good ? drop.mean() <= reuse.mean * (1 + rules_.reuse_gain)
                                             : !reuse.is_good && drop.mean() <= reuse.mean;
      if (may_drop && (prefers_drop || !may_reuse)) {
        c.after = dropped;
        c.dropped.insert(was.number);
      } else if (may_reuse) {
        c.after[*at].line.how = reuse.how;
        c.reused[was.number] = reuse.how;
      } else {
        c.is_possible = false;
        return c;
      }
    }
    for (const auto& [at, p] : served) {
      const std::size_t line = served_by(c.after, *p);
      const double after = line == none ? never : p->of(c.after[line].line.how);
      c.price.add(after / p->of(now_[at].line.how));
      c.from_given.add(after / p->given);
      c.of_line[now_[at].number].add(after / p->of(now_[at].line.how));
    }
    return c;
  }

  /// The lines with each compiled kernel.
  std::map<kernel, std::vector<std::size_t>> lines_by_kernel() const {
    std::map<kernel, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < now_.size(); ++i) groups[key_of(now_[i].line.how)].push_back(i);
    return groups;
  }

  void record(const std::map<std::size_t, ratios>& of_line) {
    for (const auto& [number, gain] : of_line) {
      priced_line& one = done_.lines[number];
      if (one.points > 0) continue;  // it had its price when it lost its kernel
      one.take_price(gain);
    }
  }

  bool remove_cheapest() {
    std::optional<change> cheapest;
    for (const auto& [key, which] : lines_by_kernel()) {
      if (generic_keys_.count(key)) continue;
      const change c = without_kernel(key, which);
      const double bar = 1 + rules_.bar;
      if (!c.is_possible || !(c.price.mean() < bar) || !(c.from_given.mean() < bar) ||
          c.from_given.greatest > 1 + rules_.most_loss)
        continue;
      if (!cheapest || c.price.mean() < cheapest->price.mean()) cheapest = c;
    }
    if (!cheapest) return false;
    record(cheapest->of_line);
    for (const std::size_t number : cheapest->dropped) done_.lines[number].is = verdict::drop;
    for (const auto& [number, how] : cheapest->reused) {
      done_.lines[number].is = verdict::reuse;
      done_.lines[number].instead = how;
    }
    now_ = cheapest->after;
    return true;
  }

  /// The price of each line that is left. A line is priced alone if another line with its kernel has no
  /// points.
  void price_what_stays() {
    for (const auto& [key, which] : lines_by_kernel()) {
      if (generic_keys_.count(key)) continue;
      const change together = without_kernel(key, which);
      if (together.is_possible) {
        record(together.of_line);
        continue;
      }
      for (const std::size_t at : which) {
        const change alone = without_kernel(key, {at});
        if (alone.is_possible) record(alone.of_line);
      }
    }
  }

  /// Drops each line that the next line covers with the same kernel.
  void merge_neighbours() {
    for (std::size_t i = now_.size() - 1; i-- > 0;) {
      const table_line &line = now_[i].line, &next = now_[i + 1].line;
      if (line.how != next.how || !next.covers(line)) continue;
      done_.lines[now_[i].number].is = verdict::drop;
      now_.erase(now_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void finish() {
    ratios change;
    for (const price_point& p : points_) change.add(p.of(now_[served_by(now_, p)].line.how) / p.given);
    done_.points = change.count;
    done_.mean = change.mean();
    done_.worst = change.count == 0 ? 1 : change.greatest;
    done_.kernels_after = kernels_of_its_own();
    for (std::size_t i = 0; i < own_.size(); ++i) {
      priced_line& one = done_.lines[i];
      const size_range range = squares_of(of_, own_, i);
      if (one.points > 0) continue;
      one.not_priced = range.first > range.last && measured_.count(i) == 0 ? "no square matrix selects it"
                       : generic_keys_.count(key_of(one.line.how)) ? "the generic table has its kernel"
                       : measured_.count(i) == 0                   ? "not measured"
                                                 : "no other kernel was measured at all of its points";
    }
    for (open_line& left : now_) {
      const priced_line& one = done_.lines[left.number];
      if (one.points > 0) left.line.evidence = words_of_price(one);
      done_.pruned.push_back(left.line);
    }
  }

  const routine& of_;
  const std::vector<table_line>& own_;
  const cuda::gpu_limits limits_;
  const price_rules rules_;
  const std::set<kernel> generic_keys_;
  std::set<kernel> generic_;
  std::vector<price_point> points_;
  std::set<std::size_t> measured_;  // lines that have points in the table as given
  open_table now_;
  priced_table done_;
};

}  // namespace

priced_table price_lines(const routine& of, const std::vector<table_line>& own,
                         const std::vector<table_line>& generic, const std::vector<measurement>& measured,
                         const cuda::gpu_limits& limits, const price_rules& rules) {
  if (own.empty()) return {};
  if (of.has_schedules && !own.front().how.schedule.empty()) {
    priced_table priced =
        price_lines(of, without_schedules(own), without_schedules(generic), measured, limits, rules);
    for (std::size_t i = 0; i < own.size(); ++i) priced.lines[i].line = own[i];
    priced.pruned.clear();
    return priced;
  }
  return pricing(of, own, generic, measured, limits, rules).run();
}

}  // namespace talus::tune
