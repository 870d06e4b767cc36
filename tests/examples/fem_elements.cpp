// The finite elements of examples/fem_elements, and its reader of Matrix Market files.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "blas/blas.hpp"
#include "catch.hpp"
#include "common/matrix_market.hpp"
#include "element.hpp"
#include "mesh.hpp"
#include "solve.hpp"
#include "systems.hpp"
#include "temporary_file.hpp"

namespace {

using fem::physics;
using fem::point;
using talus::test::temporary_file;

constexpr double tolerance = 1e-12;
constexpr fem::material plain{1, 1, 1, 0.25};
constexpr fem::material no_mass{0, 2, 7, 0.3};  // what is left of A is dt^2 K

const fem::hexahedron unit_cube = fem::distorted_block(1, 1, 1, 0, 1).corners(0);
const fem::hexahedron distorted = fem::distorted_block(1, 1, 1, 0.16, 7).corners(0);

/// The volume of a hexahedron with bilinear faces, by the divergence theorem, without any quadrature: the
/// flux of x through a bilinear face is the mean of that through its two triangulations.
double exact_volume(const fem::hexahedron& corner) {
  static constexpr std::size_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                              {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  double volume = 0;
  for (const auto& f : faces)
    for (std::size_t i = 0; i < 4; ++i)  // the four triangles that leave out one corner each
      volume += fem::dot(corner[f[i]], fem::cross(corner[f[(i + 1) % 4]], corner[f[(i + 2) % 4]])) / 12;
  return volume;
}

struct square {
  int n;
  std::vector<double> A;
  double operator()(int i, int j) const { return A[static_cast<std::size_t>(i + n * j)]; }

  double largest() const {
    return std::abs(
        *std::max_element(A.begin(), A.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(x.size(), 0.0);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        y[static_cast<std::size_t>(i)] += (*this)(i, j) * x[static_cast<std::size_t>(j)];
    return y;
  }
  double energy(const std::vector<double>& x) const {
    const std::vector<double> y = times(x);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
  }
};

square element_matrix(physics kind, int order, const fem::hexahedron& corners, const fem::material& m,
                      double dt) {
  const fem::reference_hexahedron reference(order);
  fem::element one(reference);
  REQUIRE(one.map(corners) > 0);
  square matrix{fem::components(kind) * reference.nodes, {}};
  matrix.A.assign(static_cast<std::size_t>(matrix.n * matrix.n), -99.0);
  one.matrix(kind, m, dt, matrix.A.data());
  return matrix;
}

/// The values of a field at the nodes, as unknowns of the element.
std::vector<double> nodal(physics kind, int order, const fem::hexahedron& corners,
                          const std::function<point(const point&)>& field) {
  const std::vector<double> x = fem::gauss_lobatto(order);
  std::vector<double> values;
  for (const double zeta : x)
    for (const double eta : x)
      for (const double xi : x) {
        const point value = field(fem::map_point(corners, {xi, eta, zeta}));
        for (int c = 0; c < fem::components(kind); ++c) values.push_back(value[static_cast<std::size_t>(c)]);
      }
  return values;
}

/// NaN if there is one.
double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::isnan(value) ? value : std::max(most, std::abs(value));
  return most;
}

fem::sparse_matrix read(const std::string& text) {
  return example::read_matrix_market(temporary_file(text).path());
}

/// The message without the file's name: "LINE: what is wrong".
std::string complaint(const std::string& text) {
  const temporary_file file(text);
  try {
    fem::require_symmetric(example::read_matrix_market(file.path()));
  } catch (const fem::file_error& error) {
    const std::string what = error.what(), prefix = file.path() + ":";
    REQUIRE(what.compare(0, prefix.size(), prefix) == 0);
    return what.substr(prefix.size());
  }
  return "nothing";
}

constexpr const char* general = "%%MatrixMarket matrix coordinate real general\n";
constexpr const char* symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

}  // namespace

TEST_CASE("Gauss-Legendre with n points is exact up to degree 2n - 1, and not beyond", "[fem]") {
  for (int n = 1; n <= 6; ++n) {
    const fem::quadrature rule = fem::gauss_legendre(n);
    for (int degree = 0; degree <= 2 * n; ++degree) {
      double sum = 0;
      for (std::size_t q = 0; q < rule.points.size(); ++q)
        sum += rule.weights[q] * std::pow(rule.points[q], degree);
      const double error = std::abs(sum - (degree % 2 == 0 ? 2.0 / (degree + 1) : 0.0));
      INFO("n " << n << ", degree " << degree);
      if (degree < 2 * n)
        CHECK(error < 1e-14);
      else
        CHECK(error > 1e-4);
    }
  }
}

TEST_CASE("Gauss-Lobatto nodes are the ends and the extrema of a Legendre polynomial", "[fem]") {
  for (unsigned order = 1; order <= 4; ++order) {
    const std::vector<double> nodes = fem::gauss_lobatto(static_cast<int>(order));
    REQUIRE(nodes.size() == order + 1);
    CHECK(std::is_sorted(nodes.begin(), nodes.end()));
    for (const double x : nodes)  // (x^2 - 1) P'(x) = order (x P(x) - P_(order-1)(x))
      CHECK(std::abs(x * std::legendre(order, x) - std::legendre(order - 1, x)) < 1e-14);
  }
}

TEST_CASE("the distorted block is reproducible, irregular, and valid below one sixth", "[fem]") {
  const fem::block_mesh mesh = fem::distorted_block(6, 5, 4, 0.166, 3);
  const fem::block_mesh again = fem::distorted_block(6, 5, 4, 0.166, 3);
  const fem::block_mesh other = fem::distorted_block(6, 5, 4, 0.166, 4);
  CHECK(mesh.elements() == 120);
  CHECK(mesh.vertices.size() == 7 * 6 * 5);
  CHECK(mesh.vertices == again.vertices);
  CHECK(mesh.vertices != other.vertices);

  const fem::reference_hexahedron reference(4);
  fem::element one(reference);
  for (std::int64_t e = 0; e < mesh.elements(); ++e) CHECK(one.map(mesh.corners(e)) > 0);
}

TEST_CASE("an element that is turned inside out is found and named", "[fem]") {
  fem::block_mesh mesh = fem::distorted_block(3, 1, 1, 0.1, 1);
  std::swap(mesh.vertices[mesh.vertex(2, 0, 0)], mesh.vertices[mesh.vertex(3, 0, 0)]);
  const fem::reference_hexahedron reference(2);
  fem::element one(reference);
  CHECK(one.map(mesh.corners(0)) > 0);
  CHECK_FALSE(one.map(mesh.corners(2)) > 0);
  std::string message;
  try {
    fem::assemble<double>(physics::heat, mesh, 2, 0.1, 1);
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  CHECK(message.find("is turned inside out") != std::string::npos);
}

TEST_CASE("the entries of the mass matrix sum to the element's volume times its density", "[fem]") {
  for (int order = 1; order <= 4; ++order)
    for (const physics kind : {physics::heat, physics::elasticity}) {
      INFO(fem::name(kind) << ", order " << order);
      fem::material m = plain;
      m.density = 3;
      const square M = element_matrix(kind, order, distorted, m, 0);
      double sum = 0;
      for (const double entry : M.A) sum += entry;
      CHECK(std::abs(sum - fem::components(kind) * 3 * exact_volume(distorted)) < tolerance);
    }
}

TEST_CASE("the mass matrix is exact on a distorted element: all orders agree on the integral of x^2",
          "[fem]") {
  const auto x = [](const point& p) { return point{p[0], 0, 0}; };
  const auto integral = [&](int order) {
    return element_matrix(physics::heat, order, distorted, plain, 0)
        .energy(nodal(physics::heat, order, distorted, x));
  };
  for (int order = 1; order <= 3; ++order) CHECK(std::abs(integral(order) - integral(4)) < tolerance);
}

TEST_CASE("the load of a constant source sums to the volume", "[fem]") {
  const fem::reference_hexahedron reference(3);
  fem::element one(reference);
  one.map(distorted);
  std::vector<double> b(static_cast<std::size_t>(3 * reference.nodes));
  one.load(
      physics::elasticity,
      [](const point&) {
        return point{1, 10, 100};
      },
      b.data());
  double sum = 0;
  for (const double value : b) sum += value;
  CHECK(std::abs(sum - 111 * exact_volume(distorted)) < 100 * tolerance);
}

TEST_CASE("A is symmetric bit for bit, and positive definite", "[fem]") {
  for (int order = 1; order <= 4; ++order)
    for (const physics kind : {physics::heat, physics::elasticity}) {
      INFO(fem::name(kind) << ", order " << order);
      square A = element_matrix(kind, order, distorted, no_mass, 0.3);
      const square M = element_matrix(kind, order, distorted, plain, 0);
      bool equal = true;
      for (std::size_t i = 0; i < A.A.size(); ++i) A.A[i] += M.A[i];
      for (int j = 0; j < A.n; ++j)
        for (int i = 0; i < j; ++i) equal = equal && A(i, j) == A(j, i);
      CHECK(equal);
      int info = -1;
      fem::blas::potrf('L', A.n, A.A.data(), &info);
      CHECK(info == 0);
    }
}

TEST_CASE("A is M + dt^2 K", "[fem]") {
  for (const physics kind : {physics::heat, physics::elasticity}) {
    fem::material m = no_mass;
    const square K = element_matrix(kind, 2, distorted, m, 1);
    m.density = 5;
    const square M = element_matrix(kind, 2, distorted, m, 0), A = element_matrix(kind, 2, distorted, m, 0.5);
    std::vector<double> error;
    for (std::size_t i = 0; i < A.A.size(); ++i) error.push_back(A.A[i] - M.A[i] - 0.25 * K.A[i]);
    CHECK(largest(error) < tolerance * A.largest());
  }
}

TEST_CASE("on the unit cube, order 1 gives the matrices known by hand", "[fem]") {
  // M is the tensor product of [2 1; 1 2] / 6 with itself, K the sum of those with [1 -1; -1 1] in one place:
  // what counts is in how many directions two corners differ.
  constexpr double mass[4] = {8 / 216.0, 4 / 216.0, 2 / 216.0, 1 / 216.0};
  constexpr double stiffness[4] = {1 / 3.0, 0, -1 / 12.0, -1 / 12.0};
  fem::material m = plain;
  const square M = element_matrix(physics::heat, 1, unit_cube, m, 0);
  m.density = 0;
  const square K = element_matrix(physics::heat, 1, unit_cube, m, 1);
  const square M3 = element_matrix(physics::elasticity, 1, unit_cube, plain, 0);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const int x = i ^ j, differing = (x & 1) + (x >> 1 & 1) + (x >> 2);
      CHECK(std::abs(M(i, j) - mass[differing]) < 1e-14);
      CHECK(std::abs(K(i, j) - stiffness[differing]) < 1e-14);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          CHECK(std::abs(M3(3 * i + a, 3 * j + b) - (a == b ? mass[differing] : 0)) < 1e-14);
    }
}

TEST_CASE("heat conduction leaves constants alone, and linear fields have the energy they should", "[fem]") {
  for (int order = 1; order <= 4; ++order) {
    INFO("order " << order);
    const square K = element_matrix(physics::heat, order, distorted, no_mass, 1);
    const auto constant = nodal(physics::heat, order, distorted, [](const point&) { return point{1, 0, 0}; });
    CHECK(largest(K.times(constant)) < tolerance * K.largest());
    // ∇(x + 2y - z) = (1, 2, -1)
    const auto linear = nodal(physics::heat, order, distorted, [](const point& x) {
      return point{x[0] + 2 * x[1] - x[2], 0, 0};
    });
    CHECK(std::abs(K.energy(linear) - no_mass.conductivity * 6 * exact_volume(distorted)) < 100 * tolerance);
  }
}

TEST_CASE("elasticity leaves rigid motions alone, and uniform strains have the energy they should", "[fem]") {
  const double volume = exact_volume(distorted), lambda = no_mass.lame_lambda(), mu = no_mass.lame_mu();
  CHECK(std::abs(lambda - 7 * 0.3 / (1.3 * 0.4)) < tolerance);
  CHECK(std::abs(mu - 7 / 2.6) < tolerance);
  for (int order = 1; order <= 4; ++order) {
    INFO("order " << order);
    const square K = element_matrix(physics::elasticity, order, distorted, no_mass, 1);
    const auto field = [&](const std::function<point(const point&)>& u) {
      return nodal(physics::elasticity, order, distorted, u);
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
      point unit{};
      unit[axis] = 1;
      CHECK(largest(K.times(field([&](const point&) { return unit; }))) < tolerance * K.largest());
      CHECK(largest(K.times(field([&](const point& x) { return fem::cross(unit, x); }))) <
            tolerance * K.largest());
    }
    const auto energy = [&](const std::function<point(const point&)>& u) {
      return K.energy(field(u)) / volume;
    };
    CHECK(std::abs(energy([](const point& x) {
                     return point{x[0], 0, 0};
                   }) -
                   (lambda + 2 * mu)) < 100 * tolerance);
    CHECK(std::abs(energy([](const point& x) { return point{0, 0, x[1]}; }) - mu) < 100 * tolerance);
    CHECK(std::abs(energy([](const point& x) { return x; }) - (9 * lambda + 6 * mu)) < 100 * tolerance);
  }
}

TEST_CASE("assembly puts each element in its place", "[fem]") {
  const fem::block_mesh mesh = fem::distorted_block(3, 2, 2, 0.15, 5);
  const fem::systems<float> all = fem::assemble<float>(physics::elasticity, mesh, 2, 0.2, 2);
  REQUIRE(all.n == 81);
  REQUIRE(all.count == 12);
  for (const std::int64_t e : {std::int64_t{0}, std::int64_t{5}, std::int64_t{11}}) {
    const fem::hexahedron corners = mesh.corners(e);
    const square A = element_matrix(physics::elasticity, 2, corners,
                                    fem::material_at(fem::map_point(corners, {0, 0, 0})), 0.2);
    bool equal = true;
    for (std::size_t i = 0; i < A.A.size(); ++i)
      equal = equal && all.A_of(e)[i] == static_cast<float>(A.A[i]);
    CHECK(equal);
  }
}

TEST_CASE("the residual sees an error and a NaN", "[fem]") {
  const double A[] = {4, 1, 1, 3}, B[] = {6, 7}, X[] = {1, 2};
  CHECK(fem::residual(2, 1, A, X, B) == 0);
  const double wrong[] = {1, 2 + 1e-12}, nan[] = {1, std::nan("")};
  // ||R|| = 4e-12, n = 2, ||A|| = 5, ||X|| = 3, eps = 2^-53
  CHECK(std::abs(fem::residual(2, 1, A, wrong, B) - 4e-12 / 30 * std::ldexp(1.0, 53)) < 1);
  CHECK(std::isnan(fem::residual(2, 1, A, nan, B)));
}

TEST_CASE("the median of an even number of runs lies between the two in the middle", "[fem]") {
  CHECK(example::median({3}) == 3);
  CHECK(example::median({3, 1}) == 2);
  CHECK(example::median({5, 1, 2}) == 2);
  CHECK(example::median({8, 1, 2, 4}) == 3);
}

TEST_CASE("OpenBLAS is timed in three ways, of which the fastest counts", "[fem]") {
  const fem::systems<double> elements =
      fem::assemble<double>(physics::heat, fem::distorted_block(3, 2, 2, 0.15, 5), 2, 0.2, 1);
  const fem::openblas_times times = fem::time_openblas(elements, talus::uplo::lower, 1);
  REQUIRE(times.ways.size() == 3);
  CHECK_FALSE(times.extrapolated);
  for (const fem::openblas_times::way& way : times.ways) {
    INFO(way.name);
    CHECK(way.seconds > 0);
    CHECK(way.seconds >= times.best().seconds);
  }
}

TEST_CASE("Matrix Market files are read as they stand", "[fem]") {
  SECTION("comments, blank lines, CRLF, signs and exponents, capitals") {
    const fem::sparse_matrix A = read(
        "%%MatrixMarket MATRIX Coordinate Real General\r\n% a comment\r\n\r\n  % another\r\n 2\t3  3 \r\n"
        "\r\n1 1 +1.5e1\r\n% between\r\n2 3 -2\r\n  1 2 .25\r\n\r\n");
    CHECK(A.rows == 2);
    CHECK(A.columns == 3);
    CHECK(A.size_line == 5);
    CHECK_FALSE(A.symmetric);
    REQUIRE(A.entries.size() == 3);
    CHECK(A.entries[0].value == 15);
    CHECK((A.entries[1].row == 0 && A.entries[1].column == 1 && A.entries[1].value == 0.25));
    CHECK((A.entries[2].row == 1 && A.entries[2].column == 2 && A.entries[2].value == -2));
    CHECK(A.entries[2].line == 9);
  }
  SECTION("no newline at the end, integers, symmetric") {
    const fem::sparse_matrix A =
        read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 3\n2 1 -1");
    CHECK(A.symmetric);
    REQUIRE(A.entries.size() == 2);
    CHECK(A.entries[1].value == -1);
  }
  SECTION("what is given several times is summed") {
    const fem::sparse_matrix A = read(std::string(general) + "2 2 4\n2 1 1\n1 1 5\n2 1 2\n2 1 4\n");
    REQUIRE(A.entries.size() == 2);
    CHECK(A.entries[1].value == 7);
  }
  const std::string head = "%%MatrixMarket matrix coordinate ";
  const auto holds = [](const fem::sparse_matrix& A, const std::vector<std::array<double, 3>>& expected) {
    REQUIRE(A.entries.size() == expected.size());
    for (std::size_t e = 0; e < expected.size(); ++e) {
      INFO("entry " << e);
      CHECK(A.entries[e].row == expected[e][0]);
      CHECK(A.entries[e].column == expected[e][1]);
      CHECK(A.entries[e].value == expected[e][2]);
    }
  };
  SECTION("Fortran's exponents") {
    holds(read(std::string(general) + "1 4 4\n1 1 1.0D+03\n1 2 -2.5d-1\n1 3 +.5D2\n1 4 3D0\n"),
          {{0, 0, 1000}, {0, 1, -0.25}, {0, 2, 50}, {0, 3, 3}});
  }
  SECTION("the upper triangle of a symmetric matrix") {
    const fem::sparse_matrix A = read(std::string(symmetric) + "3 3 5\n1 1 4\n1 2 -1\n2 3 2\n2 2 5\n3 3 6\n");
    CHECK(A.symmetric);
    holds(A, {{0, 0, 4}, {1, 0, -1}, {1, 1, 5}, {2, 1, 2}, {2, 2, 6}});
  }
  SECTION("a symmetric matrix with some entries above the diagonal and some below") {
    holds(read(std::string(symmetric) + "3 3 3\n1 2 -1\n3 2 2\n1 2 3\n"), {{1, 0, 2}, {2, 1, 2}});
  }
  SECTION("skew-symmetric, either triangle") {
    for (const char* entries : {"3 3 3\n2 1 2\n3 1 -4\n3 2 5\n", "3 3 4\n1 3 4\n2 3 -5\n1 2 -2\n2 2 0\n"}) {
      fem::sparse_matrix A = read(head + "real skew-symmetric\n" + entries);
      CHECK_FALSE(A.symmetric);
      A.entries.erase(std::remove_if(A.entries.begin(), A.entries.end(),
                                     [](const auto& e) { return e.row == e.column && e.value == 0; }),
                      A.entries.end());
      holds(A, {{1, 0, 2}, {2, 0, -4}, {0, 1, -2}, {2, 1, 5}, {0, 2, 4}, {1, 2, -5}});
    }
    holds(read(head + "integer skew-symmetric\r\n% comment\r\n\r\n2 2 2\r\n2 1 2\r\n2 1 1\r\n"),
          {{1, 0, 3}, {0, 1, -3}});
  }
  SECTION("a pattern is 1 at each position") {
    holds(read(head + "pattern general\n2 2 4\n1 1\n2 1\n2 1\n1 2\n"), {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}});
    const fem::sparse_matrix A = read(head + "pattern symmetric\n2 2 2\n1 2\n2 2\n");
    CHECK(A.symmetric);
    holds(A, {{1, 0, 1}, {1, 1, 1}});
  }
  SECTION("a matrix without entries") { CHECK(read(std::string(general) + "2 2 0\n").entries.empty()); }
}

TEST_CASE("a bad Matrix Market file is refused with its line, the reason and the value", "[fem]") {
  struct bad_file {
    std::string text, message;
  };
  const std::string g = general, s = symmetric, head = "%%MatrixMarket matrix coordinate ";
  const std::vector<bad_file> files = {
      {"", "0: the file is empty"},
      {"1 1 1\n", "1: a Matrix Market file starts with '%%MatrixMarket', this one with '1 1 1'"},
      {std::string("\x7f"
                   "ELF\0\x1b[31m \xe4",
                   12),
       "1: a Matrix Market file starts with '%%MatrixMarket', this one with '\\x7fELF\\x00\\x1b[31m \\xe4'"},
      {"%%MatrixMarket matrix coordinate\n", "1: the field is missing"},
      {"%%MatrixMarket vector coordinate real general\n", "1: object 'vector' is not 'matrix'"},
      {"%%MatrixMarket matrix array real general\n2 2\n", "1: format 'array' is not 'coordinate'"},
      {head + "pattern skew-symmetric\n",
       "1: a skew-symmetric matrix has values of both signs: its field cannot be 'pattern'"},
      {head + "complex general\n",
       "1: field 'complex': only real matrices are read; A + iB is the real matrix [A -B; B A]"},
      {head + "complex hermitian\n", "1: field 'complex': only real matrices are read"},
      {head + "double general\n", "1: field 'double' is none of 'real', 'integer' and 'pattern'"},
      {head + "real hermitian\n",
       "1: symmetry 'hermitian' is for complex matrices: a real one is 'symmetric'"},
      {head + "real skew-hermitian\n",
       "1: symmetry 'skew-hermitian' is none of 'general', 'symmetric' and 'skew-symmetric'"},
      {head + "real general extra\n", "1: unexpected 'extra'"},
      {g + "% only a comment\n", "2: the size line (rows, columns, entries) is missing"},
      {g + "2 2\n", "2: number of entries is missing in '2 2'"},
      {g + "0 2 1\n", "2: number of rows 0 is not between 1 and 2147483647"},
      {g + "2 3000000000 1\n", "2: number of columns 3000000000 is not between"},
      {g + "2 2 99999999999999999999\n", "2: number of entries '99999999999999999999' is out of range"},
      {g + "2 2 -1\n", "2: number of entries -1 is negative"},
      {g + "2 2 1 1\n1 1 1\n", "2: unexpected '1' at the end of '2 2 1 1'"},
      {g + "2.5 2 1\n", "2: number of rows '2.5' is not an integer"},
      {s + "2 3 1\n", "2: a symmetric matrix cannot be 2 x 3"},
      {g + "2 2 1\n0 1 1\n", "3: row 0 is not between 1 and 2"},
      {g + "2 2 1\n\n1 3 1\n", "4: column 3 is not between 1 and 2"},
      {g + "2 2 1\n1 1\n", "3: value is missing in '1 1'"},
      {g + "2 2 1\n1 1 x\n", "3: value 'x' is not a number"},
      {g + "2 2 1\n1 1 1.0D\n", "3: value '1.0D' is not a number"},
      {g + "2 2 1\n1 1 1.0D+999\n", "3: value '1.0D+999' is out of range"},
      {g + "2 2 1\n1D0 1 1\n", "3: row '1D0' is not an integer"},
      {g + "2 2 2\n1 1 1e308\n1 1 1e308\n", "4: entry (1, 1): the sum of its values is not finite"},
      {g + "2 2 1\n1 1 1e999\n", "3: value '1e999' is out of range"},
      {g + "2 2 1\n1 1 nan\n", "3: value nan is not finite"},
      {g + "2 2 1\n1 1 1 7\n", "3: unexpected '7' at the end of '1 1 1 7'"},
      {head + "integer general\n1 1 1\n1 1 1.5\n", "3: value '1.5' is not an integer"},
      {s + "2 2 1\n1 0 1\n", "3: column 0 is not between 1 and 2"},
      {s + "2 2 1\n1 3 1\n", "3: column 3 is not between 1 and 2"},
      {s + "2 2 2\n1 2 1\n2 1 1\n",
       "4: entry (2, 1) is stored on both sides of the diagonal, on line 3, too: a symmetric or"},
      {head + "real skew-symmetric\n2 2 2\n2 1 1\n1 2 -1\n",
       "4: entry (2, 1) is stored on both sides of the diagonal, on line 3, too: a symmetric or"},
      {head + "real skew-symmetric\n2 2 1\n2 2 1\n",
       "3: entry (2, 2) is not 0: a skew-symmetric matrix has a zero diagonal"},
      {head + "real skew-symmetric\n2 3 1\n", "2: a skew-symmetric matrix cannot be 2 x 3"},
      {head + "real skew-symmetric\n2 2 1\n2 1 3\n",
       "3: entry (2, 1) is 3, but (1, 2) is -3: only a symmetric matrix"},
      {head + "pattern general\n2 2 1\n1 1 1\n", "3: unexpected '1' at the end of '1 1 1'"},
      {g + "2 2 3\n1 1 1\n% comment\n2 2 1\n", "5: the file ends after 2 of 3 entries"},
      {g + "2 2 9000000000000000000\n1 1 1\n", "3: the file ends after 1 of 9000000000000000000 entries"},
      {g + "2 2 1\n1 1 1\n2 2 1\n", "4: more entries than the 1 that the size line promised"},
      {g + "2 1 1\n1 1 1\n", "2: the matrix is 2 x 1: only a square one has diagonal blocks"},
      {g + "2 2 3\n1 1 1\n2 1 0.1\n1 2 0.2\n",
       "4: entry (2, 1) is 0.1, but (1, 2) is 0.2: only a symmetric matrix"},
      {g + "3 3 1\n1 3 5\n", "3: entry (1, 3) is 5, but (3, 1) is 0"},
  };
  for (const bad_file& file : files) {
    INFO(file.text);
    const std::string found = complaint(file.text);
    INFO("says \"" << found << "\" instead of \"" << file.message << "\"");
    CHECK(found.compare(0, file.message.size(), file.message) == 0);
  }
  CHECK_THROWS_AS(example::read_matrix_market("no such file.mtx"), fem::file_error);
}

TEST_CASE("what is quoted from a file is printable and no longer than 60 characters", "[fem]") {
  CHECK(example::quoted("1 2 'x'") == "'1 2 'x''");
  CHECK(example::quoted("a\tb") == "'a\\x09b'");
  CHECK(example::quoted(std::string(60, 'a')) == "'" + std::string(60, 'a') + "'");
  CHECK(example::quoted(std::string(61, 'a')) == "'" + std::string(60, 'a') + "...'");
  CHECK(example::quoted(std::string(58, 'a') + "\x01") == "'" + std::string(58, 'a') + "...'");
  CHECK(example::quoted(std::string(1000, '\xff')).size() == 65);
}

TEST_CASE("the diagonal blocks of a sparse matrix, the last one filled up with the identity", "[fem]") {
  const fem::sparse_matrix A =
      read(std::string(symmetric) + "5 5 8\n1 1 4\n2 1 1\n2 2 5\n3 2 9\n3 3 6\n4 3 2\n4 4 7\n5 5 8\n");
  fem::require_symmetric(A);
  const fem::systems<double> blocks = fem::diagonal_blocks<double>(A, 2, 1);
  REQUIRE(blocks.count == 3);
  const std::vector<double> expected = {4, 1, 1, 5, 6, 2,
                                        2, 7, 8, 0, 0, 1};  // (3, 2) lies between two blocks
  CHECK(std::vector<double>(blocks.A.data(), blocks.A.data() + 12) == expected);

  const fem::sparse_matrix full = read(std::string(general) + "2 2 4\n1 1 4\n2 1 1\n1 2 1\n2 2 5\n");
  fem::require_symmetric(full);
  const fem::systems<double> one = fem::diagonal_blocks<double>(full, 3, 1);
  REQUIRE(one.count == 1);
  const std::vector<double> padded = {4, 1, 0, 1, 5, 0, 0, 0, 1};
  CHECK(std::vector<double>(one.A.data(), one.A.data() + 9) == padded);
}
