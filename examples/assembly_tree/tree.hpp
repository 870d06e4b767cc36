// The assembly tree of a sparse factorization, as far as batches need it: which fronts each level holds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tree {

/// `count` fronts of one shape: dense matrices of n rows, the first k of which are pivots. What is left of
/// the other n - k when those are eliminated is added to the front's parent.
struct front_group {
  int n, k;
  std::int64_t count;
};

/// Fronts none of which needs another one of them: they can be factored at once.
struct level {
  int number;                       ///< as the file counts
  std::vector<front_group> groups;  ///< in ascending order of n, then k; none is empty

  std::int64_t fronts() const;
  int smallest() const { return groups.front().n; }
  int median() const;  ///< of an even number of fronts the lower one of the two in the middle
  int largest() const { return groups.back().n; }
};

struct assembly_tree {
  std::string name;
  bool root_first;            ///< how the levels are numbered
  std::vector<level> levels;  ///< from the leaves to the root: as a solver works

  std::int64_t fronts() const;
  std::int64_t pivots() const;  ///< over all fronts: the order of the sparse matrix
  int largest() const;          ///< the largest n; 0 without fronts
};

/// Sorts the groups into levels. Level 0 is taken for the root if it is one front of pivots alone and the
/// last level is not; else it holds the leaves.
struct numbered_group {
  int level;
  front_group group;
};
assembly_tree make_tree(std::string name, std::vector<numbered_group> groups);

/// Reads "level,n,k,count", one group per line, under a line that says just that; lines that begin with #
/// are skipped. Throws example::file_error.
assembly_tree read_tree(const std::string& file);

/// Drops levels that are not numbered first ... last, then fronts larger than n_max; the number of the
/// latter.
std::int64_t restrict_to(assembly_tree& all, int first, int last, int n_max);

}  // namespace tree
