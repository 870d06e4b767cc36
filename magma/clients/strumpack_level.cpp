// magma_strumpack_level: a level of a multifrontal factorization by the calls that STRUMPACK makes of MAGMA.
// strumpack_level.hpp has the calls; here they are checked. strumpack_by_sizes.cpp times them.
#include "strumpack_level.hpp"

#include <filesystem>

#include "measure/plan.hpp"
#include "strumpack_by_sizes.hpp"

namespace client {
namespace {

constexpr std::uint64_t seed = 1;

struct level_options : options {
  std::string tree, level, peers;
  int max = 0;
};

// ---- which levels -----------------------------------------------------------------------------------------

/// About 200 fronts up to 90 + 120, some of which lack blocks.
named_level generated_level() {
  random_numbers numbers(seed);
  named_level level = {"generated", "0", {{0, 40}, {30, 0}, {1, 17}, {0, 0}, {90, 120}, {90, 1}}, 0};
  for (int b = 0; b < 190; ++b) level.fronts.push_back({numbers.from(0, 88), numbers.from(0, 118)});
  level.fronts.insert(level.fronts.end(), {{1, 0}, {0, 120}, {1, 1}, {0, 1}});
  return level;
}

talus::measure::tree read_tree(const level_options& o) {
  try {
    return talus::measure::read_tree(o.tree, o.max > 0 ? o.max : talus::measure::largest_size);
  } catch (const std::invalid_argument& e) {
    throw usage_error("--tree: " + std::string(e.what()));
  }
}

std::vector<named_level> levels_of(const level_options& o) {
  if (o.tree.empty()) return {generated_level()};
  const std::string tree = std::filesystem::path(o.tree).stem().string();
  std::vector<named_level> levels;
  for (const auto& one : read_tree(o).levels) {
    if (!o.level.empty() && one.name != o.level) continue;
    levels.push_back({tree, one.name, {}, one.left_out});
    for (const auto& f : one.fronts) levels.back().fronts.push_back({f.k, f.n - f.k});
  }
  if (levels.empty())
    throw usage_error("--tree: '" + o.tree + "' has no front" +
                      (o.max > 0 ? " of at most " + std::to_string(o.max) + " rows" : "") +
                      (o.level.empty() ? "" : " in level " + o.level));
  return levels;
}

// ---- the test ---------------------------------------------------------------------------------------------

/// Solves with the factors, for right-hand sides and for what the parents found of x2.
template <class T>
void check_solve(results& all, level<T>& l, const std::vector<int>& which, level_solver<T>& solver) {
  using shape = typename blocks<T>::shape;
  const auto of_d1 = l.shapes([](front f) { return shape{f.d1, 1}; });
  const auto of_d2 = l.shapes([](front f) { return shape{f.d2, 1}; });
  blocks<T> x1(of_d1, 1, seed + 10), x2(of_d2, 1, seed + 11), of_parents(of_d2, 1, seed + 12);

  solver.solve_forward(x1, x2);
  const auto b1 = x1.at_first(which), b2 = x2.at_first(which), y1 = x1.now(which), y2 = x2.now(which);
  solver.solve_backward(x1, of_parents);
  const auto z1 = x1.now(which), z2 = of_parents.now(which);

  const auto A11 = l.F11.at_first(which), A21 = l.F21.at_first(which), X = l.F12.now(which);
  const auto at = [](const auto& array, int i) -> const auto& { return array[static_cast<std::size_t>(i)]; };
  const int count = l.count();
  all.below("forward, x1 = F11^-1 b1", count,
            [&](int i) { return solve_ratio<T>(at(A11, i), at(y1, i), at(b1, i)); });
  all.below("forward, x2 = b2 - F21 x1", count,
            [&](int i) { return product_ratio<T>(at(b2, i), at(A21, i), at(y1, i), at(y2, i)); });
  all.below("backward, x1 = x1 - F12 x2", count,
            [&](int i) { return product_ratio<T>(at(y1, i), at(X, i), at(z2, i), at(z1, i)); });
  all.equal("between vectors nothing is written", x1.gaps_are_untouched() && x2.gaps_are_untouched(), true);
}

template <class T>
void test_level(results& all, const named_level& named) {
  level<T> l(named.fronts, 1, seed);
  const own_queue q;
  level_solver<T> solver(l, q);
  solver.factor();
  magma_queue_sync(q);

  std::vector<int> which(l.fronts.size());
  for (std::size_t i = 0; i < which.size(); ++i) which[i] = static_cast<int>(i);
  check_blocks(all, l, which);
  all.equal("F21 is untouched", l.F21.are_untouched(), true);
  all.equal("between blocks nothing is written",
            l.F11.gaps_are_untouched() && l.F12.gaps_are_untouched() && l.F22.gaps_are_untouched(), true);
  all.equal("behind the scratch nothing is written", solver.scratch_is_kept_to(), true);
  check_solve(all, l, which, solver);
  magma_queue_sync(q);
  const size_array* const sizes[] = {&l.d1, &l.d2, &l.ld1, &l.ld2, &l.one};
  const char* const names[] = {"d1", "d2", "ld1", "ld2", "ones"};
  all.name_by([&](int i) { return std::string("the array of ") + names[i]; });
  all.equal(
      "the last element of the sizes is untouched", 5, [&](int i) { return sizes[i]->last(); },
      [](int) { return size_array::untouched; });
}

/// A level without fronts, and one whose fronts have nothing to eliminate.
template <class T>
void test_empty_levels(results& all) {
  for (const std::vector<front>& fronts : {std::vector<front>(), std::vector<front>(3, {0, 5})}) {
    level<T> l(fronts, 1, seed);
    const own_queue q;
    level_solver<T>(l, q).factor();
    magma_queue_sync(q);
    all.equal("of " + std::to_string(fronts.size()) + " fronts without pivots F22 is untouched",
              l.F22.are_untouched(), true);
  }
}

template <class T>
int test(const level_options& o, const std::vector<named_level>& levels) {
  results all("strumpack_level " + o.precision);
  for (const named_level& one : levels) {
    std::printf("%s, level %s: %zu fronts%s\n", one.tree.c_str(), one.name.c_str(), one.fronts.size(),
                one.left_out > 0 ? (", " + std::to_string(one.left_out) + " left out").c_str() : "");
    test_level<T>(all, one);
  }
  if (o.tree.empty()) test_empty_levels<T>(all);
  return all.verdict();
}

}  // namespace
}  // namespace client

int main(int argc, char** argv) {
  using namespace client;
  level_options o;
  command_line line(
      "Factors a level of fronts of mixed sizes, F11 = P L U, F12 := F11^-1 F12, F22 := F22 - F21 F12, and "
      "solves with\nthe factors, by the calls that STRUMPACK makes of MAGMA, and checks every block on the "
      "host.",
      "magma_strumpack_level");
  const option bench = declare(
      line, o, "Time levels of more than 8 fronts, beside one size after the other and one call for all",
      "  magma_strumpack_level --precision z\n"
      "      a level of 200 fronts up to 90 + 120, checked\n"
      "  magma_strumpack_level --tree fronts.csv --level 3 --max 300\n"
      "      the fronts of a real tree\n"
      "  magma_strumpack_level --bench --tree fronts.csv --peers peers-h200-trees.csv\n"
      "      all levels of a tree, beside what is known of MAGMA\n");
  const option tree =
      line.add("--tree", o.tree,
               "Levels of an assembly tree: columns level,n,k,count, fronts of n rows, k of them pivots")
          .shown_as("FILE");
  line.add("--max", o.max, "Leave out fronts of more rows; with --tree")
      .within(1, talus::measure::largest_size)
      .shown_as("N")
      .needs(tree);
  line.add("--level", o.level, "This level alone; with --tree").shown_as("L").needs(tree);
  line.add("--peers", o.peers,
           "MAGMA's times of partial Cholesky, to stand beside ours, as talus-bench takes; with --bench")
      .shown_as("FILE")
      .needs(bench);
  return run_program(line, argc, argv, [&] {
    const std::vector<named_level> levels = levels_of(o);
    const report_options report = {o.precision, o.peers};
    check_report(report);
    return with_precision(o.precision, [&](auto zero) {
      using T = decltype(zero);
      require_device();
      const session magma;
      return o.bench ? bench_levels<T>(levels, report) : test<T>(o, levels);
    });
  });
}
