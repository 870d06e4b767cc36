// The matrices of examples/multifrontal: what they hold, how well a vector solves them, and which entries are
// matched to become pivots.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "common/random_numbers.hpp"
#include "common/text_reader.hpp"
#include "sparse/matching.hpp"
#include "sparse/matrix.hpp"
#include "sparse/problem.hpp"
#include "sparse/scaling.hpp"
#include "temporary_file.hpp"

namespace {

using sparse::matrix;
using sparse::problem;
using talus::test::temporary_file;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double lambda = 0.3 / (1.3 * 0.4), mu = 1 / 2.6;  // of Young's modulus 1, Poisson's ratio 0.3

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Column-major, both triangles.
struct dense {
  int n;
  std::vector<double> a;
  double& operator()(int i, int j) { return a[at(i) + at(n) * at(j)]; }
  double operator()(int i, int j) const { return a[at(i) + at(n) * at(j)]; }
};

dense dense_of(const matrix& A, const std::vector<double>& value) {
  dense D{A.n, std::vector<double>(at(A.n) * at(A.n), 0.0)};
  for (int j = 0; j < A.n; ++j)
    for (int e = A.begin[at(j)]; e < A.begin[at(j) + 1]; ++e) {
      const int i = A.row[at(e)];
      D(i, j) = value[at(e)];
      if (A.symmetric) D(j, i) = value[at(e)];
    }
  return D;
}

matrix sparse_of(const dense& D) {
  matrix A;
  A.n = D.n;
  A.begin = {0};
  for (int j = 0; j < D.n; ++j) {
    for (int i = 0; i < D.n; ++i)
      if (D(i, j) != 0) A.row.push_back(i), A.value.push_back(D(i, j));
    A.begin.push_back(static_cast<int>(A.row.size()));
  }
  return A;
}

bool is_positive_definite(dense A) {
  for (int j = 0; j < A.n; ++j) {
    if (!(A(j, j) > 0)) return false;
    for (int k = j + 1; k < A.n; ++k)
      for (int i = k; i < A.n; ++i) A(i, k) -= A(i, j) * A(k, j) / A(j, j);
  }
  return true;
}

void require_well_formed(const matrix& A) {
  REQUIRE(A.begin.size() == at(A.n) + 1);
  REQUIRE(A.begin.front() == 0);
  REQUIRE(A.row.size() == at(A.entries()));
  REQUIRE(A.value.size() == A.row.size());
  for (int j = 0; j < A.n; ++j)
    for (int e = A.begin[at(j)]; e < A.begin[at(j) + 1]; ++e) {
      REQUIRE(A.row[at(e)] >= (A.symmetric ? j : 0));
      REQUIRE(A.row[at(e)] < A.n);
      if (e > A.begin[at(j)]) REQUIRE(A.row[at(e)] > A.row[at(e) - 1]);
    }
}

/// System 0 is A, others differ from it and from each other, and all are positive definite.
void check_systems(const problem& p) {
  INFO(p.A.name);
  require_well_formed(p.A);
  CHECK(p.values(0) == p.A.value);
  CHECK(p.values(1) == p.values(1));
  CHECK(p.values(1) != p.values(2));
  for (std::int64_t s = 0; s < 3; ++s) {
    REQUIRE(p.values(s).size() == p.A.value.size());
    CHECK(is_positive_definite(dense_of(p.A, p.values(s))));
  }
}

problem read(const std::string& text) { return sparse::read_problem(temporary_file(text).path()); }

/// The message without the file's name: "LINE: what is wrong".
std::string complaint(const std::string& text) {
  const temporary_file file(text);
  try {
    sparse::read_problem(file.path());
  } catch (const example::file_error& error) {
    return std::string(error.what()).substr(file.path().size() + 1);
  }
  return "no complaint";
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no complaint";
}

constexpr const char* general = "%%MatrixMarket matrix coordinate real general\n";
constexpr const char* symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

/// Over all permutations: log2 of the largest product of a diagonal, -infinity where each has a zero; and how
/// many columns can have an entry on it at most.
struct best_of_all {
  double product = -std::numeric_limits<double>::infinity();
  int columns = 0;

  explicit best_of_all(const dense& A) {
    std::vector<int> row(at(A.n));
    std::iota(row.begin(), row.end(), 0);
    do {
      double sum = 0;
      int found = 0;
      for (int j = 0; j < A.n; ++j) {
        sum += std::log2(std::abs(A(row[at(j)], j)));
        if (A(row[at(j)], j) != 0) ++found;
      }
      product = std::max(product, sum);
      columns = std::max(columns, found);
    } while (std::next_permutation(row.begin(), row.end()));
  }
};

}  // namespace

TEST_CASE("Poisson's equation on 2 x 2 nodes, by hand", "[multifrontal]") {
  const problem p = sparse::poisson({2, 2, 1});
  CHECK(p.A.name == "Poisson, 2 x 2");
  CHECK(p.A.n == 4);
  CHECK(p.A.symmetric);
  CHECK(p.A.begin == std::vector<int>{0, 3, 5, 7, 8});
  CHECK(p.A.row == std::vector<int>{0, 1, 2, 1, 3, 2, 3, 3});
  CHECK(p.A.value == std::vector<double>{4, -1, -1, 4, -1, 4, -1, 4});
}

TEST_CASE("Poisson's equation: each node has its links, to the boundary too", "[multifrontal]") {
  for (const sparse::grid& size :
       {sparse::grid{4, 4, 4}, {5, 3, 1}, {1, 1, 1}, {1, 4, 1}, {6, 1, 1}, {2, 1, 3}}) {
    const problem p = sparse::poisson(size);
    check_systems(p);
    const int links = size[2] > 1 ? 6 : 4;
    const dense A = dense_of(p.A, p.A.value), B = dense_of(p.A, p.values(7));
    for (int j = 0; j < p.A.n; ++j) {
      CHECK(A(j, j) == links);
      double to_boundary = B(j, j);
      int inside = 0;
      for (int i = 0; i < p.A.n; ++i) {
        if (i == j || A(i, j) == 0) continue;
        ++inside;
        CHECK(A(i, j) == -1);
        CHECK((-B(i, j) >= 0.5 && -B(i, j) <= 2));
        to_boundary += B(i, j);
      }
      CHECK(to_boundary >= 0.5 * (links - inside) - 1e-14);
      CHECK(to_boundary <= 2 * (links - inside) + 1e-14);
    }
  }
  CHECK(sparse::poisson({3, 4, 5}).A.name == "Poisson, 3 x 4 x 5");
}

TEST_CASE("elasticity of one square, by hand", "[multifrontal]") {
  const problem p = sparse::elasticity({1, 2, 1});
  CHECK(p.A.name == "elasticity, 1 x 2");
  REQUIRE(p.A.n == 4);
  CHECK(p.A.row == std::vector<int>{0, 1, 2, 3, 1, 2, 3, 2, 3, 3});
  // With N = x (1 - y) and x y, integrals of (dN/dx)^2 and (dN/dy)^2 are 1/3, of products across 1/4; between
  // the two 1/6 and -1/3.
  const double along = (lambda + 2 * mu) / 3 + mu / 3, across = (lambda + mu) / 4, twist = (lambda - mu) / 4;
  const double xx = (lambda + 2 * mu) / 6 - mu / 3, yy = mu / 6 - (lambda + 2 * mu) / 3;
  const std::vector<double> expected = {along, -across, xx, twist, along, -twist, yy, along, across, along};
  for (std::size_t e = 0; e < expected.size(); ++e) {
    INFO("entry " << e);
    CHECK(std::abs(p.A.value[e] - expected[e]) < 1e-15);
  }
  const std::vector<double> other = p.values(3);
  const double modulus = other[0] / p.A.value[0];
  CHECK((modulus >= 0.5 && modulus <= 2));
  for (std::size_t e = 0; e < other.size(); ++e) CHECK(std::abs(other[e] - modulus * p.A.value[e]) < 1e-15);
}

TEST_CASE("elasticity: no force where the body moves as a whole", "[multifrontal]") {
  for (const sparse::grid& size : {sparse::grid{4, 3, 1}, {3, 3, 3}, {2, 4, 3}, {3, 2, 2}, {1, 5, 2}}) {
    const problem p = sparse::elasticity(size);
    check_systems(p);
    const int dimension = size[2] > 1 ? 3 : 2, turns = dimension == 3 ? 3 : 1;
    const dense A = dense_of(p.A, p.values(5));
    for (int motion = 0; motion < dimension + turns; ++motion) {
      std::vector<double> u;  // along an axis, or about one: then -b along a, a along b
      for (int node = 0; node < p.A.n / dimension; ++node) {
        const std::array<int, 3> place = {node % size[0], node / size[0] % size[1], node / size[0] / size[1]};
        const int a = motion - dimension == 2 ? 1 : 0, b = motion - dimension == 0 ? 1 : 2;
        for (int c = 0; c < dimension; ++c)
          u.push_back(motion < dimension ? (c == motion ? 1 : 0)
                      : c == a           ? -place[at(b)]
                      : c == b           ? place[at(a)]
                                         : 0);
      }
      double most = 0, at_clamp = 0;
      for (int i = 0; i < p.A.n; ++i) {
        double force = 0;
        for (int j = 0; j < p.A.n; ++j) force += A(i, j) * u[at(j)];
        double& largest = i / dimension % size[0] == 0 ? at_clamp : most;
        largest = std::max(largest, std::abs(force));
      }
      CHECK(most < 1e-14);
      CHECK(at_clamp > 0.1);
    }
  }
}

TEST_CASE("grids that cannot be discretised are named", "[multifrontal]") {
  CHECK(message_of([] {
          sparse::elasticity({5, 1, 1});
        }) == "elasticity, 5 x 1: with one node along y there is no element");
  CHECK(message_of([] {
          sparse::elasticity({5, 1, 3});
        }) == "elasticity, 5 x 1 x 3: with one node along y there is no element");
  CHECK(
      message_of([] {
        sparse::poisson({1024, 1024, 1024});
      }) ==
      "Poisson, 1024 x 1024 x 1024: 1073741824 unknowns and 4291821568 entries are more than an int counts");
  CHECK(message_of([] {
          sparse::elasticity({1024, 1024, 1024});
        }) ==
        "elasticity, 1024 x 1024 x 1024: 3221225472 unknowns and 131815606236 entries are more than an int "
        "counts");
  CHECK_THROWS_AS(sparse::elasticity({5, 1, 1}), std::invalid_argument);
}

TEST_CASE("a problem from a file", "[multifrontal]") {
  SECTION("symmetric") {
    const temporary_file file(std::string(symmetric) + "3 3 5\n1 1 4\n2 1 -1\n2 2 5\n3 3 6\n3 2 2\n");
    const problem p = sparse::read_problem(file.path());
    CHECK(p.A.name == file.path().substr(file.path().rfind('/') + 1));
    CHECK(p.A.n == 3);
    CHECK(p.A.symmetric);
    CHECK(p.A.begin == std::vector<int>{0, 2, 4, 5});
    CHECK(p.A.row == std::vector<int>{0, 1, 1, 2, 2});
    CHECK(p.A.value == std::vector<double>{4, -1, 5, 2, 6});
    check_systems(p);
    // D A D: what is left of d_i d_j on the diagonal explains the entries beside it.
    const dense A = dense_of(p.A, p.A.value), B = dense_of(p.A, p.values(4));
    for (int j = 0; j < 3; ++j) {
      const double square = B(j, j) / A(j, j);
      CHECK((square >= 0.25 && square <= 4));
      for (int i = 0; i < 3; ++i)
        CHECK(std::abs(B(i, j) - A(i, j) * std::sqrt(square * B(i, i) / A(i, i))) < 1e-14);
    }
  }
  SECTION("unsymmetric, an entry given twice") {
    const problem p = read(std::string(general) + "2 2 5\n2 1 3\n1 1 1\n1 2 2\n2 1 4\n2 2 8\n");
    CHECK_FALSE(p.A.symmetric);
    require_well_formed(p.A);
    CHECK(p.A.value == std::vector<double>{1, 7, 2, 8});
    CHECK(p.values(0) == p.A.value);
    const std::vector<double> other = p.values(1);
    std::vector<double> ratio(4);
    for (std::size_t e = 0; e < 4; ++e) ratio[e] = other[e] / p.A.value[e];
    CHECK(std::abs(ratio[0] * ratio[3] - ratio[1] * ratio[2]) < 1e-14);  // D A E
    CHECK(ratio[1] != ratio[2]);
  }
  SECTION("skew-symmetric") {
    const problem p = read("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n1 2 -5D-1\n3 1 4\n");
    CHECK_FALSE(p.A.symmetric);
    require_well_formed(p.A);
    CHECK(p.A.begin == std::vector<int>{0, 2, 3, 4});
    CHECK(p.A.row == std::vector<int>{1, 2, 0, 0});
    CHECK(p.A.value == std::vector<double>{0.5, 4, -0.5, -4});
  }
  SECTION("equal to its transpose, but stored whole") {
    CHECK_FALSE(read(std::string(general) + "2 2 4\n1 1 2\n1 2 1\n2 1 1\n2 2 2\n").A.symmetric);
  }
}

TEST_CASE("a file of no problem is refused", "[multifrontal]") {
  const std::string g = general;
  CHECK(complaint(g + "% a comment\n2 3 1\n1 1 1\n") ==
        "3: the matrix is 2 x 3: only a square one can be factored");
  CHECK(complaint(g + "2 2 0\n") == "2: the matrix has no entries");
  CHECK(complaint(g + "0 0 0\n") == "2: number of rows 0 is not between 1 and 2147483647");
  CHECK(complaint(g + "1 1 1\n1 1 inf\n") == "3: value inf is not finite");
  CHECK_THROWS_AS(sparse::read_problem("no such file.mtx"), example::file_error);
}

TEST_CASE("the backward error, by hand", "[multifrontal]") {
  const matrix whole = sparse_of({2, {2, -1, -1, 3}}),  //
      lower{"", 2, true, {0, 2, 3}, {0, 1, 1}, {2, -1, 3}};
  for (const matrix* A : {&whole, &lower}) {
    const auto error = [&](std::vector<double> x, std::vector<double> b) {
      return sparse::backward_error(*A, A->value.data(), x.data(), b.data());
    };
    CHECK(error({1, 1}, {1, 2}) == 0);
    CHECK(error({1, 1}, {1, -3}) == 5.0 / (4 * 1 + 3));
    CHECK(error({0, 0}, {0, 0}) == 0);
    CHECK(error({0, 0}, {1, 0}) == 1);
    CHECK(std::isnan(error({1, not_a_number}, {1, 2})));
    CHECK(std::isnan(error({1, 1}, {not_a_number, 2})));
    const std::vector<double> doubled = {4, -2, -2, 6}, x = {1, 1}, b = {2, 4};
    const std::vector<double> lower_doubled = {4, -2, 6};
    CHECK(sparse::backward_error(*A, (A->symmetric ? lower_doubled : doubled).data(), x.data(), b.data()) ==
          0);
  }
  const matrix no_second_column{"", 2, false, {0, 1, 1}, {0}, {1}};
  const std::vector<double> x = {1, not_a_number}, b = {1, 0};
  CHECK(std::isnan(
      sparse::backward_error(no_second_column, no_second_column.value.data(), x.data(), b.data())));
}

TEST_CASE("the backward error counts each row by its own terms, of any size", "[multifrontal]") {
  // x0 1e200 = b0; x0 1e-200 + x1 1e-300 = b1; x2 1e-300 = b2
  const matrix A{"", 3, false, {0, 2, 3, 4}, {0, 1, 1, 2}, {1e200, 1e-200, 1e-300, 1e-300}};
  const auto error = [&](const std::vector<double>& x, const std::vector<double>& b) {
    return sparse::backward_error(A, A.value.data(), x.data(), b.data());
  };
  CHECK(error({1e-200, 1e300, 1e300}, {1, 1, 1}) < 1e-15);
  CHECK(std::abs(error({1e-200, 1e300, 2e300}, {1, 1, 1}) - 1.0 / 3) < 1e-15);
  CHECK(std::abs(error({1e-200, 1e300, 2e100}, {1, 1, 1e-200}) - 1.0 / 3) < 1e-15);
  CHECK(error({1e200, 0, 0}, {0, 0, 0}) == 1);   // 1e400 - 0
  CHECK(error({0, 0, 1e-300}, {0, 0, 0}) == 1);  // 1e-600 - 0
  CHECK(std::isnan(error({std::numeric_limits<double>::infinity(), 0, 0}, {0, 0, 0})));
}

TEST_CASE("the largest product of a diagonal, by hand", "[multifrontal]") {
  // The 8 would be the largest of its column, but column 1 has nothing except the 2 beside it.
  const dense A{3, {8, 4, 0, 2, 0, 0, 0, 1, 16}};
  const sparse::matching found = sparse::largest_product(sparse_of(A));
  CHECK(found.row_of_column == std::vector<int>{1, 0, 2});
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      const double scaled = found.scales.of_row(i) * A(i, j) * found.scales.of_column(j);
      CHECK(scaled <= 2);
      if (found.row_of_column[at(j)] == i) CHECK(scaled >= 0.5);
    }
}

TEST_CASE("the largest product of a diagonal is that of all permutations", "[multifrontal]") {
  example::random_numbers random(11);
  int singular = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const int n = 1 + trial % 6;
    dense A{n, std::vector<double>(at(n * n), 0.0)};
    const double filled = random.next();
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const double size = std::ldexp(1.0, static_cast<int>(40 * random.next())), value = random.next();
        if (random.next() < filled && !(trial % 3 == 1 && i == j)) A(i, j) = size * value;
      }
    INFO("trial " << trial << ", n = " << n);
    const best_of_all best(A);
    if (best.columns < n) {
      ++singular;
      const std::string says = message_of([&] { sparse::largest_product(sparse_of(A)); });
      const std::string counted =
          "of " + std::to_string(n) + " columns " + std::to_string(best.columns) + " can";
      INFO(says);
      CHECK(says.find(counted) != std::string::npos);
      continue;
    }
    const sparse::matching found = sparse::largest_product(sparse_of(A));
    std::vector<int> rows = found.row_of_column;
    std::sort(rows.begin(), rows.end());
    double product = 0;
    for (int j = 0; j < n; ++j) {
      CHECK(rows[at(j)] == j);
      product += std::log2(std::abs(A(found.row_of_column[at(j)], j)));
      for (int i = 0; i < n; ++i) {
        const double scaled = found.scales.of_entry(i, j) * std::abs(A(i, j));
        CHECK(scaled < 2.0001);
        if (found.row_of_column[at(j)] == i) CHECK(scaled > 0.4999);
      }
    }
    CHECK(std::abs(product - best.product) < 1e-10);
  }
  CHECK((singular > 300 && singular < 1200));
}

TEST_CASE("scales are normal numbers also where values are extreme", "[multifrontal]") {
  const dense some[] = {{3, {1e-310, 3e300, 0, 0, 7, 1e-200, 5e-324, 0, 1e308}},
                        {2, {5e-324, 0, 0, 1e308}},
                        {2, {1e308, 1e308, 1e308, -1e308}},
                        {2, {1e-320, 2e-320, 3e-320, 5e-324}},
                        {2, {1e300, 1, 1e-5, 1e-300}}};
  for (const dense& A : some) {
    const sparse::matching found = sparse::largest_product(sparse_of(A));
    for (int j = 0; j < A.n; ++j)
      for (int i = 0; i < A.n; ++i) {
        CHECK(std::isnormal(found.scales.of_row(i)));
        CHECK(std::isnormal(found.scales.of_column(j)));
        if (A(i, j) == 0) continue;
        CHECK((found.scales.of_entry(i, j) > 0 && std::isfinite(found.scales.of_entry(i, j))));
        const double scaled = found.scales.of_entry(i, j) * std::abs(A(i, j));
        CHECK(scaled < 2.0001);
        if (found.row_of_column[at(j)] == i && std::isnormal(A(i, j))) CHECK(scaled > 0.4999);
      }
  }
}

TEST_CASE("scales of a symmetric matrix bring its diagonal close to 1", "[multifrontal]") {
  matrix A{"", 5, true, {0, 2, 3, 4, 5, 5}, {0, 1, 1, 2, 3}, {4e200, 1e100, 3e-200, -7, 5e-324}};
  const sparse::scaling scales = sparse::scales_of_diagonal(A);
  CHECK(scales.row == scales.column);
  CHECK((scales.row[2] == 0 && scales.row[4] == 0));  // not positive, not there
  for (const auto& [j, value] : {std::pair{0, 4e200}, {1, 3e-200}}) {
    const double scaled = scales.of_entry(j, j) * value;
    CHECK((scaled >= 0.5 && scaled <= 2));
  }
  CHECK(std::isnormal(scales.of_entry(3, 3)));
}

TEST_CASE("equilibrated, each row and each column has a largest magnitude close to 1", "[multifrontal]") {
  example::random_numbers random(19);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 9;
    dense A{n, std::vector<double>(at(n * n), 0.0)};
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        if (random.next() < 0 || i == j)
          A(i, j) = std::ldexp(random.next(), static_cast<int>(900 * random.next()));
    const sparse::log_scales scales = sparse::equilibrating_scales(sparse_of(A));
    for (const bool by_rows : {true, false})
      for (int i = 0; i < n; ++i) {
        double largest = -std::numeric_limits<double>::infinity();
        for (int j = 0; j < n; ++j) {
          const int row = by_rows ? i : j, column = by_rows ? j : i;
          largest = std::max(
              largest, std::log2(std::abs(A(row, column))) + scales.row[at(row)] + scales.column[at(column)]);
        }
        CHECK(std::abs(largest) <= 0.25 + 1e-10);
      }
  }
}

TEST_CASE("rounded scales of rows and columns have the same middle", "[multifrontal]") {
  const matrix A{"", 2, false, {0, 1, 2}, {0, 1}, {1, 1}};
  const sparse::scaling all = sparse::rounded(A, {{-900.4, 0.2}, {-3.9, -100.1}});
  CHECK(all.row == std::vector<int>{-701, 199});
  CHECK(all.column == std::vector<int>{-203, -299});
}

TEST_CASE("a matrix without a diagonal says which column is left over", "[multifrontal]") {
  const std::string head = ": singular whatever its entries' values are: ";
  const auto says = [](const matrix& A) { return message_of([&] { sparse::largest_product(A); }); };
  CHECK(says(sparse_of({3, {1, 0, 0, 2, 0, 0, 1, 1, 1}})) ==
        head + "of 3 columns 2 can have pivots in rows of their own, but then column 2 has none");
  const matrix zero_stored{"", 2, false, {0, 2, 3}, {0, 1, 1}, {1, 1, 0}};
  CHECK(says(zero_stored) ==
        head + "of 2 columns 1 can have pivots in rows of their own, but then column 2 has none");
  CHECK_THROWS_AS(sparse::largest_product(zero_stored), sparse::structurally_singular);
}
