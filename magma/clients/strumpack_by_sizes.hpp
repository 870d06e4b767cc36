// The times of a level's calls, beside the same work by calls of one size after the other, and by Talus's one
// call for a level.
#pragma once

#include <string>
#include <vector>

#include "strumpack_level.hpp"

namespace client {

struct named_level {
  std::string tree, name;
  std::vector<front> fronts;
  std::int64_t left_out = 0;  // fronts that are larger than asked for
};

struct report_options {
  std::string precision, peers;
};

/// Throws usage_error where a file cannot be read.
void check_report(const report_options& o);

/// Prints a table; returns the exit status.
template <class T>
int bench_levels(const std::vector<named_level>& levels, const report_options& o);

}  // namespace client
