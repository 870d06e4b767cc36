// What is to be measured: sizes, batches, how often. Pure: needs neither backend nor machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/types.hpp"

namespace talus::measure {

/// The sizes measured unless others are asked for: small ones one by one, multiples of the kernels' panels
/// above.
extern const std::vector<int> grid;

/// The largest size that is measured: n * n is still an int's worth of elements.
constexpr int largest_size = 32768;

/// "A:B" the part of the grid from A to B; "A:B:S" A, A + S, ... up to B; "n,n,..." these. Anything else
/// throws std::invalid_argument with a sentence that names what is wrong.
std::vector<int> parse_sizes(const std::string& text);

/// How many matrices: `fill` as many as fill a number of bytes, `b<N>` N of them.
struct regime {
  std::string name;
  std::int64_t batch_count = 0;  // 0 for fill
};
regime parse_regime(const std::string& text);

/// What `fill` means: about `bytes` of matrices, at most `batch_max` of them, and at least `batch_min` as
/// long as these take no more than `bytes_max`. Always at least one.
struct fill {
  double bytes, bytes_max;
  std::int64_t batch_min, batch_max;

  std::int64_t batch_count(double matrix_bytes) const;
};

/// cuda: 0.5 GB in single, 1 GB in the other precisions, at most a million matrices: larger than any L2,
/// quick to fill. host: 100 to 256 MB, so that every thread has a few matrices. bytes > 0 overrides both.
fill fill_of(backend where, char precision, int threads, double bytes);

/// Short runs scatter the most and cost nothing: they are timed as often as fits into 20 ms.
inline int wanted_repeats(int at_least, double run_seconds) {
  constexpr double seconds = 20e-3, most = 300;
  return std::max(at_least, static_cast<int>(std::min(seconds / run_seconds, most)));
}

struct statistics {
  double median = 0, min = 0, max = 0;
};
statistics statistics_of(std::vector<double> values);

}  // namespace talus::measure
