#include "kernel_list.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <stdexcept>

#include "measure/text.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

bool begins_with(const std::string& text, const std::string& words) { return text.rfind(words, 0) == 0; }
bool contains(const std::string& text, const std::string& words) { return text.find(words) != text.npos; }

/// Returns the first words of the names of a routine's kernels.
std::string first_words(const routine& of) {
  for (const char* routine : {"potrf", "posv"}) {
    if (begins_with(of.name, routine)) return "potrf_";
  }
  for (const char* routine : {"getrf", "gesv"}) {
    if (begins_with(of.name, routine)) return "getrf_";
  }
  return begins_with(of.name, "geqrf")  ? "householder::"
         : begins_with(of.name, "gemm") ? "multiply_"
                                        : "solve_";
}

/// Returns the first words of the names of a family's kernels: `first` and `family`, with some exceptions.
std::vector<std::string> names_of(const std::string& first, const std::string& family) {
  static const std::map<std::string, std::vector<std::string>> others = {
      {"potrf_blocked", {"syrk_potrf", "syrk_trsm"}},
      {"getrf_blocked", {"getrf_update", "getrf_panel"}},
      {"multiply_products", {"multiply_in_tiles"}},
      {"multiply_small_products", {"multiply_small"}},
      {"solve_rows", {"solve_by_rows"}},
      {"solve_row_tiles", {"solve_by_row_tiles"}},
      {"solve_warp", {"solve_in_warp"}},
      {"solve_columns", {"solve_in_columns"}},
      {"solve_strips", {"solve_in_strips"}},
      {"householder::warp", {"householder::geqrf_warp"}},
      {"householder::blocked", {"householder::geqrf_blocked"}},
      {"householder::thread", {"householder::geqrf_thread"}},
      {"householder::cluster", {"householder::geqrf_cluster", "householder::householder_cluster"}}};
  const auto found = others.find(first + family);
  return found == others.end() ? std::vector<std::string>{first + family} : found->second;
}

/// Returns the numbers and bools among the arguments of a template and of its policies, in order.
std::vector<int> numbers_in(const std::string& name) {
  std::vector<int> numbers;
  std::string word;
  for (std::size_t i = name.find('<'); i < name.size(); ++i) {
    const char c = name[i];
    if (c != '<' && c != ',' && c != '>' && c != ' ') {
      word += c;
      continue;
    }
    if (word == "true" || word == "false") numbers.push_back(word == "true");
    if (!word.empty() && word.find_first_not_of("-0123456789") == word.npos)
      numbers.push_back(std::stoi(word));
    word.clear();
  }
  return numbers;
}

/// True if the kernel is for calls such as the routine's: equal or mixed sizes, with or without a solve.
bool is_for(const routine& of, const std::string& name) {
  const bool is_equal = contains(name, "equal_");
  const bool is_mixed = contains(name, "mixed_") || contains(name, "stepping_");
  const bool solves = contains(name, ", solve_in_");
  const bool must_solve = of.name == "posv" || of.name == "gesv";
  return !(of.mixed_sizes ? is_equal : is_mixed && !of.has_schedules) && solves == must_solve;
}

}  // namespace

std::vector<listed_kernel> read_kernel_list(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read '" + path + "'");
  std::vector<listed_kernel> all;
  bool has_head = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line == "name,registers,stack,shared,bytes,hash") {
      has_head = true;
      continue;
    }
    const bool is_quoted = line[0] == '"';
    const std::size_t end = is_quoted ? line.find('"', 1) : line.find(',');
    std::vector<std::string> fields;
    if (end != line.npos) fields = measure::split(line.substr(line.find(',', end) + 1), ',');
    if (!has_head || fields.size() != 5) throw std::runtime_error(path + ": is no list of kernels");
    all.push_back({line.substr(is_quoted, end - is_quoted), std::stoll(fields[3])});
  }
  if (!has_head) throw std::runtime_error(path + ": is no list of kernels");
  return all;
}

std::vector<listed_kernel> kernels_of(const routine& of, const table_line& line,
                                      const std::vector<listed_kernel>& list) {
  static const std::map<char, std::string> types = {
      {'s', "<float"}, {'d', "<double"}, {'c', "<complex<float>"}, {'z', "<complex<double>"}};
  std::vector<int> values, compiled;  // of all compiled parameters; of all but tbc, shared_kb, parts
  for (const auto& [name, value] : of.compiled_values(line.how)) {
    values.push_back(value);
    if (name != "tbc" && name != "shared_kb" && name != "parts") compiled.push_back(value);
  }
  std::vector<listed_kernel> some;
  for (const std::string& name : names_of(first_words(of), line.how.family)) {
    for (const listed_kernel& one : list) {
      if (!begins_with(one.name, name + types.at(line.precision)) || !is_for(of, one.name)) continue;
      const std::vector<int> numbers = numbers_in(one.name);
      const auto begins = [&](const std::vector<int>& with) {
        return numbers.size() >= with.size() && std::equal(with.begin(), with.end(), numbers.begin());
      };
      if (begins(values) || begins(compiled)) some.push_back(one);
    }
  }
  return some;
}

std::string words_of_kernels(const std::vector<listed_kernel>& some) {
  if (some.empty()) return "adds kernels that the list does not name";
  std::int64_t bytes = 0;
  for (const listed_kernel& one : some) bytes += one.bytes;
  return formatted("adds %zu kernel%s, %lld kB", some.size(), some.size() == 1 ? "" : "s",
                   static_cast<long long>((bytes + 512) / 1024));
}

}  // namespace talus::tune
