// Needs: qr

// qr: Q formed beside R, and what is left alone; and every call of QR in a graph. Every case runs on the
// backend under test.
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "qr/qr.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// R's own memory, in which nothing is yet.
template <class T>
slab<T> unset_R(int m, int n, std::int64_t count) {
  const int k = std::min(m, n);
  return slab<T>(k, n, k + 2, count);
}

template <class T>
void factor_and_check(const std::string& kind, int m, int n, int ld, std::int64_t count, call_form how) {
  CAPTURE(kind, m, n, ld, count, how == call_form::pointers);
  const int distinct = 2;
  const repeated_general<T> A = repeated_qr<T>(kind, m, n, distinct, static_cast<unsigned>(m + 3 * n));
  const slab<T> before = A.fill(ld, count), nothing = unset_R<T>(m, n, count);
  const resident<T> a(before), r(nothing);
  const info_array info(count);
  REQUIRE(test::qr(how, a, r, info) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const slab<T> Q = a.download(), R = r.download();
  CHECK(Q.guards_untouched(before));
  CHECK(R.guards_untouched(nothing));
  CHECK(position_does_not_matter(R, distinct));
  for (std::int64_t b = 0; b < count; ++b) {
    if (b < distinct) {
      check_thin(A[b], Q.get(b), R.get(b), m, n);
    } else {
      bool same = true;  // of Q; what stands behind it is anything
      for (int j = 0; j < std::min(m, n); ++j) {
        for (int i = 0; i < m; ++i) same = same && Q.at(b, i, j) == Q.at(b % distinct, i, j);
      }
      if (!same) CHECK(same);
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("qr factors the matrix worked by hand", "[qr]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  const dense<T> A{12, 6, -4, -51, 167, 24, 4, -68, -41};
  const dense<T> expected{-14, 0, 0, -21, -175, 0, 14, 70, -35};
  const int Q[] = {-150, -75, 50, 69, -158, -30, 58, -6, 165};  // times 175
  for (const call_form how : forms) {
    slab<T> s(3, 3, 4, 2);
    s.put(0, A);
    s.put(1, A);
    const resident<T> a(s), r(unset_R<T>(3, 3, 2));
    const info_array info(2);
    REQUIRE(test::qr(how, a, r, info) == 0);
    finish();
    CHECK(info.download() == std::vector<int>{0, 0});
    for (const int b : {0, 1}) {
      for (std::size_t e = 0; e < 9; ++e) {
        CHECK(std::abs(r.download().get(b)[e] - expected[e]) <= 60 * epsilon<T> * std::abs(expected[e]));
        CHECK(std::abs(a.download().get(b)[e] - T(R(Q[e]) / R(175))) <= 20 * epsilon<T>);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("qr gives the exact R where there is one, and signs for Q", "[qr]", precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    CAPTURE(e.m, e.n);
    const int k = std::min(e.m, e.n);
    slab<T> s(e.m, e.n, e.m, 3);
    std::vector<known_qr<T>> known;
    for (unsigned seed = 0; seed < 3; ++seed) {
      known.emplace_back(e.m, e.n, seed);
      s.put(seed, known.back().A);
    }
    const resident<T> a(s), r(unset_R<T>(e.m, e.n, 3));
    REQUIRE(test::qr(call_form::strided, a, r, info_array(3)) == 0);
    finish();
    for (std::size_t b = 0; b < 3; ++b) {
      const auto at = static_cast<std::int64_t>(b);
      CHECK(r.download().get(at) == upper_trapezoid(known[b].factors, e.m, e.n, k));
      const dense<judged<T>> expected = explicit_Q(known[b].factors, known[b].tau, e.m, k, k);
      dense<judged<T>> Q = converted<judged<T>>(a.download().get(at));
      Q.resize(expected.size());
      CHECK(Q == expected);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("qr has LAPACK's signs", "[qr]", precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    CAPTURE(e.m, e.n);
    const dense<T> A = well_conditioned<T>(e.m, e.n, 4);
    slab<T> s(e.m, e.n, e.m, 2);
    for (const int b : {0, 1}) s.put(b, A);
    const resident<T> a(s), r(unset_R<T>(e.m, e.n, 2));
    REQUIRE(test::qr(call_form::pointers, a, r, info_array(2)) == 0);
    finish();
    const reflectors<T> expected(A, e.m, e.n);
    CHECK(difference_ratio(r.download().get(1),
                           upper_trapezoid(expected.factors, e.m, e.n, std::min(e.m, e.n)),
                           norm1(A, e.m, e.n)) < threshold);
  }
}

TEMPLATE_LIST_TEST_CASE("qr is backward stable on every kind of matrix", "[qr]", precisions) {
  for (const std::string& kind : qr_kinds()) {
    for (const extents e : few_extents())
      factor_and_check<TestType>(kind, e.m, e.n, e.m + e.n % 3, 3,
                                 forms[static_cast<std::size_t>(e.m + e.n) % 2]);
  }
  for (const extents e : some_rectangles())
    factor_and_check<TestType>("random", e.m, e.n, e.m + e.n % 3, 3,
                               forms[static_cast<std::size_t>(e.m + e.n) % 2]);
  for (const extents e :
       {extents{255, 255}, {120, 300}, {2000, 20}, {20, 2000}, {2500, 40}, {9000, 20}, {700, 70}})
    factor_and_check<TestType>("random", e.m, e.n, e.m, 1, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE("qr takes any number of matrices", "[qr]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 31, 33, 64, 65, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13}) {
      factor_and_check<T>("random", n, n, n + n % 2, count, call_form::strided);
      factor_and_check<T>("random", n + 3, n, n + 3, count, call_form::pointers);
      factor_and_check<T>("random", n, n + 3, n + 1, count, call_form::strided);
    }
  }
  factor_and_check<T>("random", 3, 2, 3, 70000, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE("qr gives the same bits on every run, by pointers and by strides", "[qr]",
                        precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    CAPTURE(e.m, e.n);
    const std::int64_t count = e.m * e.n > 3000 ? 9 : 37;
    const slab<T> s = repeated_qr<T>("condition", e.m, e.n, 4, 11).fill(e.m, count),
                  nothing = unset_R<T>(e.m, e.n, count);
    std::vector<std::pair<slab<T>, slab<T>>> results;
    for (const call_form how : {call_form::strided, call_form::strided, call_form::pointers}) {
      const resident<T> a(s), r(nothing);
      REQUIRE(test::qr(how, a, r, info_array(count)) == 0);
      finish();
      results.emplace_back(a.download(), r.download());
    }
    for (const auto& [Q, R] : results) {
      CHECK(Q.same_bits(results[0].first));
      CHECK(R.same_bits(results[0].second));
    }
    CHECK(position_does_not_matter(results[0].first, 4));
    CHECK(position_does_not_matter(results[0].second, 4));
  }
}

TEMPLATE_LIST_TEST_CASE("a NaN comes out of qr, and harms no neighbour", "[qr]", precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    const int k = std::min(e.m, e.n);
    for (const int j : std::set<int>{0, k / 2, k - 1, e.n - 1}) {
      CAPTURE(e.m, e.n, j);
      slab<T> s = repeated_qr<T>("random", e.m, e.n, 1, 5).fill(e.m, 3);
      const resident<T> healthy(s), healthy_r(unset_R<T>(e.m, e.n, 3));
      s.at(1, e.m / 2, j) = nan_of<T>();
      const resident<T> a(s), r(unset_R<T>(e.m, e.n, 3));
      const info_array info(3);
      REQUIRE(test::qr(call_form::strided, healthy, healthy_r, info_array(3)) == 0);
      REQUIRE(test::qr(call_form::strided, a, r, info) == 0);
      finish();
      CHECK(all_zero(info.download()));
      CHECK(has_nan(r.download(), 1, j));
      // A last row has no reflector, which would bring it to Q.
      if (j < std::min(e.m - 1, k)) CHECK(has_nan(a.download(), 1, j));
      for (const std::int64_t b : {0, 2}) {
        CHECK(a.download().same_bits(b, healthy.download(), b));
        CHECK(r.download().same_bits(b, healthy_r.download(), b));
      }
    }
  }
}

TEST_CASE("qr never reads info or R, writes all of it", "[qr]") {
#ifdef TALUS_HAVE_D
  for (const extents e : {extents{1, 1}, {9, 4}, {4, 9}, {40, 40}, {100, 20}, {20, 100}}) {
    std::vector<slab<double>> results;
    for (const int stale : {0, 1, -1, 12345}) {
      CAPTURE(e.m, e.n, stale);
      slab<double> before = unset_R<double>(e.m, e.n, 5);
      for (std::int64_t b = 0; b < 5; ++b) before.put(b, dense<double>(before.get(b).size(), stale));
      const resident<double> a(repeated_qr<double>("random", e.m, e.n, 1, 1).fill(e.m, 5)), r(before);
      const array<int> info(std::vector<int>(5, stale));
      REQUIRE(qr_strided_batched(e.m, e.n, a.memory.data(), e.m, a.host.stride, r.memory.data(), before.ld,
                                 before.stride, info.data(), 5, test_queue()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>(5, 0));
      results.push_back(r.download());
      CHECK(results.back().same_bits(results[0]));
    }
  }
#endif
}

TEST_CASE("qr of matrices without rows or columns: legal, info 0", "[qr]") {
#ifdef TALUS_HAVE_D
  for (const extents e : {extents{0, 0}, {0, 5}, {5, 0}}) {
    CAPTURE(e.m, e.n);
    const int lda = std::max(1, e.m);
    const info_array info(3), info_strided(3);
    CHECK(qr_batched<double>(e.m, e.n, nullptr, lda, nullptr, 1, info.data(), 3, test_queue()) == 0);
    CHECK(qr_strided_batched<double>(e.m, e.n, nullptr, lda, 0, nullptr, 1, 0, info_strided.data(), 3,
                                     test_queue()) == 0);
    finish();
    CHECK(all_zero(info.download()));
    CHECK(all_zero(info_strided.download()));
  }
#endif
}

TEMPLATE_LIST_TEST_CASE("qr, small", "[.][sanitize]", precisions) {
  for (const extents e : {extents{1, 1}, {3, 3}, {8, 5}, {5, 8}, {20, 20}, {40, 7}, {7, 40}, {70, 40}}) {
    factor_and_check<TestType>("random", e.m, e.n, e.m, 9, call_form::strided);
    factor_and_check<TestType>("mixed", e.m, e.n, e.m + 1, 3, call_form::pointers);
  }
  factor_and_check<TestType>("mixed", 2100, 19, 2100, 2, call_form::strided);
}

#ifdef TALUS_WITH_CUDA
namespace {

/// Operands of each routine once, of one shape.
template <class T>
struct every_call {
  every_call(int m_, int n_)
      : m(m_),
        n(n_),
        A(repeated_qr<T>("random", m, n, 2, 1).fill(std::max(1, m), count)),
        B(right_hand_sides<T>(std::max(m, n), 2, std::max({1, m, n}), count, 2)),
        f(A),
        systems(A),
        whole(A),
        tau(unset_tau<T>(std::min(m, n), count)),
        x(B),
        c(right_hand_sides<T>(m, 2, std::max(1, m), count, 2)),
        r(slab<T>(std::min(m, n), n, std::max(1, std::min(m, n)), count)) {}

  /// orgqr forms Q of the first min(m, n) columns that geqrf left.
  std::vector<int> run(queue q) {
    const int k = std::min(m, n);
    return {
        test::geqrf(call_form::strided, f, tau, infos[0], q),
        ormqr_strided_batched<T>(side::left, op::conj_trans, m, 2, k, f.memory.data(), A.ld, A.stride,
                                 tau.memory.data(), tau.host.stride, c.memory.data(), c.host.ld,
                                 c.host.stride, infos[1].data(), count, q),
        orgqr_batched<T>(m, k, k, f.pointers.data(), A.ld, tau.pointers.data(), infos[2].data(), count, q),
        test::gels(call_form::strided, op::none, m, n, systems, x, infos[3], q),
        test::qr(call_form::pointers, whole, r, infos[4], q)};
  }
  bool same_bits(const every_call& other) const {
    const auto same = [](const resident<T>& a, const resident<T>& b) {
      return a.download().same_bits(b.download());
    };
    return same(f, other.f) && same(systems, other.systems) && same(whole, other.whole) &&
           same(tau, other.tau) && same(x, other.x) && same(c, other.c) && same(r, other.r);
  }

  static constexpr std::int64_t count = 7;
  int m, n;
  slab<T> A, B;
  resident<T> f, systems, whole, tau, x, c, r;
  info_array infos[5] = {info_array(count), info_array(count), info_array(count), info_array(count),
                         info_array(count)};
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("every call of QR can be captured in a graph and replayed", "[cuda]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (const extents e : {extents{0, 0},
                          {2, 2},
                          {8, 8},
                          {16, 16},
                          {30, 30},
                          {64, 64},
                          {120, 120},
                          {300, 300},
                          {500, 7},
                          {7, 200}}) {
    CAPTURE(e.m, e.n);
    every_call<T> captured(e.m, e.n), direct(e.m, e.n), untouched(e.m, e.n);
    const stream s;
    std::vector<int> statuses;
    const graph calls(s, [&] { statuses = captured.run(queue::cuda(s.handle)); });
    CHECK(statuses == std::vector<int>(5, 0));
    CHECK(captured.same_bits(untouched));  // captured, not run
    calls.replay();
    CHECK(direct.run(test_queue()) == std::vector<int>(5, 0));
    finish();
    CHECK(captured.same_bits(direct));
    for (const info_array& info : captured.infos) CHECK(all_zero(info.download()));
  }
}
#endif
