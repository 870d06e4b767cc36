// The prices of a table's lines without a GPU: which points are measured, which lines stay, and why.
#include "price.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "programs/autotune.hpp"

using namespace talus;
using namespace talus::tune;
using namespace talus::test;

namespace {

const routine& potrf = routine_named("potrf");
const cuda::gpu_limits limits = cuda::limits_of(90);
const kernel tiled = kernel_named("tiled tiles=1");

table_line line_of(int n_max, const kernel& k, std::int64_t batch_max = cuda::any_batch) {
  table_line line = line_for(potrf, 'd', n_max, k);
  line.batch_max = batch_max;
  return line;
}

const std::vector<table_line> generic = {line_of(cuda::any_extent, blocked)};

/// A point at which these kernels have these times, the first of them 1.
struct times {
  int n;
  std::vector<std::pair<kernel, double>> of;
  std::int64_t batch = 3000;
};

std::vector<measurement> measured_at(const std::vector<times>& points) {
  std::vector<measurement> all;
  for (const times& p : points) {
    for (const auto& [k, time] : p.of)
      all.push_back(measured(p.n, "b" + std::to_string(p.batch), p.batch, k, time));
  }
  return all;
}

priced_table priced(const std::vector<table_line>& own, const std::vector<times>& points,
                    const price_rules& rules = {}) {
  return price_lines(potrf, own, generic, measured_at(points), limits, rules);
}

std::vector<kernel> kernels_of(const std::vector<table_line>& lines) {
  std::vector<kernel> some;
  for (const table_line& line : lines) some.push_back(line.how);
  return some;
}

std::vector<named_point> points_of(const std::vector<table_line>& own, const price_plan& plan = {}) {
  price_plan on_gpu = plan;
  on_gpu.limits = limits;
  return price_points(potrf, own, generic, on_gpu);
}

std::set<int> sizes_of(const std::vector<named_point>& points, const kernel& reference) {
  std::set<int> sizes;
  for (const named_point& p : points) {
    if (p.reference == reference) sizes.insert(p.n);
  }
  return sizes;
}

std::set<std::int64_t> batches_of(const std::vector<named_point>& points, const kernel& reference) {
  std::set<std::int64_t> batches;
  for (const named_point& p : points) {
    if (p.reference == reference) batches.insert(p.batch);
  }
  return batches;
}

}  // namespace

TEST_CASE("the points of a table lie in the range of each line", "[autotune]") {
  const std::vector<table_line> own = {line_of(8, small), line_of(10, other), line_of(64, panel),
                                       line_of(cuda::any_extent, tiled)};
  const std::vector<named_point> points = points_of(own);
  CHECK(sizes_of(points, small) == std::set<int>{2, 4, 8});
  CHECK(sizes_of(points, other) == std::set<int>{10});  // from 9 on: narrow
  CHECK(sizes_of(points, panel) == std::set<int>{20, 36, 64});
  // The last line: from 65 up to 1.5 times 64.
  const std::set<int> last = sizes_of(points, tiled);
  CHECK(last == std::set<int>{68, 79, 96});
  for (const named_point& p : points) {
    CAPTURE(p.n, p.regime);
    const table_line* const line = selected(potrf, own, p.n, p.batch);
    REQUIRE(line);
    CHECK(line->how == p.reference);
    CHECK((p.regime == "fill" || p.batch == 3000));
    CHECK(static_cast<double>(p.batch) * p.n * p.n * 8 <= 256e6);
    std::set<kernel> kernels(p.others.begin(), p.others.end());
    CHECK(kernels.size() == p.others.size());
    CHECK_FALSE(kernels.count(p.reference));
    CHECK(kernels.count(blocked));
    CHECK((kernels.count(small) || p.reference == small) == (p.n <= 8));  // n <= its bound
  }
}

TEST_CASE("lines for small batches are measured at their own batches", "[autotune]") {
  const std::vector<table_line> own = {line_of(24, small, 4), line_of(24, other, 100), line_of(24, panel),
                                       line_of(512, tiled, 66), line_of(cuda::any_extent, blocked)};
  const std::vector<named_point> points = points_of(own);
  CHECK(batches_of(points, small) == std::set<std::int64_t>{4});
  CHECK(batches_of(points, other) == std::set<std::int64_t>{50, 100});
  CHECK(batches_of(points, tiled) == std::set<std::int64_t>{33, 66});
  CHECK(*batches_of(points, panel).begin() == 3000);
  CHECK(batches_of(points, blocked).empty());  // the generic table has it
  // Where neither regime is beyond the small batches, a larger batch is.
  const std::vector<table_line> many = {line_of(24, small, 1'000'000), line_of(24, panel),
                                        line_of(cuda::any_extent, blocked)};
  CHECK(*batches_of(points_of(many), panel).rbegin() == 1'500'000);
  // A line for up to a million matrices is measured with few of them, too.
  CHECK(batches_of(points_of(many), small).count(3000) == 1);
  CHECK(batches_of(points_of(many), small).count(100) == 1);
  // Other regimes, if asked for.
  price_plan plan;
  plan.regimes = {"b500"};
  CHECK(batches_of(points_of(own, plan), panel) == std::set<std::int64_t>{500});
}

TEST_CASE("a line that no measured square selects has no points", "[autotune]") {
  const routine& trsm = routine_named("trsm");
  table_line one = line_for(trsm, 'd', 16, kernel_named("warp lanes=16 sides=1 tbc=8"));
  one.bounds = {16, 1};
  table_line wide = one;
  wide.bounds = {16, 8};
  wide.how = kernel_named("warp lanes=16 sides=8 tbc=8");
  const std::vector<table_line> lines = {one, wide};
  CHECK(squares_of(trsm, lines, 0).last == 16);
  CHECK(squares_of(trsm, lines, 1).first > squares_of(trsm, lines, 1).last);
}

TEST_CASE("large matrices are measured at one size, the largest not at all", "[autotune]") {
  const std::vector<table_line> own = {line_of(2000, small), line_of(4096, other), line_of(5000, panel),
                                       line_of(16384, small), line_of(cuda::any_extent, tiled)};
  const std::vector<named_point> points = points_of(own);
  CHECK(sizes_of(points, other) == std::set<int>{4096});
  CHECK(sizes_of(points, panel) == std::set<int>{4097});
  CHECK(*sizes_of(points, small).rbegin() == 5001);
  CHECK(sizes_of(points, tiled).empty());
}

TEST_CASE("a line below the bar is dropped, and the next line serves its points", "[autotune]") {
  const std::vector<table_line> own = {line_of(16, small), line_of(32, other),
                                       line_of(cuda::any_extent, blocked)};
  const priced_table p =
      priced(own, {{16, {{small, 1}, {other, 1.02}, {blocked, 4}}}, {32, {{other, 1}, {blocked, 2}}}});
  REQUIRE(p.lines.size() == 3);
  CHECK(p.lines[0].is == verdict::drop);
  CHECK(p.lines[0].mean == Approx(1.02));
  CHECK(p.lines[0].points == 1);
  CHECK(p.lines[0].kernels == 2);  // lower and upper
  CHECK(p.lines[1].is == verdict::keep);
  CHECK(p.lines[1].points == 2);  // with the points of the line above
  CHECK(p.lines[1].greatest == Approx(4 / 1.02));
  CHECK(contains(p.lines[2].not_priced, "generic"));
  CHECK(p.lines[2].kernels == 0);
  CHECK(kernels_of(p.pruned) == std::vector<kernel>{other, blocked});
  CHECK(contains(p.pruned[0].evidence, "price 2.8"));
  CHECK(p.kernels_before == 4);
  CHECK(p.kernels_after == 2);
  CHECK(p.worst == Approx(1.02));
}

TEST_CASE("lines that are each other's alternative are not both dropped", "[autotune]") {
  const std::vector<table_line> own = {line_of(16, small), line_of(32, other),
                                       line_of(cuda::any_extent, blocked)};
  const priced_table p = priced(own, {{16, {{small, 1}, {other, 1.02}, {blocked, 4}}},
                                      {32, {{other, 1}, {small, 1.01}, {blocked, 4}}}});
  // `other` is the cheaper one: its line keeps its box for `small`, which then serves all of it.
  CHECK(p.lines[0].is == verdict::drop);
  CHECK(p.lines[1].is == verdict::reuse);
  CHECK(p.lines[1].instead == small);
  CHECK(kernels_of(p.pruned) == std::vector<kernel>{small, blocked});
  CHECK(p.pruned[0].n_max() == 32);
  CHECK(p.kernels_after == 2);
}

TEST_CASE("the cheapest line goes first, and prices are computed again", "[autotune]") {
  // Without `small` at 12 and with `other` gone too, 12 would lose 5 %: `other` must stay then.
  const std::vector<table_line> own = {line_of(12, small), line_of(24, other), line_of(64, panel),
                                       line_of(cuda::any_extent, blocked)};
  const priced_table p = priced(own, {{12, {{small, 1}, {other, 1.01}, {panel, 1.06}, {blocked, 4}}},
                                      {24, {{other, 1}, {panel, 1.02}, {blocked, 4}}},
                                      {64, {{panel, 1}, {blocked, 4}}}});
  CHECK(p.lines[0].is == verdict::drop);
  CHECK(p.lines[1].is == verdict::keep);
  CHECK(p.lines[1].mean == Approx(std::sqrt(1.06 / 1.01 * 1.02)));
  CHECK(p.lines[2].is == verdict::keep);
}

TEST_CASE("a single point that would lose too much keeps a line", "[autotune]") {
  const std::vector<table_line> own = {line_of(32, small), line_of(cuda::any_extent, blocked)};
  const std::vector<times> points = {{8, {{small, 1}, {blocked, 0.95}}},
                                     {16, {{small, 1}, {blocked, 1}}},
                                     {32, {{small, 1}, {blocked, 1.09}}}};
  CHECK(priced(own, points).lines[0].is == verdict::keep);
  price_rules rules;
  rules.most_loss = 0.1;
  CHECK(priced(own, points, rules).lines[0].is == verdict::drop);
  rules.bar = 0;
  CHECK(priced(own, points, rules).lines[0].is == verdict::keep);
}

TEST_CASE("a line whose kernel goes keeps its box for a better one that is compiled anyway", "[autotune]") {
  const std::vector<table_line> own = {line_of(16, small), line_of(32, other), line_of(64, panel),
                                       line_of(cuda::any_extent, blocked)};
  const std::vector<times> points = {{16, {{small, 1}, {other, 1.3}, {panel, 1.01}, {blocked, 4}}},
                                     {32, {{other, 1}, {panel, 1.5}, {blocked, 4}}},
                                     {64, {{panel, 1}, {blocked, 4}}}};
  const priced_table p = priced(own, points);
  CHECK(p.lines[0].is == verdict::reuse);
  CHECK(p.lines[0].instead == panel);
  CHECK(p.lines[0].mean == Approx(1.01));
  CHECK(kernels_of(p.pruned) == std::vector<kernel>{panel, other, panel, blocked});
  CHECK(contains(p.pruned[0].evidence, "re-used"));
  CHECK(p.pruned[0].n_max() == 16);
  CHECK(p.kernels_after == 4);
}

TEST_CASE("lines with one compiled kernel are kept or dropped together", "[autotune]") {
  // Matrices per block are no matter of the compiler.
  kernel four = small;
  for (auto& [name, value] : four.parameters) {
    if (name == "tbc") value = 4;
  }
  const std::vector<table_line> own = {line_of(8, small), line_of(16, other), line_of(24, four),
                                       line_of(cuda::any_extent, blocked)};
  const auto with = [&](double at_24) {
    return priced(own, {{8, {{small, 1}, {other, 1.001}, {blocked, 4}}},
                        {16, {{other, 1}, {four, 2}, {blocked, 4}}},
                        {24, {{four, 1}, {blocked, at_24}}}});
  };
  const priced_table kept = with(1.1), gone = with(1.02);
  CHECK(kept.lines[0].is == verdict::keep);
  CHECK(kept.lines[0].kernels == 0);
  CHECK(kept.lines[2].is == verdict::keep);
  CHECK(kept.kernels_before == 4);
  CHECK(gone.lines[0].is == verdict::drop);
  CHECK(gone.lines[2].is == verdict::drop);
  CHECK(gone.kernels_after == 2);
}

TEST_CASE("a line for small batches is dropped in favour of the line for larger ones", "[autotune]") {
  const std::vector<table_line> own = {line_of(32, small, 100), line_of(32, other),
                                       line_of(cuda::any_extent, blocked)};
  const priced_table p = priced(own, {{32, {{small, 1}, {other, 1.02}, {blocked, 4}}, 100},
                                      {32, {{other, 1}, {small, 1.2}, {blocked, 4}}, 3000}});
  CHECK(p.lines[0].is == verdict::drop);
  CHECK(p.lines[1].is == verdict::keep);
  CHECK(p.lines[1].points == 2);
}

TEST_CASE("lines without points stay", "[autotune]") {
  const std::vector<table_line> own = {line_of(16, small), line_of(32, other),
                                       line_of(cuda::any_extent, blocked)};
  const priced_table p = priced(own, {{32, {{other, 1}, {blocked, 2}}}});
  CHECK(p.lines[0].is == verdict::keep);
  CHECK(contains(p.lines[0].not_priced, "not measured"));
  CHECK(p.pruned.size() == 3);
  // A table of one line that serves all must keep it.
  const std::vector<table_line> one = {line_of(cuda::any_extent, tiled)};
  const priced_table only = priced(one, {{96, {{tiled, 1}, {blocked, 1}}}});
  CHECK(only.lines[0].is == verdict::reuse);
  CHECK(kernels_of(only.pruned) == std::vector<kernel>{blocked});
}

TEST_CASE("a kernel that takes three times as long as the library's is not run at smaller sizes",
          "[autotune]") {
  struct point : measuring_point {
    std::int64_t batch() const override { return 3000; }
    verdict check(const kernel&) override { return {}; }
    double probe(const kernel& k) override { return k == blocked ? 4e-3 : k == tiled ? 2e-3 : 1e-3; }
    void measure(const kernel&, const kernel&, measurement& m) override {
      m.median_ms = m.min_ms = m.max_ms = m.reference_ms = 1;
    }
  };
  const point_maker maker = [](const named_point&) { return std::make_unique<point>(); };
  // The smaller size comes first here; the larger one is measured first.
  const std::vector<named_point> points = {{'d', 8, "b3000", 3000, small, {blocked, tiled, other}},
                                           {'d', 16, "b3000", 3000, small, {blocked, tiled, other}}};
  std::vector<measurement> all;
  measure_points(potrf, points, {}, maker,
                 {[&](const measurement& m) { all.push_back(m); }, [](const std::string&) {},
                  [](const std::string&) {}, [] { return false; }, nullptr});
  const auto count = [&](const kernel& k, int n) {
    return std::count_if(all.begin(), all.end(),
                         [&](const measurement& m) { return m.how == k && m.n == n; });
  };
  CHECK(all.front().n == 16);
  CHECK(count(blocked, 16) == 1);
  CHECK(count(blocked, 8) == 0);
  CHECK(count(tiled, 8) == 1);  // twice as long: slow, but not hopeless
  CHECK(count(other, 8) == 1);
}

TEST_CASE("points measure the reference first, record slow kernels, and are resumed", "[autotune]") {
  struct point : measuring_point {
    std::int64_t batch() const override { return 3000; }
    verdict check(const kernel&) override { return {}; }
    double probe(const kernel& k) override { return k == blocked ? 1.6e-3 : 1.4e-3; }
    void measure(const kernel& k, const kernel&, measurement& m) override {
      m.median_ms = m.min_ms = m.max_ms = k == small ? 1 : 1.4;
      m.reference_ms = 1;
    }
  };
  int made = 0;
  const point_maker maker = [&](const named_point&) {
    ++made;
    return std::make_unique<point>();
  };
  const std::vector<named_point> points = {{'d', 16, "b3000", 3000, small, {other, blocked}},
                                           {'d', 8, "b3000", 3000, small, {blocked, other}}};
  std::vector<measurement> all;
  int most = 1 << 30;
  const auto run = [&] {
    int asked = 0;
    return measure_points(potrf, points, std::vector<measurement>(all), maker,
                          {[&](const measurement& m) { all.push_back(m); }, [](const std::string&) {},
                           [](const std::string&) {}, [&] { return ++asked > most; }, nullptr});
  };
  most = 2;
  CHECK(run().interrupted);
  const std::size_t before = all.size();
  most = 1 << 30;
  const sweep_result done = run();
  CHECK_FALSE(done.interrupted);
  CHECK(done.points == 2);
  CHECK(before < all.size());
  REQUIRE(all.size() == 6);
  CHECK(all[0].how == small);
  CHECK(all[0].n == 16);
  for (const measurement& m : all) CHECK((m.result == outcome::slow) == (m.how == blocked));
  made = 0;
  run();
  CHECK(made == 0);
  CHECK(all.size() == 6);
}
