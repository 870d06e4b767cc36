// What the tuner knows of a routine: its kernel families, what each may try and why, which of it can run. All
// is what the families and the routine say of themselves (routines.cpp); nothing here is of one of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "kernel.hpp"
#include "measure/plan.hpp"
#include "table.hpp"

namespace talus::tune {

struct family_parameter {
  std::string name;
  bool is_flag;  // on or off
};

struct family {
  std::string name;
  std::vector<family_parameter> parameters;
  std::vector<cuda::search_values> tried;  // the others stay 0
  int n_min, n_max;                        // where it is tried
  const char *why, *why_worth;             // there; of the combinations that are not
  std::string follows_from_n;              // the parameter that does, if one does
};

struct routine {
  std::string name;
  std::vector<std::string> extents;            // their names
  int orders = 1;                              // the first `orders` extents are n for a square matrix
  int measured_nrhs = 0;                       // columns of B in the tuner's measurements
  int forms = 1;                               // a build compiles each kernel once per form: lower, upper
  std::vector<measure::growth> shapes = {{}};  // at which lines are priced; squares first
  std::vector<family> families;
  bool is_swept = true;        // false: its lines are only priced
  bool has_schedules = false;  // its tables are sets of classes
  bool mixed_sizes = false;    // the matrices of a call have different sizes
  std::string of_equal_sizes;  // the routine of equal sizes with these kernels

  /// Returns the extents of a matrix that tables name: m x n, k eliminated columns, nrhs columns of B.
  std::vector<int> (*extents_of)(int m, int n, int k, int nrhs);

  /// What a line covers that serves square matrices up to n, which is what the tuner varies.
  std::vector<int> (*box)(int n);

  /// Why no kernel serves this line; empty if one does.
  std::string (*objection)(const table_line& line, const cuda::gpu_limits& limits);

  /// All kernels that are worth trying at one size.
  std::vector<kernel> (*candidates)(char precision, int n, const cuda::gpu_limits& limits);

  /// Returns a kernel's parameters in the family's order, without parameters that of_kernel() leaves out.
  std::vector<std::pair<std::string, int>> (*compiled_values)(const kernel& k);

  /// The tables that this build has, the generic one last. Their lines, one table after the other, are
  /// numbered as the library numbers them.
  const std::vector<table>& (*compiled)(char precision);

  /// Real flops of one matrix.
  double (*flops)(char precision, double n);
};

const std::vector<routine>& routines();
const routine& routine_named(std::string_view name);  // throws std::invalid_argument

/// Null if there is none of that name.
const family* find_family(const routine& of, const std::string& name);

/// A line that serves sizes up to n in any batch.
table_line line_for(const routine& of, char precision, int n, const kernel& k);

/// These kernels as a table that a search build is made with, each with the largest n that it can serve.
table table_of(const routine& of, char precision, const std::vector<kernel>& kernels,
               const cuda::gpu_limits& limits);

/// The kernel with what follows from n left open: at two sizes, kernels with the same key are neighbours.
kernel neighbour_key(const routine& of, const kernel& k);

/// The space in words: every bound with its reason.
std::string explain_space(const routine& of);

}  // namespace talus::tune
