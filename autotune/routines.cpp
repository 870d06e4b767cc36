// From the types of a routine, its description and its tables, to what the tuner knows of it; and between a
// kernel as the library has it, typed, and as the tuner names it.
#include "measure/priced_routines.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <type_traits>
#include <variant>

#include "gpu/table.hpp"
#include "space.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

template <class Line>
constexpr bool is_mixed = !std::is_same_v<Line, cuda::table_line<typename Line::routine>>;

/// A typed kernel of a family, as the tuner names it.
template <class Family>
kernel named(const Family& typed) {
  kernel k = {typed.name};
  Family::for_each_parameter(typed, [&](const char* name, const auto& value) {
    if (value != 0) k.parameters.emplace_back(name, static_cast<int>(value));
  });
  return k;
}

/// The way back; false where the routine has no such kernel.
template <class... Family>
bool set_typed(std::variant<Family...>& typed, const kernel& k) {
  bool is_there = false;
  const auto look_at = [&](auto family) {
    if (k.family != family.name) return;
    std::size_t known = 0;
    decltype(family)::for_each_parameter(family, [&](const char* name, auto& value) {
      for (const auto& [parameter, given] : k.parameters) {
        if (parameter != name) continue;
        value = static_cast<std::decay_t<decltype(value)>>(given);
        ++known;
      }
    });
    is_there = known == k.parameters.size();
    typed = family;
  };
  (look_at(Family{}), ...);
  return is_there;
}

template <class Family, class = void>
struct as_compiled {
  static Family of(const Family& family) { return family; }
};
template <class Family>
struct as_compiled<Family, std::void_t<decltype(std::declval<Family>().of_kernel())>> {
  static Family of(const Family& family) { return family.of_kernel(); }
};

/// Returns the parameters of a kernel that of_kernel() keeps, with their values.
template <class... Family>
std::vector<std::pair<std::string, int>> compiled_values_of(const kernel& k, std::variant<Family...> typed) {
  std::vector<std::pair<std::string, int>> values;
  if (!set_typed(typed, k)) return values;
  std::visit(
      [&](auto family) {
        using family_type = decltype(family);
        family_type ones{};  // of_kernel() sets parameters of the launch to 0
        family_type::for_each_parameter(
            ones, [](const char*, auto& value) { value = static_cast<std::decay_t<decltype(value)>>(1); });
        std::vector<bool> is_compiled;
        const family_type kept = as_compiled<family_type>::of(ones);
        family_type::for_each_parameter(
            kept, [&](const char*, const auto& value) { is_compiled.push_back(value != 0); });
        std::size_t at = 0;
        family_type::for_each_parameter(family, [&](const char* name, const auto& value) {
          if (is_compiled[at++]) values.emplace_back(name, static_cast<int>(value));
        });
      },
      typed);
  return values;
}

/// Every combination of the values that a family tries.
template <class Family>
std::vector<Family> combinations(const std::vector<cuda::search_values>& tried) {
  std::vector<Family> all(1);
  for (const cuda::search_values& values : tried) {
    std::vector<Family> more;
    for (const Family& one : all) {
      for (const int value : values.of) {
        more.push_back(one);
        Family::for_each_parameter(more.back(), [&](const std::string& name, auto& member) {
          if (name == values.parameter) member = static_cast<std::decay_t<decltype(member)>>(value);
        });
      }
    }
    all = std::move(more);
  }
  return all;
}

template <class... Family>
std::vector<family> families_of(std::variant<Family...>) {
  const auto one = [](auto of) {
    const auto space = decltype(of)::space();
    family f = {of.name,     {},        space.parameters, space.n_min,
                space.n_max, space.why, space.why_worth,  space.follows_from_n};
    decltype(of)::for_each_parameter(of, [&](const char* name, const auto& value) {
      f.parameters.push_back({name, std::is_same_v<std::decay_t<decltype(value)>, bool>});
    });
    return f;
  };
  return {one(Family{})...};
}

/// What a line covers that serves square matrices up to n.
template <class Description>
constexpr auto box_of(int n) {
  return Description::box({n, n, n, Description::most_nrhs});
}

template <class Description, class... Family>
std::vector<kernel> candidates_among(char precision, int n, const cuda::gpu_limits& limits,
                                     std::variant<Family...>) {
  std::vector<kernel> chosen;
  const auto look_at = [&](auto of) {
    using family_type = decltype(of);
    static const auto space = family_type::space();
    static const std::vector<family_type> all = combinations<family_type>(space.parameters);
    if (n < space.n_min || n > space.n_max) return;
    typename Description::tables::line line;
    line.precision = precision;
    line.bounds = box_of<Description>(n);
    line.batch_max = cuda::any_batch;
    for (const family_type& k : all) {
      if (!space.worth(k, n)) continue;
      line.kernel = k;
      if (!cuda::objection_to(line, limits)) chosen.push_back(named(k));
    }
  };
  (look_at(Family{}), ...);
  return chosen;
}

/// Returns why no kernel serves a line; empty if one does. A line without a schedule counts as direct, or in
/// a table for calls of one size as queued, which requires least of a kernel.
template <class Line, bool MIXED_SIZES>
std::string objection_to_line(const table_line& line, const cuda::gpu_limits& limits) {
  Line compiled;
  compiled.precision = line.precision;
  std::copy_n(line.bounds.begin(), std::min(line.bounds.size(), std::size(compiled.bounds.of)),
              compiled.bounds.of);
  compiled.batch_max = line.batch_max;
  if constexpr (is_mixed<Line>)
    compiled.schedule = schedule_named(line.how.schedule)
                            .value_or(MIXED_SIZES ? cuda::schedule::direct : cuda::schedule::queued);
  if (!set_typed(compiled.kernel, line.how)) return std::string(Line::routine::name) + " has no such kernel";
  const char* const objection = cuda::objection_to(compiled, limits);
  return objection ? objection : "";
}

template <class Tables, class T>
std::vector<table> tables_for() {
  std::vector<table> all;
  for (std::size_t t = 0; t < Tables::gpus.size(); ++t) {
    all.push_back({Tables::gpus[t].name, Tables::gpus[t].gpu, Tables::gpus[t].capability, "", {}});
    for (int i = Tables::template first_line<T>[t]; i < Tables::template first_line<T>[t + 1]; ++i) {
      const auto& compiled = Tables::template at<T>(i);
      table_line line;
      line.precision = compiled.precision;
      line.bounds = {std::begin(compiled.bounds.of), std::end(compiled.bounds.of)};
      line.batch_max = compiled.batch_max;
      line.how = std::visit([](const auto& family) { return named(family); }, compiled.kernel);
      if constexpr (is_mixed<typename Tables::line>) line.how.schedule = cuda::name_of(compiled.schedule);
      all.back().lines.push_back(line);
    }
  }
  return all;
}

template <class Description>
double flops_at(double n) {
  const int size = static_cast<int>(n);
  return Description::flops({size, size, size, Description::measured_nrhs});
}

/// How many of a routine's extents are n for a square matrix: all but the number of right-hand sides.
template <class Description>
constexpr int orders_of = static_cast<int>(std::size(Description::tables::line::routine::extent_names)) -
                          (Description::has_B ? 1 : 0);

template <class Routine>
routine described_by() {
  using real = typename Routine::template of<double>;
  using complex = typename Routine::template of<std::complex<double>>;
  using tables = typename real::tables;
  using line = typename tables::line;
  using variant = decltype(line::kernel);
  routine r;
  r.name = real::name;
  r.extents = {std::begin(line::routine::extent_names), std::end(line::routine::extent_names)};
  r.orders = orders_of<real>;
  r.measured_nrhs = real::has_B ? real::measured_nrhs : 0;
  r.forms = static_cast<int>(std::size(line::routine::forms));
  r.shapes = {std::begin(real::priced), std::end(real::priced)};
  r.families = families_of(variant());
  r.mixed_sizes = Routine::mixed_sizes;
  r.has_schedules = is_mixed<line>;
  if constexpr (Routine::mixed_sizes && measure::has_one_size<real>)
    r.of_equal_sizes = real::of_one_size::name;
  r.box = [](int n) {
    const auto box = box_of<real>(n);
    return std::vector<int>(std::begin(box.of), std::end(box.of));
  };
  r.extents_of = [](int m, int n, int k, int nrhs) {
    const auto box = real::box({m, n, k, nrhs});
    return std::vector<int>(std::begin(box.of), std::end(box.of));
  };
  r.objection = objection_to_line<line, Routine::mixed_sizes>;
  r.candidates = [](char precision, int n, const cuda::gpu_limits& limits) {
    return candidates_among<real>(precision, n, limits, variant());
  };
  r.compiled_values = [](const kernel& k) { return compiled_values_of(k, variant()); };
  r.compiled = [](char precision) -> const std::vector<table>& {
    static std::map<char, std::vector<table>> known;
    std::vector<table>& all = known[precision];
    if (!all.empty()) return all;
    with_type(precision, [&](auto zero) { all = tables_for<tables, decltype(zero)>(); });
    for (table& t : all) {
      for (table_line& one : t.lines) one.orders = orders_of<real>;
    }
    return all;
  };
  r.flops = [](char precision, double n) {
    return cuda::element_of(precision).complex ? flops_at<complex>(n) : flops_at<real>(n);
  };
  return r;
}

}  // namespace

const std::vector<routine>& routines() {
  static const std::vector<routine> all = [] {
    std::vector<routine> some;
    measure::for_each_routine([&](auto r) {
      if constexpr (decltype(r)::has_tables) some.push_back(described_by<decltype(r)>());
    });
    measure::for_each_priced_routine([&](auto r) {
      some.push_back(described_by<decltype(r)>());
      some.back().is_swept = false;
    });
    return some;
  }();
  return all;
}

}  // namespace talus::tune
