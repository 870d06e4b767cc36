// The records behind the lines of tables, without a GPU: which rows count, for which line.
#include "evidence.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
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

/// A file with these rows, of precision d.
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
