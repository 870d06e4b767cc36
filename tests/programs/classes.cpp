// The tuner of different sizes without a GPU: sets of classes as data, and how they are chosen.
#include "classes.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "programs/autotune.hpp"
#include "results.hpp"
#include "space.hpp"
#include "vbatched/schedule.hpp"

using namespace talus;
using namespace talus::tune;
using namespace talus::test;

namespace {

const routine& potrf_vbatched = routine_named("potrf_vbatched");

const kernel warp = kernel_named("queued warp lanes=16 rows=1 tbc=4"),
             smem = kernel_named("queued smem tiles=4"),
             greedy = kernel_named("greedy blocked nb=64 groups=1 tiles=2"),
             lazy = kernel_named("lazy blocked nb=64 groups=1 tiles=2");

std::string complaints_of_sets(const std::string& lines) {
  return complaints(lines, "TALUS_TABLE(x, \"Some GPU\", 90)\n", potrf_vbatched);
}

measurement of_potrf(int n, const std::string& how, double ms, outcome result = outcome::ok) {
  measurement m;
  m.precision = 'd';
  m.regime = "fill";
  m.n = n;
  m.how = kernel_named(how);
  m.result = result;
  m.median_ms = ms;
  m.reference_ms = 1;
  return m;
}

/// Three kernels for three ranges: a warp to 16, smem to 64, blocked.
const size_classes three = {{"16", 16, warp},
                            {"64", 64, smem},
                            {"any_extent", cuda::any_extent, greedy},
                            {"any_extent.1", cuda::any_extent, lazy}};

/// The first two, for all sizes of a call.
const size_classes two = {{"16", 16, warp}, {"64", 64, smem}};

class_plan plan_of(std::vector<std::int64_t> batches, std::vector<int> maxima = {16, 64, 128}) {
  return {&potrf_vbatched, 'd', three, two, std::move(batches), std::move(maxima), 1e12};
}

/// Milliseconds of a GPU on which a matrix costs its kernel's rate times n^2, each class a launch, and an
/// order what it costs; all in one launch take `disorder` times as long without one. The first size that a
/// kernel is bad for is beyond the next class.
struct model {
  double launch_ms, order_ms;
  std::function<double(const kernel&, int n)> rate;
  double disorder = 1;

  measurement operator()(const class_call& call) const {
    const bool is_ordered = call.by.size() > 1 || call.by.front().how.schedule == "ordered";
    double ms = 0;
    for (int n = 1; n <= call.n_max; ++n) {
      std::size_t c = 0;
      while (call.by[c].n_max < n) ++c;
      ms += rate(call.by[c].how, n) * n * n * 1e-6 * static_cast<double>(call.batch) / call.n_max;
    }
    if (!is_ordered) ms *= disorder;
    ms += launch_ms * static_cast<double>(call.by.size()) + (is_ordered ? order_ms : 0);
    measurement m = measurement_of(call);
    m.median_ms = m.min_ms = m.max_ms = ms;
    m.reference_ms = 1;  // the same for all, so that times compare
    return m;
  }
};

/// Each kernel is twice as slow below the bound of the class before its own.
double twice_as_slow_below(const kernel& k, int n) {
  if (k.family == "smem") return n <= 16 ? 2 : 1;
  if (k.family == "blocked") return (n <= 64 ? 3 : 1) * (k == lazy ? 1.1 : 1);
  return 1;
}

/// How many sizes they end at.
std::size_t bounds_of(const size_classes& space) {
  std::set<int> bounds;
  for (const size_class& c : space) bounds.insert(c.n_max);
  return bounds.size();
}

chosen_classes chosen_by(const class_plan& plan, const class_timer& time) {
  return choose_classes(
      plan, class_rules{}, time, [](std::int64_t) { return true; }, [](const std::string&) {});
}

/// "16 queued 64 direct any_extent greedy | ..." by sets.
std::string words_of(const std::vector<table_line>& lines) {
  std::string words;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) words += lines[i].batch_max == lines[i - 1].batch_max ? " " : " | ";
    words += text_of_n(lines[i].n_max()) + ' ' + lines[i].how.schedule;
  }
  return words;
}

}  // namespace

TEST_CASE("a table for different sizes is made of sets of classes", "[autotune]") {
  const std::string
      first = "TALUS_MIXED_LINE(d, upto(16), 500, direct, warp{.lanes = 16, .rows = 1, .tbc = 4})\n",
      rest =
          "TALUS_MIXED_LINE(d, upto(any_extent), 500, greedy, blocked{.nb = 64, .groups = 1, .tiles = 2})\n",
      last =
          "TALUS_MIXED_LINE(d, upto(any_extent), any_batch, lazy, blocked{.nb = 64, .groups = 1, .tiles = "
          "2})\n";
  CHECK(complaints_of_sets(last) == "");
  CHECK(complaints_of_sets(first + rest + last) == "");
  CHECK(complaints_of_sets(first + last) == "");  // a set without classes takes the classes of the next set
  CHECK(contains(complaints_of_sets(first + rest), "does not cover any_extent and any_batch"));
  const std::string
      queued = "TALUS_MIXED_LINE(d, upto(16), 500, queued, warp{.lanes = 16, .rows = 1, .tbc = 4})\n",
      larger = "TALUS_MIXED_LINE(d, upto(64), 500, direct, smem{.tiles = 4})\n";
  CHECK(contains(complaints_of_sets(queued + last),
                 "2: is the last line for batch_max 500, but does not cover any_extent"));
  CHECK(complaints_of_sets(first + larger + queued + rest + last) == "");
  CHECK(contains(complaints_of_sets(larger + first + rest + last),
                 "3: its box lies in that of line 2 above it"));
  CHECK(contains(complaints_of_sets("TALUS_MIXED_LINE(d, upto(64), 500, queued, smem{.tiles = 4})\n" +
                                    queued + rest + last),
                 "3: its box lies in that of line 2 above it"));
  CHECK(contains(complaints_of_sets(queued + larger + rest + last),
                 "3: direct is behind classes of its set of line 2 above it"));
  const std::string
      filtered = "TALUS_MIXED_LINE(d, upto(16), 500, filtered, warp{.lanes = 16, .rows = 1, .tbc = 4})\n",
      filtered_larger = "TALUS_MIXED_LINE(d, upto(64), 500, filtered, smem{.tiles = 4})\n";
  CHECK(complaints_of_sets(first + filtered + filtered_larger + queued + rest + last) == "");
  CHECK(complaints_of_sets(filtered + filtered_larger + last) == "");
  CHECK(contains(complaints_of_sets(filtered_larger + filtered + last),
                 "3: its box lies in that of line 2 above it"));
  CHECK(contains(complaints_of_sets(filtered + first + last),
                 "3: direct is behind classes of its set of line 2 above it"));
  CHECK(contains(complaints_of_sets(queued + filtered_larger + rest + last),
                 "3: filtered is behind classes of its set of line 2 above it"));
  CHECK(contains(
      complaints_of_sets(
          "TALUS_MIXED_LINE(d, upto(any_extent), 900, greedy, blocked{.nb = 64, .groups = 1, .tiles = 2})\n" +
          rest + last),
      "3: batch_max 500 is less than the 900 of line 2 above it"));
  CHECK(contains(
      complaints_of_sets(
          "TALUS_MIXED_LINE(d, upto(16), 500, sorted, warp{.lanes = 16, .rows = 1, .tbc = 4})\n" + last),
      "schedule 'sorted' is none of direct, ordered, filtered, queued"));
  const std::string plain = "(d, upto(16), 500, warp{.lanes = 16, .rows = 1, .tbc = 4})\n";
  CHECK(contains(complaints_of_sets("TALUS_MIXED_LINE" + plain + last),
                 "TALUS_MIXED_LINE(precision, upto(...), batch_max, schedule, family{"));
  CHECK(contains(complaints_of_sets("TALUS_LINE" + plain + last), "2: is neither"));
  CHECK(contains(
      complaints_of_sets(
          "TALUS_MIXED_LINE(d, upto(16), 500, lazy, warp{.lanes = 16, .rows = 1, .tbc = 4})\n" + rest + last),
      "blocked goes step by step, greedy or lazy, and it alone"));
  CHECK(contains(
      complaints_of_sets("TALUS_MIXED_LINE(d, upto(any_extent), any_batch, queued, smem{.tiles = 2})\n"),
      "2: queued smem"));

  std::string many;
  for (int n = 1; n <= cuda::most_classes; ++n)
    many += "TALUS_MIXED_LINE(d, upto(" + std::to_string(n) +
            "), any_batch, queued, warp{.lanes = 32, .rows = 1, .tbc = 4})\n";
  CHECK(contains(complaints_of_sets(many + last), "34: is one class more than the 32 that a set may have"));
}

TEST_CASE("filtered lines serve calls up to their largest box, classes of an order serve the others",
          "[autotune]") {
  table t = table_of_some_gpu();
  const auto add = [&](int n_max, std::int64_t batch_max, const char* how) {
    table_line line;
    line.precision = 'd';
    line.bounds = {n_max};
    line.batch_max = batch_max;
    line.how = kernel_named(how);
    t.lines.push_back(line);
  };
  add(16, 500, "filtered warp lanes=16 rows=1 tbc=4");
  add(64, 500, "filtered smem tiles=4");
  add(32, 500, "queued warp lanes=32 rows=1 tbc=4");
  add(cuda::any_extent, 500, "greedy blocked nb=64 groups=1 tiles=2");
  const auto classes_of = [&](int n_max) {
    std::string words;
    for (const size_class& c : classes_by(t, 'd', n_max, 100)) words += c.name + ' ';
    return words;
  };
  CHECK(classes_of(10) == "16 ");
  CHECK(classes_of(64) == "16 64 ");
  CHECK(classes_of(65) == "32 any_extent ");
}

TEST_CASE("a table of sets that is written reads back the same", "[autotune]") {
  const scratch_folder folder;
  table t = table_of_some_gpu();
  const auto add = [&](int n_max, std::int64_t batch_max, const kernel& how) {
    table_line line;
    line.precision = 'd';
    line.bounds = {n_max};
    line.batch_max = batch_max;
    line.how = how;
    line.evidence = "500 to n = 16: 1 ms, 2.00x";
    t.lines.push_back(line);
  };
  add(16, 500, warp);
  add(cuda::any_extent, 500, greedy);
  add(64, cuda::any_batch, smem);
  add(cuda::any_extent, cuda::any_batch, lazy);
  const std::string path = (folder.path / "potrf_vbatched.inc").string();
  write_file(path, text_of(t, potrf_vbatched));
  const table back = read_good_table(path, potrf_vbatched);
  REQUIRE(back.lines.size() == t.lines.size());
  for (std::size_t i = 0; i < t.lines.size(); ++i) {
    CHECK(back.lines[i].bounds == t.lines[i].bounds);
    CHECK(back.lines[i].batch_max == t.lines[i].batch_max);
    CHECK(back.lines[i].how == t.lines[i].how);
    CHECK(back.lines[i].evidence == t.lines[i].evidence);
  }
  const auto names = [&](int n_max, std::int64_t batch) {
    std::string words;
    for (const size_class& c : classes_by(back, 'd', n_max, batch)) words += c.name + ' ';
    return words;
  };
  CHECK(names(16, 500) == "16 ");
  CHECK(names(17, 500) == "16 any_extent ");
  CHECK(names(17, 501) == "64 ");
  CHECK(names(65, 501) == "64 any_extent ");
}

TEST_CASE("classes as text read back the same", "[autotune]") {
  const std::string text = text_of(three);
  CHECK(text ==
        "16 queued warp lanes=16 rows=1 tbc=4; 64 queued smem tiles=4; any_extent greedy blocked nb=64 "
        "groups=1 "
        "tiles=2; any_extent.1 lazy blocked nb=64 groups=1 tiles=2");
  CHECK(text_of(parse_classes(text)) == text);
  for (const char* const wrong :
       {"16", "16 queued", "16 warp lanes=16 rows=1 tbc=4", "x queued warp lanes=16 rows=1 tbc=4",
        "16 queued warp lanes=x rows=1 tbc=4"}) {
    CAPTURE(wrong);
    CHECK(contains(refusal([&] { parse_classes(wrong); }), "is no class of sizes"));
  }
  const class_plan plan = plan_of({100, 3000});
  const class_plan back = plan_of_classes(potrf_vbatched, facts_of_classes(plan), 'd');
  CHECK(text_of(back.space) == text);
  CHECK(text_of(back.alone) == text_of(two));
  CHECK(back.batches == plan.batches);
  CHECK(back.maxima == plan.maxima);
  CHECK(back.most_bytes == plan.most_bytes);
  CHECK(
      contains(refusal([&] { plan_of_classes(potrf_vbatched, facts_of_classes(plan), 's'); }), "classes s"));
}

TEST_CASE("the finest classes are where potrf's fastest kernel changes", "[autotune]") {
  std::vector<measurement> all;
  for (int n = 8; n <= 256; n += 8) {
    all.push_back(of_potrf(n, "gone lanes=8", 0.1));  // is of no family
    all.push_back(
        of_potrf(n, "warp lanes=32 rows=8 tbc=1 deferred_check=1", 0.1));  // serves equal sizes only
    all.push_back(of_potrf(n, "smem tiles=4 carve_out_kb=164", 0.2));      // classes share no such memory
    if (n <= 16) all.push_back(of_potrf(n, "warp lanes=16 rows=1 tbc=4", 0.5, outcome::slow));
    if (n <= 64) all.push_back(of_potrf(n, "smem tiles=4", n <= 16 ? 0.9 : 0.5));
    if (n >= 48) {
      all.push_back(of_potrf(n, "blocked nb=64 groups=1 tiles=2", 0.7));
      all.push_back(of_potrf(n, "blocked nb=64 groups=2 tiles=2", 0.72));
      all.push_back(of_potrf(n, "blocked nb=32 groups=1 tiles=1", 0.9));
    }
  }
  const size_classes space = finest_classes(potrf_vbatched, all, 'd', cuda::limits_of(90));
  REQUIRE(space.size() == 6);
  CHECK(space[0].n_max == 16);
  CHECK(space[0].how == warp);
  CHECK(space[1].n_max == 64);
  CHECK(space[1].how == smem);
  for (int i = 2; i < 6; ++i)  // the best, one that is nearly as good, both greedy and lazy
    CHECK(space[static_cast<std::size_t>(i)].n_max == cuda::any_extent);
  CHECK(space[2].how == greedy);
  CHECK(value_of(space[3].how, "groups") == 2);
  CHECK(space[4].how == lazy);
  CHECK(space[5].name == "any_extent.3");

  all.erase(
      std::remove_if(all.begin(), all.end(), [](const measurement& m) { return m.how.family == "blocked"; }),
      all.end());
  CHECK(contains(refusal([&] { finest_classes(potrf_vbatched, all, 'd', cuda::limits_of(90)); }),
                 "kernels that go by steps"));
  CHECK(contains(refusal([&] { finest_classes(potrf_vbatched, {}, 'z', cuda::limits_of(90)); }),
                 "precision z"));
}

TEST_CASE("what was measured of potrf on an H200 makes classes of every precision", "[autotune]") {
  const std::string path = TALUS_SOURCE_DIR "/autotune/results/h200/potrf.csv";
  const std::vector<measurement> all = read_results(path).all;
  const table generic =
      read_good_table(TALUS_SOURCE_DIR "/autotune/tables/generic/potrf_vbatched.inc", potrf_vbatched);
  std::vector<class_plan> plans;
  for (const char precision : std::string("sdcz")) {
    CAPTURE(precision);
    class_plan plan;
    plan.of = &potrf_vbatched;
    plan.precision = precision;
    plan.space = finest_classes(potrf_vbatched, all, precision, cuda::limits_of(90));
    plan.alone = kernels_alone(potrf_vbatched, all, precision, cuda::limits_of(90), generic);
    plans.push_back(plan);
    const size_classes& space = plans.back().space;
    CHECK(bounds_of(plans.back().alone) >= 8);
    CHECK(plans.back().alone.back().n_max < cuda::any_extent);
    CHECK(bounds_of(space) >= 8);
    CHECK(bounds_of(space) < cuda::most_classes);
    CHECK(space.back().n_max == cuda::any_extent);
    CHECK(text_of(parse_classes(text_of(space))) == text_of(space));
    const std::vector<int> maxima = class_maxima(space, plans.back().alone);
    CHECK(std::is_sorted(maxima.begin(), maxima.end()));
    CHECK(std::set<int>(maxima.begin(), maxima.end()).size() == maxima.size());
  }
  // All of them, and the generic table's, in a table that compiles.
  const table candidates = class_table(plans, generic);
  const auto holds = [&](char precision, int n_max, const kernel& how) {
    return std::count_if(candidates.lines.begin(), candidates.lines.end(), [&](const table_line& line) {
      return line.precision == precision && line.n_max() == n_max && line.how == as_class(how);
    });
  };
  for (const class_plan& plan : plans) {
    for (const size_classes* space : {&plan.space, &plan.alone}) {
      for (const size_class& c : *space) CHECK(holds(plan.precision, c.n_max, c.how) == 1);
    }
  }
  for (const table_line& line : generic.lines) CHECK(holds(line.precision, line.n_max(), line.how) == 1);
  for (const table_line& line : candidates.lines) {
    INFO(describe(line.how) << " up to " << line.n_max());
    CHECK(potrf_vbatched.objection(line, cuda::limits_of(90)) == "");
  }
}

TEST_CASE("a class stays where it gains more than its launch", "[autotune]") {
  SECTION("free launches: every class, and no call in one launch") {
    const chosen_classes c = chosen_by(plan_of({3000}), model{0, 0, twice_as_slow_below});
    CHECK(words_of(c.lines) == "16 queued 64 queued any_extent greedy");
    for (const table_line& line : c.lines) CHECK(line.batch_max == cuda::any_batch);
  }
  SECTION("launches that take longer than the work: calls in one launch, by the kernel of the largest") {
    const chosen_classes c = chosen_by(plan_of({3000}), model{1e3, 1e3, twice_as_slow_below});
    CHECK(words_of(c.lines) == "64 direct any_extent greedy");
    CHECK(c.lines[0].how.family == "smem");
    CHECK(contains(c.lines[0].evidence, "3000 to n = 64: "));
  }
  SECTION("an order that costs more than it gains for small sizes") {
    // To n = 64 in classes 1 order + 1 launch more; the large ones gain.
    const chosen_classes c = chosen_by(plan_of({3000}), model{0.01, 0.4, [](const kernel& k, int n) {
                                                                return k.family == "smem" ? (n <= 16 ? 2 : 1)
                                                                       : k.family == "blocked"
                                                                           ? (n <= 64 ? 9 : 1)
                                                                           : 1.0;
                                                              }});
    CHECK(words_of(c.lines) == "16 direct 64 direct 16 queued 64 queued any_extent greedy");
    CHECK(c.lines[2].evidence == "of larger calls");
  }
  SECTION("an order that gains more than it costs, where classes cost more") {
    const chosen_classes c = chosen_by(plan_of({3000}), model{3, 0.4, twice_as_slow_below, 1.5});
    CHECK(words_of(c.lines) == "16 direct 64 ordered 64 queued any_extent greedy");
  }
  SECTION("kernels that make no difference: one class") {
    const chosen_classes c = chosen_by(plan_of({3000}), model{0, 0, [](const kernel&, int) { return 1.0; }});
    CHECK(words_of(c.lines) == "any_extent greedy");
  }
  SECTION("a class that one call needs, though many others would gain a little without it") {
    std::vector<int> maxima = {16, 64};
    for (int n = 65; n <= 128; ++n) maxima.push_back(n);
    const model gpu = {0.3, 0, [](const kernel& k, int n) {
                         return k.family == "smem" && n <= 16 ? 3.0 : twice_as_slow_below(k, n);
                       }};
    CHECK(words_of(chosen_by(plan_of({3000}, maxima), gpu).lines) == "16 queued 64 queued any_extent greedy");
  }
  SECTION("a class that one call needs only when it is measured first") {
    for (const bool again : {false, true}) {
      const auto gpu = [&](const class_call& call) {
        measurement m = model{0, 0, [](const kernel&, int) { return 1.0; }}(call);
        if (call.name == "16+64+any_extent" || (again && call.name == "16+64+any_extent again"))
          m.median_ms /= 2;
        return m;
      };
      class_plan plan = plan_of({3000});
      plan.alone.clear();
      CHECK(words_of(chosen_by(plan, gpu).lines) ==
            (again ? "16 queued 64 queued any_extent greedy" : "any_extent greedy"));
    }
  }
  SECTION("lazy where it is the faster way") {
    const chosen_classes c =
        chosen_by(plan_of({3000}), model{0, 0, [](const kernel& k, int n) {
                                           return twice_as_slow_below(k, n) * (k == lazy ? 0.8 : 1);
                                         }});
    CHECK(words_of(c.lines) == "16 queued 64 queued any_extent lazy");
  }
}

TEST_CASE("a batch gets classes of its own where these pay", "[autotune]") {
  // With few matrices launches count, with many the work does.
  const model gpu = {0.2, 0, twice_as_slow_below};
  const chosen_classes c = chosen_by(plan_of({1, 30000, 1000000}), gpu);
  CHECK(words_of(c.lines) == "64 direct any_extent greedy | 16 queued 64 queued any_extent greedy");
  for (const std::size_t line : {0, 1})
    CHECK(c.lines[line].batch_max == 170);  // between 1 and 30000: sqrt(30000), to two digits
  CHECK(c.lines[2].batch_max == cuda::any_batch);
  CHECK(contains(c.lines[2].evidence, "1000000 to n = 16: "));
  CHECK(c.calls == 9);

  SECTION("what cannot be measured with so many is as with fewer") {
    class_plan plan = plan_of({30000, 1000000});
    plan.most_bytes = 8.0 * 64 * 64 / 3 * 1000000 + 1;
    const chosen_classes some = chosen_by(plan, gpu);
    CHECK(words_of(some.lines) == "16 queued 64 queued any_extent greedy");
    CHECK(some.calls == 5);
    // With few matrices nothing below was worth a launch; with many it is, and the rest stays.
    plan.batches = {1, 1000000};
    const chosen_classes others = chosen_by(plan, gpu);
    CHECK(words_of(others.lines) == "64 direct any_extent greedy | 16 queued 64 queued any_extent greedy");
    CHECK(others.lines[0].batch_max == 1000);  // sqrt(1000000)
    CHECK(others.lines[4].evidence == "not measured with so many");
  }
  SECTION("classes whose calls are not measured stay, however little they would gain") {
    CHECK(words_of(chosen_by(plan_of({1}, {8, 63}), gpu).lines) ==
          "63 direct 16 queued 64 queued any_extent greedy");
    class_plan plan = plan_of({1}, {8, 63});
    plan.alone.clear();  // then calls are divided at any price, but no more than pays
    CHECK(words_of(chosen_by(plan, gpu).lines) == "64 queued any_extent greedy");
    plan.maxima = {8, 64};
    CHECK(words_of(chosen_by(plan, model{1, 1, twice_as_slow_below}).lines) == "any_extent greedy");
  }
  SECTION("a budget that ends leaves the rest to what there is") {
    const chosen_classes some = choose_classes(
        plan_of({1, 30000, 1000000}), class_rules{}, gpu, [](std::int64_t batch) { return batch < 30000; },
        [](const std::string&) {});
    CHECK(words_of(some.lines) == "64 direct any_extent greedy");
    CHECK(some.lines[0].batch_max == cuda::any_batch);
  }
}

TEST_CASE("classes that fail are never chosen", "[autotune]") {
  const model gpu = {0, 0, twice_as_slow_below};
  const auto without = [&](const std::string& name) {
    return [&gpu, name](const class_call& call) {
      measurement m = gpu(call);
      for (const size_class& c : call.by) {
        if (c.name == name) m.result = outcome::wrong;
      }
      return m;
    };
  };
  CHECK(words_of(chosen_by(plan_of({3000}), without("64")).lines) == "16 queued any_extent greedy");
  CHECK(words_of(chosen_by(plan_of({3000}), without("16")).lines) == "64 direct 64 queued any_extent greedy");
  CHECK(words_of(chosen_by(plan_of({3000}), without("any_extent")).lines) ==
        "16 queued 64 queued any_extent lazy");
}

TEST_CASE("classes are chosen again from the file of measurements alone", "[autotune]") {
  const scratch_folder folder;
  const std::string path = (folder.path / "potrf_vbatched.csv").string();
  const class_plan plan = plan_of({10, 3000});
  const model gpu = {0.05, 0.05, twice_as_slow_below};
  class_memory memory({});
  int measured = 0, asked = 0;
  const auto measure = [&](int most) {
    results_file file(path, facts_of_classes(plan), std::filesystem::exists(path));
    return chosen_by(plan, [&](const class_call& call) {
      ++asked;
      if (const measurement* const m = memory.find(call)) return *m;
      if (most-- == 0) throw std::runtime_error("stopped");
      const measurement m = gpu(call);
      ++measured;
      memory.add(m);
      file.add(m);
      return m;
    });
  };
  CHECK(refusal([&] { measure(3); }) == "stopped");  // and goes on
  const class_memory half(read_results(path).all);
  CHECK(half.holds('d', 10));
  CHECK_FALSE(half.holds('d', 3000));
  CHECK_FALSE(half.holds('s', 10));
  CHECK(contains(refusal([&] { chosen_by(plan, [&](const class_call& call) { return half.recall(call); }); }),
                 "the sweep was not finished"));
  const chosen_classes first = measure(1000);
  CHECK(measured < asked);
  CHECK(read_results(path).all.size() == static_cast<std::size_t>(measured));  // none twice

  const recorded file = read_results(path);
  const class_memory all(file.all);
  const chosen_classes again = chosen_by(plan_of_classes(potrf_vbatched, file.about, 'd'),
                                         [&](const class_call& call) { return all.recall(call); });
  CHECK(words_of(again.lines) == words_of(first.lines));
  REQUIRE(again.lines.size() == first.lines.size());
  for (std::size_t i = 0; i < again.lines.size(); ++i) {
    CHECK(again.lines[i].how == first.lines[i].how);
    CHECK(again.lines[i].batch_max == first.lines[i].batch_max);
    CHECK(again.lines[i].evidence == first.lines[i].evidence);
  }
}
