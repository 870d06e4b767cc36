#include "measure/sizes.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "measure/facts.hpp"
#include "measure/plan.hpp"

namespace talus::measure {

distribution parse_distribution(const std::string& text) {
  using kind = distribution::kind;
  if (text == "uniform") return {kind::uniform, text, ""};
  if (text == "gaussian") return {kind::gaussian, text, ""};
  const std::string prefix = "tree:";
  if (text.rfind(prefix, 0) != 0)
    throw std::invalid_argument("'" + text +
                                "' is none of uniform, gaussian and tree:FILE, where FILE has columns "
                                "level,n,k,count");
  const std::string path = text.substr(prefix.size());
  if (path.empty()) throw std::invalid_argument("'" + text + "' names no file");
  std::string name = path.substr(path.find_last_of('/') + 1);
  const std::string ending = ".csv";
  if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
    name.resize(name.size() - ending.size());
  return {kind::tree, prefix + name, path};
}

// ---- random sizes --------------------------------------------------------------------------------

namespace {

/// 32 random bits at a time (splitmix64): the standard's generators are the same everywhere, but its
/// distributions are not.
class random_bits {
 public:
  explicit random_bits(std::uint64_t seed) : state_(seed) {}
  std::int64_t next() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return static_cast<std::int64_t>((x ^ (x >> 31)) >> 32);
  }

 private:
  std::uint64_t state_;
};

constexpr std::int64_t one = std::int64_t{1} << 32;  // what the bits are below

int uniform_size(random_bits& bits, int n_max) { return 1 + static_cast<int>(bits.next() * n_max / one); }

/// The sum of twelve uniform numbers has mean 6 and standard deviation 1; all in whole numbers, so that no
/// compiler rounds differently.
int gaussian_size(random_bits& bits, int n_max) {
  std::int64_t sum = 0;
  for (int i = 0; i < 12; ++i) sum += bits.next();
  // n_max / 2 + (sum - 6) * n_max / 6, rounded.
  const std::int64_t sixths = sum * n_max - 3 * one * n_max + 3 * one;
  return static_cast<int>(std::clamp<std::int64_t>(sixths / (6 * one), 1, n_max));
}

}  // namespace

std::vector<int> random_sizes(distribution::kind is, int n_max, std::int64_t count, std::uint64_t seed) {
  random_bits bits(seed);
  std::vector<int> sizes(static_cast<std::size_t>(count));
  for (int& n : sizes)
    n = is == distribution::kind::gaussian ? gaussian_size(bits, n_max) : uniform_size(bits, n_max);
  return sizes;
}

// ---- files ---------------------------------------------------------------------------------------

namespace {

/// Calls take(fields) for each line behind the header, which must be the one given. What take refuses is
/// said with the line it stands in.
void for_each_line(const std::string& path, const std::string& header,
                   const std::function<void(const std::vector<std::string>&)>& take) {
  const auto refuse = [&](const std::string& why) { throw std::invalid_argument("'" + path + "' " + why); };
  std::ifstream file(path);
  if (!file) refuse("cannot be read");
  const std::size_t columns = split(header, ',').size();
  bool has_header = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (!has_header) {
      if (line != header) refuse("has '" + line + "' where the columns " + header + " are expected");
      has_header = true;
      continue;
    }
    const std::string at = ", line " + std::to_string(number) + ": ";
    const std::vector<std::string> fields = split(line, ',');
    if (fields.size() != columns) refuse(at.substr(2) + "'" + line + "' is not of the columns " + header);
    try {
      take(fields);
    } catch (const std::invalid_argument& e) {
      refuse(at.substr(2) + "'" + line + "' " + e.what());
    }
  }
  if (!has_header) refuse("is empty, where the columns " + header + " are expected");
}

std::int64_t whole_number(const std::string& field, const char* what, std::int64_t least, std::int64_t most) {
  const bool digits =
      !field.empty() && field.size() < 16 && field.find_first_not_of("0123456789") == std::string::npos;
  const std::int64_t value = digits ? std::stoll(field) : -1;
  if (!digits || value < least || value > most)
    throw std::invalid_argument("has '" + field + "' where " + what + " is expected, a whole number from " +
                                std::to_string(least) + " to " + std::to_string(most));
  return value;
}

double positive_number(const std::string& field, const char* what) {
  std::size_t read = 0;
  double value = 0;
  try {
    value = std::stod(field, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || read != field.size() || !(value > 0))
    throw std::invalid_argument("has '" + field + "' where " + what + " is expected, a number above 0");
  return value;
}

}  // namespace

tree read_tree(const std::string& path, int n_max) {
  constexpr std::int64_t most = std::int64_t{1} << 27;  // fronts of a file
  tree all;
  std::int64_t fronts = 0;
  for_each_line(path, "level,n,k,count", [&](const std::vector<std::string>& fields) {
    whole_number(fields[0], "the level", 0, most);
    const auto n = static_cast<int>(whole_number(fields[1], "the order n", 0, largest_size));
    whole_number(fields[2], "the number of pivots k", 0, n);
    const std::int64_t count = whole_number(fields[3], "the count of fronts", 1, most - fronts);
    fronts += count;
    if (n == 0) return;  // nothing to factor
    if (all.levels.empty() || all.levels.back().name != fields[0]) all.levels.push_back({fields[0], {}, 0});
    tree_level& level = all.levels.back();
    if (n > n_max) {
      level.left_out += count;
      all.left_out += count;
    } else {
      level.sizes.insert(level.sizes.end(), static_cast<std::size_t>(count), n);
    }
  });
  all.levels.erase(std::remove_if(all.levels.begin(), all.levels.end(),
                                  [](const tree_level& level) { return level.sizes.empty(); }),
                   all.levels.end());
  return all;
}

std::vector<peer_time> read_peer_times(const std::string& path) {
  std::vector<peer_time> times;
  for_each_line(path, "library,routine,precision,regime,n_or_nmax,batch,median_ms,gflops",
                [&](const std::vector<std::string>& f) {
                  const auto n = static_cast<int>(whole_number(f[4], "the size", 1, largest_size));
                  const std::int64_t batch =
                      whole_number(f[5], "the number of matrices", 1, std::int64_t{1} << 40);
                  times.push_back({f[0], f[1], f[2], f[3], n, batch, positive_number(f[6], "the median"),
                                   positive_number(f[7], "the rate")});
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
