// Needs: geqrf

// geqrf: reflectors, tau and R, their conventions, and what is left alone. Every case runs on the backend
// under test.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "qr/qr.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Sizes around every border a kernel may have.
const std::vector<int> sizes{1,  2,  3,  4,  5,  7,  8,  9,  12, 15, 16, 17,  23,  24, 25,
                             31, 32, 33, 40, 48, 49, 63, 64, 65, 96, 97, 128, 129, 200};

std::vector<extents> all_extents() {
  std::vector<extents> all;
  for (const int n : sizes) all.push_back({n, n});
  all.insert(all.end(), some_rectangles().begin(), some_rectangles().end());
  return all;
}

/// A batch, and what geqrf leaves of it.
template <class T>
struct factored {
  factored(const slab<T>& before, call_form how)
      : memory(before), taus(unset_tau<T>(std::min(before.m, before.n), before.count)), info(before.count) {
    REQUIRE(test::geqrf(how, memory, taus, info) == 0);
    finish();
    A = memory.download();
    tau = taus.download();
    CHECK(all_zero(info.download()));
    CHECK(A.guards_untouched(before));
    CHECK(tau.guards_untouched(taus.host));
  }
  bool same_bits(const factored& other) const { return A.same_bits(other.A) && tau.same_bits(other.tau); }
  bool same_bits(std::int64_t b, const factored& other, std::int64_t other_b) const {
    return A.same_bits(b, other.A, other_b) && tau.same_bits(b, other.tau, other_b);
  }

  resident<T> memory, taus;
  info_array info;
  slab<T> A{0, 0, 1, 0}, tau{0, 0, 1, 0};
};

template <class T>
void factor_and_check(const std::string& kind, int m, int n, int ld, std::int64_t count, call_form how) {
  CAPTURE(kind, m, n, ld, count, how == call_form::pointers);
  const int distinct = 2;
  const repeated_general<T> A = repeated_qr<T>(kind, m, n, distinct, static_cast<unsigned>(m + 3 * n));
  const factored<T> now(A.fill(ld, count), how);
  CHECK(position_does_not_matter(now.A, distinct));
  CHECK(position_does_not_matter(now.tau, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b)
    check_reflectors(A[b], now.A.get(b), now.tau.get(b), m, n);
}

/// Matrices whose reflectors are known, in one batch.
template <class T>
void factor_known(const std::vector<known_qr<T>>& known, int ld, call_form how) {
  const int m = known[0].m, n = known[0].n;
  CAPTURE(m, n, ld, how == call_form::pointers);
  const auto count = static_cast<std::int64_t>(known.size());
  slab<T> s(m, n, ld, count);
  for (std::int64_t b = 0; b < count; ++b) s.put(b, known[static_cast<std::size_t>(b)].A);
  const factored<T> now(s, how);
  for (std::size_t b = 0; b < known.size(); ++b) {
    CAPTURE(b);
    CHECK(now.tau.get(static_cast<std::int64_t>(b)) == known[b].tau);
    CHECK(now.A.get(static_cast<std::int64_t>(b)) == known[b].factors);
  }
}

/// Column-major n x n, entries 1 and -1, rows and columns orthogonal: Sylvester's of order n, a power of two.
template <class T>
dense<T> hadamard(int n) {
  dense<T> H;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      int common = 0;
      for (int bits = i & j; bits != 0; bits &= bits - 1) ++common;
      H.push_back(T(common % 2 == 0 ? 1 : -1));
    }
  }
  return H;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("geqrf factors the matrix worked by hand", "[geqrf]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  // Column (12, 6, -4) has norm 14: beta = -14, tau = (-14 - 12) / -14 = 13/7, v = (6, -4) / (12 + 14). That
  // makes (-21, 2261/13, 252/13) of column 2 and (14, -854/13, -553/13) of column 3. The norm of (2261, 252)
  // is 2275 = 13 * 175: beta = -175, tau = (2275 + 2261) / 2275 = 648/325, v = 252 / (2261 + 2275) = 1/18,
  // which makes (70, -35) of what is below 14. One element has no reflector.
  const dense<T> A{12, 6, -4, -51, 167, 24, 4, -68, -41};
  const dense<T> expected{-14, R(3) / R(13), R(-2) / R(13), -21, -175, R(1) / R(18), 14, 70, -35};
  const dense<T> expected_tau{R(13) / R(7), R(648) / R(325), 0};
  for (const call_form how : forms) {
    slab<T> s(3, 3, 4, 2);
    s.put(0, A);
    s.put(1, A);
    const factored<T> now(s, how);
    for (const int b : {0, 1}) {
      const dense<T> F = now.A.get(b), tau = now.tau.get(b);
      for (std::size_t e = 0; e < F.size(); ++e)
        CHECK(std::abs(F[e] - expected[e]) <= 60 * epsilon<T> * std::abs(expected[e]));
      for (const std::size_t j : {0, 1})
        CHECK(std::abs(tau[j] - expected_tau[j]) <= 10 * epsilon<T> * std::abs(expected_tau[j]));
      CHECK(tau[2] == T(0));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf makes the diagonal real", "[geqrf]", precisions) {
  using T = TestType;
  if constexpr (is_complex<T>) {
    using R = real_of<T>;
    const auto near = [](T a, T b) { return std::abs(a - b) <= 8 * epsilon<T> * std::abs(b); };
    for (const call_form how : forms) {
      // (3i, 4): beta = -5, tau = (beta - 3i) / beta = 1 + 3i/5, v = 4 / (3i + 5) = (10 - 6i) / 17.
      slab<T> two(2, 1, 3, 2), one(1, 1, 1, 2);
      for (const int b : {0, 1}) {
        two.put(b, {T(0, 3), T(4)});
        one.put(b, {T(3, 4)});  // beta = -5, tau = (8 + 4i) / 5
      }
      const factored<T> column(two, how), element(one, how);
      for (const int b : {0, 1}) {
        CHECK(near(column.A.at(b, 0, 0), T(-5)));
        CHECK(near(column.A.at(b, 1, 0), T(R(10) / R(17), R(-6) / R(17))));
        CHECK(near(column.tau.at(b, 0, 0), T(1, R(0.6))));
        CHECK(near(element.A.at(b, 0, 0), T(-5)));
        CHECK(near(element.tau.at(b, 0, 0), T(R(1.6), R(0.8))));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf gives the exact reflectors where there are such", "[geqrf]", precisions) {
  using T = TestType;
  for (const extents e : all_extents()) {
    std::vector<known_qr<T>> known;
    for (unsigned seed = 0; seed < 4; ++seed) known.emplace_back(e.m, e.n, seed);
    factor_known(known, e.m + e.n % 3, forms[(e.m + e.n) % 2]);
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf of large and small numbers is that of one around 1, scaled", "[geqrf]",
                        precisions) {
  using T = TestType;
  using R = real_of<T>;
  // Squares of these neither overflow nor vanish.
  const std::vector<int> exponents =
      sizeof(R) == 4 ? std::vector<int>{110, 60, -60, -100} : std::vector<int>{1000, 500, -500, -1000};
  for (const extents e : few_extents()) {
    std::vector<known_qr<T>> known;
    for (const int exponent : exponents) {
      known.emplace_back(e.m, e.n, 5);
      const R scale = std::ldexp(R(1), exponent);
      for (T& a : known.back().A) a *= scale;
      for (int j = 0; j < e.n; ++j) {
        for (int i = 0; i <= std::min(j, e.m - 1); ++i)
          known.back().factors[static_cast<std::size_t>(i + j * e.m)] *= scale;
      }
    }
    factor_known(known, e.m, call_form::strided);
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf sees that columns of a Hadamard matrix are orthogonal", "[geqrf]",
                        precisions) {
  using T = TestType;
  // |R| is sqrt(n) times the scales, off its diagonal 0. Not to the bit: v = 1 / (1 + sqrt(n)), of order 4 a
  // third, is no binary number.
  for (const int n : {4, 16, 64, 256}) {
    for (const call_form how : forms) {
      CAPTURE(n, how == call_form::pointers);
      dense<T> A = hadamard<T>(n);
      const auto scale_of = [](int j) { return std::ldexp(real_of<T>(1), 7 * j % 11 - 5); };
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) A[static_cast<std::size_t>(i + j * n)] *= scale_of(j);
      }
      slab<T> s(n, n, n + 1, 2);
      for (const int b : {0, 1}) s.put(b, A);
      const factored<T> now(s, how);
      // 2 ulp of small ones; errors of n steps, each of either sign, add up to no more than sqrt(n) of one.
      const real_of<T> ulps = std::max(real_of<T>(2), std::sqrt(static_cast<real_of<T>>(n)) / 2);
      for (int j = 0; j < n; ++j) {
        const real_of<T> norm = std::sqrt(static_cast<real_of<T>>(n)) * scale_of(j);
        CHECK(std::abs(std::abs(now.A.at(1, j, j)) - norm) <= ulps * 2 * epsilon<T> * norm);
        real_of<T> most = 0;
        for (int i = 0; i < j; ++i) most = std::max(most, std::abs(now.A.at(1, i, j)));
        CHECK(most <= 2 * ulps * 2 * epsilon<T> * norm);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf has LAPACK's conventions", "[geqrf]", precisions) {
  using T = TestType;
  for (const extents e : all_extents()) {
    const std::int64_t count = 3;
    CAPTURE(e.m, e.n);
    slab<T> s(e.m, e.n, e.m + 1, count);
    std::vector<dense<T>> matrices;
    for (std::int64_t b = 0; b < count; ++b) {
      const auto seed = static_cast<unsigned>(b + e.m);
      matrices.push_back(e.m >= 4 * e.n ? random_matrix<T>(e.m, e.n, seed)
                                        : well_conditioned<T>(e.m, e.n, seed));
      s.put(b, matrices.back());
    }
    const factored<T> now(s, forms[(e.m + e.n) % 2]);
    for (std::int64_t b = 0; b < count; ++b) {
      const reflectors<T> expected(matrices[static_cast<std::size_t>(b)], e.m, e.n);
      const dense<T> F = now.A.get(b);
      const int k = std::min(e.m, e.n);
      const double norm = norm1(matrices[static_cast<std::size_t>(b)], e.m, e.n);
      CHECK(difference_ratio(upper_trapezoid(F, e.m, e.n, k), upper_trapezoid(expected.factors, e.m, e.n, k),
                             norm) < threshold);
      // Of a small column v is as uncertain as it is small beside what was eliminated from it.
      CHECK(difference_ratio(now.tau.get(b), expected.tau, 1) < threshold * std::sqrt(e.m));
      const auto v_of = [&](dense<T> X) {
        for (int j = 0; j < e.n; ++j) {
          for (int i = 0; i < e.m; ++i) {
            if (i <= j) X[static_cast<std::size_t>(i + j * e.m)] = 0;
          }
        }
        return X;
      };
      CHECK(difference_ratio(v_of(F), v_of(expected.factors), 1) < threshold * std::sqrt(e.m));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf is backward stable", "[geqrf]", precisions) {
  for (const extents e : all_extents())
    factor_and_check<TestType>("random", e.m, e.n, e.m + e.n % 3, 3, forms[(e.m + e.n) % 2]);
}

TEMPLATE_LIST_TEST_CASE("geqrf is backward stable on every kind of matrix", "[geqrf]", precisions) {
  for (const std::string& kind : qr_kinds()) {
    for (const extents e : few_extents())
      factor_and_check<TestType>(kind, e.m, e.n, e.m + e.n % 3, 3, forms[(e.m + e.n) % 2]);
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf factors large matrices", "[geqrf]", precisions) {
  using T = TestType;
  for (const extents e : {extents{255, 255},
                          {300, 120},
                          {120, 300},
                          {400, 33},
                          {33, 400},
                          {2000, 20},
                          {1500, 1},
                          {2500, 40},
                          {9000, 20}})
    factor_and_check<T>("random", e.m, e.n, e.m + e.n % 3, 2, call_form::strided);
  factor_known<T>({{600, 600, 1}}, 601, call_form::strided);
  factor_known<T>({{2000, 70, 1}}, 2000, call_form::pointers);
}

TEMPLATE_LIST_TEST_CASE("geqrf of zeros: no reflectors, and zeros", "[geqrf]", precisions) {
  using T = TestType;
  for (const extents e : few_extents()) {
    CAPTURE(e.m, e.n);
    const factored<T> now(repeated_qr<T>("zero", e.m, e.n, 1, 1).fill(e.m + 1, 3), call_form::strided);
    for (std::int64_t b = 0; b < 3; ++b) {
      CHECK(now.A.get(b) == dense<T>(now.A.get(b).size(), T(0)));
      CHECK(now.tau.get(b) == dense<T>(now.tau.get(b).size(), T(0)));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a tiny nonzero column below a large element gets its reflector in geqrf", "[geqrf]",
                        precisions) {
  using T = TestType;
  using R = real_of<T>;
  // The norm of the column is |alpha| to the last bit, or nearly: beta = -alpha, tau = 2. H = I, which would
  // leave alpha, is for zeros.
  const R tinies[] = {std::sqrt(epsilon<T>) * epsilon<T>, sizeof(R) == 4 ? R(1e-30) : static_cast<R>(1e-300),
                      std::numeric_limits<R>::min()};
  for (const extents e :
       {extents{2, 1}, {2, 2}, {5, 3}, {9, 9}, {20, 20}, {33, 33}, {70, 70}, {200, 40}, {12, 30}}) {
    for (const R tiny : tinies) {
      for (const R alpha : {R(1), R(-1), R(1024), R(-3)}) {
        CAPTURE(e.m, e.n, tiny, alpha);
        // Of column j the diagonal and one element below it, the last. What the columns before make of it is
        // less than rounding sees.
        slab<T> s(e.m, e.n, e.m, 3);
        for (std::int64_t b = 0; b < 3; ++b) {
          for (int j = 0; j < e.n; ++j) {
            for (int i = 0; i < e.m; ++i) s.at(b, i, j) = T(i == j ? alpha : i == e.m - 1 ? tiny : R(0));
          }
        }
        const factored<T> now(s, call_form::strided);
        for (int j = 0; j < std::min(e.m - 1, e.n); ++j) {
          CHECK(std::abs(now.A.at(1, j, j) + alpha) <= 4 * epsilon<T> * std::abs(alpha));
          CHECK(std::abs(now.tau.at(1, j, 0) - T(2)) <= 8 * epsilon<T>);
          CHECK(std::abs(now.A.at(1, e.m - 1, j)) <= 2 * tiny / std::abs(alpha));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE(
    "geqrf of columns that are tiny but for their first element: the reflectors of larger ones", "[geqrf]",
    precisions) {
  using T = TestType;
  using R = real_of<T>;
  const R tiny = sizeof(R) == 4 ? R(0x1p-110) : static_cast<R>(0x1p-900);  // its square is zero
  for (const extents e : {extents{2, 2},
                          {3, 3},
                          {5, 3},
                          {8, 8},
                          {9, 9},
                          {20, 20},
                          {33, 33},
                          {70, 70},
                          {200, 40},
                          {1100, 20},
                          {2500, 33}}) {
    CAPTURE(e.m, e.n);
    const dense<T> G = random_matrix<T>(e.m, e.n, 7);
    slab<T> s(e.m, e.n, e.m, 2);  // with G below the first row, right of the first column, and with tiny G
    for (const int b : {0, 1}) {
      for (int j = 0; j < e.n; ++j) {
        for (int i = 0; i < e.m; ++i) {
          const T g =
              G[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(e.m)];
          s.at(b, i, j) = j == 0 ? T(i == 0 ? 1 : 0) : i == 0 ? T(1) : b == 0 ? g : g * tiny;
        }
      }
    }
    const factored<T> now(s, call_form::strided);
    double worst = 0;
    for (int j = 1; j < e.n; ++j) {
      if (j < e.m)
        worst = worse(worst, static_cast<double>(std::abs(now.tau.at(1, j, 0) - now.tau.at(0, j, 0))));
      for (int i = 1; i < e.m; ++i) {
        const T as_much = i <= j ? now.A.at(1, i, j) / tiny : now.A.at(1, i, j);
        worst = worse(worst, static_cast<double>(std::abs(as_much - now.A.at(0, i, j))));
      }
    }
    CHECK(worst < 5000 * static_cast<double>(epsilon<T>) * std::sqrt(e.m));
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf takes any number of matrices", "[geqrf]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 129, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13})
      factor_and_check<T>("random", n, n, n + n % 2, count, call_form::strided);
    factor_and_check<T>("random", 9, 4, 9, count, call_form::pointers);
    factor_and_check<T>("random", 4, 9, 5, count, call_form::strided);
  }
  for (const std::int64_t count : {1, 7, 17, 70}) {
    for (const int n : {16, 30, 33, 64})
      factor_and_check<T>("random", n, n, n + 1, count, call_form::strided);
  }
  for (const int n : {1, 2, 3}) factor_and_check<T>("random", n, n, n, 70000, forms[n % 2]);
}

TEMPLATE_LIST_TEST_CASE("geqrf gives the same bits on every run, by pointers and by strides", "[geqrf]",
                        precisions) {
  using T = TestType;
  for (const extents e : all_extents()) {
    for (const char* const kind : {"condition", "mixed"}) {
      CAPTURE(e.m, e.n, kind);
      const std::int64_t count = e.m * e.n > 3000 ? 9 : 37;
      const slab<T> s = repeated_qr<T>(kind, e.m, e.n, 4, 11).fill(e.m, count);
      const factored<T> first(s, call_form::strided), second(s, call_form::strided),
          third(s, call_form::pointers);
      CHECK(first.same_bits(second));
      CHECK(first.same_bits(third));
      CHECK(position_does_not_matter(first.A, 4));
      CHECK(position_does_not_matter(first.tau, 4));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf gives the same bits wherever in memory small matrices begin", "[geqrf]",
                        precisions) {
  using T = TestType;
  for (int n = 1; n <= 20; ++n) {
    const std::int64_t count = 77;
    slab<T> s = repeated_qr<T>("random", n, n, 3, 2).fill(n, count, 0);
    s.at(40, n - 1, n - 1) = nan_of<T>();
    check_all_starts(s, [&](T* start) {
      CAPTURE(n);
      const resident<T> tau(unset_tau<T>(n, count));
      const info_array info(count);
      REQUIRE(geqrf_strided_batched(n, n, start, n, s.stride, tau.memory.data(), tau.host.stride, info.data(),
                                    count, test_queue()) == 0);
      finish();
    });
  }
}

// ---- NaN -------------------------------------------------------------------------------------------------

namespace {

/// One matrix for each of these places, with a NaN there, and one without behind each.
template <class T>
void spoil_and_check(int m, int n, const std::vector<std::pair<int, int>>& places) {
  CAPTURE(m, n);
  const auto count = static_cast<std::int64_t>(2 * places.size());
  const int k = std::min(m, n);
  slab<T> s = repeated_qr<T>("random", m, n, 1, 5).fill(m, count);
  const factored<T> healthy(s, call_form::strided);
  for (std::size_t p = 0; p < places.size(); ++p) {
    T& a = s.at(static_cast<std::int64_t>(2 * p), places[p].first, places[p].second);
    if constexpr (is_complex<T>) {
      const auto nan = std::numeric_limits<real_of<T>>::quiet_NaN();
      a = p % 3 == 0 ? T(nan, nan) : p % 3 == 1 ? T(nan, 0) : T(0, nan);
    } else {
      a = nan_of<T>();
    }
  }
  const factored<T> now(s, forms[m % 2]);
  for (std::size_t p = 0; p < places.size(); ++p) {
    const auto [i, j] = places[p];
    CAPTURE(i, j);
    const auto b = static_cast<std::int64_t>(2 * p);
    CHECK(now.same_bits(b + 1, healthy, 1));
    CHECK(has_nan(now.A, b, j));
    // A last row has no reflector (of complex matrices one that is a phase), which would carry it on.
    for (int c = j + 1; j < std::min(m - 1, k) && c < n; ++c) CHECK(has_nan(now.A, b, c));
    bool same = true;  // what stands before it knows nothing of it
    for (int c = 0; c < std::min(j, n); ++c) {
      for (int row = 0; row < m; ++row) same = same && now.A.at(b, row, c) == healthy.A.at(1, row, c);
      if (c < k) same = same && now.tau.at(b, c, 0) == healthy.tau.at(1, c, 0);
    }
    CHECK(same);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a NaN comes out of geqrf wherever it stands, and harms no neighbour", "[geqrf]",
                        precisions) {
  using T = TestType;
  for (const extents e : {extents{1, 1},
                          {2, 2},
                          {3, 3},
                          {5, 5},
                          {8, 8},
                          {9, 9},
                          {13, 13},
                          {16, 16},
                          {17, 17},
                          {12, 5},
                          {5, 12},
                          {1, 6},
                          {6, 1}}) {
    std::vector<std::pair<int, int>> places;
    for (int j = 0; j < e.n; ++j) {
      for (int i = 0; i < e.m; ++i) places.emplace_back(i, j);
    }
    spoil_and_check<T>(e.m, e.n, places);
  }
  for (const extents e :
       {extents{32, 32}, {33, 33}, {64, 64}, {65, 65}, {100, 100}, {129, 129}, {160, 40}, {40, 160}}) {
    const int k = std::min(e.m, e.n);
    std::vector<std::pair<int, int>> places;
    for (const int j : {0, 1, 7, 8, 31, k / 2, k - 8, k - 7, k - 5, k - 3, k - 2, k - 1, e.n - 1}) {
      for (const int i : {0, (j + e.m) / 2, e.m - 1}) places.emplace_back(std::min(i, e.m - 1), j);
    }
    spoil_and_check<T>(e.m, e.n, places);
  }
}

TEMPLATE_LIST_TEST_CASE("what geqrf leaves does not depend on what ran before", "[geqrf]", precisions) {
  using T = TestType;
  // Other matrices leave their tiles behind on the chip, where a kernel that reads what it has not written
  // finds them. The host has one such place per thread.
  const std::int64_t others = on_cuda() ? 1200 : 40;
  slab<T> nans(48, 48, 48, others);  // all of it
  const slab<T> huge = repeated_qr<T>("huge", 48, 48, 3, 7).fill(48, others);
  for (const extents e :
       {extents{5, 5}, {9, 9}, {16, 16}, {22, 22}, {38, 38}, {84, 84}, {100, 100}, {200, 20}, {20, 200}}) {
    CAPTURE(e.m, e.n);
    const slab<T> s = repeated_qr<T>("random", e.m, e.n, 3, 5).fill(e.m, 12);
    const factored<T> before(huge, call_form::strided), first(s, call_form::strided),
        between(nans, call_form::strided), second(s, call_form::strided);
    CHECK(first.same_bits(second));
  }
}

// ---- info, and nothing to do -----------------------------------------------------------------------------

TEST_CASE("geqrf never reads info or tau, writes every one", "[geqrf]") {
#ifdef TALUS_HAVE_D
  for (const int n : {0, 1, 8, 40, 100, 300}) {
    for (const int stale : {0, 1, -1, 12345}) {
      CAPTURE(n, stale);
      const std::int64_t count = 9;
      const repeated_general<double> A = repeated_qr<double>("random", n, n, 2, 1);
      const slab<double> s = A.fill(std::max(1, n), count);
      slab<double> stale_tau = unset_tau<double>(n, count);
      for (std::int64_t b = 0; b < count; ++b)
        stale_tau.put(b, dense<double>(static_cast<std::size_t>(n), stale));
      const resident<double> memory(s), tau(stale_tau);
      const array<int> info(std::vector<int>(static_cast<std::size_t>(count), stale));
      REQUIRE(geqrf_strided_batched(n, n, memory.memory.data(), s.ld, s.stride, tau.memory.data(),
                                    tau.host.stride, info.data(), count, test_queue()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>(static_cast<std::size_t>(count), 0));
      for (std::int64_t b = 0; b < 2 && n < 300; ++b)
        check_reflectors(A[b], memory.download().get(b), tau.download().get(b), n, n);
    }
  }
#endif
}

TEST_CASE("geqrf of matrices without rows or columns: legal, info 0", "[geqrf]") {
#ifdef TALUS_HAVE_D
  check_without_elements(geqrf_batched<double>, geqrf_strided_batched<double>);
#endif
}

TEMPLATE_LIST_TEST_CASE("geqrf, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const extents e : {extents{1, 1}, {3, 3}, {8, 8}, {20, 20}, {40, 40}, {70, 70}, {40, 5}, {5, 40}}) {
    factor_and_check<T>("random", e.m, e.n, e.m + 1, 9, call_form::strided);
    factor_and_check<T>("mixed", e.m, e.n, e.m + 1, 3, call_form::pointers);
    factor_known<T>({{e.m, e.n, 1}, {e.m, e.n, 2}}, e.m + 1, call_form::pointers);
    spoil_and_check<T>(e.m, e.n, {{e.m - 1, std::min(e.m, e.n) - 1}, {0, 0}});
  }
}
