#include "evidence.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "classes.hpp"
#include "measure/plan.hpp"
#include "price.hpp"
#include "price_classes.hpp"
#include "words.hpp"

namespace talus::tune {

namespace fs = std::filesystem;

std::vector<recorded> read_records(const std::string& path, const routine& of, const std::string& gpu) {
  if (!fs::exists(path)) throw std::runtime_error("there are no records at '" + path + "'");
  std::vector<fs::path> files = {path};
  const bool is_folder = fs::is_directory(path);
  if (is_folder) {
    files.clear();
    for (const fs::directory_entry& one : fs::recursive_directory_iterator(path)) {
      if (one.path().extension() == ".csv") files.push_back(one.path());
    }
    std::sort(files.begin(), files.end());
  }
  std::vector<recorded> all;
  for (const fs::path& file : files) {
    if (is_folder && file.stem().string() != of.name) continue;
    recorded one = read_results(file.string());
    const std::string named = value_of(one.about, "routine");
    if ((!named.empty() && named != of.name) || value_of(one.about, "GPU") != gpu) continue;
    all.push_back(std::move(one));
  }
  return all;
}

bool serves_with(const routine& of, const table_line& line, const measurement& m) {
  const measure::sizes s = sizes_at(of, m.n, m.of);
  kernel how = line.how;
  how.schedule.clear();
  return how == m.how && m.batch <= line.batch_max && line.holds(of.extents_of(s.m, s.n, s.k, s.nrhs));
}

namespace {

void add(line_evidence& to, const measurement& m) {
  if (m.commit.empty()) return;
  if (!to.is_measured() || m.n > to.largest.n) to.largest = m;
  ++to.rows[m.commit];
}

/// Returns a box and its kernel in a call: "d 16:warp/lanes:8"; for a lone line "d direct 16:warp/lanes:8".
std::string served(char precision, const std::string& box, const kernel& how) {
  return std::string(1, precision) + ' ' + (is_alone(how) ? how.schedule + ' ' : "") + box + ':' +
         word_of(how);
}

/// Returns the boxes in the name of a call, with their kernels. In a sweep, the name consists of words for
/// classes, which the head of the file defines. In prices, it consists of boxes; boxes that have another
/// kernel than in the table also name this kernel.
std::set<std::string> served_in(const measurement& m, const std::map<std::string, size_class>& classes,
                                const routine& of) {
  std::set<std::string> all;
  std::string name = describe(m.how), schedule;
  const std::string again = " again";
  if (name.size() > again.size() && name.compare(name.size() - again.size(), again.npos, again) == 0)
    name.resize(name.size() - again.size());
  if (const std::size_t space = name.find(' '); space != name.npos) {
    schedule = name.substr(0, space);
    name = name.substr(space + 1);
  }
  for (const std::string& word : measure::split(name, '+')) {
    const std::size_t colon = word.find(':');
    if (colon != word.npos) {
      all.insert(std::string(1, m.precision) + ' ' + (schedule.empty() ? "" : schedule + ' ') + word);
      continue;
    }
    const auto found = classes.find((schedule.empty() ? "class " : "alone ") + word);
    if (found == classes.end()) continue;
    const size_class& c = found->second;
    kernel how = c.how;
    if (!schedule.empty()) how.schedule = schedule;
    all.insert(served(m.precision, words_of_box(line_for(of, m.precision, c.n_max, how)), how));
  }
  return all;
}

/// Returns the classes that the head of a sweep's file defines, by their words.
std::map<std::string, size_class> classes_in(const facts& about, char precision) {
  std::map<std::string, size_class> all;
  for (const std::string kind : {"class", "alone"}) {
    const std::string text =
        value_of(about, (kind == "class" ? "classes " : "alone ") + std::string(1, precision));
    if (text.empty()) continue;
    for (const size_class& c : parse_classes(text)) all[kind + ' ' + c.name] = c;
  }
  return all;
}

}  // namespace

std::vector<line_evidence> find_evidence(const routine& of, const table& t, const table& generic,
                                         const std::vector<recorded>& records) {
  std::vector<line_evidence> all(t.lines.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].repeats_generic = has_line(generic.lines, t.lines[i]);
  for (const char precision : std::string("sdcz")) {
    std::vector<table_line> lines;
    std::vector<std::size_t> numbers;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < t.lines.size(); ++i) {
      if (t.lines[i].precision != precision) continue;
      lines.push_back(t.lines[i]);
      numbers.push_back(i);
      names.push_back(served(precision, words_of_box(t.lines[i]), t.lines[i].how));
    }
    for (const recorded& one : records) {
      const std::map<std::string, size_class> classes = classes_in(one.about, precision);
      for (const measurement& m : one.all) {
        if (m.precision != precision || m.result != outcome::ok) continue;
        if (of.has_schedules && !of.mixed_sizes) {  // a class and a lone line may serve the same sizes
          for (std::size_t l = 0; l < lines.size(); ++l) {
            if (serves_with(of, lines[l], m)) add(all[numbers[l]], m);
          }
          continue;
        }
        if (!of.mixed_sizes) {
          const table_line* const line = selected(of, lines, m.n, m.batch, m.of);
          const auto at = static_cast<std::size_t>(line - lines.data());
          if (line && line->how == m.how) add(all[numbers[at]], m);
          continue;
        }
        const std::set<std::string> served_here = served_in(m, classes, of);
        const std::int64_t batch = measure::parse_regime(m.regime).batch_count;
        for (std::size_t l = 0; l < lines.size(); ++l) {
          if (batch <= lines[l].batch_max && served_here.count(names[l])) add(all[numbers[l]], m);
        }
      }
    }
  }
  return all;
}

std::string name_of_line(const routine& of, const table& t, const table_line& line) {
  std::vector<std::string> bounds;
  for (const int bound : line.bounds) bounds.push_back(text_of_n(bound));
  return t.name + '/' + of.name + ' ' + line.precision + " upto(" + joined(bounds, ", ") + "), " +
         text_of_batch(line.batch_max) + ": " + describe(line.how);
}

std::string comment_of(const table_line& line, const line_evidence& evidence, const std::string& price) {
  if (!price.empty()) return price;
  const std::string& now = line.evidence;
  const bool says_nothing = now.empty() || now == "by hand" || now == "not measured";
  if (!says_nothing) return now;
  if (!evidence.is_measured()) return evidence.repeats_generic ? "as in the generic table" : "not measured";
  int rows = 0;
  for (const auto& [commit, count] : evidence.rows) rows += count;
  const measurement& m = evidence.largest;
  return formatted("n = %s, %lld matrices: %.4g ms (%d measurement%s)", text_of(m.n, m.of).c_str(),
                   static_cast<long long>(m.batch), m.median_ms, rows, rows == 1 ? "" : "s");
}

}  // namespace talus::tune
