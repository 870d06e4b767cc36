// The compiled-in tables as data: checked before any kernel of them runs, on machines without a GPU too.
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "batched/blas/inverse.hpp"
#include "batched/cholesky/posv.hpp"
#include "batched/cholesky/potrf.hpp"
#include "batched/cholesky/potrf_partial.hpp"
#include "catch.hpp"
#include "lines.hpp"
#include "matgen.hpp"
#include "measure/routines.hpp"
#include "vbatched/blas/gemm.hpp"
#include "vbatched/blas/trsm.hpp"
#include "vbatched/cholesky/potrf.hpp"
#include "vbatched/cholesky/potrf_partial.hpp"
#include "vbatched/lu/getrf.hpp"
#include "vbatched/lu/getrf_partial_split.hpp"
#include "vbatched/qr/geqrf.hpp"
#include "vbatched/schedule.hpp"

using namespace talus;
using namespace talus::cuda;
using namespace talus::cuda::cholesky;

namespace {

template <class Box>
bool is_of_any(const Box& bounds) {
  for (const int bound : bounds.of) {
    if (bound != any_extent) return false;
  }
  return true;
}

/// Returns the compute capabilities of the GPUs that a table has to serve. The generic table (0) serves GPUs
/// with 64, 99, 163 and 227 KB of shared memory per block.
std::vector<int> capabilities_served(int capability) {
  static_assert(limits_of(75).shared_bytes == 64 * 1024 && limits_of(120).shared_bytes == 99 * 1024);
  static_assert(limits_of(80).shared_bytes == 163 * 1024 && limits_of(90).shared_bytes == 227 * 1024);
  if (capability != 0) return {capability};
  return {0, 75, 80, 86, 89, 90, 100, 120};
}

template <class T, class Tables>
void check_limits(Tables) {
  const auto& gpus = Tables::gpus;
  const auto& first = Tables::template first_line<T>;
  REQUIRE(first[gpus.size()] == static_cast<int>(Tables::template lines<T>.size()));
  for (std::size_t t = 0; t < gpus.size(); ++t) {
    for (int i = first[t]; i < first[t + 1]; ++i) {
      for (const int capability : capabilities_served(gpus[t].capability)) {
        const char* const objection = objection_to(Tables::template at<T>(i), limits_of(capability));
        INFO(Tables::routine::name << ", " << gpus[t].name << " line " << i - first[t] << ", sm_"
                                   << capability << ": " << (objection ? objection : ""));
        CHECK_FALSE(objection);
      }
      CHECK(Tables::template table_of<T>(i) == t);
    }
  }
}

template <class T, class Tables>
void check_lines(Tables tables) {
  check_limits<T>(tables);
  const auto& gpus = Tables::gpus;
  const auto& first = Tables::template first_line<T>;
  for (std::size_t t = 0; t < gpus.size(); ++t) {
    if (first[t] == first[t + 1]) continue;
    const auto& last = Tables::template at<T>(first[t + 1] - 1);
    CHECK(is_of_any(last.bounds));
    CHECK(last.batch_max == any_batch);
  }
  const std::size_t generic = gpus.size() - 1;
  CHECK(gpus[generic].capability == 0);
  CHECK(first[generic] < first[generic + 1]);
}

/// Every combination of these, one for each extent.
template <class Box>
std::vector<Box> all_of(const std::vector<int>& values) {
  std::vector<Box> all{Box{}};
  for (std::size_t extent = 0; extent < std::size(Box{}.of); ++extent) {
    std::vector<Box> longer;
    for (Box box : all) {
      for (const int value : values) {
        box.of[extent] = value;
        longer.push_back(box);
      }
    }
    all = longer;
  }
  return all;
}

template <class T, class Tables>
void check_selection(Tables) {
  using box = typename Tables::box;
  const auto& gpus = Tables::gpus;
  for (std::size_t t = 0; t < gpus.size(); ++t) {
    const auto& first = Tables::template first_line<T>;
    const int begin = first[t] < first[t + 1] ? first[t] : first[gpus.size() - 1];
    for (const box& sizes : all_of<box>({0, 1, 2, 8, 9, 32, 33, 64, 65, 512, 513, 1024, 5000, any_extent})) {
      for (const std::int64_t count :
           {std::int64_t{1}, std::int64_t{3000}, std::int64_t{1000000}, any_batch}) {
        const int line = Tables::template select<T>(static_cast<int>(t), sizes, count);
        CAPTURE(gpus[t].name, std::vector<int>(std::begin(sizes.of), std::end(sizes.of)), count, line);
        CHECK(line >= begin);
        for (int i = begin; i <= line; ++i) {
          const auto& l = Tables::template at<T>(i);
          bool covers = count <= l.batch_max;
          for (int e = 0; e < Tables::routine::extents; ++e) covers = covers && sizes[e] <= l.bounds[e];
          CHECK(covers == (i == line));
        }
      }
    }
  }
}

/// objection_to as a string; empty where a kernel serves the line.
template <class Line>
std::string words_on(const Line& line, const gpu_limits& limits = generic_limits) {
  const char* const words = objection_to(line, limits);
  return words ? words : "";
}

}  // namespace

TEST_CASE("a box covers what has no extent beyond its bounds", "[table]") {
  CHECK(upto(8).cover(upto(8)));
  CHECK(upto(8).cover(upto(0)));
  CHECK(upto(8).cover(extents<1>{}));
  CHECK_FALSE(upto(8).cover(upto(9)));
  CHECK(upto(any_extent).cover(upto(any_extent)));
  CHECK_FALSE(upto(any_extent - 1).cover(upto(any_extent)));

  constexpr extents<2> box = upto(16, 3);
  static_assert(box[0] == 16 && box[1] == 3 && box.cover(upto(16, 3)));
  CHECK(box.cover(upto(0, 0)));
  CHECK(box.cover(upto(1, 3)));
  CHECK(box.cover(upto(16, 1)));
  CHECK_FALSE(box.cover(upto(17, 3)));
  CHECK_FALSE(box.cover(upto(16, 4)));
  CHECK_FALSE(box.cover(upto(3, 16)));  // each extent has its own bound
  CHECK(upto(any_extent, 1).cover(upto(1 << 30, 1)));
  CHECK_FALSE(upto(any_extent, 1).cover(upto(0, 2)));
  CHECK(upto(4, 5, 6).cover(upto(4, 5, 6)));
  CHECK_FALSE(upto(4, 5, 6).cover(upto(4, 5, 7)));
}

/// visit(tables) for every routine of equal sizes that has some.
template <class Visit>
static void for_each_tables(Visit visit) {
  measure::for_each_routine([&](auto r) {
    if constexpr (r.has_tables && !r.mixed_sizes) visit(typename decltype(r)::template of<double>::tables{});
  });
}

TEMPLATE_LIST_TEST_CASE("every line of the tables is within its family's and its GPU's limits", "[table]",
                        test::precisions) {
  for_each_tables([](auto tables) { check_lines<TestType>(tables); });
  check_lines<TestType>(potrf_partial_tables{});
  check_lines<TestType>(getrf_partial_split_tables{});
  check_lines<TestType>(potri_tables{});
  check_lines<TestType>(getri_tables{});
  check_limits<TestType>(potrf_partial_vbatched_tables{});
  check_limits<TestType>(getrf_vbatched_tables{});
}

TEMPLATE_LIST_TEST_CASE("a size and batch are served by the first line that covers both", "[table]",
                        test::precisions) {
  for_each_tables([](auto tables) { check_selection<TestType>(tables); });
}

TEMPLATE_LIST_TEST_CASE("every line of potrf_vbatched's tables is one of a set that serves all sizes",
                        "[table]", test::precisions) {
  using T = TestType;
  using tables = potrf_vbatched_tables;
  const auto& gpus = tables::gpus;
  const auto& first = tables::first_line<T>;
  check_limits<T>(tables{});
  const auto bound_of = [](int line) { return tables::at<T>(line).bounds[0]; };
  int lines = 0, same_kernels = 0;
  for (std::size_t t = 0; t < gpus.size(); ++t) {
    const bool for_figures = std::string(gpus[t].name) == "figures";
    int classes = 0, alone = 0;  // of this line's set, up to this line
    for (int i = first[t]; i < first[t + 1]; ++i) {
      const auto& line = tables::at<T>(i);
      INFO(gpus[t].name << " line " << i - first[t]);
      if (for_figures) continue;
      ++lines;
      same_kernels += test::line_of_same_kernel<T>(line) >= 0;
      const bool last_of_table = i + 1 == first[t + 1], is_alone = serves_alone(line.schedule);
      ++(is_alone ? alone : classes);
      CHECK(classes <= most_classes);
      // It serves calls up to its bound: alone, or with the classes before it.
      const class_lines by = lines_for<tables, T>(static_cast<int>(t), line.bounds, line.batch_max);
      if (is_alone) {
        CHECK(by.count == 1);
        CHECK(by.line[0] == i);
        CHECK(by.how == line.schedule);
      } else if (alone == 0 || line.bounds[0] > bound_of(i - classes)) {
        REQUIRE(by.count == classes);
        for (int c = 0; c < classes; ++c) CHECK(by.line[static_cast<std::size_t>(c)] == i - classes + 1 + c);
        CHECK(by.how == schedule::queued);
      }
      if (line.bounds[0] == any_extent) {
        classes = alone = 0;
        CHECK((line.batch_max == any_batch) == last_of_table);
        if (!last_of_table) CHECK(tables::at<T>(i + 1).batch_max > line.batch_max);
      } else {
        REQUIRE_FALSE(last_of_table);
        const auto& next = tables::at<T>(i + 1);
        CHECK(next.batch_max == line.batch_max);
        if (serves_alone(next.schedule) == is_alone) CHECK(next.bounds[0] > line.bounds[0]);
        if (!is_alone) CHECK_FALSE(serves_alone(next.schedule));
      }
    }
  }
  CHECK(2 * same_kernels > lines);  // of which the same bits can be tested
  const std::size_t generic = gpus.size() - 1;
  CHECK(gpus[generic].capability == 0);
  CHECK(first[generic] < first[generic + 1]);
}

/// Every line of tables for mixed sizes: what it serves, and its set.
template <class T, class Tables>
static void check_sets(Tables) {
  const auto& gpus = Tables::gpus;
  const auto& first = Tables::template first_line<T>;
  check_lines<T>(Tables{});
  for (std::size_t t = 0; t < gpus.size(); ++t) {
    int classes = 0;  // of this line's set, up to this line
    for (int i = first[t]; i < first[t + 1]; ++i) {
      const auto& line = Tables::template at<T>(i);
      INFO(gpus[t].name << " line " << i - first[t]);
      const bool last_of_table = i + 1 == first[t + 1];
      classes += group_of(line.schedule) == line_group::in_order;
      CHECK(classes <= most_classes);
      // What no line of a set before it covers, it serves up to its bounds.
      const class_lines by = lines_for<Tables, T>(static_cast<int>(t), line.bounds, line.batch_max);
      REQUIRE(by.count > 0);
      CHECK(
          Tables::template at<T>(by.line[static_cast<std::size_t>(by.count - 1)]).bounds.cover(line.bounds));
      if (by.how == schedule::filtered) {  // a launch compares sizes with the class below alone
        for (int c = 1; c < by.count; ++c) {
          const auto bounds_of = [&](int of) {
            return Tables::template at<T>(by.line[static_cast<std::size_t>(of)]).bounds;
          };
          CHECK(bounds_of(c).cover(bounds_of(c - 1)));
        }
      }
      if (is_of_any(line.bounds)) {
        CHECK(by.line[static_cast<std::size_t>(by.count - 1)] == i);
        classes = 0;
        CHECK((line.batch_max == any_batch) == last_of_table);
        if (!last_of_table) CHECK(Tables::template at<T>(i + 1).batch_max > line.batch_max);
      } else {
        REQUIRE_FALSE(last_of_table);
        const std::int64_t next = Tables::template at<T>(i + 1).batch_max;
        CHECK(next >= line.batch_max);
        if (group_of(line.schedule) == line_group::in_order)
          CHECK(next == line.batch_max);  // classes end with one of any sizes
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every line of the tables for mixed sizes is one of a set that serves all sizes",
                        "[table]", test::precisions) {
  check_sets<TestType>(getrf_vbatched_tables{});
  check_sets<TestType>(geqrf_vbatched_tables{});
  check_sets<TestType>(trsm_vbatched_tables{});
  check_sets<TestType>(gemm_vbatched_tables{});
  check_sets<TestType>(potri_vbatched_tables{});
  check_sets<TestType>(getri_vbatched_tables{});
}

TEST_CASE("a line that serves no size or no batch is explained", "[table]") {
  const auto objection = [](const table_line<posv_routine>& line) { return words_on(line); };
  CHECK(objection({'d', upto(1, 1), 1, unfused{}}) == "");
  CHECK(objection({'d', upto(0, 1), 1, unfused{}}) == "a bound is below 1");
  CHECK(objection({'d', upto(1, 0), 1, unfused{}}) == "a bound is below 1");
  CHECK(objection({'d', upto(1, 1), 0, unfused{}}) == "batch_max is below 1");
}

TEST_CASE("a line that no kernel of potrf serves is explained", "[table]") {
  const auto objection = [](char precision, int n_max, potrf_routine::kernel kernel,
                            const gpu_limits& limits = generic_limits) {
    return words_on(table_line<potrf_routine>{precision, upto(n_max), any_batch, kernel}, limits);
  };
  // Which families there are for it, its type says.
  static_assert(!std::is_constructible_v<potrf_routine::kernel, unfused>);
  CHECK(objection('d', 8, warp{.lanes = 4, .rows = 2, .tbc = 8}) == "");
  CHECK(objection('d', 9, warp{.lanes = 4, .rows = 2, .tbc = 8}) == "lanes * rows is less than n_max rows");
  CHECK(
      objection('s', 16, warp{.lanes = 16, .rows = 1, .tbc = 2, .deferred_check = true, .coalesced = true}) ==
      "coalesced, but a warp's first matrix does not begin where 16 bytes are copied at once");
  CHECK(objection('d', 8, warp{.lanes = 4, .rows = 2, .tbc = 8, .coalesced = true}) ==
        "coalesced goes with deferred_check only");
  CHECK(objection('d', 160, smem_lookahead{.threads = 128, .tiles = 3}) == "");
  CHECK(objection('d', 161, smem_lookahead{.threads = 128, .tiles = 3}) ==
        "the warps have fewer tiles of 16 rows than n_max takes");
  CHECK(objection('d', 32, smem_lookahead{.threads = 32, .tiles = 2}) ==
        "threads is no multiple of 32 from 64 on");
  CHECK(objection('s', any_extent, blocked{.nb = 64, .groups = 1, .tiles = 2}) == "");
  CHECK(objection('d', any_extent, blocked{.nb = 64, .groups = 1, .tiles = 2}) ==
        "a block needs more shared memory than the GPU has");
  CHECK(objection('d', any_extent, blocked{.nb = 64, .groups = 1, .tiles = 2}, limits_of(90)) == "");
  CHECK(objection('d', any_extent, blocked{.nb = 48, .groups = 1, .tiles = 2}) ==
        "nb is none of 16, 32, 64, 128");
  CHECK(objection('d', any_extent, blocked{.nb = 16, .groups = 2, .tiles = 1}) ==
        "groups is 2, but the diagonal block has one tile");
}

TEST_CASE("a line that no kernel of potrf_vbatched serves is explained", "[table]") {
  const auto objection = [](int n_max, schedule how, potrf_vbatched_routine::kernel kernel) {
    return words_on(mixed_line<potrf_vbatched_routine>{{'d', upto(n_max), any_batch, kernel}, how});
  };
  const smem four_tiles{.tiles = 4};
  const blocked steps{.nb = 32, .groups = 1, .tiles = 1};
  const char* const only_blocked = "blocked goes step by step, greedy or lazy, and it alone";
  CHECK(objection(64, schedule::queued, four_tiles) == "");
  CHECK(objection(73, schedule::queued, four_tiles) ==
        "the warp has fewer tiles of 16 rows than n_max takes");  // potrf's own objection
  CHECK(objection(64, schedule::lazy, four_tiles) == only_blocked);
  CHECK(objection(64, schedule::greedy, four_tiles) == only_blocked);
  CHECK(objection(64, schedule::direct, four_tiles) == "");
  CHECK(objection(64, schedule::ordered, four_tiles) == "");
  CHECK(objection(any_extent, schedule::direct, steps) == only_blocked);
  CHECK(objection(any_extent, schedule::ordered, steps) == only_blocked);
  CHECK(objection(any_extent, schedule::queued, steps) == only_blocked);
  CHECK(objection(600, schedule::greedy, steps) == "");  // a class may end anywhere
  CHECK(objection(608, schedule::greedy, steps) == "");
  CHECK(objection(any_extent, schedule::greedy, steps) == "");
  CHECK(objection(any_extent, schedule::lazy, steps) == "");
  CHECK(objection(8, schedule::queued, warp{.lanes = 4, .rows = 2, .tbc = 8}) == "");
  const char* const equal_only = "deferred_check and coalesced are for equal sizes only";
  CHECK(objection(8, schedule::queued,
                  warp{.lanes = 4, .rows = 2, .tbc = 8, .deferred_check = true, .coalesced = true}) ==
        equal_only);
  CHECK(objection(8, schedule::queued, warp{.lanes = 4, .rows = 2, .tbc = 8, .deferred_check = true}) ==
        equal_only);
}

TEST_CASE("a line that no kernel of posv serves is explained", "[table]") {
  const auto objection = [](char precision, int n_max, posv_routine::kernel kernel) {
    return words_on(table_line<posv_routine>{precision, upto(n_max, any_extent), any_batch, kernel});
  };
  // Matrices of more than a warp are not solved with.
  static_assert(!std::is_constructible_v<posv_routine::kernel, smem_lookahead>);
  static_assert(!std::is_constructible_v<posv_routine::kernel, blocked>);
  CHECK(objection('d', any_extent, unfused{}) == "");
  CHECK(objection('d', 64, smem{.tiles = 4}) == "");
  CHECK(objection('d', 113, smem{.tiles = 8}) == "n_max is above 112");
  CHECK(objection('d', 40, smem{.tiles = 2}) == "the warp has fewer tiles of 16 rows than n_max takes");
  CHECK(objection('d', 32, warp{.lanes = 32, .rows = 1, .tbc = 4}) == "");
  CHECK(objection('d', 32, warp{.lanes = 16, .rows = 2, .tbc = 8}) ==
        "a block needs more shared memory than the GPU has");
  const auto coalesced = [](int lanes, int rows, int tbc) { return warp{lanes, rows, tbc, 0, true, true}; };
  CHECK(objection('d', 8, coalesced(4, 2, 8)) == "");
  CHECK(objection('d', 17, coalesced(8, 3, 8)) == "coalesced, but n_max is above 16");
  CHECK(objection('d', 9, coalesced(2, 5, 16)) == "");
  CHECK(objection('s', 9, coalesced(2, 5, 16)) == "");
}

TEST_CASE("a warp factors matrices that are half a tile larger than its tiles, if they are real", "[table]") {
  const auto objection = [](char precision, int n, int tiles) {
    return words_on(table_line<potrf_routine>{precision, upto(n), any_batch, smem{.tiles = tiles}});
  };
  const char* const too_few = "the warp has fewer tiles of 16 rows than n_max takes";
  CHECK(objection('s', 56, 3) == "");
  CHECK(objection('d', 40, 2) == "");
  CHECK(objection('d', 41, 2) == too_few);
  CHECK(objection('c', 48, 3) == "");
  CHECK(objection('c', 49, 3) == too_few);
  CHECK(objection('d', 24, 1) == "a warp has two tiles at least");
}

TEST_CASE("a GPU gets its own table, else one of its compute capability, else the generic one", "[table]") {
  constexpr gpu_table tables[] = {{"h100", "NVIDIA H100", 90},
                                  {"h200", "NVIDIA H200", 90},
                                  {"v100", "Tesla V100", 70},
                                  {"generic", "", 0}};
  static_assert(choose_table(tables, 4, "NVIDIA H200", 90) == 1);
  CHECK(choose_table(tables, 4, "NVIDIA H100", 90) == 0);
  CHECK(choose_table(tables, 4, "NVIDIA H200 NVL", 90) == 0);  // the first of its capability
  CHECK(choose_table(tables, 4, "NVIDIA TITAN V", 70) == 2);
  CHECK(choose_table(tables, 4, "NVIDIA A100", 80) == 3);
  CHECK(choose_table(tables, 4, "", 0) == 3);
  CHECK(choose_table(tables + 3, 1, "NVIDIA H200", 90) == 0);
}

TEST_CASE("tiles in shared memory never take the place of one that is still read", "[table]") {
  constexpr auto whole = all_tile_slots<smem_most_tiles>(0);
  constexpr auto bordered = all_tile_slots<smem_bordered_tiles>(8);
  const auto check = [](const auto& slots, int tiles, int border) {
    constexpr int half = 128;
    for (int P = 0; P < tiles; ++P) {  // what later panels read when panel P is done
      std::set<int> taken;
      for (int K = 0; K <= P; ++K) {
        // If these are no more than fit, none of column K was put beyond them.
        const int at_once = (K + 1) * (tiles - 1 - K);
        const int halves = K == 0 && border > 0 ? 1 : 2;
        for (int I = P + 1; I < tiles; ++I) {
          const int at = slots.at[tiles][I][K];
          CAPTURE(tiles, border, P, I, K, at);
          CHECK(at % (border > 0 ? half : 2 * half) == 0);
          if (border == 0) CHECK(at / (2 * half) < at_once);
          for (int h = 0; h < halves; ++h) CHECK(taken.insert(at / half + h).second);
        }
      }
      CHECK((taken.empty() || half * (*taken.rbegin() + 1) <= slots.elements[tiles]));
    }
  };
  for (int tiles = 1; tiles <= smem_most_tiles; ++tiles) {
    check(whole, tiles, 0);
    CHECK(whole.elements[tiles] == 256 * smem_below(tiles, false, false));
  }
  for (int tiles = 1; tiles <= smem_bordered_tiles; ++tiles) {
    check(bordered, tiles, 8);
    CHECK(bordered.elements[tiles] <= whole.elements[tiles]);
  }
}
