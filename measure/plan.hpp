// What is to be measured: sizes, batches, how often; and what other people measured. Pure: needs neither
// backend nor machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/types.hpp"

namespace talus::measure {

/// Extents of one matrix: A is m x n, k of its columns are eliminated, B has nrhs columns.
struct sizes {
  int m = 0, n = 0, k = 0, nrhs = 0;
};
constexpr sizes square(int n, int nrhs = 0) { return {n, n, n, nrhs}; }
inline std::vector<sizes> squares(const std::vector<int>& orders) {
  std::vector<sizes> all;
  for (const int n : orders) all.push_back(square(n));
  return all;
}

/// The growth of a matrix's shape with its order n: m = m_times * n rows, at most k_max eliminated columns
/// (0: all), and nrhs columns of B (0: the usual number in measurements of the routine), or n columns.
struct growth {
  int m_times = 1, k_max = 0, nrhs = 0;
  bool nrhs_is_n = false;
};

/// Of A and B together, which has as many rows as the larger of m and n.
constexpr double elements_of(const sizes& s) {
  return static_cast<double>(s.m) * s.n + static_cast<double>(std::max(s.m, s.n)) * s.nrhs;
}

/// "256x16" for m x n, "64" for a square.
std::string text_of(const sizes& one);

/// The sizes measured unless others are asked for: small ones one by one, multiples of the kernels' panels
/// above.
extern const std::vector<int> grid;

/// The largest size that is measured: n * n is still an int's worth of elements.
constexpr int largest_size = 32768;

/// "A:B" the part of the grid from A to B; "A:B:S" A, A + S, ... up to B; "n,n,..." these. Anything else
/// throws std::invalid_argument with a sentence that names what is wrong.
std::vector<int> parse_sizes(const std::string& text);

/// The same as squares; in a list, "MxN" is M rows and N columns.
std::vector<sizes> parse_shapes(const std::string& text);

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

// ---- mixed sizes ---------------------------------------------------------------------------------

/// Where sizes come from.
struct distribution {
  enum class kind { uniform, gaussian, tree };
  kind is = kind::uniform;
  std::string name;  // in results: uniform, gaussian, tree:<file's name without folder and .csv>
  std::string path;  // of a tree
};

/// "uniform", "gaussian" or "tree:FILE". Anything else throws std::invalid_argument.
distribution parse_distribution(const std::string& text);

/// `count` random sizes from 1 to n_max, a function of the arguments alone on every machine. uniform: any as
/// likely as any other. gaussian: mean n_max / 2, standard deviation n_max / 6, cut off at 1 and n_max. A
/// smaller count gives the first of them.
std::vector<int> random_sizes(distribution::kind is, int n_max, std::int64_t count, std::uint64_t seed);

/// The fronts of one level of an assembly tree that are factored side by side.
struct tree_level {
  std::string name;           // as the file has it
  std::vector<sizes> fronts;  // in the file's order; k of their columns are pivots, perhaps none
  std::int64_t left_out = 0;  // fronts that are larger than asked for
};

/// Reads level,n,k,count: levels in the file's order, fronts up to n_max; a level without any is left out of
/// the result, and its fronts are counted in left_out. Throws std::invalid_argument where the file cannot be
/// read or understood, as read_peer_times does.
struct tree {
  std::vector<tree_level> levels;
  std::int64_t left_out = 0;
};
tree read_tree(const std::string& path, int n_max);

/// A time from a file of other people's.
struct peer_time {
  std::string file;  // without folder
  std::string library, routine, precision, regime;
  int n = 0;
  std::int64_t batch = 0;
  double median_ms = 0, gflops = 0;
};

/// Columns library,routine,precision,regime,n_or_nmax,batch,median_ms,gflops; or, of the levels of trees,
/// library,routine,precision,tree,level,n_max,fronts,median_ms,gflops. Then the regime is what results have,
/// tree:<name>:<level>; and of level all, where the file counts levels, n and batch are those of the levels
/// above it together.
std::vector<peer_time> read_peer_times(const std::string& path);

/// Null if the file has none.
const peer_time* find_peer_time(const std::vector<peer_time>& times, const std::string& library,
                                const std::string& routine, const std::string& precision,
                                const std::string& regime, int n, std::int64_t batch);

}  // namespace talus::measure
