#include "price_classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "measure/precisions.hpp"
#include "words.hpp"

namespace talus::tune {

std::string words_of_box(const table_line& line) {
  std::vector<std::string> bounds;
  for (const int bound : line.bounds) bounds.push_back(text_of_n(bound));
  const bool is_square =
      std::all_of(bounds.begin(), bounds.end(), [&](const auto& b) { return b == bounds[0]; });
  return is_square ? bounds[0] : joined(bounds, "x");
}

std::string word_of(kernel k) {
  if (!is_by_steps(k)) k.schedule.clear();
  std::string word = describe(k);
  std::replace(word.begin(), word.end(), ' ', '/');
  std::replace(word.begin(), word.end(), '=', ':');
  return word;
}

namespace {

using cuda::line_group;
using measure::growth;

// ---- the lines of a call -------------------------------------------------------------------------

/// A line of a table that is being changed.
struct entry {
  table_line line;
  std::size_t place;   // in the GPU's own table
  std::size_t number;  // of the compiled line that runs: in the own table and then the generic table
};
using entries = std::vector<entry>;

entries entries_of(const std::vector<table_line>& own) {
  entries all;
  for (std::size_t i = 0; i < own.size(); ++i) all.push_back({own[i], i, i});
  return all;
}

/// The entries that the library selects for squares up to n (src/vbatched/schedule.hpp). Empty: no entry is
/// large enough.
entries selected_by(const routine& of, const growth& as, const entries& table, int n, std::int64_t batch) {
  const auto first_for = [&](int size) {
    return std::find_if(table.begin(), table.end(), [&](const entry& e) {
      return size <= largest_order(of, e.line, as) && batch <= e.line.batch_max;
    });
  };
  const auto last = first_for(n);
  if (last == table.end()) return {};
  const line_group group = group_of(last->line.how);
  if (group == line_group::alone) return {*last};
  entries all;
  for (auto e = first_for(0); e <= last; ++e) {
    const bool is_of_set = group == line_group::in_order || e->line.batch_max == last->line.batch_max;
    if (group_of(e->line.how) == group && is_of_set) all.push_back(*e);
  }
  return all;
}

/// Leaves out entries whose boxes lie within the box of an entry before.
entries without_empty(const entries& all) {
  entries some;
  for (const entry& e : all) {
    const bool is_empty = std::any_of(some.begin(), some.end(),
                                      [&](const entry& before) { return before.line.has_box_of(e.line); });
    if (!is_empty) some.push_back(e);
  }
  return some;
}

/// The squares that each entry serves in a call up to n.
std::vector<size_range> squares_served(const routine& of, const growth& as, const entries& all, int n) {
  std::vector<size_range> ranges;
  int below = 0;
  for (const entry& e : all) {
    const int last = std::min(n, largest_order(of, e.line, as));
    ranges.push_back({below + 1, last});
    below = std::max(below, last);
  }
  return ranges;
}

/// "direct 56", "16+32+104"; entries that are not among `given` have their kernel: "104:smem/tiles:6".
class_variant variant_of(const routine& of, const growth& as, const entries& all, const entries& given, int n,
                         const std::set<kernel>& generic) {
  class_variant v;
  std::vector<std::string> words;
  const std::vector<size_range> ranges = squares_served(of, as, all, n),
                                ranges_given = squares_served(of, as, given, n);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const entry& e = all[i];
    const auto same = std::find_if(given.begin(), given.end(), [&](const entry& other) {
      return other.place == e.place && other.number == e.number;
    });
    const auto at = static_cast<std::size_t>(same - given.begin());
    const bool is_given = same != given.end();
    words.push_back(words_of_box(e.line) + (is_given ? "" : ':' + word_of(e.line.how)));
    const bool does_more =
        ranges[i].first <= ranges[i].last && !(is_given && ranges[i].first >= ranges_given[at].first);
    const kernel key = key_of(e.line.how);
    if (does_more && !generic.count(key)) v.uses.insert(key);
    v.by.line[static_cast<std::size_t>(v.by.count++)] = static_cast<int>(e.number);
  }
  const kernel& first = all.front().line.how;
  const bool is_lone = is_alone(first);
  v.name = (is_lone ? first.schedule + ' ' : "") + joined(words, "+");
  const bool is_ordered_list = group_of(first) == line_group::in_order;
  v.by.how = is_ordered_list ? cuda::schedule::queued : *schedule_named(first.schedule);
  return v;
}

// ---- calls ---------------------------------------------------------------------------------------

/// Matrices of one precision: how many a call has.
struct batch_size {
  std::int64_t selected_for = 0, measured = 0;  // 0: the call is too large
};

class call_maker {
 public:
  call_maker(const routine& of, const std::vector<table_line>& own, const std::vector<table_line>& generic,
             const class_price_plan& plan)
      : of_(of), own_(own), all_(own), plan_(plan), table_(entries_of(own)), generic_keys_(keys_of(generic)) {
    all_.insert(all_.end(), generic.begin(), generic.end());
  }

  class_prices run() {
    find_calls();
    find_units();
    for (price_unit& unit : prices_.units) {
      choose_calls(unit);
      if (!unit.calls.empty()) find_ways(unit);
    }
    leave_out_unused_calls();
    return prices_;
  }

 private:
  /// The largest size of the call that is for a line; 0: none.
  int size_for(std::size_t line, const growth& as) const {
    const int bound = largest_order(of_, own_[line], as);
    if (bound != cuda::any_extent) return bound;
    int before = 0;
    for (std::size_t i = line; i-- > 0 && own_[i].batch_max == own_[line].batch_max;)
      before = std::max(before, largest_order(of_, own_[i], as));
    if (before == 0) return plan_.most_beyond;
    const int wanted = std::min(static_cast<int>(plan_.beyond * before), plan_.most_beyond);
    return before < wanted ? wanted : 0;
  }

  batch_size batch_for(std::size_t line, int n) const {
    const table_line& at = own_[line];
    std::int64_t before = 0;    // batch_max of the set before
    std::int64_t not_here = 0;  // largest batch that is served otherwise
    for (std::size_t i = 0; i < line; ++i) {
      const table_line& other = own_[i];
      if (other.batch_max >= at.batch_max) continue;
      before = std::max(before, other.batch_max);
      const bool has_classes = group_of(other.how) == line_group::in_order;
      if (has_classes || group_of(at.how) != line_group::in_order)
        not_here = std::max(not_here, other.batch_max);
    }
    const std::int64_t wanted =
        at.batch_max == cuda::any_batch
            ? std::max(plan_.many, 2 * before)
            : static_cast<std::int64_t>(plan_.share * static_cast<double>(at.batch_max));
    const std::int64_t fewest = not_here + 1;
    // One matrix has size n. Sizes of the others are uniformly distributed: the mean of their squares is
    // n^2 / 3, the mean of their cubes is n^3 / 4.
    const double bytes = static_cast<double>(cuda::element_of(at.precision).size) * n * n;
    const double flops = of_.flops(at.precision, n);
    const double others =
        std::min((plan_.most_bytes - bytes) / (bytes / 3), (plan_.most_flops - flops) / (flops / 4));
    const auto fitting = static_cast<std::int64_t>(std::max(1 + std::floor(others), 0.0));
    const std::int64_t measured = std::min(std::max(wanted, fewest), fitting);
    if (static_cast<double>(measured) < std::max(1.0, plan_.least_share * static_cast<double>(fewest)))
      return {};
    return {std::max(measured, fewest), measured};
  }

  /// Finds one call for each line and shape, at the line's largest size.
  void find_calls() {
    for (const growth& as : of_.shapes) find_calls(as);
  }
  void find_calls(const growth& as) {
    for (std::size_t line = 0; line < own_.size(); ++line) {
      const int n = size_for(line, as);
      if (n == 0) continue;
      const batch_size batch = batch_for(line, n);
      if (batch.measured == 0) continue;
      const auto is_known = [&](const class_price_call& c) {
        return c.n_max == n && c.of_batch == batch.selected_for && shape_at(c.as, n) == shape_at(as, n);
      };
      std::vector<class_price_call>& calls = prices_.calls;
      if (std::any_of(calls.begin(), calls.end(), is_known)) continue;
      const entries given = selected_by(of_, as, table_, n, batch.selected_for);
      if (given.empty()) continue;
      class_price_call call;
      call.precision = own_[line].precision;
      call.n_max = n;
      call.as = as;
      call.of_batch = batch.selected_for;
      call.batch = batch.measured;
      call.table = variant_of(of_, as, given, given, n, generic_keys_);
      call.table_name = variant_of(of_, as, given, {}, n, generic_keys_).name;
      calls.push_back(call);
    }
  }

  void find_units() {
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const kernel key = key_of(own_[i].how);
      if (generic_keys_.count(key)) continue;
      std::vector<price_unit>& units = prices_.units;
      const line_group group = group_of(own_[i].how);
      const auto same = std::find_if(units.begin(), units.end(), [&](const price_unit& u) {
        const table_line& other = own_[u.lines.front()];
        return group != line_group::alone && u.key == key && other.batch_max == own_[i].batch_max &&
               group_of(other.how) == group;
      });
      if (same != units.end())
        same->lines.push_back(i);
      else
        units.push_back({key, {i}, {}, {}, {}, ""});
    }
  }

  /// The lines of a unit that serve squares in a call.
  std::vector<std::size_t> served_in(const class_price_call& call, const price_unit& unit) const {
    const entries given = selected_by(of_, call.as, table_, call.n_max, call.of_batch);
    const std::vector<size_range> ranges = squares_served(of_, call.as, given, call.n_max);
    std::vector<std::size_t> lines;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const bool is_of_unit = std::count(unit.lines.begin(), unit.lines.end(), given[i].place) > 0;
      if (is_of_unit && ranges[i].first <= ranges[i].last) lines.push_back(given[i].place);
    }
    return lines;
  }

  /// For a lone line the call at its bound; for each class the calls with the smallest sizes.
  void choose_calls(price_unit& unit) const {
    std::vector<std::size_t> order(prices_.calls.size());
    for (std::size_t c = 0; c < order.size(); ++c) order[c] = c;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return prices_.calls[a].n_max < prices_.calls[b].n_max;
    });
    const bool is_lone = is_alone(own_[unit.lines.front()].how);
    if (is_lone) std::reverse(order.begin(), order.end());
    const int wanted = is_lone ? 1 : plan_.calls_of_class;
    std::map<std::size_t, int> count;  // by line
    for (const std::size_t c : order) {
      const std::vector<std::size_t> lines = served_in(prices_.calls[c], unit);
      const bool is_wanted =
          std::any_of(lines.begin(), lines.end(), [&](std::size_t line) { return count[line] < wanted; });
      if (!is_wanted) continue;
      unit.calls.push_back(c);
      unit.served.push_back(lines);
      for (const std::size_t line : lines) ++count[line];
    }
    for (const std::size_t line : unit.lines) {
      if (count[line] > 0) continue;
      unit.not_measured = "no measured call runs its line up to " + words_of_box(own_[line]) + ", " +
                          text_of_batch(own_[line].batch_max);
      unit.calls.clear();
      unit.served.clear();
      return;
    }
  }

  /// The kernel of compiled line `number` for own line `at`; nothing if it cannot serve there.
  std::optional<substitute> as_substitute(std::size_t number, std::size_t at) const {
    const table_line &other = all_[number], &line = own_[at];
    if (!other.has_box_of(line)) return std::nullopt;
    const bool steps = is_by_steps(other.how);
    const line_group group = group_of(line.how);
    if (steps && group != line_group::in_order) return std::nullopt;
    std::vector<cuda::schedule> schedules = {cuda::schedule::queued};
    if (steps || group == line_group::filtered)
      schedules = {*schedule_named(steps ? other.how.schedule : line.how.schedule)};
    else if (group == line_group::alone)
      schedules = {*schedule_named(line.how.schedule), cuda::schedule::ordered};
    for (const cuda::schedule schedule : schedules) {
      table_line with = line;
      with.how = other.how;
      with.how.schedule = cuda::name_of(schedule);
      if (of_.objection(with, plan_.limits).empty()) return substitute{number, with.how};
    }
    return std::nullopt;
  }

  /// Compiled lines with other kernels that can serve in place of own line `at`: the tightest box, the
  /// tightest box with a kernel of the generic table, and the next tightest boxes.
  std::vector<substitute> substitutes_for(std::size_t at) const {
    const table_line& line = own_[at];
    std::set<kernel> seen = {key_of(line.how)};
    // A line with the kernel of the next line is the same as no line.
    if (at + 1 < own_.size() && own_[at + 1].batch_max == line.batch_max &&
        group_of(own_[at + 1].how) == group_of(line.how))
      seen.insert(key_of(own_[at + 1].how));
    std::vector<std::size_t> numbers(all_.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    const auto sharing = [&](const table_line& l) {
      return std::count_if(own_.begin(), own_.end(),
                           [&](const table_line& other) { return key_of(other.how) == key_of(l.how); });
    };
    const auto rank = [&](std::size_t i) {
      const table_line& l = all_[i];
      return std::tuple{largest_square(l), l.bounds, generic_keys_.count(key_of(l.how)) == 0, -sharing(l), i};
    };
    std::sort(numbers.begin(), numbers.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
    std::vector<substitute> fitting;  // one line of each kernel
    for (const std::size_t i : numbers) {
      if (seen.count(key_of(all_[i].how))) continue;
      const auto one = as_substitute(i, at);
      if (!one) continue;
      seen.insert(key_of(one->how));
      fitting.push_back(*one);
    }
    const auto tightest_generic = std::find_if(fitting.begin(), fitting.end(), [&](const substitute& one) {
      return generic_keys_.count(key_of(one.how)) > 0;
    });
    if (tightest_generic != fitting.end() && tightest_generic != fitting.begin())
      std::rotate(fitting.begin() + 1, tightest_generic, tightest_generic + 1);
    fitting.resize(std::min(fitting.size(), static_cast<std::size_t>(plan_.substitutes)));
    return fitting;
  }

  /// False for the last class of a set, which must cover any_extent, and for the last line of the table.
  bool may_drop(std::size_t line) const {
    if (line + 1 == own_.size()) return false;
    return group_of(own_[line].how) != line_group::in_order ||
           own_[line + 1].batch_max == own_[line].batch_max;
  }

  /// The table without the unit's kernel, except that some lines of the unit have the kernels of others.
  entries table_without(const price_unit& unit, const way_without& way) const {
    entries changed;
    for (const entry& e : table_) {
      const auto instead = way.instead.find(e.place);
      if (instead != way.instead.end()) {
        entry other = e;
        other.number = instead->second.number;
        other.line.how = instead->second.how;
        // A class has the box of the compiled line, whichever line it stands in for.
        if (!is_alone(e.line.how)) other.line.bounds = all_[other.number].bounds;
        changed.push_back(other);
      } else if (key_of(e.line.how) != unit.key) {
        changed.push_back(e);
      }
    }
    return changed;
  }

  /// Adds a way if each call of the unit has lines by it.
  void add_way(price_unit& unit, way_without way) {
    const entries changed = table_without(unit, way);
    std::vector<class_variant> variants;
    for (const std::size_t c : unit.calls) {
      const class_price_call& call = prices_.calls[c];
      const entries given = selected_by(of_, call.as, table_, call.n_max, call.of_batch);
      const entries by = without_empty(selected_by(of_, call.as, changed, call.n_max, call.of_batch));
      if (by.empty()) return;
      variants.push_back(variant_of(of_, call.as, by, given, call.n_max, generic_keys_));
    }
    for (std::size_t i = 0; i < unit.calls.size(); ++i) {
      std::vector<class_variant>& others = prices_.calls[unit.calls[i]].others;
      const auto same = std::find_if(others.begin(), others.end(),
                                     [&](const class_variant& v) { return v.name == variants[i].name; });
      way.variants.push_back(static_cast<std::size_t>(same - others.begin()));
      if (same == others.end()) others.push_back(variants[i]);
    }
    unit.ways.push_back(way);
  }

  void find_ways(price_unit& unit) {
    if (std::all_of(unit.lines.begin(), unit.lines.end(), [&](auto line) { return may_drop(line); }))
      add_way(unit, {});
    std::vector<std::vector<substitute>> substitutes;  // of each line
    std::size_t most = 0;
    for (const std::size_t line : unit.lines) {
      substitutes.push_back(substitutes_for(line));
      if (substitutes.back().empty() && !may_drop(line)) return;
      most = std::max(most, substitutes.back().size());
    }
    for (std::size_t s = 0; s < most; ++s) {
      way_without way;
      for (std::size_t i = 0; i < unit.lines.size(); ++i) {
        const std::vector<substitute>& some = substitutes[i];
        if (!some.empty()) way.instead[unit.lines[i]] = some[std::min(s, some.size() - 1)];
      }
      add_way(unit, way);
    }
  }

  void leave_out_unused_calls() {
    std::vector<std::size_t> number(prices_.calls.size());
    std::vector<class_price_call> used;
    for (std::size_t c = 0; c < number.size(); ++c) {
      number[c] = used.size();
      class_price_call& call = prices_.calls[c];
      if (plan_.all_calls && call.others.empty()) {
        call.others.push_back(call.table);
        call.others.back().name = call.table_name;
      }
      if (!prices_.calls[c].others.empty()) used.push_back(prices_.calls[c]);
    }
    for (price_unit& unit : prices_.units) {
      if (unit.ways.empty() && unit.not_measured.empty())
        unit.not_measured = "no other line can serve in place of its line up to " +
                            words_of_box(own_[unit.lines.front()]) + ", " +
                            text_of_batch(own_[unit.lines.front()].batch_max);
      if (unit.ways.empty()) {
        unit.calls.clear();
        unit.served.clear();
      }
      for (std::size_t& c : unit.calls) c = number[c];
    }
    prices_.calls = used;
  }

  const routine& of_;
  const std::vector<table_line>& own_;
  std::vector<table_line> all_;  // own, generic
  const class_price_plan plan_;
  const entries table_;
  const std::set<kernel> generic_keys_;
  class_prices prices_;
};

}  // namespace

class_prices price_calls(const routine& of, const std::vector<table_line>& own,
                         const std::vector<table_line>& generic, const class_price_plan& plan) {
  if (own.empty()) return {};
  return call_maker(of, own, generic, plan).run();
}

// ---- measuring -----------------------------------------------------------------------------------

measurement measurement_of(const class_price_call& call, const class_variant& variant) {
  measurement m;
  m.precision = call.precision;
  m.regime = "b" + std::to_string(call.of_batch);
  m.n = call.n_max;
  m.of = shape_at(call.as, call.n_max);
  m.batch = call.batch;
  m.how = kernel_named(variant.name);
  return m;
}

measurement measurement_of_table(const class_price_call& call, const measurement& variant) {
  measurement m = variant;
  m.how = kernel_named(call.table_name);
  m.result = outcome::ok;
  m.median_ms = m.min_ms = m.max_ms = variant.reference_ms;
  m.why = "by the table";
  return m;
}

namespace {

/// What names a measurement.
using measurement_key = std::tuple<char, std::string, int, shape, std::string>;
measurement_key name_of(const measurement& m) { return {m.precision, m.regime, m.n, m.of, describe(m.how)}; }

}  // namespace

sweep_result measure_calls(const std::vector<class_price_call>& calls, const std::vector<measurement>& known,
                           const call_timer& time, const listener& to) {
  sweep_result done;
  done.of_points = static_cast<int>(calls.size());
  std::set<measurement_key> seen;
  for (const measurement& m : known) seen.insert(name_of(m));
  for (const class_price_call& call : calls) {
    const std::string where =
        formatted("%c %lld matrices to n = %s", call.precision, static_cast<long long>(call.batch),
                  text_of(call.n_max, shape_at(call.as, call.n_max)).c_str());
    double least = std::numeric_limits<double>::infinity(), ms = 0;
    int measured = 0;
    for (const class_variant& v : call.others) {
      if (!seen.insert(name_of(measurement_of(call, v))).second) continue;
      if (to.stop()) {
        done.interrupted = true;
        return done;
      }
      to.show(where + ": " + v.name);
      const measurement m = time(call, v);
      to.add(m);
      ++measured;
      const bool has_time = m.result == outcome::ok || m.result == outcome::slow;
      const measurement by_table = measurement_of_table(call, m);
      if (has_time && seen.insert(name_of(by_table)).second) to.add(by_table);
      if (m.result == outcome::failed || m.result == outcome::wrong) {
        done.troubles.push_back(where + ": " + v.name + ' ' + m.why);
        continue;
      }
      ms = m.reference_ms;
      least = std::min(least, m.ratio());
    }
    ++done.points;
    if (measured > 0 && ms > 0)
      to.say(where +
             formatted(": %.4g ms, without a kernel %.3fx at best, %d variants", ms, least, measured));
  }
  return done;
}

// ---- prices --------------------------------------------------------------------------------------

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

class class_pricing {
 public:
  class_pricing(const routine& of, const std::vector<table_line>& own, const std::vector<table_line>& generic,
                const std::vector<measurement>& measured, const class_price_plan& plan,
                const price_rules& rules)
      : of_(of),
        own_(own),
        rules_(rules),
        generic_keys_(keys_of(generic)),
        prices_(price_calls(of, own, generic, plan)) {
    for (const measurement& m : measured) {
      const bool has_time = m.result == outcome::ok || m.result == outcome::slow;
      if (has_time && m.median_ms > 0 && m.reference_ms > 0) ratio_[name_of(m)] = m.ratio();
    }
    lost_.assign(prices_.calls.size(), 1);
    for (const price_unit& unit : prices_.units) units_[unit.key].push_back(&unit);
    for (const table_line& line : own) {
      priced_line one;
      one.line = line;
      const kernel key = key_of(line.how);
      const bool is_alone =
          !generic_keys_.count(key) && std::count_if(own.begin(), own.end(), [&](const table_line& other) {
                                         return key_of(other.how) == key;
                                       }) == 1;
      one.kernels = is_alone ? of.forms : 0;
      done_.lines.push_back(one);
    }
    done_.kernels_before = done_.kernels_after = static_cast<int>(units_.size()) * of.forms;
  }

  priced_table run() {
    while (remove_cheapest()) {
    }
    for (const auto& [key, units] : units_) {
      if (!removed_.count(key)) record(without(units));
    }
    finish();
    return done_;
  }

 private:
  /// The table without one kernel: the way of each unit, and what that costs.
  struct change {
    std::vector<std::pair<const price_unit*, const way_without*>> ways;
    ratios price, from_given;  // time without the kernel over time by the table; with all earlier changes
    std::map<std::size_t, ratios> of_line;
    std::string not_possible;  // why
  };

  double ratio_of(const price_unit& unit, const way_without& way, std::size_t i) const {
    const class_price_call& call = prices_.calls[unit.calls[i]];
    const auto found = ratio_.find(name_of(measurement_of(call, call.others[way.variants[i]])));
    return found == ratio_.end() ? never : found->second;
  }

  std::set<kernel> kernels_used(const price_unit& unit, const way_without& way) const {
    std::set<kernel> used;
    for (std::size_t i = 0; i < unit.calls.size(); ++i) {
      const class_variant& v = prices_.calls[unit.calls[i]].others[way.variants[i]];
      used.insert(v.uses.begin(), v.uses.end());
    }
    for (const auto& [line, other] : way.instead) {
      const kernel key = key_of(other.how);
      if (!generic_keys_.count(key)) used.insert(key);
    }
    return used;
  }

  /// The fastest way of a unit without a loss that is too large; the fastest way if each has one. Ways that
  /// drop lines, and ways with kernels of the generic table, may be a little slower. Null: none.
  const way_without* best_way(const price_unit& unit) const {
    constexpr double own_kernel = 1.01;
    const way_without* best = nullptr;
    std::pair<bool, double> least = {true, never};
    for (const way_without& way : unit.ways) {
      const std::set<kernel> used = kernels_used(unit, way);
      if (std::any_of(used.begin(), used.end(), [&](const kernel& k) { return removed_.count(k) > 0; }))
        continue;
      ratios sum;
      bool loses = false;
      for (std::size_t i = 0; i < unit.calls.size(); ++i) {
        const double ratio = ratio_of(unit, way, i);
        sum.add(ratio);
        loses = loses || lost_[unit.calls[i]] * ratio > 1 + rules_.most_loss;
      }
      if (!std::isfinite(sum.greatest)) continue;
      const double weighted =
          sum.mean() * (way.instead.empty() ? 1 : 1 + rules_.reuse_gain) * (used.empty() ? 1 : own_kernel);
      if (std::pair{loses, weighted} >= least) continue;
      least = {loses, weighted};
      best = &way;
    }
    return best;
  }

  change without(const std::vector<const price_unit*>& units) const {
    change c;
    for (const price_unit* unit : units) {
      if (!unit->not_measured.empty()) {
        c.not_possible = unit->not_measured;
        return c;
      }
      const way_without* const way = best_way(*unit);
      if (!way) {
        c.not_possible = "no way to serve without it was measured in all of its calls";
        return c;
      }
      c.ways.emplace_back(unit, way);
      for (std::size_t i = 0; i < unit->calls.size(); ++i) {
        const double ratio = ratio_of(*unit, *way, i);
        c.price.add(ratio);
        c.from_given.add(lost_[unit->calls[i]] * ratio);
        for (const std::size_t line : unit->served[i]) c.of_line[line].add(ratio);
      }
    }
    return c;
  }

  void record(const change& c) {
    for (const auto& [line, gain] : c.of_line) done_.lines[line].take_price(gain);
  }

  bool remove_cheapest() {
    std::optional<change> cheapest;
    kernel its_key;
    const double bar = 1 + rules_.bar;
    for (const auto& [key, units] : units_) {
      if (removed_.count(key) || relied_on_.count(key)) continue;
      const change c = without(units);
      if (!c.not_possible.empty() || !(c.price.mean() < bar) || !(c.from_given.mean() < bar) ||
          c.from_given.greatest > 1 + rules_.most_loss)
        continue;
      if (cheapest && c.price.mean() >= cheapest->price.mean()) continue;
      cheapest = c;
      its_key = key;
    }
    if (!cheapest) return false;
    record(*cheapest);
    removed_.insert(its_key);
    for (const auto& [unit, way] : cheapest->ways) {
      for (const kernel& k : kernels_used(*unit, *way)) relied_on_.insert(k);
      for (std::size_t i = 0; i < unit->calls.size(); ++i) lost_[unit->calls[i]] *= ratio_of(*unit, *way, i);
      for (const std::size_t line : unit->lines) change_line(line, *way);
    }
    return true;
  }

  void change_line(std::size_t line, const way_without& way) {
    priced_line& one = done_.lines[line];
    const auto instead = way.instead.find(line);
    one.is = instead == way.instead.end() ? verdict::drop : verdict::reuse;
    if (one.is == verdict::reuse) one.instead = instead->second.how;
  }

  void finish() {
    ratios all;
    for (const double lost : lost_) all.add(lost);
    done_.points = all.count;
    done_.mean = all.mean();
    done_.worst = all.count == 0 ? 1 : all.greatest;
    done_.kernels_after = static_cast<int>(units_.size() - removed_.size()) * of_.forms;
    std::vector<bool> is_changed;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      priced_line& one = done_.lines[i];
      const kernel key = key_of(one.line.how);
      if (generic_keys_.count(key))
        one.not_priced = "the generic table has its kernel";
      else if (one.points == 0)
        one.not_priced = without(units_.at(key)).not_possible;
      if (one.is == verdict::keep && one.points > 0 && relied_on_.count(key))
        one.remark = "changed lines rely on its kernel";
      if (one.is == verdict::drop) continue;
      table_line left = one.line;
      if (one.is == verdict::reuse) left.how = one.instead;
      if (one.points > 0) left.evidence = words_of_price(one, "call");
      merge_into(left, is_changed, one.is == verdict::reuse);
      done_.pruned.push_back(left);
      is_changed.push_back(one.is == verdict::reuse);
    }
  }

  /// Removes the line before `next` if `next` serves all of its matrices with the same kernel, and one of the
  /// two lines was changed.
  void merge_into(const table_line& next, std::vector<bool>& is_changed, bool next_is_changed) {
    if (done_.pruned.empty()) return;
    const table_line& before = done_.pruned.back();
    if (!(before.how == next.how) || before.batch_max != next.batch_max || !next.has_box_of(before) ||
        !(is_changed.back() || next_is_changed))
      return;
    for (priced_line& one : done_.lines) {
      if (one.line.bounds == before.bounds && one.line.batch_max == before.batch_max &&
          group_of(one.line.how) == group_of(before.how))
        one.is = verdict::drop;
    }
    done_.pruned.pop_back();
    is_changed.pop_back();
  }

  const routine& of_;
  const std::vector<table_line>& own_;
  const price_rules rules_;
  const std::set<kernel> generic_keys_;
  const class_prices prices_;
  std::map<measurement_key, double> ratio_;
  std::map<kernel, std::vector<const price_unit*>> units_;
  std::vector<double> lost_;  // of each call, by all changes so far
  std::set<kernel> removed_, relied_on_;
  priced_table done_;
};

}  // namespace

priced_table price_classes(const routine& of, const std::vector<table_line>& own,
                           const std::vector<table_line>& generic, const std::vector<measurement>& measured,
                           const class_price_plan& plan, const price_rules& rules) {
  if (own.empty()) return {};
  return class_pricing(of, own, generic, measured, plan, rules).run();
}

}  // namespace talus::tune
