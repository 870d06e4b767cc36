// local_regression: derivatives at scattered points from weighted polynomial fits to their neighbours, all
// fits in one call of gels; checked against the right ones on three refinements, and timed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cloud.hpp"
#include "common/options.hpp"
#include "common/output_file.hpp"
#include "common/program.hpp"
#include "convergence.hpp"
#include "error_picture.hpp"
#include "error_table.hpp"
#include "fields.hpp"
#include "fit.hpp"

namespace {

using namespace example;  // what is common to the examples
using regression::basis;

struct options : common_options {
  int dimension = 0, degree = 3, neighbours = 0, fields = 1;
  std::int64_t points = 0;
  std::uint64_t memory = 0;
  bool ragged = false;
  std::string compare, csv, picture;
};

constexpr const char* help_footer = R"(
Examples:
  local_regression                                  a square and a cube, polynomials of degree 3
  local_regression --dimension 3 --points 1000000 --compare loop
  local_regression --dimension 2 --degree 4 --picture errors.svg
  local_regression --ragged                         each point has its own number of neighbours
  local_regression --backend cuda --memory 2GiB     each call gets matrices of at most 2 GiB)";

constexpr const char* legend = R"(
value, gradient, Laplacian: the error of each over all points, borders too, root mean square, as a share of
the right one's. order: what it falls with from the line above, which has twice the spacing. A fit of degree d
is off by h^(d+1), as Taylor's polynomial is; each derivative costs one order. In the last line an order must
come to what is expected less 0.35, but for what rounding adds to the error.
gels: time in all calls of a line. Neighbours are found and matrices assembled by the CPU: that, and copies
to a GPU, are not in it. LAPACK: xGELS of OpenBLAS, one thread for each matrix and all cores at work; of many
points it fits 50000, and its time is scaled up. residual: the worst of all points,
||A^T (B - A X)||_1 / (m ||A||_1 ||B||_1 eps); a stable solution stays below 30.)";

// ---- arguments -----------------------------------------------------------------------------------

void describe(command_line& line, options& o) {
  const auto add = [&line](const char* group, const char* name, auto& value, const char* word,
                           const char* text) { return add_option(line, group, name, value, word, text); };
  line.footer(std::string(help_footer) + "\n" + legend +
              exit_codes("a fit failed, or an error falls too slowly"));
  line.column_width(26);

  const char* group = "What to fit";
  add(group, "--dimension", o.dimension, "D", "2 or 3; without it, both").within(2, 3);
  add(group, "--points", o.points, "N",
      "in the last refinement, about; without it, a million on a GPU, else seconds' work")
      .within(1, 100000000);
  add(group, "--degree", o.degree, "P", "of the polynomials, 2 to 4").within(2, 4);
  option neighbours =
      add(group, "--neighbours", o.neighbours, "K",
          "of each point, 1.5 for each coefficient to 100; without it, 2.5 for each, but 30 to 60")
          .within(1, 100);
  line.add_flag("--ragged", o.ragged, "30 to 60 neighbours, those within a radius: gels_vbatched")
      .in_group(group)
      .excludes(neighbours);
  add(group, "--fields", o.fields, "F", "fitted at the same points, 1 to 8: right-hand sides").within(1, 8);

  group = "How to run";
  add_common_options(line, group, o);
  add(group, "--memory", o.memory, "SIZE",
      "of the matrices of one call, such as 500MiB; without it, a quarter of what is free")
      .in_bytes()
      .positive();
  add(group, "--compare", o.compare, "loop", "also LAPACK's least squares, matrix by matrix")
      .one_of({"loop"});
  add(group, "--csv", o.csv, "FILE", "writes the table to a file, too");
  add(group, "--picture", o.picture, "FILE", "SVG of the errors over the spacing");
}

// ---- what to run ---------------------------------------------------------------------------------

/// Points along an axis of the last refinement: a multiple of 4, as there are two coarser ones.
int edge_of(const options& o, int dimension, talus::queue q) {
  const double by_default = q.where == talus::backend::host ? 1e5 : 1e6;
  const double points = o.points > 0 ? static_cast<double>(o.points) : by_default;
  const int edge = 4 * static_cast<int>(std::lround(std::pow(points, 1.0 / dimension) / 4));
  const int least = dimension == 2 ? 32 : 24;
  if (edge < least)
    throw std::invalid_argument("--points " + std::to_string(o.points) + ": in " + std::to_string(dimension) +
                                "D three refinements need " + std::to_string(least) + "^" +
                                std::to_string(dimension) + " points");
  return edge;
}

regression::job job_of(const options& o, const basis& monomials, double memory) {
  regression::job what;
  const int columns = monomials.columns();
  const int fewest = (3 * columns + 1) / 2;  // with fewer, fits of some points are not stable
  if (o.neighbours > 0 && o.neighbours < fewest)
    throw std::invalid_argument("--neighbours " + std::to_string(o.neighbours) + ": a fit of " +
                                std::to_string(columns) + " coefficients needs " + std::to_string(fewest));
  what.least = what.most = o.neighbours > 0 ? o.neighbours : std::clamp(5 * columns / 2, 30, 60);
  if (o.ragged) what.least = std::max(30, fewest), what.most = 60;
  what.fields = o.fields;
  what.loop = o.compare.empty() ? 0 : 50000;
  what.memory = memory;
  return what;
}

/// Bytes that the matrices of a call may take; throws unavailable where it is too much, or too little.
template <class T>
double memory_for(const options& o, const basis& monomials, talus::queue q) {
  const double free = std::min(free_memory(talus::backend::host), free_memory(q.where));
  if (o.memory == 0) return std::isinf(free) ? std::ldexp(1, 30) : free / 4;
  const auto limit = static_cast<double>(o.memory);
  const double one = regression::fits<T>::bytes(monomials, job_of(o, monomials, limit));
  if (one > limit)
    throw unavailable("the matrices of a point take " + amount(one) + ", more than the " + amount(limit) +
                      " that a call may take: see --memory");
  return limit;
}

/// Before any work: the largest call's matrices, and on the host what there is of each point.
template <class T>
void require_memory(const basis& monomials, const regression::job& what, int edge, talus::queue q) {
  const double points = std::pow(edge, monomials.dimension());
  const double matrices = std::min(what.memory, points * regression::fits<T>::bytes(monomials, what));
  const std::string purpose = std::to_string(static_cast<std::int64_t>(points)) + " points";
  const double beside = points * (96 + 4.0 * what.most + 8 * (2 * monomials.dimension() + what.fields));
  example::require_memory(talus::backend::host, matrices + beside, purpose);
  if (q.where != talus::backend::host) example::require_memory(q.where, matrices, purpose);
}

std::string title_of(const basis& monomials, const regression::job& what) {
  const std::string most = std::to_string(what.most);
  return std::to_string(monomials.dimension()) + "D, degree " + std::to_string(monomials.degree()) + ": " +
         (what.ragged() ? std::to_string(what.least) + " to " + most : most) + " neighbours, " +
         std::to_string(monomials.columns()) + " coefficients";
}

// ---- the run -------------------------------------------------------------------------------------

template <class T>
regression::refinement fit(const basis& monomials, regression::job what, int edge, talus::queue q) {
  const int dimension = monomials.dimension(), middle = (what.least + what.most) / 2;
  regression::refinement r;
  r.spacing = 1.0 / edge;
  const double ball = dimension == 2 ? 3.14159 : 4.18879;  // of radius 1
  what.radius = r.spacing * std::pow(middle / ball, 1.0 / dimension);
  const regression::cloud points(dimension, regression::scattered(dimension, edge), what.most);
  const regression::fields given = regression::wave_and_bell(dimension);
  r.fitted = regression::fits<T>(points, monomials, given, what, q).run();
  return r;
}

struct totals {
  std::int64_t points = 0, off = 0;
  double residual = -1;
};

template <class T>
regression::panel run_dimension(const options& o, int dimension, const regression::table& lines, totals& sum,
                                talus::queue q) {
  const basis monomials(dimension, o.degree);
  const regression::job what = job_of(o, monomials, memory_for<T>(o, monomials, q));
  const std::string title = title_of(monomials, what);
  regression::panel result{title, monomials, {}};
  lines.head(title, monomials);
  const int edge = edge_of(o, dimension, q);
  for (const int coarser : {4, 2, 1}) {
    std::vector<regression::refinement>& all = result.refinements;
    all.push_back(fit<T>(monomials, what, edge / coarser, q));
    const regression::outcome& fitted = all.back().fitted;
    lines.line(monomials, o.fields, all.size() > 1 ? &all[all.size() - 2] : nullptr, all.back());
    report(title, "points", fitted.points, fitted.off);
    sum.points += fitted.points, sum.off += fitted.off.count;
    sum.residual = worse_residual(sum.residual, fitted.residual);
  }
  findings off;
  regression::check_orders(monomials, result.refinements, std::numeric_limits<T>::epsilon(), off);
  report(title, "orders", regression::quantities, off);
  sum.off += off.count;
  return result;
}

template <class T>
int run(const options& o, talus::queue q) {
  std::vector<int> dimensions = {2, 3};
  if (o.dimension > 0) dimensions = {o.dimension};
  for (const int dimension : dimensions) {
    const basis monomials(dimension, o.degree);
    const regression::job what = job_of(o, monomials, memory_for<T>(o, monomials, q));
    require_memory<T>(monomials, what, edge_of(o, dimension, q), q);
  }
  const regression::table lines(o.csv, !o.compare.empty(), o.precision, q);
  const std::unique_ptr<output_file> picture = optional_file("--picture", o.picture);

  std::printf("fits in %s precision on %s; right-hand sides: %d\n", o.precision == "s" ? "single" : "double",
              q.where == talus::backend::host ? "the CPU" : "the GPU", o.fields);
  totals sum;
  std::vector<regression::panel> panels;
  for (const int dimension : dimensions) {
    std::printf("\n");
    panels.push_back(run_dimension<T>(o, dimension, lines, sum, q));
  }
  std::puts(legend);
  if (picture) {
    picture->write(regression::svg(panels));
    std::printf("\n%s: errors over the spacing, dashed: the expected order\n", o.picture.c_str());
  }
  return verdict(std::to_string(sum.points) + " points fitted, each one checked, and " +
                     std::to_string(regression::quantities * dimensions.size()) + " orders of convergence",
                 sum.off, sum.residual);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  command_line line(
      "Value, gradient and Laplacian at scattered points, as meshfree methods need them: at each one a\n"
      "weighted least-squares fit of a polynomial to its neighbours, all of them solved by Talus in one "
      "call.",
      "local_regression");
  describe(line, o);
  return run_command(line, argc, argv, o,
                     [&](auto zero, talus::queue q) { return run<decltype(zero)>(o, q); });
}
