// Needs: gesv

// gesv: solutions and factors, failures, and what is left alone. Every case runs on the backend under test.
#include <string>
#include <vector>

#include "catch.hpp"
#include "lu/lu.hpp"

using namespace talus;
using namespace talus::test;

namespace {

const std::vector<int> sizes{1,  2,  3,  4,  5,  6,  7,  8,  9,  12, 15,  16,  17,
                             20, 24, 31, 32, 33, 40, 48, 63, 64, 65, 100, 129, 200};

template <class T>
void solve_and_check(const std::string& kind, int n, int nrhs, std::int64_t count, call_form how) {
  CAPTURE(kind, n, nrhs, count, how == call_form::pointers);
  const int distinct = 2;
  const repeated_general<T> A(kind, n, n, distinct, 7);
  const slab<T> matrices = A.fill(n + 2, count),
                before = right_hand_sides<T>(n, nrhs, n + 1, count, distinct);
  const resident<T> a(matrices), b(before);
  const pivot_array ipiv(count, n);
  const info_array info(count);
  REQUIRE(test::gesv(how, a, ipiv, b, info) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const slab<T> factors = a.download(), X = b.download();
  const std::vector<std::vector<int>> pivots = ipiv.download();
  CHECK(factors.guards_untouched(matrices));
  CHECK(X.guards_untouched(before));
  CHECK(position_does_not_matter(factors, distinct));
  CHECK(position_does_not_matter(X, distinct));
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    if (i < distinct) {
      check_pivoted(A[at], factors.get(at), pivots[i], 0, n, n);
      CHECK(solve_ratio(A[at], X.get(at), before.get(at), n, nrhs) < threshold);
    } else if (pivots[i] != pivots[i % distinct]) {
      CHECK(pivots[i] == pivots[i % distinct]);
    }
  }
}

/// What getrf leaves of a matrix is known, so is what gesv does.
template <class T>
void factor_known(const std::vector<known_lu<T>>& known, int nrhs, call_form how) {
  const int n = known[0].n;
  CAPTURE(n, nrhs, how == call_form::pointers);
  const auto count = static_cast<std::int64_t>(known.size());
  slab<T> A(n, n, n + 1, count);
  for (std::int64_t b = 0; b < count; ++b) A.put(b, known[static_cast<std::size_t>(b)].A);
  const slab<T> B = right_hand_sides<T>(n, nrhs, n, count, 3);
  const resident<T> a(A), x(B);
  const pivot_array ipiv(count, n);
  const info_array info(count);
  REQUIRE(gesv(how, a, ipiv, x, info) == 0);
  finish();
  const slab<T> factors = a.download(), X = x.download();
  CHECK(factors.guards_untouched(A));
  CHECK(X.guards_untouched(B));
  for (std::size_t b = 0; b < known.size(); ++b) {
    const auto at = static_cast<std::int64_t>(b);
    CAPTURE(b);
    CHECK(info.download()[b] == known[b].info);
    CHECK(ipiv.download()[b] == known[b].ipiv);
    CHECK(factors.get(at) == known[b].factors);
    if (known[b].info > 0) {
      CHECK(X.same_bits(at, B, at));
    } else if (nrhs > 0) {
      CHECK(solve_ratio(known[b].A, X.get(at), B.get(at), n, nrhs) < threshold);
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("gesv solves the system worked by hand", "[gesv]", precisions) {
  using T = TestType;
  for (const call_form how : forms) {
    slab<T> A(3, 3, 3, 1), B(3, 1, 3, 1);
    A.put(0, {-2, 8, 4, 1, 4, 6, 4, -4, 0});
    B.put(0, {-2 + 2 + 12, 8 + 8 - 12, 4 + 12});  // A times (1, 2, 3)
    const resident<T> a(A), x(B);
    const pivot_array ipiv(1, 3);
    const info_array info(1);
    REQUIRE(gesv(how, a, ipiv, x, info) == 0);
    finish();
    CHECK(x.download().get(0) == dense<T>{1, 2, 3});
    CHECK(a.download().get(0) == dense<T>{8, T(0.5), T(-0.25), 4, 4, T(0.5), -4, 2, 2});
    CHECK(ipiv.download()[0] == std::vector<int>{2, 3, 3});
    CHECK(info.download() == std::vector<int>{0});
  }
}

TEMPLATE_LIST_TEST_CASE("gesv is backward stable", "[gesv]", precisions) {
  using T = TestType;
  for (const int n : sizes) {
    for (const int nrhs : {0, 1, 2, 7, 33}) solve_and_check<T>("random", n, nrhs, 3, forms[(n + nrhs) % 2]);
    for (const char* const kind : {"graded", "condition", "tiny", "huge", "dominant"})
      solve_and_check<T>(kind, n, 2, 2, call_form::strided);
  }
  for (const int n : {300, 513}) solve_and_check<T>("random", n, 3, 2, call_form::pointers);
}

TEMPLATE_LIST_TEST_CASE("gesv takes any number of matrices", "[gesv]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 31, 33, 64, 65, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13, 20})
      solve_and_check<T>("random", n, 1 + n % 2, count, forms[n % 2]);
  }
  solve_and_check<T>("random", 2, 1, 70000, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE(
    "gesv leaves getrf's factors and pivots, and of singular matrices the right-hand sides", "[gesv]",
    precisions) {
  using T = TestType;
  std::vector<int> all;
  for (int n = 1; n <= 64; ++n) all.push_back(n);
  for (const int n : {65, 100, 129, 200}) all.push_back(n);
  for (const int n : all) {
    std::vector<known_lu<T>> known;
    unsigned seed = 0;
    for (const std::set<int>& zeros : {std::set<int>{}, {0}, {n / 2}, {n - 1}, {n / 3, n / 2}, {}})
      known.emplace_back(pivoted(n, n, zeros), seed++);
    factor_known(known, n % 4, forms[n % 2]);
  }
}

TEMPLATE_LIST_TEST_CASE("gesv of a matrix with a NaN leaves its right-hand sides, and harms no neighbour",
                        "[gesv]", precisions) {
  using T = TestType;
  for (const int n : {1, 2, 5, 8, 13, 16, 17, 31, 33, 64, 100, 203}) {
    CAPTURE(n);
    const std::vector<int> places{0, n / 2, n - 1};  // columns and rows
    const std::int64_t count = 18;
    slab<T> A = repeated_general<T>("random", n, n, 1, 9).fill(n, count);
    const slab<T> B = right_hand_sides<T>(n, 2, n, count, 1);
    const resident<T> healthy(A), x_healthy(B);
    std::vector<int> expected;
    for (const int j : places) {
      for (const int i : places) {
        A.at(static_cast<std::int64_t>(expected.size()), i, j) = nan_of<T>();
        expected.push_back(j + 1);
        expected.push_back(0);
      }
    }
    const resident<T> spoilt(A), x(B);
    const pivot_array ipiv(count, n), healthy_ipiv(count, n);
    const info_array info(count), no_info(count);
    REQUIRE(gesv(call_form::pointers, healthy, healthy_ipiv, x_healthy, no_info) == 0);
    REQUIRE(gesv(call_form::strided, spoilt, ipiv, x, info) == 0);
    finish();
    CHECK(all_zero(no_info.download()));
    CHECK(info.download() == expected);
    const slab<T> X = x.download(), factors = spoilt.download();
    for (std::int64_t b = 0; b < count; ++b) {
      CAPTURE(b);
      const int failed = expected[static_cast<std::size_t>(b)];
      const std::vector<int> pivots = ipiv.download()[static_cast<std::size_t>(b)];
      CHECK(are_pivots(pivots, n));
      if (failed > 0) {
        CHECK(X.same_bits(b, B, b));
        CHECK(pivots[static_cast<std::size_t>(failed - 1)] == failed);
      } else {
        CHECK(X.same_bits(b, x_healthy.download(), 1));
        CHECK(factors.same_bits(b, healthy.download(), 1));
        CHECK(pivots == healthy_ipiv.download()[1]);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gesv gives the same bits on every run, by pointers and by strides", "[gesv]",
                        precisions) {
  using T = TestType;
  for (const int n : sizes) {
    CAPTURE(n);
    const std::int64_t count = n > 64 ? 9 : 37;
    const slab<T> A = repeated_general<T>("condition", n, n, 4, 11).fill(n, count),
                  B = right_hand_sides<T>(n, 3, n, count, 4);
    const resident<T> a(A), a_again(A), a_pointers(A), x(B), x_again(B), x_pointers(B);
    const pivot_array ipiv(count, n), ipiv_again(count, n), ipiv_pointers(count, n);
    const info_array info(count);
    REQUIRE(gesv(call_form::strided, a, ipiv, x, info) == 0);
    REQUIRE(gesv(call_form::strided, a_again, ipiv_again, x_again, info) == 0);
    REQUIRE(gesv(call_form::pointers, a_pointers, ipiv_pointers, x_pointers, info) == 0);
    finish();
    CHECK(a.download().same_bits(a_again.download()));
    CHECK(a.download().same_bits(a_pointers.download()));
    CHECK(x.download().same_bits(x_again.download()));
    CHECK(x.download().same_bits(x_pointers.download()));
    CHECK(ipiv.download() == ipiv_again.download());
    CHECK(ipiv.download() == ipiv_pointers.download());
    CHECK(position_does_not_matter(x.download(), 4));
  }
}

TEST_CASE("gesv without right-hand sides, or rows: legal, info 0", "[gesv]") {
#ifdef TALUS_HAVE_D
  const repeated_general<double> A("random", 6, 6, 1, 9);
  const resident<double> a(A.fill(6, 4));
  const pivot_array ipiv(4, 6);
  const info_array info(4), empty(4), empty_strided(4);
  REQUIRE(gesv_strided_batched<double>(6, 0, a.memory.data(), 6, a.host.stride, ipiv.memory.data(),
                                       ipiv.stride, nullptr, 6, 0, info.data(), 4, test_queue()) == 0);
  REQUIRE(gesv_batched<double>(0, 3, nullptr, 1, nullptr, nullptr, 1, empty.data(), 4, test_queue()) == 0);
  REQUIRE(gesv_strided_batched<double>(0, 3, nullptr, 1, 0, nullptr, 0, nullptr, 1, 0, empty_strided.data(),
                                       4, test_queue()) == 0);
  finish();
  for (const info_array* i : {&info, &empty, &empty_strided}) CHECK(all_zero(i->download()));
  CHECK(lu_ratio(A[0], a.download().get(3), ipiv.download()[3], 6, 6) < threshold);
#endif
}

TEMPLATE_LIST_TEST_CASE("gesv, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const int n : {3, 8, 20, 40, 70}) {
    solve_and_check<T>("random", n, 3, 9, call_form::strided);
    factor_known<T>({{pivoted(n, n), 1}, {pivoted(n, n, {n / 2}), 2}}, 2, call_form::pointers);
  }
}
