#include "measure/plan.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "measure/facts.hpp"

namespace talus::measure {

const std::vector<int> grid = {2,  4,  6,  8,   10,  12,  16,  20,  24,  28,  32,  40,  48,  56,
                               64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 512, 768, 1024};

namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument("'" + text + "' " + why);
}

/// A whole number of at least 1 and at most `most`.
std::int64_t parse_count(const std::string& text, const std::string& part, const char* what,
                         std::int64_t most) {
  if (part.empty() || part.find_first_not_of("0123456789") != std::string::npos)
    refuse(text,
           std::string("has '") + part + "' where " + what + " is expected, a whole number of at least 1");
  std::int64_t value = 0;
  for (const char digit : part) {
    value = 10 * value + (digit - '0');
    if (value > most)
      refuse(text, std::string("has ") + what + " above the limit of " + std::to_string(most));
  }
  if (value < 1) refuse(text, std::string("has ") + what + " below 1");
  return value;
}

int parse_size(const std::string& text, const std::string& part, const char* what) {
  return static_cast<int>(parse_count(text, part, what, largest_size));
}

}  // namespace

std::vector<int> parse_sizes(const std::string& text) {
  std::vector<int> sizes;
  const std::vector<std::string> range = split(text, ':');
  if (range.size() == 1) {
    for (const std::string& part : split(text, ',')) sizes.push_back(parse_size(text, part, "a size"));
    return sizes;
  }
  if (range.size() > 3) refuse(text, "has more than the three parts of first:last:step");
  const int first = parse_size(text, range[0], "the first size");
  const int last = parse_size(text, range[1], "the last size");
  if (first > last) refuse(text, "is empty: the first size is above the last");
  if (range.size() == 3) {
    const int step = parse_size(text, range[2], "the step");
    for (int n = first; n <= last; n += step) sizes.push_back(n);
    return sizes;
  }
  for (const int n : grid) {
    if (first <= n && n <= last) sizes.push_back(n);
  }
  if (sizes.empty()) refuse(text, "holds no size of the grid; first:last:step or a list gives any other");
  return sizes;
}

regime parse_regime(const std::string& text) {
  if (text == "fill") return {text, 0};
  if (text.empty() || text[0] != 'b')
    refuse(text, "is neither 'fill' nor 'b' and a number of matrices, as b3000");
  return {text, parse_count(text, text.substr(1), "the number of matrices", std::int64_t{1} << 40)};
}

std::int64_t fill::batch_count(double matrix_bytes) const {
  const auto that_fit = [&](double limit) { return static_cast<std::int64_t>(limit / matrix_bytes); };
  const std::int64_t wanted = std::max(static_cast<std::int64_t>(std::ceil(bytes / matrix_bytes)), batch_min);
  return std::max<std::int64_t>(1, std::min({wanted, batch_max, that_fit(bytes_max)}));
}

fill fill_of(backend where, char precision, int threads, double bytes) {
  constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  if (bytes > 0) return {bytes, bytes, 1, no_limit};
  if (where == backend::host) return {100e6, 256e6, 4 * std::int64_t{threads}, no_limit};
  const double on_gpu = precision == 's' ? 0.5e9 : 1e9;
  return {on_gpu, on_gpu, 1, 1'000'000};
}

statistics statistics_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values.front(), values.back()};
}

}  // namespace talus::measure
