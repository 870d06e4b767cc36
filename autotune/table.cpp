#include "table.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "space.hpp"
#include "vbatched/potrf_table.hpp"
#include "words.hpp"

namespace talus::tune {

namespace {

auto members(const kernel& k) { return std::tie(k.schedule, k.family, k.ib, k.nb, k.tbc, k.threads, k.rows); }

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::optional<std::int64_t> number_of(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || text.size() > 18) return std::nullopt;
  return std::stoll(text);
}

/// The arguments of MACRO(...) at the start of a line, and what follows it; nothing if that is not what it
/// is.
struct invocation {
  std::vector<std::string> arguments;
  std::string rest;
};
std::optional<invocation> parse_invocation(const std::string& line, const std::string& macro) {
  if (line.rfind(macro + "(", 0) != 0) return std::nullopt;
  const std::size_t open = macro.size(), close = line.find(')', open);
  if (close == std::string::npos) return std::nullopt;
  invocation found;
  std::stringstream inside(line.substr(open + 1, close - open - 1));
  for (std::string part; std::getline(inside, part, ',');) found.arguments.push_back(trimmed(part));
  found.rest = trimmed(line.substr(close + 1));
  return found;
}

const char* const columns[] = {"precision", "n_max", "batch_max", "family", "ib",
                               "nb",        "tbc",   "threads",   "rows"};

/// What a line of a table begins with.
const char* macro_of(bool has_schedule) { return has_schedule ? "TALUS_VBATCHED_LINE" : "TALUS_LINE"; }

/// The line, or what is wrong with it.
std::string parse_line(std::vector<std::string> arguments, const routine& of, table_line& line) {
  constexpr std::size_t wanted = std::size(columns), schedule_column = 3;
  const bool has_schedule = !of.schedules.empty();
  if (arguments.size() != wanted + has_schedule)
    return "has " + std::to_string(arguments.size()) + " columns where there are " +
           std::to_string(wanted + has_schedule) + " (precision, n_max, batch_max, " +
           (has_schedule ? "schedule, " : "") + "family, ib, nb, tbc, threads, rows)";
  std::string schedule;
  if (has_schedule) {
    schedule = arguments[schedule_column];
    if (std::find(of.schedules.begin(), of.schedules.end(), schedule) == of.schedules.end())
      return "schedule '" + schedule + "' is none of " + joined(of.schedules, ", ");
    arguments.erase(arguments.begin() + schedule_column);
  }
  if (arguments[0].size() != 1 || std::string("sdcz").find(arguments[0]) == std::string::npos)
    return "precision '" + arguments[0] + "' is none of s, d, c, z";
  line.precision = arguments[0][0];
  std::int64_t values[wanted] = {};
  for (std::size_t c = 1; c < wanted; ++c) {
    if (c == 3) continue;
    const std::optional<std::int64_t> number = number_of(arguments[c]);
    if (c == 1 && arguments[c] == "any_n") {
      values[c] = cuda::any_n;
    } else if (c == 2 && arguments[c] == "any_batch") {
      values[c] = cuda::any_batch;
    } else if (!number || (c != 2 && *number > cuda::any_n)) {
      return std::string(columns[c]) + " '" + arguments[c] + "' is no number";
    } else {
      values[c] = *number;
    }
  }
  const std::string& family = arguments[3];
  if (std::find(of.families.begin(), of.families.end(), family) == of.families.end())
    return "family '" + family + "' is none of " + joined(of.families, ", ");
  const auto as_int = [&](int column) { return static_cast<int>(values[column]); };
  line.n_max = as_int(1);
  line.batch_max = values[2];
  line.how = {family, as_int(4), as_int(5), as_int(6), as_int(7), as_int(8), schedule};
  return "";
}

std::string parse_head(const std::vector<std::string>& arguments, table& t) {
  if (arguments.size() != 3) return "TALUS_TABLE has three columns: name, \"GPU\", compute capability";
  const std::string& gpu = arguments[1];
  const std::optional<std::int64_t> capability = number_of(arguments[2]);
  if (gpu.size() < 2 || gpu.front() != '"' || gpu.back() != '"') return "the GPU's name must stand in quotes";
  if (!capability || *capability > 999)
    return "compute capability '" + arguments[2] + "' is no number such as 90 for 9.0";
  t.name = arguments[0];
  t.gpu = gpu.substr(1, gpu.size() - 2);
  t.capability = static_cast<int>(*capability);
  return "";
}

}  // namespace

bool operator==(const kernel& a, const kernel& b) { return members(a) == members(b); }
bool operator!=(const kernel& a, const kernel& b) { return !(a == b); }
bool operator<(const kernel& a, const kernel& b) { return members(a) < members(b); }

bool is_alone(const kernel& k) { return k.schedule == "direct" || k.schedule == "ordered"; }

std::string describe(const kernel& k) {
  std::string text = (k.schedule.empty() ? "" : k.schedule + ' ') + k.family + " ib=" + std::to_string(k.ib);
  if (k.nb != 0) text += " nb=" + std::to_string(k.nb);
  return text + " tbc=" + std::to_string(k.tbc) + " threads=" + std::to_string(k.threads) +
         " rows=" + std::to_string(k.rows);
}

std::string text_of_n(int n_max) { return n_max == cuda::any_n ? "any_n" : std::to_string(n_max); }
std::string text_of_batch(std::int64_t batch_max) {
  return batch_max == cuda::any_batch ? "any_batch" : std::to_string(batch_max);
}

table read_table(const std::string& path, const routine& of, std::vector<problem_found>& problems) {
  table t;
  std::ifstream file(path);
  if (!file) {
    problems.push_back({0, "cannot be read"});
    return t;
  }
  const std::string macro = macro_of(!of.schedules.empty());
  bool has_head = false;
  int number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    text = trimmed(text);
    if (text.rfind("//", 0) == 0) {
      if (!has_head && t.lines.empty()) t.preamble += text + "\n";
    } else if (const auto head = parse_invocation(text, "TALUS_TABLE")) {
      if (has_head) problems.push_back({number, "a second TALUS_TABLE: a file holds one table"});
      const std::string wrong = parse_head(head->arguments, t);
      if (!wrong.empty()) problems.push_back({number, wrong});
      has_head = true;
    } else if (const auto found = parse_invocation(text, macro)) {
      if (!has_head) problems.push_back({number, "a line before TALUS_TABLE, which says whose table it is"});
      table_line line;
      line.number = number;
      line.evidence = found->rest.rfind("//", 0) == 0 ? trimmed(found->rest.substr(2)) : "";
      const std::string wrong = parse_line(found->arguments, of, line);
      if (wrong.empty()) {
        t.lines.push_back(line);
      } else {
        problems.push_back({number, wrong});
      }
    } else if (!text.empty()) {
      problems.push_back({number, "is neither a comment, nor TALUS_TABLE(...), nor " + macro + "(...)"});
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

namespace {

/// Lines of one precision that are no sets: one set after the other by batch_max, each first with lines that
/// serve calls alone, then with classes up to any_n, both ascending.
void check_sets(const std::vector<const table_line*>& lines, std::vector<problem_found>& problems) {
  int classes = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const table_line &line = *lines[i], *const before = i > 0 ? lines[i - 1] : nullptr;
    const bool begins = !before || before->batch_max != line.batch_max;
    const std::string above = before ? " of line " + std::to_string(before->number) + " above it" : "";
    if (begins && before && line.batch_max < before->batch_max)
      problems.push_back({line.number, "batch_max " + text_of_batch(line.batch_max) + " is less than the " +
                                           text_of_batch(before->batch_max) + above});
    if (begins && before && before->n_max != cuda::any_n)
      problems.push_back({before->number, "is the last line for batch_max " +
                                              text_of_batch(before->batch_max) +
                                              ", but does not cover any_n"});
    const bool alone = is_alone(line.how), was_alone = before && is_alone(before->how);
    if (!begins && alone && !was_alone)
      problems.push_back({line.number, line.how.schedule + " is behind classes of its set" + above});
    else if (!begins && alone == was_alone && line.n_max < before->n_max)
      problems.push_back({line.number, "n_max " + text_of_n(line.n_max) + " is less than the " +
                                           text_of_n(before->n_max) + above});
    classes = (begins ? 0 : classes) + !alone;
    if (!alone && classes == cuda::vbatched_classes + 1)
      problems.push_back({line.number, "is one class more than the " +
                                           std::to_string(cuda::vbatched_classes) + " that a set may have"});
  }
}

}  // namespace

std::vector<problem_found> check(const table& t, const routine& of) {
  std::vector<problem_found> problems;
  const bool generic = t.gpu.empty() && t.capability == 0;
  const cuda::gpu_limits limits = generic ? cuda::generic_limits : cuda::limits_of(t.capability);
  for (const char precision : std::string("sdcz")) {
    std::vector<const table_line*> lines;
    for (const table_line& line : t.lines) {
      if (line.precision == precision) lines.push_back(&line);
    }
    const std::string p(1, precision);
    if (lines.empty()) {
      if (generic) problems.push_back({0, "has no line for precision " + p + ", but serves every GPU"});
      continue;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const table_line& line = *lines[i];
      for (std::size_t above = 0; above < i; ++above) {
        if (lines[above]->n_max < line.n_max || lines[above]->batch_max < line.batch_max) continue;
        if (is_alone(lines[above]->how) && !is_alone(line.how)) continue;  // a class serves larger calls, too
        problems.push_back({line.number, "never serves: line " + std::to_string(lines[above]->number) +
                                             " above it covers all that it covers"});
        break;
      }
      if (of.schedules.empty() && i > 0 && line.n_max < lines[i - 1]->n_max)
        problems.push_back({line.number, "n_max " + text_of_n(line.n_max) + " is less than the " +
                                             text_of_n(lines[i - 1]->n_max) + " of the line above it"});
      const std::string objection = of.objection(line, limits);
      if (!objection.empty()) problems.push_back({line.number, describe(line.how) + ": " + objection});
    }
    if (!of.schedules.empty()) check_sets(lines, problems);
    if (lines.back()->n_max != cuda::any_n || lines.back()->batch_max != cuda::any_batch)
      problems.push_back(
          {lines.back()->number, "the last line for precision " + p +
                                     " does not cover any_n and any_batch, so some sizes have no kernel"});
  }
  if (!generic && t.lines.empty()) problems.push_back({0, "has no lines"});
  std::stable_sort(problems.begin(), problems.end(),
                   [](const problem_found& a, const problem_found& b) { return a.number < b.number; });
  return problems;
}

const table_line* select(const table& t, char precision, int n, std::int64_t count) {
  for (const table_line& line : t.lines) {
    if (line.precision == precision && n <= line.n_max && count <= line.batch_max) return &line;
  }
  return nullptr;
}

void write_file(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".new";
  std::ofstream file(unfinished);
  file << text << std::flush;
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0)
    throw bench::write_error("cannot write '" + path + "'");
}

void write_table(const std::string& path, const table& t) {
  std::ostringstream text;
  text << t.preamble << "TALUS_TABLE(" << t.name << ", \"" << t.gpu << "\", " << t.capability << ")\n";
  const table_line* previous = nullptr;
  for (const table_line& line : t.lines) {
    const bool has_schedule = !line.how.schedule.empty();
    if (!previous || line.precision != previous->precision) {
      text << (has_schedule ? "\n//                 precision, n_max, batch_max, schedule,       family,   "
                              "ib,  nb, tbc, "
                              "threads, rows\n"
                            : "\n//        precision, n_max, batch_max, family,          ib,  nb, tbc, "
                              "threads, rows\n");
    } else if (has_schedule && line.batch_max != previous->batch_max) {
      text << "\n";  // a set of its own
    }
    previous = &line;
    char row[192], schedule[32] = "";
    if (has_schedule) std::snprintf(schedule, sizeof schedule, "%-15s ", (line.how.schedule + ",").c_str());
    std::snprintf(row, sizeof row, "%s(%c, %5s, %9s, %s%-*s %2d, %3d, %2d, %4d, %d)", macro_of(has_schedule),
                  line.precision, text_of_n(line.n_max).c_str(), text_of_batch(line.batch_max).c_str(),
                  schedule, has_schedule ? 9 : 16, (line.how.family + ",").c_str(), line.how.ib, line.how.nb,
                  line.how.tbc, line.how.threads, line.how.rows);
    text << row << (line.evidence.empty() ? "" : "  // " + line.evidence) << "\n";
  }
  write_file(path, text.str());
}

}  // namespace talus::tune
