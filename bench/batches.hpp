// Which batches a command measures: sizes by regimes, or where sizes are mixed distributions by their maxima.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command.hpp"
#include "measure/plan.hpp"

namespace talus::bench {

/// One batch to be measured.
struct batch_to_measure {
  std::string label, regime;    // what tells it apart: in the table, in the file
  int n;                        // the size; the maximum asked for; or of a level of a tree the largest
  std::int64_t count;           // of matrices
  std::vector<int> sizes = {};  // where they are mixed
};

/// Those that stand in one table.
struct series {
  std::string title;
  std::string label;          // of the table's first column
  std::string sum_label;      // regime of the sum of all, if they are worked on one after the other
  std::int64_t left_out = 0;  // fronts of a tree that are larger than asked for
  std::vector<batch_to_measure> batches = {};
};

/// Of matrices that take element_bytes * n * (n + nrhs) bytes.
struct matrices {
  backend where;
  char precision;
  std::size_t element_bytes;
  int nrhs;
};

/// Throws std::invalid_argument where a tree's file cannot be read.
std::vector<series> series_of_equal(const options& o, const matrices& of);
std::vector<series> series_of_mixed(const options& o, const matrices& of);

}  // namespace talus::bench
