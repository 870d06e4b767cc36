// The tables of a routine that chooses its kernels by them: --table and --line, and which lines serve a
// problem. R: a description with tables.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "command.hpp"
#include "measure/kernel_text.hpp"
#include "measure/program.hpp"
#include "measure/routines.hpp"

namespace talus::bench {

/// Index of the table of that name, or with none of this GPU's own.
template <class R>
int table_index(const std::string& name) {
  int index = 0;
  if (name.empty()) {
    require_success(R::tables::find(index));
    return index;
  }
  std::vector<std::string> names;
  for (const cuda::gpu_table& t : R::tables::gpus) {
    if (name == t.name) return index;
    ++index;
    names.emplace_back(t.name);
  }
  throw usage_error("--table: '" + name + "' is none of this build's tables (" + joined(names, ", ") + ")");
}

/// Of all lines for a precision, the one that --table and --line ask for.
template <class R>
int asked_line(const settings& s) {
  using T = typename R::problem::scalar;
  return R::tables::template first_line<T>[static_cast<std::size_t>(s.table)] + s.line;
}

/// Throws unless the table has the line, and the line serves all of these sizes, which the user gave by
/// `option`.
template <class R>
void check_line(const settings& s, const std::vector<sizes>& all, const std::string& option) {
  using T = typename R::problem::scalar;
  const auto& first = R::tables::template first_line<T>;
  const auto t = static_cast<std::size_t>(s.table);
  const int lines = first[t + 1] - first[t];
  if (s.line >= lines)
    throw usage_error("--line: the table has lines 0 to " + std::to_string(lines - 1) + ", not " +
                      std::to_string(s.line));
  const auto& bounds = R::tables::template at<T>(asked_line<R>(s)).bounds;
  for (const sizes& one : all) {
    if (!bounds.cover(R::box(one)))
      throw usage_error("--line: line " + std::to_string(s.line) + " serves sizes up to " +
                        std::to_string(bounds[0]) + ", " + option + " asks for " + std::to_string(one.n));
  }
}

/// A line in words: "h200 line 3: warp lanes=4 rows=2 tbc=8".
template <class R>
std::string text_of_line(int line) {
  using T = typename R::problem::scalar;
  const auto& of = R::tables::template at<T>(line);
  std::string text = place_of_line<typename R::tables, T>(line) + ": ";
  if constexpr (R::mixed_sizes) text += std::string(name_of(of.schedule)) + ' ';
  return text + text_of(of.kernel);
}

/// The sizes of a problem by lines in ascending order.
template <class R>
std::map<int, std::vector<int>> sizes_by(const cuda::class_lines& by, const typename R::problem& p) {
  using T = typename R::problem::scalar;
  std::map<int, std::vector<int>> classes;
  for (std::int64_t b = 0; b < p.batch; ++b) {
    const sizes s = p.sizes_of(b);
    std::size_t c = 0;
    while (!R::tables::template at<T>(by.line[c]).bounds.cover(R::box(s))) ++c;
    classes[by.line[c]].push_back(s.n);
  }
  return classes;
}

/// Which lines serve the problem, for the note of talus's results.
template <class R>
std::string text_of_lines(const settings& s, const typename R::problem& p) {
  using tables = typename R::tables;
  using T = typename R::problem::scalar;
  if (s.line >= 0) return text_of_line<R>(asked_line<R>(s));
  if constexpr (R::mixed_sizes) {
    const auto by = cuda::lines_for<tables, T>(s.table, R::box({p.n, p.n}), p.batch);
    std::string words;
    for (const auto& one : sizes_by<R>(by, p)) {
      const std::size_t table = tables::template table_of<T>(one.first);
      if (words.empty()) words = std::string(tables::gpus[table].name) + " lines";
      words += ' ' + std::to_string(one.first - tables::template first_line<T>[table]);
    }
    return words;
  } else {
    return text_of_line<R>(tables::template select<T>(s.table, R::box(p.sizes_of(0)), p.batch));
  }
}

}  // namespace talus::bench
