// From measurements to a table: which lines, and why.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results.hpp"
#include "space.hpp"
#include "table.hpp"

namespace talus::tune {

/// What decides.
struct rules {
  double least_band = 0.01;  // differences below it are noise, whatever the measurements say
  double batch_gain = 0.03;  // a batch gets a line of its own where it changes the winner by more
  double line_gain = 0.05;   // what a line must gain, summed over what it serves and beyond the noise
  double most_loss = 0.01;   // a chosen kernel is slower than the generic table's at no point by more
  double own_gain = 0.03;    // the mean of what a line must gain on what would serve without it
  double most_given = 0.04;  // a point gives away no more where a line goes
};

/// One size in one regime.
struct point {
  char precision = 0;
  std::string regime;
  int n = 0;
  std::int64_t batch = 0;
  double band = 0;                 // of noise: how far the reference's own median moved
  double reference_ms = 0;         // median over all its measurements here
  std::map<kernel, double> ratio;  // to the reference, of every kernel measured in turn with it
};

/// The points of a precision, by n and then by batch. What was measured several times counts with its
/// median. Kernels that failed, were wrong or slow are left out.
std::vector<point> points_of(const std::vector<measurement>& all, char precision, const rules& r);

/// Fastest kernel of a point, and its ratio.
std::pair<kernel, double> best_of(const point& p);

/// A kernel for each size and batch, as the lines of a table.
///
/// All sizes are decided together: the sequence of kernels over ascending n that costs least, where a point
/// costs what the kernel loses there to the best one beyond the noise band, a change of kernel costs
/// `line_gain`, and a second line for another batch `batch_gain`. A kernel that fails at a size or loses more
/// than `most_loss` to the generic table there is not eligible. Among equals the generic table's kernel wins.
std::vector<table_line> choose_lines(const std::vector<point>& points, const table& generic, const rules& r);

/// A tuned table against the generic one, over the measured points.
struct gain {
  int points = 0, lines = 0, changed_lines = 0;      // changed: other than the generic table's line there
  double least = 0, median = 0, most = 0, mean = 0;  // of generic time over tuned time; mean: geometric
  int least_n = 0, most_n = 0;
  int unmeasured = 0;  // points where the table's kernel was not measured
};
gain gain_of(const std::vector<point>& points, const std::vector<table_line>& lines, const table& generic);

/// Do two runs agree? At each point that both measured, the kernel that one run's table chooses must be, by
/// the other run's measurements, within the noise band of what the other's table chooses.
struct agreement {
  int points = 0, agreeing = 0;
  std::vector<std::string> disagreements;
};
agreement compare(const std::vector<point>& a, const std::vector<table_line>& lines_a,
                  const std::vector<point>& b, const std::vector<table_line>& lines_b);

}  // namespace talus::tune
