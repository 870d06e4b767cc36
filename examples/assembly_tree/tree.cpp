#include "tree.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "common/text_reader.hpp"

namespace tree {
namespace {

bool is_root(const level& l) { return l.fronts() == 1 && l.groups.front().n == l.groups.front().k; }

int read_int(example::text_reader& in, const char* what, int least) {
  constexpr int largest = std::numeric_limits<int>::max();
  const auto value = in.number<std::int64_t>(what);
  if (value < least || value > largest)
    in.fail(std::string(what) + " " + std::to_string(value) + " is not between " + std::to_string(least) +
            " and " + std::to_string(largest));
  return static_cast<int>(value);
}

void expect_heading(example::text_reader& in) {
  if (!in.next_line_with_data()) in.fail("the file is empty");
  for (const char* column : {"level", "n", "k", "count"})
    if (in.word() != column)
      in.fail("a file of fronts starts with 'level,n,k,count', this one with " +
              example::quoted(in.whole_line()));
  in.expect_end_of_line();
}

}  // namespace

std::int64_t level::fronts() const {
  std::int64_t sum = 0;
  for (const front_group& g : groups) sum += g.count;
  return sum;
}

int level::median() const {
  std::int64_t left = (fronts() - 1) / 2;
  auto g = groups.begin();
  for (; left >= g->count; ++g) left -= g->count;
  return g->n;
}

std::int64_t assembly_tree::fronts() const {
  std::int64_t sum = 0;
  for (const level& l : levels) sum += l.fronts();
  return sum;
}

std::int64_t assembly_tree::pivots() const {
  std::int64_t sum = 0;
  for (const level& l : levels)
    for (const front_group& g : l.groups) sum += g.k * g.count;
  return sum;
}

int assembly_tree::largest() const {
  int n = 0;
  for (const level& l : levels) n = std::max(n, l.largest());
  return n;
}

assembly_tree make_tree(std::string name, std::vector<numbered_group> groups) {
  std::sort(groups.begin(), groups.end(), [](const numbered_group& a, const numbered_group& b) {
    return std::tie(a.level, a.group.n, a.group.k) < std::tie(b.level, b.group.n, b.group.k);
  });
  assembly_tree all{std::move(name), false, {}};
  for (const numbered_group& g : groups) {
    if (all.levels.empty() || all.levels.back().number != g.level) all.levels.push_back({g.level, {}});
    all.levels.back().groups.push_back(g.group);
  }
  if (!all.levels.empty() && is_root(all.levels.front()) && !is_root(all.levels.back())) {
    all.root_first = true;
    std::reverse(all.levels.begin(), all.levels.end());
  }
  return all;
}

assembly_tree read_tree(const std::string& file) {
  example::text_reader in(file, '#', ',');
  expect_heading(in);
  std::vector<numbered_group> groups;
  while (in.next_line_with_data()) {
    numbered_group g{};
    g.level = read_int(in, "level", 0);
    g.group.n = read_int(in, "n", 0);
    g.group.k = read_int(in, "k", 0);
    if (g.group.k > g.group.n)
      in.fail("k " + std::to_string(g.group.k) + " is more than n " + std::to_string(g.group.n) +
              ": pivots are rows of their front");
    g.group.count = read_int(in, "count", 1);
    in.expect_end_of_line();
    groups.push_back(g);
  }
  if (groups.empty()) in.fail("the file holds no fronts");
  return make_tree(file.substr(file.find_last_of('/') + 1), std::move(groups));
}

std::int64_t restrict_to(assembly_tree& all, int first, int last, int n_max) {
  const auto outside = [&](const level& l) { return l.number < first || l.number > last; };
  auto& levels = all.levels;
  levels.erase(std::remove_if(levels.begin(), levels.end(), outside), levels.end());
  const std::int64_t before = all.fronts();
  for (level& l : levels)
    while (!l.groups.empty() && l.largest() > n_max) l.groups.pop_back();
  const auto empty = [](const level& l) { return l.groups.empty(); };
  levels.erase(std::remove_if(levels.begin(), levels.end(), empty), levels.end());
  return before - all.fronts();
}

}  // namespace tree
