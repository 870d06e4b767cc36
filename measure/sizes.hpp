// Which sizes the matrices of a variable batch have, and what other people measured on such batches. Pure:
// needs neither backend nor machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace talus::measure {

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
  std::vector<int> sizes;     // of its fronts, in the file's order
  std::int64_t left_out = 0;  // fronts that are larger than asked for
};

/// Reads level,n,k,count: levels in the file's order, fronts up to n_max; a level without any is left out of
/// the result, and its fronts are counted in left_out. Throws std::invalid_argument where the file cannot be
/// read or understood.
struct tree {
  std::vector<tree_level> levels;
  std::int64_t left_out = 0;
};
tree read_tree(const std::string& path, int n_max);

/// A time from a file of other people's, with columns library,routine,precision,regime,n_or_nmax,batch,
/// median_ms,gflops.
struct peer_time {
  std::string library, routine, precision, regime;
  int n = 0;
  std::int64_t batch = 0;
  double median_ms = 0, gflops = 0;
};

/// Throws std::invalid_argument where the file cannot be read or understood.
std::vector<peer_time> read_peer_times(const std::string& path);

/// Null if the file has none.
const peer_time* find_peer_time(const std::vector<peer_time>& times, const std::string& library,
                                const std::string& routine, const std::string& precision,
                                const std::string& regime, int n, std::int64_t batch);

}  // namespace talus::measure
