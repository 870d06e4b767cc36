// Tests of the records of tables' lines, without a GPU: which measurement counts for which line.
#include "evidence.hpp"

#include <set>

#include <string>
#include <vector>

#include "catch.hpp"
#include "kernel_list.hpp"
#include "price.hpp"
#include "price_classes.hpp"
#include "programs/autotune.hpp"

using namespace talus;
using namespace talus::tune;
using namespace talus::test;

namespace {

const std::string commit = "0123456789ab";

table_line line_of(const routine& of, std::vector<int> bounds, const std::string& how,
                   std::int64_t batch_max = cuda::any_batch) {
  table_line line = line_for(of, 'd', bounds[0], kernel_named(how));
  line.bounds = bounds;
  line.batch_max = batch_max;
  return line;
}

table table_with(const std::vector<table_line>& lines) {
  table t = table_of_some_gpu();
  t.lines = lines;
  return t;
}

/// Returns a file with these rows, in precision d.
recorded record_of(const std::vector<std::string>& rows, const std::string& head = "# commit: " + commit) {
  const scratch_folder folder;
  std::string text =
      head + "\nprecision,regime,n,batch,kernel,result,median_ms,min_ms,max_ms,reference_ms,why\n";
  for (const std::string& row : rows) text += "d," + row + ",1,1,1,1,\n";
  return read_results(folder.file("record.csv", text));
}

std::vector<int> rows_of(const routine& of, const table& t, const recorded& record,
                         const table& generic = {}) {
  std::vector<int> rows;
  for (const line_evidence& one : find_evidence(of, t, generic, {record}))
    rows.push_back(one.is_measured() ? one.rows.begin()->second : one.repeats_generic ? -1 : 0);
  return rows;
}

}  // namespace

TEST_CASE("a row is evidence of the line that its point selects, if it has the line's kernel", "[autotune]") {
  const routine& potrf = routine_named("potrf");
  const std::string one = "warp lanes=8 rows=2 tbc=8", two = "smem tiles=4",
                    last = "blocked nb=64 groups=2 tiles=2";
  const table t = table_with(
      {line_of(potrf, {16}, one, 100), line_of(potrf, {64}, two), line_of(potrf, {cuda::any_extent}, last)});
  const auto rows = [&](const std::vector<std::string>& of) { return rows_of(potrf, t, record_of(of)); };
  CHECK(rows({"b100,16,100," + one + ",ok"}) == std::vector{1, 0, 0});
  CHECK(rows({"b101,16,101," + one + ",ok"}) == std::vector{0, 0, 0});  // more than batch_max
  CHECK(rows({"b100,17,100," + one + ",ok"}) == std::vector{0, 0, 0});  // larger than the box
  CHECK(rows({"b100,16,100," + two + ",ok"}) == std::vector{0, 0, 0});  // the line above serves this point
  CHECK(rows({"b101,16,101," + two + ",ok", "fill,64,9," + two + ",ok"}) == std::vector{0, 2, 0});
  CHECK(rows({"b1,65,1," + last + ",slow"}) == std::vector{0, 0, 0});
  CHECK(rows({"b1,65,1,blocked nb=64 groups=2 tiles=1,ok"}) == std::vector{0, 0, 0});
  CHECK(rows({"b1,65,1," + last + ",ok"}) == std::vector{0, 0, 1});
  CHECK(rows_of(potrf, t, record_of({"b1,65,1," + last + ",ok"}, "# GPU: x")) == std::vector{0, 0, 0});
  // A line that the generic table has, too, needs none.
  CHECK(rows_of(potrf, t, record_of({}), table_with({t.lines[1]})) == std::vector{0, -1, 0});
  CHECK(rows_of(potrf, t, record_of({}), table_with({line_of(potrf, {48}, two)})) == std::vector{0, 0, 0});
}

TEST_CASE("rectangles and right-hand sides are read, written and found in their boxes", "[autotune]") {
  const routine& getrf = routine_named("getrf");
  const std::string small = "smem warps=1 rows=2", left = "left nb=32 warps=4 tiles=2 team=4";
  const table t =
      table_with({line_of(getrf, {64, 64}, small), line_of(getrf, {128, cuda::any_extent}, left)});
  const recorded record = record_of({"b9,128x32,9," + left + ",ok", "b9,32,9," + left + ",ok"});
  CHECK(record.all[0].of.m == 128);
  CHECK(record.all[0].n == 32);
  CHECK(rows_of(getrf, t, record) == std::vector{0, 1});
  CHECK(text_of(32, {128, 0, 0}) == "128x32");
  CHECK(text_of(32, {0, 16, 8}) == "32 k=16 nrhs=8");
  CHECK(record_of({"b9,32 k=16 nrhs=8,9," + left + ",ok"}).all[0].of == shape{0, 16, 8});
  CHECK(contains(refusal([&] { record_of({"b9,32 q=16,9," + left + ",ok"}); }), "is no measurement"));
  const routine& trsm = routine_named("trsm");
  const std::string warp = "warp lanes=16 sides=8 tbc=8";
  const table solves =
      table_with({line_of(trsm, {16, 1}, "warp lanes=16 sides=1 tbc=8"), line_of(trsm, {16, 8}, warp)});
  CHECK(rows_of(trsm, solves, record_of({"b9,16,9," + warp + ",ok"})) == std::vector{0, 0});
  CHECK(rows_of(trsm, solves, record_of({"b9,16 nrhs=8,9," + warp + ",ok"})) == std::vector{0, 1});
}

TEST_CASE("a call is evidence of the classes with their kernels that its name holds", "[autotune]") {
  const routine& mixed = routine_named("potrf_vbatched");
  const table t = table_with({line_of(mixed, {16}, "direct warp lanes=8 rows=2 tbc=8", 500),
                              line_of(mixed, {64}, "queued smem tiles=4"),
                              line_of(mixed, {cuda::any_extent}, "greedy blocked nb=64 groups=2 tiles=2")});
  const auto rows = [&](const std::string& call, const std::string& head = "# commit: " + commit) {
    return rows_of(mixed, t, record_of({call + ",ok"}, head));
  };
  // Names in records of prices.
  CHECK(rows("b500,16,400,direct 16:warp/lanes:8/rows:2/tbc:8") == std::vector{1, 0, 0});
  CHECK(rows("b501,16,400,direct 16:warp/lanes:8/rows:2/tbc:8") == std::vector{0, 0, 0});
  CHECK(rows("b500,16,400,ordered 16:warp/lanes:8/rows:2/tbc:8") == std::vector{0, 0, 0});
  CHECK(rows("b9,99,9,32+64:smem/tiles:4+any_extent:greedy/blocked/nb:64/groups:2/tiles:2") ==
        std::vector{0, 1, 1});
  CHECK(rows("b9,99,9,32+64+any_extent:lazy/blocked/nb:64/groups:2/tiles:2") == std::vector{0, 0, 0});
  // Words for classes at the head of a sweep's file.
  const std::string head =
      "# commit: " + commit +
      "\n# classes d: 64 queued smem tiles=4; any_extent lazy blocked nb=64 groups=2 tiles=2"
      "\n# alone d: 16.1 queued warp lanes=8 rows=2 tbc=8";
  CHECK(rows("b500,16,500,direct 16.1", head) == std::vector{1, 0, 0});
  CHECK(rows("b500,16,500,ordered 16.1", head) == std::vector{0, 0, 0});
  CHECK(rows("b500,99,500,64+any_extent again", head) == std::vector{0, 1, 0});
}

TEST_CASE("each row has the commit above it", "[autotune]") {
  const scratch_folder folder;
  const std::string row = "d,b9,16,9,smem tiles=4,ok,1,1,1,1,\n";
  const recorded two =
      read_results(folder.file("two.csv", "# commit: one\n" + row + "# commit: two\n" + row));
  CHECK(two.all[0].commit == "one");
  CHECK(two.all[1].commit == "two");
}

TEST_CASE("a line adds the listed kernels of its family, precision and parameters", "[autotune]") {
  const scratch_folder folder;
  const std::string head = "# nvcc: 13.0.88\nname,registers,stack,shared,bytes,hash\n";
  const std::vector<listed_kernel> list = read_kernel_list(
      folder.file("kernels.csv", head + "any_kernel,4,0,0,48,c4b9\n"
                                        "\"potrf_warp<double, warp_policy<8, 2, 0, false, false>, "
                                        "equal_sizes<double>, no_epilogue>\",1,0,0,1024,a\n"
                                        "\"potrf_warp<double, warp_policy<8, 2, 5, false, false>, "
                                        "equal_sizes<double>, no_epilogue>\",1,0,0,9,b\n"
                                        "\"potrf_warp<float, warp_policy<8, 2, 0, false, false>, "
                                        "equal_sizes<float>, no_epilogue>\",1,0,0,9,c\n"
                                        "\"potrf_warp<double, warp_policy<8, 2, 0, false, false>, "
                                        "mixed_sizes<x>, no_epilogue>\",1,0,0,3072,d\n"
                                        "\"potrf_warp<double, warp_policy<8, 2, 0, false, false>, "
                                        "equal_sizes<double>, solve_in_warp<double> "
                                        ">\",1,0,0,2048,e\n"));
  CHECK(list.size() == 6);
  const auto words = [&](const char* name, const std::string& how) {
    const routine& of = routine_named(name);
    return words_of_kernels(kernels_of(of, line_of(of, std::vector<int>(of.extents.size(), 8), how), list));
  };
  CHECK(words("potrf", "warp lanes=8 rows=2 tbc=8") == "adds 1 kernel, 1 kB");
  CHECK(words("posv", "warp lanes=8 rows=2 tbc=16") == "adds 1 kernel, 2 kB");
  CHECK(words("potrf_vbatched", "queued warp lanes=8 rows=2 tbc=8") == "adds 1 kernel, 3 kB");
  CHECK(words("potrf", "warp lanes=8 rows=4 tbc=8") == "adds kernels that the list does not name");
  CHECK(contains(refusal([&] { read_kernel_list(folder.file("none.csv", "a,b\n")); }),
                 "is no list of kernels"));
}

TEST_CASE("each routine with a table has points or calls in its lines' boxes", "[autotune]") {
  const auto points_of = [](const routine& of, const std::vector<table_line>& own) {
    price_plan plan;
    plan.limits = cuda::limits_of(90);
    return price_points(of, own, {}, plan);
  };
  const routine& geqrf = routine_named("geqrf");
  const std::vector<table_line> tall = {
      line_of(geqrf, {16, 16}, "warp down=1 across=4 rows=16 columns=4 shrink=4 tbc=8"),
      line_of(geqrf, {8192, 8}, "cluster nb=8 warps=8 rows=4 strip=1"),
      line_of(geqrf, {cuda::any_extent, cuda::any_extent}, "blocked nb=16 warps=8 strip=1")};
  bool is_corner = false, is_rectangle = false;
  for (const named_point& p : points_of(geqrf, tall)) {
    const table_line* const line = selected(geqrf, tall, p.n, p.batch, p.of);
    REQUIRE(line);
    CHECK(line->how == p.reference);
    is_rectangle = is_rectangle || (p.of.m == 4 * p.n && p.reference == tall[2].how);
    is_corner = is_corner || (p.of.m > p.n && p.reference == tall[1].how);
  }
  CHECK(is_rectangle);
  CHECK(is_corner);
  const routine& trsm = routine_named("trsm");
  const std::vector<table_line> sides = {
      line_of(trsm, {32, 8}, "warp lanes=32 sides=8 tbc=4"),
      line_of(trsm, {256, 32}, "strips tiles=4 warps=2 blocks=4"),
      line_of(trsm, {cuda::any_extent, cuda::any_extent}, "strips tiles=4 warps=4 blocks=2")};
  std::set<int> nrhs;
  for (const named_point& p : points_of(trsm, sides)) nrhs.insert(p.of.nrhs);
  CHECK(nrhs.count(0) == 1);
  CHECK(nrhs.count(8) == 1);
  CHECK(*nrhs.rbegin() == 48);  // n right-hand sides, for n = 1.5 times the bound of the line before
  // Fronts of one size, and products of mixed sizes.
  const routine& split = routine_named("getrf_partial_split");
  CHECK_FALSE(split.is_swept);
  const std::vector<table_line> fronts = {
      line_of(split, {32, 32, 32}, "direct smem_front warps=1 rows=1 blocks=20", 100),
      line_of(split, {160, 160, 16}, "queued smem_front warps=4 rows=1 blocks=4"),
      line_of(split, {cuda::any_extent, cuda::any_extent, cuda::any_extent},
              "queued front_strips tiles=4 warps=4 rows=2 columns=4 blocks=2")};
  std::set<int> k;
  for (const named_point& p : points_of(split, fronts)) {
    CHECK(p.reference.schedule.empty());
    k.insert(p.of.k);
  }
  CHECK(k.count(16) == 1);
  // A class below a lone line has a point, though no call of one size selects it.
  const std::vector<table_line> classes = {
      fronts[0], line_of(split, {16, 16, 16}, "filtered smem_front warps=2 rows=2", 100), fronts[2]};
  bool has_class = false;
  for (const named_point& p : points_of(split, classes))
    has_class = has_class || (p.n == 16 && p.batch == 100 && value_of(p.reference, "warps") == 2);
  CHECK(has_class);
  const routine& gemm = routine_named("gemm_vbatched");
  const std::vector<table_line> products = {
      line_of(gemm, {16, 16, cuda::any_extent}, "queued small_products blocks=4"),
      line_of(gemm, {cuda::any_extent, cuda::any_extent, cuda::any_extent},
              "queued products rows=2 columns=4 down=4 across=1 blocks=2 parts=16")};
  class_price_plan plan;
  plan.limits = cuda::limits_of(90);
  const class_prices prices = price_calls(gemm, products, {}, plan);
  REQUIRE(prices.calls.size() >= 1);
  CHECK(prices.calls.front().n_max == 16);
  CHECK(contains(prices.calls.front().table_name, "16x16xany_extent:small_products/blocks:4"));
  // Measured whether or not another line can serve.
  plan.all_calls = true;
  for (const class_price_call& call : price_calls(gemm, products, {}, plan).calls)
    CHECK_FALSE(call.others.empty());
}
