// The tuner's measurements without a GPU: which candidates, in which order, and what happens where they fail.
#include "sweep.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "programs/autotune.hpp"
#include "space.hpp"

using namespace talus;
using namespace talus::tune;
using namespace talus::test;

namespace {

const routine& potrf = routine_named("potrf");

/// A GPU on which every kernel has a time of its own, some fail, one is wrong, and nothing takes long.
struct pretended_gpu {
  std::function<double(const kernel&, int n)> ratio = [](const kernel& k, int) {
    return 0.5 + 0.001 * value_of(k, "tbc");
  };
  std::set<kernel> failing, wrong, deadly;
  int points = 0, timed = 0;
  bool dead = false;
  double now = 0;  // seconds

  struct point : measuring_point {
    pretended_gpu& gpu;
    int n;
    std::int64_t count;
    point(pretended_gpu& g, int size, std::int64_t matrices) : gpu(g), n(size), count(matrices) {}
    std::int64_t batch() const override { return count; }
    verdict check(const kernel& k) override {
      if (gpu.deadly.count(k)) gpu.dead = true;
      if (gpu.dead || gpu.failing.count(k)) return {outcome::failed, "failed: no such luck"};
      if (gpu.wrong.count(k)) return {outcome::wrong, "left a residual of 1e9 n eps"};
      return {};
    }
    double probe(const kernel& k) override {
      gpu.now += 1;
      ++gpu.timed;
      return 1e-3 * gpu.ratio(k, n);
    }
    void measure(const kernel& k, const kernel& reference, measurement& m) override {
      gpu.now += 10;
      m.median_ms = m.min_ms = m.max_ms = gpu.ratio(k, n);
      m.reference_ms = 1.001 * gpu.ratio(reference, n);  // never the same twice
    }
  };
  point_maker maker() {
    return [this](const named_point& at) {
      ++points;
      return std::make_unique<point>(*this, at.n, at.batch);
    };
  }
};

sweep_plan small_plan() {
  sweep_plan plan;
  plan.of = &potrf;
  plan.precisions = "d";
  plan.sizes = {8, 12, 16, 20, 24, 28, 32};
  plan.limits = cuda::limits_of(90);
  return plan;
}

/// Runs a plan and collects what it says.
struct run_of {
  std::vector<measurement> all;
  std::vector<std::string> said;
  sweep_result result;
  run_of(const sweep_plan& plan, pretended_gpu& gpu, std::vector<measurement> known = {},
         int stop_after = 1 << 30)
      : all(std::move(known)) {
    const std::vector<measurement> before = all;
    int asked = 0;
    result = sweep(plan, generic_of(panel), before, gpu.maker(),
                   {[&](const measurement& m) { all.push_back(m); }, [](const std::string&) {},
                    [&](const std::string& words) { said.push_back(words); },
                    [&] { return ++asked > stop_after; }, [&] { return gpu.now; }});
  }
};

/// What was measured, and with which outcome, in any order.
std::set<std::tuple<char, std::string, int, kernel, outcome>> facts_in(const std::vector<measurement>& all) {
  std::set<std::tuple<char, std::string, int, kernel, outcome>> facts;
  for (const measurement& m : all) facts.insert({m.precision, m.regime, m.n, m.how, m.result});
  return facts;
}

}  // namespace

TEST_CASE("sizes are measured from coarse to fine, each once", "[autotune]") {
  const std::vector<int> sizes = tuning_sizes(), order = coarse_to_fine(sizes);
  CHECK(sizes.front() == 2);
  CHECK(std::is_sorted(sizes.begin(), sizes.end()));
  CHECK(std::set<int>(order.begin(), order.end()) == std::set<int>(sizes.begin(), sizes.end()));
  CHECK(order.size() == sizes.size());
  const std::set<int> early(order.begin(), order.begin() + 9);  // of 120
  CHECK(early.count(sizes.front()));
  CHECK(early.count(sizes.back()));
  CHECK(coarse_to_fine({}).empty());
  CHECK(coarse_to_fine({7}) == std::vector<int>{7});
}

TEST_CASE("hopeless candidates are left out, promising ones come first", "[autotune]") {
  const cuda::gpu_limits limits = cuda::limits_of(90);
  const auto at = [&](const std::vector<measurement>& before) {
    return worth_measuring(potrf, limits, panel, 'd', 22, "fill", before);
  };
  const std::size_t everything = potrf.candidates('d', 22, limits).size();  // the reference is none of them
  CHECK(at({}).size() == everything);

  // At both neighbours one kernel wins, another is within 60 %, the rest were measured and hopeless.
  const kernel good = kernel_named("warp lanes=8 rows=3 tbc=4"),
               fair = kernel_named("warp lanes=8 rows=3 tbc=8"),
               bad = kernel_named("warp lanes=8 rows=3 tbc=16");
  std::vector<measurement> before;
  for (const int n : {20, 24}) {
    before.push_back(measured(n, "fill", 1000, panel, 1));
    before.push_back(measured(n, "fill", 1000, good, 0.5));
    before.push_back(measured(n, "fill", 1000, fair, 0.79));
    before.push_back(measured(n, "fill", 1000, bad, 0.81));
  }
  const std::vector<kernel> some = at(before);
  REQUIRE(some.size() == 2);
  CHECK(some[0] == good);
  CHECK(some[1] == fair);

  // Rows follow from n: 5 per lane at 20 are a neighbour of 6 at 22.
  before.push_back(measured(20, "fill", 1000, kernel_named("warp lanes=4 rows=5 tbc=16 blocks=2"), 0.55));
  const std::vector<kernel> with_rows = at(before);
  CHECK(std::count(with_rows.begin(), with_rows.end(), kernel_named("warp lanes=4 rows=6 tbc=16 blocks=2")) ==
        1);

  // One side alone, another regime, or sizes too far away prune nothing.
  std::vector<measurement> below(before.begin(), before.begin() + 4);
  CHECK(at(below).size() == everything);
  std::vector<measurement> elsewhere = before;
  for (measurement& m : elsewhere) m.regime = "b3000";
  CHECK(at(elsewhere).size() == everything);
  std::vector<measurement> far_away = before;
  for (measurement& m : far_away) m.n = m.n == 20 ? 10 : 45;
  CHECK(at(far_away).size() == everything);
}

TEST_CASE("a sweep measures every candidate once, the reference first", "[autotune]") {
  pretended_gpu gpu;
  sweep_plan plan = small_plan();
  plan.sizes = {24};
  const run_of run(plan, gpu);
  CHECK_FALSE(run.result.interrupted);
  CHECK_FALSE(run.result.out_of_budget);
  CHECK(run.result.points == 2);
  CHECK(run.result.of_points == 2);
  CHECK(gpu.points == 2);
  CHECK(run.said.size() == 2);
  std::set<kernel> wanted;
  for (const kernel& k : potrf.candidates('d', 24, plan.limits)) wanted.insert(k);
  wanted.insert(panel);
  CHECK(run.all.size() == 2 * wanted.size());
  CHECK(facts_in(run.all).size() == run.all.size());
  CHECK(run.all.front().how == panel);
  CHECK(run.all.front().ratio() == 1);
  CHECK(run.all.front().batch == batch_count('d', 24, "fill"));
  for (const measurement& m : run.all) CHECK(wanted.count(m.how));
}

TEST_CASE("a sweep that is stopped anywhere and run again measures the same, none of it twice",
          "[autotune]") {
  sweep_plan plan = small_plan();
  plan.regimes = {"fill"};
  pretended_gpu undisturbed;
  const auto ratio = [](const kernel& k, int n) {  // some hopeless, some not, differently at each size
    return 0.5 +
           0.01 * ((value_of(k, "blocks") * 7 + value_of(k, "tbc") * 3 + value_of(k, "lanes") + n) % 90);
  };
  undisturbed.ratio = ratio;
  const run_of whole(plan, undisturbed);
  REQUIRE_FALSE(whole.result.interrupted);
  for (const int stop_after : {0, 1, 2, 7, 50, 111, 300}) {
    pretended_gpu gpu;
    gpu.ratio = ratio;
    std::vector<measurement> known;
    int runs = 0;
    for (bool interrupted = true; interrupted && runs < 1000; ++runs) {
      const run_of part(plan, gpu, known, runs == 0 ? stop_after : 150);
      CHECK(part.all.size() >= known.size());
      known = part.all;
      interrupted = part.result.interrupted;
    }
    CAPTURE(stop_after, runs);
    CHECK(known.size() == whole.all.size());
    CHECK(facts_in(known) == facts_in(whole.all));
  }
  // Nothing left to do: no matrices are made.
  pretended_gpu idle;
  const run_of again(plan, idle, whole.all);
  CHECK(again.all.size() == whole.all.size());
  CHECK(idle.points == 0);
  CHECK(again.result.points == again.result.of_points);
}

TEST_CASE("failing and wrong candidates are recorded, and the sweep goes on", "[autotune]") {
  pretended_gpu gpu;
  sweep_plan plan = small_plan();
  plan.sizes = {16};
  plan.regimes = {"fill"};
  const std::vector<kernel> all = potrf.candidates('d', 16, plan.limits);
  gpu.failing = {all[3]};
  gpu.wrong = {all[5]};
  const run_of run(plan, gpu);
  CHECK(run.result.points == 1);
  REQUIRE(run.result.troubles.size() == 2);
  CHECK(contains(run.result.troubles[0], "failed: no such luck"));
  CHECK(contains(run.result.troubles[1], "residual"));
  CHECK(run.all.size() == all.size() + 1);
  CHECK(contains(run.said.at(0), "2 FAILED"));
  for (const table_line& line : chosen_from(run.all)) {
    CHECK(line.how != all[3]);
    CHECK(line.how != all[5]);
  }
}

TEST_CASE("a candidate that takes the device with it is recorded; the next run goes on behind it",
          "[autotune]") {
  pretended_gpu gpu;
  sweep_plan plan = small_plan();
  plan.sizes = {16};
  plan.regimes = {"fill"};
  const std::vector<kernel> all = potrf.candidates('d', 16, plan.limits);
  gpu.deadly = {all[4]};
  std::vector<measurement> known;
  const auto collect = [&] {
    sweep(plan, generic_of(panel), std::vector<measurement>(known), gpu.maker(),
          {[&](const measurement& m) { known.push_back(m); }, [](const std::string&) {},
           [](const std::string&) {}, [] { return false; }, nullptr});
  };
  const std::string words = refusal(collect);
  CHECK(contains(words, describe(all[4])));
  CHECK(contains(words, "goes on behind"));
  REQUIRE_FALSE(known.empty());
  CHECK(known.back().how == all[4]);
  CHECK(known.back().result == outcome::failed);
  gpu.dead = false;  // a new process
  CHECK(refusal(collect).empty());
  CHECK(known.size() == all.size() + 1);
  gpu.dead = true;  // from the start: nothing can be measured
  known.clear();
  CHECK(contains(refusal(collect), "the generic table's kernel failed"));
  CHECK(known.empty());
}

TEST_CASE("one disturbed run does not rule a candidate out", "[autotune]") {
  sweep_plan plan = small_plan();
  plan.sizes = {16};
  plan.regimes = {"fill"};
  const kernel good = potrf.candidates('d', 16, plan.limits)[6];
  for (const int disturbed : {1, 2}) {  // of its runs
    pretended_gpu gpu;
    int runs = 0;
    gpu.ratio = [&](const kernel& k, int) {
      if (k != good) return 1.0;
      return ++runs <= disturbed ? 5.0 : 0.5;
    };
    const run_of run(plan, gpu);
    for (const measurement& m : run.all) {
      if (m.how == good) CHECK((m.result == outcome::ok) == (disturbed == 1));
    }
  }
}

TEST_CASE("a budget ends a sweep with every precision begun", "[autotune]") {
  pretended_gpu gpu;
  sweep_plan plan = small_plan();
  plan.precisions = "ds";
  table generic = generic_of(panel);
  generic.lines.push_back(generic.lines[0]);
  generic.lines.back().precision = 's';
  plan.budget_seconds = 1;  // a point takes longer
  std::vector<measurement> all;
  const sweep_result result =
      sweep(plan, generic, {}, gpu.maker(),
            {[&](const measurement& m) { all.push_back(m); }, [](const std::string&) {},
             [](const std::string&) {}, [] { return false; }, [&] { return gpu.now; }});
  CHECK(result.out_of_budget);
  CHECK_FALSE(result.interrupted);
  CHECK(result.points < result.of_points);
  std::set<char> precisions;
  for (const measurement& m : all) precisions.insert(m.precision);
  CHECK(precisions == std::set<char>{'d', 's'});
}

TEST_CASE("batches of a regime", "[autotune]") {
  CHECK(batch_count('d', 32, "b3000") == 3000);
  CHECK(batch_count('d', 1000, "b3000") == 250);  // 2 GB
  CHECK(batch_count('d', 32, "fill") == 122070);  // 1 GB
  CHECK(batch_count('s', 2, "fill") == 1000000);
}
