// talus-bench potrf_vbatched: batches of variable size.
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
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
#include "variable_own.hpp"

namespace talus::bench {

const std::vector<std::string> variable_peer_names = {
    "copy",    "generic", "padding",       "padding_copies",  "groups",
    "classes", "magma",   "openblas-loop", "openblas-static", "openblas-dynamic"};

const char* const variable_maxima = "32,64,128,256,512";

void check_variable(const options& o) {
  const bool variable = o.routine == "potrf_vbatched";
  for (const char* const name : {"--sizes", "--regime", "--nrhs"}) {
    if (variable && o.given.count(name) != 0)
      throw usage_error(std::string(name) +
                        ": belongs to routines of one size; potrf_vbatched takes --distribution, --max and "
                        "--batch");
  }
  for (const char* const name : {"--distribution", "--max", "--batch", "--seed", "--peers"}) {
    if (!variable && o.given.count(name) != 0)
      throw usage_error(std::string(name) + ": belongs to potrf_vbatched, not to " + o.routine);
  }
  if (variable && o.figure == 0 && o.given.count("--bytes") != 0)
    throw usage_error("--bytes: belongs to routines of one size; potrf_vbatched takes --batch");
  if (!variable) {
    for (const std::string& name : o.compare) {
      if (std::find(peer_names.begin(), peer_names.end(), name) == peer_names.end() && name != "generic" &&
          name != "all" && name != "none")
        throw usage_error("--compare: " + name + " belongs to potrf_vbatched, not to " + o.routine);
    }
  }
}

namespace {

/// A batch to be measured.
struct case_of_sizes {
  std::string label, regime;  // what tells it apart: in the table, in the file
  int n;                      // the maximum asked for, or of a tree the largest
  std::vector<int> sizes;
};

struct plan_of_cases {
  std::vector<case_of_sizes> cases;
  bool is_tree = false;
  std::int64_t left_out = 0;
};

/// `batch_count(sizes)` says how many matrices like these a batch should have.
template <class BatchCount>
plan_of_cases plan_cases(const options& o, const distribution& d, BatchCount batch_count) {
  plan_of_cases plan;
  if (d.is == distribution::kind::tree) {
    plan.is_tree = true;
    const int n_max = o.maxima.empty() ? largest_size : parse_sizes(o.maxima).front();
    tree fronts = read_tree(d.path, n_max);
    plan.left_out = fronts.left_out;
    for (tree_level& level : fronts.levels) {
      const int n = *std::max_element(level.sizes.begin(), level.sizes.end());
      plan.cases.push_back({level.name, d.name + ':' + level.name, n, std::move(level.sizes)});
    }
    return plan;
  }
  for (const int n : parse_sizes(o.maxima.empty() ? variable_maxima : o.maxima)) {
    const std::int64_t count = batch_count(random_sizes(d.is, n, o.batch, o.seed));
    plan.cases.push_back({std::to_string(n), d.name, n, random_sizes(d.is, n, count, o.seed)});
  }
  return plan;
}

/// What is known of MAGMA elsewhere.
struct peers_file {
  std::string path;
  std::vector<peer_time> times;
};

peers_file find_peers(const options& o, backend where, const machine& limits) {
  std::string path = o.peers;
  if (path.empty()) {
    if (where != backend::cuda || limits.name.find("H200") == std::string::npos) return {};
    path = std::string(TALUS_SHARED_DATA) + "/peers-h200.csv";
    if (!std::ifstream(path)) return {};
  }
  return {path.substr(path.find_last_of('/') + 1), read_peer_times(path)};
}

std::string why_not(const std::string& peer, backend where) {
  if (peer == "classes" || peer == "generic") return "needs a table, and only cuda has tables";
  if (where == backend::cuda && (peer == "cusolver" || peer == "cublas")) return "has no potrf_vbatched";
  return why_absent(peer, "potrf_vbatched", where);
}

/// The ways asked for on one problem, talus first.
template <class T>
std::vector<variable_library<T>> ways_of(const settings& s, const std::vector<std::string>& names,
                                         const variable_problem<T>& p, const queue& q) {
  std::vector<variable_library<T>> peers, chosen;
  if (s.figure == 0 || p.where == backend::cuda) chosen.push_back(variable_talus<T>(s, q));
#ifdef TALUS_WITH_CUDA
  if (s.figure != 0 && p.where == backend::cuda && find_figure(s.figure)->has_kernels) {
    add_series(chosen, q);
    return chosen;
  }
#endif
  if (p.where == backend::host) peers = variable_host_peers<T>();
#ifdef TALUS_WITH_CUDA
  if (p.where == backend::cuda) {
    peers = variable_cuda_copies<T>(p);
    for (const variable_library<T>& one : variable_cuda_peers<T>()) peers.push_back(one);
    const auto generic = static_cast<int>(talus::cuda::potrf_vbatched_tables::gpus.size()) - 1;
    peers.push_back(variable_with_table<T>("generic", generic, q));
    add_classes(peers, p, s.table);
  }
#endif
  add_padding(peers);
  if (std::find(names.begin(), names.end(), "groups") != names.end()) peers.push_back(size_groups(p));
  for (const std::string& name : names) {
    for (const variable_library<T>& peer : peers) {
      if (peer.name == name) chosen.push_back(peer);
    }
  }
  return chosen;
}

/// The names behind --compare, in the order of the table, without those that cannot run, which is said.
std::vector<std::string> chosen_names(const std::vector<std::string>& compare, backend where, bool speak) {
  const auto can_run = [&](const std::string& name) {
    const bool openblas = name.rfind("openblas", 0) == 0;
    if (where == backend::host)
      return openblas || name == "copy" || name.rfind("padding", 0) == 0 || name == "groups";
#ifndef TALUS_WITH_MAGMA
    if (name == "magma") return false;
#endif
    return !openblas && name != "cusolver" && name != "cublas";
  };
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& name : compare) {
    if (name == "all") {
      for (const std::string& any : variable_peer_names) {
        if (can_run(any) && any != "generic") add(any);
      }
    } else if (name != "none") {
      if (can_run(name)) {
        add(name);
      } else if (speak) {
        std::printf("%s is left out: it %s.\n", name.c_str(), why_not(name, where).c_str());
      }
    }
  }
  return names;
}

template <class T>
outcome measure_case(const settings& s, const case_of_sizes& of, const std::string& precision,
                     const std::vector<std::string>& names, const machine& limits, const progress& show) {
  outcome result;
  show("allocating");
  const std::unique_ptr<variable_problem<T>> p = allocate_variable_problem<T>(s.uplo, s.where, of.sizes);
  const queue_with_scratch<T> q(*p);
  const std::vector<variable_library<T>> ways = ways_of<T>(s, names, *p, q);
  const variable_check<T> check(*p);
  const auto times = measure_in_turn(
      *p, ways, p->n_max, s.repeats,
      [&](const variable_library<T>& who) { return check.complaint(who.writes_info, who.name == "copy"); },
      result, show);

  const auto wanted = static_cast<std::int64_t>(of.sizes.size());
  const std::string shortage = wanted > p->batch ? "memory for " + std::to_string(p->batch) + " of " +
                                                       std::to_string(wanted) + " matrices"
                                                 : "";
  work_done done = {0, 0, is_cached(*p, times.runs)};
  for (const int n : p->sizes) {
    done.bytes += least_bytes<T>(n, true, 0);
    done.flops += potrf_flops<T>(n);
  }
  for (const contender<variable_problem<T>>& c : times.contenders) {
    row r = timed_row<T>(c.who->name, c.seconds, done, limits);
    r.routine = "potrf_vbatched";
    r.precision = precision;
    r.regime = of.regime;
    r.m = r.n = of.n;
    r.batch = p->batch;
    r.note =
        joined({c.wrong ? wrong_result : "", c.who->name == "talus" ? variable_lines(s, *p) : c.who->variant,
                s.uplo == talus::uplo::upper ? "upper" : "", shortage, done.cached ? "in cache" : ""});
    keep_fastest(result.rows, r);
  }
  if (!shortage.empty()) result.warnings.push_back(shortage);
  return result;
}

/// MAGMA's time from a file as a row beside the measured ones, if it has one for this batch and none was
/// measured. Its batch had other random sizes of the same distribution, so its rate is what compares.
void add_from_file(std::vector<row>& rows, const peers_file& file, int n) {
  if (rows.empty()) return;
  for (const row& r : rows) {
    if (r.library == "magma") return;
  }
  const row like = rows.front();
  const peer_time* const time =
      find_peer_time(file.times, "magma", like.routine, like.precision, like.regime, n, like.batch);
  if (!time) return;
  row r = like;
  r.library = "magma";
  r.median_ms = r.min_ms = r.max_ms = time->median_ms;
  r.gflops = time->gflops;
  r.roofline_fraction = like.gflops > 0 ? like.roofline_fraction * time->gflops / like.gflops : 0;
  r.note = "from " + file.path + ", measured elsewhere on an H200";
  rows.push_back(r);
}

template <class T>
bool run_cases(const settings& s, const plan_of_cases& plan, const distribution& d,
               const std::string& precision, const std::vector<std::string>& compare, const machine& limits,
               const peers_file& file, const outputs& files) {
  std::printf("\n%spotrf_vbatched, %s, %s, %s\n", precision.c_str(),
              s.uplo == talus::uplo::lower ? "lower" : "upper", d.name.c_str(),
              s.where == backend::cuda ? "cuda" : "host");
  if (plan.left_out > 0)
    std::printf("%lld of the tree's fronts are larger than --max and are left out.\n",
                static_cast<long long>(plan.left_out));
  const std::vector<std::string> names = chosen_names(compare, s.where, true);
  std::vector<variable_table::column> columns;
#ifdef TALUS_WITH_CUDA
  if (s.figure != 0 && s.where == backend::cuda && find_figure(s.figure)->has_kernels) {
    std::vector<variable_library<T>> series;
    add_series(series, queue::cuda());
    for (const variable_library<T>& one : series) columns.push_back({one.name, one.name});
  }
#endif
  for (const std::string& name : names) columns.push_back({name, name});
  if (!file.times.empty() && std::find(names.begin(), names.end(), "magma") == names.end())
    columns.push_back({"magma", "magma (file)"});
  const variable_table layout(plan.is_tree ? "level" : "max", columns);
  std::printf("%s\n", layout.head().c_str());

  bool right = true;
  std::vector<std::vector<row>> all;
  for (const case_of_sizes& of : plan.cases) {
    progress_line at_work((plan.is_tree ? "level " : "max = ") + of.label);
    outcome result = measure_case<T>(s, of, precision, names, limits,
                                     [&](const std::string& words) { at_work.show(words); });
    add_from_file(result.rows, file, of.n);
    at_work.clear();
    if (!result.rows.empty()) std::printf("%s\n", layout.line(of.label, result.rows).c_str());
    for (const std::string& warning : result.warnings)
      std::printf("%16s ^ %s\n", result.talus_is_right ? "" : "*** WRONG ***", warning.c_str());
    std::fflush(stdout);
    files.add(result.rows);
    right = right && result.talus_is_right;
    all.push_back(std::move(result.rows));
  }
  if (plan.is_tree) {
    std::vector<row> sums = sum_of(all);
    for (row& r : sums) r.regime = d.name + ":all";
    if (!sums.empty()) std::printf("%s\n", layout.line("all", sums).c_str());
    files.add(sums);
  }
  const std::string words = layout.summary(all);
  if (!words.empty()) std::printf("\n%s", words.c_str());
  return right;
}

/// Understands --table and --line.
template <class T>
void check_line([[maybe_unused]] const options& o, [[maybe_unused]] settings& s,
                [[maybe_unused]] const std::vector<int>& maxima) {
  s.forces_line = s.line >= 0 || !o.table.empty();
  if (s.forces_line && s.where != backend::cuda)
    throw usage_error((s.line >= 0 ? "--line: " + std::to_string(s.line) + " names a kernel"
                                   : "--table: '" + o.table + "' holds kernels") +
                      " of potrf_vbatched on cuda; this backend has no table");
#ifdef TALUS_WITH_CUDA
  using tables = talus::cuda::potrf_vbatched_tables;
  if (s.where != backend::cuda) return;
  s.table = table_index<tables>(o.table);
  if (s.line < 0 && s.table == figures_table(true))
    throw usage_error("--table: '" + o.table + "' has no classes of sizes; --line says which of its lines");
  if (s.line >= 0) check_line_of<tables, T>(s.table, s.line, maxima, "--max");
#endif
}

/// The maxima that are asked for, trees' own included.
std::vector<int> maxima_of(const options& o, const std::vector<distribution>& distributions) {
  std::vector<int> maxima;
  for (const distribution& d : distributions) {
    for (const case_of_sizes& of :
         plan_cases(o, d, [](const std::vector<int>&) { return std::int64_t{1}; }).cases)
      maxima.push_back(of.n);
  }
  return maxima;
}

/// Refuses what a tree leaves no room for, and trees that cannot be read.
void check_trees(const options& o, const std::vector<distribution>& distributions) {
  for (const distribution& d : distributions) {
    if (d.is != distribution::kind::tree) continue;
    if (o.given.count("--batch") != 0)
      throw usage_error("--batch: " + std::to_string(o.batch) + ", but --distribution " + d.name +
                        " says how many fronts there are");
    if (!o.maxima.empty() && parse_sizes(o.maxima).size() > 1)
      throw usage_error("--max: '" + o.maxima + "' is more than the one largest front that a tree takes");
    try {
      const plan_of_cases plan = plan_cases(o, d, [](const std::vector<int>&) { return std::int64_t{1}; });
      if (plan.cases.empty())
        throw usage_error("'" + d.path + "' has no front" +
                          (o.maxima.empty() ? std::string() : " of at most --max " + o.maxima));
    } catch (const std::invalid_argument& e) {
      throw usage_error("--distribution: " + std::string(e.what()));
    }
  }
}

}  // namespace

int run_variable(const options& o, const std::string& command) {
  settings s = settings_of(o);
  std::vector<distribution> distributions;
  for (const std::string& text : o.distributions) distributions.push_back(parse_distribution(text));
  check_trees(o, distributions);
  if (!o.peers.empty()) {
    try {
      read_peer_times(o.peers);
    } catch (const std::invalid_argument& e) {
      throw usage_error("--peers: " + std::string(e.what()));
    }
  }
  if (s.where == backend::cuda && !talus::cuda::device_is_usable()) {
    std::fprintf(stderr, "--backend cuda: %s\n", strerror(err_no_cuda));
    return no_backend;
  }
  const std::vector<int> maxima = maxima_of(o, distributions);
  for (const std::string& precision : o.precisions)
    with_type(precision, [&](auto zero) { check_line<decltype(zero)>(o, s, maxima); });
  check_files(o);
  outputs files;
  const machine limits = begin(o, s.where, command, files);
  const peers_file file = find_peers(o, s.where, limits);

  bool right = true;
  const figure* const f = find_figure(s.figure);
  const auto run_on = [&](backend where, const machine& here, const std::string& precision) {
    settings part = s;
    part.where = where;
    const bool fills = f && where == backend::host;
    const fill filling = fill_of(where, precision[0], omp_get_max_threads(), static_cast<double>(o.bytes));
    const std::vector<std::string>& compare = !f                       ? o.compare
                                              : where == backend::host ? f->on_host
                                                                       : f->on_cuda;
    with_type(precision, [&](auto zero) {
      using T = decltype(zero);
      for (const distribution& d : distributions) {
        const plan_of_cases plan = plan_cases(o, d, [&](const std::vector<int>& sizes) {
          double bytes = 0;
          for (const int n : sizes) bytes += static_cast<double>(sizeof(T)) * n * n;
          return fills ? filling.batch_count(bytes / static_cast<double>(sizes.size())) : o.batch;
        });
        right = run_cases<T>(part, plan, d, precision, compare, here,
                             where == backend::cuda || !f ? file : peers_file{}, files) &&
                right;
      }
    });
  };
  std::unique_ptr<machine> host;
  for (const std::string& precision : o.precisions) {
    run_on(s.where, limits, precision);
    if (!f || f->on_host.empty() || s.where == backend::host) continue;
    if (!host) host = std::make_unique<machine>(machine::measure(backend::host));
    run_on(backend::host, *host, precision);
  }
  std::printf(
      "\nroof: share of the machine's limit, max(all bytes / bandwidth, all flops / peak) over the time "
      "taken. "
      "x: times\n"
      "as fast as that. share: time of a ceiling over the time taken: copy moves the same triangles without "
      "computing,\n"
      "groups is one call for each size that occurs, classes one for each class of the table with as many "
      "equal\n"
      "matrices and about the same work.\n");
  if (right) return fine;
  std::fprintf(stderr, "\n*** Talus failed or gave a WRONG result, see above. ***\n");
  return wrong;
}

}  // namespace talus::bench
