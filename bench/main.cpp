// talus-bench: how fast is Talus here, how far from the machine's limits, and against which other library?
#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends.hpp"
#include "command.hpp"
#include "figures.hpp"
#include "measure.hpp"
#include "precisions.hpp"
#include "program.hpp"
#include "sizes.hpp"
#ifdef TALUS_WITH_CUDA
#include "tables.hpp"
#endif

namespace talus::bench {
namespace {

#if defined(TALUS_HAVE_D)
using any_precision = double;  // of those in this build: the routines' names are the same in all
#elif defined(TALUS_HAVE_S)
using any_precision = float;
#elif defined(TALUS_HAVE_Z)
using any_precision = std::complex<double>;
#else
using any_precision = std::complex<float>;
#endif

const char* const examples = R"(Examples:
  talus-bench
      potrf in double, the whole grid of sizes, against all that is built in
  talus-bench potrf --precision s,d --sizes 2:256 --regime b3000 --csv potrf.csv
      3,000 matrices of each size, for a plot with bench/plot.py
  talus-bench potrs --nrhs 4 --backend host --compare openblas-static,openblas-dynamic
      solves with four right-hand sides on the CPU, against OpenBLAS over the batch
  talus-bench potrf --compare generic --repeats 11
      what this GPU's own table gains over the generic one
  talus-bench potrf --sizes 24:40:1 --compare copy --line 3
      every size from 24 to 40 with line 3 of the table, beside a copy of the same triangles
  talus-bench potrf_vbatched --distribution gaussian --max 64,128,256 --precision s,d --csv gaussian.csv
      3,000 matrices of sizes up to 64, 128 and 256 in one call, beside padding, grouping by size and a copy
  talus-bench potrf_vbatched --distribution tree:fronts.csv --max 1024 --compare groups,copy
      the fronts of an assembly tree (columns level,n,k,count), level by level, and their sum
  talus-bench figure 2 --precision s,d --csv figure2.csv
      an experiment of the paper that Talus began with, for bench/plot.py; needs -DTALUS_FIGURES=ON

Exit codes: 0 fine, 1 a result of talus was wrong, 2 bad arguments, 3 no such backend here, 5 output could
not be written.)";

/// A parse function as CLI11 wants it: its message goes behind the option's name.
template <class Parse>
CLI::Validator accepted_by(Parse parse, const std::string& description) {
  return CLI::Validator(
      [parse](std::string& text) {
        try {
          parse(text);
          return std::string();
        } catch (const std::invalid_argument& e) {
          return std::string(e.what());
        }
      },
      description);
}

/// As CLI::AsSizeValue, which takes -5 and what 64 bits cannot hold for very much.
std::string size_in_bytes(std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool is_positive = 0 < digits && digits < 19 && std::stoull(text) > 0;
  if (!is_positive) return "'" + text + "' is no size such as 2GB or 500000000";
  return CLI::AsSizeValue(true)(text);
}

std::string figure_texts() {
  std::vector<std::string> texts;
  for (const figure& f : figures) texts.push_back(std::to_string(f.number) + " (" + f.what + ")");
  return joined(texts, ", ");
}

void declare(CLI::App& app, options& o) {
  app.footer(examples);
  app.set_help_flag("-h,--help", "Print this help");
  std::vector<std::string> routine_names;
  for (const auto& r : routines<any_precision>) routine_names.emplace_back(r.name);
  routine_names.insert(routine_names.end(), {"potrf_vbatched", "figure"});
  std::vector<int> figure_numbers;
  for (const figure& f : figures) figure_numbers.push_back(f.number);
  std::vector<std::string> compare_names = peer_names;
  compare_names.insert(compare_names.end(), variable_peer_names.begin(), variable_peer_names.end());
  compare_names.insert(compare_names.end(), {"all", "none"});
  std::sort(compare_names.begin(), compare_names.end());
  compare_names.erase(std::unique(compare_names.begin(), compare_names.end()), compare_names.end());

  app.add_option("routine", o.routine, "What to measure")
      ->check(CLI::IsMember(routine_names))
      ->capture_default_str();
  app.add_option("number", o.figure, "Which figure of the paper, if a figure is asked for: " + figure_texts())
      ->check(CLI::IsMember(figure_numbers));
  app.add_option("--precision", o.precisions, "Any of s, d, c, z")
      ->delimiter(',')
      ->check(CLI::IsMember({"s", "d", "c", "z"}))
      ->capture_default_str();
  app.add_option(
         "--sizes", o.sizes,
         "A:B the sizes of the built-in grid from A to B; A:B:S every S-th size; or a list as 8,16,100. "
         "The grid runs from 2 to 1024")
      ->check(accepted_by(parse_sizes, ""));
  app.add_option(
         "--regime", o.regimes,
         "How many matrices, any of: 'fill' about 1 GB of them on a GPU (0.5 GB in single), at most a "
         "million, and 100 "
         "to 256 MB on the host; 'b3000' 3,000 of them")
      ->delimiter(',')
      ->check(accepted_by(parse_regime, ""))
      ->capture_default_str();
  app.add_option("--bytes", o.bytes, "What 'fill' fills instead, as 2GB or 500000000")
      ->transform(CLI::Validator(size_in_bytes, ""))
      ->type_name("SIZE");
  app.add_option(
         "--compare", o.compare,
         "Which others to run: all other libraries that serve the routine, none, or a list of these; "
         "generic is talus with its generic table. Beside potrf_vbatched: padding, the matrices already "
         "padded to the largest, and one size factored; padding_copies, the same with padding and "
         "copying back; groups, one call for each size that occurs; classes, for each class of the "
         "table one call with as many matrices, all of the order whose cube is the class's mean cube, "
         "rounded up: the sum of the fixed-size times of its size groups")
      ->delimiter(',')
      ->check(CLI::IsMember(compare_names))
      ->capture_default_str();
  app.add_option("--backend", o.backend, "Where to run; auto: on a GPU if one is usable")
      ->check(CLI::IsMember({"auto", "host", "cuda"}))
      ->capture_default_str();
  app.add_option("--uplo", o.uplo, "The triangle that is stored")
      ->check(CLI::IsMember({"lower", "upper"}))
      ->capture_default_str();
  app.add_option("--nrhs", o.nrhs, "Right-hand sides of potrs and posv")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("--repeats", o.repeats,
                 "Timed runs of each library, more if they are short; their median counts")
      ->check(CLI::Range(5, 1000))
      ->capture_default_str();
  app.add_option(
         "--table", o.table,
         "Use this table of those in the build instead of the GPU's own: potrf and potrf_vbatched on cuda")
      ->type_name("NAME");
  app.add_option("--line", o.line,
                 "Force this line of the table (from 0) for every size: potrf and potrf_vbatched on cuda")
      ->check(CLI::Range(0, 1000));
  app.add_option(
         "--distribution", o.distributions,
         "potrf_vbatched: the sizes of a batch, any of uniform (1 to --max), gaussian (mean and standard "
         "deviation --max / 2 and --max / 6) and tree:FILE (the fronts of an assembly tree, columns "
         "level,n,k,count, a batch per level; --max leaves larger ones out)")
      ->delimiter(',')
      ->check(accepted_by(parse_distribution, ""))
      ->capture_default_str();
  app.add_option("--max", o.maxima,
                 std::string("potrf_vbatched: the largest size, one or several, as --sizes; else ") +
                     variable_maxima + ", or all fronts of a tree")
      ->check(accepted_by(parse_sizes, ""));
  app.add_option("--batch", o.batch, "potrf_vbatched: matrices in a batch of random sizes")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}))
      ->capture_default_str();
  app.add_option("--seed", o.seed, "potrf_vbatched: of the random sizes, which are the same everywhere")
      ->capture_default_str();
  app.add_option("--peers", o.peers,
                 "potrf_vbatched: a CSV file of MAGMA's times (columns library,routine,precision,regime,"
                 "n_or_nmax,batch,median_ms,gflops) to stand beside ours; on an H200 ../shared/data/"
                 "peers-h200.csv, where the sources have it")
      ->type_name("FILE");
  app.add_option("--csv", o.csv, "Write the results to this file as they come")->type_name("FILE");
  app.add_option("--json", o.json, "The same as JSON")->type_name("FILE");
}

// ---- talus itself --------------------------------------------------------------------------------

#ifdef TALUS_WITH_CUDA
/// Of the lines of this build, the one that --table and --line ask for, or else that serves the size.
template <class T>
int line_index(const settings& s, int n, std::int64_t batch) {
  return s.line >= 0 ? talus::cuda::potrf_tables::first_line<T>[static_cast<std::size_t>(s.table)] + s.line
                     : talus::cuda::potrf_tables::select<T>(s.table, n, batch);
}

template <class T>
void run_line(int line, const problem<T>& p, int copy) {
  const int status = talus::cuda::potrf_at(
      line, p.uplo, strided_batch(p.A(copy), p.n, p.n, p.n, p.stride_A(), p.batch), p.info(), queue::cuda());
  if (status != 0) throw std::runtime_error(strerror(status));
}
#endif

/// The table line that serves this size, for the note of talus's results.
template <class T>
std::string table_line([[maybe_unused]] const settings& s, [[maybe_unused]] int n,
                       [[maybe_unused]] std::int64_t batch) {
#ifdef TALUS_WITH_CUDA
  if (s.where == backend::cuda && s.routine == "potrf") {
    const int i = line_index<T>(s, n, batch);
    const talus::cuda::potrf_line& line = talus::cuda::potrf_tables::lines<T>[static_cast<std::size_t>(i)];
    const std::size_t table = talus::cuda::potrf_tables::table_of<T>(i);
    return std::string(talus::cuda::potrf_tables::gpus[table].name) + " line " +
           std::to_string(i - talus::cuda::potrf_tables::first_line<T>[table]) + ": " + kernel_words(line);
  }
#endif
  return "";
}

/// Talus as one library among others.
template <class T>
library<T> talus_library(const settings& s) {
  const queue q = s.where == backend::cuda ? queue::cuda() : queue::host();
  const routine<T>& work = *find_routine<T>(s.routine);
  const auto run = [=, &work](const problem<T>& p, int copy) {
#ifdef TALUS_WITH_CUDA
    if (s.forces_line) return run_line(line_index<T>(s, p.n, p.batch), p, copy);
#endif
    const int status = work.run(p, copy, q);
    if (status != 0) throw std::runtime_error(strerror(status));
  };
  return {"talus", "", true, run};
}

/// Talus with the generic table, in the place of a peer: what a GPU's own table gains.
template <class T>
std::vector<library<T>> generic_peer([[maybe_unused]] const settings& s) {
#ifdef TALUS_WITH_CUDA
  if (s.where == backend::cuda && s.routine == "potrf") {
    const int generic = static_cast<int>(talus::cuda::potrf_tables::gpus.size()) - 1;
    return {{"generic", "", true, [=](const problem<T>& p, int copy) {
               run_line(talus::cuda::potrf_tables::select<T>(generic, p.n, p.batch), p, copy);
             }}};
  }
#endif
  return {};
}

/// Understands --table and --line.
template <class T>
void check_line([[maybe_unused]] const options& o, [[maybe_unused]] settings& s,
                [[maybe_unused]] const std::vector<int>& sizes) {
  s.forces_line = s.line >= 0 || !o.table.empty();
  if (s.forces_line && (s.where != backend::cuda || s.routine != "potrf"))
    throw usage_error((s.line >= 0 ? "--line: " + std::to_string(s.line) + " names a kernel"
                                   : "--table: '" + o.table + "' holds kernels") +
                      " of potrf on cuda; " + s.routine + " on this backend has no table");
#ifdef TALUS_WITH_CUDA
  if (s.where != backend::cuda || s.routine != "potrf") return;
  s.table = table_index<talus::cuda::potrf_tables>(o.table);
  if (s.line >= 0) check_line_of<talus::cuda::potrf_tables, T>(s.table, s.line, sizes, "--sizes");
#endif
}

// ---- one precision -------------------------------------------------------------------------------

/// The libraries asked for, talus first; says in one line why another one is not among them.
template <class T>
std::vector<library<T>> choose_libraries(const settings& s, const std::vector<std::string>& compare) {
#ifdef TALUS_WITH_CUDA
  if (s.figure != 0 && s.where == backend::cuda) {
    std::vector<library<T>> series = {talus_library<T>(s)};
    for (const library<T>& one : series_of<T>(s.figure, run_line<T>)) series.push_back(one);
    return series;
  }
#endif
  const routine<T>& work = *find_routine<T>(s.routine);
  const traffic what = {work.writes_A, work.has_B};
  std::vector<library<T>> peers;
  if (s.where == backend::host) peers = host_peers<T>(s.routine, what);
#ifdef TALUS_WITH_CUDA
  if (s.where == backend::cuda) peers = cuda_peers<T>(s.routine, what, s.nrhs);
#endif
  for (const library<T>& own : generic_peer<T>(s)) peers.push_back(own);
  std::vector<library<T>> chosen = {talus_library<T>(s)};
  if (s.figure != 0) chosen.clear();  // on the host: the others' ways alone
  const auto is_chosen = [&](const std::string& name) {
    return std::any_of(chosen.begin(), chosen.end(), [&](const library<T>& one) { return one.name == name; });
  };
  const auto add = [&](const std::string& name) {
    if (is_chosen(name)) return true;
    for (const library<T>& peer : peers) {
      if (peer.name == name) chosen.push_back(peer);
    }
    return is_chosen(name);
  };
  for (const std::string& name : compare) {
    if (name == "all") {
      for (const std::string& any : peer_names) add(any);
    } else if (name != "none" && !add(name)) {
      std::printf("%s is left out: it %s.\n", name.c_str(), why_absent(name, s.routine, s.where).c_str());
    }
  }
  return chosen;
}

template <class T>
bool run_precision(const settings& s, const std::string& precision, const std::vector<int>& sizes,
                   const std::vector<std::string>& compare, const machine& limits, const outputs& files) {
  std::printf("\n%s%s, %s, regime %s, %s\n", precision.c_str(), s.routine.c_str(),
              s.uplo == talus::uplo::lower ? "lower" : "upper", s.how_many.name.c_str(),
              s.where == backend::cuda ? "cuda" : "host");
  const std::vector<library<T>> libraries = choose_libraries<T>(s, compare);
  std::vector<std::string> columns;
  for (const library<T>& who : libraries) {
    if (who.name != "talus" && (columns.empty() || columns.back() != who.name)) columns.push_back(who.name);
  }
  const table layout(columns);
  std::printf("%s\n", layout.head().c_str());

  bool right = true;
  std::vector<speed_up> speed_ups;
  for (const int n : sizes) {
    progress_line at_work("n = " + std::to_string(n));
    const outcome result = measure<T>(
        s, n, precision, libraries, limits,
        [&](int size, std::int64_t batch) { return table_line<T>(s, size, batch); },
        [&](const std::string& words) { at_work.show(words); });
    at_work.clear();
    if (!result.rows.empty()) std::printf("%s\n", layout.line(result.rows).c_str());
    for (const std::string& warning : result.warnings)
      std::printf("%16s ^ %s\n", result.talus_is_right ? "" : "*** WRONG ***", warning.c_str());
    std::fflush(stdout);
    files.add(result.rows);
    speed_ups.push_back(speed_up_of(result.rows));
    right = right && result.talus_is_right;
  }
  const std::string words = summary(speed_ups);
  if (!words.empty()) std::printf("\n%s\n", words.c_str());
  return right;
}

/// What a figure fixes, and what it needs of the build.
options of_figure(const options& asked) {
  if (asked.routine != "figure") {
    if (asked.figure != 0)
      throw usage_error("number: " + std::to_string(asked.figure) + " belongs to a figure, not to " +
                        asked.routine);
    return asked;
  }
  const figure* const f = find_figure(asked.figure);
  if (!f) throw usage_error("figure: which? " + figure_texts());
  if (asked.backend == "host" && (f->has_kernels || f->on_host.empty()))
    throw usage_error("--backend host: the kernels of figure " + std::to_string(f->number) + " run on cuda");
  for (const std::string& precision : asked.precisions) {
    if (precision != "s" && precision != "d")
      throw usage_error("--precision " + precision + ": the figures are of s and d");
  }
#ifdef TALUS_WITH_CUDA
  if (f->has_kernels && figures_table(f->is_variable()) < 0)
    throw usage_error("figure: this build has no kernels for figures; configure it with -DTALUS_FIGURES=ON");
#endif
  options o = asked;
  o.routine = f->is_variable() ? "potrf_vbatched" : "potrf";
  if (o.backend == "auto") o.backend = "cuda";
  std::string& sizes = f->is_variable() ? o.maxima : o.sizes;
  if (sizes.empty()) {
    std::vector<std::string> words;
    for (const int n : f->sizes) words.push_back(std::to_string(n));
    sizes = joined(words, ",");
  }
  if (f->is_variable() && o.given.count("--distribution") == 0) o.distributions = f->distributions;
  if (o.given.count("--batch") == 0) o.batch = f->batch;
  o.compare = f->on_host;
  return o;
}

int run(const options& asked, const std::string& command) {
  const options o = of_figure(asked);
  check_variable(o);
  if (o.routine == "potrf_vbatched") return run_variable(o, command);
  settings s = settings_of(o);
  if (s.where == backend::cuda && !talus::cuda::device_is_usable()) {
    std::fprintf(stderr, "--backend cuda: %s\n", strerror(err_no_cuda));
    return no_backend;
  }
  const std::vector<int> sizes = o.sizes.empty() ? grid : parse_sizes(o.sizes);
  for (const std::string& precision : o.precisions)
    with_type(precision, [&](auto zero) { check_line<decltype(zero)>(o, s, sizes); });
  check_files(o);
  outputs files;
  const machine limits = begin(o, s.where, command, files);

  bool right = true;
  if (const figure* const f = find_figure(s.figure)) {
    for (const std::string& precision : o.precisions) {
      for (const backend where : {backend::cuda, backend::host}) {
        if (where == backend::host && f->on_host.empty()) continue;
        settings part = s;
        part.where = where;
        part.filling = fill_of(where, precision[0], omp_get_max_threads(), static_cast<double>(o.bytes));
        part.how_many = {"figure " + std::to_string(f->number), where == backend::cuda ? f->batch : 0};
        const machine here = where == backend::cuda ? limits : machine::measure(where);
        with_type(precision, [&](auto zero) {
          right = run_precision<decltype(zero)>(part, precision, sizes, o.compare, here, files) && right;
        });
      }
    }
    return right ? fine : wrong;
  }
  for (const std::string& precision : o.precisions) {
    s.filling = fill_of(s.where, precision[0], omp_get_max_threads(), static_cast<double>(o.bytes));
    for (const std::string& regime : o.regimes) {
      s.how_many = parse_regime(regime);
      with_type(precision, [&](auto zero) {
        right = run_precision<decltype(zero)>(s, precision, sizes, o.compare, limits, files) && right;
      });
    }
  }
  std::printf(
      "\nroof: share of the machine's limit, max(bytes / bandwidth, flops / peak) over the time taken. copy: "
      "time of\n"
      "moving the same elements without computing, over the time taken. x peer: speed-up over the best of "
      "the\n"
      "others. A roof above 100 %%: the matrices stay in the cache, or the limits were measured on a busy "
      "machine.\n");
  if (right) return fine;
  std::fprintf(stderr, "\n*** Talus failed or gave a WRONG result, see above. ***\n");
  return wrong;
}

}  // namespace
}  // namespace talus::bench

int main(int argc, char** argv) {
  using namespace talus::bench;
  options o;
  CLI::App app{
      "Measures Talus against the machine's limits and against other libraries, all on the same matrices.",
      "talus-bench"};
  declare(app, o);
  return run_program(app, argc, argv, [&](const std::string& command) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->count() > 0) o.given.insert(option->get_name());
    }
    return run(o, command);
  });
}
