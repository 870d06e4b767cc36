// fem_elements: the dense matrices of finite elements, or the diagonal blocks of a sparse matrix, all
// factored and solved in one call each, checked, and timed against OpenBLAS.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/flops.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "machine.hpp"
#include "solve.hpp"
#include "systems.hpp"

namespace {

using namespace example;  // what is common to the examples
using fem::physics;
using mesh_size = std::array<int, 3>;

struct options : common_options {
  std::string elements, physics, uplo = "L", matrix;
  int nx = 0, ny = 0, nz = 0, order = 0, nrhs = 1, repetitions = 5, block = 32;
  double distortion = 0.15, dt = 0.1;
  std::uint64_t seed = 1;
};

constexpr const char* examples = R"(
Examples:
  fem_elements                                            heat and elasticity, orders 1 to 4
  fem_elements --physics heat --order 2 --elements 20x20x20
  fem_elements --physics elasticity --backend host --precision s
  fem_elements --matrix bcsstk16.mtx --block 24           the blocks of a block-Jacobi preconditioner)";

constexpr const char* legend = R"(
set-up: of the matrices. potrf, posv: one call for all of them.
roofline: the least time that the machine's measured bandwidth and arithmetic peak leave for potrf, as a
share of the time it took; above 100 % the batch fitted in a cache, or the machine was busy while it was
measured.
best of OpenBLAS: potrf and potrs for each matrix, in the fastest of three ways: loop, one matrix after the
other, each with OpenBLAS's own threads; static and dynamic, OpenMP over the matrices with one thread of
OpenBLAS each.
~: scaled up from a part of the batch. speed-up: of posv over the best of OpenBLAS.
residual: the worst ||B - A X||_1 / (n ||A||_1 ||X||_1 eps); a stable solver stays below 30.)";

// ---- arguments -----------------------------------------------------------------------------------

bool parse_mesh_size(const std::string& text, mesh_size& size) {
  int used = 0;
  return std::sscanf(text.c_str(), "%6dx%6dx%6d%n", &size[0], &size[1], &size[2], &used) == 3 &&
         used == static_cast<int>(text.size()) && *std::min_element(size.begin(), size.end()) > 0;
}

value_check number_in(double least, double largest, const std::string& range) {
  return [=](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return *end == '\0' && value >= least && value <= largest ? std::string()
                                                              : "'" + text + "' is not a number " + range;
  };
}

void describe(command_line& line, options& o) {
  const auto is_mesh_size = [](const std::string& text) {
    mesh_size size;
    return parse_mesh_size(text, size) ? std::string()
                                       : "'" + text + "' is not NXxNYxNZ with three numbers from 1 to 999999";
  };
  const auto add = [&line](const char* group, const char* name, auto& value, const char* word,
                           const char* text) { return add_option(line, group, name, value, word, text); };
  line.footer(std::string(examples) + "\n" + legend + exit_codes(off_positive_definite));
  line.column_width(26);

  const char* group = "Finite elements";
  option elements =
      add(group, "--elements", o.elements, "NXxNYxNZ", "hexahedra along x, y, z").passes(is_mesh_size);
  option nx = add(group, "--nx", o.nx, "NX", "the same one by one, with --ny and --nz");
  option ny = add(group, "--ny", o.ny, "NY", "");
  option nz = add(group, "--nz", o.nz, "NZ", "");
  std::vector<option> of_mesh = {
      elements,
      nx,
      ny,
      nz,
      add(group, "--physics", o.physics, "NAME", "heat or elasticity; without it, both")
          .one_of({"heat", "elasticity"}),
      add(group, "--order", o.order, "P", "of the Lagrange elements, 1 to 4; without it, each of them")
          .within(1, 4),
      add(group, "--dt", o.dt, "DT", "time step in A = M + dt^2 K")
          .passes(number_in(0, 1e100, "in [0, 1e100]")),
      add(group, "--distortion", o.distortion, "D",
          "vertices move by up to D element sizes along each axis; below 1/6 is always valid")
          .passes(number_in(0, 0.5, "in [0, 0.5]")),
      add(group, "--seed", o.seed, "SEED", "of the random distortion")};
  for (option one : {nx, ny, nz}) one.within(1, 999999).excludes(elements);
  nx.needs(ny).needs(nz);
  ny.needs(nx).needs(nz);
  nz.needs(nx).needs(ny);

  group = "Diagonal blocks of a sparse matrix";
  option matrix =
      add(group, "--matrix", o.matrix, "FILE", "in Matrix Market form, symmetric; instead of elements");
  for (const option& one : of_mesh) matrix.excludes(one);
  add(group, "--block", o.block, "N", "order of the blocks").within(1, 20000).needs(matrix);

  group = "How to solve";
  add_common_options(line, group, o);
  add(group, "--uplo", o.uplo, "T", "triangle to factor, L or U").one_of({"L", "U"});
  add(group, "--nrhs", o.nrhs, "N", "right-hand sides of each matrix").within(1, 10000);
  add(group, "--repetitions", o.repetitions, "N", "timed runs, of which the median counts").within(1, 1000);
}

// ---- what to run ---------------------------------------------------------------------------------

struct fem_case {
  physics kind;
  int order;
  mesh_size size;

  int n() const { return fem::components(kind) * (order + 1) * (order + 1) * (order + 1); }
  std::int64_t elements() const { return static_cast<std::int64_t>(size[0]) * size[1] * size[2]; }
  std::string title() const { return std::string(fem::name(kind)) + ", order " + std::to_string(order); }
};

/// Matrices enough to keep the backend busy, few enough that the whole sequence takes less than half a
/// minute.
mesh_size default_size(physics kind, int order, talus::backend where) {
  static constexpr int edges[2][2][4] = {{{56, 32, 20, 14}, {28, 18, 12, 8}},     // host: heat, elasticity
                                         {{100, 64, 40, 28}, {64, 32, 20, 16}}};  // cuda
  const int edge = edges[where == talus::backend::cuda][kind == physics::elasticity][order - 1];
  return {edge, edge, edge};
}

std::vector<fem_case> cases(const options& o, talus::backend where) {
  std::vector<fem_case> all;
  for (const physics kind : {physics::heat, physics::elasticity})
    for (int order = 1; order <= 4; ++order) {
      if (!o.physics.empty() && o.physics != fem::name(kind)) continue;
      if (o.order != 0 && o.order != order) continue;
      mesh_size size = default_size(kind, order, where);
      if (o.nx > 0) size = {o.nx, o.ny, o.nz};
      if (!o.elements.empty()) parse_mesh_size(o.elements, size);
      all.push_back({kind, order, size});
    }
  return all;
}

// ---- the table -----------------------------------------------------------------------------------

void print_head(const fem::machine& machine, const options& o, talus::backend where) {
  std::printf("%s: %s (%s)\n", where == talus::backend::cuda ? "cuda" : "host", machine.name.c_str(),
              machine.details.c_str());
  std::printf("measured: %.4g GB/s, %.4g GFLOP/s in %s precision; uplo %s, nrhs %d\n\n",
              1e-9 * machine.bandwidth, 1e-9 * machine.peak, o.precision == "s" ? "single" : "double",
              o.uplo.c_str(), o.nrhs);
  std::printf("%-20s %9s %5s %8s %11s %9s %8s %11s %19s %8s %8s\n", "", "matrices", "n", "set-up", "potrf",
              "GFLOP/s", "roofline", "posv", "best of OpenBLAS", "speed-up", "residual");
  std::fflush(stdout);
}

/// What a batch came to.
struct result {
  findings off;
  double residual = -1;  ///< the worst; -1 as long as nothing was solved
};

/// Solves one batch and prints its line.
template <class T, class Name>
result solve_batch(const std::string& title, const fem::systems<T>& systems, double setup_seconds,
                   const options& o, const fem::machine& machine, talus::queue q, Name name_of) {
  const talus::uplo triangle = o.uplo == "U" ? talus::uplo::upper : talus::uplo::lower;
  const fem::solution s = fem::solve(systems, triangle, o.repetitions, q);
  const fem::openblas_times openblas = fem::time_openblas(systems, triangle, o.repetitions);

  result all;
  for (std::int64_t b = 0; b < systems.count; ++b) {
    const int info = s.info[static_cast<std::size_t>(b)];
    const double residual = s.residual[static_cast<std::size_t>(b)];
    if (info == 0) all.residual = worse_residual(all.residual, residual);
    if (info != 0)
      all.off.add_info(name_of(b), info);
    else if (!(residual < residual_bound))
      all.off.add_residual(name_of(b), residual);
  }

  const fem::openblas_times::way& best = openblas.best();
  const auto count = static_cast<double>(systems.count);
  const double flops = count * potrf_flops(systems.n);
  const double floor = machine.floor_seconds(count * 2 * fem::triangle_bytes<T>(systems.n), flops);
  std::printf("%-20s %9lld %5d %6.2f s %11s %9.1f %6.0f %% %11s %19s %7.1fx %8s\n", title.c_str(),
              static_cast<long long>(systems.count), systems.n, setup_seconds,
              milliseconds(s.potrf_seconds).c_str(), 1e-9 * flops / s.potrf_seconds,
              100 * floor / s.potrf_seconds, milliseconds(s.posv_seconds).c_str(),
              (milliseconds(best.seconds, openblas.extrapolated ? "~" : "") + " " + best.name).c_str(),
              best.seconds / s.posv_seconds, all.residual < 0 ? "-" : two_digits(all.residual).c_str());
  std::fflush(stdout);
  return all;
}

/// The lines below the table, of so many matrices; the exit code.
int conclude(std::int64_t matrices, std::int64_t off, double worst_residual) {
  std::puts(legend);
  return verdict(std::to_string(matrices) + " matrices factored and solved, each one checked", off,
                 worst_residual);
}

template <class T>
void require_memory(int n, int nrhs, std::int64_t count, talus::queue q, const std::string& title) {
  const double systems = fem::systems_bytes<T>(n, nrhs, count),
               solving = fem::solve_bytes<T>(n, nrhs, count, q);
  const bool on_host = q.where == talus::backend::host;
  example::require_memory(talus::backend::host, systems + (on_host ? solving : 0), title);
  if (!on_host) example::require_memory(q.where, solving, title);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// ---- the two sources of matrices -----------------------------------------------------------------

template <class T>
int run_elements(const options& o, talus::queue q) {
  const std::vector<fem_case> all = cases(o, q.where);
  for (const fem_case& c : all)
    require_memory<T>(c.n(), o.nrhs, c.elements(), q, c.title());  // before any work

  const auto machine = fem::measure_machine<T>(q);
  std::printf("A = M + dt^2 K of distorted hexahedra, Gauss-Lobatto nodes; dt %g, distortion %g, seed %llu\n",
              o.dt, o.distortion, static_cast<unsigned long long>(o.seed));
  print_head(machine, o, q.where);
  std::int64_t matrices = 0, off = 0;
  double worst_residual = -1;
  for (const fem_case& c : all) {
    const auto begin = std::chrono::steady_clock::now();
    const fem::block_mesh mesh = fem::distorted_block(c.size[0], c.size[1], c.size[2], o.distortion, o.seed);
    const fem::systems<T> elements = fem::assemble<T>(c.kind, mesh, c.order, o.dt, o.nrhs);
    const result solved = solve_batch(c.title(), elements, seconds_since(begin), o, machine, q,
                                      [](std::int64_t e) { return "element " + std::to_string(e); });
    report(c.title(), "elements", c.elements(), solved.off);
    matrices += c.elements();
    off += solved.off.count;
    worst_residual = worse_residual(worst_residual, solved.residual);
  }
  return conclude(matrices, off, worst_residual);
}

template <class T>
int run_blocks(const options& o, talus::queue q) {
  const fem::sparse_matrix matrix = example::read_matrix_market(o.matrix);
  fem::require_symmetric(matrix);
  const int n = o.block;
  const std::int64_t count = fem::block_count(matrix.rows, n);
  const std::string title = o.matrix.substr(o.matrix.find_last_of('/') + 1);
  require_memory<T>(n, o.nrhs, count, q, title);

  const auto machine = fem::measure_machine<T>(q);
  const int last = fem::block_rows(matrix.rows, n, count - 1);
  std::printf("%s: %d rows, %zu entries%s; %lld diagonal blocks of order %d", title.c_str(), matrix.rows,
              matrix.entries.size(), matrix.symmetric ? " in its lower triangle" : "",
              static_cast<long long>(count), n);
  std::printf(last < n ? ", the last one %d rows filled up with the identity\n" : "\n", last);
  print_head(machine, o, q.where);

  const auto begin = std::chrono::steady_clock::now();
  const fem::systems<T> blocks = fem::diagonal_blocks<T>(matrix, n, o.nrhs);
  const auto name_of = [&](std::int64_t b) {
    const std::int64_t first = b * n;
    return "block " + std::to_string(b + 1) + " (rows " + std::to_string(first + 1) + " to " +
           std::to_string(first + fem::block_rows(matrix.rows, n, b)) + ")";
  };
  const result solved = solve_batch("diagonal blocks", blocks, seconds_since(begin), o, machine, q, name_of);
  report(title, "diagonal blocks", count, solved.off);
  return conclude(count, solved.off.count, solved.residual);
}

template <class T>
int run(const options& o, talus::queue q) {
  return o.matrix.empty() ? run_elements<T>(o, q) : run_blocks<T>(o, q);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  command_line line(
      "Dense symmetric positive definite matrices, one per finite element or diagonal block, factored and\n"
      "solved by Talus in one call.",
      "fem_elements");
  describe(line, o);
  return run_command(line, argc, argv, o,
                     [&](auto zero, talus::queue q) { return run<decltype(zero)>(o, q); });
}
