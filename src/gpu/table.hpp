// Tables of tuned lines: which kernel serves which extents on which GPU. Pure data, which compiles without
// nvcc, is selected from by constexpr functions, and is tested without a GPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "batch.hpp"
#include "gpu/limits.hpp"

namespace talus::cuda {

/// For the last line of a table: any extent, any batch.
constexpr int any_extent = 0x7fffffff;
constexpr std::int64_t any_batch = 0x7fffffffffffffff;

/// The extents that a routine names, in LAPACK's order: potrf n; posv n, nrhs; getrf m, n.
template <int COUNT>
struct extents {
  int of[COUNT] = {};

  TALUS_HOST_DEVICE constexpr int operator[](int i) const { return of[i]; }
  /// Whether a box with these upper bounds holds `other`.
  TALUS_HOST_DEVICE constexpr bool cover(const extents& other) const {
    for (int i = 0; i < COUNT; ++i) {
      if (of[i] < other.of[i]) return false;
    }
    return true;
  }
  /// Of two boxes with these upper bounds, what they share.
  constexpr extents within(const extents& other) const {
    extents both = *this;
    for (int i = 0; i < COUNT; ++i) both.of[i] = of[i] < other.of[i] ? of[i] : other.of[i];
    return both;
  }
};
template <class... Extent>
constexpr extents<sizeof...(Extent)> upto(Extent... of) {
  return {{of...}};
}

/// The kernel of a line: one of the families that a routine has, with its parameters by name; what is not
/// named is 0. The line serves what lies in its box, in batches of up to batch_max matrices, that no line
/// above it serves.
template <class Routine>
struct table_line {
  using routine = Routine;

  char precision = 0;  // s, d, c or z
  extents<Routine::extents> bounds = {};
  std::int64_t batch_max = 0;
  typename Routine::kernel kernel = {};
};

/// Whose table it is.
struct gpu_table {
  const char* name = "";  // of its folder
  const char* gpu = "";   // as the GPU calls itself; empty: any
  int capability = 0;     // compute capability, 90 for 9.0; 0: any
};

/// What stands in a table's file: its head, or one line.
template <class Line>
struct table_entry {
  gpu_table head;
  Line line;
};
#define TALUS_TABLE(name, gpu, capability) {{#name, gpu, capability}, {}},
#define TALUS_LINE(precision, bounds, batch_max, ...) {{}, {#precision[0], bounds, batch_max, __VA_ARGS__}},

/// Index of the table that serves a GPU: its own, else the first of its compute capability, else the last,
/// which is the generic one.
constexpr int choose_table(const gpu_table* tables, int count, std::string_view gpu, int capability) {
  for (int t = 0; t < count; ++t) {
    if (tables[t].gpu[0] != 0 && gpu == tables[t].gpu) return t;
  }
  for (int t = 0; t < count; ++t) {
    if (tables[t].capability == capability && capability != 0) return t;
  }
  return count - 1;
}

/// Instead of a line's number: the one that the current device's table selects.
constexpr int selected = -1;

/// choose_table for the current device, whose name is asked for once. Returns a status.
int find_table(const gpu_table* tables, int count, int& chosen) noexcept;

/// The tables of one routine, from their files one after the other: ENTRIES, an array of table_entry. All
/// lines for T are one array, table by table.
template <class ROUTINE, const auto& ENTRIES>
struct tables {
  using routine = ROUTINE;
  using line = std::remove_cv_t<decltype(ENTRIES[0].line)>;
  using box = decltype(line::bounds);

  static constexpr std::size_t count(char precision) {  // of lines; 0: of tables
    std::size_t number = 0;
    for (const auto& entry : ENTRIES) number += entry.line.precision == precision;
    return number;
  }

  /// The GPUs that have tables in this build; the last is the generic one.
  static constexpr auto gpus = [] {
    std::array<gpu_table, count(0)> all{};
    std::size_t i = 0;
    for (const auto& entry : ENTRIES) {
      if (entry.line.precision == 0) all[i++] = entry.head;
    }
    return all;
  }();

  template <class T>
  static constexpr auto lines = [] {
    std::array<line, count(precision_of<T>)> all{};
    std::size_t i = 0;
    for (const auto& entry : ENTRIES) {
      if (entry.line.precision == precision_of<T>) all[i++] = entry.line;
    }
    return all;
  }();

  /// Those of table t are from first_line<T>[t] up to the next table's.
  template <class T>
  static constexpr auto first_line = [] {
    std::array<int, count(0) + 1> first{};
    std::size_t table = 0;
    int line = 0;
    for (const auto& entry : ENTRIES) {
      if (entry.line.precision == 0) first[table++] = line;
      if (entry.line.precision == precision_of<T>) ++line;
    }
    first[table] = line;
    return first;
  }();

  template <class T>
  static constexpr const line& at(int line) {
    return lines<T>[static_cast<std::size_t>(line)];
  }

  /// Index in gpus of the table that holds a line.
  template <class T>
  static constexpr std::size_t table_of(int line) {
    std::size_t table = gpus.size() - 1;
    while (first_line<T>[table] > line) --table;
    return table;
  }

  /// Index of the line that serves these extents in a batch of `batch_count`: the first of its table that
  /// covers both. The last line of a table covers all; a GPU's table without a line for T leaves T to the
  /// generic one.
  template <class T>
  static constexpr int select(int table, const box& extents, std::int64_t batch_count) {
    const auto& first = first_line<T>;
    const auto t = static_cast<std::size_t>(table);
    int line = first[t] < first[t + 1] ? first[t] : first[gpus.size() - 1];
    while (!at<T>(line).bounds.cover(extents) || at<T>(line).batch_max < batch_count) ++line;
    return line;
  }

  /// The table of the current device. Returns a status.
  static int find(int& table) { return find_table(gpus.data(), static_cast<int>(gpus.size()), table); }

  /// The line of the current device's table that serves these extents, if `line` is `selected`.
  template <class T>
  static int find_line(const box& extents, std::int64_t batch_count, int& line) {
    int table = 0;
    if (line != selected) return 0;
    if (const int status = find(table)) return status;
    line = select<T>(table, extents, batch_count);
    return 0;
  }
};

/// The lines of a routine's tables for one size, and behind them those for mixed sizes. Kernels that are
/// compiled once for both are the kernels of these lines (gpu/dispatch.cuh).
template <class EQUAL, class MIXED>
struct either_tables {
  using routine = typename EQUAL::routine;

  template <class T>
  static constexpr auto lines = [] {
    std::array<typename EQUAL::line, EQUAL::template lines<T>.size() + MIXED::template lines<T>.size()> all{};
    std::size_t i = 0;
    for (const auto& line : EQUAL::template lines<T>) all[i++] = line;
    for (const auto& line : MIXED::template lines<T>)
      all[i++] = {line.precision, line.bounds, line.batch_max, line.kernel};
    return all;
  }();

  /// The number of the first line of Tables, which are EQUAL or MIXED.
  template <class T, class Tables>
  static constexpr int first_line = std::is_same_v<Tables, MIXED>
                                        ? static_cast<int>(EQUAL::template lines<T>.size())
                                        : 0;
};
template <class Tables>
constexpr bool are_either = false;
template <class EQUAL, class MIXED>
constexpr bool are_either<either_tables<EQUAL, MIXED>> = true;
/// The either_tables that have the lines of Tables; void if there are none.
template <class Tables>
struct either_tables_of {
  using type = void;
};

/// What kernels are compiled for beside their lines, one of a routine's `forms`: of potrf a triangle. The
/// tuner measures the first.
template <class Tables>
using form_of = std::decay_t<decltype(Tables::routine::forms[0])>;

/// A line as a type: constants for the kernel that it names.
template <class Tables, class T, int LINE>
struct line_constant {
  static constexpr auto line = Tables::template lines<T>[LINE];
  static constexpr auto kernel = std::get<Tables::template lines<T>[LINE].kernel.index()>(line.kernel);
  using family = std::remove_const_t<decltype(kernel)>;
};

/// Why no kernel serves a line; null if one does. What a family needs of its parameters it says itself; which
/// of its forms the routine wants, the routine.
template <class Line>
constexpr const char* objection_to(const Line& line, const gpu_limits& limits) {
  for (const int bound : line.bounds.of) {
    if (bound < 1) return "a bound is below 1";
  }
  if (line.batch_max < 1) return "batch_max is below 1";
  return std::visit(
      [&](const auto& family) {
        return Line::routine::objection(line, family, element_of(line.precision), limits);
      },
      line.kernel);
}

}  // namespace talus::cuda
