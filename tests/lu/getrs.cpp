// Needs: getrs

// getrs and getrs_nopiv: solutions with A, its transpose and its conjugate transpose, failures, and what is
// left alone. Every case runs on the backend under test.
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "lu/lu.hpp"

using namespace talus;
using namespace talus::test;

namespace {

const std::vector<int> sizes{1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 64, 65, 96, 100, 129, 200};

/// With or without row exchanges.
template <class T>
int solve(bool exchanges, call_form how, op op, const resident<T>& A, const pivot_array& ipiv,
          const resident<T>& B, int* info) {
  return exchanges ? test::getrs(how, op, A, ipiv, B, info) : test::getrs_nopiv(how, op, A, B, info);
}
template <class T>
int factor(bool exchanges, call_form how, const resident<T>& A, const pivot_array& ipiv,
           const info_array& info) {
  return exchanges ? test::getrf(how, A, ipiv, info) : test::getrf_nopiv(how, A, {}, info);
}

template <class T>
void solve_and_check(const std::string& kind, bool exchanges, op op, int n, int nrhs, std::int64_t count,
                     call_form how) {
  CAPTURE(kind, exchanges, static_cast<char>(op), n, nrhs, count, how == call_form::pointers);
  const int distinct = 2;
  const repeated_general<T> A(kind, n, n, distinct, 7);
  const slab<T> before = right_hand_sides<T>(n, nrhs, n + 1, count, distinct);
  const resident<T> a(A.fill(n + 2, count)), b(before);
  const pivot_array ipiv(count, n);
  const info_array info(count), info_solve(count);
  REQUIRE(factor(exchanges, how, a, ipiv, info) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const slab<T> factors = a.download();
  const std::vector<std::vector<int>> pivots = ipiv.download();
  REQUIRE(solve(exchanges, how, op, a, ipiv, b, info_solve.data()) == 0);
  finish();
  CHECK(all_zero(info_solve.download()));
  CHECK(a.download().same_bits(factors));  // only read
  CHECK(ipiv.download() == pivots);
  const slab<T> X = b.download();
  CHECK(X.guards_untouched(before));
  CHECK(position_does_not_matter(X, distinct));
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, distinct); ++i) {
    // As good as the factors are, which without row exchanges are as good as their growth.
    const double allowed = exchanges ? 1 : std::max(1.0, largest_multiplier(factors.get(i), n, n));
    CHECK(solve_ratio(applied(op, A[i], n), X.get(i), before.get(i), n, nrhs) < threshold * allowed);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("getrs solves the systems worked by hand", "[getrs]", precisions) {
  using T = TestType;
  // A = [2 4; 4 0] (complex: 4i in the corner), rows exchanged: L = [1; 1/2 1], U = [4 0; 0 4].
  const T corner = is_complex<T> ? T(std::sqrt(T(-16))) : T(4);
  const dense<T> factors{4, T(0.5), 0, corner};
  for (const call_form how : forms) {
    for (const op op : every_op) {
      CAPTURE(static_cast<char>(op), how == call_form::pointers);
      const dense<T> A{2, 4, corner, 0};
      slab<T> F(2, 2, 3, 2), B(2, 1, 2, 2);
      for (const int b : {0, 1}) {
        F.put(b, factors);
        B.put(b, product(applied(op, A, 2), dense<T>{1, 2}, 2, 2, 1));
      }
      const resident<T> f(F), x(B);
      const pivot_array ipiv(2, {2, 2});
      const info_array info(2);
      REQUIRE(getrs(how, op, f, ipiv, x, info.data()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>{0, 0});
      for (const int b : {0, 1}) CHECK(x.download().get(b) == dense<T>{1, 2});
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrs is backward stable, transposed and not", "[getrs]", precisions) {
  using T = TestType;
  for (const int n : sizes) {
    for (const op op : every_op) {
      for (const int nrhs : {1, 2, 7, 33}) {
        const call_form how = forms[(n + nrhs) % 2];
        solve_and_check<T>("random", true, op, n, nrhs, 3, how);
        if (nrhs != 7) solve_and_check<T>("dominant", false, op, n, nrhs, 3, how);
      }
      for (const char* const kind : {"graded", "condition", "tiny", "huge"})
        solve_and_check<T>(kind, true, op, n, 2, 2, call_form::strided);
    }
  }
  for (const int n : {300, 513}) {
    for (const op op : every_op) solve_and_check<T>("random", true, op, n, 3, 2, call_form::pointers);
  }
}

TEMPLATE_LIST_TEST_CASE("getrs takes any number of matrices", "[getrs]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 31, 33, 64, 65, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13, 20}) {
      const op op = every_op[(n + count) % 3];
      solve_and_check<T>("random", true, op, n, 1, count, call_form::strided);
      solve_and_check<T>("dominant", false, op, n, 2, count, call_form::pointers);
    }
  }
  solve_and_check<T>("dominant", true, op::none, 2, 1, 70000, call_form::strided);
  solve_and_check<T>("dominant", false, op::conj_trans, 2, 1, 70000, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE("getrs gives the same bits on every run, by pointers and by strides", "[getrs]",
                        precisions) {
  using T = TestType;
  for (const int n : sizes) {
    for (const op op : every_op) {
      for (const bool exchanges : {true, false}) {
        CAPTURE(n, static_cast<char>(op), exchanges);
        const std::int64_t count = n > 64 ? 9 : 37;
        const resident<T> a(repeated_general<T>("dominant", n, n, 4, 3).fill(n, count));
        const slab<T> B = right_hand_sides<T>(n, 3, n, count, 4);
        const resident<T> first(B), second(B), third(B);
        const pivot_array ipiv(count, n);
        const info_array info(count);
        REQUIRE(factor(exchanges, call_form::strided, a, ipiv, info) == 0);
        for (const auto& [how, x] : {std::pair{call_form::strided, &first},
                                     {call_form::strided, &second},
                                     {call_form::pointers, &third}})
          REQUIRE(solve(exchanges, how, op, a, ipiv, *x, info.data()) == 0);
        finish();
        CHECK(first.download().same_bits(second.download()));
        CHECK(first.download().same_bits(third.download()));
        CHECK(position_does_not_matter(first.download(), 4));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("one pair of factors serves a whole batch of right-hand sides", "[getrs]",
                        precisions) {
  using T = TestType;
  for (const int n : {3, 8, 20, 70}) {
    for (const op op : every_op) {
      CAPTURE(n, static_cast<char>(op));
      const std::int64_t count = 21;
      const repeated_general<T> A("random", n, n, 1, 9), D("dominant", n, n, 1, 9);
      const resident<T> a(A.fill(n, 1)), d(D.fill(n, 1));
      const slab<T> before = right_hand_sides<T>(n, 2, n, count, 21);
      const resident<T> x(before), y(before);
      const pivot_array ipiv(1, n);
      const info_array info(count);
      REQUIRE(getrf(call_form::strided, a, ipiv, info_array(1)) == 0);
      REQUIRE(getrf_nopiv(call_form::strided, d, {}, info_array(1)) == 0);
      REQUIRE(getrs_strided_batched<T>(op, n, 2, a.memory.data(), n, 0, ipiv.memory.data(), 0,
                                       x.memory.data(), n, before.stride, info.data(), count,
                                       test_queue()) == 0);
      REQUIRE(getrs_nopiv_strided_batched<T>(op, n, 2, d.memory.data(), n, 0, y.memory.data(), n,
                                             before.stride, info.data(), count, test_queue()) == 0);
      finish();
      const slab<T> X = x.download(), Y = y.download();
      for (std::int64_t i = 0; i < count; ++i) {
        CHECK(solve_ratio(applied(op, A[0], n), X.get(i), before.get(i), n, 2) < threshold);
        CHECK(solve_ratio(applied(op, D[0], n), Y.get(i), before.get(i), n, 2) < threshold);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a zero or NaN on U's diagonal leaves right-hand sides alone, and neighbours",
                        "[getrs]", precisions) {
  using T = TestType;
  for (const int n : {1, 2, 5, 8, 16, 17, 33, 64, 100, 200}) {
    for (const bool exchanges : {true, false}) {
      for (const op op : every_op) {
        CAPTURE(n, exchanges, static_cast<char>(op));
        const std::int64_t count = 11;
        const resident<T> a(repeated_general<T>("dominant", n, n, 1, 9).fill(n, count));
        const pivot_array ipiv(count, n);
        REQUIRE(factor(exchanges, call_form::strided, a, ipiv, info_array(count)) == 0);
        finish();
        slab<T> factors = a.download();
        const std::vector<int> expected = spoil_diagonals(factors);
        const slab<T> before = right_hand_sides<T>(n, 2, n, count, 1);
        const resident<T> spoilt(factors), healthy(before), by_strides(before), by_pointers(before),
            unasked(before);
        const info_array info(count), info_again(count), no_info(count);
        REQUIRE(solve(exchanges, call_form::strided, op, a, ipiv, healthy, no_info.data()) == 0);
        REQUIRE(solve(exchanges, call_form::strided, op, spoilt, ipiv, by_strides, info.data()) == 0);
        REQUIRE(solve(exchanges, call_form::pointers, op, spoilt, ipiv, by_pointers, info_again.data()) == 0);
        REQUIRE(solve<T>(exchanges, call_form::strided, op, spoilt, ipiv, unasked, nullptr) == 0);
        finish();
        CHECK(all_zero(no_info.download()));
        CHECK(info.download() == expected);
        CHECK(info_again.download() == expected);
        for (const resident<T>* x : {&by_strides, &by_pointers, &unasked}) {
          for (std::int64_t i = 0; i < count; ++i) {
            const bool failed = expected[static_cast<std::size_t>(i)] != 0;
            CHECK(x->download().same_bits(i, failed ? before : healthy.download(), i));
          }
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrs sees what getrf left of matrices that it could not factor", "[getrs]",
                        precisions) {
  using T = TestType;
  for (const int n : {2, 5, 8, 16, 20, 33, 64, 100}) {
    CAPTURE(n);
    slab<T> A = repeated_general<T>("random", n, n, 1, 9).fill(n, 4);
    for (int i = 0; i < n; ++i) A.at(1, i, n / 2) = T(0);
    A.at(2, n - 1, 0) = nan_of<T>();
    const slab<T> before = right_hand_sides<T>(n, 2, n, 4, 1);
    for (const op op : every_op) {
      const resident<T> a(A), x(before);
      const pivot_array ipiv(4, n);
      const info_array info(4), info_solve(4);
      REQUIRE(getrf(call_form::strided, a, ipiv, info) == 0);
      REQUIRE(getrs(call_form::strided, op, a, ipiv, x, info_solve.data()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>{0, n / 2 + 1, 1, 0});
      const std::vector<int> infos = info_solve.download();
      CHECK((infos[0] == 0 && infos[1] == n / 2 + 1 && infos[2] > 0 && infos[3] == 0));
      const slab<T> X = x.download();
      CHECK(X.same_bits(1, before, 1));
      CHECK(X.same_bits(2, before, 2));
      CHECK(X.same_bits(3, X, 0));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("of a unit lower triangle the diagonal is never read", "[getrs]", precisions) {
  using T = TestType;
  // With U = 4 I and L of ones: x = 1/4 L^-1 e_1 is 1/4, -1/4, 0 ... 0; with L^T and e_n the same from below.
  for (const int n : {2, 5, 8, 17, 33, 70, 129}) {
    for (const op op : every_op) {
      CAPTURE(n, static_cast<char>(op));
      slab<T> F(n, n, n, 3), B(n, 1, n, 3);
      for (const int b : {0, 1, 2}) {
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < n; ++i) F.at(b, i, j) = T(i == j ? 4 : i > j ? 1 : 0);
          B.at(b, j, 0) = T((op == op::none ? j == 0 : j == n - 1) ? 1 : 0);
        }
      }
      const resident<T> f(F), x(B), y(B);
      std::vector<int> in_order;
      for (int j = 1; j <= n; ++j) in_order.push_back(j);
      REQUIRE(getrs(call_form::strided, op, f, pivot_array(3, in_order), x, nullptr) == 0);
      REQUIRE(getrs_nopiv(call_form::strided, op, f, y, nullptr) == 0);
      finish();
      for (const resident<T>* solution : {&x, &y}) {
        bool exact = true;
        for (int i = 0; i < n; ++i) {
          const int from_end = op == op::none ? i : n - 1 - i;
          const T expected = T(real_of<T>(from_end == 0 ? 0.25 : from_end == 1 ? -0.25 : 0));
          exact = exact && solution->download().at(1, i, 0) == expected;
        }
        CHECK(exact);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("pivots that are no rows to exchange with fail, and harm no neighbour", "[getrs]",
                        precisions) {
  using T = TestType;
  for_each_bad_pivot<T>([](const resident<T>& factors, const pivot_array& ipiv, const bad_pivot& bad) {
    const slab<T> before = right_hand_sides<T>(factors.host.n, 2, factors.host.n, factors.host.count, 1);
    for (const op op : every_op) {
      const resident<T> b(before);
      const info_array info(before.count);
      REQUIRE(getrs(call_form::strided, op, factors, ipiv, b, info.data()) == 0);
      bad.check(before, b, info);
    }
  });
}

TEST_CASE("getrs without right-hand sides, or rows: legal, info 0", "[getrs]") {
#ifdef TALUS_HAVE_D
  const resident<double> a(repeated_general<double>("dominant", 6, 6, 1, 9).fill(6, 4));
  const slab<double>& A = a.host;
  const pivot_array ipiv(4, 6);
  REQUIRE(getrf(call_form::strided, a, ipiv, info_array(4)) == 0);
  for (const op op : every_op) {
    const info_array infos[] = {info_array(4), info_array(4), info_array(4), info_array(4)};
    CHECK(getrs_strided_batched<double>(op, 6, 0, a.memory.data(), 6, A.stride, ipiv.memory.data(),
                                        ipiv.stride, nullptr, 6, 0, infos[0].data(), 4, test_queue()) == 0);
    CHECK(getrs_nopiv_batched<double>(op, 6, 0, a.pointers.data(), 6, nullptr, 6, infos[1].data(), 4,
                                      test_queue()) == 0);
    CHECK(getrs_batched<double>(op, 0, 3, nullptr, 1, nullptr, nullptr, 1, infos[2].data(), 4,
                                test_queue()) == 0);
    CHECK(getrs_nopiv_strided_batched<double>(op, 0, 3, nullptr, 1, 0, nullptr, 1, 0, infos[3].data(), 4,
                                              test_queue()) == 0);
    CHECK(getrs_batched<double>(op, 0, 3, nullptr, 1, nullptr, nullptr, 1, nullptr, 4, test_queue()) == 0);
    finish();
    for (const info_array& info : infos) CHECK(all_zero(info.download()));
  }
#endif
}

TEMPLATE_LIST_TEST_CASE("getrs, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const int n : {3, 8, 20, 40, 70}) {
    for (const op op : every_op) {
      solve_and_check<T>("random", true, op, n, 3, 9, call_form::strided);
      solve_and_check<T>("dominant", false, op, n, 3, 9, call_form::pointers);
    }
  }
}
