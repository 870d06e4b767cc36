// The prices of the kernels in a table for mixed sizes without a GPU: which calls are measured, which lines
// stay, and why.
#include "price_classes.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "programs/autotune.hpp"

using namespace talus;
using namespace talus::tune;
using namespace talus::test;

namespace {

const routine& mixed = routine_named("potrf_vbatched");

const char* const head = "TALUS_TABLE(x, \"NVIDIA H200\", 90)\n";

/// Lines of d for potrf_vbatched: "upto(16), any_batch, queued, smem{.tiles = 4}".
table table_of_lines(const std::vector<std::string>& lines, const std::string& first = head) {
  std::string text = first;
  for (const std::string& line : lines) text += "TALUS_MIXED_LINE(d, " + line + ")\n";
  const scratch_folder folder;
  std::vector<problem_found> problems;
  table t = read_table(folder.file("potrf_vbatched.inc", text), mixed, problems);
  for (const problem_found& p : problems) FAIL(p.what);
  return t;
}

const table generic = table_of_lines({"upto(64), any_batch, queued, smem{.tiles = 4}",
                                      "upto(any_extent), any_batch, greedy, blocked{.nb = 64, .groups = 1, "
                                      ".tiles = 1}"},
                                     "TALUS_TABLE(generic, \"\", 0)\n");

/// Three classes of their own, and a lone line for small batches.
const table own =
    table_of_lines({"upto(16), 500, direct, warp{.lanes = 16, .rows = 1, .tbc = 4}",
                    "upto(16), any_batch, queued, warp{.lanes = 16, .rows = 1, .tbc = 8}",
                    "upto(32), any_batch, queued, warp{.lanes = 8, .rows = 4, .tbc = 8}",
                    "upto(64), any_batch, queued, smem_lookahead{.threads = 96, .tiles = 4}",
                    "upto(any_extent), any_batch, lazy, blocked{.nb = 64, .groups = 1, .tiles = 2}"});

class_price_plan plan() {
  class_price_plan p;
  p.limits = cuda::limits_of(90);
  return p;
}

class_prices calls_of(const table& t) { return price_calls(mixed, t.lines, generic.lines, plan()); }

const class_price_call& call_to(const class_prices& prices, int n, std::int64_t of_batch) {
  for (const class_price_call& call : prices.calls) {
    if (call.n_max == n && call.of_batch == of_batch) return call;
  }
  FAIL("no call to n = " << n);
  return prices.calls.front();
}

std::vector<std::string> names_of(const class_price_call& call) {
  std::vector<std::string> names;
  for (const class_variant& v : call.others) names.push_back(v.name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& one) {
  return std::count(names.begin(), names.end(), one) > 0;
}

/// A timer by the names of variants; the table's lines take 1 ms.
using times = std::function<double(const class_price_call&, const std::string&)>;

std::vector<measurement> measured_by(const table& t, const times& time) {
  std::vector<measurement> all;
  const call_timer timer = [&](const class_price_call& call, const class_variant& v) {
    measurement m = measurement_of(call, v);
    m.reference_ms = 1;
    m.median_ms = m.min_ms = m.max_ms = time(call, v.name);
    return m;
  };
  const auto quiet = [](const std::string&) {};
  measure_calls(
      calls_of(t).calls, {}, timer,
      {[&](const measurement& m) { all.push_back(m); }, quiet, quiet, [] { return false; }, nullptr});
  return all;
}

priced_table priced(const table& t, const times& time) {
  return price_classes(mixed, t.lines, generic.lines, measured_by(t, time), plan(), {});
}

/// The variants in which class 64 has the matrices of class 32.
bool is_without_32(const std::string& name) {
  return name.rfind("16+64", 0) == 0 && !contains(name, "smem/tiles");
}

/// All problems that --check finds in the pruned table.
std::string problems_of(const priced_table& p) {
  table t = own;
  t.lines = p.pruned;
  std::string text;
  for (const problem_found& problem : check(t, mixed)) text += problem.what + "\n";
  return text;
}

}  // namespace

TEST_CASE("calls of mixed sizes end at the bound of each line", "[autotune]") {
  const class_prices prices = calls_of(own);
  const class_price_call& lone = call_to(prices, 16, 300);
  CHECK(lone.table.name == "direct 16");
  CHECK(lone.table.by.how == cuda::schedule::direct);
  const class_price_call& small_sizes = call_to(prices, 16, 20000);
  CHECK(small_sizes.table.name == "16");
  const class_price_call& larger = call_to(prices, 64, 20000);
  CHECK(larger.table.name == "16+32+64");
  CHECK(larger.table.by.count == 3);
  CHECK(larger.table.by.line[2] == 3);
  CHECK(larger.batch == 20000);
  // Beyond the last bound: 1.5 times 64.
  CHECK(call_to(prices, 96, 20000).table.name == "16+32+64+any_extent");
  // Without the lone line its call is served by the classes, which lack its kernel, too.
  CHECK(has(names_of(lone), "32:warp/lanes:8/rows:4/tbc:8"));
  CHECK(has(names_of(lone), "direct 16:smem/tiles:4"));
  // Without class 64 its matrices go to the last class.
  CHECK(has(names_of(larger), "16+32+any_extent:lazy/blocked/nb:64/groups:1/tiles:2"));
  CHECK(has(names_of(larger), "16+32+64:smem/tiles:4"));
  // Another line comes with its own box.
  CHECK(has(names_of(call_to(prices, 32, 20000)), "16+64:smem/tiles:4"));
  for (const class_price_call& call : prices.calls) {
    for (const class_variant& v : call.others) {
      CAPTURE(v.name);
      CHECK(v.by.count > 0);
      CHECK(describe(kernel_named(v.name)) == v.name);
    }
  }
}

TEST_CASE("large matrices are measured in smaller batches, or not at all", "[autotune]") {
  const table large =
      table_of_lines({"upto(32), 50000, queued, warp{.lanes = 8, .rows = 4, .tbc = 8}",
                      "upto(320), 50000, queued, smem_lookahead{.threads = 320, .tiles = 3}",
                      "upto(any_extent), 50000, lazy, blocked{.nb = 64, .groups = 1, .tiles = 2}",
                      "upto(any_extent), any_batch, greedy, blocked{.nb = 64, .groups = 1, .tiles = 2}"});
  const class_prices prices = calls_of(large);
  for (const class_price_call& call : prices.calls) {
    CAPTURE(call.n_max);
    CHECK(static_cast<double>(call.batch) * call.n_max * call.n_max * 8 / 3 <= 1.5e9);
    CHECK(call.batch <= call.of_batch);
  }
  CHECK(call_to(prices, 32, 30000).batch == 30000);
  for (const price_unit& unit : prices.units) {
    if (unit.lines.front() == 3) CHECK(contains(unit.not_measured, "any_extent"));
  }
}

TEST_CASE("a class below the bar is left out, and the next class takes its matrices", "[autotune]") {
  const priced_table p = priced(
      own, [](const class_price_call&, const std::string& name) { return is_without_32(name) ? 1.01 : 1.2; });
  REQUIRE(p.lines.size() == 5);
  CHECK(p.lines[2].is == verdict::drop);
  CHECK(p.lines[2].mean == Approx(1.01));
  CHECK(p.lines[2].points == 2);
  CHECK(p.lines[3].is == verdict::keep);  // class 64 has taken its matrices
  CHECK(contains(p.lines[3].remark, "rely"));
  CHECK(p.pruned.size() == 4);
  CHECK(p.kernels_before == 2 * 4);
  CHECK(p.kernels_after == 2 * 3);
  CHECK(p.worst == Approx(1.01));
  CHECK(problems_of(p) == "");
}

TEST_CASE("a class whose kernel goes keeps its box for another kernel", "[autotune]") {
  const priced_table p = priced(own, [](const class_price_call&, const std::string& name) {
    return contains(name, "+64:smem/tiles:4") || contains(name, "32+64:smem") ? 1.02 : 1.3;
  });
  CHECK(p.lines[3].is == verdict::reuse);
  CHECK(describe(p.lines[3].instead) == "queued smem tiles=4");
  CHECK(p.lines[2].is == verdict::keep);
  CHECK(p.pruned[3].n_max() == 64);
  CHECK(contains(p.pruned[3].evidence, "re-used"));
  CHECK(p.kernels_after == 2 * 3);
  CHECK(problems_of(p) == "");
}

TEST_CASE("a kernel is removed from lone lines and classes together", "[autotune]") {
  // The kernel for sizes up to 16 serves a lone line and a class, which differ in tbc only.
  const auto time = [](double lone, double of_class) {
    return [=](const class_price_call& call, const std::string& name) {
      if (call.of_batch < 500) return name == "direct 16:smem/tiles:4" ? lone : 1.5;
      return name.rfind("32", 0) == 0 ? of_class : 1.5;
    };
  };
  const priced_table gone = priced(own, time(1.02, 1.01));
  CHECK(gone.lines[0].is == verdict::reuse);
  CHECK(describe(gone.lines[0].instead) == "direct smem tiles=4");
  CHECK(gone.lines[1].is == verdict::drop);
  CHECK(problems_of(gone) == "");
  // One call that loses over 8 % keeps both, although the mean is below the bar.
  const priced_table kept = priced(own, time(1.09, 0.97));
  CHECK(kept.lines[0].is == verdict::keep);
  CHECK(kept.lines[1].is == verdict::keep);
  CHECK(kept.lines[0].greatest == Approx(1.09));
}

TEST_CASE("ways that rely on a removed kernel are no longer there", "[autotune]") {
  // Class 32 costs least and goes to class 64. Class 16 could have gone to class 32.
  const priced_table p = priced(own, [](const class_price_call& call, const std::string& name) {
    if (call.of_batch < 500) return 1.01;
    if (is_without_32(name)) return 1.001;
    if (name.rfind("32", 0) == 0) return 1.015;
    return 1.5;
  });
  CHECK(p.lines[2].is == verdict::drop);
  CHECK(p.lines[1].is == verdict::keep);
  CHECK(p.lines[0].is == verdict::keep);
  CHECK(problems_of(p) == "");
  // Where class 16 costs least, it goes to class 32, whose kernel then stays.
  const priced_table other = priced(own, [](const class_price_call& call, const std::string& name) {
    if (call.of_batch < 500) return name == "direct 16:smem/tiles:4" ? 1.001 : 1.5;
    return name.rfind("32", 0) == 0 ? 1.001 : is_without_32(name) ? 1.015 : 1.5;
  });
  CHECK(other.lines[1].is == verdict::drop);
  CHECK(other.lines[2].is == verdict::keep);
}

TEST_CASE("a removed line whose kernel is the next line's merges with it", "[autotune]") {
  const table two =
      table_of_lines({"upto(32), any_batch, queued, warp{.lanes = 8, .rows = 4, .tbc = 8}",
                      "upto(48), any_batch, queued, smem_lookahead{.threads = 96, .tiles = 4}",
                      "upto(56), any_batch, queued, smem_lookahead{.threads = 96, .tiles = 4}",
                      "upto(any_extent), any_batch, greedy, blocked{.nb = 64, .groups = 1, .tiles = 1}"});
  const priced_table p = priced(two, [](const class_price_call&, const std::string& name) {
    return name.rfind("32+", 0) == 0 && contains(name, "smem/tiles:4") ? 1.0 : 1.4;
  });
  CHECK(p.lines[1].is == verdict::drop);
  CHECK(p.lines[2].is == verdict::reuse);
  REQUIRE(p.pruned.size() == 3);
  CHECK(p.pruned[1].n_max() == 56);
  CHECK(problems_of(p) == "");
}

TEST_CASE("calls are resumed, and failures are told", "[autotune]") {
  const std::vector<class_price_call> calls = calls_of(own).calls;
  std::vector<measurement> all;
  int asked = 0, most = 3;
  const auto quiet = [](const std::string&) {};
  const auto run = [&] {
    asked = 0;
    return measure_calls(calls, std::vector<measurement>(all),
                         [&](const class_price_call& call, const class_variant& v) {
                           measurement m = measurement_of(call, v);
                           m.result = all.empty() ? outcome::failed : outcome::ok;
                           m.median_ms = m.reference_ms = 1;
                           return m;
                         },
                         {[&](const measurement& m) { all.push_back(m); }, quiet, quiet,
                          [&] { return asked++ == most; }, nullptr});
  };
  const sweep_result first = run();
  CHECK(first.interrupted);
  CHECK(first.troubles.size() == 1);
  // The second variant has a time, and so does the table's row of the call.
  REQUIRE(all.size() == 4);
  CHECK(describe(all[2].how) == calls.front().table_name);
  CHECK(all[2].median_ms == all[1].reference_ms);
  most = 1 << 30;
  const sweep_result done = run();
  CHECK_FALSE(done.interrupted);
  CHECK(done.points == static_cast<int>(calls.size()));
  const std::size_t before = all.size();
  run();
  CHECK(all.size() == before);
  // Nothing was measured: all stays.
  const priced_table p = price_classes(mixed, own.lines, generic.lines, {}, plan(), {});
  CHECK(p.pruned.size() == own.lines.size());
  CHECK(contains(p.lines[1].not_priced, "measured"));
}

TEST_CASE("the H200's tables keep what --check demands, whatever is removed", "[autotune]") {
  for (const char* name : {"potrf_vbatched", "getrf_vbatched"}) {
    const routine& of = routine_named(name);
    const table& built = of.compiled('d').front();
    if (built.gpu != "NVIDIA H200") return;
    const table& others = of.compiled('d').back();
    std::vector<measurement> all;
    for (const class_price_call& call : price_calls(of, built.lines, others.lines, plan()).calls) {
      for (const class_variant& v : call.others) {
        measurement m = measurement_of(call, v);
        m.reference_ms = 1;
        // Somewhat random, but the same in each run.
        m.median_ms = 0.95 + 0.01 * static_cast<double>(std::hash<std::string>()(v.name) % 10);
        all.push_back(m);
      }
    }
    const priced_table p = price_classes(of, built.lines, others.lines, all, plan(), {});
    CHECK(p.kernels_after < p.kernels_before);
    std::set<kernel> left = keys_of(p.pruned);
    for (const kernel& key : keys_of(others.lines)) left.erase(key);
    CHECK(static_cast<int>(left.size()) * of.forms == p.kernels_after);
    table pruned = built;
    pruned.lines = p.pruned;
    std::string text;
    for (const problem_found& problem : check(pruned, of)) text += problem.what + "\n";
    CHECK(text == "");
  }
}
