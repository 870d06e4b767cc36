// The picture of examples/multifrontal.
#include "multifrontal/picture.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using multifrontal::level_report;

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

/// Each with half the fronts, and eight times the flops, of the one before.
std::vector<level_report> some_levels(int number) {
  std::vector<level_report> levels;
  level_report level;
  level.fronts = std::int64_t{1} << number;
  level.n_max = 20, level.k_max = 10;
  level.flops = 1e3;
  for (int l = 0; l < number; ++l) {
    level.fronts /= 2, level.n_max += 20, level.k_max += 10, level.flops *= 8;
    level.assembly_seconds = 1e-3, level.factor_seconds = 2e-3;
    levels.push_back(level);
  }
  return levels;
}

void check_drawing(const std::string& text) {
  CHECK(text.find("<svg ") == 0);
  CHECK(text.find("</svg>\n") + 7 == text.size());
  CHECK(count(text, "nan") + count(text, "inf") == 0);
  for (const std::string element : {"g", "text", "tspan"})
    CHECK(count(text, "<" + element + " ") + count(text, "<" + element + ">") ==
          count(text, "</" + element + ">"));
  CHECK(count(text, "'") % 2 == 0);
}

}  // namespace

TEST_CASE("a picture shows each level of the tree", "[multifrontal]") {
  for (const int number : {0, 1, 7, 40}) {
    const std::string text = multifrontal::picture("title", some_levels(number));
    INFO(number << " levels");
    check_drawing(text);
    CHECK(count(text, "<g class='level'") == number);
    CHECK(count(text, "<circle") == number);
  }
  const std::string text = multifrontal::picture("L & U, n < 5", some_levels(3));
  CHECK(count(text, ">L &amp; U, n &lt; 5<") == 1);
  CHECK(count(text, "(together 9.000 ms)") == 1);
  CHECK(count(text, ">80<") == 1);  // the root's rows
}

TEST_CASE("a picture leaves out what took no time", "[multifrontal]") {
  std::vector<level_report> levels = some_levels(4);
  levels[1].assembly_seconds = levels[1].factor_seconds = 0;
  levels[2].flops = 0;
  const std::string some = multifrontal::picture("some", levels);
  check_drawing(some);
  CHECK(count(some, "<g class='level'") == 4);
  CHECK(count(some, "<circle") == 2);

  const std::string none = multifrontal::picture("none", std::vector<level_report>(4));
  check_drawing(none);
  CHECK(count(none, "<g class='level'") == 4);
  CHECK(count(none, "<circle") == 0);
}
