// The bench's plans and reports: what is asked for, and what is written.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "plan.hpp"
#include "report.hpp"

using namespace talus;
using namespace talus::bench;
using Sizes = std::vector<int>;

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
  CHECK(contains(refusal(parse_sizes, "2:8:0"), "the step below 1"));
  CHECK(contains(refusal(parse_sizes, "40000"), "above the limit of 32768"));
  CHECK(contains(refusal(parse_sizes, "4,x"), "'x'"));
  CHECK(contains(refusal(parse_sizes, "3:3"), "no size of the grid"));
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
  CHECK(close(potrf_flops<double>(1), 1));
  CHECK(close(potrf_flops<double>(2), 5));
  CHECK(close(potrf_flops<double>(3), 14));
  CHECK(close(potrf_flops<std::complex<float>>(3), 56));
  CHECK(close(potrs_flops<float>(10, 3), 600));
  CHECK(close(potrs_flops<std::complex<double>>(10, 3), 2400));
  CHECK(close(potri_flops<double>(1), 2));
  CHECK(close(potri_flops<double>(2), 9));
}

TEST_CASE("bytes against hand-counted ones", "[bench]") {
  // Double, n = 6: columns of 48, 40, 32, 24, 16, 8 bytes are 2, 2, 1, 1, 1, 1 sectors of 32.
  CHECK(triangle_bytes<double>(6) == 256);
  CHECK(least_bytes<double>(6, true, 0) == 512);
  CHECK(least_bytes<double>(6, false, 0) == 256);
  CHECK(least_bytes<double>(6, false, 2) == 256 + 2 * 96);
  CHECK(least_bytes<double>(6, true, 1) == 512 + 2 * 48);
  // n = 2: the whole square is one sector, its columns share it.
  CHECK(least_bytes<double>(2, true, 0) == 64);
  CHECK(least_bytes<float>(4, true, 0) == 128);
  // Complex double, n = 3: 48, 32, 16 bytes: 2 + 1 + 1 sectors, less than the square's 144 bytes.
  CHECK(least_bytes<std::complex<double>>(3, false, 0) == 128);
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

  const std::string words = summary({{8, 4, "x"}, {16, 1, "y"}, {32, 0, ""}});
  CHECK(contains(words, "2 sizes"));
  CHECK(contains(words, "2.00 times"));
  CHECK(contains(words, "least at n = 16, 1.00 times y"));
  CHECK(summary({{8, 0, ""}}).empty());
}

TEST_CASE("the table has a column for each library, a dash where one did not run", "[bench]") {
  const table layout({"copy", "good", "absent"});
  const std::string line = layout.line({row_of("talus", 2), row_of("copy", 1), row_of("good", 3)});
  CHECK(contains(layout.head(), "good"));
  CHECK(contains(line, "50 %"));
  CHECK(contains(line, "1.50"));
  CHECK(contains(line, "2.000"));
  CHECK(line.back() == '-');
}
