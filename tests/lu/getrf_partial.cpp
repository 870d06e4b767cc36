// Needs: getrf

// getrf_partial and getrf_partial_nopiv: the first k columns, and the Schur complement that they leave. Every
// case runs on the backend under test.
#include <string>
#include <vector>

#include "catch.hpp"
#include "lu/lu.hpp"

using namespace talus;
using namespace talus::test;

namespace {

struct front {
  int m, n, k;
};

const std::vector<front> fronts{
    {1, 1, 0},     {1, 1, 1},      {2, 2, 1},      {3, 3, 2},      {4, 4, 2},      {5, 5, 4},
    {8, 8, 3},     {8, 8, 8},      {9, 9, 8},      {12, 12, 5},    {16, 16, 8},    {17, 17, 16},
    {17, 17, 1},   {20, 20, 0},    {24, 24, 13},   {32, 32, 16},   {33, 33, 32},   {33, 33, 7},
    {40, 40, 31},  {48, 48, 16},   {64, 64, 1},    {64, 64, 32},   {65, 65, 33},   {65, 65, 64},
    {70, 70, 70},  {9, 5, 3},      {5, 9, 3},      {9, 5, 5},      {5, 9, 5},      {40, 17, 16},
    {17, 40, 16},  {70, 33, 8},    {33, 70, 8},    {100, 20, 17},  {20, 100, 17},  {300, 8, 5},
    {100, 100, 1}, {100, 100, 50}, {100, 100, 99}, {129, 129, 64}, {160, 160, 40}, {200, 200, 150}};

/// Bounds of what a pivot is taken from: the first k rows, or no rows.
known_shape with_exchanges(const front& f, std::set<int> zeros = {}) {
  return {f.m, f.n, f.k, f.k, std::move(zeros)};
}
known_shape without_exchanges(const front& f, std::set<int> zeros = {}, std::set<int> small = {}) {
  return {f.m, f.n, f.k, 0, std::move(zeros), std::move(small)};
}

/// Matrices of known factors and Schur complements, in one batch: by getrf_partial, or where they were made
/// for no row exchanges by its twin, with a floor of 1 for those that have smaller pivots.
template <class T>
void factor_known(const std::vector<known_lu<T>>& known, int k, int ld, call_form how, bool exchanges) {
  using R = real_of<T>;
  const int m = known[0].m, n = known[0].n;
  CAPTURE(m, n, k, ld, how == call_form::pointers, exchanges);
  const auto count = static_cast<std::int64_t>(known.size());
  slab<T> s(m, n, ld, count);
  std::vector<R> floors;
  for (std::int64_t b = 0; b < count; ++b) {
    s.put(b, known[static_cast<std::size_t>(b)].A);
    floors.push_back(known[static_cast<std::size_t>(b)].replaced > 0 ? R(1) : R(0));
  }
  const resident<T> memory(s);
  const pivot_array ipiv(count, k);
  const info_array info(count), replaced(count);
  const array<R> each(floors);
  if (exchanges) {
    REQUIRE(getrf_partial(how, k, memory, ipiv, info) == 0);
  } else {
    REQUIRE(getrf_partial_nopiv(how, k, memory, {0, each.data(), replaced.data()}, info) == 0);
  }
  finish();
  const slab<T> result = memory.download();
  const std::vector<int> infos = info.download();
  CHECK(result.guards_untouched(s));
  for (std::size_t b = 0; b < known.size(); ++b) {
    CAPTURE(b);
    if (exchanges) {
      CHECK(ipiv.download()[b] == known[b].ipiv);
    } else {
      CHECK(replaced.download()[b] == known[b].replaced);
    }
    CHECK(infos[b] == known[b].info);
    CHECK(result.get(static_cast<std::int64_t>(b)) == known[b].factors);
  }
}

/// What stands at and below the diagonal of the first k columns, in the first k rows.
template <class T>
dense<T> leading(const dense<T>& factors, int m, int k) {
  dense<T> L;
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i < k; ++i) L.push_back(factors[static_cast<std::size_t>(i + j * m)]);
  }
  return L;
}

template <class T>
void factor_and_check(const std::string& kind, const front& f, std::int64_t count, call_form how,
                      bool exchanges) {
  CAPTURE(kind, f.m, f.n, f.k, count, how == call_form::pointers, exchanges);
  const int distinct = 2;
  const repeated_general<T> A(kind, f.m, f.n, distinct, static_cast<unsigned>(f.m + 3 * f.n));
  const slab<T> before = A.fill(f.m + 1, count);
  const resident<T> memory(before);
  const pivot_array ipiv(count, f.k);
  const info_array info(count);
  if (exchanges) {
    REQUIRE(getrf_partial(how, f.k, memory, ipiv, info) == 0);
  } else {
    REQUIRE(getrf_partial_nopiv(how, f.k, memory, {}, info) == 0);
  }
  finish();
  const slab<T> after = memory.download();
  CHECK(all_zero(info.download()));
  CHECK(after.guards_untouched(before));
  CHECK(position_does_not_matter(after, distinct));
  const std::vector<std::vector<int>> pivots = ipiv.download();
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b) {
    const dense<T> LU = after.get(b);
    const std::vector<int> exchange = exchanges ? pivots[static_cast<std::size_t>(b)] : std::vector<int>{};
    REQUIRE(are_pivots(exchange, f.k));
    // Rows below the first k give no pivots: their multipliers may be of any size.
    const double multiplier = std::max(1.0, largest_multiplier(LU, f.m, f.n));
    CHECK(lu_ratio(A[b], LU, exchange, f.m, f.n, f.k) < threshold * multiplier * growth(A[b], LU, f.m, f.n));
    if (exchanges) {
      CHECK(largest_multiplier(leading(LU, f.m, f.k), f.k, f.k) <=
            (is_complex<T> ? std::sqrt(2.0) : 1.0) * (1 + 64 * static_cast<double>(epsilon<T>)));
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("getrf_partial eliminates the front worked by hand", "[getrf_partial]", precisions) {
  using T = TestType;
  // The first two rows give the pivots, although the third has the largest element.
  const dense<T> A{1, 2, 8, 3, 4, 2, 2, -1, 5}, expected{2, T(0.5), 4, 4, 1, -14, -1, T(2.5), 44};
  for (const call_form how : forms) {
    slab<T> s(3, 3, 4, 2);
    s.put(0, A);
    s.put(1, A);
    const resident<T> memory(s);
    const pivot_array ipiv(2, 2);
    const info_array info(2);
    REQUIRE(getrf_partial(how, 2, memory, ipiv, info) == 0);
    finish();
    for (const int b : {0, 1}) CHECK(memory.download().get(b) == expected);
    CHECK(ipiv.download() == std::vector<std::vector<int>>(2, {2, 2}));
    CHECK(info.download() == std::vector<int>{0, 0});
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial gives exact factors and Schur complements where there are such",
                        "[getrf_partial]", precisions) {
  using T = TestType;
  for (const front& f : fronts) {
    std::vector<known_lu<T>> known;
    for (unsigned seed = 0; seed < 4; ++seed) known.emplace_back(with_exchanges(f), seed);
    factor_known(known, f.k, f.m + f.n % 3, forms[(f.m + f.n + f.k) % 2], true);
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_nopiv gives exact factors and Schur complements where there are such",
                        "[getrf_partial]", precisions) {
  using T = TestType;
  for (const front& f : fronts) {
    std::vector<known_lu<T>> known;
    for (unsigned seed = 0; seed < 3; ++seed) known.emplace_back(without_exchanges(f), seed);
    if (f.k > 0) known.emplace_back(without_exchanges(f, {}, {0, f.k / 2, f.k - 1}), 9);
    factor_known(known, f.k, f.m + f.n % 3, forms[(f.m + f.n + f.k) % 2], false);
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial is backward stable", "[getrf_partial]", precisions) {
  using T = TestType;
  for (const front& f : fronts) {
    for (const char* const kind : {"dominant", "random", "graded", "tiny", "huge"})
      factor_and_check<T>(kind, f, 3, forms[(f.m + f.n + f.k) % 2], true);
    factor_and_check<T>("dominant", f, 3, forms[(f.m + f.n + f.k) % 2], false);
  }
  for (const front& f : {front{300, 300, 100}, {513, 513, 400}, {400, 300, 33}}) {
    for (const bool exchanges : {true, false})
      factor_and_check<T>("dominant", f, 2, call_form::strided, exchanges);
  }
  for (const std::int64_t count : {1, 2, 9, 33, 1000}) {
    for (const front& f : {front{2, 2, 1}, {5, 5, 3}, {8, 8, 4}, {12, 12, 8}}) {
      for (const bool exchanges : {true, false})
        factor_and_check<T>("dominant", f, count, call_form::strided, exchanges);
    }
  }
  factor_and_check<T>("dominant", {3, 3, 2}, 70000, call_form::strided, true);
  factor_and_check<T>("dominant", {3, 3, 2}, 70000, call_form::pointers, false);
}

TEMPLATE_LIST_TEST_CASE("getrf_partial of all columns and rows is getrf", "[getrf_partial]", precisions) {
  using T = TestType;
  for (const int n : {1, 2, 5, 8, 16, 17, 32, 33, 64, 100, 200}) {
    CAPTURE(n);
    std::vector<known_lu<T>> known;
    for (unsigned seed = 0; seed < 3; ++seed) known.emplace_back(pivoted(n, n), seed);
    known.emplace_back(pivoted(n, n, {n / 2}), 3);
    factor_known(known, n, n, call_form::strided, true);
    // And of other matrices to rounding: pivots are the same, as a rule of all columns.
    const repeated_general<T> A("dominant", n, n, 1, 4);
    const resident<T> whole(A.fill(n, 3)), partial(A.fill(n, 3)), whole_nopiv(A.fill(n, 3)),
        partial_nopiv(A.fill(n, 3));
    const pivot_array ipiv(3, n), ipiv_partial(3, n);
    const info_array info(3), no_info(3);
    REQUIRE(getrf(call_form::strided, whole, ipiv, info) == 0);
    REQUIRE(getrf_partial(call_form::strided, n, partial, ipiv_partial, info) == 0);
    REQUIRE(getrf_nopiv(call_form::strided, whole_nopiv, {}, no_info) == 0);
    REQUIRE(getrf_partial_nopiv(call_form::strided, n, partial_nopiv, {}, no_info) == 0);
    finish();
    CHECK(all_zero(info.download()));
    CHECK(all_zero(no_info.download()));
    CHECK(ipiv.download() == ipiv_partial.download());
    const auto near = [&](const resident<T>& x, const resident<T>& y) {
      const slab<T> X = x.download(), Y = y.download();
      double worst = 0;
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i)
          worst = std::max(worst, static_cast<double>(std::abs(X.at(1, i, j) - Y.at(1, i, j))));
      }
      return worst <= 8.0 * n * n * static_cast<double>(epsilon<T>);
    };
    CHECK(near(whole, partial));
    CHECK(near(whole_nopiv, partial_nopiv));
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial of no columns does nothing", "[getrf_partial]", precisions) {
  using T = TestType;
  for (const front& f : {front{1, 1, 0}, {5, 5, 0}, {33, 20, 0}, {20, 33, 0}, {100, 100, 0}}) {
    CAPTURE(f.m, f.n);
    slab<T> s = repeated_general<T>("random", f.m, f.n, 2, 4).fill(f.m + 1, 3);
    s.at(1, f.m - 1, 0) = nan_of<T>();
    const resident<T> A(s);
    const info_array infos[] = {info_array(3), info_array(3), info_array(3), info_array(3), info_array(3)};
    const slab<T>& h = A.host;
    CHECK(getrf_partial_batched<T>(f.m, f.n, 0, A.pointers.data(), h.ld, nullptr, infos[0].data(), 3,
                                   test_queue()) == 0);
    CHECK(getrf_partial_strided_batched<T>(f.m, f.n, 0, A.memory.data(), h.ld, h.stride, nullptr, 0,
                                           infos[1].data(), 3, test_queue()) == 0);
    for (const call_form how : forms)
      CHECK(getrf_partial_nopiv(how, 0, A, {1, nullptr, infos[4].data()},
                                infos[how == call_form::pointers ? 2 : 3]) == 0);
    finish();
    for (const info_array& info : infos) CHECK(all_zero(info.download()));
    CHECK(A.download().same_bits(s));
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial takes pivots from the first k rows alone", "[getrf_partial]",
                        precisions) {
  using T = TestType;
  for (const front& f : fronts) {
    if (f.k == 0 || f.k == f.m) continue;
    CAPTURE(f.m, f.n, f.k);
    slab<T> s = repeated_general<T>("random", f.m, f.n, 1, 4).fill(f.m, 3);
    const resident<T> as_it_is(s);
    for (std::int64_t b = 0; b < 3; ++b) {
      for (int j = 0; j < f.n; ++j) {
        for (int i = f.k; i < f.m; ++i) s.at(b, i, j) *= real_of<T>(1e4);
      }
    }
    const resident<T> larger_below(s);
    const pivot_array ipiv(3, f.k), ipiv_larger(3, f.k);
    const info_array info(3);
    REQUIRE(getrf_partial(call_form::strided, f.k, as_it_is, ipiv, info) == 0);
    REQUIRE(getrf_partial(call_form::strided, f.k, larger_below, ipiv_larger, info) == 0);
    finish();
    CHECK(all_zero(info.download()));
    CHECK(ipiv.download() == ipiv_larger.download());
    const slab<T> result = as_it_is.download(), larger = larger_below.download();
    CHECK(leading(result.get(1), f.m, f.k) == leading(larger.get(1), f.m, f.k));
  }
}

TEMPLATE_LIST_TEST_CASE("where the first k rows have no pivot, getrf_partial leaves the column undivided",
                        "[getrf_partial]", precisions) {
  using T = TestType;
  for (const front& f : fronts) {
    if (f.k == 0) continue;
    for (const bool exchanges : {true, false}) {
      std::vector<known_lu<T>> known;
      unsigned seed = 0;
      for (const std::set<int>& zeros : {std::set<int>{}, {0}, {f.k / 2}, {f.k - 1}, {f.k / 3, f.k - 1}, {}})
        known.emplace_back(exchanges ? with_exchanges(f, zeros) : without_exchanges(f, zeros), ++seed);
      factor_known(known, f.k, f.m, forms[(f.m + f.n) % 2], exchanges);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("of NaN, getrf_partial reports those among the first k rows, and harms no neighbour",
                        "[getrf_partial]", precisions) {
  using T = TestType;
  for (const front& f : fronts) {
    if (f.k < 2 || f.m > 130) continue;
    CAPTURE(f.m, f.n, f.k);
    struct place {
      int i, j, with_exchanges, without;  // what info says
    };
    std::vector<place> places;
    for (const int j : {0, f.k / 2, f.k - 1, f.n - 1}) {
      for (const int i : {0, f.k / 2, f.k - 1, f.m - 1}) {
        const bool among_rows = i < f.k, among_columns = j < f.k;
        places.push_back({i, j, among_rows && among_columns ? j + 1 : 0,
                          among_rows && among_columns ? std::max(i, j) + 1 : 0});
      }
    }
    const auto count = static_cast<std::int64_t>(2 * places.size());
    slab<T> s = repeated_general<T>("dominant", f.m, f.n, 1, 4).fill(f.m, count);
    const resident<T> healthy(s), healthy_nopiv(s);
    std::vector<int> expected, expected_nopiv;
    for (const place& p : places) {
      s.at(static_cast<std::int64_t>(expected.size()), p.i, p.j) = nan_of<T>();
      for (const int i : {p.with_exchanges, 0}) expected.push_back(i);
      for (const int i : {p.without, 0}) expected_nopiv.push_back(i);
    }
    const resident<T> spoilt(s), spoilt_nopiv(s);
    const pivot_array ipiv(count, f.k), no_ipiv(count, f.k);
    const info_array info(count), info_nopiv(count), no_info(count);
    REQUIRE(getrf_partial(call_form::strided, f.k, healthy, no_ipiv, no_info) == 0);
    REQUIRE(getrf_partial_nopiv(call_form::strided, f.k, healthy_nopiv, {}, no_info) == 0);
    REQUIRE(getrf_partial(call_form::pointers, f.k, spoilt, ipiv, info) == 0);
    REQUIRE(getrf_partial_nopiv(call_form::pointers, f.k, spoilt_nopiv, {}, info_nopiv) == 0);
    finish();
    CHECK(info.download() == expected);
    CHECK(info_nopiv.download() == expected_nopiv);
    const std::vector<std::vector<int>> pivots = ipiv.download();
    for (std::size_t b = 0; b < expected.size(); b += 2) {
      CAPTURE(b, expected[b]);
      CHECK(are_pivots(pivots[b], f.k));
      if (expected[b] > 0) CHECK(pivots[b][static_cast<std::size_t>(expected[b] - 1)] == expected[b]);
      const auto neighbour = static_cast<std::int64_t>(b + 1);
      CHECK(spoilt.download().same_bits(neighbour, healthy.download(), 1));
      CHECK(spoilt_nopiv.download().same_bits(neighbour, healthy_nopiv.download(), 1));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial gives the same bits on every run, by pointers and by strides",
                        "[getrf_partial]", precisions) {
  using T = TestType;
  for (const front& f : fronts) {
    CAPTURE(f.m, f.n, f.k);
    const std::int64_t count = f.m * f.n > 5000 ? 9 : 37;
    const slab<T> s = repeated_general<T>("random", f.m, f.n, 4, 11).fill(f.m, count);
    const resident<T> first(s), second(s), third(s), fourth(s);
    const pivot_array ipiv(count, f.k), again(count, f.k);
    const info_array info(count);
    REQUIRE(getrf_partial(call_form::strided, f.k, first, ipiv, info) == 0);
    REQUIRE(getrf_partial(call_form::pointers, f.k, second, again, info) == 0);
    REQUIRE(getrf_partial_nopiv(call_form::strided, f.k, third, {}, info) == 0);
    REQUIRE(getrf_partial_nopiv(call_form::pointers, f.k, fourth, {}, info) == 0);
    finish();
    CHECK(ipiv.download() == again.download());
    CHECK(first.download().same_bits(second.download()));
    CHECK(third.download().same_bits(fourth.download()));
    CHECK(position_does_not_matter(first.download(), 4));
    CHECK(position_does_not_matter(third.download(), 4));
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const front& f :
       {front{3, 3, 2}, {8, 8, 3}, {20, 20, 9}, {40, 40, 33}, {70, 70, 20}, {40, 9, 5}, {9, 40, 5}}) {
    factor_known<T>({{with_exchanges(f), 1}, {with_exchanges(f, {f.k / 2}), 2}}, f.k, f.m + 1,
                    call_form::strided, true);
    factor_known<T>({{without_exchanges(f), 1}, {without_exchanges(f, {}, {f.k / 2}), 2}}, f.k, f.m + 1,
                    call_form::pointers, false);
  }
}
