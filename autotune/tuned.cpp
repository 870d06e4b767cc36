// From a file of measurements to the GPU's table.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "choose.hpp"
#include "classes.hpp"
#include "commands.hpp"
#include "measure/program.hpp"
#include "space.hpp"

namespace talus::tune {

namespace fs = std::filesystem;

namespace {

/// Which lines of a table went, and which came.
void print_changes(const table& before, const table& after) {
  const auto words_of = [](const table_line& line) {
    return std::string(1, line.precision) + ", n_max " + text_of_n(line.n_max()) + ", batch_max " +
           text_of_batch(line.batch_max) + ": " + describe(line.how);
  };
  const auto print_missing = [&](char sign, const table& of, const table& in) {
    std::set<std::string> known;
    for (const table_line& line : in.lines) known.insert(words_of(line));
    for (const table_line& line : of.lines) {
      if (known.count(words_of(line)) == 0) std::printf("%c %s\n", sign, words_of(line).c_str());
    }
  };
  print_missing('-', before, after);
  print_missing('+', after, before);
}

/// The lines of one precision; says what they gain.
std::vector<table_line> sizes_from(const routine& of, const recorded& measured, char precision,
                                   const table& generic) {
  const rules r;
  const std::vector<point> points = points_of(measured.all, precision, r);
  std::vector<table_line> lines = choose_lines(points, generic, r);
  if (lines.empty()) {
    throw std::runtime_error(std::string("precision ") + precision +
                             ": the measurements do not hold the generic table's own kernels");
  }
  const gain g = gain_of(points, lines, generic);
  std::printf("%-9c %6d %6d %8d | %.2fx, %.2fx, %.3fx at n = %d, %.2fx at n = %d\n", precision, g.points,
              g.lines, g.changed_lines, g.mean, g.median, g.least, g.least_n, g.most, g.most_n);
  for (table_line& line : lines) line.bounds.resize(of.extents.size(), cuda::any_extent);
  return lines;
}

/// The same where matrices differ in size: chosen again as when it was measured.
std::vector<table_line> classes_from(const routine& of, const recorded& measured, char precision) {
  const class_memory memory(measured.all, is_thinned(measured));
  const chosen_classes chosen = choose_classes(
      plan_of_classes(of, measured.about, precision), class_rules{},
      [&](const class_call& call) { return memory.recall(call); },
      [&](std::int64_t batch) { return memory.holds(precision, batch); }, [](const std::string&) {});
  std::printf("%-9c %6d %6zu | %.2fx, %.2fx with %lld matrices to n = %d\n", precision, chosen.calls,
              chosen.lines.size(), chosen.mean, chosen.least, static_cast<long long>(chosen.least_batch),
              chosen.least_n);
  return chosen.lines;
}

}  // namespace

int write_tuned_table(const options& o, const recorded& measured, const std::string& out) {
  const routine& of = routine_named(o.routine);
  const table generic = read_good_table(generic_path(o), of);
  const std::string path = (fs::path(out) / (o.routine + ".inc")).string();
  table before, tuned;
  if (fs::exists(path)) before = read_good_table(path, of);
  tuned.gpu = value_of(measured.about, "GPU");
  tuned.name = folder_name(tuned.gpu);
  tuned.capability = std::atoi(value_of(measured.about, "capability").c_str());
  if (tuned.gpu.empty() || tuned.capability == 0)
    throw std::runtime_error("the measurements do not say of which GPU they are");
  tuned.preamble = "// " + o.routine + " on " + tuned.gpu +
                   ", chosen by talus-tune. Edit it if you know better; talus-tune\n" +
                   "// --check finds mistakes. Behind each line: time at the largest measured n that it "
                   "serves, and how many times as\n" +
                   "// fast that is as the generic table. docs/tuning.md says how lines are chosen.\n";
  for (const char* fact : {"details", "commit", "date"})
    tuned.preamble += "// " + std::string(fact) + ": " + value_of(measured.about, fact) + "\n";

  if (!of.mixed_sizes)
    std::printf("\n%-9s %6s %6s %8s | gain over the generic table: %s\n", "precision", "points", "lines",
                "changed", "geometric mean, median, least, most");
  else
    std::printf("\n%-9s %6s %6s | gain over the generic table: %s\n", "precision", "calls", "lines",
                "geometric mean, least");
  for (const char precision : std::string("sdcz")) {
    const bool is_there = std::any_of(measured.all.begin(), measured.all.end(), [&](const measurement& one) {
      return one.precision == precision && one.result == outcome::ok;
    });
    const std::vector<table_line> lines = !is_there        ? lines_of(before, precision)
                                          : of.mixed_sizes ? classes_from(of, measured, precision)
                                                           : sizes_from(of, measured, precision, generic);
    tuned.lines.insert(tuned.lines.end(), lines.begin(), lines.end());
  }
  if (tuned.lines.empty()) throw std::runtime_error("nothing was measured");
  const std::vector<problem_found> problems = check(tuned, of);
  for (const problem_found& p : problems) std::fprintf(stderr, "%s: %s\n", path.c_str(), p.what.c_str());
  if (!problems.empty()) return measure::wrong;
  write_file(path, text_of(tuned, of));
  if (!before.lines.empty()) print_changes(before, tuned);
  std::printf("written: %s (build again to run it)\n", path.c_str());
  return measure::fine;
}

}  // namespace talus::tune
