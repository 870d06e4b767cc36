// --table and --line: the tables of a routine that chooses its kernels by them, potrf or potrf_vbatched.
#pragma once

#include <string>
#include <vector>

#include "batched/potrf_table.hpp"
#include "program.hpp"
#include "talus/types.hpp"

namespace talus::bench {

/// Index of the table of that name, or with none of this GPU's own.
template <class Tables>
int table_index(const std::string& name) {
  int index = 0;
  if (name.empty()) {
    const int status =
        talus::cuda::find_table(Tables::gpus.data(), static_cast<int>(Tables::gpus.size()), index);
    if (status != 0) throw std::runtime_error(strerror(status));
    return index;
  }
  std::string names;
  for (const talus::cuda::gpu_table& t : Tables::gpus) {
    if (name == t.name) return index;
    ++index;
    names += std::string(names.empty() ? "" : ", ") + t.name;
  }
  throw usage_error("--table: '" + name + "' is none of this build's tables (" + names + ")");
}

/// Throws unless the table has line `line`, and the line serves all sizes, which the user gave by `option`.
template <class Tables, class T>
void check_line_of(int table, int line, const std::vector<int>& sizes, const std::string& option) {
  const auto& first = Tables::template first_line<T>;
  const auto t = static_cast<std::size_t>(table);
  const int lines = first[t + 1] - first[t];
  if (line >= lines)
    throw usage_error("--line: the table has lines 0 to " + std::to_string(lines - 1) + ", not " +
                      std::to_string(line));
  const int n_max = Tables::template lines<T>[static_cast<std::size_t>(first[t] + line)].n_max;
  for (const int n : sizes) {
    if (n > n_max)
      throw usage_error("--line: line " + std::to_string(line) + " serves sizes up to " +
                        std::to_string(n_max) + ", " + option + " asks for " + std::to_string(n));
  }
}

/// A line's kernel, for notes.
inline std::string kernel_words(const talus::cuda::potrf_line& line) {
  return std::string(name_of(line.family)) + " ib=" + std::to_string(line.ib) +
         (line.nb ? " nb=" + std::to_string(line.nb) : "") + " tbc=" + std::to_string(line.tbc) +
         " threads=" + std::to_string(line.threads) + " rows=" + std::to_string(line.rows);
}

}  // namespace talus::bench
