#include "table.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "space.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream all(text);
  for (std::string part; std::getline(all, part, ',');) parts.push_back(trimmed(part));
  return parts;
}

std::optional<std::int64_t> number_of(const std::string& text, std::int64_t most) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || text.size() > 18 || std::stoll(text) > most) return std::nullopt;
  return std::stoll(text);
}

std::string listed(const std::vector<std::string>& names) { return joined(names, ", "); }

// ---- reading -------------------------------------------------------------------------------------

/// What a line of a table looks like, in words and as a pattern.
struct line_form {
  std::string macro, words;
  std::regex pattern;

  explicit line_form(bool is_mixed)
      : macro(is_mixed ? "TALUS_MIXED_LINE" : "TALUS_LINE"),
        words(macro + "(precision, upto(...), batch_max, " + (is_mixed ? "schedule, " : "") +
              "family{.parameter = value, ...})"),
        pattern(macro + R"(\(\s*([^,()]*),\s*upto\(([^()]*)\)\s*,\s*([^,()]*),)" +
                (is_mixed ? R"(\s*(\w*)\s*,)" : "()") + R"(\s*(\w+)\s*\{([^{}]*)\}\s*\)\s*(?://\s*(.*))?)") {}
};

/// ".lanes = 4, .coalesced = true" of a family; the problem, if there is one.
std::string parse_parameters(const std::string& text, const family& of, kernel& k) {
  std::map<std::string, std::string> given;
  for (const std::string& part : parts_of(text)) {
    const std::size_t equals = part.find('=');
    if (part.empty() || part[0] != '.' || equals == std::string::npos)
      return "'" + part + "' is not .parameter = value";
    given[trimmed(part.substr(1, equals - 1))] = trimmed(part.substr(equals + 1));
  }
  std::vector<std::string> names;
  for (const family_parameter& p : of.parameters) {
    names.push_back(p.name);
    const auto found = given.find(p.name);
    if (found == given.end()) continue;
    const std::string& value = found->second;
    const auto number = number_of(value, cuda::any_extent);
    if (p.is_flag ? value != "true" && value != "false" : !number)
      return p.name + " '" + value + "' is " + (p.is_flag ? "neither true nor false" : "no number");
    const int is = p.is_flag ? value == "true" : static_cast<int>(*number);
    if (is != 0) k.parameters.emplace_back(p.name, is);
    given.erase(found);
  }
  if (given.empty()) return "";
  return of.name + " has no parameter '" + given.begin()->first + "', only " + listed(names);
}

/// The line, or what is wrong with it.
std::string parse_line(const std::smatch& parts, const routine& of, table_line& line) {
  const std::string precision = trimmed(parts[1]), batch = trimmed(parts[3]), schedule = parts[4];
  if (precision.size() != 1 || std::string("sdcz").find(precision) == std::string::npos)
    return "precision '" + precision + "' is none of s, d, c, z";
  line.precision = precision[0];
  const std::vector<std::string> bounds = parts_of(parts[2]);
  if (bounds.size() != of.extents.size())
    return "has " + std::to_string(bounds.size()) + " bounds where " + of.name + " has " +
           std::to_string(of.extents.size()) + " (" + listed(of.extents) + ")";
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto bound = bounds[i] == "any_extent" ? cuda::any_extent : number_of(bounds[i], cuda::any_extent);
    if (!bound) return "the bound '" + bounds[i] + "' of " + of.extents[i] + " is no number";
    line.bounds.push_back(static_cast<int>(*bound));
    line.orders = of.orders;
  }
  const auto batch_max = batch == "any_batch" ? cuda::any_batch : number_of(batch, cuda::any_batch);
  if (!batch_max) return "batch_max '" + batch + "' is no number";
  line.batch_max = *batch_max;
  if (of.has_schedules && !schedule_named(schedule))
    return "schedule '" + schedule + "' is none of " +
           listed({cuda::schedule_names.begin(), cuda::schedule_names.end()});
  line.how.schedule = schedule;
  line.how.family = parts[5];
  const family* const known = find_family(of, line.how.family);
  if (known) return parse_parameters(parts[6], *known, line.how);
  std::vector<std::string> names;
  for (const family& f : of.families) names.push_back(f.name);
  return "family '" + line.how.family + "' is none of " + listed(names);
}

std::string parse_head(const std::vector<std::string>& parts, table& t) {
  if (parts.size() != 3) return "TALUS_TABLE has three columns: name, \"GPU\", compute capability";
  const std::string& gpu = parts[1];
  const auto capability = number_of(parts[2], 999);
  if (gpu.size() < 2 || gpu.front() != '"' || gpu.back() != '"') return "the GPU's name must stand in quotes";
  if (!capability) return "compute capability '" + parts[2] + "' is no number such as 90 for 9.0";
  t.name = parts[0];
  t.gpu = gpu.substr(1, gpu.size() - 2);
  t.capability = static_cast<int>(*capability);
  return "";
}

}  // namespace

table read_table(const std::string& path, const routine& of, std::vector<problem_found>& problems) {
  table t;
  std::ifstream file(path);
  if (!file) {
    problems.push_back({0, "cannot be read"});
    return t;
  }
  const line_form form(of.has_schedules);
  static const std::regex head_pattern(R"(TALUS_TABLE\((.*)\))");
  bool has_head = false;
  int number = 0;
  const auto report = [&](const std::string& what) {
    if (!what.empty()) problems.push_back({number, what});
    return what.empty();
  };
  for (std::string text; std::getline(file, text);) {
    ++number;
    text = trimmed(text);
    std::smatch parts;
    if (text.rfind("//", 0) == 0) {
      if (!has_head && t.lines.empty()) t.preamble += text + "\n";
    } else if (std::regex_match(text, parts, head_pattern)) {
      if (has_head) report("a second TALUS_TABLE: a file holds one table");
      report(parse_head(parts_of(parts[1]), t));
      has_head = true;
    } else if (std::regex_match(text, parts, form.pattern)) {
      if (!has_head) report("a line before TALUS_TABLE, which says whose table it is");
      table_line line;
      line.number = number;
      line.evidence = trimmed(parts[7]);
      if (report(parse_line(parts, of, line))) t.lines.push_back(line);
    } else if (!text.empty()) {
      report("is neither a comment, nor TALUS_TABLE(...), nor " + form.words);
    }
  }
  if (!has_head) problems.push_back({0, "has no TALUS_TABLE(name, \"GPU\", capability)"});
  return t;
}

table read_good_table(const std::string& path, const routine& of) {
  std::vector<problem_found> problems;
  table t = read_table(path, of, problems);
  if (problems.empty()) problems = check(t, of);
  if (problems.empty()) return t;
  const problem_found& first = problems.front();
  throw std::runtime_error(path + (first.number > 0 ? ":" + std::to_string(first.number) : "") + ": " +
                           first.what);
}

// ---- checking ------------------------------------------------------------------------------------

bool table_line::has_box_of(const table_line& other) const { return holds(other.bounds); }
bool table_line::holds(const std::vector<int>& extents) const {
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (i >= extents.size() || bounds[i] < extents[i]) return false;
  }
  return true;
}

namespace {

/// Lines of one precision that are no sets: one set after the other by batch_max, each first with lines that
/// serve calls alone, then with filtered classes, each box around the one before, then with classes up to
/// any_extent, all ascending. A set without classes takes the classes of the next set.
void check_sets(const std::vector<table_line>& lines, std::vector<problem_found>& problems) {
  using cuda::line_group;
  int classes = 0;
  const table_line* before = nullptr;
  for (const table_line& line : lines) {
    const auto report = [&](const table_line& of, const std::string& what) {
      problems.push_back({of.number, what});
    };
    const bool begins = !before || before->batch_max != line.batch_max;
    const line_group group = group_of(line.how), group_before = before ? group_of(before->how) : group;
    classes = (begins || group != group_before ? 0 : classes) + (group != line_group::alone);
    if (classes == cuda::most_classes + 1)
      report(line,
             "is one class more than the " + std::to_string(cuda::most_classes) + " that a set may have");
    if (before) {
      const std::string above = " of line " + std::to_string(before->number) + " above it";
      const std::string batch_max = text_of_batch(before->batch_max);
      if (begins && line.batch_max < before->batch_max)
        report(line, "batch_max " + text_of_batch(line.batch_max) + " is less than the " + batch_max + above);
      if (begins && group_before == line_group::in_order && before->n_max() != cuda::any_extent)
        report(*before, "is the last line for batch_max " + batch_max + ", but does not cover any_extent");
      if (!begins && group < group_before)
        report(line, line.how.schedule + " is behind classes of its set" + above);
      if (!begins && group == group_before && before->is_around(line))
        report(line, "its box lies in that" + above);
      else if (!begins && group == group_before && group == line_group::filtered && !line.is_around(*before))
        report(line, "filtered, but its box does not hold that" + above);
    }
    before = &line;
  }
}

/// What holds of every table: lines that serve, one after the other, up to the last, which serves all.
void check_lines(const std::vector<table_line>& lines, const routine& of, const cuda::gpu_limits& limits,
                 std::vector<problem_found>& problems) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const table_line& line = lines[i];
    for (std::size_t above = 0; above < i; ++above) {
      if (!lines[above].covers(line)) continue;
      if (group_of(lines[above].how) < group_of(line.how)) continue;  // a class serves larger calls, too
      problems.push_back({line.number, "never serves: line " + std::to_string(lines[above].number) +
                                           " above it covers all that it covers"});
      break;
    }
    // A smaller box belongs in front of the one around it, whatever batches either serves.
    for (std::size_t above = 0; above < i && !of.has_schedules; ++above) {
      if (!lines[above].is_around(line)) continue;
      problems.push_back(
          {line.number, "its box lies in that of line " + std::to_string(lines[above].number) + " above it"});
      break;
    }
    const std::string objection = of.objection(line, limits);
    if (!objection.empty()) problems.push_back({line.number, describe(line.how) + ": " + objection});
  }
  table_line all = lines.back();
  std::fill(all.bounds.begin(), all.bounds.end(), cuda::any_extent);
  all.batch_max = cuda::any_batch;
  if (!lines.back().covers(all))
    problems.push_back({lines.back().number, std::string("the last line for precision ") + all.precision +
                                                 " does not cover any_extent and any_batch, so some sizes "
                                                 "have no kernel"});
}

}  // namespace

std::vector<problem_found> check(const table& t, const routine& of) {
  std::vector<problem_found> problems;
  const cuda::gpu_limits limits = t.is_generic() ? cuda::generic_limits : cuda::limits_of(t.capability);
  for (const char precision : std::string("sdcz")) {
    const std::vector<table_line> lines = lines_of(t, precision);
    if (!lines.empty()) {
      check_lines(lines, of, limits, problems);
      if (of.has_schedules) check_sets(lines, problems);
    } else if (t.is_generic()) {
      problems.push_back(
          {0, std::string("has no line for precision ") + precision + ", but serves every GPU"});
    }
  }
  if (!t.is_generic() && t.lines.empty()) problems.push_back({0, "has no lines"});
  std::stable_sort(problems.begin(), problems.end(),
                   [](const problem_found& a, const problem_found& b) { return a.number < b.number; });
  return problems;
}

std::vector<table_line> lines_of(const table& t, char precision) {
  std::vector<table_line> some;
  std::copy_if(t.lines.begin(), t.lines.end(), std::back_inserter(some),
               [&](const table_line& line) { return line.precision == precision; });
  return some;
}

const table_line* select(const std::vector<table_line>& lines, char precision, int n, std::int64_t count) {
  for (const table_line& line : lines) {
    const auto covers_n = [n](int bound) { return n <= bound; };
    if (line.precision == precision && count <= line.batch_max &&
        std::all_of(line.bounds.begin(), line.bounds.begin() + line.orders, covers_n))
      return &line;
  }
  return nullptr;
}

// ---- writing -------------------------------------------------------------------------------------

std::string text_of_n(int n_max) { return n_max == cuda::any_extent ? "any_extent" : std::to_string(n_max); }
std::string text_of_batch(std::int64_t batch_max) {
  return batch_max == cuda::any_batch ? "any_batch" : std::to_string(batch_max);
}

std::string fingerprint(const table& t) {
  std::uint64_t hash = 14695981039346656037u;
  for (const table_line& line : t.lines) {
    for (const char c :
         line.precision + text_of_n(line.n_max()) + text_of_batch(line.batch_max) + describe(line.how))
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return formatted("%016llx", static_cast<unsigned long long>(hash));
}

void write_file(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".new";
  std::ofstream file(unfinished);
  file << text << std::flush;
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0)
    throw measure::write_error("cannot write '" + path + "'");
}

namespace {

/// Pads texts to the widest of their column.
class columns {
 public:
  std::string left(const std::string& column, const std::string& text) { return text + spaces(column, text); }
  std::string right(const std::string& column, const std::string& text) {
    return spaces(column, text) + text;
  }

 private:
  std::string spaces(const std::string& column, const std::string& text) {
    std::size_t& width = widths_[column];
    width = std::max(width, text.size());
    return std::string(width - text.size(), ' ');
  }
  std::map<std::string, std::size_t> widths_;
};

std::string text_of(const table_line& line, const routine& of, columns& in) {
  const kernel& how = line.how;
  std::vector<std::string> bounds, parameters;
  for (const int bound : line.bounds) bounds.push_back(text_of_n(bound));
  for (const auto& [name, is_flag] : find_family(of, how.family)->parameters) {
    const int value = value_of(how, name);
    if (value == 0) continue;
    parameters.push_back('.' + name + " = " +
                         (is_flag ? "true" : in.right(how.family + name, std::to_string(value))));
  }
  const std::string text = (how.schedule.empty() ? "TALUS_LINE(" : "TALUS_MIXED_LINE(") +
                           std::string(1, line.precision) + ", " +
                           in.left("box", "upto(" + joined(bounds, ", ") + "),") + ' ' +
                           in.right("batch", text_of_batch(line.batch_max)) + ", " +
                           (how.schedule.empty() ? "" : in.left("schedule", how.schedule + ",") + ' ') +
                           how.family + '{' + joined(parameters, ", ") + "})";
  return line.evidence.empty() ? text : in.left("line", text) + "  // " + line.evidence;
}

}  // namespace

std::string text_of(const table& t, const routine& of) {
  columns widths;
  std::string text;
  for (int pass = 0; pass < 3; ++pass) {  // widths of columns, of whole lines, and then the text
    text =
        t.preamble + "TALUS_TABLE(" + t.name + ", \"" + t.gpu + "\", " + std::to_string(t.capability) + ")\n";
    const table_line* before = nullptr;
    for (const table_line& line : t.lines) {
      const bool is_new_set = !line.how.schedule.empty() && before && line.batch_max != before->batch_max;
      if (!before || line.precision != before->precision || is_new_set) text += "\n";
      text += text_of(line, of, widths) + "\n";
      before = &line;
    }
  }
  return text;
}

}  // namespace talus::tune
