// assembly_tree: batches of the sizes that the fronts of a sparse factorization have, each level of the
// assembly tree factored in one call, checked, and timed.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "common/options.hpp"
#include "common/output_file.hpp"
#include "common/program.hpp"
#include "grid.hpp"
#include "level.hpp"
#include "tree.hpp"

namespace {

using namespace example;  // what is common to the examples

struct options : common_options {
  std::string file, grid = "32x32x32", levels, compare, csv;
  int n_max = std::numeric_limits<int>::max();
  std::uint64_t memory = 0;
  bool solve = false;
};

constexpr const char* help_footer = R"(
Examples:
  assembly_tree                                    a tree of its own: nested dissection of a cube of 32 x 32 x 32
  assembly_tree --grid 500x500 --solve             of a square; solves, too
  assembly_tree --tree fronts.csv --max 512        sizes from a file; fronts larger than 512 are left out
  assembly_tree --levels 0:3 --compare loop        the first four levels, and what one call per front takes
  assembly_tree --grid 64x64x64 --memory 2GiB      each call gets matrices of at most 2 GiB

A file of fronts is a line 'level,n,k,count' and then one such line for each shape of front in each level:
count fronts of n rows, k of which are pivots. The matrices are symmetric positive definite and random; they
have the sizes of the fronts, all n rows of which are factored.)";

constexpr const char* legend = R"(
calls: of potrf_vbatched (and posv_vbatched), one for each part of a level that fits in the memory.
loop: one call of potrf_strided_batched for each front; speed-up: of potrf_vbatched over it.
residual: the worst of the fronts checked, ||A x - y||_1 / (n ||A||_1 ||x||_1 eps) with y = L L^T x for a
random x, or with the solution x of A x = y; a stable factorization stays below 30.)";

// ---- arguments -----------------------------------------------------------------------------------

/// "3" or "0:3".
bool parse_levels(const std::string& text, int& first, int& last) {
  const char* end = text.data() + text.size();
  const auto one = std::from_chars(text.data(), end, first);
  last = first;
  if (one.ec != std::errc() || first < 0) return false;
  if (one.ptr == end) return true;
  if (*one.ptr != ':') return false;
  const auto two = std::from_chars(one.ptr + 1, end, last);
  return two.ec == std::errc() && two.ptr == end && first <= last;
}

void describe(command_line& line, options& o) {
  const auto is_levels = [](const std::string& text) {
    int first, last;
    return parse_levels(text, first, last) ? std::string()
                                           : "'" + text + "' is neither a level nor FIRST:LAST";
  };
  const auto add = [&line](const char* group, const char* name, auto& value, const char* word,
                           const char* text) { return add_option(line, group, name, value, word, text); };
  line.footer(std::string(help_footer) + "\n" + legend + exit_codes(off_positive_definite));
  line.column_width(26);

  const char* group = "Which fronts";
  option file = add(group, "--tree", o.file, "FILE", "sizes of fronts: level,n,k,count");
  add(group, "--grid", o.grid, "NXxNYxNZ", "nested dissection of a grid, or NXxNY")
      .passes(is_grid)
      .excludes(file);
  add(group, "--levels", o.levels, "FIRST:LAST", "only these levels, or one").passes(is_levels);
  add(group, "--max", o.n_max, "N", "leaves out fronts of more than N rows")
      .within(1, std::numeric_limits<int>::max())
      .shown_as("N");

  group = "What to do";
  line.add_flag("--solve", o.solve, "posv, too, with one right-hand side").in_group(group);
  add(group, "--compare", o.compare, "loop", "also one call for each front").one_of({"loop"});
  add_common_options(line, group, o);
  add(group, "--memory", o.memory, "SIZE",
      "of the matrices of one call, such as 500MiB; without it, a quarter of what is free")
      .in_bytes()
      .positive();
  add(group, "--csv", o.csv, "FILE", "writes the table to a file, too");
}

// ---- what to run ---------------------------------------------------------------------------------

tree::assembly_tree chosen_tree(const options& o) {
  if (!o.file.empty()) return tree::read_tree(o.file);
  tree::grid size;
  tree::parse_grid(o.grid, size);
  return tree::nested_dissection(size);
}

/// The largest call's bytes; throws unavailable where a single front takes more.
template <class T>
double memory_for(const options& o, int largest, talus::queue q) {
  const double free = std::min(free_memory(talus::backend::host), free_memory(q.where));
  double limit = static_cast<double>(o.memory);
  if (o.memory == 0) limit = std::isinf(free) ? std::ldexp(1, 30) : free / 4;
  const double least = tree::front_bytes<T>(largest);
  if (o.memory != 0) require_memory(q.where, std::max(limit, least), "--memory");
  if (least > limit)
    throw unavailable("a front of n = " + std::to_string(largest) + " takes " + amount(least) +
                      ", more than the " + amount(limit) + " that a call may take: see --memory, --max");
  return limit;
}

// ---- the table -----------------------------------------------------------------------------------

class table {
 public:
  table(const options& o, const std::string& tree_name, talus::queue q)
      : o_(o), csv_(optional_file("--csv", o.csv)) {
    if (!csv_) return;
    csv_->write("# " + tree_name + "; precision " + o.precision + ", backend " +
                (q.where == talus::backend::host ? "host" : "cuda") +
                "\nlevel,fronts,n_min,n_median,n_max,calls,potrf_ms,gflops,posv_ms,loop_ms,checked,"
                "residual\n");
  }

  void head() const {
    std::printf("%5s %8s %7s %7s %8s %6s %12s %8s", "level", "fronts", "least n", "median", "largest",
                "calls", "potrf", "GFLOP/s");
    if (o_.solve) std::printf(" %12s", "posv");
    if (!o_.compare.empty()) std::printf(" %12s %8s", "loop", "speed-up");
    std::printf(" %8s %8s\n", "checked", "residual");
    std::fflush(stdout);
  }

  void line(const tree::level& l, const tree::outcome& r) const {
    std::printf("%5d %8lld %7d %7d %8d", l.number, static_cast<long long>(r.fronts), l.smallest(), l.median(),
                l.largest());
    rest_of_line(r);
    if (!csv_) return;
    const auto text = [](auto count) { return std::to_string(count) + ","; };
    const auto if_measured = [](bool measured, double seconds) {
      return measured ? number(1e3 * seconds) + "," : ",";
    };
    csv_->write(text(l.number) + text(r.fronts) + text(l.smallest()) + text(l.median()) + text(l.largest()) +
                text(r.parts) + number(1e3 * r.potrf_seconds) + "," + number(gflops(r)) + "," +
                if_measured(o_.solve, r.posv_seconds) + if_measured(!o_.compare.empty(), r.loop_seconds) +
                text(r.checked) + number(r.residual, "%.3g") + "\n");
  }

  void total(const tree::outcome& r) const {
    std::printf("%5s %8lld %7s %7s %8s", "total", static_cast<long long>(r.fronts), "", "", "");
    rest_of_line(r);
  }

 private:
  static double gflops(const tree::outcome& r) { return r.flops == 0 ? 0 : 1e-9 * r.flops / r.potrf_seconds; }

  void rest_of_line(const tree::outcome& r) const {
    std::printf(" %6lld %12s %8.1f", static_cast<long long>(r.parts), milliseconds(r.potrf_seconds).c_str(),
                gflops(r));
    if (o_.solve) std::printf(" %12s", milliseconds(r.posv_seconds).c_str());
    if (!o_.compare.empty())
      std::printf(" %12s %7.1fx", milliseconds(r.loop_seconds).c_str(), r.loop_seconds / r.potrf_seconds);
    std::printf(" %8lld %8s\n", static_cast<long long>(r.checked),
                r.checked == 0 ? "-" : two_digits(r.residual).c_str());
    std::fflush(stdout);
  }

  const options& o_;
  std::unique_ptr<output_file> csv_;
};

void print_tree(const tree::assembly_tree& all) {
  std::printf("%s: %lld fronts in %zu levels, %lld pivots, n up to %d\n", all.name.c_str(),
              static_cast<long long>(all.fronts()), all.levels.size(), static_cast<long long>(all.pivots()),
              all.largest());
}

/// Restricts the tree to what is wanted and says so.
void select(tree::assembly_tree& all, const options& o) {
  int first = 0, last = std::numeric_limits<int>::max();
  if (!o.levels.empty()) parse_levels(o.levels, first, last);
  const int lowest = std::min(all.levels.front().number, all.levels.back().number),
            highest = std::max(all.levels.front().number, all.levels.back().number);
  if (first > highest || (last > highest && !o.levels.empty()) || last < lowest)
    throw std::invalid_argument("--levels " + o.levels + ": the tree has the levels " +
                                std::to_string(lowest) + " to " + std::to_string(highest));
  const std::int64_t left_out = tree::restrict_to(all, first, last, o.n_max);
  if (all.levels.empty())
    throw std::invalid_argument("--max " + std::to_string(o.n_max) + ": no front is that small");
  if (!o.levels.empty()) std::printf("levels %s only\n", o.levels.c_str());
  if (left_out > 0)
    std::printf("left out: %lld fronts of more than %d rows\n", static_cast<long long>(left_out), o.n_max);
  std::printf("level %d comes first, level %d last\n", all.levels.front().number, all.levels.back().number);
}

// ---- the run -------------------------------------------------------------------------------------

template <class T>
int run(const options& o, talus::queue q) {
  tree::assembly_tree all = chosen_tree(o);
  const table lines(o, all.name, q);
  print_tree(all);
  select(all, o);

  tree::job what;
  what.solve = o.solve;
  what.loop = !o.compare.empty();
  what.memory = memory_for<T>(o, all.largest(), q);
  double elements = 0;
  for (const tree::level& l : all.levels)
    for (const tree::front_group& g : l.groups)
      elements += static_cast<double>(g.n) * g.n * static_cast<double>(g.count);
  if (elements < 1e8) what.check_all = all.fronts();  // a second's work
  std::printf("%s precision on %s; the matrices of a call take at most %s\n\n",
              o.precision == "s" ? "single" : "double",
              q.where == talus::backend::host ? "the CPU" : "the GPU", amount(what.memory).c_str());

  lines.head();
  tree::outcome sum;
  for (const tree::level& l : all.levels) {
    const tree::outcome result = tree::factor<T>(l, what, q);
    lines.line(l, result);
    report("level " + std::to_string(l.number), "fronts", result.fronts, result.off);
    sum.add(result);
  }
  lines.total(sum);
  std::puts(legend);
  return verdict(std::to_string(sum.fronts) + " fronts factored" + (o.solve ? " and solved, " : ", ") +
                     std::to_string(sum.checked) + " of them checked",
                 sum.off.count, sum.residual);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  command_line line(
      "Batches of the sizes that the fronts of a sparse factorization have: each level of an assembly tree\n"
      "factored by Talus in one call.",
      "assembly_tree");
  describe(line, o);
  return run_command(line, argc, argv, o,
                     [&](auto zero, talus::queue q) { return run<decltype(zero)>(o, q); });
}
