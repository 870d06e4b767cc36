#include "results.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "measure/facts.hpp"
#include "measure/plan.hpp"

namespace talus::tune {

namespace {

const char* const header = "precision,regime,n,batch,kernel,result,median_ms,min_ms,max_ms,reference_ms,why";
const char* const outcome_names[] = {"ok", "slow", "failed", "wrong"};

/// As a file has it: a choice made while measuring must be the one that is made from the file.
double as_written(double ms) { return std::stod(measure::formatted("%.6g", ms)); }

std::string line_of(const measurement& m) {
  const auto time = [](double ms) { return ms == 0 ? "" : measure::formatted("%.6g", ms); };
  const std::string times = outcome_names[static_cast<int>(m.result)] + (',' + time(m.median_ms)) + ',' +
                            time(m.min_ms) + ',' + time(m.max_ms) + ',' + time(m.reference_ms) + ',';
  std::string why = m.why;
  for (char& c : why) c = c == ',' || c == '\n' ? ';' : c;
  return std::string(1, m.precision) + ',' + m.regime + ',' + text_of(m.n, m.of) + ',' +
         std::to_string(m.batch) + ',' + describe(m.how) + ',' + times + why;
}

/// Reads m.n and m.of back from text_of(n, shape). Throws if the text is wrong.
void parse_extents(const std::string& text, measurement& m) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  const std::size_t times = word.find('x');
  if (times != word.npos) m.of.m = std::stoi(word.substr(0, times));
  m.n = std::stoi(times == word.npos ? word : word.substr(times + 1));
  while (words >> word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == word.npos || (name != "k" && name != "nrhs")) throw std::invalid_argument(text);
    (name == "k" ? m.of.k : m.of.nrhs) = std::stoi(word.substr(equals + 1));
  }
}

bool parse_line(const std::string& text, measurement& m) {
  const std::vector<std::string> fields = measure::split(text, ',');
  if (fields.size() != 11 || fields[0].size() != 1) return false;
  try {
    m.precision = fields[0][0];
    m.regime = fields[1];
    parse_extents(fields[2], m);
    m.batch = std::stoll(fields[3]);
    m.how = kernel_named(fields[4]);
    const auto found = std::find(std::begin(outcome_names), std::end(outcome_names), fields[5]);
    if (found == std::end(outcome_names)) return false;
    m.result = static_cast<outcome>(found - std::begin(outcome_names));
    double* const times[] = {&m.median_ms, &m.min_ms, &m.max_ms, &m.reference_ms};
    for (std::size_t i = 0; i < 4; ++i) *times[i] = fields[6 + i].empty() ? 0 : std::stod(fields[6 + i]);
    m.why = fields[10];
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

}  // namespace

bool operator==(const shape& a, const shape& b) {
  return std::tie(a.m, a.k, a.nrhs) == std::tie(b.m, b.k, b.nrhs);
}
bool operator<(const shape& a, const shape& b) {
  return std::tie(a.m, a.k, a.nrhs) < std::tie(b.m, b.k, b.nrhs);
}

std::string text_of(int n, const shape& of) {
  std::string text = (of.m == 0 ? "" : std::to_string(of.m) + 'x') + std::to_string(n);
  if (of.k != 0) text += " k=" + std::to_string(of.k);
  if (of.nrhs != 0) text += " nrhs=" + std::to_string(of.nrhs);
  return text;
}

void measurement::take_times(const std::vector<double>& own, const std::vector<double>& reference) {
  const measure::statistics time = measure::statistics_of(own);
  median_ms = as_written(time.median * 1e3);
  min_ms = as_written(time.min * 1e3);
  max_ms = as_written(time.max * 1e3);
  reference_ms = as_written(measure::statistics_of(reference).median * 1e3);
}

recorded read_results(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read '" + path + "'");
  recorded result;
  std::string commit;
  int number = 0;
  for (std::string line; std::getline(file, line) && !file.eof();) {  // at its end: cut short
    ++number;
    const std::size_t colon = line.find(": ");
    measurement m;
    if (line.rfind("# ", 0) == 0) {
      if (colon == std::string::npos) continue;
      result.about.emplace_back(line.substr(2, colon - 2), line.substr(colon + 2));
      if (result.about.back().first == "commit") commit = result.about.back().second;
    } else if (parse_line(line, m)) {
      m.commit = commit;
      result.all.push_back(m);
    } else if (line != header) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": is no measurement of talus-tune");
    }
  }
  return result;
}

std::string value_of(const facts& about, const std::string& name) {
  for (const auto& [key, value] : about) {
    if (key == name) return value;
  }
  return "";
}

results_file::results_file(const std::string& path, const facts& about, bool go_on) : path_(path) {
  facts said;
  if (go_on) {
    said = read_results(path).about;
    std::stringstream content;
    content << std::ifstream(path).rdbuf();
    std::filesystem::resize_file(path, content.str().rfind('\n') + 1);
  }
  file_.open(path, go_on ? std::ios::app : std::ios::out);
  for (const auto& fact : about) {  // of this run, too, what no run before it said
    if (std::find(said.begin(), said.end(), fact) == said.end())
      file_ << "# " << fact.first << ": " << fact.second << '\n';
  }
  if (!go_on) file_ << header << '\n';
  if (!(file_ << std::flush)) throw measure::write_error("cannot write '" + path + "'");
}

void results_file::add(const measurement& m) {
  file_ << line_of(m) + '\n' << std::flush;
  if (!file_) throw measure::write_error("cannot write '" + path_ + "'");
}

}  // namespace talus::tune
