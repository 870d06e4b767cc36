// From a table's line to the launch of its kernel, for every routine: what the tables name is what is
// instantiated.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "gpu/launch.cuh"
#include "gpu/table.hpp"
#include "talus/types.hpp"

/// A .cu file of many kernels is compiled several times, TALUS_SHARDS, so that compilers run side by side.
/// Part TALUS_SHARD has every TALUS_SHARDS-th kernel.
#ifndef TALUS_SHARDS
#define TALUS_SHARDS 1
#endif
#ifndef TALUS_SHARD
#define TALUS_SHARD 0
#endif

namespace talus::cuda {

/// Launches the kernel of one line for one of its routine's forms.
template <class... Arguments>
using launcher = int (*)(Arguments...);

/// Where there is no kernel: a build that measures one form (TALUS_ONE_FORM) lacks the others.
template <class... Arguments>
int launch_nothing(Arguments...) {
  return err_unsupported;
}

/// Returns the parameters of a family that its kernel is compiled for: all, unless it has of_kernel().
template <class Family, class = void>
struct compiled_part {
  static constexpr Family of(const Family& family) { return family; }
};
template <class Family>
struct compiled_part<Family, std::void_t<decltype(std::declval<Family>().of_kernel())>> {
  static constexpr Family of(const Family& family) { return family.of_kernel(); }
};

/// A line's family and the parameters that its kernel is compiled for.
struct kernel_key {
  std::size_t family = 0;
  std::int64_t parameters[16] = {};
  int count = 0;

  constexpr bool operator==(const kernel_key& other) const {
    for (int i = 0; i < count; ++i) {
      if (parameters[i] != other.parameters[i]) return false;
    }
    return family == other.family;
  }
};
template <class Line>
constexpr kernel_key key_of(const Line& line) {
  return std::visit(
      [&](auto kernel) {
        kernel_key key;
        key.family = line.kernel.index();
        const auto compiled = compiled_part<decltype(kernel)>::of(kernel);
        decltype(kernel)::for_each_parameter(compiled, [&](const char* name, auto value) {
          if (std::string_view(name) != "tbc") key.parameters[key.count++] = static_cast<std::int64_t>(value);
        });
        return key;
      },
      line.kernel);
}

/// The part, out of SHARDS parts, with a line's kernel for the first form. The next part has the next form,
/// unless one kernel serves all forms. Lines with the same kernel belong to one part. SHARDS is a template
/// argument because files that use the same tables may have different numbers of parts.
template <class Tables, class T, int SHARDS>
constexpr auto shard_of_line = [] {
  constexpr std::size_t count = Tables::template lines<T>.size();
  std::array<int, count> shard{};
  if (SHARDS == 1) return shard;
  std::array<kernel_key, count> seen{};
  std::size_t kernels = 0;
  for (std::size_t line = 0; line < count; ++line) {
    const kernel_key key = key_of(Tables::template lines<T>[line]);
    std::size_t at = 0;
    while (at < kernels && !(seen[at] == key)) ++at;
    if (at == kernels) seen[kernels++] = key;
    shard[line] = static_cast<int>(at * std::size(Tables::routine::forms) % SHARDS);
  }
  return shard;
}();

/// Whether one kernel of a family serves all forms of a routine: the form is an argument of the kernel.
template <class Family, class = void>
constexpr bool family_takes_form = false;
template <class Family>
constexpr bool family_takes_form<Family, std::void_t<decltype(Family::takes_form)>> = Family::takes_form;
template <class Line>
constexpr bool takes_form(const Line& line) {
  return std::visit([](const auto& kernel) { return family_takes_form<std::decay_t<decltype(kernel)>>; },
                    line.kernel);
}

/// The part that has a line's kernel for a form.
template <class Tables, class T, int SHARDS>
constexpr int shard_of(int line, form_of<Tables> form) {
  int shard = shard_of_line<Tables, T, SHARDS>[static_cast<std::size_t>(line)];
  if (takes_form(Tables::template lines<T>[static_cast<std::size_t>(line)])) return shard;
  for (const auto& other : Tables::routine::forms) {
    if (other == form) break;
    ++shard;
  }
  return shard % SHARDS;
}

/// Whether the kernels of a family are compiled once for batches of one size and of mixed sizes.
template <class Family, class = void>
constexpr bool takes_either = false;
template <class Family>
constexpr bool takes_either<Family, std::void_t<decltype(Family::takes_either)>> = Family::takes_either;

/// Launches the kernel of line LINE, which the file has that defines the launchers of the either_tables.
/// as_either(source, then) returns their source and what follows.
template <class Tables, class T, auto FORM, int LINE, class Source, class Then>
int launch_either(Source source, int* info, queue q, Then then);

/// family::launch of line LINE, if this translation unit has it.
template <class Tables, class T, auto FORM, int SHARD, int LINE, class... Arguments>
constexpr launcher<Arguments...> launcher_of_line() {
  using constant = line_constant<Tables, T, LINE>;
  static_assert(!objection_to(constant::line, any_gpu_limits), "run talus-tune --check on the table");
#ifdef TALUS_ONE_FORM
  constexpr bool is_built = FORM == Tables::routine::forms[0];
#else
  constexpr bool is_built = true;
#endif
  constexpr bool shares = takes_either<typename constant::family>;
  if constexpr (!is_built || shard_of<Tables, T, TALUS_SHARDS>(LINE, FORM) != SHARD) {
    return launch_nothing<Arguments...>;
  } else if constexpr (shares && !std::is_void_v<typename either_tables_of<Tables>::type>) {
    return launch_either<Tables, T, FORM, LINE>;
  } else if constexpr (shares || !are_either<Tables>) {
    return constant::family::template launch<constant, FORM>;
  } else {
    return launch_nothing<Arguments...>;
  }
}

template <class Tables, class T, auto FORM, int SHARD, class... Arguments, std::size_t... LINE>
constexpr std::array<launcher<Arguments...>, sizeof...(LINE)> launchers_of_lines(
    std::index_sequence<LINE...>) {
  return {launcher_of_line<Tables, T, FORM, SHARD, static_cast<int>(LINE), Arguments...>()...};
}

template <class Tables, class T, int SHARD, class... Arguments, std::size_t... FORM>
launcher<Arguments...> launcher_of_form(std::index_sequence<FORM...>, form_of<Tables> form, int line) {
  constexpr const auto& forms = Tables::routine::forms;
  constexpr auto lines = std::make_index_sequence<Tables::template lines<T>.size()>{};
  static constexpr std::array<launcher<Arguments...>, lines.size()> by_form[] = {
      launchers_of_lines<Tables, T, forms[FORM], SHARD, Arguments...>(lines)...};
  const auto at =
      static_cast<std::size_t>(std::find(std::begin(forms), std::end(forms), form) - std::begin(forms));
  return at == std::size(forms) ? launch_nothing<Arguments...> : by_form[at][static_cast<std::size_t>(line)];
}

/// Those of this translation unit: what TALUS_DEFINE_LAUNCHERS makes a find_launcher of.
template <class Tables, class T, int SHARD, class... Arguments>
launcher<Arguments...> launcher_in_shard(form_of<Tables> form, int line) {
  return launcher_of_form<Tables, T, SHARD, Arguments...>(
      std::make_index_sequence<std::size(Tables::routine::forms)>{}, form, line);
}

/// The launcher of a line that shard SHARD has. Defined where that is compiled.
template <class Tables, class T, int SHARD, class... Arguments>
launcher<Arguments...> find_launcher_in(form_of<Tables> form, int line);

template <class Tables, class T, class... Arguments, std::size_t... SHARD>
launcher<Arguments...> find_launcher_among(std::index_sequence<SHARD...>, form_of<Tables> form, int line) {
  constexpr launcher<Arguments...> (*shards[])(
      form_of<Tables>, int) = {find_launcher_in<Tables, T, static_cast<int>(SHARD), Arguments...>...};
  return shards[shard_of<Tables, T, static_cast<int>(sizeof...(SHARD))>(line, form)](form, line);
}

/// Returns the launcher of line number `line` of the tables, for one of the routine's forms. Part 0 of the
/// file with TALUS_DEFINE_LAUNCHERS defines this function, because only that file has the right number of
/// parts: other files that call it may have another number.
template <class Tables, class T, class... Arguments>
launcher<Arguments...> find_launcher(form_of<Tables> form, int line);

template <class Tables, class T, auto FORM, int LINE, class Source, class Then>
int launch_either(Source source, int* info, queue q, Then then) {
  using either = typename either_tables_of<Tables>::type;
  const auto of = as_either(source, then);
  const auto launch = find_launcher<either, T, decltype(of.first), int*, queue, decltype(of.second)>(
      FORM, either::template first_line<T, Tables> + LINE);
  return launch(of.first, info, q, of.second);
}

/// Defines the launchers of a routine. It stands in the routine's .cu file, before the first call of
/// find_launcher. The arguments are the parameters of the families' launch.
#define TALUS_DEFINE_LAUNCHERS(tables, ...)                                                               \
  template <>                                                                                             \
  launcher<__VA_ARGS__> find_launcher_in<tables, TALUS_T, TALUS_SHARD, __VA_ARGS__>(form_of<tables> form, \
                                                                                    int line) {           \
    return launcher_in_shard<tables, TALUS_T, TALUS_SHARD, __VA_ARGS__>(form, line);                      \
  }                                                                                                       \
  TALUS_DEFINE_FIND_LAUNCHER(tables, __VA_ARGS__)
#if TALUS_SHARD == 0
#define TALUS_DEFINE_FIND_LAUNCHER(tables, ...)                                                              \
  template <>                                                                                                \
  launcher<__VA_ARGS__> find_launcher<tables, TALUS_T, __VA_ARGS__>(form_of<tables> form, int line) {        \
    return find_launcher_among<tables, TALUS_T, __VA_ARGS__>(std::make_index_sequence<TALUS_SHARDS>{}, form, \
                                                             line);                                          \
  }
#else
#define TALUS_DEFINE_FIND_LAUNCHER(tables, ...)
#endif

}  // namespace talus::cuda
