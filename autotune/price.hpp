// The price of each line of a GPU's table: the points to measure, and the lines to keep. Pure: needs
// neither GPU nor files.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "results.hpp"
#include "space.hpp"
#include "sweep.hpp"
#include "table.hpp"

namespace talus::tune {

// ---- kernels and boxes ---------------------------------------------------------------------------

/// The kernel as it is compiled. Matrices per block and the schedule are arguments of the launch.
kernel key_of(const kernel& k);
std::set<kernel> keys_of(const std::vector<table_line>& lines);

/// The largest square that a line's box holds.
int largest_square(const table_line& line);

/// Returns the sizes of a matrix of order n and of this shape.
measure::sizes sizes_at(const routine& of, int n, const shape& shape);

/// Returns the shape of a matrix of order n with this growth.
shape shape_at(const measure::growth& as, int n);

/// Returns the largest order n of a matrix in the line's box; 0: none.
int largest_order(const routine& of, const table_line& line, const measure::growth& as);

/// Ratios of times over some points.
struct ratios {
  double logarithms = 0, least = std::numeric_limits<double>::infinity(), greatest = 0;
  int count = 0;

  void add(double ratio);
  double mean() const;
};

// ---- what is measured ----------------------------------------------------------------------------

struct price_plan {
  std::vector<std::string> regimes;  // of lines for any batch; fill and b3000 if empty
  cuda::gpu_limits limits = cuda::generic_limits;

  double fill_bytes = 256e6;           // a batch of regime fill
  double most_bytes = 1e9;             // a batch of regime b<N>, unless a line needs more matrices
  double most_bytes_of_line = 2.2e9;   // a batch that the smallest line for such matrices needs
  double matrix_bytes = 134217728;     // the largest matrix: n = 4096 in double precision
  double most_matrix_bytes = 320e6;    // the smallest matrix of a line, if it is larger than that
  double few_sizes_from_bytes = 16e6;  // of a matrix: from here on one size per line
};

/// The orders n that a line serves in batches of up to its batch_max. The matrices are squares with the
/// routine's number of right-hand sides, or have another growth. `first` > `last`: none.
struct size_range {
  int first = 1, last = 0;
};
size_range squares_of(const routine& of, const std::vector<table_line>& lines, std::size_t line,
                      const measure::growth& as = {});

/// True if a table has exactly this line.
bool has_line(const std::vector<table_line>& lines, const table_line& line);

/// Returns the line that the library selects for square matrices, or for matrices of another shape; null:
/// none. Unlike in select(), a line with too few right-hand sides does not serve.
const table_line* selected(const routine& of, const std::vector<table_line>& lines, int n, std::int64_t batch,
                           const shape& shape = {});

/// Returns the lines without schedules, which do not affect calls on matrices of one size.
std::vector<table_line> without_schedules(std::vector<table_line> lines);

/// The points of one precision: for each line the largest size of its range, one or two sizes inside if the
/// range is wide, and its batches. Each point names the selected kernel and all other kernels of both tables
/// that can run there. Other shapes than squares, and lines with a kernel of the generic table, have
/// one size and one batch each. A line that no shape reaches has a point at the corner of its box. Lines that
/// the generic table has, too, have no points.
std::vector<named_point> price_points(const routine& of, const std::vector<table_line>& own,
                                      const std::vector<table_line>& generic, const price_plan& plan);

// ---- the price -----------------------------------------------------------------------------------

struct price_rules {
  double bar = 0.03;        // a kernel stays if its lines are faster with it by this, in the mean
  double most_loss = 0.08;  // a kernel stays if a point would lose more, compared with the table as given
  double reuse_gain =
      0.03;  // a line without its kernel keeps its box for another kernel that is faster by this
};

enum class verdict { keep, drop, reuse };

/// A line of the table as given, and what becomes of it.
struct priced_line {
  table_line line;
  verdict is = verdict::keep;
  kernel instead;          // of reuse
  std::string not_priced;  // why; empty: it has a price
  std::string remark;      // on the verdict

  /// Time without the line's kernel over time with it, at the points that the line serves: geometric mean,
  /// least, greatest.
  double mean = 1, least = 1, greatest = 1;
  int points = 0;
  void take_price(const ratios& of);

  int kernels = 0;  // compiled kernels, of all forms, that no other line of both tables names
};

/// "price 1.24 (1.03 to 1.44, 3 points)", the comment of a line; empty: the line has no price.
std::string words_of_price(const priced_line& one, const std::string& point = "point");

struct priced_table {
  std::vector<priced_line> lines;  // in the table's order
  std::vector<table_line> pruned;  // the table that remains, with evidence

  /// Of all points: time with the pruned table over time with the table as given.
  double mean = 1, worst = 1;
  int points = 0, kernels_before = 0, kernels_after = 0;
};

/// Prices the lines of one precision. Lines with the same kernel are kept or removed together, because the
/// kernel is compiled once for all of them. The kernel with the lowest price goes first, as long as one is
/// below the bar; then all prices are computed again. `pruned` is empty if the table has schedules.
priced_table price_lines(const routine& of, const std::vector<table_line>& own,
                         const std::vector<table_line>& generic, const std::vector<measurement>& measured,
                         const cuda::gpu_limits& limits, const price_rules& rules);

}  // namespace talus::tune
