// The tuner without a GPU: what it tries, what it makes of measurements, what it does with files.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "choose.hpp"
#include "evidence.hpp"
#include "host.hpp"
#include "measure/routines.hpp"
#include "programs/autotune.hpp"
#include "results.hpp"
#include "space.hpp"
#include "sweep.hpp"
#include "table.hpp"
#include "words.hpp"

using namespace talus;
using namespace talus::tune;
using namespace talus::test;
namespace fs = std::filesystem;

namespace {

const routine &potrf = routine_named("potrf"), &posv = routine_named("posv");
const std::string tables_folder = TALUS_SOURCE_DIR "/autotune/tables";
const std::string recorded_path = TALUS_SOURCE_DIR "/tests/programs/autotune/recorded.csv";

}  // namespace

// ---- tables --------------------------------------------------------------------------------------

TEST_CASE("every committed table is in order", "[autotune]") {
  for (const routine& of : routines()) {
    int tables = 0;
    for (const fs::directory_entry& folder : fs::directory_iterator(tables_folder)) {
      const std::string path = (folder.path() / (of.name + ".inc")).string();
      if (!fs::exists(path)) continue;
      INFO(path);
      if (folder.path().filename() == "host") {
        std::vector<problem_found> problems;
        read_host_table(path, problems);
        CHECK(problems.empty());
        continue;
      }
      const table t = read_good_table(path, of);
      CHECK(t.name == folder.path().filename().string());
      ++tables;
    }
    CHECK(tables >= 1);
  }
}

TEST_CASE("the tuner reads and the compiler reads the same table", "[autotune]") {
#ifdef TALUS_HAVE_D
  measure::for_each_routine([](auto r) {
    using description = typename decltype(r)::template of<double>;
    if constexpr (decltype(r)::has_tables) {
      using tables = typename description::tables;
      for (std::size_t g = 0; g < tables::gpus.size(); ++g) {
        const routine& of = routine_named(description::name);
        const std::string path =
            std::string(TALUS_TABLES_DIR) + "/" + tables::gpus[g].name + "/" + of.name + ".inc";
        if (!fs::exists(path)) continue;
        const table t = read_good_table(path, of);
        CHECK(t.gpu == tables::gpus[g].gpu);
        CHECK(t.capability == tables::gpus[g].capability);
        const auto& first = tables::template first_line<double>;
        if (first[g] == first[g + 1]) continue;
        for (const int n : {1, 4, 8, 9, 16, 31, 32, 33, 40, 64, 100, 512, 513, 1024, 5000}) {
          for (const std::int64_t batch :
               {std::int64_t{1}, std::int64_t{3000}, std::int64_t{100000}, cuda::any_batch}) {
            const table_line* const line = select(t.lines, 'd', n, batch);
            REQUIRE(line);
            const int index = tables::template select<double>(
                static_cast<int>(g), description::box({n, n, n, description::measured_nrhs}), batch);
            const auto& compiled = tables::template at<double>(index);
            CHECK(line->bounds ==
                  std::vector<int>(std::begin(compiled.bounds.of), std::end(compiled.bounds.of)));
            CHECK(line->batch_max == compiled.batch_max);
            const table_line& known =
                of.compiled('d')[g].lines.at(static_cast<std::size_t>(index - first[g]));
            CHECK(line->how == known.how);
            CHECK(known.bounds == line->bounds);
            CHECK(known.batch_max == compiled.batch_max);
          }
        }
      }
    }
  });
#endif
}

TEST_CASE("a kernel as text reads back the same", "[autotune]") {
  for (const char* const text : {"warp lanes=4 rows=1 tbc=8 blocks=5 deferred_check=1", "queued smem tiles=4",
                                 "unfused", "lanes", "16+32+any_extent", "direct 56", "ordered 64.1 again"})
    CHECK(describe(kernel_named(text)) == text);
  const kernel k = kernel_named("greedy blocked nb=64 groups=1 tiles=2");
  CHECK(k.schedule == "greedy");
  CHECK(k.family == "blocked");
  CHECK(value_of(k, "nb") == 64);
  CHECK(value_of(k, "lanes") == 0);
  CHECK(describe(without(k, "groups")) == "greedy blocked nb=64 tiles=2");
  CHECK(is_by_steps(k));
  CHECK_FALSE(is_alone(k));
  CHECK(is_alone(kernel_named("ordered smem tiles=4")));
}

TEST_CASE("a table that is written reads back the same", "[autotune]") {
  const scratch_folder folder;
  table t = table_of_some_gpu();
  t.preamble = "// words\n";
  table_line line;
  line.precision = 'd';
  line.bounds = {32};
  line.batch_max = 5000;
  line.how = small;
  line.evidence = "n = 32; fill 1 ms, 1.50x";
  t.lines.push_back(line);
  line.batch_max = cuda::any_batch;
  line.how = other;
  t.lines.push_back(line);
  line.bounds = {cuda::any_extent};
  line.how = blocked;
  line.evidence = "";
  t.lines.push_back(line);
  const std::string path = (folder.path / "potrf.inc").string();
  write_file(path, text_of(t, potrf));
  const table back = read_good_table(path, potrf);
  CHECK(back.name == t.name);
  CHECK(back.gpu == t.gpu);
  CHECK(back.capability == t.capability);
  CHECK(back.preamble == t.preamble);
  REQUIRE(back.lines.size() == t.lines.size());
  for (std::size_t i = 0; i < t.lines.size(); ++i) {
    CHECK(back.lines[i].precision == t.lines[i].precision);
    CHECK(back.lines[i].bounds == t.lines[i].bounds);
    CHECK(back.lines[i].batch_max == t.lines[i].batch_max);
    CHECK(back.lines[i].how == t.lines[i].how);
    CHECK(back.lines[i].evidence == t.lines[i].evidence);
  }
  CHECK(contains(refusal([&] { write_file("/no/such/folder/potrf.inc", text_of(t, potrf)); }),
                 "/no/such/folder/potrf.inc"));
}

TEST_CASE("check explains what is wrong with a table", "[autotune]") {
  const std::string
      last = "TALUS_LINE(d, upto(any_extent), any_batch, blocked{.nb = 64, .groups = 2, .tiles = 2})\n",
      good = "warp{.lanes = 8, .rows = 4, .tbc = 8}";
  CHECK(complaints(last) == "");
  CHECK(complaints(
            "TALUS_LINE(d, upto(32), 3000, warp{.lanes = 8, .rows = 4, .tbc = 8})\n"
            "TALUS_LINE(d, upto(32), any_batch, warp{.lanes=16,.rows=2,.tbc=4})  // words, (and more)\n" +
            last) == "");
  const auto line = [&](const std::string& text) { return complaints("TALUS_LINE(" + text + ")\n" + last); };
  const auto of = [&](int n, const std::string& kernel) {
    return line("d, upto(" + std::to_string(n) + "), any_batch, " + kernel);
  };
  const auto alone = [](const std::string& kernel) {
    return complaints("TALUS_LINE(d, upto(any_extent), any_batch, " + kernel + ")\n");
  };

  SECTION("the shape of a line") {
    CHECK(contains(line("d, upto(32), " + good),
                   "2: is neither a comment, nor TALUS_TABLE(...), nor TALUS_LINE("));
    CHECK(contains(line("d, upto(32, 1), any_batch, " + good), "2: has 2 bounds where potrf has 1 (n)"));
    CHECK(contains(line("q, upto(32), any_batch, " + good), "precision 'q' is none of s, d, c, z"));
    CHECK(contains(line("d, upto(x), any_batch, " + good), "the bound 'x' of n is no number"));
    CHECK(contains(line("d, upto(32), -5, " + good), "batch_max '-5' is no number"));
    CHECK(
        contains(of(32, "fast{.lanes = 8}"), "family 'fast' is none of warp, smem, smem_lookahead, blocked"));
    CHECK(contains(of(32, "warp{.lanes = 8, .rows = 99999999999999999999}"),
                   "rows '99999999999999999999' is no number"));
    CHECK(
        contains(of(32, "warp{.lanes = 8, .row = 4}"), "warp has no parameter 'row', only lanes, rows, tbc"));
    CHECK(contains(of(32, "warp{.lanes = 8, rows = 4}"), "'rows = 4' is not .parameter = value"));
    CHECK(contains(of(32, "warp{.lanes = 8, .coalesced = 1}"), "coalesced '1' is neither true nor false"));
    CHECK(contains(complaints("TALUS_LINES(d)\n" + last), "2: is neither a comment"));
    CHECK(contains(complaints("TALUS_LINE(d, upto(32), any_batch, " + good + "\n" + last), "2: is neither"));
  }
  SECTION("order and coverage") {
    CHECK(contains(complaints("TALUS_LINE(d, upto(32), any_batch, " + good + ")\n"),
                   "does not cover any_extent"));
    CHECK(contains(
        complaints("TALUS_LINE(d, upto(any_extent), 3000, blocked{.nb = 64, .groups = 2, .tiles = 2})\n"),
        "does not cover any_extent"));
    const std::string descending = complaints("TALUS_LINE(d, upto(32), any_batch, " + good +
                                              ")\n"
                                              "TALUS_LINE(d, upto(16), any_batch, " +
                                              good + ")\n" + last);
    CHECK(contains(descending, "3: never serves: line 2 above it covers all that it covers"));
    CHECK(contains(descending, "3: its box lies in that of line 2 above it"));
    CHECK(contains(complaints("TALUS_LINE(d, upto(32), 5000, " + good + ")\nTALUS_LINE(d, upto(32), 3000, " +
                              good + ")\n" + last),
                   "3: never serves"));
    CHECK(contains(complaints(last + last), "3: never serves: line 2 above it"));
    // Of two extents a smaller first one may come behind a larger, but no box behind one around it.
    const auto of_two = [&](const std::string& first, const std::string& second) {
      return complaints("TALUS_LINE(d, " + first + ", " + good + ")\nTALUS_LINE(d, " + second + ", " + good +
                            ")\nTALUS_LINE(d, upto(any_extent, any_extent), any_batch, unfused{})\n",
                        "TALUS_TABLE(x, \"Some GPU\", 90)\n", posv);
    };
    CHECK(of_two("upto(32, 1), any_batch", "upto(16, any_extent), any_batch") == "");
    CHECK(contains(of_two("upto(32, any_extent), 3000", "upto(16, 4), any_batch"),
                   "3: its box lies in that of line 2 above it"));
    CHECK(of_two("upto(32, any_extent), 3000", "upto(32, any_extent), any_batch") == "");
  }
  SECTION("what a kernel can do") {
    CHECK(contains(of(33, good), "lanes * rows is less than n_max"));
    CHECK(contains(of(32, "warp{.lanes = 12, .rows = 4, .tbc = 8}"), "lanes is not a power of two up to 32"));
    CHECK(contains(of(32, "warp{.lanes = 8, .rows = 4, .tbc = 64}"), "lanes * tbc is not 32, 64, 96 or 128"));
    CHECK(contains(of(16, "warp{.lanes = 16, .rows = 1, .tbc = 3}"), "lanes * tbc is not 32"));
    CHECK(contains(of(32, "warp{.lanes = 8, .rows = 4}"), "rows or tbc is below 1"));
    CHECK(contains(of(32, "warp{.lanes = 8, .tbc = 8}"), "rows or tbc is below 1"));
    CHECK(contains(of(0, good), "a bound is below 1"));
    CHECK(contains(line("d, upto(32), 0, " + good), "batch_max is below 1"));
    CHECK(contains(of(64, "warp{.lanes = 16, .rows = 4, .tbc = 4}"), "more registers than there are"));
    CHECK(contains(of(24, "warp{.lanes = 8, .rows = 3, .tbc = 4, .blocks = 5}"),
                   "more registers than there are"));
    CHECK(contains(of(17, "warp{.lanes = 16, .rows = 1, .tbc = 4, .deferred_check = true}"),
                   "lanes * rows is less than n_max"));
    CHECK(contains(of(16, "warp{.lanes = 16, .rows = 1, .tbc = 4, .blocks = 9}"),
                   "blocks is not between 0 and 8"));
    CHECK(contains(of(8, "warp{.lanes = 4, .rows = 2, .tbc = 8, .coalesced = true}"),
                   "coalesced goes with deferred_check only"));
    CHECK(contains(of(20, "warp{.lanes = 4, .rows = 5, .tbc = 8, .deferred_check = true, .coalesced = true}"),
                   "coalesced, but n_max is above 16"));
    CHECK(contains(of(73, "smem{.tiles = 4}"), "fewer tiles of 16 rows than"));
    CHECK(contains(of(144, "smem{.tiles = 9}"), "more registers than there are"));
    CHECK(contains(of(16, "smem{.tiles = 1}"), "a warp has two tiles at least"));
    CHECK(contains(of(64, "smem{.tiles = 4, .carve_out_kb = 300}"), "carve_out_kb is not between 0 and 228"));
    CHECK(contains(of(64, "smem_lookahead{.threads = 80, .tiles = 2}"), "threads is no multiple of 32"));
    CHECK(contains(of(400, "smem_lookahead{.threads = 384, .tiles = 4}"), "fewer tiles of 16 rows than"));
    CHECK(contains(of(320, "smem_lookahead{.threads = 672, .tiles = 1}"),
                   "more threads than there are registers"));
    CHECK(contains(alone("blocked{.nb = 100, .groups = 1, .tiles = 2}"), "nb is none of 16, 32, 64"));
    CHECK(contains(alone("blocked{.nb = 64, .groups = 3, .tiles = 2}"), "groups is neither 1 nor 2"));
    CHECK(
        contains(alone("blocked{.nb = 16, .groups = 2, .tiles = 2}"), "but the diagonal block has one tile"));
    CHECK(
        contains(alone("blocked{.nb = 128, .groups = 1, .tiles = 2}"), "a warp's sums need more registers"));
    CHECK(contains(alone("blocked{.nb = 64, .groups = 1}"), "tiles is below 1"));
    CHECK(contains(alone("smem{.tiles = 4}"), "fewer tiles of 16 rows than"));
    // posv's kernels solve, too.
    const auto solving = [](const std::string& text) {
      return complaints(
          "TALUS_LINE(s, " + text + ")\nTALUS_LINE(s, upto(any_extent, any_extent), any_batch, unfused{})\n",
          "TALUS_TABLE(x, \"Some GPU\", 90)\n", posv);
    };
    CHECK(solving("upto(64, any_extent), any_batch, smem{.tiles = 4}") == "");
    CHECK(solving("upto(2, any_extent), any_batch, warp{.lanes = 1, .rows = 2, .tbc = 32}") == "");
    CHECK(contains(solving("upto(128, any_extent), any_batch, smem{.tiles = 8}"), "n_max is above 112"));
    CHECK(contains(solving("upto(64), any_batch, smem{.tiles = 4}"),
                   "has 1 bounds where posv has 2 (n, nrhs)"));
    CHECK(contains(solving("upto(600, any_extent), any_batch, blocked{.nb = 64, .groups = 2, .tiles = 2}"),
                   "family 'blocked' is none of unfused, warp, smem"));
  }
  SECTION("the table as a whole") {
    CHECK(contains(complaints(last, ""), "has no TALUS_TABLE"));
    CHECK(contains(complaints(last, "TALUS_TABLE(x, Some GPU, 90)\n"), "must stand in quotes"));
    CHECK(contains(complaints(last, "TALUS_TABLE(x, \"Some GPU\")\n"), "three columns"));
    CHECK(contains(complaints("", "TALUS_TABLE(x, \"Some GPU\", 90)\n"), "has no lines"));
    const std::string partial = complaints(last, "TALUS_TABLE(generic, \"\", 0)\n");
    CHECK(contains(partial, "has no line for precision s, but serves every GPU"));
    CHECK_FALSE(contains(partial, "precision d"));
    // More shared memory than every GPU grants, but within an H200's limits.
    for (const char* const large :
         {"z, upto(32), any_batch, warp{.lanes = 32, .rows = 1, .tbc = 4}",
          "d, upto(any_extent), any_batch, blocked{.nb = 64, .groups = 2, .tiles = 2}"}) {
      CAPTURE(large);
      const std::string text = "TALUS_LINE(" + std::string(large) + ")\n";
      CHECK_FALSE(contains(complaints(text), "more shared memory"));
      for (const char* const head :
           {"TALUS_TABLE(t4, \"Tesla T4\", 75)\n", "TALUS_TABLE(generic, \"\", 0)\n"})
        CHECK(contains(complaints(text, head), "more shared memory than the GPU has"));
    }
    // Several warps read what has no room there once more.
    const std::string takes_what_there_is =
        "TALUS_LINE(d, upto(192), any_batch, smem_lookahead{.threads = 128, .tiles = 4})\n" + last;
    CHECK_FALSE(contains(complaints(takes_what_there_is, "TALUS_TABLE(t4, \"Tesla T4\", 75)\n"), "smem"));
  }
  std::vector<problem_found> problems;
  read_table("/no/such/table.inc", potrf, problems);
  REQUIRE_FALSE(problems.empty());
  CHECK(problems[0].what == "cannot be read");
}

TEST_CASE("the host's table is checked, too", "[autotune]") {
  const scratch_folder folder;
  const auto what = [&](const std::string& text) {
    std::vector<problem_found> problems;
    read_host_table(folder.file("potrf.inc", text), problems);
    return problems.empty() ? "" : problems[0].what;
  };
  CHECK(what("// words\n\nTALUS_LANES(d, avx512, 256)  // 1.4x\n") == "");
  CHECK(contains(what("TALUS_LANES(d, avx1024, 256)\n"), "none of baseline, avx2, avx512"));
  CHECK(contains(what("TALUS_LANES(d, avx2, 256)\nTALUS_LANES(d, avx2, 128)\n"), "never serves"));
  CHECK(contains(what("TALUS_LANES(d, avx2)\n"), "neither a comment nor"));
  CHECK(contains(what("TALUS_LANES(d, avx2, 5000)\n"), "above 4096"));
}

// ---- the space -----------------------------------------------------------------------------------

namespace {
/// Routines of equal sizes, which have a search space of their own.
std::vector<const routine*> with_candidates() {
  std::vector<const routine*> some;
  for (const routine& of : routines()) {
    if (!of.mixed_sizes && of.is_swept) some.push_back(&of);
  }
  return some;
}
}  // namespace

TEST_CASE("every candidate can run where it is tried, and none is tried twice", "[autotune]") {
  const cuda::gpu_limits limits = cuda::limits_of(90);
  for (const routine* const of : with_candidates()) {
    for (const char precision : std::string("sdcz")) {
      for (const int n : tuning_sizes()) {
        const std::vector<kernel> all = of->candidates(precision, n, limits);
        CAPTURE(of->name, precision, n);
        CHECK_FALSE(all.empty());
        CHECK(std::set<kernel>(all.begin(), all.end()).size() == all.size());
        for (const kernel& k : all) {
          CHECK(of->objection(line_for(*of, precision, n, k), limits) == "");
          bool fits = true;  // at every smaller size, too, where padding may be larger
          for (int m = 1; m <= n && m <= 64; ++m)
            fits = fits && of->objection(line_for(*of, precision, m, k), limits).empty();
          CHECK(fits);
        }
      }
    }
  }
  // posv: above what is solved with on the chip there is no choice.
  CHECK(posv.candidates('d', 64, limits).size() > 1);
  CHECK(posv.candidates('d', 114, limits) == std::vector<kernel>{{"unfused"}});
  // Of 7 warps two lead, so five share the 12 tiles below the diagonal.
  const std::vector<kernel> shared = potrf.candidates('d', 208, limits);
  CHECK(std::count(shared.begin(), shared.end(), kernel_named("smem_lookahead threads=224 tiles=3")) == 1);
  // Less shared memory, fewer candidates.
  const std::vector<kernel> large = potrf.candidates('z', 32, limits),
                            little = potrf.candidates('z', 32, cuda::generic_limits);
  CHECK(little.size() < large.size());
}

TEST_CASE("the search build holds every candidate and the generic table's lines", "[autotune]") {
  for (const routine* const of : with_candidates()) {
    const table generic = read_good_table(tables_folder + "/generic/" + of->name + ".inc", *of);
    for (const char precision : std::string("sdcz")) {
      sweep_plan plan;
      plan.of = of;
      plan.precisions = std::string(1, precision);
      plan.sizes = tuning_sizes();
      plan.limits = cuda::limits_of(90);
      const table all = candidates_of(plan, generic);
      std::set<kernel> held;
      for (const table_line& line : all.lines) {
        CHECK(line.precision == precision);
        CHECK(held.insert(line.how).second);
        INFO(of->name << ", " << precision << ": " << describe(line.how));
        CHECK(of->objection(line, plan.limits) == "");
      }
      for (const int n : plan.sizes) {
        for (const kernel& k : of->candidates(precision, n, plan.limits)) {
          CAPTURE(precision, n, describe(k));
          CHECK(held.count(k));
        }
      }
      for (const table_line& line : lines_of(generic, precision)) CHECK(held.count(line.how));
      // The build selects from it as from any table, so its last line must serve everything.
      CHECK(select(all.lines, precision, cuda::any_extent, cuda::any_batch));
    }
  }
}

TEST_CASE("the space explains each bound", "[autotune]") {
  for (const routine& of : routines()) {
    const std::string text = explain_space(of);
    for (const family& f : of.families) CHECK(contains(text, of.name + ", " + f.name));
  }
  CHECK(contains(explain_space(potrf), "spill"));
  CHECK(contains(refusal([] { routine_named("getrs"); }), "'getrs' has no tables; these have: potrf, posv"));
}

// ---- results -------------------------------------------------------------------------------------

TEST_CASE("a measurement takes its times from runs", "[autotune]") {
  measurement m;
  m.take_times({0.75, 0.25, 0.5}, {2, 1, 1.25});
  CHECK(m.median_ms == 500);
  CHECK(m.min_ms == 250);
  CHECK(m.max_ms == 750);
  CHECK(m.reference_ms == 1250);
  CHECK(m.ratio() == 0.4);
}

TEST_CASE("measurements read back, and a file that was cut short goes on", "[autotune]") {
  const scratch_folder folder;
  const std::string path = (folder.path / "potrf.csv").string();
  measurement failed = measured(16, "b3000", 3000, other, 0);
  failed.result = outcome::failed;
  failed.why = "no, it did\nnot";
  {
    results_file file(path, {{"GPU", "Some GPU"}, {"date", "today: now"}}, false);
    file.add(measured(16, "fill", 1000, small, 0.75, 2));
    file.add(failed);
  }
  recorded back = read_results(path);
  CHECK(value_of(back.about, "GPU") == "Some GPU");
  CHECK(value_of(back.about, "date") == "today: now");
  CHECK(value_of(back.about, "nothing") == "");
  REQUIRE(back.all.size() == 2);
  CHECK(back.all[0].how == small);
  CHECK(back.all[0].n == 16);
  CHECK(back.all[0].batch == 1000);
  CHECK(back.all[0].ratio() == 0.75);
  CHECK(back.all[1].result == outcome::failed);
  CHECK(back.all[1].why == "no; it did;not");

  // Killed at any byte: what is whole is kept, what is not is measured again.
  const std::string whole = content_of(path);
  for (std::size_t size = whole.find("reference_ms,why\n") + 17; size <= whole.size(); ++size) {
    const std::string cut = folder.file("cut.csv", whole.substr(0, size));
    const std::size_t lines = read_results(cut).all.size();
    CHECK(lines == (size == whole.size() ? 2 : size > whole.find("d,b3000") - 1 ? 1 : 0));
    {
      results_file file(cut, {}, true);
      file.add(measured(24, "fill", 500, panel, 1));
    }
    const recorded gone_on = read_results(cut);
    REQUIRE(gone_on.all.size() == lines + 1);
    CHECK(gone_on.all.back().n == 24);
    CHECK(value_of(gone_on.about, "GPU") == "Some GPU");
  }

  CHECK(contains(refusal([&] { read_results(folder.file("bad.csv", "d,fill,x\n")); }), "bad.csv:1"));
  CHECK(contains(refusal([&] { read_results("/no/such.csv"); }), "/no/such.csv"));
  CHECK(
      contains(refusal([&] { results_file("/no/such/folder/r.csv", {}, false); }), "/no/such/folder/r.csv"));
}

// ---- choosing ------------------------------------------------------------------------------------

TEST_CASE("a kernel must win by more than the noise", "[autotune]") {
  // 0.8 % is noise: the generic table's kernel stays, in one line.
  std::vector<measurement> all;
  for (const int n : {16, 32, 64}) {
    all.push_back(measured(n, "fill", 1000, panel, 1));
    all.push_back(measured(n, "fill", 1000, small, 0.992));
  }
  all.push_back(measured(1024, "fill", 10, panel, 1));
  std::vector<table_line> lines = chosen_from(all);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].how == panel);
  CHECK(lines[0].n_max() == cuda::any_extent);

  // 20 % is not, but where the reference itself moved by 15 % from one measurement to the next, 10 % is.
  all.push_back(measured(32, "fill", 1000, other, 0.8));
  lines = chosen_from(all);
  REQUIRE(lines.size() == 3);
  CHECK(lines[1].how == other);
  CHECK(lines[1].n_max() == 32);
  std::vector<measurement> noisy;
  for (int i = 0; i < 10; ++i) {
    const kernel k = kernel_named("warp lanes=16 rows=2 tbc=" + std::to_string(i + 1));
    noisy.push_back(measured(32, "fill", 1000, k, 0.95, i % 2 ? 1.0 : 1.3));
  }
  noisy.push_back(measured(32, "fill", 1000, panel, 1, 1.15));
  lines = chosen_from(noisy);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].how == panel);
}

TEST_CASE("wrong, failed and slow kernels are never chosen", "[autotune]") {
  std::vector<measurement> all = {measured(16, "fill", 1000, panel, 1)};
  for (const outcome result : {outcome::wrong, outcome::failed, outcome::slow}) {
    const kernel k = kernel_named("warp lanes=8 rows=4 tbc=" + std::to_string(1 + static_cast<int>(result)));
    measurement m = measured(16, "fill", 1000, k, 0.1);
    m.result = result;
    all.push_back(m);
  }
  const std::vector<table_line> lines = chosen_from(all);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].how == panel);
}

TEST_CASE("a line covers every measured size it serves, and loses at none", "[autotune]") {
  // `small` wins at 8 and 16, loses at 24, wins again at 32; `other` is good throughout.
  std::vector<measurement> all;
  const auto add = [&](int n, double of_small, double of_other) {
    all.push_back(measured(n, "fill", 1000, panel, 1));
    all.push_back(measured(n, "fill", 1000, small, of_small));
    all.push_back(measured(n, "fill", 1000, other, of_other));
  };
  add(8, 0.60, 0.61);
  add(16, 0.60, 0.61);
  add(24, 1.20, 0.62);
  add(32, 0.60, 0.61);
  std::vector<table_line> lines = chosen_from(all);
  REQUIRE(lines.size() == 1 + 1);  // other for all of them, and what the generic table has for larger n
  CHECK(lines[0].how == other);
  CHECK(lines[0].n_max() == 32);
  CHECK(lines[1].how == panel);
  CHECK(lines[1].n_max() == cuda::any_extent);
  CHECK(contains(lines[0].evidence, "n = 32"));
  CHECK(contains(lines[0].evidence, "1.64x"));

  // A kernel that was not measured at a size cannot serve it.
  all.clear();
  add(8, 0.6, 0.9);
  all.push_back(measured(16, "fill", 1000, panel, 1));
  add(24, 0.6, 0.9);
  lines = chosen_from(all);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].how == small);
  CHECK(lines[1].how == panel);
  CHECK(lines[1].n_max() == 16);
  CHECK(lines[2].how == small);
}

TEST_CASE("a batch gets a line of its own only where it changes the winner by more than 5 %", "[autotune]") {
  const auto both = [&](double few_small, double few_other, double many_small, double many_other) {
    std::vector<measurement> all;
    for (const int n : {8, 16}) {
      for (const auto& [regime, batch, of_small, of_other] :
           {std::tuple{"b3000", 3000, few_small, few_other},
            std::tuple{"fill", 300000, many_small, many_other}}) {
        all.push_back(measured(n, regime, batch, panel, 1));
        all.push_back(measured(n, regime, batch, small, of_small));
        all.push_back(measured(n, regime, batch, other, of_other));
      }
    }
    all.push_back(measured(64, "fill", 1000, panel, 1));
    return chosen_from(all);
  };
  std::vector<table_line> lines = both(0.80, 0.70, 0.70, 0.80);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].how == other);
  CHECK(lines[0].batch_max == 30000);  // the geometric mean of the two batches
  CHECK(lines[1].how == small);
  CHECK(lines[1].batch_max == cuda::any_batch);
  CHECK(lines[0].n_max() == 16);
  CHECK(lines[1].n_max() == 16);

  lines = both(0.72, 0.70, 0.70, 0.80);  // the batch changes the winner, but by 3 %
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].how == small);
}

TEST_CASE("recorded measurements: the choice is within the noise of the best, never behind the generic table",
          "[autotune]") {
  const recorded run = read_results(recorded_path);
  const table generic = read_good_table(TALUS_SOURCE_DIR "/tests/programs/autotune/generic.inc", potrf);
  const rules r;
  const std::vector<point> points = points_of(run.all, 'd', r);
  REQUIRE(points.size() > 20);
  const std::vector<table_line> lines = choose_lines(points, generic, r);
  REQUIRE_FALSE(lines.empty());
  table t;
  t.name = "x";
  t.gpu = "x";
  t.capability = 90;
  t.lines = lines;
  CHECK(check(t, potrf).empty());

  for (const point& p : points) {
    const table_line* const line = select(t.lines, 'd', p.n, p.batch);
    REQUIRE(line);
    CAPTURE(p.n, p.regime, describe(line->how));
    REQUIRE(p.ratio.count(line->how));
    CHECK(p.ratio.at(line->how) <= 1 + r.own_gain);
    // What is given away beyond the noise is less than a line, or a line of its own for this batch, would
    // cost, and what a point gives away where a line goes.
    CHECK(p.ratio.at(line->how) <=
          best_of(p).second * (1 + p.band) * (1 + r.line_gain) * (1 + r.batch_gain) * (1 + r.most_given));
  }
  const gain g = gain_of(points, lines, generic);
  CHECK(g.points == static_cast<int>(points.size()));
  CHECK(g.unmeasured == 0);
  CHECK(g.least >= 1 - r.own_gain);
  CHECK(g.mean > 1.1);
  CHECK(g.most > g.mean);
  CHECK(g.changed_lines > 0);
  CHECK(g.changed_lines < g.lines);

  // The same measurements always give the same table; their order does not matter.
  std::vector<measurement> reversed(run.all.rbegin(), run.all.rend());
  const std::vector<table_line> again = choose_lines(points_of(reversed, 'd', r), generic, r);
  REQUIRE(again.size() == lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) CHECK(again[i].how == lines[i].how);
  const agreement same = compare(points, lines, points, again);
  CHECK(same.agreeing == same.points);
  CHECK(same.points == static_cast<int>(points.size()));
}

TEST_CASE("a line stays only where it gains 3 % on what would serve without it", "[autotune]") {
  // `small` serves all but 16, where `other` is as much faster as is said.
  const auto lines_at = [&](double of_other) {
    std::vector<measurement> all;
    for (const int n : {8, 12, 16, 24, 32}) {
      all.push_back(measured(n, "fill", 1000, panel, 1));
      all.push_back(measured(n, "fill", 1000, small, 0.5));
      all.push_back(measured(n, "fill", 1000, other, n == 16 ? of_other : 0.9));
    }
    rules r;
    r.line_gain = 0;
    return choose_lines(points_of(all, 'd', r), generic_of(panel), r);
  };
  CHECK(lines_at(0.48).size() == 4);
  const std::vector<table_line> lines = lines_at(0.488);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].how == small);
  CHECK(lines[0].n_max() == 32);

  // With many lines that gain a little, no point gives away more than 4 % of what it had at first.
  std::vector<measurement> all;
  for (int i = 0; i < 12; ++i) {
    all.push_back(measured(8 + i, "fill", 1000, panel, 1));
    for (int k = 0; k < 12; ++k)
      all.push_back(measured(8 + i, "fill", 1000,
                             kernel_named("warp lanes=8 rows=3 tbc=" + std::to_string(k + 1)),
                             0.5 * (1 + 0.02 * std::abs(i - k))));
  }
  rules r;
  r.line_gain = 0;
  const std::vector<point> points = points_of(all, 'd', r);
  const std::vector<table_line> few = choose_lines(points, generic_of(panel), r);
  CHECK(few.size() < 8);
  for (const point& p : points) {
    const table_line* const line = select(few, 'd', p.n, p.batch);
    REQUIRE(line);
    CHECK(p.ratio.at(line->how) <= best_of(p).second * (1 + p.band) * (1 + r.most_given));
  }
}

/// Each line was chosen from a file of measurements, has its kernel in a file of prices or in the generic
/// table, or says that it was written by hand.
TEST_CASE("every line of a GPU's table has a record, or is listed as unmeasured", "[autotune]") {
  const std::string unmeasured = content_of(TALUS_SOURCE_DIR "/autotune/unmeasured.txt");
  for (const routine& of : routines()) {
    const std::string path = tables_folder + "/h200/" + of.name + ".inc";
    if (!fs::exists(path)) continue;
    const table t = read_good_table(path, of),
                generic = read_good_table(tables_folder + "/generic/" + of.name + ".inc", of);
    const std::vector<recorded> records = read_records(TALUS_SOURCE_DIR "/autotune/results/h200", of, t.gpu);
    const std::vector<line_evidence> evidence = find_evidence(of, t, generic, records);
    for (std::size_t i = 0; i < t.lines.size(); ++i) {
      const std::string name = name_of_line(of, t, t.lines[i]);
      INFO(name);
      CHECK(evidence[i].is_missing() == contains(unmeasured, '\n' + name + '\n'));
    }
  }
}

TEST_CASE("two runs that differ are seen to differ", "[autotune]") {
  const auto run = [&](double of_small, double of_other) {
    std::vector<measurement> all;
    for (const int n : {8, 16, 24, 32}) {
      all.push_back(measured(n, "fill", 1000, panel, 1));
      all.push_back(measured(n, "fill", 1000, small, n == 16 ? of_small : 0.5));
      all.push_back(measured(n, "fill", 1000, other, n == 16 ? of_other : 0.9));
    }
    return all;
  };
  const rules r;
  const std::vector<point> a = points_of(run(0.5, 0.9), 'd', r), b = points_of(run(0.9, 0.5), 'd', r);
  const agreement found =
      compare(a, choose_lines(a, generic_of(panel), r), b, choose_lines(b, generic_of(panel), r));
  CHECK(found.points == 4);
  CHECK(found.agreeing == 3);
  REQUIRE(found.disagreements.size() == 1);
  CHECK(contains(found.disagreements[0], "n = 16"));

  // It is enough that one of the runs sees a difference, whichever.
  const std::vector<point> c = points_of(run(0.5, 0.505), 'd', r);
  const auto lines_of = [&](const std::vector<point>& points) {
    return choose_lines(points, generic_of(panel), r);
  };
  CHECK(compare(c, lines_of(c), b, lines_of(b)).agreeing == 3);
  CHECK(compare(b, lines_of(b), c, lines_of(c)).agreeing == 3);
  CHECK(compare(a, lines_of(a), c, lines_of(c)).agreeing == 4);
}

TEST_CASE("the host's threshold ends where lanes lose", "[autotune]") {
  std::vector<measurement> all;
  const auto add = [&](int n, double fill, double few) {
    measurement m = measured(n, "fill", 1000, {"lanes"}, fill);
    all.push_back(m);
    m = measured(n, "b32", 32, {"lanes"}, few);
    all.push_back(m);
  };
  double factor = 0;
  CHECK(choose_lanes_n_max(all, 'd', factor) == 0);
  add(32, 0.4, 0.5);
  add(64, 0.5, 0.8);
  add(96, 0.6, 1.01);  // noise
  add(128, 0.7, 1.2);  // slower with few matrices
  add(160, 0.8, 0.9);
  CHECK(choose_lanes_n_max(all, 'd', factor) == 96);
  CHECK(factor == Approx(1 / 1.01));
  CHECK(choose_lanes_n_max(all, 's', factor) == 0);
  all.clear();
  add(32, 1.2, 0.5);  // slower with many matrices
  CHECK(choose_lanes_n_max(all, 'd', factor) == 0);
}

TEST_CASE("times as people write them", "[autotune]") {
  CHECK(parse_seconds("90s") == 90);
  CHECK(parse_seconds("20m") == 1200);
  CHECK(parse_seconds("1.5h") == 5400);
  CHECK(parse_seconds("45") == 45);
  for (const std::string bad : {"", "m", "-5m", "0", "5d", "20 m", "nan", "inf", "5mm"}) {
    CHECK(contains(refusal([&] { parse_seconds(bad); }), "'" + bad + "'"));
  }
}
