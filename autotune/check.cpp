// talus-tune --check and --comment: checks tables, and finds the records (measurements) of their lines.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "commands.hpp"
#include "evidence.hpp"
#include "host.hpp"
#include "measure/program.hpp"
#include "price.hpp"
#include "price_classes.hpp"
#include "space.hpp"
#include "words.hpp"

namespace talus::tune {

namespace fs = std::filesystem;
using measure::fine, measure::usage_error, measure::wrong;

namespace {

bool is_of_host(const std::string& path) { return fs::path(path).parent_path().filename() == "host"; }

/// Reads the records of a table from --records, or from results/<gpu> beside tables/<gpu>.
std::vector<recorded> records_of(const options& o, const std::string& path, const routine& of,
                                 const table& t) {
  const fs::path folder = fs::absolute(path).lexically_normal().parent_path();
  const std::string beside = (folder.parent_path().parent_path() / "results" / folder.filename()).string();
  return read_records(o.records.empty() ? beside : o.records, of, t.gpu);
}

std::vector<line_evidence> evidence_of(const options& o, const std::string& path, const routine& of,
                                       const table& t) {
  options named = o;
  named.routine = of.name;
  return find_evidence(of, t, read_good_table(generic_path(named), of), records_of(o, path, of, t));
}

/// The list of --unmeasured: lines that may lack a record.
class unmeasured_list {
 public:
  explicit unmeasured_list(const std::string& path) : path_(path) {
    if (path.empty()) return;
    std::ifstream file(path);
    if (!file) throw usage_error("--unmeasured: cannot read '" + path + "'");
    for (std::string line; std::getline(file, line);) {
      if (!line.empty() && line[0] != '#') names_.insert(line);
    }
  }

  bool has(const std::string& name) const { return names_.count(name) > 0; }

  /// Returns the listed lines of one table that are not in `missing`.
  std::vector<std::string> needless(const std::string& table, const std::set<std::string>& missing) const {
    std::vector<std::string> some;
    for (const std::string& name : names_) {
      if (name.rfind(table + ' ', 0) == 0 && !missing.count(name)) some.push_back(name);
    }
    return some;
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::set<std::string> names_;
};

/// Returns the problems with the records of a GPU's table. Appends a summary of its records to `words`.
std::vector<problem_found> check_evidence(const options& o, const std::string& path, const routine& of,
                                          const table& t, const unmeasured_list& listed, std::string& words) {
  const std::vector<line_evidence> evidence = evidence_of(o, path, of, t);
  std::vector<problem_found> problems;
  std::set<std::string> missing;
  std::map<std::string, int> lines_at;  // by commit
  int repeated = 0, allowed = 0;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    const line_evidence& one = evidence[i];
    for (const auto& [commit, rows] : one.rows) ++lines_at[commit];
    repeated += one.repeats_generic && !one.is_measured();
    if (!one.is_missing()) continue;
    const std::string name = name_of_line(of, t, t.lines[i]);
    missing.insert(name);
    if (listed.has(name))
      ++allowed;
    else
      problems.push_back({t.lines[i].number, "no record of: " + name});
  }
  for (const std::string& name : listed.needless(t.name + '/' + of.name, missing))
    problems.push_back(
        {0, listed.path() + " lists a line that has a record or is not in the table: " + name});
  for (const auto& [commit, lines] : lines_at)
    words += (words.empty() ? ", lines measured at " : ", ") + commit + ": " + std::to_string(lines);
  if (repeated > 0) words += ", repeated from the generic table: " + std::to_string(repeated);
  if (allowed > 0) words += ", not measured yet: " + std::to_string(allowed);
  return problems;
}

/// Returns the text of a file with new comments (by line number), each in the column of the old comment.
std::string with_comments(const std::string& path, const std::map<int, std::string>& comments) {
  std::ifstream file(path);
  std::string text;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    const auto found = comments.find(++number);
    if (found != comments.end()) {
      const std::size_t column = line.find("//");
      line = (column == line.npos ? line + "  " : line.substr(0, column)) + "// " + found->second;
    }
    text += line + '\n';
  }
  return text;
}

}  // namespace

int run_check(const options& o) {
  const unmeasured_list listed(o.unmeasured);
  int bad = 0;
  for (const std::string& path : o.check) {
    const std::string name = fs::path(path).stem().string();
    std::vector<problem_found> problems;
    std::string words;
    if (is_of_host(path)) {
      read_host_table(path, problems);
    } else {
      const routine& of = routine_named(name);
      const table t = read_table(path, of, problems);
      const std::vector<problem_found> more = check(t, of);
      problems.insert(problems.end(), more.begin(), more.end());
      const std::string folder = fs::absolute(path).parent_path().filename().string();
      if (problems.empty() && t.name != folder)
        problems.push_back(
            {0, "is table '" + t.name + "' by its TALUS_TABLE, but lies in folder '" + folder + "'"});
      if (problems.empty() && !t.is_generic()) problems = check_evidence(o, path, of, t, listed, words);
    }
    for (const problem_found& p : problems)
      std::printf("%s%s: %s\n", path.c_str(), p.number > 0 ? (":" + std::to_string(p.number)).c_str() : "",
                  p.what.c_str());
    if (problems.empty()) std::printf("%s: in order%s\n", path.c_str(), words.c_str());
    bad += !problems.empty();
  }
  return bad == 0 ? fine : wrong;
}

int run_comment(const options& o) {
  for (const std::string& path : o.comment) {
    if (is_of_host(path)) throw usage_error("--comment: '" + path + "' is of the host, which has no records");
    const routine& of = routine_named(fs::path(path).stem().string());
    table t = read_good_table(path, of);
    if (t.is_generic())
      throw usage_error("--comment: '" + path + "' is the generic table, which has no records");
    options named = o;
    named.routine = of.name;
    const table generic = read_good_table(generic_path(named), of);
    const std::vector<recorded> records = records_of(o, path, of, t);
    const std::vector<line_evidence> evidence = find_evidence(of, t, generic, records);
    std::vector<measurement> measured;  // in turn with kernels of this table, not of the generic table
    for (const recorded& one : records) {
      if (!value_of(one.about, "routine").empty())
        measured.insert(measured.end(), one.all.begin(), one.all.end());
    }
    std::vector<std::string> prices(t.lines.size());
    for (const char precision : std::string(of.has_schedules ? "" : "sdcz")) {
      price_rules removes_nothing;
      removes_nothing.bar = -1;
      const priced_table priced = price_lines(of, lines_of(t, precision), lines_of(generic, precision),
                                              measured, cuda::limits_of(t.capability), removes_nothing);
      std::size_t next = 0;
      for (std::size_t i = 0; i < t.lines.size(); ++i) {
        if (t.lines[i].precision == precision) prices[i] = words_of_price(priced.lines[next++]);
      }
    }
    std::map<int, std::string> comments;  // by line number in the file
    for (std::size_t i = 0; i < t.lines.size(); ++i)
      comments[t.lines[i].number] = comment_of(t.lines[i], evidence[i], prices[i]);
    write_file(path, with_comments(path, comments));
    std::printf("written: %s\n", path.c_str());
  }
  return fine;
}

}  // namespace talus::tune
