// The solver of examples/multifrontal, on the backend under test.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "common/queued_work.hpp"
#include "common/random_numbers.hpp"
#include "examples/sparse_matrices.hpp"
#include "memory.hpp"
#include "multifrontal/analysis.hpp"
#include "multifrontal/run.hpp"
#include "multifrontal/solver.hpp"
#include "sparse/problem.hpp"

namespace {

using multifrontal::failure;
using multifrontal::solver;
using sparse::matrix;
using sparse::problem;
using talus::test::best_ordering;
using talus::test::dominated;
using talus::test::each_entry;
using talus::test::joined_blocks;
using talus::test::made;
using talus::test::random_definite;
using talus::test::random_unsymmetric;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

matrix tridiagonal(int n) {
  return made(n, true, [](int i, int j) { return i == j ? 2.5 : i == j + 1 ? -1.0 : 0.0; });
}

/// Unsymmetric, of one front, in which rows are exchanged.
matrix dense_unsymmetric(int n) {
  example::random_numbers random(8);
  return made(n, false, [&](int, int) { return random.next(); });
}

/// D A D, for unsymmetric A it is D A E, with D and E between 10^-exponent and 10^exponent.
matrix badly_scaled(matrix A, int exponent) {
  const std::vector<double> d = example::random_vector(A.n, 71),
                            e = A.symmetric ? d : example::random_vector(A.n, 72);
  each_entry(A, [&](int i, int j, std::size_t k) {
    A.value[k] *= std::pow(10.0, exponent * d[at(i)]) * std::pow(10.0, exponent * e[at(j)]);
  });
  return A;
}

/// System s is D A D, with D between 1 and 1 + s / 10.
problem varied(const matrix& A) {
  return {A, [A](std::int64_t s) {
            std::vector<double> value = A.value, d = example::random_vector(A.n, 70);
            each_entry(A, [&](int i, int j, std::size_t e) {
              const auto scale = [&](int k) { return 1 + 0.05 * double(s) * (d[at(k)] + 1); };
              value[e] *= scale(i) * scale(j);
            });
            return value;
          }};
}

/// Systems of one pattern, factored and solved on a queue of their own.
class solution {
 public:
  solution(const matrix& A, int systems, int nrhs, const std::string& ordering = best_ordering())
      : A_(A),
        systems_(systems),
        nrhs_(nrhs),
        all_(multifrontal::analyse(A_, A_.symmetric, ordering)),
        own_(talus::test::backend_under_test()),
        solver_(A_, all_, systems, nrhs, own_.get()),
        b_(example::random_vector(A.n * nrhs * systems, 9)),
        values_(at(systems)) {
    solver_.send(solver::vector::b, b_);
  }

  void send(int system, const std::vector<double>& value) {
    values_[at(system)] = value;
    solver_.send_values(system, value);
  }
  void send(const problem& what) {
    for (int s = 0; s < systems_; ++s) send(s, what.values(s));
  }
  void send_right_hand_sides(const std::vector<double>& b) {
    b_ = b;
    solver_.send(solver::vector::b, b_);
  }
  std::optional<failure> factor() {
    solver_.factor();
    return solver_.first_failure();
  }
  std::vector<double> solve() {
    solver_.solve();
    return solver_.fetch(solver::vector::x);
  }
  std::vector<double> refine(int times) {
    for (int i = 0; i < times; ++i) {
      solver_.find_residual();
      solver_.correct();
    }
    return solver_.fetch(solver::vector::x);
  }

  /// The worst of a system's vectors; NaN if one is.
  double backward_error(int system, const std::vector<double>& x) const {
    double worst = 0;
    for (int r = 0; r < nrhs_; ++r) {
      const std::size_t begin = at(A_.n) * at(system * nrhs_ + r);
      const double error =
          sparse::backward_error(A_, values_[at(system)].data(), x.data() + begin, b_.data() + begin);
      worst = std::isnan(worst) || error < worst ? worst : error;
    }
    return worst;
  }
  bool all_solved(const std::vector<double>& x, double bound = 1e-14) const {
    bool fine = true;
    for (int s = 0; s < systems_; ++s) fine &= backward_error(s, x) < bound;
    return fine;
  }

  const multifrontal::analysis& analysis() const { return all_; }
  const std::vector<double>& b() const { return b_; }
  const solver& inside() const { return solver_; }
  talus::queue queue() const { return own_.get(); }
  int most_pivots() const {
    int most = 0;
    for (const multifrontal::level_plan& level : all_.where.levels) most = std::max(most, level.k_max);
    return most;
  }

 private:
  const matrix A_;
  int systems_, nrhs_;
  multifrontal::analysis all_;
  example::own_queue own_;
  solver solver_;
  std::vector<double> b_;
  std::vector<std::vector<double>> values_;
};

/// Some systems with as many right-hand sides, factored, solved, refined: the solver's own errors first.
void check_solved(const problem& what, int systems, int nrhs, double unrefined = 1e-14,
                  const std::string& ordering = best_ordering()) {
  INFO(what.A.name << ": n = " << what.A.n << ", " << systems << " systems, " << nrhs << " right-hand sides, "
                   << (what.A.symmetric ? "Cholesky" : "LU"));
  solution s(what.A, systems, nrhs, ordering);
  s.send(what);
  REQUIRE_FALSE(s.factor());
  const std::vector<double> x = s.solve();
  CHECK(s.all_solved(x, unrefined));
  CHECK(s.all_solved(s.refine(3)));
}

/// Without the words that a failing CHECK of two vectors would print.
bool same(const std::vector<double>& a, const std::vector<double>& b) { return a == b; }

/// Gaussian elimination with row exchanges.
std::vector<long double> solved_densely(const matrix& A, const double* b) {
  const std::size_t n = at(A.n);
  std::vector<std::vector<long double>> rows(n, std::vector<long double>(n + 1, 0));
  each_entry(A, [&](int i, int j, std::size_t e) {
    rows[at(i)][at(j)] = A.value[e];
    if (A.symmetric) rows[at(j)][at(i)] = A.value[e];
  });
  for (std::size_t i = 0; i < n; ++i) rows[i][n] = b[i];
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j + 1; i < n; ++i)
      if (std::abs(rows[i][j]) > std::abs(rows[j][j])) std::swap(rows[i], rows[j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      const long double factor = rows[i][j] / rows[j][j];
      for (std::size_t k = j; k <= n; ++k) rows[i][k] -= factor * rows[j][k];
    }
  }
  std::vector<long double> x(n);
  for (std::size_t j = n; j-- > 0;) {
    x[j] = rows[j][n];
    for (std::size_t k = j + 1; k < n; ++k) x[j] -= rows[j][k] * x[k];
    x[j] /= rows[j][j];
  }
  return x;
}

/// A matrix with other numbers at some entries (i, j) of what is stored.
matrix with(matrix A, const std::vector<std::pair<int, int>>& places, double value) {
  each_entry(A, [&](int i, int j, std::size_t e) {
    if (std::find(places.begin(), places.end(), std::pair{i, j}) != places.end()) A.value[e] = value;
  });
  return A;
}

int pivot_of(const solution& s, int column) {
  const std::vector<int>& columns = s.analysis().column_of_pivot;
  return static_cast<int>(std::find(columns.begin(), columns.end(), column) - columns.begin());
}

/// How a factorization of one system ends that has the values of `A`.
void check_failure(const matrix& A, int column, const std::string& ordering) {
  INFO("order " << ordering << ", column " << column);
  solution s(A, 1, 1, ordering);
  s.send(0, A.value);
  const std::optional<failure> failed = s.factor();
  REQUIRE(failed);
  CHECK(failed->system == 0);
  CHECK(failed->column == column);
  CHECK(failed->pivot == pivot_of(s, column));
}

}  // namespace

TEST_CASE("solutions are those of elimination without fronts", "[multifrontal]") {
  const matrix some[] = {made(1, true, [](int, int) { return 4.0; }),
                         made(1, false, [](int, int) { return -4.0; }),
                         made(2, false, [](int i, int j) { return i == j ? 0.0 : 3.0 + i; }),
                         sparse::poisson({7, 8, 1}).A,
                         sparse::elasticity({3, 3, 2}).A,
                         random_definite(90, 3, 4),
                         random_unsymmetric(80, 3, 4.0, 5),
                         random_unsymmetric(80, 2, 0.0, 6),
                         dense_unsymmetric(40),
                         joined_blocks(2, 30, 20, false, 9.0)};
  for (const matrix& A : some)
    for (const std::string& ordering : {std::string("natural"), best_ordering()}) {
      INFO(A.name << ", n = " << A.n << ", ordering " << ordering);
      solution s(A, 1, 1, ordering);
      s.send(0, A.value);
      REQUIRE_FALSE(s.factor());
      s.solve();
      const std::vector<double> x = s.refine(2);
      const std::vector<long double> expected = solved_densely(A, s.b().data());
      long double largest = 0, off = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        largest = std::max(largest, std::abs(expected[i]));
        off = std::max(off, std::abs(expected[i] - x[i]));
      }
      CHECK(off <= 1e-12L * largest);
    }
}

TEST_CASE("systems are solved, each with its right-hand sides", "[multifrontal]") {
  for (const int nrhs : {1, 2, 5})
    for (const int systems : {1, 3}) {
      check_solved(sparse::poisson({13, 17, 1}), systems, nrhs);
      check_solved(sparse::with_both_triangles(sparse::poisson({6, 5, 6})), systems, nrhs);
      check_solved(sparse::elasticity({4, 3, 4}), systems, nrhs);
      check_solved(varied(random_definite(300, 4, 7)), systems, nrhs);
      check_solved(varied(random_unsymmetric(300, 4, 3.0, 8)), systems, nrhs);
    }
  check_solved(sparse::poisson({11, 11, 11}), 2, 1);
  check_solved(sparse::elasticity({8, 8, 7}), 1, 2);
  check_solved(sparse::with_both_triangles(sparse::elasticity({24, 30, 1})), 2, 1);
  check_solved(varied(random_definite(1500, 5, 9)), 1, 1);
}

TEST_CASE("LU pivots where diagonals are small or missing", "[multifrontal]") {
  for (const double diagonal : {1e-3, 0.0})
    for (const int n : {10, 57, 400, 900}) {
      INFO("diagonal " << diagonal);
      check_solved(varied(random_unsymmetric(n, 4, diagonal, 10)), 2, 2, 1e-7);
      check_solved(varied(random_unsymmetric(n, 2, diagonal, 11)), 1, 1, 1e-7);
      check_solved(varied(random_unsymmetric(n, 4, diagonal, 12)), 2, 1, 1e-7, "natural");
    }
  for (const int n : {5, 33, 200}) check_solved(varied(dense_unsymmetric(n)), 3, 2, 1e-12, "natural");
}

TEST_CASE("badly scaled systems are solved with small errors in each row", "[multifrontal]") {
  for (const int exponent : {20, 60, 100, 140}) {
    INFO("rows and columns are scaled by 10^+-" << exponent);
    for (const matrix& A : {sparse::poisson({6, 7, 5}).A, random_definite(200, 4, 20)}) {
      check_solved(varied(badly_scaled(A, exponent)), 1, 1, 1e-14);
      check_solved(varied(badly_scaled(A, exponent)), 3, 2, 1e-14);
    }
    for (const matrix& A :
         {sparse::with_both_triangles(sparse::poisson({6, 7, 5})).A, random_unsymmetric(200, 4, 3.0, 21),
          random_unsymmetric(150, 4, 0.0, 22), dense_unsymmetric(40)}) {
      check_solved(varied(badly_scaled(A, exponent)), 1, 1, 1e-4);
      check_solved(varied(badly_scaled(A, exponent)), 3, 2, 1e-4);
    }
  }
}

TEST_CASE("systems are solved at the ends of the range of numbers", "[multifrontal]") {
  for (const int exponent : {-1070, -1030, -1000, 1000, 1015})
    for (const matrix& A :
         {sparse::poisson({6, 7, 5}).A, sparse::with_both_triangles(sparse::poisson({6, 7, 5})).A}) {
      matrix scaled = A;
      for (double& value : scaled.value) value = std::ldexp(value, exponent);
      INFO("2^" << exponent << (A.symmetric ? ", Cholesky" : ", LU"));
      solution s(scaled, 1, 1);
      std::vector<double> b = s.b();
      for (double& value : b) value = std::ldexp(value, exponent / 2);
      s.send_right_hand_sides(b);
      s.send(0, scaled.value);
      REQUIRE_FALSE(s.factor());
      CHECK(s.all_solved(s.solve()));
    }
  // The scales of row 0 and of column 0 are numbers, but their product is not.
  const matrix corner = made(2, false, [](int i, int j) {
    return i == 0 && j == 0 ? 4e-320 : i == 0 || j == 0 ? 1e-160 : 1.0;
  });
  solution s(corner, 1, 1);
  s.send_right_hand_sides({1e-200, -1e-40});
  s.send(0, corner.value);
  REQUIRE_FALSE(s.factor());
  CHECK(s.all_solved(s.solve()));
}

TEST_CASE("systems come apart, and may have nothing beside the diagonal", "[multifrontal]") {
  for (const bool symmetric : {true, false}) {
    check_solved(varied(made(70, symmetric, [](int i, int j) { return i == j ? 1.0 + i : 0.0; })), 3, 2);
    check_solved(varied(made(90, symmetric,
                             [](int i, int j) {
                               return i == j ? 5.0 : i / 9 == j / 9 && (i + j) % 2 == 1 ? 1.0 : 0.0;
                             })),
                 3, 2);
    check_solved(varied(made(1, symmetric, [](int, int) { return 3.0; })), 3, 5);
  }
}

TEST_CASE("fronts of many pivots are solved in blocks", "[multifrontal]") {
  const matrix blocks[] = {dominated(joined_blocks(2, 600, 150, true, 1.0)),
                           joined_blocks(2, 600, 150, false, 2.0)};
  for (const matrix& A : blocks)
    for (const int nrhs : {1, 2}) {
      INFO((A.symmetric ? "Cholesky, " : "LU, ") << nrhs << " right-hand sides");
      solution s(A, 1, nrhs, "natural");
      CHECK(s.most_pivots() > multifrontal::solve_block);
      CHECK(s.analysis().where.levels.front().n2_max > multifrontal::tile::edge);
      s.send(0, A.value);
      REQUIRE_FALSE(s.factor());
      CHECK(s.all_solved(s.solve(), 1e-11));
      CHECK(s.all_solved(s.refine(2)));
    }
  check_solved(varied(dominated(made(1100, true, [](int i, int j) { return 1.0 / (1 + i - j); }))), 1, 1,
               1e-14, "natural");
}

TEST_CASE("the same work gives the same bits, also when it is replayed", "[multifrontal]") {
  const problem some[] = {sparse::poisson({9, 9, 9}), varied(joined_blocks(3, 70, 100, true, 200.0)),
                          varied(random_unsymmetric(400, 4, 1e-3, 13))};
  for (const problem& what : some)
    for (const int nrhs : {1, 3}) {
      INFO(what.A.name << (what.A.symmetric ? ", Cholesky" : ", LU"));
      solution s(what.A, 3, nrhs);
      s.send(what);
      REQUIRE_FALSE(s.factor());
      const std::vector<double> x = s.solve();
      CHECK(same(s.solve(), x));
      REQUIRE_FALSE(s.factor());
      CHECK(same(s.solve(), x));

      const example::recorded_work work(s.queue(), [&] {
        s.inside().factor();
        s.inside().solve();
      });
      const auto replayed = [&] {
        work.replay();
        return s.inside().fetch(solver::vector::x);
      };
      CHECK(same(replayed(), x));
      // Replayed for other values it must not remember these.
      for (int system = 0; system < 3; ++system) s.send(system, what.values(5 + system));
      CHECK(s.all_solved(replayed(), 1e-7));
      CHECK_FALSE(s.inside().first_failure());
      s.send(what);
      CHECK(same(replayed(), x));

      solution again(what.A, 3, nrhs);
      again.send(what);
      REQUIRE_FALSE(again.factor());
      CHECK(same(again.solve(), x));
    }
}

TEST_CASE("a system has the same bits wherever it stands", "[multifrontal]") {
  for (const matrix& A : {sparse::poisson({7, 6, 5}).A, random_unsymmetric(200, 4, 1e-3, 14)}) {
    const problem what = varied(A);
    solution s(A, 4, 1);
    std::vector<double> b = s.b();
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = b[i % at(A.n)];
    s.inside().send(solver::vector::b, b);
    for (int system = 0; system < 4; ++system) s.send(system, what.values(system % 2));
    REQUIRE_FALSE(s.factor());
    const std::vector<double> x = s.solve();
    const auto half = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
    CHECK(std::equal(x.begin(), half, half));
  }
}

TEST_CASE("residuals and corrections", "[multifrontal]") {
  for (const matrix& A : {sparse::elasticity({4, 5, 1}).A, random_unsymmetric(60, 3, 2.0, 15)}) {
    solution s(A, 2, 2);
    s.send(varied(A));
    REQUIRE_FALSE(s.factor());
    const std::vector<double> x = s.solve();
    // Of twice the right-hand side the residual is the right-hand side, the correction x.
    std::vector<double> doubled = s.b();
    for (double& value : doubled) value *= 2;
    s.inside().send(solver::vector::b, doubled);
    s.inside().find_residual();
    const std::vector<double> r = s.inside().fetch(solver::vector::r);
    double off = 0;
    for (std::size_t i = 0; i < r.size(); ++i) off = std::max(off, std::abs(r[i] - s.b()[i]));
    CHECK(off < 1e-12);
    s.inside().correct();
    const std::vector<double> twice = s.inside().fetch(solver::vector::x);
    double largest = 0;
    off = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      largest = std::max(largest, std::abs(x[i]));
      off = std::max(off, std::abs(twice[i] - 2 * x[i]));
    }
    CHECK(off < 1e-11 * largest);
  }
}

TEST_CASE("a pivot that is not positive is named by its column", "[multifrontal]") {
  for (const std::string& ordering : {std::string("natural"), best_ordering()}) {
    // A large negative number on a diagonal makes its own pivot the first that is negative.
    for (const int column : {0, 1, 17, 38, 39}) {
      check_failure(with(tridiagonal(40), {{column, column}}, -1.0), column, ordering);
      check_failure(with(tridiagonal(40), {{column, column}}, not_a_number), column, ordering);
    }
    const matrix grid = sparse::poisson({6, 5, 7}).A;
    for (const int column : {0, 63, 104, 209})
      check_failure(with(grid, {{column, column}}, -100), column, ordering);
    check_failure(with(dominated(joined_blocks(2, 90, 80, true, 1)), {{170, 170}}, -1e4), 170, ordering);
  }
  // In their natural order the leading 3 x 3 of a path is the first that is singular: 1, 1, 0.
  const matrix ones =
      made(6, true, [](int i, int j) { return i == j ? 1.0 + (j > 0 && j < 2) : i == j + 1; });
  check_failure(ones, 2, "natural");
  // NaN beside the diagonal spoils the second of two pivots.
  check_failure(with(tridiagonal(40), {{21, 20}}, not_a_number), 21, "natural");
}

TEST_CASE("of several failures that of the first system counts, and there the first pivot",
          "[multifrontal]") {
  const matrix A = sparse::poisson({9, 8, 7}).A;
  solution s(A, 3, 2);
  const auto spoil = [&](int system, const std::vector<int>& columns) {
    std::vector<std::pair<int, int>> places;
    for (const int c : columns) places.emplace_back(c, c);
    s.send(system, with(A, places, -50.0).value);
  };
  const int first = s.analysis().column_of_pivot.front(), last = s.analysis().column_of_pivot.back(),
            middle = s.analysis().column_of_pivot[200];

  s.send(varied(A));
  spoil(1, {last});
  spoil(2, {first});
  const std::optional<failure> failed = s.factor();
  REQUIRE(failed);
  CHECK((failed->system == 1 && failed->column == last && failed->pivot == A.n - 1));
  std::vector<double> x = s.solve();
  CHECK(s.backward_error(0, x) < 1e-14);
  CHECK_FALSE(s.backward_error(1, x) < 1e-14);

  spoil(0, {last, middle});
  const std::optional<failure> earlier = s.factor();
  REQUIRE(earlier);
  CHECK((earlier->system == 0 && earlier->column == middle && earlier->pivot == 200));

  s.send(varied(A));
  CHECK_FALSE(s.factor());
  CHECK(s.all_solved(s.solve()));
}

TEST_CASE("a singular system of LU is named by its column, others are solved", "[multifrontal]") {
  const matrix A = random_unsymmetric(150, 4, 3.0, 16);
  for (const std::string& ordering : {std::string("natural"), best_ordering()})
    for (const int column : {0, 77, 149}) {
      INFO("order " << ordering << ", column " << column);
      solution s(A, 3, 1, ordering);
      s.send(varied(A));
      std::vector<double> singular = A.value, undefined = A.value;
      each_entry(A, [&](int, int j, std::size_t e) {
        if (j == column) singular[e] = 0, undefined[e] = not_a_number;
      });
      s.send(1, singular);
      const std::optional<failure> failed = s.factor();
      REQUIRE(failed);
      CHECK((failed->system == 1 && failed->column == column && failed->pivot == pivot_of(s, column)));
      std::vector<double> x = s.solve();
      CHECK(s.backward_error(0, x) < 1e-14);
      CHECK(s.backward_error(2, x) < 1e-14);

      s.send(1, undefined);
      s.factor();
      x = s.solve();
      CHECK(std::isnan(s.backward_error(1, x)));
      CHECK(s.backward_error(0, x) < 1e-14);
      CHECK(s.backward_error(2, x) < 1e-14);
    }
}

TEST_CASE("the memory that a solver takes is known before", "[multifrontal]") {
  for (const matrix& A : {sparse::poisson({9, 9, 9}).A, random_unsymmetric(300, 4, 1.0, 17)}) {
    const multifrontal::analysis all = multifrontal::analyse(A, A.symmetric, best_ordering());
    const auto bytes = [&](int systems, int nrhs) {
      return solver::bytes(A, all, systems, nrhs, talus::queue::host());
    };
    const std::int64_t numbers =
        all.where.factor_elements + all.where.schur_elements[0] + all.where.schur_elements[1] + A.entries();
    CHECK(bytes(1, 1) > 8 * at(numbers));
    CHECK(bytes(5, 1) > bytes(1, 1) + 4 * 8 * at(numbers));
    CHECK(bytes(5, 1) < 5 * bytes(1, 1));
    constexpr std::size_t rounding = 4 * 256;  // of as many arrays
    CHECK(bytes(1, 5) + rounding > bytes(1, 2) + 3 * 8 * (3 * at(A.n) + all.tree.row.size()));
  }
}

TEST_CASE("a whole run tells what it did", "[multifrontal]") {
  const example::own_queue own(talus::test::backend_under_test());
  for (const problem& what : {sparse::poisson({8, 8, 8}), varied(random_unsymmetric(300, 4, 1e-3, 18))}) {
    const multifrontal::analysis all = multifrontal::analyse(what.A, what.A.symmetric, best_ordering());
    multifrontal::run_settings how;
    how.systems = 3, how.nrhs = 2, how.repeats = 2;
    const auto [failed, result] = multifrontal::run_all(what, all, how, own.get());
    REQUIRE_FALSE(failed);
    REQUIRE(result.levels.size() == all.where.levels.size());
    double flops = 0, seconds = 0;
    std::int64_t fronts = 0;
    for (const multifrontal::level_report& level : result.levels) {
      flops += level.flops, fronts += level.fronts;
      CHECK((level.assembly_seconds >= 0 && level.factor_seconds > 0));
      CHECK((level.n_max >= level.k_max && level.k_max > 0));
      seconds += level.assembly_seconds + level.factor_seconds;
    }
    CHECK(std::abs(flops - 3 * all.where.flops) <= 1e-12 * flops);
    CHECK(fronts == 3 * static_cast<std::int64_t>(all.tree.fronts.size()));
    CHECK((seconds > 0 && seconds < 60));
    CHECK((result.entries_seconds > 0 && result.factor_seconds > 0 && result.solve_seconds > 0));
    CHECK(result.last_error <= 1e-14);
    CHECK(result.last_error <= result.first_error);
    CHECK((result.refinements > 0) == (result.first_error > 1e-14));
  }
  const problem indefinite = varied(with(sparse::poisson({5, 5, 1}).A, {{12, 12}}, -9.0));
  const multifrontal::analysis all = multifrontal::analyse(indefinite.A, true, best_ordering());
  const auto outcome = multifrontal::run_all(indefinite, all, {2, 1}, own.get());
  REQUIRE(outcome.failed);
  CHECK((outcome.failed->system == 0 && outcome.failed->column == 12));
}

TEST_CASE("matrices of applications are solved", "[multifrontal]") {
  const std::string folder = TALUS_SOURCE_DIR "/../shared/data/matrices/";
  const example::own_queue own(talus::test::backend_under_test());
  for (const char* name : {"bcsstk16", "4elt_laplacian", "1138_bus", "bcsstk13", "add32_big", "SiH4"}) {
    INFO(name);
    const std::string file = folder + name + ".mtx";
    if (!std::ifstream(file)) {
      WARN(file << " is not there: left out");
      continue;
    }
    const problem what = sparse::read_problem(file);
    CHECK(what.A.symmetric == (name != std::string("add32_big")));
    const multifrontal::analysis all = multifrontal::analyse(what.A, what.A.symmetric, best_ordering());
    const auto outcome = multifrontal::run_all(what, all, {1, 1, 1}, own.get());
    if (name == std::string("SiH4")) {  // indefinite
      CHECK(outcome.failed);
      continue;
    }
    CHECK_FALSE(outcome.failed);
    CHECK(outcome.result.last_error <= 1e-14);
  }
}
