#include "host_table.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "words.hpp"

namespace talus::tune {

std::vector<host_line> read_host_table(const std::string& path, std::vector<problem_found>& problems) {
  std::vector<host_line> lines;
  std::ifstream file(path);
  if (!file) problems.push_back({0, "cannot be read"});
  const std::regex pattern(R"(TALUS_LANES\(\s*([sdcz])\s*,\s*(\w+)\s*,\s*(\d{1,6})\s*\)\s*(?://\s*(.*))?)");
  int number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    std::smatch parts;
    if (text.empty() || text.rfind("//", 0) == 0) continue;
    if (std::regex_match(text, parts, pattern)) {
      lines.push_back({parts[1].str()[0], parts[2], std::stoi(parts[3]), parts[4]});
      const std::set<std::string> known = {"baseline", "avx2", "avx512"};
      if (!known.count(lines.back().isa))
        problems.push_back(
            {number, "instruction set '" + lines.back().isa + "' is none of baseline, avx2, avx512"});
      for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        if (lines[i].precision == lines.back().precision && lines[i].isa == lines.back().isa)
          problems.push_back(
              {number, "never serves: a line above it has the same precision and instruction set"});
      }
    } else {
      problems.push_back({number, "is neither a comment nor TALUS_LANES(precision, isa, n_max)"});
    }
  }
  return lines;
}

std::vector<problem_found> check_host_table(const std::string& path) {
  std::vector<problem_found> problems;
  const std::vector<host_line> lines = read_host_table(path, problems);
  for (const host_line& line : lines) {
    if (line.n_max > 4096)
      problems.push_back({0, "n_max " + std::to_string(line.n_max) + " for " + line.isa + ", " +
                                 std::string(1, line.precision) +
                                 " is above 4096: a group of matrices no longer fits into any cache"});
  }
  return problems;
}

void write_host_table(const std::string& path, const std::vector<host_line>& lines) {
  std::ostringstream text;
  text << "// Cholesky on the CPU: up to n_max a batch is factored in SIMD lanes, a matrix per lane, above "
          "one matrix after the\n"
          "// other with OpenBLAS. By precision and instruction set; talus-tune --backend host writes the "
          "lines of the machine\n"
          "// that it runs on, talus-tune --check finds mistakes.\n//\n//          precision, isa, n_max\n\n";
  for (const host_line& line : lines) {
    text << formatted("TALUS_LANES(%c, %8s, %3d)", line.precision, line.isa.c_str(), line.n_max)
         << (line.evidence.empty() ? "" : "  // " + line.evidence) << "\n";
  }
  write_file(path, text.str());
}

int choose_lanes_n_max(const std::vector<measurement>& all, char precision, double& factor) {
  constexpr double band = 1.02;
  std::set<int> sizes;
  for (const measurement& m : all) {
    if (m.precision == precision && m.how.family == "lanes") sizes.insert(m.n);
  }
  int chosen = 0;
  for (const int n : sizes) {
    double worst = 0;
    for (const measurement& m : all) {
      if (m.precision == precision && m.how.family == "lanes" && m.n == n) worst = std::max(worst, m.ratio());
    }
    if (!(worst <= band)) break;
    chosen = n;
    factor = 1 / worst;
  }
  return chosen;
}

}  // namespace talus::tune
