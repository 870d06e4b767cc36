// Needs: gels

// gels: least squares and least norm, failures, and what is left alone. Every case runs on the backend under
// test.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "batched/qr/gels.hpp"
#include "catch.hpp"
#include "lines.hpp"
#include "qr/qr.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Systems op(A) X = B, A m x n.
struct system_shape {
  op how;
  int m, n, nrhs;
  int equations() const { return how == op::none ? m : n; }
  int unknowns() const { return how == op::none ? n : m; }
  bool is_least_squares() const { return equations() >= unknowns(); }
};

/// Right-hand sides in max(m, n) rows; NaN in those that only the solution needs.
template <class T>
slab<T> sides_of(const system_shape& s, int ldb, std::int64_t count, int distinct) {
  slab<T> B(std::max(s.m, s.n), s.nrhs, ldb, count);
  for (std::int64_t b = 0; b < count; ++b) {
    const dense<T> values =
        random_matrix<T>(s.equations(), s.nrhs, static_cast<unsigned>(100 + b % distinct));
    for (int j = 0; j < s.nrhs; ++j) {
      for (int i = 0; i < s.equations(); ++i)
        B.at(b, i, j) = values[static_cast<std::size_t>(i + j * s.equations())];
    }
  }
  return B;
}

/// Rows from ... to of one matrix of B.
template <class T>
dense<T> rows_of(const slab<T>& B, std::int64_t b, int from, int to) {
  dense<T> X;
  for (int j = 0; j < B.n; ++j) {
    for (int i = from; i < to; ++i) X.push_back(B.at(b, i, j));
  }
  return X;
}

/// Its residual, in more digits than it has; LAPACK's ratio of it, and that the rows below the solution have
/// its norm.
template <class T>
void check_least_squares(const system_shape& s, const dense<T>& A, const slab<T>& before,
                         const slab<T>& after, std::int64_t b) {
  using W = residual_type<T>;
  const int rows = s.equations(), k = s.unknowns();
  dense<W> op_A = converted<W>(A);
  if (s.how != op::none) op_A = adjoint(op_A, s.m, s.n);
  const dense<T> sides = rows_of(before, b, 0, rows), below = rows_of(after, b, k, rows);
  const dense<W> product_of = product(op_A, converted<W>(rows_of(after, b, 0, k)), rows, k, s.nrhs);
  dense<W> residual = converted<W>(sides);
  for (std::size_t e = 0; e < residual.size(); ++e) residual[e] -= product_of[e];
  const double size = norm1(A, s.m, s.n) * norm1(sides, rows, s.nrhs),
               eps = std::max({s.m, s.n, s.nrhs}) * static_cast<double>(epsilon<T>);
  const dense<W> gradient = product(adjoint(op_A, rows, k), residual, k, rows, s.nrhs);
  CHECK(norm1(gradient, k, s.nrhs) < threshold * size * eps);
  for (int j = 0; j < s.nrhs; ++j) {
    double expected = 0, left = 0, whole = 0;
    for (int i = 0; i < rows; ++i) {
      expected += static_cast<double>(std::norm(residual[static_cast<std::size_t>(i + j * rows)]));
      whole += static_cast<double>(std::norm(sides[static_cast<std::size_t>(i + j * rows)]));
    }
    for (int i = 0; i < rows - k; ++i)
      left += static_cast<double>(std::norm(below[static_cast<std::size_t>(i + j * (rows - k))]));
    CHECK(std::abs(std::sqrt(expected) - std::sqrt(left)) < threshold * std::sqrt(whole) * eps);
  }
}

/// That the equations hold, and that the solution has nothing orthogonal to the rows of op(A).
template <class T>
void check_least_norm(const system_shape& s, const dense<T>& A, const slab<T>& before, const slab<T>& after,
                      std::int64_t b) {
  using W = residual_type<T>;
  const int rows = s.equations(), unknowns = s.unknowns();
  const dense<T> tall = s.how == op::none ? adjoint(A, s.m, s.n) : A;  // op(A)^H
  const dense<T> X = rows_of(after, b, 0, unknowns), sides = rows_of(before, b, 0, rows);
  const dense<W> product_of =
      product(adjoint(converted<W>(tall), unknowns, rows), converted<W>(X), rows, unknowns, s.nrhs);
  dense<W> residual = converted<W>(sides);
  for (std::size_t e = 0; e < residual.size(); ++e) residual[e] -= product_of[e];
  const double eps = std::max({s.m, s.n, s.nrhs}) * static_cast<double>(epsilon<T>);
  CHECK(norm1(residual, rows, s.nrhs) < threshold * norm1(A, s.m, s.n) * norm1(X, unknowns, s.nrhs) * eps);

  const reflectors<T> of_tall(tall, unknowns, rows);
  const dense<judged<T>> Q = explicit_Q(of_tall.factors, of_tall.tau, unknowns, rows, rows);
  dense<judged<T>> rest = converted<judged<T>>(X);
  const dense<judged<T>> in_range =
      product(Q, product(adjoint(Q, unknowns, rows), rest, rows, unknowns, s.nrhs), unknowns, rows, s.nrhs);
  for (std::size_t e = 0; e < rest.size(); ++e) rest[e] -= in_range[e];
  CHECK(norm1(rest, unknowns, s.nrhs) < threshold * norm1(X, unknowns, s.nrhs) * eps);
}

/// Of full rank, also when rounded.
template <class T>
dense<T> full_rank(int m, int n, unsigned seed) {
  return std::max(m, n) >= 4 * std::min(m, n) ? random_matrix<T>(m, n, seed)
                                              : well_conditioned<T>(m, n, seed);
}

/// Calls gels, with the given line of gels_tables unless that is cuda::selected.
template <class T>
int run_gels(int line, call_form how, const system_shape& s, const resident<T>& a, const resident<T>& x,
             const info_array& info) {
  if (line == cuda::selected) return test::gels(how, s.how, s.m, s.n, a, x, info);
  const std::int64_t count = a.host.count;
  const int rows = std::max(s.m, s.n);
  const bool strided = how == call_form::strided;
  const batch<T> A = strided ? strided_batch(a.memory.data(), s.m, s.n, a.host.ld, a.host.stride, count)
                             : pointer_batch(a.pointers.data(), s.m, s.n, a.host.ld, count);
  const batch<T> B = strided ? strided_batch(x.memory.data(), rows, s.nrhs, x.host.ld, x.host.stride, count)
                             : pointer_batch(x.pointers.data(), rows, s.nrhs, x.host.ld, count);
  return cuda::gels_at(line, A, B, info.data(), test_queue());
}

template <class T>
void solve_and_check(const system_shape& s, std::int64_t count, call_form how, int line = cuda::selected) {
  CAPTURE(static_cast<char>(s.how), s.m, s.n, s.nrhs, count, how == call_form::pointers, line);
  const int distinct = 2;
  std::vector<dense<T>> each;
  slab<T> A(s.m, s.n, s.m + 2, count);
  for (int i = 0; i < distinct; ++i) each.push_back(full_rank<T>(s.m, s.n, static_cast<unsigned>(i + s.m)));
  for (std::int64_t b = 0; b < count; ++b) A.put(b, each[static_cast<std::size_t>(b % distinct)]);
  const slab<T> before = sides_of<T>(s, std::max(s.m, s.n) + 1, count, distinct);
  const resident<T> a(A), x(before);
  const info_array info(count);
  REQUIRE(run_gels(line, how, s, a, x, info) == 0);
  finish();
  CHECK(all_zero(info.download()));
  CHECK(a.download().guards_untouched(A));
  const slab<T> after = x.download();
  CHECK(after.guards_untouched(before));
  CHECK(position_does_not_matter(after, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct) && s.nrhs > 0; ++b) {
    if (s.is_least_squares()) {
      check_least_squares(s, each[static_cast<std::size_t>(b)], before, after, b);
    } else {
      check_least_norm(s, each[static_cast<std::size_t>(b)], before, after, b);
    }
  }
}

constexpr op both_ways[] = {op::none, op::conj_trans};

}  // namespace

TEMPLATE_LIST_TEST_CASE("gels solves the systems worked by hand", "[gels]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  // A line through (0, 1), (1, 3), (2, 2), (3, 4): 13/10 + 4/5 t leaves (-3, 9, -9, 3) / 10, whose squares
  // sum up to 9/5. And of all x with x_1 + x_2 + x_3 + x_4 = 10, x_2 + 2 x_3 + 3 x_4 = 20 the smallest is
  // (1, 2, 3, 4): it is 1 + t.
  const dense<T> A{1, 1, 1, 1, 0, 1, 2, 3};
  for (const call_form how : forms) {
    for (const op op : legal_ops<T>()) {
      CAPTURE(how == call_form::pointers, static_cast<char>(op));
      const bool squares = op == op::none;
      slab<T> s(4, 2, 5, 2), sides(4, 1, 4, 2);
      for (const int b : {0, 1}) {
        s.put(b, A);
        if (squares) sides.put(b, {1, 3, 2, 4});
        if (!squares) sides.at(b, 0, 0) = T(10), sides.at(b, 1, 0) = T(20);
      }
      const resident<T> a(s), x(sides);
      const info_array info(2);
      REQUIRE(gels(how, op, 4, 2, a, x, info) == 0);
      finish();
      CHECK(info.download() == std::vector<int>{0, 0});
      const dense<T> X = x.download().get(1);
      const dense<T> expected = squares ? dense<T>{R(13) / R(10), R(4) / R(5)} : dense<T>{1, 2, 3, 4};
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(std::abs(X[i] - expected[i]) <= 100 * epsilon<T>);
      if (squares) CHECK(std::abs(std::norm(X[2]) + std::norm(X[3]) - R(9) / R(5)) <= 100 * epsilon<T>);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gels solves least squares and least norm", "[gels]", precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    for (const op op : both_ways) {
      for (const int nrhs : {0, 1, 3, 17})
        solve_and_check<T>({op, e.m, e.n, nrhs}, 3, forms[static_cast<std::size_t>(e.m + nrhs) % 2]);
    }
  }
  for (const op op : both_ways) {
    for (const extents e : {extents{2000, 20},
                            {20, 2000},
                            {257, 129},
                            {200, 200},
                            {2500, 40},
                            {40, 2500},
                            {9000, 20},
                            {700, 70}})
      solve_and_check<T>({op, e.m, e.n, 2}, 1, call_form::strided);
  }
  // Right-hand sides beside A that just fit where tables have a line, and that do not.
  for (const extents e :
       {extents{4, 3}, {8, 7}, {16, 15}, {32, 31}, {48, 47}, {64, 20}, {64, 63}, {61, 13}}) {
    for (const int nrhs : {1, 2, 4, 5}) solve_and_check<T>({op::none, e.m, e.n, nrhs}, 7, call_form::strided);
  }
}

TEMPLATE_LIST_TEST_CASE("gels takes any number of systems", "[gels]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 31, 33, 64, 65, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13}) {
      const op op = both_ways[n % 2];
      solve_and_check<T>({op, n, n, 1}, count, call_form::strided);
      solve_and_check<T>({op, n + 4, n, 2}, count, call_form::pointers);
      solve_and_check<T>({op, n, n + 4, 2}, count, call_form::strided);
    }
  }
  solve_and_check<T>({op::none, 3, 2, 1}, 70000, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE("gels of tiny and of huge numbers is that of numbers around 1", "[gels]",
                        precisions) {
  using T = TestType;
  using R = real_of<T>;
  // A and B scaled by the same have the same solution.
  const int exponent = sizeof(R) == 4 ? 100 : 1000;
  for (const extents e : few_extents()) {
    for (const op op : both_ways) {
      const system_shape s{op, e.m, e.n, 2};
      const dense<T> A = full_rank<T>(e.m, e.n, 3);
      slab<T> plain(e.m, e.n, e.m, 1);
      plain.put(0, A);
      const slab<T> sides = sides_of<T>(s, std::max(e.m, e.n), 1, 1);
      const resident<T> a(plain), x(sides);
      REQUIRE(gels(call_form::strided, op, e.m, e.n, a, x, info_array(1)) == 0);
      for (const R scale : {std::ldexp(R(1), exponent), std::ldexp(R(1), -exponent)}) {
        CAPTURE(static_cast<char>(op), e.m, e.n, scale);
        slab<T> scaled_A = plain, scaled_B = sides;
        for (T& value : scaled_A.host) value *= scale;
        for (T& value : scaled_B.host) value *= scale;
        const resident<T> scaled_a(scaled_A), scaled_x(scaled_B);
        const info_array info(1);
        REQUIRE(gels(call_form::strided, op, e.m, e.n, scaled_a, scaled_x, info) == 0);
        finish();
        CHECK(all_zero(info.download()));
        const dense<T> expected = rows_of(x.download(), 0, 0, s.unknowns()),
                       X = rows_of(scaled_x.download(), 0, 0, s.unknowns());
        CHECK(difference_ratio(X, expected, norm1(expected, s.unknowns(), 2)) <
              threshold * std::max(e.m, e.n));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gels gives the same bits on every run, by pointers and by strides", "[gels]",
                        precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    for (const op op : legal_ops<T>()) {
      CAPTURE(e.m, e.n, static_cast<char>(op));
      const std::int64_t count = e.m * e.n > 3000 ? 9 : 37;
      const slab<T> A = repeated_qr<T>("random", e.m, e.n, 4, 3).fill(e.m, count);
      const slab<T> B = sides_of<T>({op, e.m, e.n, 3}, std::max(e.m, e.n), count, 4);
      const auto other = op == op::trans ? op::conj_trans : op;  // of real matrices it is the same
      const std::pair<call_form, talus::op> calls[] = {{call_form::strided, op},
                                                       {call_form::strided, op},
                                                       {call_form::pointers, op},
                                                       {call_form::strided, other}};
      std::vector<slab<T>> results;
      for (const auto& [how, way] : calls) {
        const resident<T> a(A), x(B);
        REQUIRE(gels(how, way, e.m, e.n, a, x, info_array(count)) == 0);
        finish();
        results.push_back(x.download());
      }
      for (const slab<T>& result : results) CHECK(result.same_bits(results[0]));
      CHECK(position_does_not_matter(results[0], 4));
    }
  }
}

// ---- failures, and nothing to do -------------------------------------------------------------------------

TEMPLATE_LIST_TEST_CASE("a zero or NaN on R's diagonal leaves right-hand sides alone, and neighbours",
                        "[gels]", precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    for (const op op : both_ways) {
      CAPTURE(e.m, e.n, static_cast<char>(op));
      const int k = std::min(e.m, e.n);
      const std::int64_t count = 9;
      slab<T> A(e.m, e.n, e.m + 1, count);
      for (std::int64_t b = 0; b < count; ++b) A.put(b, full_rank<T>(e.m, e.n, 1));
      const slab<T> B = sides_of<T>({op, e.m, e.n, 2}, std::max(e.m, e.n) + 1, count, 1);
      const resident<T> well(A), healthy(B);
      REQUIRE(gels(call_form::strided, op, e.m, e.n, well, healthy, info_array(count)) == 0);
      // Element i of column j of the tall one of A and A^H.
      const auto tall = [&](std::int64_t b, int i, int j) -> T& {
        return e.m >= e.n ? A.at(b, i, j) : A.at(b, j, i);
      };
      const int higher = std::max(e.m, e.n);
      for (int i = 0; i < higher; ++i) {
        for (const auto& [b, j] : {std::pair{1, k / 2}, {3, k - 1}, {4, 0}, {8, k / 2}}) tall(b, i, j) = T(0);
      }
      tall(6, higher - 1, k / 2) = nan_of<T>();
      tall(7, 0, k - 1) = nan_of<T>();
      if (k / 2 < k - 1) tall(8, higher - 1, k - 1) = nan_of<T>();
      const std::vector<int> expected{0, k / 2 + 1, 0, k, 1, 0, k / 2 + 1, k, k / 2 + 1};
      const resident<T> by_strides(A), by_pointers(A), x(B), y(B);
      const info_array info(count), info_again(count);
      REQUIRE(gels(call_form::strided, op, e.m, e.n, by_strides, x, info) == 0);
      REQUIRE(gels(call_form::pointers, op, e.m, e.n, by_pointers, y, info_again) == 0);
      finish();
      CHECK(info.download() == expected);
      CHECK(info_again.download() == expected);
      CHECK(by_strides.download().guards_untouched(A));
      for (const resident<T>* solution : {&x, &y}) {
        const slab<T> X = solution->download();
        for (std::int64_t b = 0; b < count; ++b)
          CHECK(X.same_bits(b, expected[static_cast<std::size_t>(b)] != 0 ? B : healthy.download(), b));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a NaN among right-hand sides comes out of gels", "[gels]", precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    for (const op op : both_ways) {
      CAPTURE(e.m, e.n, static_cast<char>(op));
      const system_shape s{op, e.m, e.n, 3};
      slab<T> A(e.m, e.n, e.m, 3);
      for (std::int64_t b = 0; b < 3; ++b) A.put(b, full_rank<T>(e.m, e.n, 1));
      slab<T> B = sides_of<T>(s, std::max(e.m, e.n), 3, 1);
      B.at(1, s.equations() / 2, 1) = nan_of<T>();
      const resident<T> a(A), x(B);
      const info_array info(3);
      REQUIRE(gels(call_form::strided, op, e.m, e.n, a, x, info) == 0);
      finish();
      CHECK(all_zero(info.download()));
      const slab<T> X = x.download();
      for (std::int64_t b = 0; b < 3; ++b) {
        for (int j = 0; j < 3; ++j) CHECK(has_nan(X, b, j) == (b == 1 && j == 1));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gels without rows or columns makes B zero", "[gels]", precisions) {
  using T = TestType;
  for (const extents e : {extents{0, 5}, {5, 0}, {0, 40}, {0, 0}}) {
    for (const op op : both_ways) {
      CAPTURE(e.m, e.n, static_cast<char>(op));
      const int rows = std::max(e.m, e.n);
      const slab<T> B = right_hand_sides<T>(rows, 3, rows + 1, 3, 3);
      const resident<T> x(B), y(B);
      const info_array info(3), by_pointers(3);
      REQUIRE(gels_strided_batched<T>(op, e.m, e.n, 3, nullptr, std::max(1, e.m), 0, x.memory.data(), B.ld,
                                      B.stride, info.data(), 3, test_queue()) == 0);
      REQUIRE(gels_batched<T>(op, e.m, e.n, 3, nullptr, std::max(1, e.m), y.pointers.data(), B.ld,
                              by_pointers.data(), 3, test_queue()) == 0);
      finish();
      CHECK(all_zero(info.download()));
      CHECK(all_zero(by_pointers.download()));
      for (const resident<T>* zeroed : {&x, &y}) {
        CHECK(zeroed->download().guards_untouched(B));
        for (std::int64_t b = 0; b < 3; ++b)
          CHECK(zeroed->download().get(b) == dense<T>(B.get(b).size(), T(0)));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gels without right-hand sides: legal, and info says what R's diagonal does",
                        "[gels]", precisions) {
  using T = TestType;
  for (const extents e : {extents{6, 4}, {4, 6}, {40, 40}}) {
    for (const op op : both_ways) {
      CAPTURE(e.m, e.n, static_cast<char>(op));
      const slab<T> A = repeated_qr<T>("random", e.m, e.n, 1, 3).fill(e.m, 3);
      const resident<T> a(A);
      const info_array info(3);
      REQUIRE(gels_strided_batched<T>(op, e.m, e.n, 0, a.memory.data(), e.m, A.stride, nullptr,
                                      std::max(e.m, e.n), 0, info.data(), 3, test_queue()) == 0);
      finish();
      CHECK(all_zero(info.download()));
      CHECK(a.download().guards_untouched(A));
    }
  }
}

TEST_CASE("gels never reads info, writes every one", "[gels]") {
#ifdef TALUS_HAVE_D
  for (const extents e : {extents{1, 1}, {9, 4}, {4, 9}, {40, 40}, {100, 20}}) {
    for (const int stale : {0, 1, -1, 12345}) {
      CAPTURE(e.m, e.n, stale);
      const resident<double> a(repeated_qr<double>("random", e.m, e.n, 1, 1).fill(e.m, 5)),
          x(sides_of<double>({op::none, e.m, e.n, 1}, std::max(e.m, e.n), 5, 1));
      const array<int> info(std::vector<int>(5, stale));
      REQUIRE(gels_strided_batched<double>(op::none, e.m, e.n, 1, a.memory.data(), e.m, a.host.stride,
                                           x.memory.data(), x.host.ld, x.host.stride, info.data(), 5,
                                           test_queue()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>(5, 0));
    }
  }
#endif
}

#ifdef TALUS_WITH_CUDA

namespace {

/// Returns the bound of a line's extent; without a bound, a size between the bounds of other lines.
template <class T>
int largest_of_line(int line, int extent) {
  const int bound = cuda::gels_tables::at<T>(line).bounds[extent];
  return bound == cuda::any_extent ? 13 : bound;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of gels' table works at its borders", "[gels][table]", precisions) {
  using T = TestType;
  using tables = cuda::gels_tables;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const int m_max = largest_of_line<T>(line, 0), n_max = largest_of_line<T>(line, 1),
              nrhs_max = largest_of_line<T>(line, 2), tbc = tbc_of(tables::at<T>(line).kernel);
    for (const int n : borders(n_max)) {
      for (const int m : std::set<int>{n, n + 1, m_max - 1, m_max}) {
        if (n == 0 || m < n || m > m_max) continue;
        for (const int nrhs : std::set<int>{0, 1, nrhs_max}) {
          for (const std::int64_t count : std::set<std::int64_t>{1, tbc + 1, 2 * tbc + 1}) {
            const auto form = count == 1 ? call_form::pointers : call_form::strided;
            solve_and_check<T>({op::none, m, n, nrhs}, count, form, line);
          }
        }
      }
    }
  }
}

/// Small enough for tools that slow a kernel down a hundredfold.
TEMPLATE_LIST_TEST_CASE("every kernel of gels' tables, small", "[.][sanitize]", precisions) {
  using T = TestType;
  using tables = cuda::gels_tables;
  if (!on_cuda()) return;
  std::set<std::vector<int>> run;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const auto& kernel = tables::at<T>(line).kernel;
    if (!run.insert(parameters_of(kernel, {"tbc"})).second) continue;
    const int m = largest_of_line<T>(line, 0), n = largest_of_line<T>(line, 1);
    solve_and_check<T>({op::none, m, n, 1}, tbc_of(kernel) + 1, call_form::strided, line);
    solve_and_check<T>({op::none, m, (n + 1) / 2, largest_of_line<T>(line, 2)}, 3, call_form::pointers, line);
  }
}

#endif  // TALUS_WITH_CUDA

TEMPLATE_LIST_TEST_CASE("gels, small", "[.][sanitize]", precisions) {
  for (const extents e : {extents{1, 1}, {3, 3}, {8, 5}, {5, 8}, {20, 20}, {40, 7}, {7, 40}, {70, 40}}) {
    for (const op op : both_ways) {
      solve_and_check<TestType>({op, e.m, e.n, 3}, 9, call_form::strided);
      solve_and_check<TestType>({op, e.m, e.n, 1}, 3, call_form::pointers);
    }
  }
  solve_and_check<TestType>({op::none, 2100, 19, 3}, 2, call_form::strided);
  solve_and_check<TestType>({op::none, 19, 2100, 3}, 2, call_form::strided);
}
