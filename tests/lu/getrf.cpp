// Needs: getrf

// getrf: factors, pivots, what it reports, what it leaves alone. Every case runs on the backend under test.
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "lu/lu.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Sizes around every border a kernel may have.
const std::vector<int> sizes{1,  2,  3,  4,  5,  7,  8,  9,  12, 15, 16, 17,  23,  24,  25,  31, 32,
                             33, 40, 47, 48, 49, 63, 64, 65, 80, 96, 97, 100, 128, 129, 161, 200};

/// High and wide: a row, a column, up to sixteen times as high as wide.
const std::vector<extents> rectangles{
    {1, 2},    {1, 9},   {1, 70},   {2, 1},    {9, 1},    {70, 1},   {300, 1},  {3, 2},
    {2, 3},    {5, 8},   {8, 5},    {9, 4},    {4, 17},   {17, 16},  {16, 17},  {33, 8},
    {8, 33},   {128, 8}, {32, 31},  {31, 32},  {40, 64},  {64, 40},  {65, 33},  {33, 65},
    {256, 16}, {48, 3},  {100, 90}, {70, 130}, {130, 70}, {200, 32}, {32, 200}, {512, 32}};

std::vector<extents> squares() {
  std::vector<extents> all;
  for (const int n : sizes) all.push_back({n, n});
  return all;
}
std::vector<extents> all_extents() {
  std::vector<extents> all = squares();
  all.insert(all.end(), rectangles.begin(), rectangles.end());
  return all;
}

template <class T>
void factor_and_check(const std::string& kind, int m, int n, int ld, std::int64_t count,
                      call_form how = call_form::strided) {
  CAPTURE(kind, m, n, ld, count, how == call_form::pointers);
  const int distinct = 2;
  const repeated_general<T> A(kind, m, n, distinct, static_cast<unsigned>(m + 3 * n));
  const slab<T> before = A.fill(ld, count);
  const resident<T> memory(before);
  const pivot_array ipiv(count, std::min(m, n));
  const info_array info(count);
  REQUIRE(getrf(how, memory, ipiv, info) == 0);
  finish();
  const slab<T> after = memory.download();
  const std::vector<int> infos = info.download();
  const std::vector<std::vector<int>> pivots = ipiv.download();
  CHECK(after.guards_untouched(before));
  CHECK(position_does_not_matter(after, distinct));
  for (std::size_t b = 0; b < infos.size(); ++b) {
    if (b < distinct) {
      check_pivoted(A[static_cast<std::int64_t>(b)], after.get(static_cast<std::int64_t>(b)), pivots[b],
                    infos[b], m, n);
      if (kind == "zero_column") CHECK(infos[b] == std::min(m, n) / 2 + 1);
      if (kind != "zero_column" && kind != "ties") CHECK(infos[b] == 0);
    } else if (pivots[b] != pivots[b % distinct] || infos[b] != infos[b % distinct]) {
      CAPTURE(b);
      CHECK(pivots[b] == pivots[b % distinct]);
      CHECK(infos[b] == infos[b % distinct]);
    }
  }
}

/// Matrices whose factors are known, in one batch.
template <class T>
void factor_known(const std::vector<known_lu<T>>& known, int ld, call_form how) {
  const int m = known[0].m, n = known[0].n;
  CAPTURE(m, n, ld, how == call_form::pointers);
  const auto count = static_cast<std::int64_t>(known.size());
  slab<T> s(m, n, ld, count);
  for (std::int64_t b = 0; b < count; ++b) s.put(b, known[static_cast<std::size_t>(b)].A);
  const resident<T> memory(s);
  const pivot_array ipiv(count, std::min(m, n));
  const info_array info(count);
  REQUIRE(getrf(how, memory, ipiv, info) == 0);
  finish();
  const slab<T> result = memory.download();
  const std::vector<int> infos = info.download();
  CHECK(result.guards_untouched(s));
  for (std::size_t b = 0; b < known.size(); ++b) {
    CAPTURE(b);
    CHECK(ipiv.download()[b] == known[b].ipiv);
    CHECK(infos[b] == known[b].info);
    CHECK(result.get(static_cast<std::int64_t>(b)) == known[b].factors);
  }
}

/// Elimination column by column, and for how many columns there is no doubt about the pivot: the second
/// largest element is less by more than rounding makes of it.
template <class T>
struct unblocked {
  explicit unblocked(dense<T> A, int m, int n) : certain(std::min(m, n)) {
    const auto at = [m](int i, int j) { return static_cast<std::size_t>(i + j * m); };
    const double rounding = 100 * std::sqrt(m) * static_cast<double>(epsilon<T>);
    for (int j = 0; j < std::min(m, n); ++j) {
      int p = j;
      for (int i = j; i < m; ++i) {
        if (magnitude(A[at(i, j)]) > magnitude(A[at(p, j)])) p = i;
      }
      for (int i = j; i < m; ++i) {
        const auto size = static_cast<double>(magnitude(A[at(i, j)]));
        if (i != p && size >= (1 - rounding) * static_cast<double>(magnitude(A[at(p, j)])))
          certain = std::min(certain, j);
      }
      ipiv.push_back(p + 1);
      if (A[at(p, j)] == T(0)) continue;
      for (int c = 0; c < n; ++c) std::swap(A[at(j, c)], A[at(p, c)]);
      for (int i = j + 1; i < m; ++i) {
        const T l = A[at(i, j)] /= A[at(j, j)];
        for (int c = j + 1; c < n; ++c) A[at(i, c)] -= times(l, A[at(j, c)]);
      }
    }
  }
  std::vector<int> ipiv;
  int certain;
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("getrf factors the matrix worked by hand", "[getrf]", precisions) {
  using T = TestType;
  const dense<T> A{-2, 8, 4, 1, 4, 6, 4, -4, 0}, LU{8, T(0.5), T(-0.25), 4, 4, T(0.5), -4, 2, 2};
  for (const call_form how : forms) {
    slab<T> s(3, 3, 4, 2);
    s.put(0, A);
    s.put(1, A);
    const resident<T> memory(s);
    const pivot_array ipiv(2, 3);
    const info_array info(2);
    REQUIRE(getrf(how, memory, ipiv, info) == 0);
    finish();
    for (const int b : {0, 1}) CHECK(memory.download().get(b) == LU);
    CHECK(ipiv.download() == std::vector<std::vector<int>>(2, {2, 3, 3}));
    CHECK(info.download() == std::vector<int>{0, 0});
  }
}

TEMPLATE_LIST_TEST_CASE("getrf gives the exact factors and pivots where there are such", "[getrf]",
                        precisions) {
  using T = TestType;
  for (const extents e : all_extents()) {
    std::vector<known_lu<T>> known;
    for (unsigned seed = 0; seed < 4; ++seed) known.emplace_back(pivoted(e.m, e.n), seed);
    factor_known(known, e.m + e.n % 3, forms[(e.m + e.n) % 2]);
  }
}

TEMPLATE_LIST_TEST_CASE("of equal magnitudes getrf takes that of the smallest row", "[getrf]", precisions) {
  using T = TestType;
  // The first pivots of matrices whose elements are all of magnitude 1: until divisions are no longer exact.
  const std::size_t exact = is_complex<T> ? 2 : 4;
  for (const int n : sizes) {
    const std::int64_t count = 7;
    CAPTURE(n);
    const repeated_general<T> A("ties", n, n, static_cast<int>(count), static_cast<unsigned>(n));
    const resident<T> memory(A.fill(n, count));
    const pivot_array ipiv(count, n);
    const info_array info(count);
    REQUIRE(getrf(call_form::strided, memory, ipiv, info) == 0);
    finish();
    for (std::size_t b = 0; b < static_cast<std::size_t>(count); ++b) {
      const unblocked<T> reference(A[static_cast<std::int64_t>(b)], n, n);
      for (std::size_t j = 0; j < std::min(exact, reference.ipiv.size()); ++j)
        CHECK(ipiv.download()[b][j] == reference.ipiv[j]);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf compares complex numbers by |re| + |im|", "[getrf]", precisions) {
  using T = TestType;
  if constexpr (is_complex<T>) {
    struct {
      dense<T> column;
      int pivot;
    } const cases[] = {{{T(3), T(2, 2), T(1, -3)}, 2},  // by absolute value it would be the third
                       {{T(3), T(2, -2), T(-2, 2)}, 2},
                       {{T(-4), T(2, 2), T(0, 4)}, 1},
                       {{T(1, 1), T(0, 2), T(-2)}, 1},
                       {{T(0, -1), T(0), T(0, -5)}, 3}};
    for (const auto& [column, pivot] : cases) {
      for (const int n : {1, 8, 20, 40, 70}) {  // the column stands first, or last behind an identity
        for (const bool last : {false, true}) {
          CAPTURE(pivot, n, last);
          const int m = n + 2, j = last ? n - 1 : 0;
          slab<T> s(m, n, m, 3);
          for (std::int64_t b = 0; b < 3; ++b) {
            for (int c = 0; c < n; ++c) {
              for (int i = 0; i < m; ++i) s.at(b, i, c) = T(i == (last ? c : c + 2) ? 1 : 0);
            }
            for (int i = 0; i < m; ++i) s.at(b, i, j) = T(0);
            for (int i = 0; i < 3; ++i) s.at(b, j + i, j) = column[static_cast<std::size_t>(i)];
          }
          const resident<T> memory(s);
          const pivot_array ipiv(3, n);
          const info_array info(3);
          REQUIRE(getrf(call_form::strided, memory, ipiv, info) == 0);
          finish();
          for (const std::vector<int>& pivots : ipiv.download())
            CHECK(pivots[static_cast<std::size_t>(j)] == j + pivot);
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf takes the pivots of the unblocked algorithm", "[getrf]", precisions) {
  using T = TestType;
  for (const extents e : all_extents()) {
    for (const char* const kind : {"random", "graded"}) {
      const int count = 5;
      CAPTURE(kind, e.m, e.n);
      const repeated_general<T> A(kind, e.m, e.n, count, 100);
      const resident<T> memory(A.fill(e.m, count));
      const pivot_array ipiv(count, std::min(e.m, e.n));
      const info_array info(count);
      REQUIRE(getrf(call_form::pointers, memory, ipiv, info) == 0);
      finish();
      CHECK(all_zero(info.download()));
      const std::vector<std::vector<int>> pivots = ipiv.download();
      for (std::size_t b = 0; b < pivots.size(); ++b) {
        unblocked<T> reference(A[static_cast<std::int64_t>(b)], e.m, e.n);
        const auto certain = static_cast<std::size_t>(reference.certain);
        reference.ipiv.resize(certain);
        CHECK(std::vector<int>(pivots[b].begin(), pivots[b].begin() + reference.certain) == reference.ipiv);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf is backward stable on every kind of matrix", "[getrf]", precisions) {
  for (const std::string& kind : general_kinds()) {
    for (const extents e : all_extents())
      factor_and_check<TestType>(kind, e.m, e.n, e.m + e.n % 3, 3, forms[(e.m + e.n) % 2]);
  }
}

TEMPLATE_LIST_TEST_CASE("getrf factors large matrices", "[getrf]", precisions) {
  using T = TestType;
  for (const extents e : {extents{255, 255}, {300, 300}, {400, 400}, {513, 513}, {700, 300}, {300, 700}})
    factor_and_check<T>("random", e.m, e.n, e.m + e.n % 3, 2);
  factor_known<T>({{pivoted(600, 600), 1}}, 601, call_form::strided);
}

TEST_CASE("getrf factors one very large matrix", "[getrf]") {
#ifdef TALUS_HAVE_D
  // L is 1/2 below its diagonal, U is 1; the last row comes first, so each step finds its pivot one row
  // below.
  const int n = on_cuda() ? 4096 : 1024;
  slab<double> s(n, n, n, 1);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) s.at(0, (i + 1) % n, j) = i <= j ? 1 + i / 2.0 : (j + 1) / 2.0;
  }
  std::vector<int> expected;
  for (int j = 0; j < n; ++j) expected.push_back(std::min(j + 2, n));
  const resident<double> memory(s);
  const pivot_array ipiv(1, n);
  const info_array info(1);
  REQUIRE(getrf(call_form::strided, memory, ipiv, info) == 0);
  finish();
  CHECK(info.download() == std::vector<int>{0});
  CHECK(ipiv.download()[0] == expected);
  const slab<double> result = memory.download();
  bool exact = true;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) exact = exact && result.at(0, i, j) == (i <= j ? 1 : 0.5);
  }
  CHECK(exact);
#endif
}

TEMPLATE_LIST_TEST_CASE("getrf's last column grows as Wilkinson's does", "[getrf]", precisions) {
  using T = TestType;
  for (const int n : {2, 5, 8, 13, 17, 21, 32, 33, 64, 100}) {
    CAPTURE(n);
    const dense<T> A = general<T>("growth", n, n, 0);
    slab<T> s(n, n, n, 3);
    for (const int b : {0, 1, 2}) s.put(b, A);
    const resident<T> memory(s);
    const pivot_array ipiv(3, n);
    const info_array info(3);
    REQUIRE(getrf(call_form::strided, memory, ipiv, info) == 0);
    finish();
    CHECK(all_zero(info.download()));
    const slab<T> result = memory.download();
    bool exact = true;
    for (int j = 0; j < n; ++j) {
      CHECK(ipiv.download()[1][static_cast<std::size_t>(j)] == j + 1);
      for (int i = 0; i < n; ++i) {
        const T expected = j == n - 1 ? T(std::ldexp(real_of<T>(1), std::min({i, n - 1, 20})))
                                      : A[static_cast<std::size_t>(i + j * n)];
        exact = exact && result.at(1, i, j) == expected;
      }
    }
    CHECK(exact);
  }
}

TEMPLATE_LIST_TEST_CASE("getrf of large and small numbers is that of one around 1, scaled", "[getrf]",
                        precisions) {
  using T = TestType;
  using R = real_of<T>;
  // The reciprocal of a pivot is subnormal at one end, and overflows at the other.
  const std::vector<int> exponents = sizeof(R) == 4 ? std::vector<int>{110, 60, -60, -100, -146}
                                                    : std::vector<int>{1000, 500, -500, -1000, -1070};
  for (const extents e : {extents{1, 1},
                          {2, 2},
                          {5, 5},
                          {8, 8},
                          {17, 17},
                          {24, 24},
                          {33, 33},
                          {64, 64},
                          {100, 100},
                          {40, 7},
                          {130, 130}}) {
    CAPTURE(e.m, e.n);
    std::vector<known_lu<T>> known;
    for (const int exponent : exponents) {
      // The sums of the tensor units' single precision are zero where they would be subnormal. In double they
      // are products of inverses there, too, which need bits below the smallest number.
      if (on_cuda() && std::min(e.m, e.n) > 32 && exponent < (sizeof(R) == 4 ? -110 : -1000)) continue;
      known.emplace_back(pivoted(e.m, e.n), 5);
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

TEMPLATE_LIST_TEST_CASE("getrf takes any number of matrices", "[getrf]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 129, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13}) factor_and_check<T>("random", n, n, n + n % 2, count);
    factor_and_check<T>("random", 9, 4, 9, count, call_form::pointers);
  }
  for (const std::int64_t count : {1, 7, 17, 70}) {
    for (const int n : {16, 30, 33, 64}) factor_and_check<T>("random", n, n, n + 1, count);
  }
  for (const int n : {1, 2, 3}) factor_and_check<T>("random", n, n, n, 70000, forms[n % 2]);
}

TEMPLATE_LIST_TEST_CASE("getrf gives the same bits on every run, by pointers and by strides", "[getrf]",
                        precisions) {
  using T = TestType;
  for (const extents e : all_extents()) {
    CAPTURE(e.m, e.n);
    const std::int64_t count = e.m * e.n > 5000 ? 9 : 37;
    const slab<T> s = repeated_general<T>("condition", e.m, e.n, 4, 11).fill(e.m, count);
    const resident<T> first(s), second(s), third(s);
    const pivot_array pivots(count, std::min(e.m, e.n)), again(count, std::min(e.m, e.n)),
        by_pointers(count, std::min(e.m, e.n));
    const info_array info(count);
    REQUIRE(getrf(call_form::strided, first, pivots, info) == 0);
    REQUIRE(getrf(call_form::strided, second, again, info) == 0);
    REQUIRE(getrf(call_form::pointers, third, by_pointers, info) == 0);
    finish();
    CHECK(first.download().same_bits(second.download()));
    CHECK(first.download().same_bits(third.download()));
    CHECK(pivots.download() == again.download());
    CHECK(pivots.download() == by_pointers.download());
    CHECK(position_does_not_matter(first.download(), 4));
  }
}

TEMPLATE_LIST_TEST_CASE("getrf gives the same bits wherever in memory small matrices begin", "[getrf]",
                        precisions) {
  using T = TestType;
  for (int n = 1; n <= 20; ++n) {
    const std::int64_t count = 77;
    slab<T> s = repeated_general<T>("random", n, n, 3, 2).fill(n, count, 0);
    s.at(40, n - 1, n - 1) = nan_of<T>();
    check_all_starts(s, [&](T* start) {
      CAPTURE(n);
      const pivot_array ipiv(count, n);
      const info_array info(count);
      REQUIRE(getrf_strided_batched(n, n, start, n, s.stride, ipiv.memory.data(), ipiv.stride, info.data(),
                                    count, test_queue()) == 0);
      finish();
      CHECK(info.download()[40] == n);
    });
  }
}

// ---- failures ------------------------------------------------------------------------------------------

TEMPLATE_LIST_TEST_CASE("getrf completes singular matrices of every size and reports the first zero",
                        "[getrf]", precisions) {
  using T = TestType;
  for (int n = 1; n <= 64; ++n) {
    std::vector<known_lu<T>> known;
    unsigned seed = 0;
    for (const std::set<int>& zeros :
         {std::set<int>{}, {0}, {n / 2}, {n - 1}, {n / 3, n / 2}, {0, n - 1}, {}, {n / 2}})
      known.emplace_back(pivoted(n, n, zeros), seed++);
    factor_known(known, n + 1, forms[n % 2]);
  }
  for (const extents e : {extents{100, 100}, {200, 200}, {70, 20}, {20, 70}, {9, 4}, {4, 9}, {300, 5}}) {
    const int k = std::min(e.m, e.n);
    std::vector<known_lu<T>> known;
    for (const int zero : {0, k / 2, k - 1}) known.emplace_back(pivoted(e.m, e.n, {zero, k - 1}), 3);
    factor_known(known, e.m, call_form::strided);
  }
}

TEMPLATE_LIST_TEST_CASE("getrf of zeros is zeros, in their order", "[getrf]", precisions) {
  using T = TestType;
  for (const extents e : {extents{1, 1}, {3, 3}, {8, 8}, {20, 20}, {40, 40}, {100, 100}, {9, 4}, {4, 9}}) {
    known_lu<T> zeros(pivoted(e.m, e.n), 1);
    for (T& a : zeros.A) a = 0;
    for (T& a : zeros.factors) a = 0;
    for (std::size_t j = 0; j < zeros.ipiv.size(); ++j) zeros.ipiv[j] = static_cast<int>(j) + 1;
    zeros.info = 1;
    factor_known<T>({zeros, zeros, zeros}, e.m + 1, call_form::strided);
  }
}

namespace {

/// One matrix for each of these places, with a NaN there, and one without behind each. A NaN spreads down its
/// column, so the column is where it is met, whichever row it stands in.
template <class T>
void spoil_and_check(int m, int n, const std::vector<std::pair<int, int>>& places) {
  CAPTURE(m, n);
  const auto count = static_cast<std::int64_t>(2 * places.size());
  const int k = std::min(m, n);
  const repeated_general<T> A("random", m, n, 1, 5);
  slab<T> s = A.fill(m, count);
  const resident<T> healthy(s);
  for (std::size_t p = 0; p < places.size(); ++p) {
    T& a = s.at(static_cast<std::int64_t>(2 * p), places[p].first, places[p].second);
    if constexpr (is_complex<T>) {
      const auto nan = std::numeric_limits<real_of<T>>::quiet_NaN();
      a = p % 3 == 0 ? T(nan, nan) : p % 3 == 1 ? T(nan, 0) : T(0, nan);
    } else {
      a = nan_of<T>();
    }
  }
  const resident<T> spoilt(s);
  const pivot_array ipiv(count, k), healthy_ipiv(count, k);
  const info_array info(count), healthy_info(count);
  REQUIRE(getrf(call_form::strided, healthy, healthy_ipiv, healthy_info) == 0);
  REQUIRE(getrf(forms[m % 2], spoilt, ipiv, info) == 0);
  finish();
  CHECK(all_zero(healthy_info.download()));
  const slab<T> result = spoilt.download(), unspoilt = healthy.download();
  const std::vector<int> infos = info.download();
  const std::vector<std::vector<int>> pivots = ipiv.download(), expected = healthy_ipiv.download();
  CHECK(result.guards_untouched(s));
  for (std::size_t p = 0; p < places.size(); ++p) {
    const auto [i, j] = places[p];
    CAPTURE(i, j);
    const std::size_t b = 2 * p;
    CHECK(infos[b] == (j < k ? j + 1 : 0));
    CHECK(are_pivots(pivots[b], m));
    if (j < k) CHECK(pivots[b][static_cast<std::size_t>(j)] == j + 1);
    const auto before = std::min(j, k);  // columns that know nothing of it
    CHECK(std::vector<int>(pivots[b].begin(), pivots[b].begin() + before) ==
          std::vector<int>(expected[b].begin(), expected[b].begin() + before));
    CHECK(infos[b + 1] == 0);
    CHECK(pivots[b + 1] == expected[b + 1]);
    CHECK(result.same_bits(2 * static_cast<std::int64_t>(p) + 1, unspoilt, 1));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("getrf meets a NaN wherever it stands, and harms no neighbour", "[getrf]",
                        precisions) {
  using T = TestType;
  for (const extents e : {extents{1, 1},
                          {2, 2},
                          {3, 3},
                          {4, 4},
                          {5, 5},
                          {6, 6},
                          {7, 7},
                          {8, 8},
                          {9, 9},
                          {13, 13},
                          {16, 16},
                          {17, 17},
                          {23, 23},
                          {32, 32},
                          {12, 5},
                          {5, 12},
                          {1, 6},
                          {6, 1},
                          {37, 9}}) {
    std::vector<std::pair<int, int>> places;
    for (int j = 0; j < e.n; ++j) {
      for (int i = 0; i < e.m; ++i) places.emplace_back(i, j);
    }
    spoil_and_check<T>(e.m, e.n, places);
  }
  for (const extents e : {extents{33, 33},
                          {47, 47},
                          {63, 63},
                          {64, 64},
                          {65, 65},
                          {100, 100},
                          {129, 129},
                          {203, 203},
                          {300, 300},
                          {160, 40},
                          {40, 160}}) {
    const int k = std::min(e.m, e.n);
    std::vector<std::pair<int, int>> places;
    for (const int j :
         {0, 1, 7, 8, 31, k / 2, k - 8, k - 7, k - 5, k - 3, k - 2, k - 1}) {  // the last n mod 8, too
      for (const int i : {0, j, (j + e.m) / 2, e.m - 1}) places.emplace_back(i, j);
      if (e.m * e.n > 20000) places.erase(places.end() - 2);
    }
    spoil_and_check<T>(e.m, e.n, places);
  }
}

TEMPLATE_LIST_TEST_CASE("the first failure is the one that getrf reports", "[getrf]", precisions) {
  using T = TestType;
  for (const int n : {3, 8, 16, 20, 33, 64, 100}) {
    CAPTURE(n);
    const auto zero_at = [n](int j) { return known_lu<T>(pivoted(n, n, {j}), 7); };
    const int early = n / 3, late = n - 1;
    slab<T> s(n, n, n, 3);
    s.put(0, zero_at(early).A);  // a zero, then a NaN
    s.at(0, n - 1, late) = nan_of<T>();
    s.put(1, zero_at(late).A);  // a NaN, then what might have been a zero
    s.at(1, n - 1, early) = nan_of<T>();
    s.put(2, zero_at(late).A);
    const resident<T> memory(s);
    const pivot_array ipiv(3, n);
    const info_array info(3);
    REQUIRE(getrf(call_form::strided, memory, ipiv, info) == 0);
    finish();
    CHECK(info.download() == std::vector<int>{early + 1, early + 1, late + 1});
  }
}

TEST_CASE("getrf never reads info or ipiv, writes every one", "[getrf]") {
#ifdef TALUS_HAVE_D
  for (const int n : {0, 1, 8, 40, 100, 300}) {
    for (const int stale : {0, 1, -1, 12345}) {
      CAPTURE(n, stale);
      const std::int64_t count = 9;
      const repeated_general<double> A("random", n, n, 2, 1);
      const slab<double> s = A.fill(std::max(1, n), count);
      const resident<double> memory(s);
      const array<int> info(std::vector<int>(static_cast<std::size_t>(count), stale));
      const pivot_array ipiv(count, std::vector<int>(static_cast<std::size_t>(n), stale));
      REQUIRE(getrf_strided_batched(n, n, memory.memory.data(), s.ld, s.stride, ipiv.memory.data(),
                                    ipiv.stride, info.data(), count, test_queue()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>(static_cast<std::size_t>(count), 0));
      const std::vector<std::vector<int>> pivots = ipiv.download();
      for (std::size_t b = 0; b < pivots.size(); ++b) {
        const auto at = static_cast<std::int64_t>(b);
        CHECK(are_pivots(pivots[b], n));
        if (b < 2) CHECK(lu_ratio(A[at], memory.download().get(at), pivots[b], n, n) < threshold);
      }
    }
  }
#endif
}

TEMPLATE_LIST_TEST_CASE("what getrf leaves of a failed matrix does not depend on what ran before", "[getrf]",
                        precisions) {
  using T = TestType;
  using R = real_of<T>;
  // Other matrices leave their tiles behind on the chip, where a kernel that reads what it has not written
  // finds them. The host has one such place per thread.
  const slab<T> small = repeated_general<T>("random", 48, 48, 3, 7).fill(48, on_cuda() ? 1200 : 40);
  std::vector<T> large = small.host;
  for (T& element : large) element *= R(1e6);
  resident<T> others(small);
  const pivot_array no_ipiv(small.count, 48);
  const info_array no_info(small.count);
  const auto run_others = [&](const std::vector<T>& host) {
    others.memory.upload(host);
    REQUIRE(getrf(call_form::strided, others, no_ipiv, no_info) == 0);
    finish();
  };
  for (const int n : {5, 9, 16, 22, 38, 84, 100, 200}) {
    const std::int64_t count = 12;
    slab<T> s = repeated_general<T>("random", n, n, 3, 5).fill(n, count);
    for (std::int64_t b = 0; b < count; ++b) {  // a NaN early or late, or a column of zeros
      const int j = static_cast<int>(b * n / count);
      s.at(b, b % 4 == 1 ? n - 1 : j, j) = nan_of<T>();
      for (int i = 0; b % 3 == 0 && i < n; ++i) s.at(b, i, j) = T(0);
    }
    const resident<T> first(s), second(s);
    const pivot_array ipiv(count, n), again(count, n);
    const info_array info(count), info_again(count);
    run_others(small.host);
    REQUIRE(getrf(call_form::strided, first, ipiv, info) == 0);
    finish();
    run_others(large);
    REQUIRE(getrf(call_form::strided, second, again, info_again) == 0);
    finish();
    CAPTURE(n);
    CHECK(first.download().same_bits(second.download()));
    CHECK(ipiv.download() == again.download());
    CHECK(info.download() == info_again.download());
  }
}

TEST_CASE("getrf of matrices without rows or columns: legal, info 0", "[getrf]") {
#ifdef TALUS_HAVE_D
  check_without_elements(getrf_batched<double>, getrf_strided_batched<double>);
#endif
}

TEMPLATE_LIST_TEST_CASE("getrf, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const extents e : {extents{1, 1}, {3, 3}, {8, 8}, {20, 20}, {40, 40}, {70, 70}, {40, 5}, {5, 40}}) {
    factor_and_check<T>("random", e.m, e.n, e.m + 1, 9);
    factor_known<T>({{pivoted(e.m, e.n), 1}, {pivoted(e.m, e.n, {std::min(e.m, e.n) / 2}), 2}}, e.m + 1,
                    call_form::pointers);
    spoil_and_check<T>(e.m, e.n, {{e.m - 1, std::min(e.m, e.n) - 1}, {0, 0}});
  }
}

#ifdef TALUS_WITH_CUDA
/// Of each repetition another part is compared, of the last one all.
TEST_CASE("a million matrices of order 6, a hundred times: the same bits", "[getrf]") {
#ifdef TALUS_HAVE_D
  if (!on_cuda()) return;
  const std::int64_t count = 1'000'000;
  const int n = 6, repetitions = 100;
  const std::size_t elements = static_cast<std::size_t>(count) * 36, part = elements / repetitions;
  const array<double> pristine(random_matrix<double>(36, static_cast<int>(count), 1)), memory(elements);
  const array<int> ipiv(static_cast<std::size_t>(count) * 6), info(static_cast<std::size_t>(count));
  std::vector<double> expected, some(part);
  std::vector<int> expected_ipiv;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    CAPTURE(repetition);
    check_cuda(
        cudaMemcpy(memory.data(), pristine.data(), elements * sizeof(double), cudaMemcpyDeviceToDevice),
        "restore");
    REQUIRE(getrf_strided_batched(n, n, memory.data(), n, 36, ipiv.data(), 6, info.data(), count,
                                  test_queue()) == 0);
    finish();
    if (repetition == 0) {
      expected = memory.download();
      expected_ipiv = ipiv.download();
      CHECK(all_zero(info.download()));
      continue;
    }
    const std::size_t from = static_cast<std::size_t>(repetition) * part;
    check_cuda(cudaMemcpy(some.data(), memory.data() + from, part * sizeof(double), cudaMemcpyDeviceToHost),
               "download");
    CHECK(std::memcmp(some.data(), &expected[from], part * sizeof(double)) == 0);
  }
  CHECK(std::memcmp(memory.download().data(), expected.data(), elements * sizeof(double)) == 0);
  CHECK(ipiv.download() == expected_ipiv);
#endif
}
#endif
