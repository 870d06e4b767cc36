// From the type of a routine's tables to what the tuner knows of the routine; and between a kernel as the
// library has it, typed, and as the tuner names it.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/table.hpp"
#include "space.hpp"
#include "vbatched/schedule.hpp"

namespace talus::tune {

/// Those of a kernel that are not 0.
template <class Family>
std::vector<parameter> parameters_of(const Family& kernel) {
  std::vector<parameter> some;
  Family::for_each_parameter(kernel, [&](const char* name, const auto& value) {
    if (value != 0) some.push_back({name, static_cast<int>(value)});
  });
  return some;
}
template <class Family>
std::vector<family_parameter> all_parameters() {
  std::vector<family_parameter> all;
  Family kernel;
  Family::for_each_parameter(kernel, [&](const char* name, const auto& value) {
    all.push_back({name, std::is_same_v<std::decay_t<decltype(value)>, bool>});
  });
  return all;
}

template <class Line>
constexpr bool is_mixed = !std::is_same_v<Line, cuda::table_line<typename Line::routine>>;

/// A compiled line's kernel, as the tuner names it.
template <class Line>
kernel kernel_of(const Line& line) {
  kernel k;
  if constexpr (is_mixed<Line>) k.schedule = cuda::name_of(line.schedule);
  std::visit(
      [&](const auto& family) {
        k.family = family.name;
        k.parameters = parameters_of(family);
      },
      line.kernel);
  return k;
}

/// The way back; nothing where the routine has no such kernel.
template <class Kernel>
std::optional<Kernel> typed_kernel(const kernel& k);

template <class... Family>
std::optional<std::variant<Family...>> typed_among(const kernel& k, std::variant<Family...>*) {
  std::optional<std::variant<Family...>> found;
  const auto look_at = [&](auto family) {
    if (k.family != family.name) return;
    std::size_t known = 0;
    decltype(family)::for_each_parameter(family, [&](const char* name, auto& value) {
      for (const parameter& p : k.parameters) {
        if (p.name != name) continue;
        value = static_cast<std::decay_t<decltype(value)>>(p.value);
        ++known;
      }
    });
    if (known == k.parameters.size()) found = family;
  };
  (look_at(Family{}), ...);
  return found;
}
template <class Kernel>
std::optional<Kernel> typed_kernel(const kernel& k) {
  return typed_among(k, static_cast<Kernel*>(nullptr));
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
std::vector<family> families_among(std::variant<Family...>*) {
  const auto one = [](auto of) {
    const auto space = decltype(of)::space();
    family f = {of.name,
                all_parameters<decltype(of)>(),
                {},
                space.n_min,
                space.n_max,
                space.why,
                space.why_worth,
                space.follows_from_n};
    for (const cuda::search_values& v : space.parameters) f.tried.push_back({v.parameter, v.of, v.why});
    return f;
  };
  return {one(Family{})...};
}

template <class Line>
Line line_of_n(char precision, int n) {
  Line line;
  line.precision = precision;
  line.batch_max = cuda::any_batch;
  for (int& bound : line.bounds.of) bound = cuda::any_extent;
  line.bounds.of[0] = n;
  return line;
}

template <class Line, class... Family>
std::vector<kernel> candidates_among(char precision, int n, const cuda::gpu_limits& limits,
                                     std::variant<Family...>*) {
  std::vector<kernel> chosen;
  const auto look_at = [&](auto of) {
    using family_type = decltype(of);
    static const auto space = family_type::space();
    static const std::vector<family_type> all = combinations<family_type>(space.parameters);
    if (n < space.n_min || n > space.n_max) return;
    Line line = line_of_n<Line>(precision, n);
    for (const family_type& k : all) {
      if (!space.worth(k, n)) continue;
      line.kernel = k;
      if (!cuda::objection_to(line, limits)) chosen.push_back({k.name, parameters_of(k)});
    }
  };
  (look_at(Family{}), ...);
  return chosen;
}

template <class Line>
std::string objection_to_line(const table_line& line, const cuda::gpu_limits& limits) {
  Line compiled = line_of_n<Line>(line.precision, 1);
  for (std::size_t i = 0; i < std::size(compiled.bounds.of) && i < line.bounds.size(); ++i)
    compiled.bounds.of[i] = line.bounds[i];
  compiled.batch_max = line.batch_max;
  if constexpr (is_mixed<Line>) {
    for (std::size_t s = 0; s < cuda::schedule_names.size(); ++s) {
      if (line.how.schedule == cuda::schedule_names[s]) compiled.schedule = static_cast<cuda::schedule>(s);
    }
  }
  const auto kernel = typed_kernel<decltype(compiled.kernel)>(line.how);
  if (!kernel) return std::string(Line::routine::name) + " has no such kernel";
  compiled.kernel = *kernel;
  const char* const objection = cuda::objection_to(compiled, limits);
  return objection ? objection : "";
}

/// What the types say of a routine; its description adds what it is measured by.
template <class Tables>
routine routine_of() {
  using type = typename Tables::routine;
  using line = typename Tables::line;
  using variant = typename type::kernel;
  routine r;
  r.name = type::name;
  r.extents = {std::begin(type::extent_names), std::end(type::extent_names)};
  r.families = families_among(static_cast<variant*>(nullptr));
  r.mixed_sizes = is_mixed<line>;
  if (r.mixed_sizes) r.schedules = {cuda::schedule_names.begin(), cuda::schedule_names.end()};
  r.objection = objection_to_line<line>;
  r.candidates = [](char precision, int n, const cuda::gpu_limits& limits) {
    return candidates_among<line>(precision, n, limits, static_cast<variant*>(nullptr));
  };
  return r;
}

}  // namespace talus::tune
