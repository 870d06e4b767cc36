// multifrontal: a sparse direct solver whose fronts are factored by Talus, level by level.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/options.hpp"
#include "common/output_file.hpp"
#include "common/program.hpp"
#include "common/progress.hpp"
#include "picture.hpp"
#include "run.hpp"
#include "sparse/cudss.hpp"
#include "sparse/peers.hpp"

namespace {

using namespace example;  // what is common to the examples
namespace mf = multifrontal;

constexpr int not_factored = 4;

struct options {
  std::string poisson = "24x24x24", elasticity, file, factor = "auto", ordering = "auto", backend = "auto",
              picture;
  int systems = 1, nrhs = 1, repeats = 3, threads = 0;
  std::uint64_t memory = 0;
  std::vector<std::string> compare;
};

constexpr const char* help_footer = R"(
Examples:
  multifrontal                                       Poisson's equation on a grid of 24 x 24 x 24
  multifrontal --elasticity 24x24x24 --compare cpu   elasticity; what CHOLMOD takes for it, too
  multifrontal --poisson 48x48x48 --compare cudss    what NVIDIA's cuDSS takes on the same GPU
  multifrontal --matrix add32.mtx                    Matrix Market; LU where the file holds no symmetric matrix
  multifrontal --poisson 12x12x12 --systems 1000     a thousand systems of one pattern in the same calls
  multifrontal --matrix A.mtx --rhs 32 --picture levels.svg

A symmetric matrix is factored by Cholesky: A = L L^T. If it is not positive definite, --factor lu may
help.

Matrix Market files are read in coordinate form: real, integer or pattern (each entry is 1; rarely positive
definite); general, symmetric (either triangle) or skew-symmetric (LU).)";

constexpr const char* legend = R"(
extend-add: adds the Schur complements of the level below. partial: the level's one call of Talus.
all: from the first kernel of the factorization to the last. The factorization, each time with other values,
and the solve are recorded and replayed (on a GPU as a CUDA graph); the best time counts. The levels' times
are of one more factorization.
A is scaled by powers of two before; that is part of the analysis, whose time is not shown.
backward error: max_i |b - A x|_i / (|A| |x| + |b|)_i, the worst of all systems. It is componentwise: scaling
rows or columns does not change it.)";

const std::string codes =
    exit_codes("a backward error was above 1e-14") + "\nExit code 4: not positive definite, or singular.";

void describe(command_line& line, options& o) {
  const auto add = [&line](const char* group, const char* name, auto& value, const char* word,
                           const char* text) { return add_option(line, group, name, value, word, text); };
  line.footer(std::string(help_footer) + "\n" + legend + codes);
  line.column_width(26);

  const char* group = "Which matrix";
  option poisson =
      add(group, "--poisson", o.poisson, "NXxNYxNZ", "Poisson's equation on a grid; NXxNY: in two dimensions")
          .passes(is_grid);
  option elasticity =
      add(group, "--elasticity", o.elasticity, "NXxNYxNZ", "linear elasticity, 3 unknowns per node; NXxNY: 2")
          .passes(is_grid)
          .excludes(poisson);
  add(group, "--matrix", o.file, "FILE", "a Matrix Market file").excludes(poisson).excludes(elasticity);
  add(group, "--systems", o.systems, "N", "systems of the same pattern, each with its own values")
      .within(1, 1000000);
  add(group, "--rhs", o.nrhs, "N", "right-hand sides per system").within(1, 100000);

  group = "What to do";
  add(group, "--factor", o.factor, "WHAT", "cholesky, lu, or auto: Cholesky for symmetric matrices")
      .one_of({"auto", "cholesky", "lu"});
  add(group, "--ordering", o.ordering, "HOW", "metis, amd, natural, or auto: the first that is there")
      .one_of({"auto", "metis", "amd", "natural"});
  add(group, "--backend", o.backend, "WHERE", "host, cuda, or auto: a GPU where there is one")
      .one_of({"auto", "host", "cuda"});
  add_version_flag(line, group);
  add(group, "--memory", o.memory, "SIZE", "refuses what takes more, such as 500MiB (a whole number)")
      .in_bytes()
      .positive();
  add(group, "--repeats", o.repeats, "N", "timed runs; the best counts").within(1, 1000);
  add(group, "--compare", o.compare, "WHOM",
      "also times cpu: CHOLMOD or UMFPACK; cudss: cuDSS on the GPU; or cpu,cudss")
      .shown_as("WHOM")
      .between_commas()
      .one_of({"cpu", "cudss"});
  add(group, "--threads", o.threads, "N", "most BLAS threads that --compare cpu tries; without it, all cores")
      .within(1, 1024);
  add(group, "--picture", o.picture, "FILE", "draws each level's time and flops: an SVG file");
}

sparse::grid grid_of(const std::string& text) {
  sparse::grid size;
  sparse::parse_grid(text, size);
  return size;
}

sparse::problem chosen_problem(const options& o) {
  const notice running("assembling the matrix");
  sparse::problem all = !o.file.empty()         ? sparse::read_problem(o.file)
                        : !o.elasticity.empty() ? sparse::elasticity(grid_of(o.elasticity))
                                                : sparse::poisson(grid_of(o.poisson));
  if (o.factor == "cholesky" && !all.A.symmetric)
    throw std::invalid_argument("--factor cholesky: " + all.A.name + " holds no symmetric matrix");
  return o.factor == "lu" && all.A.symmetric ? sparse::with_both_triangles(all) : all;
}

// ---- before anything runs ------------------------------------------------------------------------

std::string in_bytes(double bytes) { return amount(bytes) + " (" + number(bytes, "%.0f") + " bytes)"; }

/// Throws unavailable, with the number of bytes, where the problem does not fit.
void require_room(const options& o, double bytes, talus::queue q) {
  const std::string purpose = "the factorization needs " + in_bytes(bytes);
  if (o.memory != 0 && bytes > static_cast<double>(o.memory))
    throw unavailable(purpose + ", more than --memory allows: " + in_bytes(static_cast<double>(o.memory)));
  const double free = free_memory(q.where);
  if (bytes > free) throw unavailable(purpose + ", but only " + in_bytes(free) + " are free");
}

void print_analysis(const sparse::matrix& A, const mf::analysis& all, const options& o, double bytes,
                    talus::queue q) {
  const mf::plan& where = all.where;
  int largest = 0;
  for (const mf::level_plan& level : where.levels) largest = std::max(largest, level.n_max);
  std::printf("%s: %d unknowns, %d entries%s; %s on %s\n", A.name.c_str(), A.n, A.entries(),
              A.symmetric ? " in the lower triangle" : "", A.symmetric ? "Cholesky" : "LU",
              q.where == talus::backend::host ? "the CPU" : "the GPU");
  std::printf(
      "ordering %s: fronts: %zu in %zu levels, n up to %d; factors: %.3g million entries, %.3g GFLOP\n",
      all.ordering.c_str(), all.tree.fronts.size(), where.levels.size(), largest,
      1e-6 * static_cast<double>(where.factor_nonzeros), 1e-9 * where.flops);
  const double systems = o.systems,
               bound = 8 * systems * static_cast<double>(where.factor_nonzeros + where.two_levels_elements);
  std::printf("memory: %s, %.2f times that of the factors and of two levels' fronts\n\n",
              in_bytes(bytes).c_str(), bytes / bound);
}

// ---- afterwards ----------------------------------------------------------------------------------

void print_levels(const mf::run_result& r) {
  std::printf("%5s %9s %9s %10s %9s %12s %12s %8s\n", "level", "fronts", "largest n", "largest k", "GFLOP",
              "extend-add", "partial", "GFLOP/s");
  double assembly = r.entries_seconds, factor = 0, flops = 0;
  std::printf("%5s %9s %9s %10s %9s %12s\n", "A", "", "", "", "", milliseconds(r.entries_seconds).c_str());
  for (std::size_t l = 0; l < r.levels.size(); ++l) {
    const mf::level_report& level = r.levels[l];
    std::printf("%5zu %9lld %9d %10d %9.3f %12s %12s %8.1f\n", l, static_cast<long long>(level.fronts),
                level.n_max, level.k_max, 1e-9 * level.flops, milliseconds(level.assembly_seconds).c_str(),
                milliseconds(level.factor_seconds).c_str(), 1e-9 * level.flops / level.factor_seconds);
    assembly += level.assembly_seconds, factor += level.factor_seconds, flops += level.flops;
  }
  std::printf("%5s %9s %9s %10s %9.3f %12s %12s %8.1f\n", "sum", "", "", "", 1e-9 * flops,
              milliseconds(assembly).c_str(), milliseconds(factor).c_str(), 1e-9 * flops / factor);
  std::printf("factorization, all: %s, %.2f times the sum of the partial factorizations\n",
              milliseconds(r.factor_seconds).c_str(), r.factor_seconds / factor);
}

bool compares(const options& o, const char* with) {
  return std::find(o.compare.begin(), o.compare.end(), with) != o.compare.end();
}

/// Throws example::unavailable if a library to compare with is missing.
void require_peers(const options& o, talus::queue q) {
  if (compares(o, "cpu")) sparse::require_suitesparse();
  if (compares(o, "cudss")) sparse::require_cudss(q);
}

void print_comparison(const sparse::peer_times& peer, const mf::run_result& r) {
  const auto threads = [](int number) {
    return number > 0 ? ", BLAS threads: " + std::to_string(number) : std::string();
  };
  std::printf("\n%s: analysis %s, %s\n", peer.name.c_str(), milliseconds(peer.analysis).c_str(),
              peer.memory.c_str());
  std::printf("factorization %s%s; here %.3g times as fast\n", milliseconds(peer.factor).c_str(),
              threads(peer.factor_threads).c_str(), peer.factor / r.factor_seconds);
  std::printf("solve %s%s; here %.3g times as fast; backward error %s\n", milliseconds(peer.solve).c_str(),
              threads(peer.solve_threads).c_str(), peer.solve / r.solve_seconds,
              two_digits(peer.error).c_str());
}

void print_comparisons(const sparse::problem& what, const options& o, const mf::run_result& r,
                       talus::queue q) {
  const int threads =
      o.threads > 0 ? o.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (compares(o, "cudss")) print_comparison(sparse::run_cudss(what, o.systems, o.nrhs, o.repeats, q), r);
  if (compares(o, "cpu"))
    print_comparison(sparse::run_suitesparse(what, o.systems, o.nrhs, threads, o.repeats), r);
}

int say_failure(const mf::failure& f, const sparse::problem& what, const options& o) {
  std::fflush(stdout);
  std::fprintf(stderr, "multifrontal: %s%s: %s in column %d (eliminated as number %d)\n", what.A.name.c_str(),
               o.systems > 1 ? (", system " + std::to_string(f.system)).c_str() : "",
               what.A.symmetric ? "not positive definite: the pivot is not above 0"
                                : "singular, or in need of pivots from outside its front: no pivot is left",
               f.column + 1, f.pivot + 1);
  if (what.A.symmetric) std::fprintf(stderr, "multifrontal: --factor lu may factor it\n");
  return not_factored;
}

int run(const options& o) {
  if (std::int64_t{o.systems} * o.nrhs > std::numeric_limits<int>::max())
    throw std::invalid_argument("--systems times --rhs is more than an int counts");
  const own_queue own(chosen_queue(o.backend).where);
  const talus::queue q = own.get();
  const std::unique_ptr<output_file> picture = optional_file("--picture", o.picture);
  const sparse::problem what = chosen_problem(o);
  require_peers(o, q);
  const mf::analysis all = [&] {
    const notice running("analysing " + what.A.name);
    return mf::analyse(what.A, what.A.symmetric, o.ordering);
  }();
  const auto bytes = static_cast<double>(mf::solver::bytes(what.A, all, o.systems, o.nrhs, q));
  print_analysis(what.A, all, o, bytes, q);
  require_room(o, bytes, q);
  require_memory(talus::backend::host, 8 * o.systems * (what.A.entries() + 3.0 * what.A.n * o.nrhs),
                 "what the systems are made of");

  const mf::run_settings how{o.systems, o.nrhs, o.repeats};
  const auto [failed, result] = mf::run_all(what, all, how, q);
  if (failed) return say_failure(*failed, what, o);
  print_levels(result);
  std::printf("solve: %s\n", milliseconds(result.solve_seconds).c_str());
  std::printf("backward error: %s", two_digits(result.first_error).c_str());
  if (result.refinements > 0)
    std::printf(", refined %d time%s %s", result.refinements, result.refinements == 1 ? "" : "s",
                two_digits(result.last_error).c_str());
  std::printf("\n");
  if (std::isnan(result.last_error))
    std::printf(
        "nan: x or A holds a number that is not finite; x may exceed the range of double precision\n");
  if (picture) picture->write(mf::picture(what.A.name, result.levels));
  print_comparisons(what, o, result, q);

  const bool fine = result.last_error <= how.error_bound;
  std::printf("\n%s: %d system%s of %d unknowns factored and solved; worst backward error %s\n",
              fine ? "all is well" : "NOT WELL", o.systems, o.systems == 1 ? "" : "s", what.A.n,
              two_digits(result.last_error).c_str());
  return fine ? all_fine : something_off;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  command_line line("A sparse direct solver: fronts of one level are factored by Talus in one call.",
                    "multifrontal");
  describe(line, o);
  if (const std::optional<int> status = line.parse(argc, argv)) return *status;
  return run_program("multifrontal", [&] {
    try {
      return run(o);
    } catch (const sparse::structurally_singular& error) {
      std::fprintf(stderr, "multifrontal: %s\n", error.what());
      return not_factored;
    }
  });
}
