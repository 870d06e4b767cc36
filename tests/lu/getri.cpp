// Needs: getri

// getri and getri_outofplace: inverses, failures, and what is left alone. Every case runs on the backend
// under test.
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "lu/lu.hpp"

using namespace talus;
using namespace talus::test;

namespace {

const std::vector<int> sizes{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 65, 96, 100, 129, 200};

/// ||I - X A||_1 / (n ||A||_1 ||X||_1 eps): the inverse is one from the left.
template <class T>
double left_inverse_ratio(const dense<T>& A, const dense<T>& X, int n) {
  return inverse_ratio(X, A, n);
}

/// In place and out of place.
template <class T>
void invert_and_check(const std::string& kind, int n, std::int64_t count, call_form how) {
  CAPTURE(kind, n, count, how == call_form::pointers);
  const int distinct = 2;
  const repeated_general<T> A(kind, n, n, distinct, 7);
  const slab<T> before = A.fill(n + 1, count), nothing(n, n, n + 2, count);
  const resident<T> a(before), c(nothing);
  const pivot_array ipiv(count, n);
  const info_array info(count), in_place(count), out_of_place(count);
  REQUIRE(getrf(how, a, ipiv, info) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const slab<T> factors = a.download();
  const std::vector<std::vector<int>> pivots = ipiv.download();
  REQUIRE(getri_outofplace(how, a, ipiv, c, out_of_place.data()) == 0);
  finish();
  CHECK(a.download().same_bits(factors));  // only read
  REQUIRE(getri(how, a, ipiv, in_place.data()) == 0);
  finish();
  CHECK(all_zero(in_place.download()));
  CHECK(all_zero(out_of_place.download()));
  CHECK(ipiv.download() == pivots);
  const slab<T> X = a.download(), Y = c.download();
  CHECK(X.guards_untouched(before));
  CHECK(Y.guards_untouched(nothing));
  for (const slab<T>* inverse : {&X, &Y}) {
    CHECK(position_does_not_matter(*inverse, distinct));
    for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b)
      CHECK(left_inverse_ratio(A[b], inverse->get(b), n) < threshold);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("getri inverts the matrix worked by hand", "[getri]", precisions) {
  using T = TestType;
  // A = [2 4; 4 0], rows exchanged: L = [1; 1/2 1], U = [4 0; 0 4]; A^-1 = [0 1/4; 1/4 -1/8].
  const dense<T> factors{4, T(0.5), 0, 4}, expected{0, T(0.25), T(0.25), T(-0.125)};
  for (const call_form how : forms) {
    slab<T> F(2, 2, 3, 2);
    for (const int b : {0, 1}) F.put(b, factors);
    const resident<T> f(F), c(slab<T>(2, 2, 2, 2));
    const pivot_array ipiv(2, {2, 2});
    const info_array info(2), info_c(2);
    REQUIRE(getri_outofplace(how, f, ipiv, c, info_c.data()) == 0);
    REQUIRE(getri(how, f, ipiv, info.data()) == 0);
    finish();
    for (const int b : {0, 1}) {
      CHECK(f.download().get(b) == expected);
      CHECK(c.download().get(b) == expected);
    }
    CHECK(info.download() == std::vector<int>{0, 0});
    CHECK(info_c.download() == std::vector<int>{0, 0});
  }
}

TEMPLATE_LIST_TEST_CASE("getri is backward stable", "[getri]", precisions) {
  using T = TestType;
  for (const int n : sizes) {
    invert_and_check<T>("random", n, 3, forms[n % 2]);
    for (const char* const kind : {"dominant", "graded", "condition", "tiny", "huge"})
      invert_and_check<T>(kind, n, 2, forms[(n + 1) % 2]);
  }
  for (const int n : {300, 513}) invert_and_check<T>("random", n, 2, call_form::pointers);
}

TEMPLATE_LIST_TEST_CASE("getri takes any number of matrices", "[getri]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 33, 65, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13, 20}) invert_and_check<T>("random", n, count, forms[n % 2]);
  }
  invert_and_check<T>("random", 2, 70000, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE("getri undoes row exchanges column by column", "[getri]", precisions) {
  using T = TestType;
  // Of a permutation matrix the inverse is exact: its transpose.
  for (const int n : sizes) {
    CAPTURE(n);
    std::vector<int> row_of;  // a one in each column
    for (int j = 0; j < n; ++j) row_of.push_back(j);
    std::shuffle(row_of.begin(), row_of.end(), std::mt19937(static_cast<unsigned>(n)));
    dense<T> P(static_cast<std::size_t>(n * n)), inverse(P);
    for (int j = 0; j < n; ++j) {
      const int i = row_of[static_cast<std::size_t>(j)];
      P[static_cast<std::size_t>(i + j * n)] = inverse[static_cast<std::size_t>(j + i * n)] = T(1);
    }
    slab<T> s(n, n, n, 3);
    for (const int b : {0, 1, 2}) s.put(b, P);
    const resident<T> a(s), c(s);
    const pivot_array ipiv(3, n);
    REQUIRE(getrf(call_form::strided, a, ipiv, info_array(3)) == 0);
    REQUIRE(getri_outofplace(call_form::strided, a, ipiv, c, nullptr) == 0);
    REQUIRE(getri<T>(call_form::strided, a, ipiv, nullptr) == 0);
    finish();
    CHECK(a.download().get(1) == inverse);
    CHECK(c.download().get(1) == inverse);
  }
}

TEMPLATE_LIST_TEST_CASE("getri gives the same bits on every run, by pointers and by strides", "[getri]",
                        precisions) {
  using T = TestType;
  for (const int n : sizes) {
    CAPTURE(n);
    const std::int64_t count = n > 64 ? 9 : 37;
    const resident<T> a(repeated_general<T>("random", n, n, 4, 3).fill(n, count));
    const pivot_array ipiv(count, n);
    REQUIRE(getrf(call_form::strided, a, ipiv, info_array(count)) == 0);
    finish();
    const slab<T> factors = a.download();
    const resident<T> first(factors), second(factors), third(factors), out(factors), out_pointers(factors);
    const info_array info(count);
    REQUIRE(getri(call_form::strided, first, ipiv, info.data()) == 0);
    REQUIRE(getri(call_form::strided, second, ipiv, info.data()) == 0);
    REQUIRE(getri(call_form::pointers, third, ipiv, info.data()) == 0);
    REQUIRE(getri_outofplace(call_form::strided, a, ipiv, out, info.data()) == 0);
    REQUIRE(getri_outofplace(call_form::pointers, a, ipiv, out_pointers, info.data()) == 0);
    finish();
    CHECK(first.download().same_bits(second.download()));
    CHECK(first.download().same_bits(third.download()));
    CHECK(out.download().same_bits(out_pointers.download()));
    CHECK(position_does_not_matter(first.download(), 4));
    CHECK(position_does_not_matter(out.download(), 4));
  }
}

TEMPLATE_LIST_TEST_CASE("one pair of factors may be inverted into many places", "[getri]", precisions) {
  using T = TestType;
  for (const int n : {3, 8, 20, 70}) {
    CAPTURE(n);
    const repeated_general<T> A("random", n, n, 1, 9);
    const resident<T> a(A.fill(n, 1)), c(slab<T>(n, n, n, 5));
    const pivot_array ipiv(1, n);
    const info_array info(5);
    REQUIRE(getrf(call_form::strided, a, ipiv, info_array(1)) == 0);
    REQUIRE(getri_outofplace_strided_batched<T>(n, a.memory.data(), n, 0, ipiv.memory.data(), 0,
                                                c.memory.data(), n, c.host.stride, info.data(), 5,
                                                test_queue()) == 0);
    finish();
    CHECK(all_zero(info.download()));
    for (int b = 0; b < 5; ++b) CHECK(left_inverse_ratio(A[0], c.download().get(b), n) < threshold);
  }
}

TEMPLATE_LIST_TEST_CASE("getri leaves a matrix without inverse alone, and its neighbours", "[getri]",
                        precisions) {
  using T = TestType;
  for (const int n : {1, 2, 5, 8, 16, 17, 33, 64, 100, 200}) {
    CAPTURE(n);
    const std::int64_t count = 11;
    const resident<T> a(repeated_general<T>("random", n, n, 1, 3).fill(n, count));
    const pivot_array ipiv(count, n);
    REQUIRE(getrf(call_form::strided, a, ipiv, info_array(count)) == 0);
    finish();
    const slab<T> healthy_factors = a.download();
    slab<T> factors = healthy_factors;
    const std::vector<int> expected = spoil_diagonals(factors);
    const slab<T> nothing(n, n, n, count);
    const resident<T> healthy(healthy_factors), spoilt(factors), unasked(factors), from(factors), c(nothing),
        c_unasked(nothing), c_healthy(nothing);
    const info_array info(count), info_c(count), no_info(count);
    REQUIRE(getri_outofplace(call_form::strided, healthy, ipiv, c_healthy, no_info.data()) == 0);
    REQUIRE(getri(call_form::strided, healthy, ipiv, no_info.data()) == 0);
    REQUIRE(getri(call_form::pointers, spoilt, ipiv, info.data()) == 0);
    REQUIRE(getri<T>(call_form::strided, unasked, ipiv, nullptr) == 0);
    REQUIRE(getri_outofplace(call_form::pointers, from, ipiv, c, info_c.data()) == 0);
    REQUIRE(getri_outofplace(call_form::strided, from, ipiv, c_unasked, nullptr) == 0);
    finish();
    CHECK(all_zero(no_info.download()));
    CHECK(info.download() == expected);
    CHECK(info_c.download() == expected);
    for (std::int64_t b = 0; b < count; ++b) {
      const bool failed = expected[static_cast<std::size_t>(b)] != 0;
      for (const resident<T>* x : {&spoilt, &unasked})
        CHECK(x->download().same_bits(b, failed ? factors : healthy.download(), b));
      for (const resident<T>* x : {&c, &c_unasked})
        CHECK(x->download().same_bits(b, failed ? nothing : c_healthy.download(), b));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("inverses with pivots that are no rows to exchange with fail, and harm no neighbour",
                        "[getri]", precisions) {
  using T = TestType;
  for_each_bad_pivot<T>([](const resident<T>& factors, const pivot_array& ipiv, const bad_pivot& bad) {
    const slab<T> held = factors.download();
    const int n = held.n;
    const resident<T> inverse(held);
    const info_array info(held.count);
    REQUIRE(getri(call_form::strided, inverse, ipiv, info.data()) == 0);
    if (n > 1) {  // the inverse of 1 is 1
      bad.check(held, inverse, info);
    } else {
      finish();
      CHECK(info.download() == bad.info);
    }
    const slab<T> elsewhere = right_hand_sides<T>(n, n, n, held.count, 1);
    const resident<T> C(elsewhere);
    REQUIRE(getri_outofplace(call_form::strided, factors, ipiv, C, info.data()) == 0);
    bad.check(elsewhere, C, info);
  });
}

TEST_CASE("getri of matrices without rows: legal, info 0", "[getri]") {
#ifdef TALUS_HAVE_D
  const info_array infos[] = {info_array(3), info_array(3), info_array(3), info_array(3)};
  const queue q = test_queue();
  CHECK(getri_batched<double>(0, nullptr, 1, nullptr, infos[0].data(), 3, q) == 0);
  CHECK(getri_strided_batched<double>(0, nullptr, 1, 0, nullptr, 0, infos[1].data(), 3, q) == 0);
  CHECK(getri_outofplace_batched<double>(0, nullptr, 1, nullptr, nullptr, 1, infos[2].data(), 3, q) == 0);
  CHECK(getri_outofplace_strided_batched<double>(0, nullptr, 1, 0, nullptr, 0, nullptr, 1, 0, infos[3].data(),
                                                 3, q) == 0);
  CHECK(getri_batched<double>(0, nullptr, 1, nullptr, nullptr, 3, q) == 0);
  finish();
  for (const info_array& info : infos) CHECK(all_zero(info.download()));
#endif
}

TEMPLATE_LIST_TEST_CASE("getri, small", "[.][sanitize]", precisions) {
  for (const int n : {3, 8, 20, 40, 70}) invert_and_check<TestType>("random", n, 9, call_form::strided);
}
