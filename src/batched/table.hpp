// What the tables of all routines have in common: whose they are, what a GPU has, how a line is found.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "batch.hpp"

namespace talus::cuda {

/// For the last line of a table: any size, any batch.
constexpr int any_n = 0x7fffffff;
constexpr std::int64_t any_batch = 0x7fffffffffffffff;

/// Whose table it is.
struct gpu_table {
  const char* name = "";  // of its folder
  const char* gpu = "";   // as the GPU calls itself; empty: any
  int capability = 0;     // compute capability, 90 for 9.0; 0: any
};

/// What a block may take.
struct gpu_limits {
  std::size_t shared_bytes;
};

/// Any GPU from compute capability 7.0 on.
constexpr gpu_limits generic_limits = {64 * 1024};

/// The most that some GPU has: what lies beyond it serves nobody.
constexpr gpu_limits any_gpu_limits = {227 * 1024};

/// By compute capability; 0 stands for any.
constexpr gpu_limits limits_of(int capability) {
  switch (capability) {
    case 70:
    case 72:
      return {96 * 1024};
    case 75:
      return {64 * 1024};
    case 80:
    case 87:
      return {163 * 1024};
    case 86:
    case 89:
    case 120:
    case 121:
      return {99 * 1024};
    case 90:
    case 100:
    case 103:
    case 110:
      return {227 * 1024};
    default:
      return generic_limits;
  }
}

/// What blocks may take of the current device, at most; tests set it to be on a smaller one.
inline std::atomic<std::size_t> most_shared_bytes{any_gpu_limits.shared_bytes};

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

/// choose_table for the current device, whose name is asked for once. Returns a status.
int find_table(const gpu_table* tables, int count, int& chosen) noexcept;

/// A line of a table's file: the head of a table, or one line of it.
template <class Line>
struct table_entry {
  gpu_table head;
  Line line;
};

/// The tables of one routine, from their files one after the other: ENTRIES, an array of table_entry. All
/// lines for T are one array, table by table.
template <const auto& ENTRIES>
struct tables {
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
    std::array<std::remove_cv_t<decltype(ENTRIES[0].line)>, count(precision_of<T>)> all{};
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

  /// Index in gpus of the table that holds a line.
  template <class T>
  static constexpr std::size_t table_of(int line) {
    std::size_t table = gpus.size() - 1;
    while (first_line<T>[table] > line) --table;
    return table;
  }

  /// Index of the line that serves n in a batch of `batch_count`: the first of its table that covers both.
  /// The last line of a table covers all; a GPU's table without a line for T leaves T to the generic one.
  template <class T>
  static constexpr int select(int table, int n, std::int64_t batch_count) {
    const auto& first = first_line<T>;
    const auto t = static_cast<std::size_t>(table);
    int line = first[t] < first[t + 1] ? first[t] : first[gpus.size() - 1];
    while (lines<T>[static_cast<std::size_t>(line)].n_max < n ||
           lines<T>[static_cast<std::size_t>(line)].batch_max < batch_count)
      ++line;
    return line;
  }

  /// The same on the current device. Returns a status.
  template <class T>
  static int find(int n, std::int64_t batch_count, int& line) {
    int table = 0;
    const int status = find_table(gpus.data(), static_cast<int>(gpus.size()), table);
    if (status == 0) line = select<T>(table, n, batch_count);
    return status;
  }
};

}  // namespace talus::cuda
