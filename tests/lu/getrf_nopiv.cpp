// Needs: getrf

// getrf_nopiv: factors without row exchanges, floors of pivots, what it reports. Every case runs on the
// backend under test.
#include <string>
#include <vector>

#include "catch.hpp"
#include "lu/lu.hpp"

using namespace talus;
using namespace talus::test;

namespace {

const std::vector<extents> all_extents{
    {1, 1},   {2, 2},   {3, 3},   {4, 4},   {5, 5},   {8, 8},     {9, 9},     {15, 15},  {16, 16},
    {17, 17}, {24, 24}, {31, 31}, {32, 32}, {33, 33}, {48, 48},   {64, 64},   {65, 65},  {100, 100},
    {1, 9},   {9, 1},   {70, 1},  {5, 8},   {8, 5},   {17, 16},   {16, 17},   {33, 8},   {8, 33},
    {128, 8}, {40, 64}, {64, 40}, {65, 33}, {33, 65}, {129, 129}, {200, 200}, {130, 70}, {70, 130}};

/// The shape of a matrix without row exchanges.
known_shape unpivoted(int m, int n, std::set<int> zeros = {}, std::set<int> small = {}) {
  return {m, n, std::min(m, n), 0, std::move(zeros), std::move(small)};
}

/// Matrices whose factors are known, in one batch. Those with pivots below a floor of 1 get that, the others
/// none, by an array of floors; or all get it.
template <class T>
void factor_known(const std::vector<known_lu<T>>& known, int ld, call_form how, bool array_of_floors) {
  using R = real_of<T>;
  const int m = known[0].m, n = known[0].n;
  CAPTURE(m, n, ld, how == call_form::pointers, array_of_floors);
  const auto count = static_cast<std::int64_t>(known.size());
  slab<T> s(m, n, ld, count);
  std::vector<R> floors;
  for (std::int64_t b = 0; b < count; ++b) {
    const known_lu<T>& one = known[static_cast<std::size_t>(b)];
    s.put(b, one.A);
    // What is no floor says nothing.
    floors.push_back(one.replaced > 0 ? R(1) : b % 3 == 0 ? R(0) : b % 3 == 1 ? R(-3) : nan_of<R>());
  }
  const resident<T> memory(s);
  const array<R> each(floors);
  const info_array info(count), replaced(count);
  pivot_floor<T> floor{1, nullptr, replaced.data()};
  if (array_of_floors) floor = {100, each.data(), replaced.data()};
  REQUIRE(getrf_nopiv(how, memory, floor, info) == 0);
  finish();
  const slab<T> result = memory.download();
  const std::vector<int> infos = info.download(), counted = replaced.download();
  CHECK(result.guards_untouched(s));
  for (std::size_t b = 0; b < known.size(); ++b) {
    CAPTURE(b);
    CHECK(infos[b] == known[b].info);
    CHECK(counted[b] == known[b].replaced);
    CHECK(result.get(static_cast<std::int64_t>(b)) == known[b].factors);
  }
}

/// Without a floor.
template <class T>
void factor_and_check(const std::string& kind, int m, int n, int ld, std::int64_t count, call_form how) {
  CAPTURE(kind, m, n, ld, count, how == call_form::pointers);
  const int distinct = 2;
  const repeated_general<T> A(kind, m, n, distinct, static_cast<unsigned>(m + 3 * n));
  const slab<T> before = A.fill(ld, count);
  const resident<T> memory(before);
  const info_array info(count);
  REQUIRE(getrf_nopiv(how, memory, {}, info) == 0);
  finish();
  const slab<T> after = memory.download();
  CHECK(all_zero(info.download()));
  CHECK(after.guards_untouched(before));
  CHECK(position_does_not_matter(after, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b) {
    const dense<T> LU = after.get(b);
    const double multiplier = std::max(1.0, largest_multiplier(LU, m, n));
    CHECK(lu_ratio(A[b], LU, {}, m, n) < threshold * multiplier * growth(A[b], LU, m, n));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("getrf_nopiv factors the matrix worked by hand", "[getrf_nopiv]", precisions) {
  using T = TestType;
  const dense<T> A{2, 4, -2, 1, 5, 2, -1, 1, 8}, LU{2, 2, -1, 1, 3, 1, -1, 3, 4};
  for (const call_form how : forms) {
    slab<T> s(3, 3, 4, 2);
    s.put(0, A);
    s.put(1, A);
    const resident<T> memory(s);
    const info_array info(2);
    REQUIRE(getrf_nopiv(how, memory, {}, info) == 0);
    finish();
    for (const int b : {0, 1}) {
      bool near = true;  // 3 has no exact reciprocal
      for (std::size_t e = 0; e < LU.size(); ++e)
        near = near && std::abs(memory.download().get(b)[e] - LU[e]) <= 8 * epsilon<T>;
      CHECK(near);
    }
    CHECK(info.download() == std::vector<int>{0, 0});
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_nopiv gives the exact factors where there are such", "[getrf_nopiv]",
                        precisions) {
  using T = TestType;
  for (const extents e : all_extents) {
    std::vector<known_lu<T>> known;
    for (unsigned seed = 0; seed < 4; ++seed) known.emplace_back(unpivoted(e.m, e.n), seed);
    const call_form how = forms[(e.m + e.n) % 2];
    factor_known(known, e.m + e.n % 3, how, true);
    factor_known(known, e.m + e.n % 3, how, false);  // no pivot is less than the floor, some are no more
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_nopiv replaces pivots below the floor, keeps their phase, counts them",
                        "[getrf_nopiv]", precisions) {
  using T = TestType;
  for (const extents e : all_extents) {
    const int k = std::min(e.m, e.n);
    std::vector<known_lu<T>> known;
    unsigned seed = 0;
    std::set<int> all;
    for (int j = 0; j < k; ++j) all.insert(j);
    for (const std::set<int>& small : {std::set<int>{}, {0}, {k / 2}, {k - 1}, {0, k / 3, k - 1}, {}, all})
      known.emplace_back(unpivoted(e.m, e.n, {}, small), ++seed);
    for (const bool array_of_floors : {true, false})
      factor_known(known, e.m + e.n % 3, forms[(e.m + e.n) % 2], array_of_floors);
  }
}

TEMPLATE_LIST_TEST_CASE("a pivot at the floor stays, one just below it does not, zeros become positive",
                        "[getrf_nopiv]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  const R floor = R(0.75), below = std::nextafter(floor, R(0));
  std::vector<T> pivots{T(floor), T(-floor), T(below), T(-below), T(0), T(-R(0)), T(R(1e-5)), T(R(-1e-5))};
  std::vector<T> expected{T(floor), T(-floor), T(floor), T(-floor), T(floor), T(floor), T(floor), T(-floor)};
  int replaced = 6;
  if constexpr (is_complex<T>) {
    for (const T phase : {T(R(0.6), R(0.8)), T(R(-0.6), R(0.8)), T(R(-0.8), R(-0.6)), T(0, -1), T(0, 1)}) {
      pivots.push_back(phase * R(0.5));
      expected.push_back(phase * floor);
      ++replaced;
    }
    pivots.push_back(T(R(0.6), R(0.6)));  // |re| + |im| and its absolute value are above it,
    pivots.push_back(T(R(0.4), R(0.4)));  // or only the former is
    expected.push_back(pivots[pivots.size() - 2]);
    expected.push_back(T(R(0.4), R(0.4)) * (floor / std::abs(T(R(0.4), R(0.4)))));
    ++replaced;
  }
  const int most = sizeof(R) == 4 ? 100 : 1000;  // squares overflow there, and underflow
  for (const int exponent : {0, most, -most}) {
    const R scale = std::ldexp(R(1), exponent);
    const int n = static_cast<int>(pivots.size());
    CAPTURE(exponent, n);
    slab<T> s(n, n, n, 3);
    for (const int b : {0, 1, 2}) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i)
          s.at(b, i, j) = i == j ? pivots[static_cast<std::size_t>(i)] * scale : T(0);
      }
    }
    const resident<T> memory(s);
    const info_array info(3), counted(3);
    REQUIRE(getrf_nopiv(call_form::strided, memory, {floor * scale, nullptr, counted.data()}, info) == 0);
    finish();
    CHECK(all_zero(info.download()));
    CHECK(counted.download() == std::vector<int>(3, replaced));
    const slab<T> result = memory.download();
    for (int j = 0; j < n; ++j) {
      CAPTURE(j);
      CHECK(std::abs(result.at(1, j, j) / scale - expected[static_cast<std::size_t>(j)]) <= 8 * epsilon<T>);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("nobody has to ask how many pivots were replaced", "[getrf_nopiv]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  for (const int n : {1, 4, 8, 20, 33, 64, 100}) {
    for (const call_form how : forms) {
      CAPTURE(n, how == call_form::pointers);
      const known_lu<T> known(unpivoted(n, n, {}, {0, n / 2, n - 1}), 3);
      slab<T> s(n, n, n, 3);
      for (const int b : {0, 1, 2}) s.put(b, known.A);
      const resident<T> memory(s);
      const array<R> floors(std::vector<R>(3, R(1)));
      const info_array info(3);
      REQUIRE(getrf_nopiv(how, memory, {0, floors.data(), nullptr}, info) == 0);
      finish();
      CHECK(all_zero(info.download()));
      CHECK(memory.download().get(1) == known.factors);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_nopiv is backward stable where it may be", "[getrf_nopiv]", precisions) {
  using T = TestType;
  for (const extents e : all_extents) {
    factor_and_check<T>("dominant", e.m, e.n, e.m + e.n % 3, 3, forms[(e.m + e.n) % 2]);
    factor_and_check<T>("growth", e.m, e.n, e.m, 3, call_form::strided);
  }
  for (const int n : {255, 300, 513}) factor_and_check<T>("dominant", n, n, n, 2, call_form::strided);
  for (const std::int64_t count : {1, 2, 9, 33, 1000}) {
    for (const int n : {1, 2, 5, 8, 20}) factor_and_check<T>("dominant", n, n, n, count, forms[n % 2]);
  }
  factor_and_check<T>("dominant", 2, 2, 2, 70000, call_form::strided);
}

TEMPLATE_LIST_TEST_CASE("getrf_nopiv goes on after a zero pivot, and leaves its column undivided",
                        "[getrf_nopiv]", precisions) {
  using T = TestType;
  for (const extents e : all_extents) {
    const int k = std::min(e.m, e.n);
    std::vector<known_lu<T>> known;
    unsigned seed = 0;
    for (const std::set<int>& zeros : {std::set<int>{}, {0}, {k / 2}, {k - 1}, {k / 3, k - 1}, {}})
      known.emplace_back(unpivoted(e.m, e.n, zeros), ++seed);
    factor_known(known, e.m, forms[(e.m + e.n) % 2], true);
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_nopiv meets a NaN wherever it stands, and harms no neighbour", "[getrf_nopiv]",
                        precisions) {
  using T = TestType;
  for (const extents e : {extents{1, 1},
                          {2, 2},
                          {5, 5},
                          {8, 8},
                          {13, 13},
                          {17, 17},
                          {32, 32},
                          {12, 5},
                          {5, 12},
                          {37, 9},
                          {47, 47},
                          {65, 65},
                          {100, 100},
                          {203, 203},
                          {160, 40}}) {
    CAPTURE(e.m, e.n);
    const int k = std::min(e.m, e.n);
    std::vector<extents> places;
    const int step = e.m > 40 ? e.m / 5 : 1;
    for (int j = 0; j < e.n; j += step) {
      for (int i = 0; i < e.m; i += step) places.push_back({i, j});
    }
    places.push_back({e.m - 1, e.n - 1});
    const auto count = static_cast<std::int64_t>(2 * places.size());
    const repeated_general<T> A("dominant", e.m, e.n, 1, 5);
    slab<T> s = A.fill(e.m, count);
    const resident<T> healthy(s);
    std::vector<int> expected;
    for (const extents& at : places) {
      s.at(static_cast<std::int64_t>(expected.size()), at.m, at.n) = nan_of<T>();
      const int pivot = std::max(at.m, at.n);  // it spreads along its row and down its column
      expected.push_back(pivot < k ? pivot + 1 : 0);
      expected.push_back(0);
    }
    const resident<T> spoilt(s);
    const info_array info(count), no_info(count);
    REQUIRE(getrf_nopiv(call_form::pointers, healthy, {}, no_info) == 0);
    REQUIRE(getrf_nopiv(call_form::strided, spoilt, {}, info) == 0);
    finish();
    CHECK(all_zero(no_info.download()));
    CHECK(info.download() == expected);
    const slab<T> result = spoilt.download(), unspoilt = healthy.download();
    CHECK(result.guards_untouched(s));
    for (std::int64_t b = 1; b < count; b += 2) CHECK(result.same_bits(b, unspoilt, 1));
  }
}

TEMPLATE_LIST_TEST_CASE("a floor does not hide a NaN", "[getrf_nopiv]", precisions) {
  using T = TestType;
  for (const int n : {1, 4, 8, 20, 33, 64, 100}) {
    CAPTURE(n);
    slab<T> s = repeated_general<T>("dominant", n, n, 1, 5).fill(n, 3);
    s.at(1, n - 1, n - 1) = nan_of<T>();
    const resident<T> memory(s);
    const info_array info(3), replaced(3);
    REQUIRE(getrf_nopiv(call_form::strided, memory, {real_of<T>(0.25), nullptr, replaced.data()}, info) == 0);
    finish();
    CHECK(info.download() == std::vector<int>{0, n, 0});
    CHECK(replaced.download() == std::vector<int>{0, 0, 0});
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_nopiv gives the same bits on every run, by pointers and by strides",
                        "[getrf_nopiv]", precisions) {
  using T = TestType;
  for (const extents e : all_extents) {
    CAPTURE(e.m, e.n);
    const std::int64_t count = e.m * e.n > 5000 ? 9 : 37;
    const slab<T> s = repeated_general<T>("random", e.m, e.n, 4, 11).fill(e.m, count);
    const resident<T> first(s), second(s), third(s);
    const info_array info(count);
    const pivot_floor<T> floor{real_of<T>(0.01)};
    REQUIRE(getrf_nopiv(call_form::strided, first, floor, info) == 0);
    REQUIRE(getrf_nopiv(call_form::strided, second, floor, info) == 0);
    REQUIRE(getrf_nopiv(call_form::pointers, third, floor, info) == 0);
    finish();
    CHECK(first.download().same_bits(second.download()));
    CHECK(first.download().same_bits(third.download()));
    CHECK(position_does_not_matter(first.download(), 4));
  }
}

TEST_CASE("getrf_nopiv of matrices without rows or columns: legal, info 0", "[getrf_nopiv]") {
#ifdef TALUS_HAVE_D
  for (const extents e : {extents{0, 0}, {0, 5}, {5, 0}}) {
    CAPTURE(e.m, e.n);
    const int lda = std::max(1, e.m);
    const info_array info(3), info_strided(3), replaced(3), replaced_strided(3);
    CHECK(getrf_nopiv_batched<double>(e.m, e.n, nullptr, lda, 1, nullptr, replaced.data(), info.data(), 3,
                                      test_queue()) == 0);
    CHECK(getrf_nopiv_strided_batched<double>(e.m, e.n, nullptr, lda, 0, 1, nullptr, replaced_strided.data(),
                                              info_strided.data(), 3, test_queue()) == 0);
    finish();
    for (const info_array* i : {&info, &info_strided, &replaced, &replaced_strided})
      CHECK(all_zero(i->download()));
  }
#endif
}

TEMPLATE_LIST_TEST_CASE("getrf_nopiv, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const extents e : {extents{1, 1}, {3, 3}, {8, 8}, {20, 20}, {40, 40}, {70, 70}, {40, 5}, {5, 40}}) {
    const int k = std::min(e.m, e.n);
    factor_and_check<T>("dominant", e.m, e.n, e.m + 1, 9, call_form::strided);
    factor_known<T>({{unpivoted(e.m, e.n, {}, {0, k - 1}), 1}, {unpivoted(e.m, e.n, {k / 2}), 2}}, e.m + 1,
                    call_form::pointers, true);
  }
}
