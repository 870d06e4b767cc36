// Needs: getrf_partial_split

// getrf_partial_split and getrf_partial_split_nopiv: fronts in blocks of their own. Every case runs on the
// backend under test.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "lines.hpp"
#include "lu/fronts.hpp"
#include "mixed_sizes.hpp"
#include "vbatched/lu/getrf_partial_split.hpp"

using namespace talus;
using namespace talus::test;

namespace {

const std::vector<split_size> sizes{
    {0, 0, 0},    {0, 3, 2},    {0, 0, 5},    {0, 5, 0},    {1, 0, 0},     {1, 1, 1},    {1, 0, 3},
    {1, 3, 0},    {2, 1, 1},    {2, 3, 0},    {3, 2, 4},    {4, 4, 4},     {5, 0, 4},    {5, 4, 0},
    {7, 2, 9},    {8, 8, 8},    {8, 0, 0},    {9, 1, 3},    {15, 17, 2},   {16, 16, 16}, {16, 1, 40},
    {17, 33, 8},  {20, 12, 12}, {24, 0, 24},  {31, 1, 1},   {32, 32, 32},  {32, 7, 0},   {33, 32, 31},
    {40, 24, 5},  {48, 16, 48}, {63, 1, 2},   {64, 64, 64}, {65, 0, 0},    {65, 30, 31}, {7, 63, 63},
    {1, 100, 90}, {70, 5, 130}, {96, 40, 33}, {100, 1, 1},  {129, 64, 65}, {130, 0, 70}, {200, 50, 20}};

call_form form_of(const split_size& s) { return forms[(s.k + s.m2 + s.n2) % 2]; }

/// Fronts of which all is known, one after the other in one batch. Those with pivots below a floor of 1 get
/// that, the others none.
template <class T>
void eliminate_known(const split_way& way, const std::vector<known_split<T>>& known, call_form how) {
  const split_size& s = known[0].size;
  CAPTURE(name_of(way), s.k, s.m2, s.n2, how == call_form::pointers);
  slab<T> before(s.m(), s.n(), std::max(1, s.m()), static_cast<std::int64_t>(known.size()));
  std::vector<real_of<T>> floors;
  for (std::size_t b = 0; b < known.size(); ++b) {
    before.put(static_cast<std::int64_t>(b), known[b].before);
    floors.push_back(known[b].replaced > 0 ? real_of<T>(1) : real_of<T>(0));
  }
  const split_fronts<T> now(way, how, s.k, before, floors);
  for (std::size_t b = 0; b < known.size(); ++b) {
    CAPTURE(b);
    CHECK(now.info[b] == known[b].info);
    if (way.exchanges) {
      CHECK(now.ipiv[b] == known[b].ipiv);
    } else {
      CHECK(now.replaced[b] == known[b].replaced);
    }
    CHECK(now.fronts.get(static_cast<std::int64_t>(b)) == known[b].after);
  }
}

template <class T>
void eliminate_and_check(const std::string& kind, const split_size& s, const split_way& way,
                         std::int64_t count) {
  CAPTURE(kind, name_of(way), s.k, s.m2, s.n2, count);
  const int distinct = 2;
  const repeated_general<T> A(kind, s.m(), s.n(), distinct, static_cast<unsigned>(s.k + 3 * s.m2 + s.n2));
  const slab<T> before = A.fill(std::max(1, s.m()), count);
  const split_fronts<T> now(way, form_of(s), s.k, before);
  CHECK(all_zero(now.info));
  CHECK(position_does_not_matter(now.fronts, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b) {
    const std::vector<int> ipiv = way.exchanges ? now.ipiv[static_cast<std::size_t>(b)] : std::vector<int>{};
    REQUIRE(are_pivots(ipiv, s.k));
    CHECK(split_ratio(way, A[b], now.fronts.get(b), ipiv, s) < threshold);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("getrf_partial_split eliminates the front worked by hand", "[getrf_partial_split]",
                        precisions) {
  using T = TestType;
  // The first two rows give the pivots, although the third has the largest element. U11 = [2 4; 0 1], and
  // A11^-1 A12 = [-5.5; 2.5].
  const dense<T> A{1, 2, 8, 3, 4, 2, 2, -1, 5};
  const T x(T(-5.5)), y(T(2.5)), half(T(0.5));
  const dense<T> expected[] = {{2, half, 4, 4, 1, -14, -1, y, 44},
                               {2, half, 4, 4, 1, -14, -1, y, -39},
                               {2, half, 8, 4, 1, 2, x, y, 44},
                               {2, half, 8, 4, 1, 2, x, y, -39}};
  for (std::size_t w = 0; w < 4; ++w) {
    for (const call_form how : forms) {
      slab<T> s(3, 3, 3, 2);
      s.put(0, A);
      s.put(1, A);
      const split_fronts<T> now(every_split_way[w], how, 2, s);
      CAPTURE(name_of(every_split_way[w]), how == call_form::pointers);
      for (const int b : {0, 1}) CHECK(now.fronts.get(b) == expected[w]);
      CHECK(now.ipiv == std::vector<std::vector<int>>(2, {2, 2}));
      CHECK(now.info == std::vector<int>{0, 0});
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split gives exact results where there are such",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  for (const split_size& s : sizes) {
    for (const split_way& way : every_split_way) {
      std::vector<known_split<T>> known;
      for (unsigned seed = 0; seed < 3; ++seed) known.emplace_back(s, way, seed);
      if (!way.exchanges && s.k > 0)
        known.emplace_back(s, way, 9, std::set<int>{}, std::set<int>{0, s.k / 2, s.k - 1});
      for (const call_form how : forms) {
        if (s.k > 64 && how != form_of(s)) continue;
        eliminate_known(way, known, how);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE(
    "where A11 has no pivot, getrf_partial_split completes form lapack, and leaves A12 and A22 "
    "to form left untouched",
    "[getrf_partial_split]", precisions) {
  using T = TestType;
  for (const split_size& s : sizes) {
    if (s.k == 0) continue;
    for (const split_way& way : every_split_way) {
      std::vector<known_split<T>> known;
      unsigned seed = 0;
      for (const std::set<int>& zeros : {std::set<int>{}, {0}, {s.k / 2}, {s.k - 1}, {s.k / 3, s.k - 1}, {}})
        known.emplace_back(s, way, ++seed, zeros);
      eliminate_known(way, known, form_of(s));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split is backward stable", "[getrf_partial_split]", precisions) {
  using T = TestType;
  for (const split_size& s : sizes) {
    for (const split_way& way : every_split_way) {
      for (const std::string name : {"dominant", "random", "graded", "condition", "tiny", "huge"}) {
        if (name != "dominant" && (!way.exchanges || s.k > 130)) continue;
        eliminate_and_check<T>(name, s, way, 3);
      }
    }
  }
  for (const split_size& s : {split_size{100, 200, 200}, {400, 113, 113}, {33, 367, 267}, {300, 300, 30}}) {
    for (const split_way& way : every_split_way) eliminate_and_check<T>("dominant", s, way, 2);
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split takes any number of fronts", "[getrf_partial_split]",
                        precisions) {
  using T = TestType;
  for (const split_way& way : every_split_way) {
    for (const std::int64_t count : {1, 2, 9, 33, 1000}) {
      for (const split_size& s : {split_size{1, 1, 1}, {3, 2, 2}, {4, 4, 3}, {8, 4, 4}})
        eliminate_and_check<T>("dominant", s, way, count);
    }
    eliminate_and_check<T>("dominant", {2, 1, 1}, way, 70000);
  }
}

TEMPLATE_LIST_TEST_CASE(
    "getrf_partial_split takes getrf_partial's pivots, and on the host the bits of A11 and A12",
    "[getrf_partial_split]", precisions) {
  using T = TestType;
  for (const split_size& s : sizes) {
    CAPTURE(s.k, s.m2, s.n2);
    const std::int64_t count = 3;
    const repeated_general<T> A("random", s.m(), s.n(), 3, 4);
    const slab<T> fronts = A.fill(std::max(1, s.m()), count);
    const resident<T> whole(fronts), top(block_from(fronts, 0, 0, s.k, s.n(), 0, 0));
    const pivot_array ipiv(count, s.k), ipiv_top(count, s.k);
    const info_array info(count), info_top(count);
    REQUIRE(getrf_partial(call_form::strided, s.k, whole, ipiv, info) == 0);
    REQUIRE(getrf_partial(call_form::strided, s.k, top, ipiv_top, info_top) == 0);
    finish();
    const split_fronts<T> split({true, form::lapack, schur::subtract}, call_form::strided, s.k, fronts);
    CHECK(split.ipiv == ipiv.download());
    CHECK(split.info == info.download());
    // The rows of A11 and A12 alone are eliminated by the same operations.
    if (!on_cuda()) CHECK(block_from(split.fronts, 0, 0, s.k, s.n(), 0, 0).same_bits(top.download()));
  }
}

TEMPLATE_LIST_TEST_CASE(
    "getrf_partial_split takes pivots from A11 alone, and exchanges no rows of A21 and A22",
    "[getrf_partial_split]", precisions) {
  using T = TestType;
  for (const split_size& s : sizes) {
    if (s.k == 0 || s.m2 == 0) continue;
    CAPTURE(s.k, s.m2, s.n2);
    slab<T> fronts = repeated_general<T>("random", s.m(), s.n(), 1, 4).fill(s.m(), 2);
    for (int j = 0; j < s.n(); ++j) {  // the second: rows beside A11 are larger
      for (int i = s.k; i < s.m(); ++i) fronts.at(1, i, j) *= real_of<T>(1024);
    }
    for (const form leaves : {form::lapack, form::left}) {
      const split_fronts<T> now({true, leaves, schur::subtract}, form_of(s), s.k, fronts);
      CHECK(now.ipiv[0] == now.ipiv[1]);
      // All that comes of these rows is that much larger, exactly.
      bool same = true;
      for (int j = 0; j < s.n(); ++j) {
        for (int i = 0; i < s.m(); ++i)
          same = same && now.fronts.at(1, i, j) ==
                             now.fronts.at(0, i, j) * (i < s.k ? real_of<T>(1) : real_of<T>(1024));
      }
      CHECK(same);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split divides by pivots whose reciprocals overflow",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  const R least = std::numeric_limits<R>::denorm_min() * R(2);
  for (const split_way& way : every_split_way) {
    if (way.leaves == form::left || on_cuda()) continue;  // [range] has the powers that GPUs keep
    slab<T> s(3, 3, 3, 1);
    s.put(0, dense<T>{T(least), 0, T(4 * least), 0, 2, 6, 1, 2, 50});
    const split_fronts<T> now(way, call_form::strided, 2, s);
    CAPTURE(name_of(way));
    CHECK(now.info == std::vector<int>{0});
    const T rest = way.makes == schur::subtract ? T(40) : T(10);
    CHECK(now.fronts.get(0) == dense<T>{T(least), 0, 4, 0, 2, 3, 1, 2, rest});
  }
}

TEMPLATE_LIST_TEST_CASE("of NaN, getrf_partial_split reports those of A11, and harms no neighbour",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  for (const split_size& s : sizes) {
    if (s.k < 2 || s.k > 130) continue;
    for (const split_way& way : every_split_way) {
      CAPTURE(s.k, s.m2, s.n2, name_of(way));
      struct place {
        int i, j;
      };
      std::vector<place> places;
      for (const int j : {0, s.k / 2, s.k - 1, s.n() - 1}) {
        for (const int i : {0, s.k / 2, s.k - 1, s.m() - 1}) places.push_back({i, j});
      }
      const auto count = static_cast<std::int64_t>(2 * places.size());
      slab<T> before = repeated_general<T>("dominant", s.m(), s.n(), 1, 4).fill(s.m(), count);
      const split_fronts<T> healthy(way, form_of(s), s.k, before);
      CHECK(all_zero(healthy.info));
      std::vector<int> expected;
      for (const auto& [i, j] : places) {
        before.at(static_cast<std::int64_t>(expected.size()), i, j) = nan_of<T>();
        const bool in_A11 = i < s.k && j < s.k;
        expected.push_back(!in_A11 ? 0 : way.exchanges ? j + 1 : std::max(i, j) + 1);
        expected.push_back(0);
      }
      const split_fronts<T> now(way, form_of(s), s.k, before), again(way, form_of(s), s.k, before);
      CHECK(now.info == expected);
      CHECK(now.same_bits(again));
      for (std::size_t p = 0; p < places.size(); ++p) {
        const auto b = static_cast<std::int64_t>(2 * p);
        const auto [i, j] = places[p];
        CAPTURE(i, j);
        CHECK(now.fronts.same_bits(b + 1, healthy.fronts, 1));
        const int failed = expected[2 * p];
        if (way.exchanges) {
          CHECK(are_pivots(now.ipiv[2 * p], s.k));
          if (failed > 0) CHECK(now.ipiv[2 * p][static_cast<std::size_t>(failed - 1)] == failed);
        }
        if (failed > 0 && way.leaves == form::left) {
          bool same = true;
          for (int c = s.k; c < s.n(); ++c) {
            for (int r = 0; r < s.m(); ++r) same = same && now.fronts.at(b, r, c) == before.at(b, r, c);
          }
          CHECK(same);
        }
        if (s.m2 == 0 || s.n2 == 0 || i < s.k || j < s.k) continue;
        // One in A22 stays where it is, or is not read.
        bool others = true;
        for (int c = 0; c < s.n(); ++c) {
          for (int r = 0; r < s.m(); ++r)
            others = others && ((r == i && c == j) || now.fronts.at(b, r, c) == healthy.fronts.at(1, r, c));
        }
        CHECK(others);
        CHECK(std::isnan(std::real(now.fronts.at(b, i, j))) == (way.makes == schur::subtract));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a NaN in A12 or A21 comes out in what it has a part in", "[getrf_partial_split]",
                        precisions) {
  using T = TestType;
  for (const split_size& s : {split_size{1, 1, 1}, {4, 3, 5}, {16, 16, 16}, {33, 31, 40}, {70, 64, 65}}) {
    for (const split_way& way : every_split_way) {
      CAPTURE(s.k, s.m2, s.n2, name_of(way));
      slab<T> before = repeated_general<T>("dominant", s.m(), s.n(), 1, 4).fill(s.m(), 2);
      before.at(0, 0, s.n() - 1) = nan_of<T>();  // in A12
      before.at(1, s.m() - 1, 0) = nan_of<T>();  // in A21
      const split_fronts<T> now(way, form_of(s), s.k, before);
      CHECK(now.info == std::vector<int>{0, 0});
      bool in_column = true, in_row = true;
      for (int i = s.k; i < s.m(); ++i)
        in_column = in_column && std::isnan(std::real(now.fronts.at(0, i, s.n() - 1)));
      for (int j = s.k; j < s.n(); ++j)
        in_row = in_row && std::isnan(std::real(now.fronts.at(1, s.m() - 1, j)));
      CHECK(in_column);
      CHECK(in_row);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split_nopiv takes one floor for all, or none", "[getrf_partial_split]",
                        precisions) {
  using T = TestType;
  using R = real_of<T>;
  const split_size s{5, 4, 3};
  for (const split_way& way : every_split_way) {
    if (way.exchanges) continue;
    const known_split<T> known(s, way, 3, {}, {1, 4});
    slab<T> before(s.m(), s.n(), s.m(), 2);
    for (const int b : {0, 1}) before.put(b, known.before);
    for (const call_form how : forms) {
      CAPTURE(name_of(way), how == call_form::pointers);
      const resident_lu_blocks<T> A(lu_blocks<T>(before, s.k)), B(A.host);
      const info_array info(2), replaced(2), info_alone(2);
      REQUIRE(getrf_partial_split_nopiv(how, way, A, {R(1), nullptr, replaced.data()}, info) == 0);
      REQUIRE(getrf_partial_split_nopiv(how, way, B, {R(1), nullptr, nullptr}, info_alone) == 0);
      finish();
      CHECK(all_zero(info.download()));
      CHECK(all_zero(info_alone.download()));
      CHECK(replaced.download() == std::vector<int>{2, 2});
      for (const int b : {0, 1}) CHECK(A.download().together(before).get(b) == known.after);
      CHECK(A.download().same_bits(B.download()));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split of no columns makes A22 zero, or leaves it",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  for (const split_size& s : {split_size{0, 1, 1}, {0, 5, 3}, {0, 33, 40}, {0, 100, 100}}) {
    slab<T> before = repeated_general<T>("random", s.m2, s.n2, 2, 4).fill(s.m2, 3);
    before.at(1, s.m2 - 1, 0) = nan_of<T>();
    for (const split_way& way : every_split_way) {
      for (const call_form how : forms) {
        CAPTURE(s.m2, s.n2, name_of(way), how == call_form::pointers);
        const split_fronts<T> now(way, how, 0, before);
        CHECK(all_zero(now.info));
        if (!way.exchanges) CHECK(all_zero(now.replaced));
        slab<T> expected = before;
        if (way.makes == schur::product) {
          for (std::int64_t b = 0; b < 3; ++b)
            expected.put(b, dense<T>(static_cast<std::size_t>(s.m2) * static_cast<std::size_t>(s.n2)));
        }
        CHECK(now.fronts.same_bits(expected));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("blocks of LU without elements need no memory", "[getrf_partial_split]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  const std::int64_t count = 3;
  const queue q = test_queue();
  T* const nothing = nullptr;
  T* const* const nowhere = nullptr;
  int* const* const no_pivots = nullptr;
  for (const split_way& way : every_split_way) {
    for (const split_size& s :
         {split_size{0, 0, 0}, {0, 0, 4}, {0, 4, 0}, {0, 9, 40}, {9, 0, 0}, {9, 0, 5}, {9, 5, 0}}) {
      CAPTURE(name_of(way), s.k, s.m2, s.n2);
      const slab<T> before =
          repeated_general<T>("dominant", s.m(), s.n(), 2, 7).fill(std::max(1, s.m()), count);
      const resident_lu_blocks<T> A(lu_blocks<T>(before, s.k)), B(A.host);
      const slab<T>&a = A.host.A11, &b = A.host.A12, &c = A.host.A21, &d = A.host.A22;
      const info_array info(count), info_strided(count);
      const pivot_array ipiv(count, s.k), ipiv_strided(count, s.k);
      const auto array_of = [&](const resident<T>& x) {
        return x.host.m > 0 && x.host.n > 0 ? x.pointers.data() : nowhere;
      };
      const auto slab_of = [&](const resident<T>& x) {
        return x.host.m > 0 && x.host.n > 0 ? x.memory.data() : nothing;
      };
      int* const* const pivots = s.k > 0 ? ipiv.pointers.data() : no_pivots;
      int* const pivot_slab = s.k > 0 ? ipiv_strided.memory.data() : nullptr;
      if (way.exchanges) {
        CHECK(getrf_partial_split_batched(way.leaves, way.makes, s.k, s.m2, s.n2, array_of(A.A11), a.ld,
                                          array_of(A.A12), b.ld, array_of(A.A21), c.ld, array_of(A.A22), d.ld,
                                          pivots, info.data(), count, q) == 0);
        CHECK(getrf_partial_split_strided_batched(
                  way.leaves, way.makes, s.k, s.m2, s.n2, slab_of(B.A11), a.ld, a.stride, slab_of(B.A12),
                  b.ld, b.stride, slab_of(B.A21), c.ld, c.stride, slab_of(B.A22), d.ld, d.stride, pivot_slab,
                  ipiv.stride, info_strided.data(), count, q) == 0);
      } else {
        CHECK(getrf_partial_split_nopiv_batched<T>(way.leaves, way.makes, s.k, s.m2, s.n2, array_of(A.A11),
                                                   a.ld, array_of(A.A12), b.ld, array_of(A.A21), c.ld,
                                                   array_of(A.A22), d.ld, R(0), nullptr, nullptr, info.data(),
                                                   count, q) == 0);
        CHECK(getrf_partial_split_nopiv_strided_batched<T>(
                  way.leaves, way.makes, s.k, s.m2, s.n2, slab_of(B.A11), a.ld, a.stride, slab_of(B.A12),
                  b.ld, b.stride, slab_of(B.A21), c.ld, c.stride, slab_of(B.A22), d.ld, d.stride, R(0),
                  nullptr, nullptr, info_strided.data(), count, q) == 0);
      }
      finish();
      CHECK(all_zero(info.download()));
      CHECK(all_zero(info_strided.download()));
      CHECK(A.download().same_bits(B.download()));
      CHECK(ipiv.download() == ipiv_strided.download());
      const split_fronts<T> with_memory(way, call_form::strided, s.k, before);
      CHECK(A.download().together(before).same_bits(with_memory.fronts));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split gives the same bits on every run, by pointers and by strides",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  for (const split_size& s : sizes) {
    for (const split_way& way : every_split_way) {
      CAPTURE(s.k, s.m2, s.n2, name_of(way));
      const std::int64_t count = s.m() * s.n() > 2000 ? 5 : 19;
      const slab<T> before =
          repeated_general<T>("dominant", s.m(), s.n(), 4, 11).fill(std::max(1, s.m()), count);
      const split_fronts<T> first(way, call_form::strided, s.k, before),
          second(way, call_form::pointers, s.k, before);
      CHECK(first.same_bits(second));
      CHECK(position_does_not_matter(first.fronts, 4));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split takes the scratch it says and no less", "[getrf_partial_split]",
                        precisions) {
  using T = TestType;
  const std::int64_t count = 5;
  for (const split_size& s :
       {split_size{3, 5, 5}, {20, 20, 30}, {60, 40, 40}, {150, 50, 50}, {130, 300, 20}}) {
    const slab<T> before = repeated_general<T>("dominant", s.m(), s.n(), 1, 5).fill(s.m(), count);
    for (const split_way& way : every_split_way) {
      CAPTURE(s.k, s.m2, s.n2, name_of(way));
      const std::size_t bytes = way.exchanges ? getrf_partial_split_work<T>(s.k, s.m2, s.n2, count)
                                              : getrf_partial_split_nopiv_work<T>(s.k, s.m2, s.n2, count);
      const guarded_work work(bytes);
      queue q = test_queue();
      q.work = work.memory.data();
      q.work_bytes = bytes;
      const split_fronts<T> with(way, call_form::strided, s.k, before, {}, q),
          without(way, call_form::strided, s.k, before);
      CHECK(all_zero(with.info));
      CHECK(with.same_bits(without));
      CHECK(work.guard_untouched());
      if (!on_cuda() || bytes == 0) continue;
      q.work_bytes = bytes - 1;
      const resident_lu_blocks<T> A(lu_blocks<T>(before, s.k));
      const pivot_array ipiv(count, s.k);
      const info_array info(count), replaced(count);
      CHECK((way.exchanges ? getrf_partial_split(call_form::strided, way, A, ipiv, info, q)
                           : getrf_partial_split_nopiv(call_form::strided, way, A,
                                                       {0, nullptr, replaced.data()}, info, q)) == err_work);
      finish();
      CHECK(A.download().same_bits(A.host));
      const std::vector<int> unset(static_cast<std::size_t>(count), -777);
      CHECK(info.download() == unset);
      CHECK(replaced.download() == unset);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const split_size& s :
       {split_size{0, 3, 2}, {2, 1, 1}, {3, 5, 4}, {9, 11, 11}, {20, 50, 50}, {33, 7, 20}, {40, 0, 9}}) {
    for (const split_way& way : every_split_way) {
      std::vector<known_split<T>> known{{s, way, 1}};
      if (s.k > 0) known.emplace_back(s, way, 2, std::set<int>{s.k / 2});
      if (s.k > 0 && !way.exchanges) known.emplace_back(s, way, 3, std::set<int>{}, std::set<int>{s.k / 2});
      eliminate_known(way, known, call_form::pointers);
    }
  }
}

#ifdef TALUS_WITH_CUDA
namespace {

/// Fronts of which all is known, by one line of the table: blocks have leading dimensions of their own.
template <class T>
void run_split_line(int line, const split_way& way, const split_size& s) {
  CAPTURE(line, name_of(way), s.k, s.m2, s.n2);
  const std::vector<known_split<T>> known{{s, way, 1}, {s, way, 2, {s.k / 2}}, {s, way, 3}};
  const auto count = static_cast<std::int64_t>(known.size());
  slab<T> before(s.m(), s.n(), s.m(), count);
  for (std::int64_t b = 0; b < count; ++b) before.put(b, known[static_cast<std::size_t>(b)].before);
  const resident_lu_blocks<T> A(lu_blocks<T>(before, s.k));
  const auto block = [count](const resident<T>& X, const slab<T>& host) {
    return strided_batch(X.memory.data(), host.m, host.n, host.ld, host.stride, count);
  };
  const pivot_array ipiv(count, s.k);
  const info_array info(count);
  eliminations<real_of<T>> each;
  if (way.exchanges) each.ipiv = strided_vectors(ipiv.memory.data(), ipiv.stride);
  REQUIRE(cuda::getrf_partial_split(way.exchanges ? pivoting::partial : pivoting::none, way.leaves, way.makes,
                                    lu_fronts<batch<T>>{block(A.A11, A.host.A11), block(A.A12, A.host.A12),
                                                        block(A.A21, A.host.A21), block(A.A22, A.host.A22)},
                                    each, info.data(), test_queue(), line) == 0);
  finish();
  CHECK(A.download().guards_untouched(A.host));
  const slab<T> after = A.download().together(before);
  for (std::int64_t b = 0; b < count; ++b) {
    const known_split<T>& one = known[static_cast<std::size_t>(b)];
    CAPTURE(b);
    CHECK(info.download()[static_cast<std::size_t>(b)] == one.info);
    if (way.exchanges) CHECK(ipiv.download()[static_cast<std::size_t>(b)] == one.ipiv);
    CHECK(after.get(b) == one.after);
  }
}

/// Fronts at the corners of a line's box.
template <class Line>
std::vector<split_size> corners_of(const Line& line) {
  const int m = line.bounds[0], n = line.bounds[1], k = line.bounds[2];
  if (m == cuda::any_extent)
    return {{70, 40, 30},   {40, 700, 20}, {90, 2200, 3}, {300, 90, 40},
            {20, 30, 1500}, {1, 200, 300}, {3, 5, 0}};
  return {{k, m - k, n - k},
          {k - 1, 1, 1},
          {k, 0, 0},
          {k / 2, m - k / 2, n - k / 2},
          {k / 2, 0, n - k / 2},
          {k / 2, m - k / 2, 0},
          {1, m - 1, n - 1},
          {8, m - 8, n - 8},
          {9, 3, n - 9},
          {std::min(k, 17), m - std::min(k, 17), 0}};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of getrf_partial_split's table works at the corners of its box",
                        "[getrf_partial_split][table]", precisions) {
  using T = TestType;
  using tables = cuda::getrf_partial_split_tables;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    for (const split_way& way : every_split_way) {
      for (const split_size& s : corners_of(tables::at<T>(line))) run_split_line<T>(line, way, s);
    }
  }
}
#endif
