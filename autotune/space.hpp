// What the tuner may try: per routine its kernel families, the values of their parameters, and why these. A
// new kernel family joins by its entry in space.cpp.
#pragma once

#include <string>
#include <vector>

#include "table.hpp"

namespace talus::cuda {
struct potrf_line;
struct potrf_vbatched_line;
}  // namespace talus::cuda

namespace talus::tune {

/// The values of one parameter, and why no others.
struct values {
  std::vector<int> of;
  const char* why;
};

struct family_space {
  const char* family;
  values ib, nb, tbc, threads, rows;
  int n_min, n_max;  // where it is tried
  const char* why;   // there

  /// Whether a combination is worth trying at n, beyond being possible, and why others are not.
  bool (*worth)(const kernel& k, int n);
  const char* why_worth;

  /// Bytes moved to and from memory, in multiples of the least possible.
  double (*traffic)(const kernel& k, int n);

  /// Parameters that follow from n and the others: two kernels that differ in nothing else are neighbours.
  bool rows_follow_from_n;
};

struct routine {
  std::string name;
  std::vector<std::string> families;
  std::vector<std::string> schedules;  // where matrices differ in size: its tables are sets of classes
  std::vector<family_space> space;     // none where kernels are those of another routine

  /// Why no kernel serves this line; empty if one does.
  std::string (*objection)(const table_line& line, const cuda::gpu_limits& limits);

  /// Right-hand sides that it is measured with.
  int nrhs;

  /// Real flops of one matrix.
  double (*flops)(char precision, double n);

  /// Bytes that must be read plus written for one matrix.
  double (*bytes)(char precision, int n);
};

/// A compiled line, as the tuner names kernels.
kernel kernel_of(const cuda::potrf_line& line);
kernel kernel_of(const cuda::potrf_vbatched_line& line);

const std::vector<routine>& routines();
const routine& routine_named(const std::string& name);  // throws std::invalid_argument

/// All kernels to try at one size.
std::vector<kernel> candidates(const routine& of, char precision, int n, const cuda::gpu_limits& limits);

/// Every kernel of the space as a table, and those of `also` (the generic table), each with the largest n
/// that it can serve: what the search build is built with. The last line serves every n.
table candidate_table(const routine& of, const std::string& precisions, const cuda::gpu_limits& limits,
                      const table& also);

double traffic(const routine& of, const kernel& k, int n);

/// The kernel with what follows from n left open: at two sizes, kernels with the same key are neighbours.
kernel neighbour_key(const routine& of, kernel k);

/// The space in words: every bound with its reason.
std::string explain_space(const routine& of);

std::size_t element_size(char precision);

}  // namespace talus::tune
