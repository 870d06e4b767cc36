// Needs: trsm

// trsm: known and stable solutions in every form, what it neither reads nor writes, and what it promises of
// bits. Every case runs on the backend under test.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "blas/blas.hpp"
#include "catch.hpp"

using namespace talus;
using namespace talus::test;

namespace {

const std::vector<int> orders{1,  2,  3,  4,  5,  7,  8,  9,  15, 16,  17,  31,
                              32, 33, 47, 48, 49, 63, 64, 65, 96, 100, 129, 200};
const std::vector<int> numbers_of_sides{1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 64};

/// B's extents for `sides` right-hand sides with a triangle of order k.
extents of_B(const trsm_form& f, int k, int sides) {
  return f.side == side::left ? extents{k, sides} : extents{sides, k};
}

/// Solutions of integers, bit by bit.
template <class T>
void solve_exactly(const trsm_form& f, int k, int sides, std::int64_t count, T alpha, call_form how) {
  CAPTURE(f.name(), k, sides, count, how == call_form::pointers);
  const auto [m, n] = of_B(f, k, sides);
  const int distinct = 2;
  const repeated_triangles<T> A(f, "exact", k, distinct, static_cast<unsigned>(k));
  std::vector<dense<T>> X;
  slab<T> B(m, n, m + 1, count);
  for (unsigned i = 0; i < distinct; ++i) X.push_back(small_integers<T>(m, n, i + 5));
  const std::vector<dense<T>> known{sides_of(f, A[0], X[0], m, n), sides_of(f, A[1], X[1], m, n)};
  for (std::int64_t b = 0; b < count; ++b) B.put(b, known[static_cast<std::size_t>(b % distinct)]);
  const resident<T> a(A.fill(k + 2, count)), x(B);
  const info_array info(count);
  REQUIRE(trsm(how, f, alpha, a, x, info.data()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  CHECK(a.download().same_bits(a.host));
  const slab<T> now = x.download();
  CHECK(now.guards_untouched(B));
  CHECK(position_does_not_matter(now, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b) {
    dense<T> expected = X[static_cast<std::size_t>(b)];
    for (T& e : expected) e = times(alpha, e);
    CHECK(now.get(b) == expected);
  }
}

template <class T>
void solve_and_check(const std::string& kind, const trsm_form& f, int k, int sides, std::int64_t count,
                     T alpha, call_form how) {
  CAPTURE(kind, f.name(), k, sides, count, alpha, how == call_form::pointers);
  const auto [m, n] = of_B(f, k, sides);
  const int distinct = 2;
  const repeated_triangles<T> A(f, kind, k, distinct, 7);
  const slab<T> before = right_hand_sides<T>(m, n, m + 1, count, distinct);
  const resident<T> a(A.fill(k + 2, count)), x(before);
  const info_array info(count);
  REQUIRE(trsm(how, f, alpha, a, x, info.data()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  CHECK(a.download().same_bits(a.host));  // only read
  const slab<T> X = x.download();
  CHECK(X.guards_untouched(before));
  CHECK(position_does_not_matter(X, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b)
    CHECK(trsm_ratio(f, A[b], X.get(b), before.get(b), alpha, m, n) < threshold);
}

/// Ones take the diagonal's place where a triangle is still well conditioned.
bool suits(const std::string& kind, diag diag) { return diag == diag::non_unit || kind == "small"; }

}  // namespace

TEMPLATE_LIST_TEST_CASE("trsm solves the systems worked by hand", "[trsm]", precisions) {
  using T = TestType;
  // A = [2 0 0; i 4 0; -1 2 8] with i = 1 for real numbers, x = (1, 2, 3): products without and with ones on
  // the diagonal.
  const T i = is_complex<T> ? T(std::sqrt(T(-1))) : T(1), c = conjugate(i);
  const dense<T> lower{2, i, -1, 0, 4, 2, 0, 0, 8}, x{1, 2, 3};
  const T two = 2, three = 3, eight = 8;
  struct known {
    trsm_form f;
    dense<T> b;
  };
  const side left = side::left, right = side::right;
  const std::vector<known> systems{
      {{left, uplo::lower, op::none, diag::non_unit}, {2, i + eight, 27}},
      {{left, uplo::lower, op::none, diag::unit}, {1, i + two, 6}},
      {{left, uplo::lower, op::trans, diag::non_unit}, {two * i - T(1), 14, 24}},
      {{left, uplo::lower, op::trans, diag::unit}, {two * i - two, 8, 3}},
      {{left, uplo::lower, op::conj_trans, diag::non_unit}, {two * c - T(1), 14, 24}},
      {{right, uplo::lower, op::none, diag::non_unit}, {two * i - T(1), 14, 24}},
      {{right, uplo::lower, op::trans, diag::non_unit}, {2, i + eight, 27}},
      {{right, uplo::lower, op::conj_trans, diag::non_unit}, {2, c + eight, 27}},
      {{right, uplo::lower, op::conj_trans, diag::unit}, {1, c + two, 6}},
      // U is the transpose of A.
      {{left, uplo::upper, op::none, diag::non_unit}, {two * i - T(1), 14, 24}},
      {{left, uplo::upper, op::trans, diag::non_unit}, {2, i + eight, 27}},
      {{left, uplo::upper, op::conj_trans, diag::unit}, {1, c + two, 6}},
      {{right, uplo::upper, op::none, diag::non_unit}, {2, i + eight, 27}},
      {{right, uplo::upper, op::conj_trans, diag::non_unit}, {two * c - T(1), 14, 24}},
  };
  for (const known& system : systems) {
    for (const call_form how : forms) {
      CAPTURE(system.f.name(), how == call_form::pointers);
      const extents e = of_B(system.f, 3, 1);
      slab<T> A(3, 3, 4, 2), B(e.m, e.n, e.m + 1, 2);
      for (const int b : {0, 1}) {
        put_triangle_of(system.f, A, b, system.f.uplo == uplo::lower ? lower : applied(op::trans, lower, 3));
        B.put(b, system.b);
      }
      const resident<T> a(A), solution(B);
      const info_array info(2);
      REQUIRE(trsm(how, system.f, three, a, solution, info.data()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>{0, 0});
      for (const int b : {0, 1}) CHECK(solution.download().get(b) == dense<T>{3, 6, 9});
    }
  }
}

TEMPLATE_LIST_TEST_CASE("trsm gives exact solutions where there are such, in every form", "[trsm]",
                        precisions) {
  using T = TestType;
  const std::vector<T> alphas = factors<T>();
  unsigned turn = 0;
  for (const int k : orders) {
    for (const trsm_form& f : every_trsm_form()) {
      // Powers of two alone.
      const T alpha = alphas[turn % 3];
      solve_exactly<T>(f, k, numbers_of_sides[turn % numbers_of_sides.size()], 3, alpha, forms[turn % 2]);
      ++turn;
    }
    for (const int sides : numbers_of_sides) {
      const trsm_form& f = every_trsm_form()[turn++ % 24];
      solve_exactly<T>(f, k, sides, 2, T(1), forms[turn % 2]);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("trsm is backward stable in every form", "[trsm]", precisions) {
  using T = TestType;
  const std::vector<T> alphas = factors<T>();
  unsigned turn = 0;
  for (const int k : orders) {
    for (const trsm_form& f : every_trsm_form()) {
      const char* const kind = f.diag == diag::unit ? "small" : "dominant";
      solve_and_check<T>(kind, f, k, numbers_of_sides[turn % numbers_of_sides.size()], 3,
                         alphas[turn / 2 % 4], forms[turn % 2]);
      ++turn;
    }
    for (const int sides : numbers_of_sides) {
      const trsm_form& f = every_trsm_form()[turn++ % 24];
      if (f.diag == diag::unit) continue;
      solve_and_check<T>("factor", f, k, sides, 2, T(1), forms[turn % 2]);
    }
  }
  for (const int k : {300, 513}) {
    for (const trsm_form& f : every_trsm_form()) {
      if (f.diag == diag::unit) continue;
      ++turn;
      solve_and_check<T>("dominant", f, k, 3 + static_cast<int>(turn % 20), 2, alphas[turn % 4],
                         forms[turn % 2]);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("trsm is backward stable with every kind of triangle", "[trsm]", precisions) {
  using T = TestType;
  unsigned turn = 0;
  for (const std::string& kind : triangle_kinds()) {
    for (const int k : orders) {
      for (int some = 0; some < 6; ++some, turn += 5) {
        const trsm_form& f = every_trsm_form()[turn % 24];
        if (!suits(kind, f.diag)) continue;
        for (const int sides : {2, 9}) solve_and_check<T>(kind, f, k, sides, 2, T(1), forms[turn % 2]);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("trsm takes any number of matrices", "[trsm]", precisions) {
  using T = TestType;
  unsigned turn = 0;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 31, 33, 65, 1000}) {
    for (const int k : {1, 2, 3, 5, 8, 13, 20}) {
      for (int some = 0; some < 3; ++some, turn += 7)
        solve_exactly<T>(every_trsm_form()[turn % 24], k, 1 + some, count, T(1), forms[turn % 2]);
    }
  }
  for (const trsm_form& f : {every_trsm_form()[0], every_trsm_form()[17]})
    solve_exactly<T>(f, 2, 1, 70000, T(1), forms[0]);
}

TEMPLATE_LIST_TEST_CASE("trsm gives the same bits on every run, by pointers and by strides", "[trsm]",
                        precisions) {
  using T = TestType;
  const std::vector<T> alphas = factors<T>();
  unsigned turn = 0;
  for (const int k : orders) {
    for (int some = 0; some < 8; ++some, turn += 5) {
      const trsm_form& f = every_trsm_form()[turn % 24];
      const int sides = numbers_of_sides[turn % numbers_of_sides.size()];
      CAPTURE(f.name(), k, sides);
      const auto [m, n] = of_B(f, k, sides);
      const std::int64_t count = k > 64 ? 9 : 37;
      const resident<T> a(
          repeated_triangles<T>(f, f.diag == diag::unit ? "small" : "dominant", k, 4, 3).fill(k, count));
      const slab<T> B = right_hand_sides<T>(m, n, m, count, 4);
      const resident<T> first(B), second(B), third(B);
      for (const auto& [how, x] : {std::pair{call_form::strided, &first},
                                   {call_form::strided, &second},
                                   {call_form::pointers, &third}})
        REQUIRE(trsm<T>(how, f, alphas[turn % 4], a, *x, nullptr) == 0);
      finish();
      CHECK(first.download().same_bits(second.download()));
      CHECK(first.download().same_bits(third.download()));
      CHECK(position_does_not_matter(first.download(), 4));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("one triangle serves a whole batch", "[trsm]", precisions) {
  using T = TestType;
  for (const int k : {3, 8, 20, 70, 129}) {
    for (const trsm_form& f : every_trsm_form()) {
      CAPTURE(f.name(), k);
      const auto [m, n] = of_B(f, k, 2);
      const std::int64_t count = 21;
      const repeated_triangles<T> A(f, f.diag == diag::unit ? "small" : "dominant", k, 1, 9);
      const resident<T> a(A.fill(k, 1));
      const slab<T> before = right_hand_sides<T>(m, n, m, count, 21);
      const resident<T> x(before);
      const info_array info(count);
      REQUIRE(trsm_strided_batched<T>(f.side, f.uplo, f.op, f.diag, m, n, T(1), a.memory.data(), k, 0,
                                      x.memory.data(), m, before.stride, info.data(), count,
                                      test_queue()) == 0);
      finish();
      CHECK(all_zero(info.download()));
      const slab<T> X = x.download();
      for (std::int64_t b = 0; b < count; ++b)
        CHECK(trsm_ratio(f, A[0], X.get(b), before.get(b), T(1), m, n) < threshold);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("with alpha = 0 trsm gives zeros, whatever matrices hold", "[trsm]", precisions) {
  using T = TestType;
  unsigned turn = 0;
  for (const int k : {1, 2, 5, 8, 16, 17, 33, 64, 100, 200}) {
    for (const trsm_form& f : every_trsm_form()) {
      CAPTURE(f.name(), k);
      const auto [m, n] = of_B(f, k, 3);
      const slab<T> nothing(m, n, m + 1, 11);  // NaN
      const resident<T> a(slab<T>(k, k, k + 1, 11)), x(nothing);
      const info_array info(11);
      REQUIRE(trsm(forms[turn++ % 2], f, T(0), a, x, info.data()) == 0);
      finish();
      CHECK(all_zero(info.download()));
      const slab<T> X = x.download();
      CHECK(X.guards_untouched(nothing));
      for (std::int64_t b = 0; b < 11; ++b)
        CHECK(X.get(b) == dense<T>(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a NaN or a zero in one triangle harms no neighbour, and is not looked for", "[trsm]",
                        precisions) {
  using T = TestType;
  unsigned turn = 0;
  for (const int k : {1, 2, 5, 8, 16, 17, 33, 64, 100, 200}) {
    for (const trsm_form& f : every_trsm_form()) {
      CAPTURE(f.name(), k);
      const auto [m, n] = of_B(f, k, 2 + turn % 7);
      const std::int64_t count = 11;
      const slab<T> A = repeated_triangles<T>(f, "small", k, 1, 9).fill(k + 1, count),
                    B = right_hand_sides<T>(m, n, m, count, 1);
      slab<T> bad_A = A, bad_B = B;
      const bool has_diagonal = f.diag == diag::non_unit;
      if (has_diagonal) bad_A.at(2, k / 2, k / 2) = T(0);
      if (has_diagonal) bad_A.at(7, k - 1, k - 1) = nan_of<T>();
      if (k > 1) (f.uplo == uplo::lower ? bad_A.at(8, k - 1, 0) : bad_A.at(8, 0, k - 1)) = nan_of<T>();
      bad_B.at(4, m / 2, n / 2) = nan_of<T>();
      const resident<T> a(A), healthy(B), spoilt(bad_A), x(bad_B);
      const info_array info(count), no_info(count);
      const call_form how = forms[turn++ % 2];
      REQUIRE(trsm(how, f, T(1), a, healthy, no_info.data()) == 0);
      REQUIRE(trsm(how, f, T(1), spoilt, x, info.data()) == 0);
      finish();
      CHECK(all_zero(info.download()));
      const slab<T> expected = healthy.download(), X = x.download();
      for (std::int64_t b = 0; b < count; ++b) {
        if (b == 4 || b == 8 || (has_diagonal && (b == 2 || b == 7))) continue;
        CHECK(X.same_bits(b, expected, b));
      }
      const auto has_nan_or_infinity = [&](std::int64_t b) {
        const dense<T> all = X.get(b);
        return std::any_of(all.begin(), all.end(), [](T e) { return !std::isfinite(std::abs(e)); });
      };
      CHECK(has_nan_or_infinity(4));
      if (has_diagonal) CHECK((has_nan_or_infinity(2) && has_nan_or_infinity(7)));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("trsm of order 4096 is exact", "[trsm]", precisions) {
  using T = TestType;
  const int k = 4096;
  for (const trsm_form& f : {trsm_form{side::left, uplo::lower, op::none, diag::non_unit},
                             trsm_form{side::right, uplo::lower, op::conj_trans, diag::unit}}) {
    CAPTURE(f.name());
    const auto [m, n] = of_B(f, k, 2);
    slab<T> B(m, n, m, 1);
    // Element i of a side is 1 + i % 3. Sums of a few are known: of each row of A 2 on the diagonal, and ones
    // where i + j is a multiple of 512.
    slab<T> A(k, k, k, 1);
    for (int j = 0; j < k; ++j) {
      for (int i = j; i < k; ++i) A.at(0, i, j) = T(i == j ? 2 : (i + j) % 512 == 0 ? 1 : 0);
    }
    const auto x = [](int i) { return 1 + i % 3; };
    for (int i = 0; i < k; ++i) {
      int sum = (f.diag == diag::unit ? 1 : 2) * x(i);
      for (int j = (512 - i % 512) % 512; j < i; j += 512) sum += x(j);
      for (const int side : {0, 1})
        (m == k ? B.at(0, i, side) : B.at(0, side, i)) = static_cast<real_of<T>>(sum * (side + 1));
    }
    const resident<T> a(std::move(A)), solution(B);
    const info_array info(1);
    REQUIRE(trsm(call_form::strided, f, T(1), a, solution, info.data()) == 0);
    finish();
    CHECK(all_zero(info.download()));
    const slab<T> X = solution.download();
    int wrong = 0;
    for (int i = 0; i < k; ++i) {
      for (const int side : {0, 1})
        wrong +=
            (m == k ? X.at(0, i, side) : X.at(0, side, i)) != T(static_cast<real_of<T>>(x(i) * (side + 1)));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("trsm without rows or columns: legal, info 0", "[trsm]") {
#ifdef TALUS_HAVE_D
  const queue q = test_queue();
  for (const trsm_form& f : every_trsm_form()) {
    for (const extents e : {extents{0, 0}, {0, 3}, {3, 0}}) {
      CAPTURE(f.name(), e.m, e.n);
      const int k = f.order(e.m, e.n);
      const resident<double> a(slab<double>(k, k, k + 1, 4));
      const double* const A = k > 0 ? a.memory.data() : nullptr;
      double* const* const A_array = k > 0 ? a.pointers.data() : nullptr;
      const info_array infos[] = {info_array(4), info_array(4)};
      CHECK(trsm_batched<double>(f.side, f.uplo, f.op, f.diag, e.m, e.n, 2, A_array, k + 1, nullptr, 3,
                                 infos[0].data(), 4, q) == 0);
      CHECK(trsm_strided_batched<double>(f.side, f.uplo, f.op, f.diag, e.m, e.n, 2, A, k + 1, a.host.stride,
                                         nullptr, 3, 0, infos[1].data(), 4, q) == 0);
      CHECK(trsm_batched<double>(f.side, f.uplo, f.op, f.diag, e.m, e.n, 0, A_array, k + 1, nullptr, 3,
                                 nullptr, 4, q) == 0);
      finish();
      for (const info_array& info : infos) CHECK(all_zero(info.download()));
    }
  }
#endif
}

TEMPLATE_LIST_TEST_CASE("trsm, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const int k : {3, 8, 20, 40, 70}) {
    for (const trsm_form& f : every_trsm_form()) {
      solve_exactly<T>(f, k, 3, 9, T(1), call_form::strided);
      solve_and_check<T>("small", f, k, 5, 3, T(1), call_form::pointers);
    }
  }
}
