// Needs: ormqr

// ormqr: products with Q from both sides, and what is left alone. Every case runs on the backend under test.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "qr/qr.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// C has m rows and n columns, Q the order of the side that it is on, k reflectors.
struct product_shape {
  side where;
  int m, n, k;
  int order() const { return where == side::left ? m : n; }
};

std::vector<product_shape> shapes() {
  const extents products[] = {{1, 1},   {2, 2},   {3, 5},   {5, 3},   {8, 8},   {9, 1},    {1, 9},   {16, 17},
                              {17, 16}, {32, 3},  {3, 32},  {33, 33}, {40, 8},  {8, 40},   {64, 64}, {65, 20},
                              {20, 65}, {97, 33}, {33, 97}, {130, 7}, {7, 130}, {100, 70}, {70, 100}};
  std::vector<product_shape> all;
  for (const side where : both_sides) {
    for (const extents e : products) {
      const int order = where == side::left ? e.m : e.n;
      for (const int k : std::set<int>{1, order / 3, order / 2, order - 1, order}) {
        if (k > 0) all.push_back({where, e.m, e.n, k});
      }
    }
  }
  return all;
}

/// Reflectors of LAPACK's for each matrix of a batch, repeated, and as many matrices C.
template <class T>
struct operands {
  operands(const product_shape& s_, int distinct, std::int64_t count)
      : s(s_),
        A(s.order(), s.k, s.order() + 2, count),
        tau(unset_tau<T>(s.k, count)),
        C(right_hand_sides<T>(s.m, s.n, s.m + 1, count, distinct)) {
    for (int i = 0; i < distinct; ++i)
      each.push_back(reflectors<T>::alone(s.order(), s.k, static_cast<unsigned>(3 * s.order() + i)));
    for (std::int64_t b = 0; b < count; ++b) {
      A.put(b, of(b).factors);
      tau.put(b, of(b).tau);
    }
  }
  const reflectors<T>& of(std::int64_t b) const { return each[static_cast<std::size_t>(b) % each.size()]; }

  /// ||op(Q) C - result||_1 / (order ||C||_1 eps), Q formed here.
  double ratio(op op, std::int64_t b, const dense<T>& result) const {
    using W = judged<T>;
    const int order = s.order();
    dense<W> Q = explicit_Q(of(b).factors, of(b).tau, order, s.k, order);
    if (op != op::none) Q = adjoint(Q, order, order);
    const dense<W> before = converted<W>(C.get(b));
    dense<W> difference =
        s.where == side::left ? product(Q, before, s.m, s.m, s.n) : product(before, Q, s.m, s.n, s.n);
    for (std::size_t e = 0; e < difference.size(); ++e) difference[e] -= static_cast<W>(result[e]);
    return norm1(difference, s.m, s.n) / (order * norm1(before, s.m, s.n) * static_cast<double>(epsilon<T>));
  }

  product_shape s;
  std::vector<reflectors<T>> each;
  slab<T> A, tau, C;
};

template <class T>
void multiply_and_check(const product_shape& s, op op, std::int64_t count, call_form how) {
  CAPTURE(static_cast<char>(s.where), static_cast<char>(op), s.m, s.n, s.k, count,
          how == call_form::pointers);
  const int distinct = 2;
  const operands<T> x(s, distinct, count);
  const resident<T> a(x.A), tau(x.tau), c(x.C);
  const info_array info(count);
  REQUIRE(test::ormqr(how, s.where, op, a, tau, c, info.data()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  CHECK(a.download().same_bits(x.A));  // only read
  CHECK(tau.download().same_bits(x.tau));
  const slab<T> C = c.download();
  CHECK(C.guards_untouched(x.C));
  CHECK(position_does_not_matter(C, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b)
    CHECK(x.ratio(op, b, C.get(b)) < threshold);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("ormqr multiplies by the reflector worked by hand", "[ormqr]", precisions) {
  using T = TestType;
  // v = (1, 1), tau = 1: Q = [0 -1; -1 0]. What stands above v is R's.
  const dense<T> V{7, 1}, C{1, 3, 2, 4};
  for (const call_form how : forms) {
    for (const op op : legal_ops<T>()) {
      slab<T> A(2, 1, 3, 2), taus = unset_tau<T>(1, 2), before(2, 2, 2, 2);
      for (const int b : {0, 1}) {
        A.put(b, V);
        taus.put(b, {1});
        before.put(b, C);
      }
      const resident<T> a(A), tau(taus), left(before), right(before);
      const info_array info(2);
      REQUIRE(test::ormqr(how, side::left, op, a, tau, left, info.data()) == 0);
      REQUIRE(test::ormqr<T>(how, side::right, op, a, tau, right, nullptr) == 0);
      finish();
      CHECK(info.download() == std::vector<int>{0, 0});
      for (const int b : {0, 1}) {
        CHECK(left.download().get(b) == dense<T>{-3, -1, -4, -2});
        CHECK(right.download().get(b) == dense<T>{-2, -4, -1, -3});
      }
    }
  }
  if constexpr (is_complex<T>) {  // a reflector of order 1 is 1 - tau: with tau = 1 + i a phase, Q = -i
    slab<T> A(1, 1, 1, 1), taus = unset_tau<T>(1, 1), before(1, 1, 1, 1);
    A.put(0, {T(5)});
    taus.put(0, {T(1, 1)});
    before.put(0, {T(2, 3)});
    for (const side where : both_sides) {
      const resident<T> a(A), tau(taus), plain(before), conjugated(before);
      REQUIRE(test::ormqr<T>(call_form::strided, where, op::none, a, tau, plain, nullptr) == 0);
      REQUIRE(test::ormqr<T>(call_form::strided, where, op::conj_trans, a, tau, conjugated, nullptr) == 0);
      finish();
      CHECK(plain.download().get(0) == dense<T>{T(3, -2)});
      CHECK(conjugated.download().get(0) == dense<T>{T(-3, 2)});
    }
  }
}

TEMPLATE_LIST_TEST_CASE("ormqr multiplies by Q from either side", "[ormqr]", precisions) {
  using T = TestType;
  for (const product_shape& s : shapes()) {
    for (const op op : legal_ops<T>())
      multiply_and_check<T>(s, op, 3, forms[static_cast<std::size_t>(s.m + s.n + s.k) % 2]);
  }
  for (const op op : legal_ops<T>()) {
    multiply_and_check<T>({side::left, 500, 7, 7}, op, 2, call_form::strided);
    multiply_and_check<T>({side::left, 1000, 3, 20}, op, 1, call_form::strided);
    multiply_and_check<T>({side::right, 7, 500, 7}, op, 2, call_form::pointers);
    multiply_and_check<T>({side::left, 257, 40, 200}, op, 1, call_form::pointers);
    multiply_and_check<T>({side::left, 2100, 40, 33}, op, 2, call_form::strided);
    multiply_and_check<T>({side::right, 5, 2100, 33}, op, 2, call_form::pointers);
    multiply_and_check<T>({side::left, 700, 5, 70}, op, 2, call_form::pointers);
  }
}

TEMPLATE_LIST_TEST_CASE("ormqr takes any number of matrices", "[ormqr]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 31, 33, 64, 65, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13}) {
      const op op = legal_ops<T>()[static_cast<std::size_t>(n) % 2];
      multiply_and_check<T>({side::left, n, 3, n}, op, count, call_form::strided);
      multiply_and_check<T>({side::right, 2, n, (n + 1) / 2}, op, count, call_form::pointers);
    }
  }
  multiply_and_check<T>({side::left, 2, 1, 2}, op::conj_trans, 70000, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE("ormqr undoes itself, and makes R of the matrix that geqrf factored", "[ormqr]",
                        precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    CAPTURE(e.m, e.n);
    const int k = std::min(e.m, e.n);
    const dense<T> A = random_matrix<T>(e.m, e.n, 9);
    slab<T> s(e.m, e.n, e.m, 1), reflecting(e.m, k, e.m, 1);
    s.put(0, A);
    const resident<T> factors(s), tau(unset_tau<T>(k, 1)), c(s);
    REQUIRE(geqrf(call_form::strided, factors, tau, info_array(1)) == 0);
    finish();
    const dense<T> F = factors.download().get(0);
    reflecting.put(0, F);  // its first k columns
    const resident<T> v(reflecting);
    REQUIRE(ormqr<T>(call_form::strided, side::left, op::conj_trans, v, tau, c, nullptr) == 0);
    finish();
    const double size = e.m * norm1(A, e.m, e.n);
    CHECK(difference_ratio(c.download().get(0), upper_trapezoid(F, e.m, e.n, e.m), size) < threshold);
    REQUIRE(ormqr<T>(call_form::strided, side::left, op::none, v, tau, c, nullptr) == 0);
    finish();
    CHECK(difference_ratio(c.download().get(0), A, size) < threshold);
  }
}

TEMPLATE_LIST_TEST_CASE("ormqr gives the same bits on every run, by pointers and by strides", "[ormqr]",
                        precisions) {
  using T = TestType;
  for (const product_shape& s : shapes()) {
    if (s.k != (s.order() + 1) / 2 && s.k != s.order()) continue;
    for (const op op : legal_ops<T>()) {
      CAPTURE(static_cast<char>(s.where), static_cast<char>(op), s.m, s.n, s.k);
      const std::int64_t count = s.m * s.n > 3000 ? 9 : 37;
      const operands<T> x(s, 4, count);
      const resident<T> a(x.A), tau(x.tau), first(x.C), second(x.C), third(x.C), fourth(x.C);
      REQUIRE(test::ormqr<T>(call_form::strided, s.where, op, a, tau, first, nullptr) == 0);
      REQUIRE(test::ormqr<T>(call_form::strided, s.where, op, a, tau, second, nullptr) == 0);
      REQUIRE(test::ormqr<T>(call_form::pointers, s.where, op, a, tau, third, nullptr) == 0);
      // Of real matrices the transpose is the conjugate transpose.
      const auto other = op == op::trans ? op::conj_trans : op;
      REQUIRE(test::ormqr<T>(call_form::strided, s.where, other, a, tau, fourth, nullptr) == 0);
      finish();
      CHECK(first.download().same_bits(second.download()));
      CHECK(first.download().same_bits(third.download()));
      CHECK(first.download().same_bits(fourth.download()));
      CHECK(position_does_not_matter(first.download(), 4));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("one Q serves a whole batch of ormqr", "[ormqr]", precisions) {
  using T = TestType;
  for (const int order : {3, 8, 20, 70}) {
    for (const op op : legal_ops<T>()) {
      CAPTURE(order, static_cast<char>(op));
      const std::int64_t count = 21;
      const operands<T> x({side::left, order, 2, order}, 1, 1);
      const resident<T> a(x.A), tau(x.tau);
      const slab<T> before = right_hand_sides<T>(order, 2, order, count, 21);
      const resident<T> c(before);
      const info_array info(count);
      REQUIRE(ormqr_strided_batched<T>(side::left, op, order, 2, order, a.memory.data(), x.A.ld, 0,
                                       tau.memory.data(), 0, c.memory.data(), order, before.stride,
                                       info.data(), count, test_queue()) == 0);
      finish();
      CHECK(all_zero(info.download()));
      const slab<T> C = c.download();
      CHECK(C.guards_untouched(before));
      operands<T> each = x;
      each.C = before;
      for (std::int64_t b = 0; b < count; ++b) CHECK(each.ratio(op, b, C.get(b)) < threshold);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a NaN comes out of ormqr, and harms no neighbour", "[ormqr]", precisions) {
  using T = TestType;
  for (const side where : both_sides) {
    for (const int order : {1, 2, 5, 8, 16, 17, 33, 64, 100}) {
      for (const op op : legal_ops<T>()) {
        CAPTURE(static_cast<char>(where), order, static_cast<char>(op));
        const int other = 4, m = where == side::left ? order : other, n = where == side::left ? other : order;
        const operands<T> x({where, m, n, order}, 1, 7);
        slab<T> A = x.A, taus = x.tau, before = x.C;
        if (order > 1) A.at(1, order - 1, order / 2 == order - 1 ? 0 : order / 2) = nan_of<T>();
        taus.at(3, order / 2, 0) = nan_of<T>();
        before.at(5, m / 2, n / 2) = nan_of<T>();
        const resident<T> a(x.A), tau(x.tau), healthy(x.C), spoilt_a(A), spoilt_tau(taus), c(before);
        const info_array info(7);
        REQUIRE(test::ormqr<T>(call_form::strided, where, op, a, tau, healthy, nullptr) == 0);
        REQUIRE(test::ormqr(call_form::strided, where, op, spoilt_a, spoilt_tau, c, info.data()) == 0);
        finish();
        CHECK(all_zero(info.download()));
        const slab<T> C = c.download(), expected = healthy.download();
        for (const std::int64_t b : {0, 2, 4, 6}) CHECK(C.same_bits(b, expected, b));
        for (int j = 0; where == side::left && j < n; ++j) {
          if (order > 1) CHECK(has_nan(C, 1, j));
          CHECK(has_nan(C, 3, j));
        }
        CHECK((order == 1 || has_nan(C, 1, n - 1) || has_nan(C, 1, 0)));
        CHECK((has_nan(C, 3, n - 1) || has_nan(C, 3, 0)));
        CHECK(has_nan(C, 5, n / 2));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("ormqr without reflectors leaves C as it is", "[ormqr]", precisions) {
  using T = TestType;
  for (const side where : both_sides) {
    for (const extents e : {extents{1, 1}, {5, 3}, {33, 8}, {40, 70}}) {
      CAPTURE(static_cast<char>(where), e.m, e.n);
      const slab<T> before = right_hand_sides<T>(e.m, e.n, e.m + 1, 3, 3);
      const resident<T> c(before);
      const info_array info(3), by_pointers(3);
      const int lda = where == side::left ? e.m : e.n;
      REQUIRE(ormqr_strided_batched<T>(where, op::conj_trans, e.m, e.n, 0, nullptr, lda, 0, nullptr, 0,
                                       c.memory.data(), e.m + 1, before.stride, info.data(), 3,
                                       test_queue()) == 0);
      REQUIRE(ormqr_batched<T>(where, op::none, e.m, e.n, 0, nullptr, lda, nullptr, c.pointers.data(),
                               e.m + 1, by_pointers.data(), 3, test_queue()) == 0);
      finish();
      CHECK(all_zero(info.download()));
      CHECK(all_zero(by_pointers.download()));
      CHECK(c.download().same_bits(before));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("ormqr of C without rows or columns: legal, info 0", "[ormqr]", precisions) {
  using T = TestType;
  const array<T*> nulls(std::vector<T*>(4, nullptr));
  const info_array infos[] = {info_array(4), info_array(4), info_array(4)};
  // Q is there, C is not; nothing is there at all.
  const operands<T> x({side::left, 6, 1, 4}, 1, 4);
  const resident<T> a(x.A), tau(x.tau);
  CHECK(ormqr_strided_batched<T>(side::left, op::none, 6, 0, 4, a.memory.data(), 8, x.A.stride,
                                 tau.memory.data(), x.tau.stride, nullptr, 6, 0, infos[0].data(), 4,
                                 test_queue()) == 0);
  CHECK(ormqr_batched<T>(side::right, op::conj_trans, 0, 6, 4, a.pointers.data(), 8, tau.pointers.data(),
                         nulls.data(), 1, infos[1].data(), 4, test_queue()) == 0);
  CHECK(ormqr_batched<T>(side::left, op::none, 0, 0, 0, nullptr, 1, nullptr, nullptr, 1, infos[2].data(), 4,
                         test_queue()) == 0);
  CHECK(ormqr_batched<T>(side::left, op::none, 0, 0, 0, nullptr, 1, nullptr, nullptr, 1, nullptr, 4,
                         test_queue()) == 0);
  finish();
  for (const info_array& info : infos) CHECK(all_zero(info.download()));
}

TEMPLATE_LIST_TEST_CASE("ormqr of complex matrices is unmqr, too", "[ormqr]", precisions) {
  using T = TestType;
  if constexpr (is_complex<T>) {
    for (const side where : both_sides) {
      const operands<T> x({where, 9, 9, 5}, 2, 7);
      const resident<T> a(x.A), tau(x.tau), first(x.C), second(x.C), third(x.C);
      REQUIRE(test::ormqr<T>(call_form::strided, where, op::conj_trans, a, tau, first, nullptr) == 0);
      REQUIRE(unmqr_strided_batched<T>(where, op::conj_trans, 9, 9, 5, a.memory.data(), x.A.ld, x.A.stride,
                                       tau.memory.data(), x.tau.stride, second.memory.data(), x.C.ld,
                                       x.C.stride, nullptr, 7, test_queue()) == 0);
      REQUIRE(unmqr_batched<T>(where, op::conj_trans, 9, 9, 5, a.pointers.data(), x.A.ld, tau.pointers.data(),
                               third.pointers.data(), x.C.ld, nullptr, 7, test_queue()) == 0);
      finish();
      CHECK(first.download().same_bits(second.download()));
      CHECK(first.download().same_bits(third.download()));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("ormqr, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const side where : both_sides) {
    for (const int order : {1, 3, 8, 20, 40, 70}) {
      for (const op op : legal_ops<T>()) {
        const int m = where == side::left ? order : 5, n = where == side::left ? 5 : order;
        multiply_and_check<T>({where, m, n, order}, op, 9, call_form::strided);
        multiply_and_check<T>({where, m, n, (order + 1) / 2}, op, 3, call_form::pointers);
      }
    }
  }
  multiply_and_check<T>({side::left, 2100, 35, 9}, op::none, 2, call_form::strided);
}
