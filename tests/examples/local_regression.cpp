// The neighbours, fits and orders of examples/local_regression.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "basis.hpp"
#include "catch.hpp"
#include "cloud.hpp"
#include "common/output_file.hpp"
#include "convergence.hpp"
#include "error_picture.hpp"
#include "error_table.hpp"
#include "fields.hpp"
#include "fit.hpp"
#include "memory.hpp"

namespace {

using namespace regression;
using talus::test::test_queue;
#ifdef TALUS_HAVE_D
using real = double;
#else
using real = float;
#endif

job fixed(int neighbours, int right_sides = 1) {
  job what;
  what.least = what.most = neighbours;
  what.fields = right_sides;
  what.memory = 1e9;
  return what;
}
job ragged(double radius, int least, int most) {
  job what = fixed(most);
  what.least = least;
  what.radius = radius;
  return what;
}

outcome fit(const cloud& points, const basis& monomials, const fields& given, const job& what) {
  return fits<real>(points, monomials, given, what, test_queue()).run();
}

/// x^2 y - 3 x z + 2 + which, or in 2D x^2 y - 3 x + 2 + which.
fields polynomial(int dimension) {
  return [dimension](const double* x, int which) {
    const double z = dimension == 3 ? x[2] : 1;
    derivatives f;
    f.value = x[0] * x[0] * x[1] - 3 * x[0] * z + 2 + which;
    f.gradient[0] = 2 * x[0] * x[1] - 3 * z;
    f.gradient[1] = x[0] * x[0];
    f.gradient[2] = -3 * x[0];
    f.laplacian = 2 * x[1];
    return f;
  };
}

double distance_square(const cloud& points, std::int64_t a, std::int64_t b) {
  double square = 0;
  for (int d = 0; d < points.dimension(); ++d)
    square += (points[a][d] - points[b][d]) * (points[a][d] - points[b][d]);
  return square;
}

}  // namespace

TEST_CASE("a cloud's nearest points are the nearest of all", "[regression]") {
  for (const int dimension : {2, 3})
    for (const int wanted : {1, 7, 45, 5000}) {
      const int edge = dimension == 2 ? 30 : 9;
      // Much too large and much too small cells find the same.
      for (const int expected : {1, wanted, 100000}) {
        const cloud points(dimension, scattered(dimension, edge), expected);
        std::vector<neighbour> found;
        for (std::int64_t p = 0; p < points.size(); p += 61) {
          std::vector<neighbour> all;
          for (std::int64_t o = 0; o < points.size(); ++o)
            all.push_back({distance_square(points, o, p), static_cast<int>(o)});
          std::sort(all.begin(), all.end());
          points.nearest(p, wanted, found);
          REQUIRE(found.size() == std::min(static_cast<std::size_t>(wanted), all.size()));
          CHECK(found[0].point == p);
          bool same = true;
          for (std::size_t i = 0; i < found.size(); ++i)
            same &= found[i].point == all[i].point && found[i].square == all[i].square;
          CHECK(same);
        }
      }
    }
}

TEST_CASE("scattered points are one in each square of their grid", "[regression]") {
  const int edge = 20;
  const std::vector<double> positions = scattered(2, edge);
  std::vector<int> count(edge * edge, 0);
  for (std::size_t p = 0; p < positions.size(); p += 2)
    ++count[static_cast<std::size_t>(positions[p] * edge) +
            edge * static_cast<std::size_t>(positions[p + 1] * edge)];
  CHECK(std::all_of(count.begin(), count.end(), [](int in_square) { return in_square == 1; }));
}

TEST_CASE("a basis has every monomial once", "[regression]") {
  struct size {
    int dimension, degree, columns;
  };
  for (const size& s :
       {size{2, 2, 6}, size{2, 3, 10}, size{2, 4, 15}, size{3, 2, 10}, size{3, 3, 20}, size{3, 4, 35}}) {
    const basis monomials(s.dimension, s.degree);
    REQUIRE(monomials.columns() == s.columns);
    const double u[] = {0.5, -1.25, 3};
    std::vector<double> values(static_cast<std::size_t>(s.columns));
    monomials.evaluate(u, values.data());
    for (int j = 0; j < s.columns; ++j) {
      const auto& powers = monomials.powers(j);
      CHECK(powers[0] + powers[1] + powers[2] <= s.degree);
      CHECK(values[static_cast<std::size_t>(j)] ==
            std::pow(u[0], powers[0]) * std::pow(u[1], powers[1]) * std::pow(u[2], powers[2]));
      for (int i = 0; i < j; ++i) CHECK(monomials.powers(i) != powers);
    }
    for (int axis = 0; axis < s.dimension; ++axis) {
      CHECK(values[static_cast<std::size_t>(monomials.linear(axis))] == u[axis]);
      CHECK(values[static_cast<std::size_t>(monomials.square(axis))] == u[axis] * u[axis]);
    }
  }
}

TEST_CASE("the derivatives of fields are their differences", "[regression]") {
  for (const int dimension : {2, 3})
    for (const int which : {0, 3}) {
      const fields f = wave_and_bell(dimension);
      const double x[] = {0.2, 0.7, 0.9}, h = 1e-4;
      const derivatives right = f(x, which);
      double laplacian = 0;
      for (int d = 0; d < dimension; ++d) {
        double before[] = {x[0], x[1], x[2]}, after[] = {x[0], x[1], x[2]};
        before[d] -= h, after[d] += h;
        const double low = f(before, which).value, high = f(after, which).value;
        CHECK(std::abs((high - low) / (2 * h) - right.gradient[d]) < 1e-6);
        laplacian += (high - 2 * right.value + low) / (h * h);
      }
      CHECK(std::abs(laplacian - right.laplacian) < 1e-5);
    }
}

TEST_CASE("fits find polynomials of their degree", "[regression]") {
  const double small = 1e3 * std::numeric_limits<real>::epsilon();
  for (const int dimension : {2, 3}) {
    const cloud points(dimension, scattered(dimension, dimension == 2 ? 16 : 8), 40);
    for (const int degree : {3, 4})
      for (const job& what : {fixed(55), fixed(58, 3), ragged(0.2, 53, 60)}) {
        const outcome all = fit(points, basis(dimension, degree), polynomial(dimension), what);
        INFO(dimension << "D, degree " << degree << ", " << what.least << " to " << what.most);
        CHECK(all.points == points.size());
        CHECK(all.off.count == 0);
        CHECK(all.value.relative() < small);
        CHECK(all.gradient.relative() < 10 * small);
        CHECK(all.laplacian.relative() < 1000 * small);
      }
    // A degree less is not enough.
    const outcome coarse = fit(points, basis(dimension, 2), polynomial(dimension), fixed(30));
    CHECK(coarse.off.count == 0);
    CHECK(coarse.gradient.relative() > 1e-4);
  }
}

TEST_CASE("a small memory means more calls and the same fits", "[regression]") {
  const cloud points(2, scattered(2, 20), 40);
  const basis monomials(2, 3);
  for (const bool mixed : {false, true}) {
    job what = mixed ? ragged(0.17, 30, 60) : fixed(33, 2);
    const outcome one = fit(points, monomials, wave_and_bell(2), what);
    CHECK(one.calls == 1);
    CHECK(one.off.count == 0);
    what.memory = 90 * fits<real>::bytes(monomials, what);
    what.loop = 50;
    const outcome five = fit(points, monomials, wave_and_bell(2), what);
    CHECK(five.calls == 5);
    CHECK(five.off.count == 0);
    CHECK(five.loop_seconds > 0);
    CHECK(five.neighbours == one.neighbours);
    CHECK(std::abs(five.laplacian.relative() / one.laplacian.relative() - 1) < 1e-3);
    if (mixed) {
      CHECK(one.neighbours > 30 * points.size());
      CHECK(one.neighbours < 60 * points.size());
    } else {
      CHECK(one.neighbours == 33 * points.size());
    }
  }
}

TEST_CASE("errors fall with the orders that are expected, and what does not is found", "[regression]") {
  const basis monomials(2, 2);
  std::vector<refinement> all;
  for (const int edge : {10, 20}) {
    const cloud points(2, scattered(2, edge), 30);
    all.push_back({1.0 / edge, fit(points, monomials, wave_and_bell(2), fixed(30))});
    CHECK(all.back().fitted.off.count == 0);
    CHECK(all.back().fitted.residual < 30);
  }
  const double epsilon = std::numeric_limits<real>::epsilon();
  example::findings none, slow;
  check_orders(monomials, all, epsilon, none);
  CHECK(none.count == 0);
  CHECK(order(all[0], all[1], 0) > 2.65);
  check_orders(basis(2, 4), all, epsilon, slow);  // as if two orders more were expected
  CHECK(slow.count == 3);
  CHECK(slow.lines[0].find("value: its error falls with order ") == 0);
  example::findings rounding;
  check_orders(basis(2, 4), all, 1, rounding);
  CHECK(rounding.count == 0);
}

TEST_CASE("points on a line have no fit in the plane", "[regression]") {
  std::vector<double> positions;
  for (int i = 0; i < 50; ++i) positions.push_back(i * 0.02), positions.push_back(0);
  const outcome all = fit(cloud(2, positions, 20), basis(2, 2), wave_and_bell(2), fixed(20));
  REQUIRE(all.off.count == 50);
  CHECK(all.off.lines[0].find("point 0 (20 neighbours): info = 3: column 3 depends") == 0);
}

TEST_CASE("a picture shows dots and slopes of each panel", "[regression]") {
  std::vector<refinement> all(3);
  for (std::size_t i = 0; i < 3; ++i) {
    const double h = std::pow(0.5, static_cast<double>(i));
    all[i].spacing = 0.1 * h;
    all[i].fitted.value.add(h * h * h, 1), all[i].fitted.gradient.add(h * h, 1);
    all[i].fitted.laplacian.add(0, 1);  // cannot be drawn
  }
  const std::string text =
      svg({{"one", basis(2, 2), all}, {"two", basis(3, 2), all}, {"none", basis(2, 2), {}}});
  const auto count = [&](const std::string& word) {
    int found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  CHECK(count("<circle") == 12);
  CHECK(count("stroke-dasharray") == 4);
  CHECK(count(">two<") == 1);
  CHECK(count("nan") + count("inf") == 0);
  CHECK(count("<g") == count("</g>"));
  CHECK_THROWS(example::output_file("--picture", "/no/such/folder/errors.svg"));
}
