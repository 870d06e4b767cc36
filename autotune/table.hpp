// A table of tuned lines as a file: read, checked, written. The compiler reads the same files
// (src/batched/<routine>_table.hpp); here they are text, so that a broken one can be explained.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batched/table.hpp"

namespace talus::tune {

/// One way to run a routine: a kernel family and its parameters, as the columns of a table name them; where
/// matrices differ in size, also which of them when.
struct kernel {
  std::string family;
  int ib = 0, nb = 0, tbc = 0, threads = 0, rows = 0;
  std::string schedule = {};  // empty where all are of one size
};
bool operator==(const kernel& a, const kernel& b);
bool operator!=(const kernel& a, const kernel& b);
bool operator<(const kernel& a, const kernel& b);

/// Whether its schedule is one launch for all sizes.
bool is_alone(const kernel& k);

std::string describe(const kernel& k);  // "thread ib=4 tbc=8 threads=8 rows=4", "binned warp ib=1 ..."

struct table_line {
  char precision = 0;
  int n_max = 0;
  std::int64_t batch_max = cuda::any_batch;
  kernel how;
  std::string evidence;  // what stands behind //
  int number = 0;        // of the line in the file, from 1
};

struct table {
  std::string name, gpu;  // of its folder; as the GPU calls itself, empty for the generic table
  int capability = 0;     // 90 for 9.0; 0 for any
  std::string preamble;   // the comment it begins with
  std::vector<table_line> lines;
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

/// The line that serves n in a batch of `count`, as the library selects it; null: none.
const table_line* select(const table& t, char precision, int n, std::int64_t count);

/// Writes a file whole or not at all: whoever builds at the same time must never see half a table. Throws
/// std::runtime_error where that is not possible.
void write_file(const std::string& path, const std::string& text);

/// Writes a table; throws std::runtime_error where that is not possible.
void write_table(const std::string& path, const table& t);

/// "any_n" and "any_batch" for what those stand for, else the number.
std::string text_of_n(int n_max);
std::string text_of_batch(std::int64_t batch_max);

}  // namespace talus::tune
