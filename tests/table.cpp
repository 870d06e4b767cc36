// The compiled-in tables as data: checked before any kernel of them runs, on machines without a GPU too.
#include <set>
#include <string>

#include "batched/posv_table.hpp"
#include "batched/potrf_table.hpp"
#include "catch.hpp"
#include "matgen.hpp"
#include "vbatched/potrf_table.hpp"
#include "vbatched_lines.hpp"

using namespace talus;
using namespace talus::cuda;

namespace {

template <class T, class Tables>
void check_lines(Tables, const char* (*objection_to)(const potrf_line&, std::size_t, const gpu_limits&)) {
  const auto& gpus = Tables::gpus;
  const auto& first = Tables::template first_line<T>;
  REQUIRE(first[gpus.size()] == static_cast<int>(Tables::template lines<T>.size()));
  for (std::size_t t = 0; t < gpus.size(); ++t) {
    const bool generic = gpus[t].capability == 0;
    for (int i = first[t]; i < first[t + 1]; ++i) {
      const potrf_line& line = Tables::template lines<T>[static_cast<std::size_t>(i)];
      const char* const objection =
          objection_to(line, sizeof(T), generic ? generic_limits : limits_of(gpus[t].capability));
      INFO(gpus[t].name << " line " << i - first[t] << ": " << (objection ? objection : ""));
      CHECK_FALSE(objection);
      CHECK(Tables::template table_of<T>(i) == t);
    }
    if (first[t] == first[t + 1]) continue;
    const potrf_line& last = Tables::template lines<T>[static_cast<std::size_t>(first[t + 1] - 1)];
    CHECK(last.n_max == any_n);
    CHECK(last.batch_max == any_batch);
  }
  const std::size_t generic = gpus.size() - 1;
  CHECK(gpus[generic].capability == 0);
  CHECK(first[generic] < first[generic + 1]);
}

template <class T, class Tables>
void check_selection(Tables) {
  const auto& gpus = Tables::gpus;
  for (std::size_t t = 0; t < gpus.size(); ++t) {
    const auto& first = Tables::template first_line<T>;
    const int begin = first[t] < first[t + 1] ? first[t] : first[gpus.size() - 1];
    for (const int n : {0, 1, 2, 8, 9, 32, 33, 64, 65, 512, 513, 1024, 5000, any_n}) {
      for (const std::int64_t count :
           {std::int64_t{1}, std::int64_t{3000}, std::int64_t{1000000}, any_batch}) {
        const int line = Tables::template select<T>(static_cast<int>(t), n, count);
        CAPTURE(gpus[t].name, n, count, line);
        CHECK(line >= begin);
        for (int i = begin; i <= line; ++i) {
          const potrf_line& l = Tables::template lines<T>[static_cast<std::size_t>(i)];
          CHECK((n <= l.n_max && count <= l.batch_max) == (i == line));
        }
      }
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of the tables is within its family's and its GPU's limits", "[table]",
                        test::precisions) {
  check_lines<TestType>(potrf_tables{}, potrf_objection);
  check_lines<TestType>(posv_tables{}, posv_objection);
}

TEMPLATE_LIST_TEST_CASE("a size and batch are served by the first line that covers both", "[table]",
                        test::precisions) {
  check_selection<TestType>(potrf_tables{});
  check_selection<TestType>(posv_tables{});
}

TEMPLATE_LIST_TEST_CASE("every line of potrf_vbatched's tables is one of a set that serves all sizes",
                        "[table]", test::precisions) {
  using T = TestType;
  using tables = potrf_vbatched_tables;
  const auto& gpus = tables::gpus;
  const auto& first = tables::first_line<T>;
  REQUIRE(first[gpus.size()] == static_cast<int>(tables::lines<T>.size()));
  int lines = 0, same_kernels = 0;
  for (std::size_t t = 0; t < gpus.size(); ++t) {
    const gpu_limits limits = gpus[t].capability == 0 ? generic_limits : limits_of(gpus[t].capability);
    const bool for_figures = std::string(gpus[t].name) == "figures";
    int classes = 0, alone = 0;  // of this line's set, up to this line
    for (int i = first[t]; i < first[t + 1]; ++i) {
      const potrf_vbatched_line& line = tables::lines<T>[static_cast<std::size_t>(i)];
      const char* const objection = potrf_vbatched_objection(line, sizeof(T), limits);
      INFO(gpus[t].name << " line " << i - first[t] << ": " << (objection ? objection : ""));
      CHECK_FALSE(objection);
      CHECK(tables::table_of<T>(i) == t);
      if (for_figures) continue;
      ++lines;
      same_kernels += test::line_of_same_kernel<T>(line) >= 0;
      const bool last_of_table = i + 1 == first[t + 1], is_alone = serves_alone(line.schedule);
      ++(is_alone ? alone : classes);
      CHECK(classes <= vbatched_classes);
      // It serves calls up to its bound: alone, or with the classes before it.
      const class_lines by = lines_for<T>(static_cast<int>(t), line.n_max, line.batch_max);
      if (is_alone) {
        CHECK(by.count == 1);
        CHECK(by.line[0] == i);
        CHECK(by.ordered == (line.schedule == vbatched_schedule::ordered));
      } else if (alone == 0 || line.n_max > tables::lines<T>[static_cast<std::size_t>(i - classes)].n_max) {
        REQUIRE(by.count == classes);
        for (int c = 0; c < classes; ++c) CHECK(by.line[static_cast<std::size_t>(c)] == i - classes + 1 + c);
        CHECK_FALSE(by.ordered);
      }
      if (line.n_max == any_n) {
        classes = alone = 0;
        CHECK((line.batch_max == any_batch) == last_of_table);
        if (!last_of_table)
          CHECK(tables::lines<T>[static_cast<std::size_t>(i + 1)].batch_max > line.batch_max);
      } else {
        REQUIRE_FALSE(last_of_table);
        const potrf_vbatched_line& next = tables::lines<T>[static_cast<std::size_t>(i + 1)];
        CHECK(next.batch_max == line.batch_max);
        if (serves_alone(next.schedule) == is_alone) CHECK(next.n_max > line.n_max);
        if (!is_alone) CHECK_FALSE(serves_alone(next.schedule));
      }
    }
  }
  CHECK(2 * same_kernels > lines);  // of which the same bits can be tested
  const std::size_t generic = gpus.size() - 1;
  CHECK(gpus[generic].capability == 0);
  CHECK(first[generic] < first[generic + 1]);
}

TEST_CASE("a line that no kernel of potrf_vbatched serves is explained", "[table]") {
  const auto objection = [](potrf_family family, int n_max, int ib, int nb, int threads, int rows,
                            vbatched_schedule schedule) {
    const char* const words = potrf_vbatched_objection(
        {{'d', n_max, any_batch, family, ib, nb, 1, threads, rows}, schedule}, 8, generic_limits);
    return std::string(words ? words : "");
  };
  using family = potrf_family;
  using schedule = vbatched_schedule;
  CHECK(objection(family::smem, 64, 16, 0, 32, 4, schedule::binned) == "");
  CHECK(objection(family::smem, 73, 16, 0, 32, 4, schedule::binned) != "");  // potrf's own objection
  CHECK(objection(family::smem, 64, 16, 0, 32, 4, schedule::lazy_classic) ==
        "only panel_exclusive and blocked go step by step");
  CHECK(objection(family::smem, 64, 16, 0, 32, 4, schedule::direct) == "");
  CHECK(objection(family::smem, 64, 16, 0, 32, 4, schedule::ordered) == "");
  CHECK(objection(family::blocked, any_n, 16, 32, 32, 1, schedule::ordered) ==
        "blocked is greedy_classic or lazy_classic");
  CHECK(objection(family::blocked, any_n, 16, 32, 32, 1, schedule::binned) ==
        "blocked is greedy_classic or lazy_classic");
  CHECK(objection(family::blocked, 600, 16, 32, 32, 1, schedule::greedy_classic) ==
        "n_max is above 512 and no multiple of 16, or above 8192, but not any_n");
  CHECK(objection(family::blocked, 608, 16, 32, 32, 1, schedule::greedy_classic) == "");
  CHECK(objection(family::blocked, any_n, 16, 32, 32, 1, schedule::greedy_classic) == "");
  CHECK(objection(family::blocked, any_n, 16, 32, 32, 1, schedule::greedy_aggressive) ==
        "blocked has no idle threads that could end before their block");
  CHECK(objection(family::panel_exclusive, 512, 8, 0, 512, 1, schedule::lazy_aggressive) == "");
  CHECK(objection(family::panel_exclusive, 512, 8, 0, 512, 1, schedule::binned) ==
        "panel_exclusive takes the schedules of the paper");
  CHECK(objection(family::warp_lines, 8, 1, 0, 4, 2, schedule::binned) == "serves equal sizes only");
}

TEST_CASE("a line that no kernel of posv serves is explained", "[table]") {
  const auto objection = [](potrf_line line) {
    const char* const words = posv_objection(line, 8, generic_limits);
    return std::string(words ? words : "");
  };
  using family = potrf_family;
  CHECK(objection({'d', any_n, any_batch, family::apart, 0, 0, 0, 0, 0}) == "");
  CHECK(objection({'d', any_n, any_batch, family::apart, 0, 0, 0, 32, 0}) ==
        "apart takes what potrf's table says, so its columns are 0");
  CHECK(objection({'d', 64, any_batch, family::smem, 16, 0, 1, 32, 4}) == "");
  CHECK(objection({'d', 65, any_batch, family::smem, 16, 0, 1, 32, 5}) == "n_max is above 64");
  CHECK(objection({'d', 40, any_batch, family::smem, 16, 0, 1, 32, 2}) ==
        "the warp has fewer tiles of 16 rows than n_max takes");
  CHECK(objection({'d', 64, any_batch, family::smem, 16, 0, 1, 64, 3}) ==
        "matrices of more than a warp are not solved with");
  CHECK(objection({'d', 64, any_batch, family::blocked, 16, 32, 1, 32, 1}) == "does not solve");
  CHECK(objection({'d', 32, any_batch, family::warp, 1, 0, 4, 32, 1}) == "");
  CHECK(objection({'d', 32, any_batch, family::warp, 1, 0, 8, 16, 2}) ==
        "a block needs more shared memory than the GPU has");
  CHECK(objection({'d', 8, any_batch, family::warp, 2, 0, 4, 8, 1}) ==
        "ib is not 1, but warp goes column by column");
  CHECK(objection({'d', 8, any_batch, family::warp_lines, 1, 0, 8, 4, 2}) == "");
  CHECK(objection({'d', 17, any_batch, family::warp_lines, 1, 0, 8, 8, 3}) == "n_max is above 16");
  CHECK(objection({'d', 9, any_batch, family::warp_lines, 1, 0, 16, 2, 5}) == "");
  CHECK(std::string(
            posv_objection({'s', 9, any_batch, family::warp_lines, 1, 0, 16, 2, 5}, 4, generic_limits)) ==
        "threads * rows is no multiple of 16 bytes, where the columns of a factor begin");
  CHECK(std::string(
            potrf_objection({'s', 16, any_batch, family::warp_lines, 1, 0, 2, 16, 1}, 4, generic_limits)) ==
        "a warp's first matrix does not begin where 16 bytes are copied at once");
  CHECK(std::string(potrf_objection({'d', 8, any_batch, family::apart, 0, 0, 0, 0, 0}, 8, generic_limits)) ==
        "serves posv only");
}

TEST_CASE("a warp factors matrices that are half a tile larger than its tiles, if they are real", "[table]") {
  const auto objection = [](char precision, std::size_t size, int n, int rows) {
    const char* const words = potrf_objection(
        {precision, n, any_batch, potrf_family::smem, 16, 0, 1, 32, rows}, size, generic_limits);
    return std::string(words ? words : "");
  };
  const char* const too_few = "the warps have fewer tiles of 16 rows than n_max takes";
  CHECK(objection('s', 4, 56, 3) == "");
  CHECK(objection('d', 8, 40, 2) == "");
  CHECK(objection('d', 8, 41, 2) == too_few);
  CHECK(objection('c', 8, 48, 3) == "");
  CHECK(objection('c', 8, 49, 3) == too_few);
  CHECK(objection('d', 8, 24, 1) == "a warp has two tiles at least");
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
  constexpr auto whole = all_potrf_smem_slots<potrf_smem_tiles>(0);
  constexpr auto bordered = all_potrf_smem_slots<potrf_smem_bordered_tiles>(8);
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
  for (int tiles = 1; tiles <= potrf_smem_tiles; ++tiles) {
    check(whole, tiles, 0);
    CHECK(whole.elements[tiles] == 256 * potrf_smem_below(tiles, false, false));
  }
  for (int tiles = 1; tiles <= potrf_smem_bordered_tiles; ++tiles) {
    check(bordered, tiles, 8);
    CHECK(bordered.elements[tiles] <= whole.elements[tiles]);
  }
}
