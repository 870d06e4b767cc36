// The bench's plans and reports: what is asked for, and what is written.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "batches.hpp"
#include "catch.hpp"
#include "measure/kernel_text.hpp"
#include "measure/plan.hpp"
#include "measure/precisions.hpp"
#include "measure/routines.hpp"
#include "report.hpp"
#include "trees.hpp"
#include "ways.hpp"

using namespace talus;
using namespace talus::measure;
using namespace talus::bench;
using Sizes = std::vector<int>;
using Texts = std::vector<std::string>;

namespace {

/// What the refusal of a text says; empty if it was taken.
template <class Parse>
std::string refusal(Parse parse, const std::string& text) {
  try {
    parse(text);
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bench::row row_of(const std::string& library, double median_ms) {
  bench::row r;
  r.library = library;
  r.routine = "potrf";
  r.precision = "d";
  r.regime = "fill";
  r.m = r.n = 32;
  r.batch = 3000;
  r.median_ms = r.min_ms = r.max_ms = median_ms;
  return r;
}

/// Equal but for rounding.
bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The orders of fronts, or their pivots.
Sizes orders_of(const std::vector<sizes>& fronts) {
  Sizes all;
  for (const sizes& one : fronts) {
    CHECK(one.m == one.n);
    all.push_back(one.n);
  }
  return all;
}
Sizes pivots_of(const std::vector<sizes>& fronts) {
  Sizes all;
  for (const sizes& one : fronts) all.push_back(one.k);
  return all;
}

/// A file for as long as a test needs it.
class text_file {
 public:
  explicit text_file(const std::string& text) { std::ofstream(path) << text; }
  ~text_file() { std::remove(path.c_str()); }
  const std::string path = "talus_bench_test_input.csv";
};

}  // namespace

TEST_CASE("sizes: parts of the grid, steps, lists", "[bench]") {
  CHECK(parse_sizes("2:8") == Sizes{2, 4, 6, 8});
  CHECK(parse_sizes("100:200") == Sizes{112, 128, 160, 192});
  CHECK(parse_sizes("2:1024") == grid);
  CHECK(parse_sizes("30:36:2") == Sizes{30, 32, 34, 36});
  CHECK(parse_sizes("30:35:2") == Sizes{30, 32, 34});
  CHECK(parse_sizes("7:7:1") == Sizes{7});
  CHECK(parse_sizes("100") == Sizes{100});
  CHECK(parse_sizes("64,8,13") == Sizes{64, 8, 13});
}

TEST_CASE("sizes: a refusal names the text and what is wrong with it", "[bench]") {
  for (const std::string bad : {"", "abc", "8,", ",8", "8,,9", "-4", "4.5", "0", "0:8", "8:", ":8", "8:4",
                                "2:8:0", "2:8:2:1", "2:8:-1", "40000", "99999999999999999999", "3:3", " 8"}) {
    INFO("sizes '" << bad << "'");
    const std::string message = refusal(parse_sizes, bad);
    CHECK(contains(message, "'" + bad + "'"));
  }
  CHECK(contains(refusal(parse_sizes, "8:4"), "the first size is above the last"));
  CHECK(contains(refusal(parse_sizes, "2:8:0"), "has '0' where the step is expected"));
  CHECK(contains(refusal(parse_sizes, "40000"), "from 1 to 32768"));
  CHECK(contains(refusal(parse_sizes, "4,x"), "'x'"));
  CHECK(contains(refusal(parse_sizes, "3:3"), "no size of the grid"));
}

TEST_CASE("shapes are sizes, or rows and columns", "[bench]") {
  const auto texts = [](const std::string& text) {
    std::vector<std::string> all;
    for (const sizes& s : parse_shapes(text)) {
      CHECK(s.k == std::min(s.m, s.n));
      all.push_back(std::to_string(s.m) + ' ' + std::to_string(s.n) + ' ' + text_of(s));
    }
    return joined(all);
  };
  CHECK(texts("30:34:2") == "30 30 30; 32 32 32; 34 34 34");
  CHECK(texts("256x16,8,3x100,7x7") == "256 16 256x16; 8 8 8; 3 100 3x100; 7 7 7");
  CHECK(contains(refusal(parse_shapes, "8,4x"), "'8,4x' has '' where a size is expected"));
  CHECK(contains(refusal(parse_shapes, "x4"), "has '' where a size is expected"));
  CHECK(contains(refusal(parse_shapes, "4x4x4"), "has '4x4x4', where rows and columns are expected"));
  CHECK(contains(refusal(parse_shapes, "4x40000"), "from 1 to 32768"));
  CHECK(contains(refusal(parse_shapes, "4:8,2x2"), "'4:8'"));
}

TEST_CASE("regimes", "[bench]") {
  CHECK(parse_regime("fill").batch_count == 0);
  CHECK(parse_regime("b3000").batch_count == 3000);
  CHECK(parse_regime("b3000").name == "b3000");
  CHECK(parse_regime("b10000000000").batch_count == 10000000000);
  for (const std::string bad : {"", "b", "b0", "b-1", "3000", "full", "b3e3", "b99999999999999999999"}) {
    INFO("regime '" << bad << "'");
    CHECK(contains(refusal(parse_regime, bad), "'" + bad + "'"));
  }
}

TEST_CASE("fill: how many matrices", "[bench]") {
  const fill gpu_double = fill_of(backend::cuda, 'd', 8, 0);
  CHECK(gpu_double.batch_count(32 * 32 * 8) == 122070);                        // 1e9 / 8192
  CHECK(gpu_double.batch_count(2 * 2 * 8) == 1000000);                         // not more than a million
  CHECK(gpu_double.batch_count(4e9) == 1);                                     // never none
  CHECK(fill_of(backend::cuda, 's', 8, 0).batch_count(64 * 64 * 4) == 30517);  // 0.5e9 / 16384
  CHECK(fill_of(backend::cuda, 'z', 8, 0).batch_count(64 * 64 * 16) == 15258);

  const fill host = fill_of(backend::host, 'd', 2, 0);
  CHECK(host.batch_count(32 * 32 * 8) == 12208);     // at least 100 MB
  CHECK(host.batch_count(1024.0 * 1024 * 8) == 12);  // more than four per thread anyway
  CHECK(fill_of(backend::host, 'd', 64, 0).batch_count(1024.0 * 1024 * 8) == 30);  // no more than 256 MB

  CHECK(fill_of(backend::host, 'd', 64, 8192).batch_count(32 * 32 * 8) == 1);
  CHECK(fill_of(backend::cuda, 'd', 8, 64e6).batch_count(2 * 2 * 8) == 2000000);
}

TEST_CASE("short runs are repeated more often, none less than asked for", "[bench]") {
  CHECK(wanted_repeats(5, 1.0) == 5);
  CHECK(wanted_repeats(5, 1e-3) == 20);
  CHECK(wanted_repeats(5, 1e-6) == 300);
  CHECK(wanted_repeats(5, 0) == 300);
  CHECK(wanted_repeats(400, 1e-6) == 400);
}

TEST_CASE("medians", "[bench]") {
  const statistics odd = statistics_of({5, 1, 9, 2, 7});
  CHECK(odd.median == 5);
  CHECK(odd.min == 1);
  CHECK(odd.max == 9);
  CHECK(statistics_of({4, 1, 3, 2}).median == 2.5);
  CHECK(statistics_of({6}).median == 6);
}

TEST_CASE("operation counts against hand-counted ones", "[bench]") {
  // n = 1: one square root. n = 2: 2 roots, 1 division, 1 multiply and 1 subtraction. n = 3: 3 roots, 3
  // divisions, 4 multiply-subtracts, two flops each.
  using std::complex;
  const auto n = [](int order, int nrhs = 0) { return sizes{order, order, order, nrhs}; };
  CHECK(close(measure::potrf<double>::flops(n(1)), 1));
  CHECK(close(measure::potrf<double>::flops(n(2)), 5));
  CHECK(close(measure::potrf<double>::flops(n(3)), 14));
  CHECK(close(measure::potrf<complex<float>>::flops(n(3)), 56));
  CHECK(close(measure::potrf_vbatched<double>::flops(n(3)), 14));
  // Of n = 3 and one column: 1 root, 2 divisions, 3 multiply-subtracts. All columns are potrf's, none
  // nothing.
  CHECK(close(measure::potrf_partial_vbatched<double>::flops({3, 3, 1}), 1 + 2 + 6));
  CHECK(close(measure::potrf_partial_vbatched<complex<double>>::flops({3, 3, 1}), 36));
  CHECK(close(measure::potrf_partial_vbatched<double>::flops(n(3)), 14));
  CHECK(measure::potrf_partial_vbatched<double>::flops({300, 300, 0}) == 0);
  CHECK(close(measure::potrs<float>::flops(n(10, 3)), 600));
  CHECK(close(measure::potrs<complex<double>>::flops(n(10, 3)), 2400));
  CHECK(close(measure::posv<double>::flops(n(3, 2)), 14 + 36));
  CHECK(close(measure::potri<double>::flops(n(1)), 2));
  CHECK(close(measure::potri<double>::flops(n(2)), 9));
  // A reciprocal for each column, a product for each element below the diagonal, two flops for each update.
  CHECK(close(measure::getrf<double>::flops(n(1)), 1));
  CHECK(close(measure::getrf<double>::flops(n(3)), 3 + 3 + 10));
  CHECK(close(measure::getrf<double>::flops({3, 2, 2}), 2 + 3 + 4));
  CHECK(close(measure::getrf_vbatched<double>::flops({2, 3, 2}), 2 + 1 + 4));
  CHECK(close(measure::getrf_partial_vbatched<double>::flops({3, 3, 1}), 1 + 2 + 8));
  CHECK(close(measure::getrf_partial_vbatched<double>::flops({3, 2, 1}), 1 + 2 + 4));
  CHECK(close(measure::getrf_partial_vbatched<complex<float>>::flops(n(3)), 64));
  CHECK(measure::getrf_partial_vbatched<double>::flops({300, 200, 0}) == 0);
  CHECK(close(measure::getrf_nopiv<complex<float>>::flops(n(3)), 64));
  CHECK(close(measure::getrs<complex<double>>::flops(n(10, 3)), 2400));
  CHECK(close(measure::gesv<double>::flops(n(3, 2)), 16 + 36));
  CHECK(close(measure::getri<double>::flops(n(1)), 2));
  CHECK(close(measure::getri_outofplace<double>::flops(n(3)), 32));
  // LAPACK's counts; of wide matrices that of a triangle and what is right of it.
  CHECK(close(measure::geqrf<double>::flops(n(1)), 8));
  CHECK(close(measure::geqrf<double>::flops({3, 2, 2}), 24 - 16.0 / 3 + 6 + 4 + 28.0 / 3));
  CHECK(close(measure::geqrf<double>::flops({2, 3, 2}), 24 - 16.0 / 3 + 18 - 4 + 28.0 / 3));
  CHECK(close(measure::geqrf_vbatched<std::complex<double>>::flops(n(1)), 32));
  CHECK(close(measure::ormqr<double>::flops({3, 2, 2}), 48 - 16));
  CHECK(close(measure::ormqr<double>::flops({2, 3, 2}), 48 - 24));
  CHECK(close(measure::orgqr<double>::flops({3, 2, 2}), 48 - 40 + 32.0 / 3));
  CHECK(close(measure::orgqr<float>::flops({2, 5, 2}), measure::orgqr<float>::flops(n(2))));
  CHECK(close(measure::qr<double>::flops(n(1)), 8 + 4.0 / 3));
  CHECK(close(measure::gels<double>::flops({3, 2, 2, 2}), 38 + 2 * (24 - 8 + 4)));
  CHECK(measure::gels<double>::flops({2, 3, 2, 2}) == measure::gels<double>::flops({3, 2, 2, 2}));
}

TEST_CASE("bytes against hand-counted ones", "[bench]") {
  // Double, n = 6: columns of 48, 40, 32, 24, 16, 8 bytes are 2, 2, 1, 1, 1, 1 sectors of 32.
  CHECK(triangle_bytes<double>(6) == 256);
  const auto n = [](int order, int nrhs = 0) { return sizes{order, order, order, nrhs}; };
  CHECK(measure::potrf<double>::bytes(n(6)) == 512);
  CHECK(measure::potri<double>::bytes(n(6)) == 512);
  CHECK(measure::potrs<double>::bytes(n(6, 0)) == 256);
  CHECK(measure::potrs<double>::bytes(n(6, 2)) == 256 + 2 * 96);
  CHECK(measure::posv<double>::bytes(n(6, 1)) == 512 + 2 * 48);
  // n = 2: the whole square is one sector, its columns share it.
  CHECK(measure::potrf<double>::bytes(n(2)) == 64);
  CHECK(measure::potrf<float>::bytes(n(4)) == 128);
  // However few columns of a front are eliminated, all of it changes; without any nothing does.
  CHECK(measure::potrf_partial_vbatched<double>::bytes({6, 6, 1}) == 512);
  CHECK(measure::potrf_partial_vbatched<double>::bytes({6, 6, 0}) == 0);
  CHECK(measure::getrf_partial_vbatched<double>::bytes({5, 3, 2}) == 2 * 120 + 8);
  CHECK(measure::getrf_partial_vbatched<double>::bytes({5, 3, 0}) == 0);
  // Complex double, n = 3: 48, 32, 16 bytes: 2 + 1 + 1 sectors, less than the square's 144 bytes.
  CHECK(measure::potrs<std::complex<double>>::bytes(n(3)) == 128);
  // Whole matrices share the sectors at their ends; 4 bytes are a pivot.
  CHECK(measure::getrf<double>::bytes({5, 3, 3}) == 2 * 120 + 12);
  CHECK(measure::getrf_nopiv<double>::bytes({5, 3, 3}) == 240);
  CHECK(measure::getrs<float>::bytes(n(3, 2)) == 36 + 12 + 2 * 24);
  CHECK(measure::gesv<float>::bytes(n(3, 2)) == 72 + 12 + 2 * 24);
  CHECK(measure::getri_outofplace<float>::bytes(n(3, 3)) == 72 + 12);
  // tau's elements; of the reflectors and of Q min(m, n) columns; R's rows.
  CHECK(measure::geqrf<double>::bytes({5, 3, 3}) == 2 * 120 + 24);
  CHECK(measure::ormqr<double>::bytes({3, 5, 3}) == 72 + 24 + 2 * 120);
  CHECK(measure::orgqr<double>::bytes({3, 5, 3}) == 2 * 72 + 24);
  CHECK(measure::qr<double>::bytes({5, 3, 3}) == 2 * 120 + 72);
  CHECK(measure::gels<double>::bytes({5, 3, 3, 2}) == 120 + 80 + 80);
  CHECK(measure::gels<double>::bytes({3, 5, 3, 2}) == 120 + 48 + 80);
}

TEST_CASE("floor: the slower of moving and computing", "[bench]") {
  machine m;
  m.bandwidth = 100;
  m.peak_double = 10;
  m.peak_single = 20;
  CHECK(m.floor_seconds<double>(200, 10) == 2);
  CHECK(m.floor_seconds<double>(200, 40) == 4);
  CHECK(m.floor_seconds<std::complex<float>>(200, 80) == 4);
}

TEST_CASE("CSV: header and lines are exact", "[bench]") {
  CHECK(std::string(csv_header) ==
        "library,routine,precision,regime,m,n,batch,median_ms,min_ms,max_ms,gflops,roofline_fraction,note");
  bench::row r = row_of("talus", 1.5);
  r.min_ms = 1.25;
  r.max_ms = 2;
  r.gflops = 1234.5;
  r.roofline_fraction = 0.625;
  r.note = "line 3";
  CHECK(csv_line(r) == "talus,potrf,d,fill,32,32,3000,1.5,1.25,2,1234.5,0.6250,line 3");
  r.note = "a, \"b\"";
  CHECK(csv_line(r) == "talus,potrf,d,fill,32,32,3000,1.5,1.25,2,1234.5,0.6250,\"a, \"\"b\"\"\"");
}

TEST_CASE("CSV: rows are on disk as they come, behind the facts", "[bench]") {
  const std::string path = "talus_bench_test.csv";
  machine m;
  m.name = "some processor";
  {
    csv_file file(path, facts_of(m, backend::host, "talus-bench --sizes 32"));
    file.add({row_of("talus", 1), row_of("copy", 0.5)});
    const std::vector<std::string> lines = lines_of(path);
    REQUIRE(lines.size() > 3);
    CHECK(lines.front() == "# CPU: some processor");
    CHECK(lines[lines.size() - 3] == csv_header);
    CHECK(lines.back() == csv_line(row_of("copy", 0.5)));
    for (std::size_t i = 0; i + 3 < lines.size(); ++i) CHECK(lines[i].rfind("# ", 0) == 0);
    CHECK(std::count(lines.begin(), lines.end(), "# command: talus-bench --sizes 32") == 1);
  }
  std::remove(path.c_str());
}

TEST_CASE("a file that cannot be written is reported when it is opened", "[bench]") {
  const std::string path = "no/such/folder/results";
  const auto message = [](auto open) -> std::string {
    try {
      open();
      return "";
    } catch (const std::runtime_error& e) {
      return e.what();
    }
  };
  CHECK(contains(message([&] { csv_file(path + ".csv", {}); }), path + ".csv"));
  if (has_json) CHECK(contains(message([&] { json_file(path + ".json", {}, {}); }), path + ".json"));
}

TEST_CASE("a file that takes nothing more is lost output, not a wrong result", "[bench]") {
  if (!std::ifstream("/dev/full")) return;  // not on Linux
  CHECK_THROWS_AS(csv_file("/dev/full", {}), write_error);
  if (has_json) CHECK_THROWS_AS(json_file("/dev/full", {}, {}), write_error);
}

TEST_CASE("JSON holds the same rows and the machine", "[bench]") {
  if (!has_json) return;
  const std::string path = "talus_bench_test.json";
  machine m;
  m.name = "some \"processor\"";
  m.bandwidth = 5e10;
  {
    json_file file(path, m, facts_of(m, backend::host, "talus-bench"));
    file.add({row_of("talus", 1)});
    file.add({row_of("copy", 0.5)});
  }
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path.c_str());
  CHECK(contains(text.str(), R"("name": "some \"processor\"")"));
  CHECK(contains(text.str(), R"("bandwidth": 50000000000.0)"));
  CHECK(contains(text.str(), R"("library": "talus")"));
  CHECK(contains(text.str(), R"("library": "copy")"));
  CHECK(contains(text.str(), R"("batch": 3000)"));
}

TEST_CASE("speed-up over the best peer; neither the copy nor a wrong result is one", "[bench]") {
  std::vector<bench::row> rows = {row_of("talus", 2), row_of("copy", 1), row_of("slow", 6),
                                  row_of("good", 3)};
  CHECK(close(speed_up_of(rows).factor, 1.5));
  CHECK(speed_up_of(rows).peer == "good");
  rows[3].note = wrong_result;
  CHECK(speed_up_of(rows).peer == "slow");
  CHECK(speed_up_of({row_of("talus", 2), row_of("copy", 1)}).factor == 0);

  const auto at = [](int n, std::vector<bench::row> some) {
    for (bench::row& r : some) r.n = n;
    return some;
  };
  const table layout("n", {});
  const std::string words = layout.summary({at(8, {row_of("talus", 1), row_of("x", 4)}),
                                            at(16, {row_of("talus", 3), row_of("y", 3), row_of("x", 4)}),
                                            at(32, {row_of("talus", 1), row_of("copy", 1)})});
  CHECK(contains(words, "over 2 batches talus is 2.00 times as fast as the best of the others"));
  CHECK(contains(words, "2.00 times"));
  CHECK(contains(words, "least at n = 16, 1.00 times y"));
  CHECK(layout.summary({at(8, {row_of("talus", 1)})}).empty());
}

TEST_CASE("the table has a column for each library, a dash where one did not run", "[bench]") {
  const table layout("n", {{"copy", "copy"}, {"good", "good"}, {"absent", "absent"}});
  const std::string line = layout.line("32", {row_of("talus", 2), row_of("copy", 1), row_of("good", 3)});
  CHECK(contains(layout.head(), "good"));
  CHECK(contains(line, "50 %"));
  CHECK(contains(line, "1.50"));
  CHECK(contains(line, "2.000"));
  CHECK(line.back() == '-');
}

TEST_CASE("distributions: a name, or a tree's file", "[bench]") {
  using kind = distribution::kind;
  CHECK(parse_distribution("uniform").is == kind::uniform);
  CHECK(parse_distribution("gaussian").is == kind::gaussian);
  const distribution d = parse_distribution("tree:some/folder/p3d7_32.csv");
  CHECK(d.is == kind::tree);
  CHECK(d.name == "tree:p3d7_32");
  CHECK(d.path == "some/folder/p3d7_32.csv");
  CHECK(parse_distribution("tree:fronts").name == "tree:fronts");
  for (const std::string bad : {"", "normal", "tree", "tree:", "Uniform"}) {
    INFO("distribution '" << bad << "'");
    CHECK(contains(refusal(parse_distribution, bad), "'" + bad + "'"));
  }
}

TEST_CASE("random sizes are the same everywhere and within bounds", "[bench]") {
  using kind = distribution::kind;
  // As another program computes them in exact fractions.
  CHECK(random_sizes(kind::uniform, 512, 8, 1) == Sizes{291, 382, 498, 228, 228, 391, 450, 268});
  CHECK(random_sizes(kind::gaussian, 512, 8, 1) == Sizes{378, 203, 206, 378, 306, 138, 365, 284});
  CHECK(random_sizes(kind::uniform, 512, 8, 2) != random_sizes(kind::uniform, 512, 8, 1));
  for (const kind is : {kind::uniform, kind::gaussian}) {
    const Sizes few = random_sizes(is, 1000, 10, 7), many = random_sizes(is, 1000, 20, 7);
    CHECK(std::equal(few.begin(), few.end(), many.begin()));
    for (const int n_max : {1, 2, 3, 16, 1024, largest_size}) {
      const Sizes sizes = random_sizes(is, n_max, 20000, 1);
      const auto ends = std::minmax_element(sizes.begin(), sizes.end());
      CHECK(*ends.first >= 1);
      CHECK(*ends.second <= n_max);
      if (n_max <= 16) CHECK((*ends.first == 1 && *ends.second == n_max));
    }
  }
  // Mean and standard deviation of gaussian sizes: half and a sixth of the maximum.
  double sum = 0, squares = 0;
  for (const int n : random_sizes(kind::gaussian, 600, 100000, 1)) {
    sum += n / 1e5;
    squares += static_cast<double>(n) * n / 1e5;
  }
  CHECK(std::abs(sum - 300) < 1.5);
  CHECK(std::abs(std::sqrt(squares - sum * sum) - 100) < 1);
}

namespace {

/// Comments, ends of lines as Windows has them, fronts without pivots and without rows.
const std::string some_tree =
    "level,n,k,count\n"
    "0,4,1,2\r\n"
    "0,5,0,1\n"
    "# a comment\n"
    "1,0,0,3\n"
    "1,9,9,1\n"
    "2,7,2,2\n";

}  // namespace

TEST_CASE("trees: fronts by level, in the file's order", "[bench]") {
  const text_file file(some_tree);
  const tree all = read_tree(file.path, largest_size);
  REQUIRE(all.levels.size() == 3);
  CHECK(all.levels[0].name == "0");
  CHECK(orders_of(all.levels[0].fronts) == Sizes{4, 4, 5});
  CHECK(pivots_of(all.levels[0].fronts) == Sizes{1, 1, 0});
  CHECK(orders_of(all.levels[1].fronts) == Sizes{9});  // fronts without rows have nothing to factor
  CHECK(pivots_of(all.levels[1].fronts) == Sizes{9});
  CHECK(orders_of(all.levels[2].fronts) == Sizes{7, 7});
  CHECK(pivots_of(all.levels[2].fronts) == Sizes{2, 2});
  CHECK(all.left_out == 0);
  const tree small = read_tree(file.path, 4);
  REQUIRE(small.levels.size() == 1);
  CHECK(orders_of(small.levels[0].fronts) == Sizes{4, 4});
  CHECK(small.left_out == 4);
  CHECK(small.levels[0].left_out == 1);
}

TEST_CASE("trees: a refusal names file, line and value", "[bench]") {
  const auto read = [](const std::string& path) { read_tree(path, largest_size); };
  CHECK(contains(refusal(read, "no/such/file.csv"), "'no/such/file.csv' cannot be read"));
  const std::string head = "level,n,k,count\n";
  const auto message = [&](const std::string& text) {
    const text_file file(text);
    const std::string words = refusal(read, file.path);
    CHECK(contains(words, "'" + file.path + "'"));
    return words;
  };
  CHECK(contains(message(""), "is empty"));
  CHECK(contains(message("n,count\n4,1\n"), "has 'n,count' where the columns level,n,k,count are expected"));
  CHECK(contains(message(head + "0,4,1,1\n0,4,1\n"), "line 3: '0,4,1' is not of the columns"));
  CHECK(contains(message(head + "0,4,1,x\n"), "line 2: '0,4,1,x' has 'x' where the count of fronts"));
  CHECK(contains(message(head + "0,-4,1,1\n"), "has '-4' where the order n"));
  CHECK(contains(message(head + "0,40000,1,1\n"), "from 0 to 32768"));
  CHECK(contains(message(head + "0,4,5,1\n"), "has '5' where the number of pivots k"));
  CHECK(contains(message(head + "0,4,1,0\n"), "has '0' where the count of fronts"));
  CHECK(contains(message(head + "a,4,1,1\n"), "has 'a' where the level"));
  CHECK(contains(message(head + "0,4,1,99999999999999999999\n"), "the count of fronts"));
}

TEST_CASE("batches of a tree are its levels; k counts where a routine has it", "[bench]") {
  const text_file file(some_tree);
  options o;
  o.distributions = {"tree:" + file.path, "uniform"};
  o.maxima = "20";
  o.batch = 50;
  const auto partial = series_of_mixed<measure::potrf_partial_vbatched<double>>(o);
  REQUIRE(partial.size() == 2);
  CHECK(partial[0].sum_label == "tree:talus_bench_test_input:all");
  REQUIRE(partial[0].batches.size() == 3);
  const batch_to_measure& leaves = partial[0].batches[0];
  CHECK(leaves.regime == "tree:talus_bench_test_input:0");
  CHECK(leaves.count == 3);
  CHECK(pivots_of(leaves.each) == Sizes{1, 1, 0});
  CHECK(leaves.largest.n == 5);
  CHECK(leaves.largest.k == 1);
  REQUIRE(partial[1].batches.size() == 1);
  CHECK(orders_of(partial[1].batches[0].each) == random_sizes(distribution::kind::uniform, 20, 50, 1));
  for (const sizes& one : partial[1].batches[0].each) CHECK(one.k == (one.n + 1) / 2);

  const auto whole = series_of_mixed<measure::getrf_vbatched<double>>(o);
  CHECK(pivots_of(whole[0].batches[0].each) == Sizes{4, 4, 5});
  CHECK(pivots_of(whole[1].batches[0].each) == orders_of(partial[1].batches[0].each));
}

TEST_CASE("--tree is --distribution tree:FILE, and short names mean what takes a tree", "[bench]") {
  options o;
  o.routine = "potrf_partial";
  o.trees = {"some/a.csv", "b.csv"};
  o.given = {"--tree"};
  const options meant = with_trees(o);
  CHECK(meant.routine == "potrf_partial_vbatched");
  CHECK(meant.distributions == Texts{"tree:some/a.csv", "tree:b.csv"});
  CHECK(meant.given.count("--distribution") == 1);  // a figure's own does not take its place
  for (const std::string name : {"potrf_vbatched", "getrf_partial_vbatched", "potrf", "figure"}) {
    o.routine = name;
    CHECK(with_trees(o).routine == name);
    CHECK(with_trees(o).distributions == meant.distributions);
  }
  CHECK(short_names() == Texts{"potrf_partial", "getrf_partial"});

  const auto message = [](const options& asked) {
    return refusal([&](const std::string&) { with_trees(asked); }, "");
  };
  o.given.insert("--distribution");
  CHECK(contains(message(o), "--tree: 'some/a.csv,b.csv' beside --distribution"));
  o.given = {"--tree"};
  o.trees = {"a.csv", ""};
  CHECK(contains(message(o), "--tree: '' names no file"));
  o.trees.clear();
  o.given.clear();
  o.routine = "getrf_partial";
  CHECK(contains(message(o),
                 "routine: getrf_partial takes trees, by --tree FILE; getrf_partial_vbatched takes"));
  o.routine = "getrf_partial_vbatched";
  CHECK(with_trees(o).distributions == Texts{"uniform"});
}

TEST_CASE("times of peers on trees: levels, and all of them together", "[bench]") {
  const std::string head = "library,routine,precision,tree,level,n_max,fronts,median_ms,gflops\n";
  {
    const text_file file(head +
                         "magma,potrf_partial,d,p3d7_48.csv,0,57,21642,0.35,56\n"
                         "magma,potrf_partial,d,p3d7_48.csv,1,130,1368,0.25,258\n"
                         "magma,potrf_partial,d,p3d7_48.csv,2,90,2,0.5,10\n"
                         "magma,potrf_partial,d,p3d7_48.csv,all,,3,1.1,91\n"
                         "magma,potrf_partial,d,other.csv,0,300,5,7,8\n"
                         "magma,potrf_partial,d,other.csv,all,,1,7,8\n");
    const std::vector<peer_time> times = read_peer_times(file.path);
    const auto find = [&](const char* regime, int n, std::int64_t batch) {
      return find_peer_time(times, "magma", "potrf_partial", "d", regime, n, batch);
    };
    REQUIRE(find("tree:p3d7_48:1", 130, 1368));
    CHECK(find("tree:p3d7_48:1", 130, 1368)->median_ms == 0.25);
    CHECK(find("tree:p3d7_48:1", 130, 1368)->file == file.path);
    CHECK_FALSE(find("tree:p3d7_48:1", 57, 1368));
    // As a tree that is cut off has fewer fronts, it gets no time of all of them.
    REQUIRE(find("tree:p3d7_48:all", 130, 23012));
    CHECK(find("tree:p3d7_48:all", 130, 23012)->gflops == 91);
    CHECK_FALSE(find("tree:p3d7_48:all", 130, 23010));
    REQUIRE(find("tree:other:all", 300, 5));
  }
  const auto message = [&](const std::string& line) {
    const text_file file(head + "magma,potrf_partial,d," + line + '\n');
    return refusal(read_peer_times, file.path);
  };
  CHECK(
      contains(message("t.csv,x,5,1,1,1"), "line 2: 'magma,potrf_partial,d,t.csv,x,5,1,1,1' has 'x' where"));
  CHECK(contains(message("t.csv,0,0,1,1,1"), "has '0' where the largest order"));
  CHECK(contains(message("t.csv,0,5,0,1,1"), "has '0' where the number of fronts"));
  CHECK(contains(message("t.csv,all,,x,1,1"), "has 'x' where the number of levels"));
  CHECK(contains(message("t.csv,all,,1,0,1"), "has '0' where the median"));
  CHECK(contains(message("t.csv,0,5,1,1"), "is not of the columns library,routine,precision,tree"));
}

TEST_CASE("times of peers from a file", "[bench]") {
  const std::string head = "library,routine,precision,regime,n_or_nmax,batch,median_ms,gflops\n";
  {
    const text_file file(head +
                         "magma,potrf_vbatched,d,uniform,64,3000,0.13,525\n"
                         "magma,potrf_vbatched,d,gaussian,64,3000,0.12,350\n");
    const std::vector<peer_time> times = read_peer_times(file.path);
    REQUIRE(times.size() == 2);
    const auto find = [&](const char* regime, int n, std::int64_t batch) {
      return find_peer_time(times, "magma", "potrf_vbatched", "d", regime, n, batch);
    };
    REQUIRE(find("gaussian", 64, 3000));
    CHECK(find("gaussian", 64, 3000)->median_ms == 0.12);
    CHECK(find("uniform", 64, 3000)->gflops == 525);
    CHECK_FALSE(find("uniform", 65, 3000));
    CHECK_FALSE(find("uniform", 64, 2999));
  }
  const auto message = [&](const std::string& text) {
    const text_file file(text);
    return refusal(read_peer_times, file.path);
  };
  CHECK(contains(message("library,n\n"), "where the columns library,routine"));
  CHECK(contains(message(head + "magma,potrf,d,fill,0,1,1,1\n"), "has '0' where the size"));
  CHECK(contains(message(head + "magma,potrf,d,fill,2,1,-1,1\n"), "has '-1' where the median"));
  CHECK(contains(message(head + "magma,potrf,d,fill,2,1,1,1x\n"), "has '1x' where the rate"));
}

TEST_CASE("variable sizes: factors over peers, shares of ceilings, sums over levels", "[bench]") {
  std::vector<bench::row> rows = {row_of("talus", 2), row_of("copy", 1), row_of("padding", 6)};
  rows[0].gflops = 30;
  rows[2].gflops = 10;
  rows[0].roofline_fraction = 0.5;
  const table layout("max", {{"copy", "copy"}, {"padding", "padding"}, {"magma", "magma (file)"}});
  const std::string line = layout.line("64", rows);
  CHECK(contains(layout.head(), "magma (file)"));
  CHECK(contains(line, "50 %"));
  CHECK(contains(line, "3.00"));
  CHECK(line.back() == '-');
  CHECK(contains(layout.summary({rows}), "3.00 times as fast as padding"));
  CHECK(contains(layout.summary({rows}), "talus reaches 50 % of copy"));

  std::vector<bench::row> next = {row_of("talus", 6), row_of("copy", 1)};
  next[0].gflops = 10;
  next[0].roofline_fraction = 0.1;
  next[0].n = 40;
  const std::vector<bench::row> sums = sum_of({rows, next});
  REQUIRE(sums.size() == 2);  // padding has no row in the second
  CHECK(sums[0].library == "talus");
  CHECK(close(sums[0].median_ms, 8));
  CHECK(close(sums[0].gflops, 15));                  // 60 and 60 Mflop in 8 ms
  CHECK(close(sums[0].roofline_fraction, 1.6 / 8));  // floors of 1 and 0.6 ms
  CHECK(sums[0].batch == 6000);
  CHECK(sums[0].n == 40);
  CHECK(sum_of({}).empty());
}

// ---- the descriptions ----------------------------------------------------------------------------

namespace {

/// visit(description, problem) for every routine in every precision of this build, on the host; rectangles
/// where it takes them.
template <class Visit>
void for_each_problem(Visit visit) {
  for_each_routine([&](auto r) {
    for (const char precision : std::string(built_precisions)) {
      with_type(std::string(1, precision), [&](auto zero) {
        using T = decltype(zero);
        using R = typename decltype(r)::template of<T>;
        for (const uplo uplo : {uplo::lower, uplo::upper}) {
          INFO(precision << r.name << ", " << static_cast<char>(uplo));
          std::vector<sizes> each = squares({7, 1, 12, 7, 20, 3});
          std::vector<sizes> shapes = {square(9)};
          if (!R::is_square) {
            each.insert(each.begin(), {{8, 3, 3}, {2, 9, 2}, {1, 4, 1}});
            shapes.insert(shapes.end(), {{9, 4, 4}, {3, 8, 3}});
          }
          if (R::has_k) {  // some columns, all and none
            for (sizes& one : each) one.k = (one.k + 1) / 2;
            for (sizes& one : each) one.k = one.n == 12 ? 12 : one.n == 20 ? 0 : one.k;
          }
          for (sizes& shape : shapes) shape.nrhs = columns_of_B<R>(shape.n, 2);
          if constexpr (R::mixed_sizes) {
            visit(R(), *make_problem<R>(uplo, backend::host, each));
          } else {
            for (const sizes& shape : shapes) visit(R(), *make_problem<R>(uplo, backend::host, shape, 12));
          }
        }
      });
    }
  });
}

}  // namespace

TEST_CASE("every routine of the list runs, and its check is content", "[bench]") {
  for_each_problem([](auto description, auto& p) {
    using R = decltype(description);
    CHECK(make_start<R>(p).empty());
    const result_check<R> check(p);
    p.restore(0);
    CHECK(check.complaint_of_copy().empty());
    fill_bytes(p.where, p.info(), 0xff, static_cast<std::size_t>(p.batch) * sizeof(int));
    run<R>(p, 0, queue_with_scratch(p.where, R::work_bytes(p)));
    CHECK(check.complaint(true).empty());
    if (!R::writes_A || R::leaves_A) CHECK(check.complaint_of_copy().empty() == !R::writes_A);
    CHECK(flops_of<R>(p) > 0);
    CHECK(bytes_of<R>(p) > 0);
  });
}

TEST_CASE("a wrong result is found: an info, a number, a NaN in any right-hand side", "[bench]") {
  for_each_problem([](auto description, auto& p) {
    using R = decltype(description);
    using T = typename std::decay_t<decltype(p)>::scalar;
    make_start<R>(p);
    const result_check<R> check(p);
    const auto spoiled = [&](T* element, T value) {
      p.restore(0);
      run<R>(p, 0, queue_of(p.where));
      *element = value;
      return check.complaint(true);
    };
    const std::int64_t last = p.batch - 1;
    T* const out = R::has_B ? p.B(0, last) : p.A(0, last);
    CHECK(contains(spoiled(out, T(1e6)), "matrix " + std::to_string(last) + " of n = "));
    const T nan = std::numeric_limits<real_of<T>>::quiet_NaN();
    const sizes s = p.sizes_of(last);
    for (int j = 0; j < s.nrhs; ++j) CHECK(contains(spoiled(out + j * p.ldb(), nan), "has a residual of"));
    if constexpr (R::writes_A && R::leaves_A)
      CHECK(contains(spoiled(p.A(0, last), nan), "has a residual of"));
    p.restore(0);
    run<R>(p, 0, queue_of(p.where));
    p.info()[1] = 3;
    CHECK(check.complaint(true) == "info of matrix 1 is 3");
    CHECK(check.complaint(false).empty());
  });
}

TEST_CASE("a wrong Schur complement is found, and so is a front that is factored too far", "[bench]") {
  for_each_problem([](auto description, auto& p) {
    using R = decltype(description);
    using T = typename std::decay_t<decltype(p)>::scalar;
    if constexpr (R::has_k) {
      const result_check<R> check(p);
      p.restore(0);
      run<R>(p, 0, queue_of(p.where));
      CHECK(check.complaint(true).empty());
      const std::int64_t last = p.batch - 1;
      const sizes s = p.sizes_of(last);
      REQUIRE(s.k < s.n);
      T* const element = p.A(0, last) + s.m * s.n - 1;
      const T right = *element;
      *element += T(static_cast<real_of<T>>(0.01));
      CHECK(contains(check.complaint(true), "has a residual of"));
      *element = right;
      // Fronts without pivots are as they were.
      for (std::int64_t b = 0; b < p.batch; ++b) {
        if (p.sizes_of(b).k == 0) CHECK(p.download_A(b) == p.download_pristine_A(b));
      }
      if constexpr (R::has_ipiv) {
        const int pivot = *p.ipiv(0, last);
        *p.ipiv(0, last) = s.k + 1;  // a row of the matrix, but none of those that are exchanged
        CHECK(contains(check.complaint(true), "inf n eps"));
        *p.ipiv(0, last) = pivot;
      }
      CHECK(check.complaint(true).empty());
      // The largest has no pivots: factored, it is not what it should be.
      std::vector<sizes> further;
      std::int64_t none = 0;
      for (std::int64_t b = 0; b < p.batch; ++b) {
        further.push_back(p.sizes_of(b));
        if (further.back().k == 0) none = b;
      }
      further[static_cast<std::size_t>(none)].k = p.n;
      const auto q = make_problem<R>(p.uplo, p.where, further);
      q->restore(0);
      run<R>(*q, 0, queue_of(q->where));
      const std::vector<T> all = q->download_A(none);
      std::copy(all.begin(), all.end(), p.A(0, none));
      CHECK(contains(check.complaint(true), "matrix " + std::to_string(none) + " of n = 20 has a residual"));
    }
  });
}

TEST_CASE("k stands where the matrices do, and pivots are as many", "[bench]") {
  const std::vector<sizes> each = {{4, 4, 1}, {9, 9, 0}, {6, 6, 3}};
  const auto p = make_problem<measure::getrf_partial_vbatched<double>>(uplo::lower, backend::host, each);
  const auto x = p->operands(0);
  CHECK(Sizes(x.k, x.k + 3) == Sizes{1, 0, 3});
  CHECK(x.k_max == 3);
  CHECK(x.n_max == 9);
  CHECK(x.ipiv[2] - x.ipiv[0] == 1);
  CHECK(p->ipiv(1) - p->ipiv(0) == 4);
  CHECK(p->download_ipiv(1).empty());
  CHECK(p->sizes_of(2).k == 3);
  const auto whole =
      make_problem<measure::getrf_vbatched<double>>(uplo::lower, backend::host, squares({4, 9, 6}));
  CHECK(whole->operands(0).k == nullptr);
  CHECK(whole->ipiv(1) - whole->ipiv(0) == 19);
}

TEST_CASE("matrices need be neither square nor Hermitian", "[bench]") {
  using T = std::complex<double>;
  const auto check_matrices = [](const auto& p, int wanted_m, int wanted_n, std::int64_t b) {
    const sizes s = p.sizes_of(b);
    CHECK(s.m == wanted_m);
    CHECK(s.n == wanted_n);
    CHECK(s.k == std::min(wanted_m, wanted_n));
    CHECK(p.first(b + 1) - p.first(b) == s.m * s.n);
    const std::vector<T> A = p.download_pristine_A(b);
    matrix_check<T> one(p.kind, s, p.uplo, b);
    REQUIRE(one.Ax().size() == static_cast<std::size_t>(s.m));
    // A times x by hand, from what restore() gives, and the 1-norm.
    long double norm = 0;
    std::vector<std::complex<long double>> y(one.m);
    for (std::size_t j = 0; j < one.n; ++j) {
      long double sum = 0;
      for (std::size_t i = 0; i < one.m; ++i) {
        const std::complex<long double> a = A[i + j * one.m];
        y[i] += a * one.x()[j];
        sum += std::abs(a);
      }
      norm = std::max(norm, sum);
    }
    CHECK(one.norm_A() == norm);
    for (std::size_t i = 0; i < one.m; ++i) CHECK(std::abs(y[i] - one.Ax()[i]) < 1e-15L);
    if (s.m > 1 && s.n > 1) CHECK(A[1] != std::conj(A[one.m]));  // not Hermitian
  };
  const auto equal =
      allocate_what_fits<problem<T>>(matrix_kind::general, uplo::lower, backend::host, {5, 3, 3, 2}, 4);
  check_matrices(*equal, 5, 3, 2);
  CHECK(equal->operands(0).A.lda == 5);
  CHECK(equal->operands(0).B.m == 5);
  CHECK(equal->download_B(3).size() == 10);
  const std::vector<sizes> each = {{2, 7, 2}, {6, 1, 1}, {4, 4, 4}};
  const auto mixed =
      allocate_what_fits<variable_problem<T>>(matrix_kind::general, uplo::lower, backend::host, {}, 3, each);
  CHECK(mixed->m == 6);
  CHECK(mixed->n == 7);
  for (std::int64_t b = 0; b < 3; ++b) {
    const sizes& wanted = each[static_cast<std::size_t>(b)];
    check_matrices(*mixed, wanted.m, wanted.n, b);
    const matrix<T> A_b = mixed->operands(0).A[b];
    CHECK(A_b.A == mixed->A(0, b));
    CHECK(A_b.m == wanted.m);
    CHECK(A_b.n == wanted.n);
    CHECK(A_b.lda == wanted.m);
  }
  CHECK(element_of(matrix_kind::dominant, 1, 2, 2, 9).re ==
        9 + element_of(matrix_kind::general, 1, 2, 2, 9).re);
  CHECK(element_of(matrix_kind::dominant, 1, 2, 3, 9).re == element_of(matrix_kind::general, 1, 2, 3, 9).re);
  // An indefinite matrix is Hermitian, and has diagonal elements of both signs.
  int negative = 0;
  for (int i = 0; i < 9; ++i) {
    negative += element_of(matrix_kind::indefinite, 1, i, i, 9).re < 0;
    CHECK(element_of(matrix_kind::indefinite, 1, i, i, 9).im == 0);
    for (int j = 0; j < i; ++j) {
      const auto below = element_of(matrix_kind::indefinite, 1, i, j, 9),
                 above = element_of(matrix_kind::indefinite, 1, j, i, 9);
      CHECK(below.re == above.re);
      CHECK(below.im == -above.im);
    }
  }
  CHECK(negative > 0);
  CHECK(negative < 9);
  // All of it is copied, and none of it changed.
  const auto check_copies = [](auto& p, bool has_B) {
    for (const auto& copy : bench::host_copies(p, {true, has_B})) {
      CHECK(copy.variant == "whole");
      p.restore(0);
      copy.run(p, 0);
      for (std::int64_t b = 0; b < p.batch; ++b) CHECK(p.download_A(b) == p.download_pristine_A(b));
    }
  };
  check_copies(*equal, true);
  check_copies(*mixed, false);
}

TEST_CASE("pivots stand beside the matrices, and are kept with the factors", "[bench]") {
  const auto make = [](bool has_ipiv) {
    return allocate_what_fits<problem<double>>({matrix_kind::general, has_ipiv}, uplo::lower, backend::host,
                                               {5, 3, 3}, 4);
  };
  const auto equal = make(true);
  const operands_of<batch<double>> x = equal->operands(1);
  CHECK(x.ipiv[2] == equal->ipiv(1, 2));
  CHECK(x.ipiv[2] - x.ipiv[0] == 6);
  CHECK(equal->ipiv_array(1)[2] == x.ipiv[2]);
  CHECK(equal->ipiv(1) - equal->ipiv(0) == 4 * 3);
  equal->restore(0);
  CHECK(equal->download_ipiv(3) == Sizes{0, 0, 0});  // no row has this number
  const Sizes some = {2, 3, 3};
  std::copy(some.begin(), some.end(), equal->ipiv(0, 3));
  equal->keep_factors();
  equal->restore(1);
  CHECK(Sizes(equal->ipiv(1, 3), equal->ipiv(1, 3) + 3) == some);
  CHECK(equal->download_ipiv(3) == some);
  CHECK(make(false)->download_ipiv(3).empty());
  CHECK(make(true)->slab_bytes() - make(false)->slab_bytes() == 4 * 3 * sizeof(int));

  const auto mixed = make_problem<measure::getrf_vbatched<double>>(
      uplo::lower, backend::host, std::vector<sizes>{{2, 7, 2}, {6, 1, 1}, {4, 4, 4}});
  const auto y = mixed->operands(1);
  CHECK(y.m_max == 6);
  CHECK(y.n_max == 7);
  for (std::int64_t b = 0; b < 3; ++b) CHECK(y.ipiv[b] == mixed->ipiv(1, b));
  CHECK(y.ipiv[1] - y.ipiv[0] == 2);
  CHECK(y.ipiv[2] - y.ipiv[0] == 3);
  CHECK(mixed->ipiv(1) - mixed->ipiv(0) == 7);
}

TEST_CASE("tau stands beside the matrices, and is kept with the reflectors", "[bench]") {
  const auto make = [](bool has_tau) {
    return allocate_what_fits<problem<double>>({matrix_kind::general, false, has_tau}, uplo::lower,
                                               backend::host, {5, 3, 3}, 4);
  };
  const auto equal = make(true);
  const operands_of<batch<double>> x = equal->operands(1);
  CHECK(x.tau[2] == equal->tau(1, 2));
  CHECK(x.tau[2] - x.tau[0] == 6);
  CHECK(equal->tau_array(1)[2] == x.tau[2]);
  CHECK(equal->tau(1) - equal->tau(0) == 4 * 3);
  equal->restore(0);
  for (const double none : equal->download_tau(3)) CHECK(std::isnan(none));
  const std::vector<double> some = {1.5, 2, 0};
  std::copy(some.begin(), some.end(), equal->tau(0, 3));
  equal->keep_factors();
  equal->restore(1);
  CHECK(std::equal(some.begin(), some.end(), equal->tau(1, 3)));
  CHECK(make(false)->download_tau(3).empty());
  CHECK(make(true)->slab_bytes() - make(false)->slab_bytes() == 4 * 3 * sizeof(double));

  const auto mixed = make_problem<measure::geqrf_vbatched<double>>(
      uplo::lower, backend::host, std::vector<sizes>{{2, 7, 2}, {6, 1, 1}, {4, 4, 4}});
  const auto y = mixed->operands(1);
  for (std::int64_t b = 0; b < 3; ++b) CHECK(y.tau[b] == mixed->tau(1, b));
  CHECK(y.tau[2] - y.tau[0] == 3);
  CHECK(mixed->tau(1) - mixed->tau(0) == 7);
}

TEST_CASE("a wrong tau is found", "[bench]") {
  for_each_problem([](auto description, auto& p) {
    using R = decltype(description);
    using T = typename std::decay_t<decltype(p)>::scalar;
    if constexpr (R::has_tau && R::writes_A && std::is_void_v<typename R::starts_from>) {
      const result_check<R> check(p);
      const std::int64_t last = p.batch - 1;
      const T right = (p.restore(0), run<R>(p, 0, queue_of(p.where)), *p.tau(0, last));
      for (const T wrong_one : {T(0), right + T(static_cast<real_of<T>>(0.01)),
                                T(std::numeric_limits<real_of<T>>::quiet_NaN())}) {
        *p.tau(0, last) = wrong_one;
        CHECK(contains(check.complaint(true), "has a residual of"));
      }
      *p.tau(0, last) = right;
      CHECK(check.complaint(true).empty());
    }
  });
}

#ifdef TALUS_HAVE_D
TEST_CASE("a solution that is not of least norm is found", "[bench]") {
  using R = measure::gels<double>;
  const auto p = make_problem<R>(uplo::lower, backend::host, {1, 2, 1, 1}, 3);
  const result_check<R> check(*p);
  p->restore(0);
  run<R>(*p, 0, queue_of(p->where));
  CHECK(check.complaint(true).empty());
  const double a0 = p->download_pristine_A(2)[0], a1 = p->download_pristine_A(2)[1];
  p->B(0, 2)[0] += a1;  // what A takes to zero
  p->B(0, 2)[1] -= a0;
  CHECK(contains(check.complaint(true), "has a residual of"));
}
#endif

TEST_CASE("a wrong pivot is found", "[bench]") {
  for_each_problem([](auto description, auto& p) {
    using R = decltype(description);
    if constexpr (R::has_ipiv && R::writes_A && std::is_void_v<typename R::starts_from>) {
      const result_check<R> check(p);
      const std::int64_t last = p.batch - 1;
      const int right = (p.restore(0), run<R>(p, 0, queue_of(p.where)), *p.ipiv(0, last));
      for (const int wrong_one : {0, -1, p.sizes_of(last).m + 1, right == 2 ? 1 : 2}) {
        *p.ipiv(0, last) = wrong_one;
        CHECK(contains(check.complaint(true), "has a residual of"));
      }
      *p.ipiv(0, last) = right;
      CHECK(check.complaint(true).empty());
    }
  });
}

TEST_CASE("peers decline what they do not have, and loops that never end", "[bench]") {
  const peer& loop = *find_peer<measure::getrf<double>>("cusolver");
  const peer& squares = *find_peer<measure::getrf<double>>("cublas");
  const auto of = [](int m, int n, std::int64_t batch) {
    return allocate_what_fits<problem<double>>(matrix_kind::general, uplo::lower, backend::host,
                                               {m, n, std::min(m, n)}, batch);
  };
  CHECK(loop.serves(*of(2, 3, longest_loop)));
  CHECK_FALSE(loop.serves(*of(2, 3, longest_loop + 1)));
  CHECK(squares.serves(*of(3, 3, longest_loop + 1)));
  CHECK_FALSE(squares.serves(*of(2, 3, 1)));
  const peer& tall = *find_peer<measure::gels<double>>("cublas");
  CHECK(tall.serves(*of(3, 2, 1)));
  CHECK_FALSE(tall.serves(*of(2, 3, 1)));
}

TEST_CASE("what is made of A and goes to B is copied there", "[bench]") {
  const auto p = make_problem<measure::getri_outofplace<double>>(uplo::lower, backend::host, square(5, 5), 3);
  p->restore(0);
  const auto copies = bench::host_copies(*p, bench::traffic_of<measure::getri_outofplace<double>>);
  REQUIRE(copies.size() == 1);
  copies.front().run(*p, 0);
  for (std::int64_t b = 0; b < 3; ++b) CHECK(p->download_B(b) == p->download_pristine_A(b));
}

TEST_CASE("what a routine only writes is filled, and what it leaves unspecified is only read", "[bench]") {
  const auto p = make_problem<measure::qr<double>>(uplo::lower, backend::host, {5, 3, 3, 3}, 2);
  p->restore(0);
  bench::host_copies(*p, bench::traffic_of<measure::qr<double>>).front().run(*p, 0);
  const std::vector<double> B = p->download_B(1);
  CHECK(std::count(B.begin(), B.end(), 0.0) == 9);  // R is 3 x 3
  CHECK(p->download_A(1) == p->download_pristine_A(1));
  CHECK_FALSE(bench::traffic_of<measure::gels<double>>.writes_A);
  CHECK(bench::traffic_of<measure::gels<double>>.reads_B);
}

TEST_CASE("a routine is found by its name", "[bench]") {
  std::string found;
  with_routine("potrf_vbatched", [&](auto r) { found = r.mixed_sizes && r.has_tables ? r.name : ""; });
  CHECK(found == "potrf_vbatched");
  CHECK_THROWS_AS(with_routine("potrx", [](auto) {}), std::invalid_argument);
  CHECK(routine_names().size() >= 5);
}

TEST_CASE("kernels in words: the family, and what is not 0", "[bench]") {
  using kernel = cuda::cholesky::potrf_routine::kernel;
  cuda::cholesky::warp some;
  some.lanes = 4;
  some.tbc = 8;
  some.deferred_check = true;
  CHECK(text_of(kernel(some)) == "warp lanes=4 tbc=8 deferred_check=1");
  CHECK(text_of(cuda::cholesky::posv_routine::kernel(cuda::unfused())) == "unfused");
}
