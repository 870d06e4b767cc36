// A table of tuned lines as a file: read, checked, written. The compiler reads the same files
// (src/gpu/table.hpp); here they are text, so that a broken one can be explained.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/table.hpp"
#include "kernel.hpp"

namespace talus::tune {

struct table_line {
  char precision = 0;
  std::vector<int> bounds;  // of the extents that the routine names
  int orders = 1;           // as many of these, the first ones, are n for a square matrix
  std::int64_t batch_max = cuda::any_batch;
  kernel how;
  std::string evidence;  // what stands behind //
  int number = 0;        // of the line in the file, from 1

  int n_max() const { return bounds.at(0); }

  /// Whether the box of another lies in its own; is smaller, too; and whether it serves all that the other
  /// does.
  bool has_box_of(const table_line& other) const;
  bool holds(const std::vector<int>& extents) const;  // in its box
  bool is_around(const table_line& other) const { return has_box_of(other) && bounds != other.bounds; }
  bool covers(const table_line& other) const { return has_box_of(other) && batch_max >= other.batch_max; }
};

struct table {
  std::string name, gpu;  // of its folder; as the GPU calls itself, empty for the generic table
  int capability = 0;     // 90 for 9.0; 0 for any
  std::string preamble;   // the comment it begins with
  std::vector<table_line> lines;

  bool is_generic() const { return gpu.empty() && capability == 0; }
};

/// What is wrong with a file, and where.
struct problem_found {
  int number;  // of the line, from 1; 0: the file as a whole
  std::string what;
};

struct routine;  // space.hpp

/// Reads a table; whatever cannot be understood is left out and reported.
table read_table(const std::string& path, const routine& of, std::vector<problem_found>& problems);

/// The same for a table that must be good: throws std::runtime_error that names file, line and problem.
table read_good_table(const std::string& path, const routine& of);

/// All that is wrong with a table as data: lines that are not ascending, that never serve, that no kernel
/// serves, sizes that nobody serves, more than the GPU has, sets of classes that are none.
std::vector<problem_found> check(const table& t, const routine& of);

/// The lines of one precision.
std::vector<table_line> lines_of(const table& t, char precision);

/// The line that serves n in a batch of `count`, as the library selects it; null: none.
const table_line* select(const std::vector<table_line>& lines, char precision, int n, std::int64_t count);

/// A hash (FNV-1a) of all lines.
std::string fingerprint(const table& t);

/// Writes a file whole or not at all: whoever builds at the same time must never see half a table. Throws
/// std::runtime_error where that is not possible.
void write_file(const std::string& path, const std::string& text);

/// The table as its file has it, names and numbers below each other.
std::string text_of(const table& t, const routine& of);

/// "any_extent" and "any_batch" for what those stand for, else the number.
std::string text_of_n(int n_max);
std::string text_of_batch(std::int64_t batch_max);

}  // namespace talus::tune
