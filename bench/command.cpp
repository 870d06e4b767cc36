// talus-bench: how fast is Talus here, how far from the machine's limits, and against which other library?
#include "command.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "figures/figures.hpp"
#include "measure/plan.hpp"
#include "measure/program.hpp"
#include "trees.hpp"

namespace talus::bench {

// ---- the options ---------------------------------------------------------------------------------

namespace {

/// Every name that --compare may ask for, in the order of the table.
const std::vector<std::string> compare_names = {
    "copy",          "generic",         "padding",          "padding_copies", "groups",
    "classes",       "cusolver",        "cusolver_streams", "cublas",         "magma",
    "openblas-loop", "openblas-static", "openblas-dynamic"};

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
  talus-bench getrf --sizes 16,64,256x16,16x64 --regime b3000
      LU of squares and rectangles
  talus-bench geqrf --sizes 32,512x32 --regime b3000 --compare cublas,cusolver_streams
      QR against cuBLAS, and against cuSOLVER, one matrix after the other over 8 streams
  talus-bench potrf_vbatched --distribution gaussian --max 64,128,256 --precision s,d --csv gaussian.csv
      3,000 matrices of sizes up to 64, 128 and 256 in one call, beside padding, grouping by size and a copy
  talus-bench potrf_vbatched --distribution tree:fronts.csv --max 1024 --compare groups,copy
      the fronts of an assembly tree (columns level,n,k,count), level by level, and their sum
  talus-bench potrf_partial --tree fronts.csv,more.csv --csv fronts-partial.csv
      the same with as many columns of each front eliminated as the tree says: its Schur complement is left
  talus-bench figure 2 --precision s,d --csv figure2.csv
      an experiment of the paper that Talus began with, for bench/plot.py

Exit codes: 0 fine, 1 a result of talus was wrong, 2 bad arguments, 3 no such backend here, 5 output could
not be written.)";

/// Turns a parse function into a check. The text of its exception is the complaint.
template <class Parse>
value_check accepted_by(Parse parse) {
  return [parse](const std::string& text) {
    try {
      parse(text);
      return std::string();
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
  };
}

/// Converts like size_in_bytes, but refuses -5 and sizes beyond 64 bits.
std::string positive_size_in_bytes(std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool is_positive = 0 < digits && digits < 19 && std::stoull(text) > 0;
  if (!is_positive) return "'" + text + "' is no size such as 2GB or 500000000";
  return size_in_bytes(true)(text);
}

std::string figure_texts() {
  std::vector<std::string> texts;
  for (const figure& f : figures) texts.push_back(std::to_string(f.number) + " (" + f.what + ")");
  return joined(texts, ", ");
}

void declare(command_line& line, options& o) {
  line.footer(examples);
  line.help_text("Print this help");
  std::vector<std::string> routines = routine_names(), who = compare_names;
  for (const std::string& name : short_names()) routines.push_back(name);
  routines.emplace_back("figure");
  std::vector<int> numbers;
  for (const figure& f : figures) numbers.push_back(f.number);
  who.insert(who.end(), {"all", "none"});
  std::sort(who.begin(), who.end());

  line.add("routine", o.routine,
           "What to measure; " + joined(short_names(), ", ") +
               ": with --tree, the routine of that name "
               "and _vbatched")
      .one_of(routines)
      .shows_default();
  line.add("number", o.number, "Which figure of the paper, if a figure is asked for: " + figure_texts())
      .one_of_numbers(numbers);
  line.add("--precision", o.precisions, "Any of s, d, c, z")
      .between_commas()
      .one_of({"s", "d", "c", "z"})
      .shows_default();
  line.add("--sizes", o.sizes,
           "A:B the sizes of the built-in grid from A to B; A:B:S every S-th size; or a list as 8,16,100, "
           "in which 256x16 is 256 rows and 16 columns. The grid runs from 2 to 1024")
      .passes(accepted_by(parse_shapes));
  line.add("--regime", o.regimes,
           "How many matrices, any of: 'fill' about 1 GB of them on a GPU (0.5 GB in single), at most a "
           "million, and 100 to 256 MB on the host; 'b3000' 3,000 of them")
      .between_commas()
      .passes(accepted_by(parse_regime))
      .shows_default();
  line.add("--bytes", o.bytes, "What 'fill' fills instead, as 2GB or 500000000")
      .rewritten_by(positive_size_in_bytes)
      .of_type("SIZE");
  line.add("--compare", o.compare,
           "Which others to run: all other libraries that serve the routine, none, or a list of these; "
           "generic is talus with its generic table. Beside mixed sizes: padding, the matrices already "
           "padded to the largest, and one size factored (of potrf_vbatched); padding_copies, the same with "
           "padding and copying back; groups, one call for each size that occurs; classes, for each class of "
           "the table one call with as many matrices, all of the order whose cube is the class's mean cube, "
           "rounded up: the sum of the fixed-size times of its size groups")
      .between_commas()
      .one_of(who)
      .shows_default();
  line.add("--backend", o.backend, "Where to run; auto: on a GPU if one is usable")
      .one_of({"auto", "host", "cuda"})
      .shows_default();
  line.add("--uplo", o.uplo, "The triangle that is stored, where it is one")
      .one_of({"lower", "upper"})
      .shows_default();
  line.add("--nrhs", o.nrhs, "Right-hand sides of the routines that have them")
      .within(1, 1 << 20)
      .shows_default();
  line.add("--repeats", o.repeats, "Timed runs of each library, more if they are short; their median counts")
      .within(5, 1000)
      .shows_default();
  line.add("--table", o.table,
           "Use this table of those in the build instead of the GPU's own, where a routine has one on cuda")
      .of_type("NAME");
  line.add("--line", o.line, "Force this line of the table (from 0) for every size").within(0, 1000);
  line.add("--distribution", o.distributions,
           "Mixed sizes: those of a batch, any of uniform (1 to --max), gaussian (mean and standard "
           "deviation --max / 2 and --max / 6) and tree:FILE (the fronts of an assembly tree, columns "
           "level,n,k,count, a batch per level; --max leaves larger ones out)")
      .between_commas()
      .passes(accepted_by(parse_distribution))
      .shows_default();
  line.add("--tree", o.trees,
           "Mixed sizes: the same as --distribution tree:FILE, one file or several. Of partial routines "
           "the first k columns of a front are eliminated, of random sizes n the first (n + 1) / 2")
      .between_commas()
      .of_type("FILE");
  line.add("--max", o.maxima,
           std::string("Mixed sizes: the largest, one or several, as --sizes; else ") + default_maxima +
               ", or all fronts of a tree")
      .passes(accepted_by(parse_sizes));
  line.add("--batch", o.batch, "Mixed sizes: matrices in a batch of random ones")
      .within(std::int64_t{1}, std::int64_t{100'000'000})
      .shows_default();
  line.add("--seed", o.seed, "Mixed sizes: of the random ones, which are the same everywhere")
      .shows_default();
  line.add("--peers", o.peers,
           "Mixed sizes: a CSV file of MAGMA's times (columns library,routine,precision,regime,"
           "n_or_nmax,batch,median_ms,gflops, or of trees library,routine,precision,tree,level,n_max,"
           "fronts,median_ms,gflops) to stand beside ours; on an H200 peers-h200.csv and "
           "peers-h200-trees.csv of ../shared/data, where the sources have them")
      .of_type("FILE");
  line.add("--csv", o.csv, "Write the results to this file as they come").of_type("FILE");
  line.add("--json", o.json, "The same as JSON").of_type("FILE");
}

// ---- checks --------------------------------------------------------------------------------------

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Those that ask for several calls in place of one on mixed sizes.
const std::vector<std::string> of_mixed_sizes = {"padding", "padding_copies", "groups", "classes"};

options of_figure(const options& asked) {
  if (asked.routine != "figure") {
    if (asked.number != 0)
      throw usage_error("number: " + std::to_string(asked.number) + " belongs to a figure, not to " +
                        asked.routine);
    return asked;
  }
  const auto f = std::find_if(figures.begin(), figures.end(),
                              [&](const figure& one) { return one.number == asked.number; });
  if (f == figures.end()) throw usage_error("figure: which? " + figure_texts());
  if (asked.backend == "host" && (f->has_kernels || f->on_host.empty()))
    throw usage_error("--backend host: the kernels of figure " + std::to_string(f->number) + " run on cuda");
  for (const std::string& precision : asked.precisions) {
    if (precision != "s" && precision != "d")
      throw usage_error("--precision " + precision + ": the figures are of s and d");
  }
  options o = asked;
  o.figure = &*f;
  o.routine = f->routine();
  if (o.backend == "auto") o.backend = "cuda";
  std::string& sizes = f->is_variable() ? o.maxima : o.sizes;
  if (sizes.empty()) {
    std::vector<std::string> words;
    for (const int n : f->sizes) words.push_back(std::to_string(n));
    sizes = joined(words, ",");
  }
  if (f->is_variable() && o.given.count("--distribution") == 0) o.distributions = f->distributions;
  if (o.given.count("--batch") == 0) o.batch = f->batch;
  return o;
}

/// Refuses options of routines of one size for one of mixed sizes, and the other way round.
void check_options(const options& o, bool mixed) {
  const auto refuse = [&](std::initializer_list<const char*> names, const std::string& why) {
    for (const char* const name : names) {
      if (o.given.count(name) != 0) throw usage_error(std::string(name) + why);
    }
  };
  if (mixed) {
    refuse({"--sizes", "--regime", "--nrhs"}, ": belongs to routines of one size; " + o.routine +
                                                  " takes --distribution, --tree, --max and --batch");
    if (!o.figure) refuse({"--bytes"}, ": belongs to routines of one size; " + o.routine + " takes --batch");
    return;
  }
  std::vector<std::string> names;
  for_each_routine([&](auto r) {
    if (r.mixed_sizes) names.emplace_back(r.name);
  });
  const std::string owners = names.empty() ? "routines of mixed sizes" : joined(names, ", ");
  const std::string belongs = " belongs to " + owners + ", not to " + o.routine;
  refuse({"--tree", "--distribution", "--max", "--batch", "--seed", "--peers"}, ":" + belongs);
  for (const std::string& name : o.compare) {
    if (is_among(of_mixed_sizes, name)) throw usage_error("--compare: " + name + belongs);
  }
}

/// Refuses what a tree leaves no room for, and what cannot be read.
void check_files(const options& o) {
  const auto naming = [](const std::string& option, auto read) {
    try {
      read();
    } catch (const std::invalid_argument& e) {
      throw usage_error(option + ": " + e.what());
    }
  };
  const std::string option = o.trees.empty() ? "--distribution" : "--tree";
  for (const std::string& text : o.distributions) {
    const distribution d = parse_distribution(text);
    if (d.is != distribution::kind::tree) continue;
    if (o.given.count("--batch") != 0)
      throw usage_error("--batch: " + std::to_string(o.batch) + ", but " + option + ' ' +
                        (o.trees.empty() ? d.name : d.path) + " says how many fronts there are");
    if (!o.maxima.empty() && parse_sizes(o.maxima).size() > 1)
      throw usage_error("--max: '" + o.maxima + "' is more than the one largest front that a tree takes");
    naming(option, [&] {
      const int n_max = o.maxima.empty() ? largest_size : parse_sizes(o.maxima).front();
      if (read_tree(d.path, n_max).levels.empty())
        throw usage_error("'" + d.path + "' has no front" +
                          (o.maxima.empty() ? std::string() : " of at most --max " + o.maxima));
    });
  }
  if (!o.peers.empty()) naming("--peers", [&] { read_peer_times(o.peers); });
  if (!o.json.empty() && !has_json)
    throw usage_error(
        "--json: this build writes no JSON, because nlohmann-json was not found when it was configured");
}

/// What a figure fixes is filled in; what it lacks in this build, and what does not belong to the routine, is
/// refused.
options checked(const options& asked) {
  options o = of_figure(with_trees(asked));
  with_routine(o.routine, [&](auto r) { check_options(o, r.mixed_sizes); });
  check_files(o);
  o.where = o.backend == "auto" ? queue::best().where : o.backend == "cuda" ? backend::cuda : backend::host;
  return o;
}

// ---- who is compared -----------------------------------------------------------------------------

/// Why a name cannot run; nothing where it can.
std::string why_absent(const std::string& name, const compared& with, backend where, int nrhs) {
  if (name == "copy") return "";
  const std::string no_such = std::string("has no ") + (with.mixed_sizes ? "" : "batched ") + with.routine;
  if (name == "generic" || name == "classes") {
    if (!with.has_tables) return "needs a table, and " + with.routine + " has none";
    return where == backend::cuda ? "" : "needs a table, and only cuda has tables";
  }
  if (is_among(of_mixed_sizes, name)) {
    const bool pads = name == "padding" || name == "padding_copies";
    if (with.mixed_sizes && !with.has_one_size)
      return "calls a routine of one size, and " + with.routine + " has none here";
    if (with.mixed_sizes && pads && !with.is_hermitian) return "pads triangles alone";
    return with.mixed_sizes ? "" : no_such;
  }
  const bool on_host = name.rfind("openblas", 0) == 0;
  if (on_host != (where == backend::host)) return on_host ? "runs on the host alone" : "runs on cuda alone";
#ifndef TALUS_WITH_CUSOLVER
  if (name.rfind("cusolver", 0) == 0)
    return "not in this build: the CUDA toolkit it was configured with has no cuSOLVER";
#endif
#ifndef TALUS_WITH_CUBLAS
  if (name == "cublas") return "not in this build: the CUDA toolkit it was configured with has no cuBLAS";
#endif
#ifndef TALUS_WITH_MAGMA
  if (name == "magma") return "not in this build: MAGMA was not found when it was configured";
#endif
  const peer* const known = with.find(on_host ? "openblas" : name);
  if (!known) return no_such;
  return nrhs > known->nrhs_max ? no_such + " for this number of right-hand sides" : "";
}

}  // namespace

std::vector<std::string> names_to_run(const options& o, const compared& with, int nrhs) {
  const auto& compare = !o.figure                  ? o.compare
                        : o.where == backend::host ? o.figure->on_host
                                                   : o.figure->on_cuda;
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!is_among(names, name)) names.push_back(name);
  };
  for (const std::string& asked : compare) {
    const std::string why = why_absent(asked, with, o.where, nrhs);
    if (asked == "all") {
      for (const std::string& any : compare_names) {
        const bool is_own = any == "generic" || (!with.mixed_sizes && is_among(of_mixed_sizes, any));
        if (!is_own && why_absent(any, with, o.where, nrhs).empty()) add(any);
      }
    } else if (why.empty()) {
      add(asked);
    } else if (asked != "none") {
      std::printf("%s is left out: it %s.\n", asked.c_str(), why.c_str());
    }
  }
  return names;
}

}  // namespace talus::bench

int main(int argc, char** argv) {
  using namespace talus::bench;
  options o;
  command_line line{
      "Measures Talus against the machine's limits and against other libraries, all on the same matrices.",
      "talus-bench"};
  declare(line, o);
  return run_program(line, argc, argv, [&](const std::string& command) {
    o.given = line.given();
    return run_routine(checked(o), command);
  });
}
