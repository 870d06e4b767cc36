#include "space.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "words.hpp"

namespace talus::tune {

namespace {

/// The largest n that a kernel serves; 0: none.
int largest_n(const routine& of, char precision, const kernel& k, const cuda::gpu_limits& limits) {
  const auto serves = [&](int n) { return of.objection(line_for(of, precision, n, k), limits).empty(); };
  if (serves(cuda::any_extent)) return cuda::any_extent;
  int good = 0, bad = cuda::any_extent;
  while (bad - good > 1) {
    const int middle = good + (bad - good) / 2;
    (serves(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

const routine& routine_named(std::string_view name) {
  std::vector<std::string> names;
  for (const routine& r : routines()) {
    if (r.name == name) return r;
    names.push_back(r.name);
  }
  throw std::invalid_argument("'" + std::string(name) +
                              "' has no tables; these have: " + joined(names, ", "));
}

const family* find_family(const routine& of, const std::string& name) {
  for (const family& f : of.families) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

table_line line_for(const routine& of, char precision, int n, const kernel& k) {
  table_line line;
  line.precision = precision;
  line.bounds = of.box(n);
  line.orders = of.orders;
  line.how = k;
  return line;
}

table table_of(const routine& of, char precision, const std::vector<kernel>& kernels,
               const cuda::gpu_limits& limits) {
  table t;
  for (const kernel& k : std::set<kernel>(kernels.begin(), kernels.end()))
    t.lines.push_back(line_for(of, precision, largest_n(of, precision, k, limits), k));
  std::stable_sort(t.lines.begin(), t.lines.end(),
                   [](const table_line& a, const table_line& b) { return a.n_max() < b.n_max(); });
  return t;
}

kernel neighbour_key(const routine& of, const kernel& k) {
  const family* const f = find_family(of, k.family);
  return f ? without(k, f->follows_from_n) : k;
}

std::string explain_space(const routine& of) {
  std::string text;
  if (of.mixed_sizes) {
    for (const family& f : of.families) text += of.name + ", " + f.name + "\n";
    return text + "  kernels  what is the fastest for equal sizes, by measurements of " + of.of_equal_sizes +
           ";\n"
           "           where matrices go by steps, what is within a tenth of it, greedy and lazy\n"
           "  classes  the sizes between which these measurements change the kernel, then fewer, as long as\n"
           "           that costs less than 5 % in the sum over all largest sizes, and 10 % of no call\n"
           "  batches  each a set of classes of its own where that gains 2 %\n";
  }
  const auto add = [&](std::string name, const std::string& words) {
    name.resize(std::max<std::size_t>(name.size() + 2, 16), ' ');
    text += "  " + name + words + "\n";
  };
  for (const family& f : of.families) {
    text += of.name + ", " + f.name + ", n = " + std::to_string(f.n_min) + " to " + text_of_n(f.n_max) + "\n";
    add("", f.why);
    for (const cuda::search_values& v : f.tried) {
      add(v.parameter, in_words(v.of));
      add("", v.why);
    }
    add("together", std::string(f.why_worth) + "\n");
  }
  return text;
}

}  // namespace talus::tune
