#include "measure/facts.hpp"

#include <ctime>

#include "version.hpp"

namespace talus::measure {

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!word.empty()) text += (text.empty() ? "" : separator) + word;
  }
  return text;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

facts facts_of(const machine& m, backend where, const std::string& command) {
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", std::gmtime(&now));
  return {{where == backend::cuda ? "GPU" : "CPU", m.name},
          {"details", m.details},
          {"bandwidth", formatted("%.4g GB/s", m.bandwidth * 1e-9)},
          {"peak single", formatted("%.4g GFLOP/s", m.peak_single * 1e-9)},
          {"peak double", formatted("%.4g GFLOP/s", m.peak_double * 1e-9)},
          {"commit", commit},
          {"command", command},
          {"date", date}};
}

}  // namespace talus::measure
