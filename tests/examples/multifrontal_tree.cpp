// The fronts of examples/multifrontal, and what is planned for them, against elimination unknown by unknown.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "common/backend.hpp"
#include "common/random_numbers.hpp"
#include "examples/sparse_matrices.hpp"
#include "memory.hpp"
#include "multifrontal/kernels.hpp"
#include "multifrontal/plan.hpp"
#include "multifrontal/tree.hpp"
#include "sparse/ordering.hpp"
#include "sparse/problem.hpp"

namespace {

using multifrontal::assembly_tree;
using multifrontal::front;
using multifrontal::front_blocks;
using multifrontal::plan;
using sparse::graph;
using sparse::matrix;
using talus::test::array;
using talus::test::best_ordering;
using talus::test::each_entry;
using talus::test::joined_blocks;
using talus::test::made;
using talus::test::random_definite;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
const multifrontal::amalgamation none{{}}, without_zeros{{{1 << 30, 0.0}}}, everything{{{1 << 30, 1.0}}};

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

matrix without_edges(int n) {
  return made(n, true, [](int i, int j) { return i == j ? 1.0 : 0.0; });
}
matrix path(int n) {
  return made(n, true, [](int i, int j) { return i - j < 2 ? 1.0 : 0.0; });
}
matrix dense(int n) {
  return made(n, true, [](int, int) { return 1.0; });
}

struct named_matrix {
  std::string name;
  matrix A;
};
std::vector<named_matrix> small_matrices() {
  return {{"a grid of 9 x 7", sparse::poisson({9, 7, 1}).A},
          {"a grid of 5 x 4 x 4", sparse::poisson({5, 4, 4}).A},
          {"elasticity", sparse::elasticity({3, 3, 2}).A},
          {"one unknown", without_edges(1)},
          {"no edges", without_edges(6)},
          {"a path", path(40)},
          {"dense", dense(30)},
          {"random", random_definite(120, 4, 1)},
          {"random, in pieces", random_definite(150, 1, 2)},
          {"blocks", joined_blocks(3, 70, 100, true, 9.0)}};
}

/// Natural, a random one, and what libraries find that are built in.
std::vector<std::vector<int>> orders(const graph& g) {
  std::vector<std::vector<int>> all;
  for (std::string method : {"natural", "amd", "metis"}) try {
      all.push_back(sparse::fill_reducing_order(g, method));
    } catch (const example::unavailable&) {
    }
  all.push_back(all[0]);
  example::random_numbers random(3);
  for (std::size_t i = all.back().size(); i > 1; --i)
    std::swap(all.back()[i - 1], all.back()[at(static_cast<int>((random.next() + 1) / 2 * double(i)))]);
  return all;
}

/// Rows of each column of L: what an unknown is joined with when its turn comes, and itself.
std::vector<std::set<int>> columns_of_factor(const graph& g, const std::vector<int>& order) {
  std::vector<int> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[at(order[i])] = static_cast<int>(i);
  std::vector<std::set<int>> columns(order.size());
  for (int u = 0; u < g.n; ++u) {
    std::set<int>& column = columns[at(number[at(u)])];
    column.insert(number[at(u)]);
    for (int e = g.begin[at(u)]; e < g.begin[at(u) + 1]; ++e)
      if (number[at(g.neighbour[at(e)])] > number[at(u)]) column.insert(number[at(g.neighbour[at(e)])]);
  }
  for (const std::set<int>& column : columns)
    for (auto a = std::next(column.begin()); a != column.end(); ++a) columns[at(*a)].insert(a, column.end());
  return columns;
}

std::size_t entries(const std::vector<std::set<int>>& columns) {
  std::size_t sum = 0;
  for (const std::set<int>& column : columns) sum += column.size();
  return sum;
}

std::size_t entries(const assembly_tree& tree) {
  std::size_t sum = 0;
  for (const front& f : tree.fronts)
    for (int j = 0; j < f.k; ++j) sum += at(f.n - j);
  return sum;
}

int level_of(const assembly_tree& tree, int f) {
  return static_cast<int>(std::upper_bound(tree.level_begin.begin(), tree.level_begin.end(), f) -
                          tree.level_begin.begin()) -
         1;
}

/// Levels, parents and pivots are in order; and rows are those of L's columns.
void check_tree(const assembly_tree& tree, const graph& g) {
  REQUIRE(tree.unknowns == g.n);
  std::vector<int> sorted = tree.order, all(at(g.n));
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  REQUIRE(sorted == all);

  const auto fronts = static_cast<int>(tree.fronts.size());
  REQUIRE((tree.level_begin.front() == 0 && tree.level_begin.back() == fronts));
  CHECK(std::adjacent_find(tree.level_begin.begin(), tree.level_begin.end(), std::greater_equal<>()) ==
        tree.level_begin.end());
  const std::vector<std::set<int>> columns = columns_of_factor(g, tree.order);
  std::vector<std::vector<int>> children(at(fronts));
  int pivots = 0;
  std::int64_t rows = 0;
  bool right = true;
  for (int f = 0; f < fronts; ++f) {
    const front& here = tree[f];
    right &= here.first == pivots && here.k > 0 && here.rows == rows;
    pivots += here.k, rows += here.n;
    right &= (here.parent == -1) == (here.n2() == 0);
    if (here.parent != -1) children[at(here.parent)].push_back(f);
    if (here.parent != -1) right &= level_of(tree, here.parent) == level_of(tree, f) + 1;
    std::set<int> expected;
    for (int j = here.first; j < pivots; ++j) expected.insert(columns[at(j)].begin(), columns[at(j)].end());
    REQUIRE(here.n == static_cast<int>(expected.size()));
    right &= std::equal(expected.begin(), expected.end(), tree.rows(f));
    for (int i = 0; i < here.n; ++i) {
      const int in_parent = tree.rows_in_parent(f)[i];
      if (i < here.k) {
        right &= tree.rows(f)[i] == here.first + i && in_parent == -1;
        continue;
      }
      REQUIRE((in_parent >= 0 && in_parent < tree[here.parent].n));
      right &= tree.rows(here.parent)[in_parent] == tree.rows(f)[i];
    }
  }
  CHECK(right);
  CHECK(pivots == g.n);
  CHECK(tree.children == children);
  CHECK(tree.row.size() == at(rows));
  CHECK(tree.in_parent.size() == at(rows));
}

/// No front stores more zeros as if they were entries than its number of pivots allows.
void check_zeros(const assembly_tree& tree, const graph& g, const multifrontal::amalgamation& how) {
  const std::vector<std::set<int>> columns = columns_of_factor(g, tree.order);
  bool right = true;
  for (const front& f : tree.fronts) {
    std::size_t stored = 0, zeros = 0;
    for (int j = 0; j < f.k; ++j) {
      stored += at(f.n - j);
      zeros += at(f.n - j) - columns[at(f.first + j)].size();
    }
    const auto limit =
        std::find_if(how.limits.begin(), how.limits.end(), [&](const auto& l) { return f.k <= l.pivots; });
    right &= static_cast<double>(zeros) <= limit->zeros * static_cast<double>(stored);
  }
  CHECK(right);
}

// ---- plans ---------------------------------------------------------------------------------------

/// Where element (i, j) of a front is: in the factors, or with i, j >= k in the level's Schur complements.
std::int64_t place(const front& f, const front_blocks& b, bool symmetric, int i, int j) {
  const auto in = [](const multifrontal::block& x, int row, int column) {
    return x.offset + row + static_cast<std::int64_t>(column) * x.ld;
  };
  if (i >= f.k && j >= f.k) return in(b.A22, i - f.k, j - f.k);
  if (symmetric || i < f.k) return in(b.A11, i, j);
  return in(b.A21, i - f.k, j);
}

/// What an elimination fills of a front: of a symmetric one the lower triangle.
template <class Visit>
void each_element(const front& f, bool symmetric, Visit visit) {
  for (int j = 0; j < f.n; ++j)
    for (int i = symmetric ? j : 0; i < f.n; ++i) visit(i, j);
}

assembly_tree tree_of(const matrix& A, std::string ordering, const multifrontal::amalgamation& how = {}) {
  const graph g = sparse::graph_of(A, {});
  return multifrontal::build_tree(g, sparse::fill_reducing_order(g, ordering), how);
}

/// Whole numbers: their sums are exact.
double small_number(example::random_numbers& random) { return std::floor(1000 * random.next()); }

/// Extend-add of all levels on the backend under test, each with random Schur complements below it, against
/// loops over the elements of the children. What must not be read is NaN.
void check_extend_add(const assembly_tree& tree, bool symmetric) {
  const plan where = multifrontal::make_plan(tree, symmetric);
  const array<multifrontal::tile> tiles(where.tiles);
  const array<multifrontal::contribution> contributions(where.contributions);
  const array<int> in_parent(tree.in_parent);
  constexpr int systems = 2;
  example::random_numbers random(1);
  for (std::size_t l = 0; l < where.levels.size(); ++l) {
    const multifrontal::level_plan& level = where.levels[l];
    const std::int64_t below = l > 0 ? where.levels[l - 1].schur_elements : 0;
    std::vector<double> schur(systems * at(below), not_a_number),
        factors(systems * at(where.factor_elements)), sums(systems * at(level.schur_elements), not_a_number);
    for (double& value : factors) value = small_number(random);
    std::vector<double> expected = factors, expected_sums = sums;
    for (int s = 0; s < systems; ++s)
      for (int f = level.first_front; f < level.first_front + level.fronts; ++f) {
        const front_blocks& b = where.blocks[at(f)];
        const auto element = [&](int i, int j) -> double& {
          const bool in_schur = i >= tree[f].k && j >= tree[f].k;
          const std::int64_t stride = in_schur ? level.schur_elements : where.factor_elements;
          return (in_schur ? expected_sums : expected)[at(s * stride + place(tree[f], b, symmetric, i, j))];
        };
        each_element(tree[f], symmetric, [&](int i, int j) {
          if (i >= tree[f].k && j >= tree[f].k) element(i, j) = 0;
        });
        for (const int child : tree.children[at(f)]) {
          const front& c = tree[child];
          each_element(c, symmetric, [&](int i, int j) {
            if (i < c.k || j < c.k) return;
            double& given = schur[at(s * below + place(c, where.blocks[at(child)], symmetric, i, j))];
            given = small_number(random);
            element(tree.rows_in_parent(child)[i], tree.rows_in_parent(child)[j]) += given;
          });
        }
      }
    const array<double> children(schur), to_factors(factors), to_schur(sums);
    multifrontal::run(
        multifrontal::extend_add{symmetric, systems, level.tiles, tiles.data() + level.first_tile,
                                 contributions.data(), in_parent.data(), children.data(), to_factors.data(),
                                 to_schur.data(), below, where.factor_elements, level.schur_elements},
        talus::test::test_queue());
    talus::test::finish();
    const std::vector<double> found = to_schur.download();
    bool right = to_factors.download() == expected;
    // Above the diagonal of a Schur complement there may be anything.
    for (std::size_t e = 0; e < found.size(); ++e)
      right &= std::isnan(expected_sums[e]) || found[e] == expected_sums[e];
    CHECK(right);
  }
}

}  // namespace

TEST_CASE("a tree of fronts, by hand", "[multifrontal]") {
  // 0 and 1 are joined with 2, which is joined with 4, as is 3. Columns 3 and 4 have the same rows.
  const matrix A = made(
      5, true, [](int i, int j) { return i == j || (i == 2 && j < 2) || (i == 4 && j >= 2) ? 1.0 : 0.0; });
  const assembly_tree tree = tree_of(A, "natural", none);
  CHECK(tree.order == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(tree.level_begin == std::vector<int>{0, 2, 3, 4});
  CHECK(tree.row == std::vector<int>{0, 2, 1, 2, 2, 4, 3, 4});
  CHECK(tree.in_parent == std::vector<int>{-1, 0, -1, 0, -1, 1, -1, -1});
  CHECK(tree.children == std::vector<std::vector<int>>{{}, {}, {0, 1}, {2}});

  const plan where = multifrontal::make_plan(tree, true);
  CHECK(where.factor_nonzeros == 9);
  CHECK(where.flops ==
        3 * 3 + 3);  // a division, a product and a subtraction for each entry beside a diagonal
  CHECK(tree_of(A, "natural", everything).fronts.size() == 1);
}

TEST_CASE("fronts have the rows that elimination finds", "[multifrontal]") {
  for (const named_matrix& given : small_matrices()) {
    const graph g = sparse::graph_of(given.A, {});
    for (const std::vector<int>& order : orders(g)) {
      INFO(given.name << ", first " << order[0]);
      const std::size_t exact = entries(columns_of_factor(g, order));
      for (const auto* how : {&none, &without_zeros}) {
        const assembly_tree tree = multifrontal::build_tree(g, order, *how);
        check_tree(tree, g);
        CHECK(entries(tree) == exact);
      }
      const assembly_tree merged = multifrontal::build_tree(g, order);
      check_tree(merged, g);
      check_zeros(merged, g, {});
      CHECK(entries(merged) >= exact);
      CHECK(merged.fronts.size() <= multifrontal::build_tree(g, order, none).fronts.size());
      check_tree(multifrontal::build_tree(g, order, everything), g);
    }
  }
}

TEST_CASE("fronts are merged as far as they may", "[multifrontal]") {
  CHECK(tree_of(path(40), "natural", none).fronts.size() == 39);
  CHECK(tree_of(path(40), "natural", everything).fronts.size() == 1);
  // Up to 4 pivots may be merged, whatever that costs, and more where no zeros are added.
  const multifrontal::amalgamation four{{{4, 1.0}, {1 << 30, 0.0}}};
  for (const front& f : tree_of(path(40), "natural", four).fronts) CHECK(f.k <= 4);
  CHECK(tree_of(dense(30), "natural", four).fronts.size() == 1);
}

TEST_CASE("operations are counted as elimination makes them", "[multifrontal]") {
  for (const int n : {1, 2, 7, 60})
    for (const int k : {1, n / 2, n}) {
      double symmetric = 0, lu = 0;
      for (int j = 0; j < k; ++j) {
        const double below = n - j - 1;
        symmetric += below + below * (below + 1);
        lu += below + 2 * below * below;
      }
      CHECK(std::abs(multifrontal::partial_flops(n, k, true) - symmetric) <= 1e-12 * symmetric);
      CHECK(std::abs(multifrontal::partial_flops(n, k, false) - lu) <= 1e-12 * lu);
    }
}

TEST_CASE("no two elements of fronts have one place", "[multifrontal]") {
  for (const named_matrix& given : small_matrices())
    for (const bool symmetric : {true, false}) {
      INFO(given.name << (symmetric ? ", Cholesky" : ", LU"));
      const assembly_tree tree = tree_of(given.A, best_ordering());
      const plan where = multifrontal::make_plan(tree, symmetric);
      std::vector<bool> taken(at(where.factor_elements), false);
      bool right = true;
      const auto take = [&right](std::vector<bool>& of, std::int64_t i) {
        REQUIRE((i >= 0 && i < static_cast<std::int64_t>(of.size())));
        right &= !of[at(i)];
        of[at(i)] = true;
      };
      std::int64_t nonzeros = 0;
      double flops = 0;
      for (std::size_t l = 0; l < where.levels.size(); ++l) {
        const multifrontal::level_plan& level = where.levels[l];
        CHECK(level.first_front == tree.level_begin[l]);
        CHECK(level.schur_elements <= where.schur_elements[l % 2]);
        std::vector<bool> taken_of_level(at(level.schur_elements), false);
        for (int f = level.first_front; f < level.first_front + level.fronts; ++f) {
          const front& here = tree[f];
          right &= here.n <= level.n_max && here.k <= level.k_max && here.n2() <= level.n2_max;
          flops += multifrontal::partial_flops(here.n, here.k, symmetric);
          each_element(here, symmetric, [&](int i, int j) {
            const bool in_schur = i >= here.k && j >= here.k;
            take(in_schur ? taken_of_level : taken, place(here, where.blocks[at(f)], symmetric, i, j));
            if (!in_schur) ++nonzeros;
          });
        }
      }
      CHECK(right);
      CHECK(where.factor_nonzeros == nonzeros);
      CHECK(std::abs(where.flops - flops) <= 1e-12 * flops);
    }
}

TEST_CASE("children are added to their parents, each element once", "[multifrontal]") {
  std::vector<named_matrix> given = small_matrices();
  given.push_back({"a grid with fronts of several tiles", sparse::poisson({12, 12, 12}).A});
  given.push_back({"blocks with fronts of several tiles", joined_blocks(3, 70, 200, true, 9.0)});
  for (const named_matrix& each : given)
    for (const bool symmetric : {true, false}) {
      INFO(each.name << (symmetric ? ", Cholesky" : ", LU"));
      check_extend_add(tree_of(each.A, best_ordering()), symmetric);
      if (each.A.n < 500) check_extend_add(tree_of(each.A, "natural", none), symmetric);
    }
}

TEST_CASE("each entry of a matrix goes to its place in its front", "[multifrontal]") {
  const auto check = [](const matrix& A, const std::vector<int>& new_row) {
    const graph g = sparse::graph_of(A, new_row);
    for (const std::vector<int>& order : orders(g)) {
      const assembly_tree tree = multifrontal::build_tree(g, order);
      const plan where = multifrontal::make_plan(tree, A.symmetric);
      const std::vector<std::int64_t> found = multifrontal::destinations(A, new_row, tree, where);
      REQUIRE(found.size() == A.value.size());
      std::vector<int> number(at(A.n));
      for (int i = 0; i < A.n; ++i) number[at(tree.order[at(i)])] = i;
      bool right = true;
      each_entry(A, [&](int stored, int column, std::size_t e) {
        int i = number[at(new_row.empty() ? stored : new_row[at(stored)])], j = number[at(column)];
        if (A.symmetric && i < j) std::swap(i, j);
        int f = 0;
        while (std::min(i, j) >= tree[f].first + tree[f].k) ++f;
        const auto row = [&](int of) {
          return static_cast<int>(std::find(tree.rows(f), tree.rows(f) + tree[f].n, of) - tree.rows(f));
        };
        right &= row(i) < tree[f].n && row(j) < tree[f].n;
        right &= found[e] == place(tree[f], where.blocks[at(f)], A.symmetric, row(i), row(j));
      });
      CHECK(right);
    }
  };
  for (const named_matrix& given : small_matrices()) {
    INFO(given.name);
    check(given.A, {});
  }
  const matrix A = talus::test::random_unsymmetric(120, 4, 1.0, 6);
  std::vector<int> turned(120);
  for (int i = 0; i < 120; ++i) turned[at(i)] = (7 * i + 11) % 120;
  check(A, {});
  check(A, turned);
}
