// chemistry: the cells of a reacting flow, integrated implicitly in time, with one call of gesv for each
// Newton step of all cells; checked, and timed.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "checks.hpp"
#include "common/options.hpp"
#include "common/output_file.hpp"
#include "common/program.hpp"
#include "integrate.hpp"
#include "picture.hpp"
#include "problems.hpp"

namespace {

using namespace example;  // what is common to the examples

struct options : common_options {
  std::string mechanism, picture;
  std::int64_t cells = 0, compared = 4;
  double tolerance = 1e-4;
};

constexpr const char* help_footer = R"(
Examples:
  chemistry                                        Robertson's problem, hydrogen in air, generated mechanisms
  chemistry --mechanism h2o2 --cells 5000 --picture ignition.svg
  chemistry --mechanism 64 --backend cuda          a generated mechanism of 64 species
  chemistry --mechanism robertson --precision s --tolerance 1e-4)";

constexpr const char* legend = R"(
order: of the linear systems, one unknown for each species and one for the temperature (of Robertson's problem
none). steps: time steps of all cells, each with its own sizes; refused: those taken again, shorter. systems:
Newton steps of all cells; calls: of gesv, which solve them. gesv: time in these calls; whole: with the rates
and the Jacobians, which the CPU computes, and the copies.
deviation: from a reference integration of some cells, the worst at some twenty times: of concentrations as a
share of all, of the temperature as a share of it; at most 100 times the tolerance. mass, elements, energy:
the largest change of what must stay, over all cells; at most 1e-10 (in single precision 6e-6), for the energy
the tolerance.)";

// ---- arguments -----------------------------------------------------------------------------------

/// Whether the text is a number of species that a mechanism can be generated of.
bool parse_species(const std::string& text, int& species) {
  const char* end = text.data() + text.size();
  const auto one = std::from_chars(text.data(), end, species);
  return one.ec == std::errc() && one.ptr == end && species >= chemistry::fewest_generated &&
         species <= chemistry::most_generated;
}

void describe(command_line& line, options& o) {
  const auto is_mechanism = [](const std::string& text) {
    int species;
    return text == "robertson" || text == "h2o2" || parse_species(text, species)
               ? std::string()
               : "'" + text + "' is neither robertson, nor h2o2, nor a number of species from " +
                     std::to_string(chemistry::fewest_generated) + " to " +
                     std::to_string(chemistry::most_generated);
  };
  const auto add = [&line](const char* group, const char* name, auto& value, const char* word,
                           const char* text) { return add_option(line, group, name, value, word, text); };
  line.footer(std::string(help_footer) + "\n" + legend + exit_codes("a check failed"));
  line.column_width(26);

  const char* group = "What reacts";
  add(group, "--mechanism", o.mechanism, "NAME",
      "robertson, h2o2, or N: generated, of N species, 21 to 144; without it, each of them")
      .passes(is_mechanism);
  add(group, "--cells", o.cells, "N",
      "each with its own temperature and composition; without it, seconds' work")
      .within(1, 100000000);

  group = "How to integrate";
  add_common_options(line, group, o);
  add(group, "--tolerance", o.tolerance, "RTOL", "of a time step's error, 1e-9 to 1e-2").within(1e-9, 1e-2);
  add(group, "--compare", o.compared, "N", "cells that are compared with a reference integration")
      .within(0, 100);
  add(group, "--picture", o.picture, "FILE", "SVG of these cells' temperatures over time");
}

// ---- what to run ---------------------------------------------------------------------------------

std::vector<chemistry::problem> problems(const options& o) {
  int species = 0;
  if (o.mechanism == "robertson") return {chemistry::robertson()};
  if (o.mechanism == "h2o2") return {chemistry::hydrogen()};
  if (parse_species(o.mechanism, species)) return {chemistry::generated(species)};
  return {chemistry::robertson(), chemistry::hydrogen(), chemistry::generated(21), chemistry::generated(53),
          chemistry::generated(144)};
}

/// As many as the CPU, which computes the rates, does in some seconds; beside a GPU it has more cores.
std::int64_t default_cells(int order, talus::backend where) {
  return (where == talus::backend::host ? 1 : 16) * std::max(8, 6000 / (order + order * order / 16));
}

// ---- the table -----------------------------------------------------------------------------------

void print_head(const options& o, talus::queue q) {
  std::printf(
      "systems in %s precision, solved on %s; tolerance %g, %lld cells of each mechanism compared\n\n",
      o.precision == "s" ? "single" : "double", q.where == talus::backend::host ? "the CPU" : "the GPU",
      o.tolerance, static_cast<long long>(o.compared));
  std::printf("%-22s %5s %8s %9s %7s %9s %6s %9s %8s %7s %9s %7s %8s %7s\n", "", "order", "cells", "steps",
              "refused", "systems", "calls", "gesv", "GFLOP/s", "whole", "deviation", "mass", "elements",
              "energy");
  std::fflush(stdout);
}

void print_line(const chemistry::mechanism& m, std::int64_t cells, const chemistry::outcome& all,
                double seconds, const options& o, double deviation, const chemistry::drift& d) {
  const double n = m.order(), flops = static_cast<double>(all.systems) * (2 * n * n * n / 3 + 2 * n * n);
  std::printf("%-22s %5d %8lld %9lld %7lld %9lld %6lld %7.3f s %8.2f %5.1f s %9s %7s %8s %7s\n",
              m.name.c_str(), m.order(), static_cast<long long>(cells), static_cast<long long>(all.steps),
              static_cast<long long>(all.refused), static_cast<long long>(all.systems),
              static_cast<long long>(all.calls), all.gesv_seconds, 1e-9 * flops / all.gesv_seconds, seconds,
              o.compared == 0 ? "-" : two_digits(deviation).c_str(), two_digits(d.mass).c_str(),
              two_digits(d.elements).c_str(), m.isothermal ? "-" : two_digits(d.energy).c_str());
  if (all.singular > 0)
    std::printf("  %lld systems were singular: their time steps were taken again, shorter\n",
                static_cast<long long>(all.singular));
  std::fflush(stdout);
}

// ---- the run -------------------------------------------------------------------------------------

/// Bytes in the memory where q runs; on the host as much again, and some doubles of each unknown.
template <class T>
void require_memory(const chemistry::problem& p, std::int64_t cells, talus::queue q) {
  const double n = p.chemistry.order();
  const auto batch = static_cast<double>(chemistry::integration<T>::batch(p.chemistry.order(), cells, q));
  const double systems = batch * ((n + 1) * n * sizeof(T) + (n + 1) * sizeof(int));
  example::require_memory(talus::backend::host,
                          systems + (12 * batch + static_cast<double>(cells)) * n * sizeof(double),
                          p.chemistry.name);
  if (q.where != talus::backend::host) example::require_memory(q.where, systems, p.chemistry.name);
}

template <class T>
int run(const options& o, talus::queue q) {
  const std::vector<chemistry::problem> all = problems(o);
  const auto cells_of = [&](const chemistry::problem& p) {
    return o.cells > 0 ? o.cells : default_cells(p.chemistry.order(), q.where);
  };
  for (const chemistry::problem& p : all) require_memory<T>(p, cells_of(p), q);  // before any work

  // Errors of time steps add up; what is linear in the state only loses what the linear systems are solved
  // to.
  const double deviation_bound = 100 * o.tolerance, energy_bound = o.tolerance;
  const double mass_bound = 1e-10 + 50 * std::numeric_limits<T>::epsilon();
  chemistry::accuracy accuracy;
  accuracy.relative = o.tolerance;
  if (!o.picture.empty() && all.size() == 1 && all[0].chemistry.isothermal)
    throw std::invalid_argument("--picture: " + all[0].chemistry.name + " has no temperature");
  const std::unique_ptr<output_file> picture = optional_file("--picture", o.picture);
  print_head(o, q);
  std::vector<chemistry::panel> panels;
  std::int64_t cells = 0, off = 0;
  for (const chemistry::problem& p : all) {
    const auto begin = std::chrono::steady_clock::now();
    chemistry::outcome done = chemistry::integration<T>(p, cells_of(p), o.compared, accuracy, q).run();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    findings& found = done.off;
    const chemistry::drift d = chemistry::check_conservation(p, done, mass_bound, energy_bound, found);
    const chemistry::comparison compared = chemistry::compare_with_reference(p, done, deviation_bound, found);
    print_line(p.chemistry, cells_of(p), done, seconds, o, compared.deviation, d);
    report(p.chemistry.name, "cells", cells_of(p), found);
    cells += cells_of(p), off += found.count;
    if (!p.chemistry.isothermal) panels.push_back({p.chemistry.name, p.end, compared.curves});
  }
  std::puts(legend);
  if (picture) {
    picture->write(chemistry::svg(panels));
    std::printf("\n%s: temperatures over time; dots: the reference\n", o.picture.c_str());
  }
  return verdict(std::to_string(cells) + " cells integrated, each one checked", off, -1);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  command_line line(
      "Cells of a reacting flow, each with its own temperature and composition, integrated implicitly: "
      "Talus\n"
      "solves the linear systems of one Newton step of all cells in one call.",
      "chemistry");
  describe(line, o);
  return run_command(line, argc, argv, o,
                     [&](auto zero, talus::queue q) { return run<decltype(zero)>(o, q); });
}
