// The price of each kernel in a GPU's table for mixed sizes: the calls to measure, and the lines to keep.
// Pure: needs neither GPU nor files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "price.hpp"
#include "vbatched/schedule.hpp"

namespace talus::tune {

/// Returns a line's box as the names of calls have it: "64" where all bounds are 64, else "256x64".
std::string words_of_box(const table_line& line);

/// Returns a kernel as one word, from which the kernel can be read back.
std::string word_of(kernel k);

// ---- what is measured ----------------------------------------------------------------------------

struct class_price_plan {
  cuda::gpu_limits limits = cuda::generic_limits;

  double share = 0.6;         // matrices of a call, as a share of the line's batch_max
  std::int64_t many = 20000;  // at least, of the last set: else twice the batch_max of the set before
  double most_bytes = 1.5e9;  // matrices of a call: else it has fewer matrices,
  double most_flops = 1e11;
  double least_share = 1.0 / 50;  // but at least this share of the fewest that its lines serve
  double beyond = 1.5;     // largest size of a line without bound, over the bound of the line before it,
  int most_beyond = 1024;  // at most
  int calls_of_class = 2;  // in which the kernel of a class is replaced
  int substitutes = 3;     // other kernels that are tried in its place
  bool all_calls = false;  // also measures calls that cannot be served in another way
};

/// One way to serve a call.
struct class_variant {
  std::string name;       // in measurements
  cuda::class_lines by;   // lines by their numbers in the GPU's own table and then the generic table
  std::set<kernel> uses;  // keys of kernels that do more work here than by the table, without generic kernels
};

/// A call on matrices of uniformly distributed sizes from 1 to n_max. `n_max` is the size of at least one
/// matrix.
struct class_price_call {
  char precision = 0;
  int n_max = 0;
  measure::growth as = {};    // how the matrices grow with their order
  std::int64_t of_batch = 0;  // matrices that the lines are selected for
  std::int64_t batch = 0;     // matrices that are measured: `of_batch`, or fewer of large sizes
  class_variant table;        // the lines that the library selects
  std::string table_name;     // the name of their record: all boxes with their kernels
  std::vector<class_variant> others;
};

/// A kernel for a line in place of its own, and the number of the compiled line that runs it.
struct substitute {
  std::size_t number = 0;
  kernel how;
};

/// A way to serve without a kernel: the lines that get another kernel. Other lines with the kernel are
/// dropped.
struct way_without {
  std::map<std::size_t, substitute> instead;
  std::vector<std::size_t> variants;  // in each call of the unit, one of `others`
};

/// Lines of a set with the same kernel, which are replaced together: a lone line, or classes of one group.
struct price_unit {
  kernel key;
  std::vector<std::size_t> lines;  // of the GPU's own table
  std::vector<std::size_t> calls;
  std::vector<std::vector<std::size_t>> served;  // in each call, the lines that serve squares
  std::vector<way_without> ways;
  std::string not_measured;  // why there are no calls
};

struct class_prices {
  std::vector<class_price_call> calls;
  std::vector<price_unit> units;  // of kernels that the generic table lacks
};

/// The calls of one precision, and the ways to serve them without each kernel.
class_prices price_calls(const routine& of, const std::vector<table_line>& own,
                         const std::vector<table_line>& generic, const class_price_plan& plan);

/// Measures a variant in turn with the table's lines.
using call_timer = std::function<measurement(const class_price_call&, const class_variant&)>;

/// A measurement that names call and variant, and nothing else yet.
measurement measurement_of(const class_price_call& call, const class_variant& variant);

/// Returns the record of the table's lines in a call, from a measurement of a variant in turn with them.
measurement measurement_of_table(const class_price_call& call, const measurement& variant);

/// Measures all variants of all calls, and records the lines that the table has for each call. `known` is not
/// measured again.
sweep_result measure_calls(const std::vector<class_price_call>& calls, const std::vector<measurement>& known,
                           const call_timer& time, const listener& to);

// ---- the price -----------------------------------------------------------------------------------

/// Prices the lines of one precision, as price_lines() does for equal sizes. A kernel is removed from all
/// lines at once. Kernels that a changed line relies on stay.
priced_table price_classes(const routine& of, const std::vector<table_line>& own,
                           const std::vector<table_line>& generic, const std::vector<measurement>& measured,
                           const class_price_plan& plan, const price_rules& rules);

}  // namespace talus::tune
