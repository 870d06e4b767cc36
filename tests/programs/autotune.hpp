// What the tests of the tuner share: folders for a time, complaints as text.
#pragma once

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "choose.hpp"
#include "results.hpp"
#include "space.hpp"
#include "table.hpp"

namespace talus::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::string content_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A folder for the time of a test.
struct scratch_folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("talus_autotune_" + std::to_string(std::rand()));
  scratch_folder() { std::filesystem::create_directories(path); }
  ~scratch_folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    const std::filesystem::path p = path / name;
    std::filesystem::create_directories(p.parent_path());
    std::ofstream(p) << text;
    return p.string();
  }
};

/// What --check says of a table with these lines, all problems in one text.
inline std::string complaints(const std::string& lines,
                              const std::string& head = "TALUS_TABLE(x, \"Some GPU\", 90)\n",
                              const tune::routine& of = tune::routine_named("potrf")) {
  const scratch_folder folder;
  std::vector<tune::problem_found> problems;
  const tune::table t = tune::read_table(folder.file(of.name + ".inc", head + lines), of, problems);
  const std::vector<tune::problem_found> more = tune::check(t, of);
  problems.insert(problems.end(), more.begin(), more.end());
  std::string text;
  for (const tune::problem_found& p : problems) text += std::to_string(p.number) + ": " + p.what + "\n";
  return text;
}

/// A table without lines, of a GPU that nobody has.
inline tune::table table_of_some_gpu() {
  tune::table t;
  t.name = "x";
  t.gpu = "Some GPU";
  t.capability = 90;
  return t;
}

/// Kernels of potrf, of which `panel` and `blocked` are generic ones.
inline const tune::kernel small = tune::kernel_named("warp lanes=8 rows=4 tbc=8"),
                          other = tune::kernel_named("warp lanes=16 rows=2 tbc=4"),
                          panel = tune::kernel_named("smem tiles=4"),
                          blocked = tune::kernel_named("blocked nb=64 groups=2 tiles=2");

/// What was measured of a kernel at one point, against a reference.
inline tune::measurement measured(int n, const std::string& regime, std::int64_t batch, const tune::kernel& k,
                                  double ratio, double reference_ms = 1) {
  tune::measurement m;
  m.precision = 'd';
  m.regime = regime;
  m.n = n;
  m.batch = batch;
  m.how = k;
  m.median_ms = m.min_ms = m.max_ms = ratio * reference_ms;
  m.reference_ms = reference_ms;
  return m;
}

/// A generic table of one kernel for all d.
inline tune::table generic_of(const tune::kernel& k) {
  tune::table t;
  tune::table_line line;
  line.precision = 'd';
  line.bounds = {cuda::any_extent};
  line.how = k;
  t.lines = {line};
  return t;
}

/// The lines that are chosen where the generic table is `panel` alone.
inline std::vector<tune::table_line> chosen_from(const std::vector<tune::measurement>& all) {
  const tune::rules r;
  return tune::choose_lines(tune::points_of(all, 'd', r), generic_of(panel), r);
}

/// What the exception says that work throws; empty if it throws none.
template <class Work>
std::string refusal(Work work) {
  try {
    work();
    return "";
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace talus::test
