// The assembly trees of examples/assembly_tree: where they come from, and the batches made of them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "common/text_reader.hpp"
#include "grid.hpp"
#include "level.hpp"
#include "memory.hpp"
#include "temporary_file.hpp"
#include "tree.hpp"

namespace {

using talus::test::temporary_file;

const std::string heading = "level,n,k,count\n";

tree::assembly_tree read(const std::string& text) { return tree::read_tree(temporary_file(text).path()); }

/// The message without the file's name: "LINE: what is wrong".
std::string complaint(const std::string& text) {
  const temporary_file file(text);
  try {
    tree::read_tree(file.path());
  } catch (const example::file_error& error) {
    return std::string(error.what()).substr(file.path().size() + 1);
  }
  return "no complaint";
}

/// How many fronts there are of each level, n, k.
using shapes = std::map<std::tuple<int, int, int>, std::int64_t>;

shapes shapes_of(const tree::assembly_tree& all) {
  shapes found;
  for (const tree::level& l : all.levels)
    for (const tree::front_group& g : l.groups) found[{l.number, g.n, g.k}] += g.count;
  return found;
}

/// The same by elimination, unknown by unknown, in the order of the dissection: what an unknown is joined
/// with when its turn comes are the rows of its column, and a front has the rows of its pivots' columns.
shapes shapes_by_elimination(const tree::grid& size) {
  struct piece {
    std::vector<int> pivots;
    int level;
  };
  std::vector<piece> pieces;
  const auto index = [&](int x, int y, int z) { return x + size[0] * (y + size[1] * z); };
  const auto visit = [&](const tree::box& pivots, const tree::box&, int level) {
    pieces.push_back({{}, level});
    for (int z = pivots.begin[2]; z < pivots.end[2]; ++z)
      for (int y = pivots.begin[1]; y < pivots.end[1]; ++y)
        for (int x = pivots.begin[0]; x < pivots.end[0]; ++x) pieces.back().pivots.push_back(index(x, y, z));
  };
  tree::dissect({{0, 0, 0}, size}, visit);

  std::vector<std::set<int>> joined(static_cast<std::size_t>(size[0] * size[1] * size[2]));
  const auto join = [&](int a, int b) {
    joined[static_cast<std::size_t>(a)].insert(b);
    joined[static_cast<std::size_t>(b)].insert(a);
  };
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) {
        if (x > 0) join(index(x, y, z), index(x - 1, y, z));
        if (y > 0) join(index(x, y, z), index(x, y - 1, z));
        if (z > 0) join(index(x, y, z), index(x, y, z - 1));
      }

  shapes found;
  for (const piece& front : pieces) {
    std::set<int> rows(front.pivots.begin(), front.pivots.end());
    for (const int p : front.pivots) {
      const std::set<int> column = joined[static_cast<std::size_t>(p)];
      rows.insert(column.begin(), column.end());
      for (const int i : column) {
        joined[static_cast<std::size_t>(i)].erase(p);
        for (const int j : column)
          if (i < j) join(i, j);
      }
    }
    ++found[{front.level, static_cast<int>(rows.size()), static_cast<int>(front.pivots.size())}];
  }
  return found;
}

}  // namespace

TEST_CASE("the fronts of a dissected grid are those that elimination finds", "[tree]") {
  const std::vector<tree::grid> grids = {{5, 5, 5},  {7, 7, 1}, {6, 4, 3}, {3, 8, 5},
                                         {13, 2, 1}, {1, 1, 1}, {1, 1, 9}, {2, 2, 2}};
  for (const tree::grid& size : grids) {
    INFO(size[0] << " x " << size[1] << " x " << size[2]);
    const tree::assembly_tree all = tree::nested_dissection(size);
    CHECK(all.pivots() == static_cast<std::int64_t>(size[0]) * size[1] * size[2]);
    CHECK(shapes_of(all) == shapes_by_elimination(size));
    CHECK_FALSE(all.root_first);
    const tree::level& root = all.levels.back();
    CHECK((root.fronts() == 1 && root.groups[0].n == root.groups[0].k));
  }
}

TEST_CASE("a dissected grid, by hand", "[tree]") {
  // 5 x 5: a line of 5 in the middle; 2 x 5 left and right of it, each cut by a line of 2, which leaves 2
  // x 2.
  const shapes by_hand = {{{0, 8, 4}, 4}, {{1, 7, 2}, 2}, {{2, 5, 5}, 1}};
  CHECK(shapes_of(tree::nested_dissection({5, 5, 1})) == by_hand);
}

TEST_CASE("a grid is read as it stands", "[tree]") {
  tree::grid size{};
  CHECK((tree::parse_grid("64x48", size) && size == tree::grid{64, 48, 1}));
  CHECK((tree::parse_grid("2x3x1024", size) && size == tree::grid{2, 3, 1024}));
  for (const char* bad : {"", "5", "5x", "5x5x", "0x5", "5x-1", "5x5x1025", "5x5x5x5", "5x5 ", "axb"}) {
    INFO(bad);
    CHECK_FALSE(tree::parse_grid(bad, size));
  }
}

TEST_CASE("a file of fronts is read as it stands", "[tree]") {
  SECTION("levels from the leaves on, groups in any order, comments, blanks, CRLF") {
    const tree::assembly_tree all =
        read("# sizes\r\n" + heading + "0,9,2,3\r\n\r\n 0 , 4,1,\t2\n# more\n1,0,0,1\n2,5,5,1");
    REQUIRE(all.levels.size() == 3);
    CHECK_FALSE(all.root_first);
    CHECK(all.fronts() == 7);
    CHECK(all.pivots() == 13);
    CHECK(all.largest() == 9);
    const tree::level& leaves = all.levels[0];
    CHECK((leaves.number == 0 && leaves.fronts() == 5));
    CHECK((leaves.smallest() == 4 && leaves.median() == 9 && leaves.largest() == 9));
    CHECK((leaves.groups[0].k == 1 && leaves.groups[0].count == 2));
  }
  SECTION("levels from the root on are turned round") {
    const tree::assembly_tree all = read(heading + "0,5,5,1\n1,7,3,2\n2,4,0,2\n2,4,4,1\n");
    CHECK(all.root_first);
    CHECK((all.levels.front().number == 2 && all.levels.back().number == 0));
  }
  SECTION("a part of it") {
    tree::assembly_tree all = read(heading + "0,4,1,2\n0,9,2,3\n1,8,1,4\n2,5,5,1\n");
    CHECK(tree::restrict_to(all, 0, 1, 8) == 3);
    REQUIRE(all.levels.size() == 2);
    CHECK(all.fronts() == 6);
    CHECK(tree::restrict_to(all, 0, 5, 7) == 4);
    CHECK(all.levels.size() == 1);
  }
}

TEST_CASE("a bad file of fronts is refused with its line, the reason and the value", "[tree]") {
  struct bad_file {
    std::string text, message;
  };
  const std::vector<bad_file> files = {
      {"", "0: the file is empty"},
      {"0,5,1,1\n", "1: a file of fronts starts with 'level,n,k,count', this one with '0,5,1,1'"},
      {"level,n,k,count,m\n", "1: unexpected 'm' at the end of"},
      {heading, "1: the file holds no fronts"},
      {heading + "0,5,1\n", "2: count is missing in '0,5,1'"},
      {heading + "0,,1,1\n", "2: n is missing in '0,,1,1'"},
      {heading + "\n0,5,1,1,7\n", "3: unexpected '7' at the end of '0,5,1,1,7'"},
      {heading + "-1,5,1,1\n", "2: level -1 is not between 0 and 2147483647"},
      {heading + "0,5,1,1\n0,x,1,1\n", "3: n 'x' is not an integer"},
      {heading + "0,5.5,1,1\n", "2: n '5.5' is not an integer"},
      {heading + "0,3000000000,1,1\n", "2: n 3000000000 is not between 0 and 2147483647"},
      {heading + "0,5,99999999999999999999,1\n", "2: k '99999999999999999999' is out of range"},
      {heading + "0,5,6,1\n", "2: k 6 is more than n 5"},
      {heading + "0,5,1,0\n", "2: count 0 is not between 1 and 2147483647"},
  };
  for (const bad_file& file : files) {
    INFO(file.text);
    const std::string found = complaint(file.text);
    INFO("says \"" << found << "\" instead of \"" << file.message << "\"");
    CHECK(found.compare(0, file.message.size(), file.message) == 0);
  }
  CHECK_THROWS_AS(tree::read_tree("no such file.csv"), example::file_error);
}

TEST_CASE("the matrices are symmetric, each one's own, and the same every time", "[tree]") {
  constexpr int n = 37;
  const auto written = [&](std::uint64_t seed) {
    std::vector<double> A(n * n);
    tree::front<double>(n, seed).write(A.data());
    return A;
  };
  const std::vector<double> A = written(1);
  bool symmetric = true;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i) symmetric = symmetric && A[i + j * n] == A[j + i * n];
  CHECK(symmetric);
  CHECK(A == written(1));
  CHECK(A != written(2));
}

#if defined(TALUS_HAVE_D) || defined(TALUS_HAVE_S)  // the examples' precisions

#ifdef TALUS_HAVE_D
using real = double;
#else
using real = float;
#endif

TEST_CASE("residuals see an error and a NaN", "[tree]") {
  constexpr int n = 20;
  const tree::front<real> A(n, 3);
  std::vector<real> L(n * n);
  A.write(L.data());
  int info = -1;
  REQUIRE(talus::potrf_strided_batched(talus::uplo::lower, n, L.data(), n, n * n, &info, 1,
                                       talus::queue::host()) == 0);
  REQUIRE(info == 0);
  CHECK(tree::factor_residual(A, L.data(), 5) < 30);
  L[7 + 3 * n] += 1e7f * std::numeric_limits<real>::epsilon();
  CHECK(tree::factor_residual(A, L.data(), 5) > 30);
  L[7 + 3 * n] = std::numeric_limits<real>::quiet_NaN();
  tree::outcome all;
  all.add_residual(tree::factor_residual(A, L.data(), 5));
  all.add_residual(0.5);  // does not hide the NaN
  CHECK(std::isnan(all.residual));
}

TEST_CASE("every level of a small tree is factored and solved, in one part or in many", "[tree]") {
  const talus::queue q =
      talus::test::backend_under_test() == talus::backend::cuda ? talus::queue::cuda() : talus::queue::host();
  const tree::assembly_tree all =
      read(heading + "0,0,0,2\n0,1,1,3\n0,5,2,40\n0,33,8,7\n1,70,20,3\n2,70,70,1\n");
  for (const double memory : {1e9, 7.5e3 * sizeof(real)}) {
    tree::job what;
    what.solve = what.loop = true;
    what.memory = memory;
    what.check_all = all.fronts();
    tree::outcome sum;
    for (const tree::level& l : all.levels) sum.add(tree::factor<real>(l, what, q));
    CHECK(sum.fronts == 56);
    CHECK(sum.checked == 56);
    CHECK(sum.off.count == 0);
    CHECK((sum.residual > 0 && sum.residual < 30));
    CHECK((sum.potrf_seconds > 0 && sum.posv_seconds > 0 && sum.loop_seconds > 0));
    if (memory == 1e9)
      CHECK(sum.parts == 3);
    else
      CHECK(sum.parts == 6);
  }
}

TEST_CASE("a sample of a large part holds one of the largest fronts", "[tree]") {
  const tree::assembly_tree all = read(heading + "0,3,1,1000\n0,40,1,1\n");
  tree::job what;
  what.memory = 1e9;
  const tree::outcome found = tree::factor<real>(all.levels[0], what, talus::queue::host());
  CHECK((found.checked >= 90 && found.checked <= 101));
  CHECK(found.fronts == 1001);
}

#endif
