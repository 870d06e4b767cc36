#include "measure/plan.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <system_error>

#include "measure/facts.hpp"

namespace talus::measure {

const std::vector<int> grid = {2,  4,  6,  8,   10,  12,  16,  20,  24,  28,  32,  40,  48,  56,
                               64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 512, 768, 1024};

namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument("'" + text + "' " + why);
}

/// All of a field as a number from `least` to `most`. A refusal begins with `where`.
template <class Number>
Number number_in(const std::string& field, const char* what, Number least, Number most,
                 const std::string& where = "") {
  Number value{};
  const char* const end = field.data() + field.size();
  const auto read = std::from_chars(field.data(), end, value);
  if (read.ec == std::errc() && read.ptr == end && least <= value && value <= most) return value;
  const std::string range = std::is_integral_v<Number>
                                ? "whole number from " + std::to_string(least) + " to " + std::to_string(most)
                                : "number above 0";
  throw std::invalid_argument(where + "has '" + field + "' where " + what + " is expected, a " + range);
}

}  // namespace

std::vector<int> parse_sizes(const std::string& text) {
  const auto size = [&](const std::string& part, const char* what) {
    return number_in(part, what, 1, largest_size, "'" + text + "' ");
  };
  std::vector<int> sizes;
  const std::vector<std::string> range = split(text, ':');
  if (range.size() == 1) {
    for (const std::string& part : split(text, ',')) sizes.push_back(size(part, "a size"));
    return sizes;
  }
  if (range.size() > 3) refuse(text, "has more than the three parts of first:last:step");
  const int first = size(range[0], "the first size");
  const int last = size(range[1], "the last size");
  if (first > last) refuse(text, "is empty: the first size is above the last");
  if (range.size() == 3) {
    const int step = size(range[2], "the step");
    for (int n = first; n <= last; n += step) sizes.push_back(n);
    return sizes;
  }
  for (const int n : grid) {
    if (first <= n && n <= last) sizes.push_back(n);
  }
  if (sizes.empty()) refuse(text, "holds no size of the grid; first:last:step or a list gives any other");
  return sizes;
}

std::string text_of(const sizes& one) {
  return one.m == one.n ? std::to_string(one.n) : std::to_string(one.m) + 'x' + std::to_string(one.n);
}

std::vector<sizes> parse_shapes(const std::string& text) {
  if (text.find('x') == std::string::npos) return squares(parse_sizes(text));
  std::vector<sizes> shapes;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> extents = split(part, 'x');
    if (extents.size() > 2)
      refuse(text, "has '" + part + "', where rows and columns are expected, as 256x16");
    const auto extent = [&](const std::string& field) {
      return number_in(field, "a size", 1, largest_size, "'" + text + "' ");
    };
    const int m = extent(extents.front()), n = extent(extents.back());
    shapes.push_back({m, n, std::min(m, n)});
  }
  return shapes;
}

regime parse_regime(const std::string& text) {
  if (text == "fill") return {text, 0};
  if (text.empty() || text[0] != 'b')
    refuse(text, "is neither 'fill' nor 'b' and a number of matrices, as b3000");
  return {text, number_in(text.substr(1), "the number of matrices", std::int64_t{1}, std::int64_t{1} << 40,
                          "'" + text + "' ")};
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

// ---- mixed sizes ---------------------------------------------------------------------------------

namespace {

std::string name_of_tree(const std::filesystem::path& file) {
  return "tree:" + (file.extension() == ".csv" ? file.stem() : file.filename()).string();
}

}  // namespace

distribution parse_distribution(const std::string& text) {
  using kind = distribution::kind;
  if (text == "uniform") return {kind::uniform, text, ""};
  if (text == "gaussian") return {kind::gaussian, text, ""};
  const std::string prefix = "tree:";
  if (text.rfind(prefix, 0) != 0)
    refuse(text, "is none of uniform, gaussian and tree:FILE, where FILE has columns level,n,k,count");
  const std::string path = text.substr(prefix.size());
  if (path.empty()) refuse(text, "names no file");
  return {kind::tree, name_of_tree(path), path};
}

std::vector<int> random_sizes(distribution::kind is, int n_max, std::int64_t count, std::uint64_t seed) {
  constexpr std::int64_t one = std::int64_t{1} << 32;
  // 32 random bits at a time, so from 0 to one (splitmix64): the standard's generators are the same
  // everywhere, but its distributions are not.
  const auto next = [&seed] {
    std::uint64_t x = seed += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return static_cast<std::int64_t>((x ^ (x >> 31)) >> 32);
  };
  std::vector<int> sizes(static_cast<std::size_t>(count));
  for (int& n : sizes) {
    if (is == distribution::kind::uniform) {
      n = 1 + static_cast<int>(next() * n_max / one);
    } else {
      // The sum of twelve uniform numbers has mean 6 and standard deviation 1: n_max / 2 + (sum - 6) * n_max
      // / 6, rounded; in whole numbers, so that no compiler rounds differently.
      std::int64_t sum = 0;
      for (int i = 0; i < 12; ++i) sum += next();
      const std::int64_t sixths = sum * n_max - 3 * one * n_max + 3 * one;
      n = static_cast<int>(std::clamp<std::int64_t>(sixths / (6 * one), 1, n_max));
    }
  }
  return sizes;
}

// ---- files ---------------------------------------------------------------------------------------

namespace {

/// Calls take(header, fields) for each line behind the header, which must be one of those given. What take
/// refuses is said with the line it stands in.
void for_each_line(const std::string& path, const std::vector<std::string>& headers,
                   const std::function<void(const std::string&, const std::vector<std::string>&)>& take) {
  std::ifstream file(path);
  if (!file) refuse(path, "cannot be read");
  const std::string expected = "where the columns " + joined(headers, " or ") + " are expected";
  std::string header;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (header.empty()) {
      if (std::find(headers.begin(), headers.end(), line) == headers.end())
        refuse(path, "has '" + line + "' " + expected);
      header = line;
      continue;
    }
    const std::string at = "line " + std::to_string(number) + ": '" + line + "' ";
    const std::vector<std::string> fields = split(line, ',');
    if (fields.size() != split(header, ',').size()) refuse(path, at + "is not of the columns " + header);
    try {
      take(header, fields);
    } catch (const std::invalid_argument& e) {
      refuse(path, at + e.what());
    }
  }
  if (header.empty()) refuse(path, "is empty, " + expected);
}

}  // namespace

tree read_tree(const std::string& path, int n_max) {
  constexpr std::int64_t most = std::int64_t{1} << 27;  // fronts of a file
  tree all;
  std::int64_t fronts = 0;
  for_each_line(path, {"level,n,k,count"}, [&](const std::string&, const std::vector<std::string>& fields) {
    number_in(fields[0], "the level", std::int64_t{0}, most);
    const int n = number_in(fields[1], "the order n", 0, largest_size);
    const int k = number_in(fields[2], "the number of pivots k", 0, n);
    const std::int64_t count = number_in(fields[3], "the count of fronts", std::int64_t{1}, most - fronts);
    fronts += count;
    if (n == 0) return;  // nothing to factor
    if (all.levels.empty() || all.levels.back().name != fields[0]) all.levels.push_back({fields[0], {}, 0});
    tree_level& level = all.levels.back();
    if (n > n_max) {
      level.left_out += count;
      all.left_out += count;
    } else {
      level.fronts.insert(level.fronts.end(), static_cast<std::size_t>(count), {n, n, k});
    }
  });
  all.levels.erase(std::remove_if(all.levels.begin(), all.levels.end(),
                                  [](const tree_level& level) { return level.fronts.empty(); }),
                   all.levels.end());
  return all;
}

std::vector<peer_time> read_peer_times(const std::string& path) {
  std::vector<peer_time> times;
  const auto positive = [](const std::string& field, const char* what) {
    return number_in(field, what, std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
  };
  const auto count = [](const std::string& field, const char* what) {
    return number_in(field, what, std::int64_t{1}, std::int64_t{1} << 40);
  };
  const std::string file = std::filesystem::path(path).filename().string();
  const std::string of_regimes = "library,routine,precision,regime,n_or_nmax,batch,median_ms,gflops";
  const std::string of_trees = "library,routine,precision,tree,level,n_max,fronts,median_ms,gflops";
  std::map<std::vector<std::string>, peer_time> levels;  // of a tree together, as far as they are read
  const auto take_level = [&](const std::vector<std::string>& f) {
    peer_time& all = levels[{f[0], f[1], f[2], f[3]}];
    const std::string regime = name_of_tree(f[3]) + ':' + f[4];
    const double median = positive(f[7], "the median"), rate = positive(f[8], "the rate");
    if (f[4] == "all") {
      count(f[6], "the number of levels");
      times.push_back({file, f[0], f[1], f[2], regime, all.n, all.batch, median, rate});
      return;
    }
    number_in(f[4], "the level", std::int64_t{0}, std::int64_t{1} << 27);
    times.push_back({file, f[0], f[1], f[2], regime, number_in(f[5], "the largest order", 1, largest_size),
                     count(f[6], "the number of fronts"), median, rate});
    all.n = std::max(all.n, times.back().n);
    all.batch += times.back().batch;
  };
  for_each_line(path, {of_regimes, of_trees},
                [&](const std::string& header, const std::vector<std::string>& f) {
                  if (header == of_trees) return take_level(f);
                  times.push_back({file, f[0], f[1], f[2], f[3], number_in(f[4], "the size", 1, largest_size),
                                   count(f[5], "the number of matrices"), positive(f[6], "the median"),
                                   positive(f[7], "the rate")});
                });
  return times;
}

const peer_time* find_peer_time(const std::vector<peer_time>& times, const std::string& library,
                                const std::string& routine, const std::string& precision,
                                const std::string& regime, int n, std::int64_t batch) {
  for (const peer_time& t : times) {
    if (t.library == library && t.routine == routine && t.precision == precision && t.regime == regime &&
        t.n == n && t.batch == batch)
      return &t;
  }
  return nullptr;
}

}  // namespace talus::measure
