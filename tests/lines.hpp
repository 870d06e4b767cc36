// What tests ask of the tables' lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "batched/cholesky/potrf.hpp"
#include "vbatched/cholesky/potrf.hpp"

namespace talus::test {

template <class Tables, class T>
constexpr int lines_of() {
  return static_cast<int>(Tables::template lines<T>.size());
}

/// A line's family and its parameters, but for some: lines that agree here share a kernel.
template <class Kernel>
std::vector<int> parameters_of(const Kernel& kernel, const std::set<std::string_view>& but = {}) {
  std::vector<int> all{static_cast<int>(kernel.index())};
  std::visit(
      [&](const auto& family) {
        family.for_each_parameter(family, [&](const char* name, const auto& value) {
          if (but.count(name) == 0) all.push_back(static_cast<int>(value));
        });
      },
      kernel);
  return all;
}

/// Calls run(line) for one line of each kernel and schedule in the tables of a routine on mixed sizes.
template <class Tables, class T, class Run>
void for_each_mixed_kernel(Run run) {
  std::set<std::pair<cuda::schedule, std::vector<int>>> known;
  for (int line = 0; line < lines_of<Tables, T>(); ++line) {
    const auto& l = Tables::template at<T>(line);
    const auto schedule = std::max(l.schedule, cuda::schedule::queued);  // alone they are the same
    if (known.insert({schedule, parameters_of(l.kernel)}).second) run(line);
  }
}

/// Matrices per thread block.
template <class Kernel>
int tbc_of(const Kernel& kernel) {
  int tbc = 1;
  std::visit(
      [&](const auto& family) {
        family.for_each_parameter(family, [&](std::string_view name, const auto& value) {
          if (name == "tbc") tbc = static_cast<int>(value);
        });
      },
      kernel);
  return tbc;
}

/// As long as there is one, blocks get no more shared memory than on the smallest GPU.
struct smaller_gpu {
  smaller_gpu() { cuda::most_shared_bytes = cuda::generic_limits.shared_bytes; }
  ~smaller_gpu() { cuda::most_shared_bytes = cuda::any_gpu_limits.shared_bytes; }
};

/// Both ends of what a bound covers, and what is beside them.
inline std::set<int> borders(int bound) { return {0, 1, std::max(1, bound - 1), bound}; }

/// A line of potrf_tables, of any table of the build, whose kernel gives the bits that this line's does, for
/// all sizes that it serves (the kernels in shared memory know their bound); -1: there is none.
template <class T>
int line_of_same_kernel(const cuda::mixed_line<cuda::cholesky::potrf_vbatched_routine>& line) {
  const std::set<std::string_view> no_matter{"tbc", "blocks", "carve_out_kb"};
  const bool knows_bound = std::holds_alternative<cuda::cholesky::smem>(line.kernel) ||
                           std::holds_alternative<cuda::cholesky::smem_lookahead>(line.kernel);
  const auto& lines = cuda::potrf_tables::lines<T>;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (parameters_of(lines[i].kernel, no_matter) == parameters_of(line.kernel, no_matter) &&
        (!knows_bound || lines[i].bounds.cover(line.bounds)))
      return static_cast<int>(i);
  }
  return -1;
}

/// The same among the lines TABLES of a routine all of whose kernels know their bounds.
template <class TABLES, class T, class Line>
int line_of_same_bounded_kernel(const Line& line) {
  const std::set<std::string_view> no_matter{"tbc", "blocks"};
  const auto& lines = TABLES::template lines<T>;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (parameters_of(lines[i].kernel, no_matter) == parameters_of(line.kernel, no_matter) &&
        lines[i].bounds.cover(line.bounds))
      return static_cast<int>(i);
  }
  return -1;
}

}  // namespace talus::test
