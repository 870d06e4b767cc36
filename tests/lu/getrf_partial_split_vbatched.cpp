// Needs: getrf_partial_split

// getrf_partial_split and its twin of fronts that each have their own size: what they compute, what is
// illegal among them, and what they promise of bits, memory and streams. Every case runs on the backend under
// test.
#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "lu/fronts_vbatched.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Blocks around the borders that kernels may have, of any shape, those without elements among them.
std::vector<split_size> some_sizes_of_split(std::int64_t count, int largest, unsigned seed) {
  const std::vector<int> k = some_sizes(count, largest, seed), m2 = some_sizes(count, largest, seed + 50),
                         n2 = some_sizes(count, largest, seed + 99);
  std::vector<split_size> sizes;
  for (std::size_t b = 0; b < k.size(); ++b)
    sizes.push_back({b % 7 == 5 ? 0 : k[b], b % 7 == 3 ? 0 : m2[b],
                     b % 11 == 4  ? 0
                     : b % 2 == 0 ? m2[b]
                                  : n2[b]});
  return sizes;
}

/// Fronts of up to `largest` rows with at most 32 pivots. The GPU's tables divide them into classes without
/// an order.
std::vector<split_size> few_pivots(int largest) {
  std::vector<split_size> sizes{{0, 0, 0}, {0, largest - 32, 1}};
  for (const int k : {1, 16, 17, 32}) {
    for (const int border : {16, 32, 64, 96, 128, 160, 192}) {
      for (const int m : {border - 1, border, border + 1}) {
        const int m2 = std::min(m - k, largest - 32);
        if (m2 >= 0) sizes.push_back({k, m2, m % 2 == 0 ? m2 : m2 / 2});
      }
    }
  }
  return sizes;
}

std::vector<int> columns_of(const std::vector<split_size>& sizes) {
  std::vector<int> k;
  for (const split_size& s : sizes) k.push_back(s.k);
  return k;
}

/// Whole fronts of a kind.
template <class T>
std::vector<slab<T>> fronts_of_kind(const std::string& kind, const std::vector<split_size>& sizes) {
  general_library<T> A(kind);
  std::vector<slab<T>> fronts;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const int m = sizes[b].m(), n = sizes[b].n();
    fronts.emplace_back(m, n, std::max(1, m), 1);
    fronts.back().put(0, A({m, n, 0, 0}, b));
  }
  return fronts;
}

/// Fronts of which all is known, some of them singular, some with pivots below a floor of 1.
template <class T>
void eliminate_known(const split_way& way, const std::vector<split_size>& sizes, const size_bounds& most) {
  CAPTURE(name_of(way), sizes.size(), most.k, most.m, most.n);
  std::vector<known_split<T>> known;
  std::vector<slab<T>> fronts;
  std::vector<real_of<T>> floors;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const split_size& s = sizes[b];
    std::set<int> zeros, small;
    if (s.k > 0 && b % 4 == 1) zeros = {s.k / 2};
    if (s.k > 0 && b % 4 == 2 && !way.exchanges) small = {0, s.k / 2, s.k - 1};
    known.emplace_back(s, way, static_cast<unsigned>(b), zeros, small);
    fronts.emplace_back(s.m(), s.n(), std::max(1, s.m()), 1);
    fronts.back().put(0, known.back().before);
    floors.push_back(known.back().replaced > 0 ? real_of<T>(1) : real_of<T>(0));
  }
  mixed_split<T> batch(fronts, columns_of(sizes));
  batch.set_floors(floors);
  REQUIRE(batch.run(way, most) == 0);
  const mixed_split_results<T> now = batch.finished(way);
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    CAPTURE(b, sizes[b].k, sizes[b].m2, sizes[b].n2);
    CHECK(now.info[b] == known[b].info);
    CHECK(now.whole(b) == known[b].after);
    if (way.exchanges) {
      CHECK(now.ipiv[b] == known[b].ipiv);
    } else {
      CHECK(now.replaced[b] == known[b].replaced);
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("getrf_partial_split of mixed sizes gives exact results where there are such",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  for (const split_way& way : every_split_way) {
    unsigned seed = 0;
    for (const std::int64_t count : {1, 2, 31, 33, 200}) {
      const std::vector<split_size> sizes = some_sizes_of_split(count, count < 33 ? 100 : 50, ++seed);
      const size_bounds bounds[] = {bounds_of(sizes), bounds_of(sizes, 77), {}};
      for (const size_bounds& most : bounds) {
        if (count > 100 && &most != bounds) continue;
        eliminate_known<T>(way, sizes, most);
      }
    }
    const std::vector<split_size> sizes = some_sizes_of_split(20, 50, 9);  // some bounds known, others not
    const size_bounds known = bounds_of(sizes);
    eliminate_known<T>(way, sizes, {-1, -1, known.k, -1});
    eliminate_known<T>(way, sizes, {known.m, known.n, -1, -1});
    eliminate_known<T>(way, {{0, 4, 5}, {0, 0, 0}, {0, 9, 2}}, {9, 5, 0, 0});  // k_max = 0
    eliminate_known<T>(way, {{5, 0, 3}, {0, 0, 0}, {9, 0, 4}}, {0, 4, 9, 0});
    eliminate_known<T>(way, {{5, 3, 0}, {0, 0, 0}, {9, 4, 0}}, {4, 0, 9, 0});
    eliminate_known<T>(way, {{5, 0, 0}, {0, 0, 0}, {9, 0, 0}}, {0, 0, 9, 0});
    eliminate_known<T>(way, {{0, 0, 0}, {0, 0, 0}}, {0, 0, 0, 0});
    // One row beside 5,000, few pivots of wide fronts, and the borders of classes of the GPU's tables.
    const std::vector<split_size> wide{{1, 0, 0},      {60, 4940, 40}, {20, 30, 1700}, {16, 144, 144},
                                       {17, 143, 143}, {16, 240, 240}, {32, 96, 96},   {33, 95, 95},
                                       {32, 160, 160}, {64, 96, 96},   {65, 1, 95},    {0, 50, 300},
                                       {3, 1, 0},      {2, 400, 1},    {150, 0, 20}};
    eliminate_known<T>(way, wide, bounds_of(wide));
    for (const int largest : {128, 192})
      eliminate_known<T>(way, few_pivots(largest), bounds_of(few_pivots(largest)));
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split of mixed sizes is backward stable", "[getrf_partial_split]",
                        precisions) {
  using T = TestType;
  unsigned seed = 0;
  for (const std::string kind : {"dominant", "random", "condition", "tiny", "huge"}) {
    for (const split_way& way : every_split_way) {
      if (kind != "dominant" && !way.exchanges) continue;
      const std::vector<split_size> sizes = some_sizes_of_split(33, kind == "dominant" ? 200 : 100, ++seed);
      const size_bounds most = seed % 2 == 0 ? bounds_of(sizes, 5) : size_bounds{};
      CAPTURE(kind, name_of(way), most.k);
      const std::vector<slab<T>> fronts = fronts_of_kind<T>(kind, sizes);
      mixed_split<T> batch(fronts, columns_of(sizes));
      REQUIRE(batch.run(way, most) == 0);
      const mixed_split_results<T> now = batch.finished(way);
      CHECK(all_zero(now.info));
      for (std::size_t b = 0; b < sizes.size(); ++b) {
        CAPTURE(b, sizes[b].k, sizes[b].m2, sizes[b].n2);
        const std::vector<int> ipiv = way.exchanges ? now.ipiv[b] : std::vector<int>{};
        REQUIRE(are_pivots(ipiv, sizes[b].k));
        CHECK(split_ratio(way, fronts[b].get(0), now.whole(b), ipiv, sizes[b]) < threshold);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("on the host getrf_partial_split of mixed sizes gets the bits of one front alone",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  if (on_cuda()) return;
  const std::vector<split_size> sizes = some_sizes_of_split(41, 100, 6);
  const std::vector<slab<T>> fronts = fronts_of_kind<T>("dominant", sizes);
  for (const split_way& way : every_split_way) {
    mixed_split<T> batch(fronts, columns_of(sizes));
    REQUIRE(batch.run(way, bounds_of(sizes)) == 0);
    const mixed_split_results<T> now = batch.finished(way);
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      CAPTURE(name_of(way), b, sizes[b].k, sizes[b].m2, sizes[b].n2);
      const split_fronts<T> alone(way, call_form::strided, sizes[b].k, fronts[b]);
      CHECK(same(now.whole(b), alone.fronts.get(0)));
      CHECK(now.ipiv[b] == alone.ipiv[0]);
    }
  }
}

TEMPLATE_LIST_TEST_CASE(
    "getrf_partial_split of mixed sizes gives the same bits again, and wherever a front stands",
    "[getrf_partial_split]", precisions) {
  using T = TestType;
  const std::vector<split_size> sizes = some_sizes_of_split(64, 100, 9);
  const std::vector<slab<T>> fronts = fronts_of_kind<T>("dominant", sizes);
  const std::vector<int> k = columns_of(sizes);
  const size_bounds most = bounds_of(sizes);
  for (const split_way& way : every_split_way) {
    CAPTURE(name_of(way));
    mixed_split<T> first(fronts, k), again(fronts, k),
        backwards({fronts.rbegin(), fronts.rend()}, {k.rbegin(), k.rend()});
    for (mixed_split<T>* batch : {&first, &again, &backwards}) REQUIRE(batch->run(way, most) == 0);
    const mixed_split_results<T> now = first.finished(way), other = backwards.finished(way);
    CHECK(now.same_bits(again.finished(way)));
    for (std::size_t b = 0; b < k.size(); ++b) CHECK(now.same_bits(b, other, k.size() - 1 - b));
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split of mixed sizes reports failures, and harms no neighbour",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  const std::vector<split_size> sizes = some_sizes_of_split(70, 100, 5);
  const std::vector<slab<T>> fronts = fronts_of_kind<T>("dominant", sizes);
  const size_bounds most = bounds_of(sizes);
  for (const split_way& way : every_split_way) {
    CAPTURE(name_of(way));
    mixed_split<T> healthy(fronts, columns_of(sizes));
    REQUIRE(healthy.run(way, most) == 0);
    const mixed_split_results<T> expected = healthy.finished(way);
    CHECK(all_zero(expected.info));
    std::vector<slab<T>> spoilt = fronts;
    std::vector<int> infos(sizes.size());
    for (std::size_t b = 1; b < sizes.size(); b += 3) {
      const int k = sizes[b].k;
      if (k == 0) continue;
      const int places[] = {0, k / 2, k - 1}, j = places[b / 3 % 3];
      infos[b] = j + 1;
      if (b / 9 % 2 == 0) {
        spoilt[b].at(0, j, j) = nan_of<T>();
      } else {
        for (int i = 0; i < sizes[b].m(); ++i) spoilt[b].at(0, i, j) = T(0);
      }
    }
    mixed_split<T> batch(spoilt, columns_of(sizes));
    REQUIRE(batch.run(way, most) == 0);
    const mixed_split_results<T> now = batch.finished(way);
    CHECK(now.info == infos);
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      CAPTURE(b, sizes[b].k, sizes[b].m2, sizes[b].n2, infos[b]);
      if (infos[b] == 0) {
        CHECK(now.same_bits(b, expected, b));
        continue;
      }
      if (way.exchanges) {
        CHECK(are_pivots(now.ipiv[b], sizes[b].k));
        CHECK(now.ipiv[b][static_cast<std::size_t>(infos[b] - 1)] == infos[b]);
      }
      if (way.leaves == form::lapack) continue;
      CHECK(now.A12[b].same_bits(batch.A12.host[b]));
      CHECK(now.A22[b].same_bits(batch.A22.host[b]));
    }
  }
}

namespace {

/// Something illegal about a front, and the number of the argument, that of bounds -1, -2, -3: so they come
/// behind batch_count. ld_less: by how much a leading dimension is below what is legal.
struct illegal_split {
  const char* what;
  int k, m2, n2, ld_less[4];  // of A11, A12, A21, A22
  bool missing[5];            // the same, and ipiv
  int argument;
};

/// What is really there of a front whose extent is illegal or beyond all memory.
int real_extent(int extent) { return extent < 0 || extent > 100 ? 4 : extent; }

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal fronts of LU among legal ones are left alone and told by number",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  const int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  const std::vector<illegal_split> cases{
      {"nothing", 3, 4, 5, {}, {}, 0},
      {"k", -1, 4, 5, {}, {}, 3},
      {"k, the least", least, 4, 5, {}, {}, 3},
      {"m2", 3, -1, 5, {}, {}, 4},
      {"m2, the least", 3, least, 5, {}, {}, 4},
      {"n2", 3, 4, -1, {}, {}, 5},
      {"n2, the least", 3, 4, least, {}, {}, 5},
      {"nothing", 20, 13, 30, {}, {}, 0},
      {"no A11", 5, 6, 7, {}, {true}, 6},
      {"no A11 alone", 5, 0, 0, {}, {true}, 6},
      {"lda11", 5, 6, 7, {1}, {}, 7},
      {"no A12", 5, 6, 7, {}, {false, true}, 8},
      {"no A12, no A22", 5, 0, 7, {}, {false, true}, 8},
      {"lda12", 5, 6, 7, {0, 1}, {}, 9},
      {"no A21", 5, 6, 7, {}, {false, false, true}, 10},
      {"no A21, no A22", 5, 6, 0, {}, {false, false, true}, 10},
      {"lda21", 5, 6, 7, {0, 0, 1}, {}, 11},
      {"no A22", 5, 6, 7, {}, {false, false, false, true}, 12},
      {"no A22, no columns", 0, 6, 7, {}, {false, false, false, true}, 12},
      {"lda22", 5, 6, 7, {0, 0, 0, 1}, {}, 13},
      {"no ipiv", 5, 6, 7, {}, {false, false, false, false, true}, 14},
      {"k is more than memory", most, 6, 7, {1}, {}, 7},
      {"m2 is more than memory", 5, most, 7, {0, 0, 1}, {}, 11},
      {"all are more than memory", most, most, most, {1}, {}, 7},
      {"lda11 of an empty one", 0, 6, 7, {1}, {}, 7},
      {"lda22 of an empty one", 5, 0, 7, {0, 0, 0, 1}, {}, 13},
      {"nothing, empty", 0, 0, 0, {}, {true, true, true, true, true}, 0},
      {"nothing, no columns", 0, 9, 8, {}, {true, true, true, false, true}, 0},
      {"nothing, all columns", 9, 0, 0, {}, {false, true, true, true}, 0},
      {"nothing, no rows below", 9, 0, 4, {}, {false, false, true, true}, 0},
      {"nothing, no columns beside", 9, 4, 0, {}, {false, true, false, true}, 0},
      {"above k_max", 21, 5, 5, {}, {}, -1},
      {"above m2_max", 5, 31, 5, {}, {}, -2},
      {"above n2_max", 5, 5, 61, {}, {}, -3},
      {"k, then all others", -3, -4, -5, {5, 5, 5, 5}, {true, true, true, true, true}, 3},
      {"m2, then all others", 4, -4, -5, {1, 1, 1, 1}, {true, true, true, true, true}, 4},
      {"n2, then all others", 4, 4, -5, {1, 1, 1, 1}, {true, true, true, true, true}, 5},
      {"A11, then all others", 40, 50, 60, {1, 1, 1, 1}, {true, true, true, true, true}, 6},
      {"A12, then others", 40, 50, 60, {0, 1, 1, 1}, {false, true, true, true, true}, 8},
      {"A21, then others", 40, 50, 60, {0, 0, 1, 1}, {false, false, true, true, true}, 10},
      {"A22, then others", 40, 50, 60, {0, 0, 0, 1}, {false, false, false, true, true}, 12},
      {"k_max, then others", 40, 50, 60, {}, {}, -1},
      {"m2_max, then n2_max", 4, 50, 61, {}, {}, -2},
      {"nothing", 20, 30, 40, {}, {}, 0}};
  std::vector<split_size> there;
  for (const illegal_split& c : cases)
    there.push_back({real_extent(c.k), real_extent(c.m2), real_extent(c.n2)});
  const std::vector<slab<T>> fronts = fronts_of_kind<T>("dominant", there);
  for (const split_way& way : every_split_way) {
    for (const int n2_max : {40, 60, -1}) {  // one launch for all fronts, several launches, an order
      const bool bounds_known = n2_max > 0;
      mixed_split<T> batch(fronts, columns_of(there));
      mixed<T>* const blocks[] = {&batch.A11, &batch.A12, &batch.A21, &batch.A22};
      std::vector<int> expected;
      for (std::size_t b = 0; b < cases.size(); ++b) {
        const illegal_split& c = cases[b];
        const int rows[] = {c.k, c.k, c.m2, c.m2}, columns[] = {c.k, c.n2, c.k, c.n2};
        for (std::size_t i = 0; i < 4; ++i) {
          blocks[i]->rows[b] = rows[i];
          blocks[i]->columns[b] = columns[i];
          if (rows[i] > 100) blocks[i]->lds[b] = rows[i];
          if (c.ld_less[i] > 0) blocks[i]->lds[b] = std::max(1, rows[i]) - c.ld_less[i];
          if (c.missing[i]) blocks[i]->starts[b] = nullptr;
        }
        if (c.missing[4]) batch.ipiv.starts[b] = nullptr;
        const bool is_legal = (c.argument == 14 && !way.exchanges) || (c.argument < 0 && !bounds_known);
        const int batch_count = way.exchanges ? 16 : 18;
        expected.push_back(is_legal ? 0 : c.argument < 0 ? c.argument - batch_count : -c.argument);
      }
      batch.upload();
      REQUIRE(batch.run(way, bounds_known ? size_bounds{30, n2_max, 20, -1} : size_bounds{}) == 0);
      const mixed_split_results<T> now = batch.finished(way), before = batch.as_uploaded();
      CHECK(now.info == expected);
      if (!way.exchanges) CHECK(all_zero(now.replaced));
      for (std::size_t b = 0; b < cases.size(); ++b) {
        CAPTURE(name_of(way), n2_max, b, cases[b].what);
        if (expected[b] != 0) {
          CHECK(now.same_bits(b, before, b));
          continue;
        }
        const std::vector<int> ipiv = way.exchanges ? now.ipiv[b] : std::vector<int>{};
        CHECK(split_ratio(way, fronts[b].get(0), now.whole(b), ipiv, there[b]) < threshold);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("nothing to do among fronts of LU of mixed sizes needs no memory",
                        "[getrf_partial_split]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  const queue q = test_queue();
  const array<int> zeros(std::vector<int>{0, 0}), ones(std::vector<int>{1, 1});
  const int *const z = zeros.data(), *const o = ones.data();
  const array<T*> nulls(std::vector<T*>{nullptr, nullptr});
  const array<int*> null_pivots(std::vector<int*>{nullptr, nullptr});
  for (const split_way& way : every_split_way) {
    for (const int bound : {0, -1}) {
      CAPTURE(name_of(way), bound);
      T* const* const p = bound == 0 ? nullptr : nulls.data();
      int* const* const v = bound == 0 ? nullptr : null_pivots.data();
      // No front has elements; all are without A21 and A22; all are A22 alone.
      const slab<T> one = repeated_general<T>("dominant", 1, 1, 1, 1).fill(1, 2);
      const resident<T> A11(one), A22(one);
      const pivot_array ipiv(2, 1);
      const info_array infos[] = {info_array(2), info_array(2), info_array(2)}, replaced(2);
      if (way.exchanges) {
        CHECK(getrf_partial_split_vbatched<T>(way.leaves, way.makes, z, z, z, p, o, p, o, p, o, p, o, v,
                                              infos[0].data(), 2, bound, bound, bound, q) == 0);
        CHECK(getrf_partial_split_vbatched<T>(way.leaves, way.makes, o, z, z, A11.pointers.data(), o, p, o, p,
                                              o, p, o, ipiv.pointers.data(), infos[1].data(), 2, 1, bound,
                                              bound, q) == 0);
        CHECK(getrf_partial_split_vbatched<T>(way.leaves, way.makes, z, o, o, p, o, p, o, p, o,
                                              A22.pointers.data(), o, v, infos[2].data(), 2, bound, 1, 1,
                                              q) == 0);
      } else {
        CHECK(getrf_partial_split_nopiv_vbatched<T>(way.leaves, way.makes, z, z, z, p, o, p, o, p, o, p, o,
                                                    R(1), nullptr, replaced.data(), infos[0].data(), 2, bound,
                                                    bound, bound, q) == 0);
        CHECK(getrf_partial_split_nopiv_vbatched<T>(way.leaves, way.makes, o, z, z, A11.pointers.data(), o, p,
                                                    o, p, o, p, o, R(0), nullptr, nullptr, infos[1].data(), 2,
                                                    1, bound, bound, q) == 0);
        CHECK(getrf_partial_split_nopiv_vbatched<T>(way.leaves, way.makes, z, o, o, p, o, p, o, p, o,
                                                    A22.pointers.data(), o, R(0), nullptr, nullptr,
                                                    infos[2].data(), 2, bound, 1, 1, q) == 0);
      }
      finish();
      for (const info_array& info : infos) CHECK(all_zero(info.download()));
      if (!way.exchanges) CHECK(all_zero(replaced.download()));
      CHECK(A11.download().same_bits(one));
      const dense<T> left = way.makes == schur::product ? dense<T>{T(0)} : one.get(0);
      CHECK(A22.download().get(0) == left);
      CHECK(A22.download().get(1) == left);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split of mixed sizes, small", "[.][sanitize]", precisions) {
  using T = TestType;
  const std::vector<split_size> sizes{{8, 3, 5},    {0, 0, 0},    {33, 40, 20}, {3, 0, 3},    {0, 4, 6},
                                      {16, 8, 8},   {20, 20, 0},  {1, 1, 1},    {70, 9, 33},  {9, 90, 70},
                                      {30, 70, 80}, {12, 190, 3}, {24, 3, 160}, {50, 90, 60}, {20, 30, 300}};
  for (const split_way& way : every_split_way) {
    eliminate_known<T>(way, sizes, bounds_of(sizes));
    eliminate_known<T>(way, sizes, {});
  }
}

#ifdef TALUS_WITH_CUDA
namespace {

/// Both routines in all their forms, on operands of their own of the same mixed sizes.
template <class T>
struct every_call : calls_on_mixed_sizes<mixed_split<T>, split_way> {
  every_call() {
    const std::vector<split_size> sizes = some_sizes_of_split(33, 100, 4);
    const std::vector<slab<T>> fronts = fronts_of_kind<T>("dominant", sizes);
    const size_bounds& most = most_of_calls;
    for (const split_way& way : every_split_way)
      this->calls.push_back({way, std::make_unique<mixed_split<T>>(fronts, columns_of(sizes)),
                             way.exchanges
                                 ? getrf_partial_split_vbatched_work<T>(most.k, most.m, most.n, 33)
                                 : getrf_partial_split_nopiv_vbatched_work<T>(most.k, most.m, most.n, 33)});
    finish();
  }
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("getrf_partial_split of mixed sizes can be captured in a graph and replayed",
                        "[getrf_partial_split]", precisions) {
  if (on_cuda()) capture_and_replay<every_call<TestType>>();
}

TEMPLATE_LIST_TEST_CASE("getrf_partial_split of mixed sizes takes the scratch it says and no less",
                        "[getrf_partial_split]", precisions) {
  if (on_cuda()) check_scratch<every_call<TestType>>();
}
#endif
