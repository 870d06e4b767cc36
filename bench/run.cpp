// Measures a routine, whichever it is: its description says how.
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "backends.hpp"
#include "batches.hpp"
#include "figures/figures.hpp"
#include "measure/precisions.hpp"
#include "own.hpp"
#include "peers_host.hpp"
#ifdef TALUS_WITH_CUDA
#include "peers_cuda.hpp"
#endif

namespace talus::bench {
namespace {

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

/// Whether the kernels of a figure take the place of the libraries.
bool shows_kernels(const settings& s) {
  return s.figure && s.figure->has_kernels && s.where == backend::cuda;
}

/// A routine in one precision. R: its description.
template <class R>
class measured {
 public:
  using problem = typename R::problem;
  using T = typename problem::scalar;
  static constexpr const char* sizes_option = R::mixed_sizes ? "--max" : "--sizes";

  measured(const options& o, const settings& s) : options_(o), s_(s) {}

  std::vector<series> batches() const {
    const matrices of = {s_.where, precision_of<T>, sizeof(T), nrhs()};
    return R::mixed_sizes ? series_of_mixed(options_, of) : series_of_equal(options_, of);
  }

  /// Understands --table and --line.
  void choose_line(settings& s) const {
    if (s.forces_line && (s.where != backend::cuda || !has_tables<R>))
      throw usage_error((s.line >= 0 ? "--line: " + std::to_string(s.line) + " names a kernel"
                                     : "--table: '" + options_.table + "' holds kernels") +
                        " of " + R::name + " on cuda; " +
                        (has_tables<R> ? "this backend" : std::string(R::name)) + " has no table");
#ifdef TALUS_WITH_CUDA
    if constexpr (has_tables<R>) {
      if (s.where != backend::cuda) return;
      s.table = table_index<R>(options_.table);
      if (s.line < 0) return;
      std::vector<sizes> all;
      for (const series& one : batches()) {
        for (const batch_to_measure& b : one.batches) all.push_back({b.n, b.n, 0, nrhs()});
      }
      check_line<R>(s, all, sizes_option);
    }
#endif
  }

  /// Returns whether talus was right.
  bool run(const series& of, const machine& limits, const peers_file& file, const outputs& files) const {
    std::printf("\n%c%s, %s, %s, %s\n", precision_of<T>, R::name,
                s_.uplo == talus::uplo::lower ? "lower" : "upper", of.title.c_str(),
                s_.where == backend::cuda ? "cuda" : "host");
    if (of.left_out > 0)
      std::printf("%lld of the tree's fronts are larger than --max and are left out.\n",
                  static_cast<long long>(of.left_out));
    const std::vector<std::string> names = names_asked();
    const bench::table table(of.label, columns(names, file));
    std::printf("%s\n", table.head().c_str());
    bool right = true;
    std::vector<std::vector<row>> all;
    for (const batch_to_measure& b : of.batches) {
      progress_line at_work(of.label + " = " + b.label);
      outcome result = measure_batch(b, names, limits, [&](const std::string& w) { at_work.show(w); });
      add_from_file(result.rows, file, b.n);
      at_work.clear();
      if (!result.rows.empty()) std::printf("%s\n", table.line(b.label, result.rows).c_str());
      for (const std::string& warning : result.warnings)
        std::printf("%16s ^ %s\n", result.talus_is_right ? "" : "*** WRONG ***", warning.c_str());
      std::fflush(stdout);
      files.add(result.rows);
      right = right && result.talus_is_right;
      all.push_back(std::move(result.rows));
    }
    if (!of.sum_label.empty()) {
      std::vector<row> sums = sum_of(all);
      for (row& r : sums) r.regime = of.sum_label;
      if (!sums.empty()) std::printf("%s\n", table.line("all", sums).c_str());
      files.add(sums);
    }
    const std::string words = table.summary(all);
    if (!words.empty()) std::printf("\n%s", words.c_str());
    return right;
  }

 private:
  int nrhs() const { return R::has_B ? s_.nrhs : 0; }

  std::vector<std::string> names_asked() const {
    const auto& compare = !s_.figure                  ? options_.compare
                          : s_.where == backend::host ? s_.figure->on_host
                                                      : s_.figure->on_cuda;
    return names_to_run(compare, {R::name, R::mixed_sizes, has_tables<R>, find_peer<R>}, s_.where, nrhs());
  }

  std::vector<column> columns(const std::vector<std::string>& names, const peers_file& file) const {
    std::vector<column> all;
    if (shows_kernels(s_)) {
      for (const auto& one : figure_ways<problem>(s_.figure->number)) {
        if (all.empty() || all.back().library != one.name) all.push_back({one.name, one.name});
      }
    }
    for (const std::string& name : names) all.push_back({name, name});
    if (!file.times.empty() && std::find(names.begin(), names.end(), "magma") == names.end())
      all.push_back({"magma", "magma (file)"});
    return all;
  }

  std::unique_ptr<problem> make_problem(const batch_to_measure& b) const {
    if constexpr (R::mixed_sizes) {
      return allocate_variable_problem<T>(s_.uplo, s_.where, b.sizes);
    } else {
      return allocate_problem<T>(s_.uplo, s_.where, b.n, nrhs(), b.count);
    }
  }

  /// The ways asked for on one problem, talus first.
  ways_of<R> ways_on(const problem& p, const std::vector<std::string>& names, const queue& q) const {
    ways_of<R> peers, chosen;
    // A figure's ways on the host are the others' alone.
    if (!s_.figure || p.where == backend::cuda) chosen.push_back(talus_way<R>(s_, q));
    if (shows_kernels(s_)) {
      for (const auto& one : figure_ways<problem>(s_.figure->number)) chosen.push_back(one);
      return chosen;
    }
    const auto add = [&](const ways_of<R>& some) { peers.insert(peers.end(), some.begin(), some.end()); };
    if (p.where == backend::host) {
      add(host_copies<problem>({R::writes_A, R::has_B}));
      add(host_peers<R>());
    }
#ifdef TALUS_WITH_CUDA
    if (p.where == backend::cuda) {
      add(cuda_copies(p, {R::writes_A, R::has_B}));
      add(cuda_peers<R>(nrhs()));
      if constexpr (has_tables<R>) {
        peers.push_back(generic_way<R>(q));
        if constexpr (R::mixed_sizes) peers.push_back(classes_way<R>(p, s_.table));
      }
    }
#endif
    if constexpr (R::mixed_sizes) {
      add_padding<R>(peers);
      if (std::find(names.begin(), names.end(), "groups") != names.end()) peers.push_back(size_groups<R>(p));
    }
    for (const std::string& name : names) {
      for (const auto& one : peers) {
        if (one.name == name) chosen.push_back(one);
      }
    }
    return chosen;
  }

  /// The lines of the table that serve the problem, in words.
  std::string lines(const problem& p) const {
    if constexpr (has_tables<R>) {
      if (p.where == backend::cuda) return text_of_lines<R>(s_, p);
    }
    return "";
  }

  outcome measure_batch(const batch_to_measure& b, const std::vector<std::string>& names,
                        const machine& limits, const progress& show) const {
    outcome result;
    show("allocating");
    const std::unique_ptr<problem> p = make_problem(b);
    const std::string bad_start = make_start<R>(*p);
    if (!bad_start.empty()) {
      result.warnings.push_back(bad_start);
      result.talus_is_right = false;
    }
    const queue_with_scratch q(p->where, R::work_bytes(*p));
    const ways_of<R> ways = ways_on(*p, names, q);
    const result_check<R> check(*p);
    const auto times = measure_in_turn(
        *p, ways, p->n, s_.repeats,
        [&](const way<problem>& who) {
          return who.is_copy() ? check.complaint_of_copy() : check.complaint(who.writes_info);
        },
        result, show);

    const std::string shortage =
        b.count > p->batch ? formatted("memory for %lld of %lld matrices", static_cast<long long>(p->batch),
                                       static_cast<long long>(b.count))
                           : "";
    const work_done done = {bytes_of<R>(*p), flops_of<R>(*p)};
    for (const contender<problem>& c : times.contenders) {
      row r = timed_row<T>(c.who->name, c.who->is_copy(), c.seconds, done, limits);
      r.routine = R::name;
      r.precision = std::string(1, precision_of<T>);
      r.regime = b.regime;
      r.m = r.n = b.n;
      r.batch = p->batch;
      r.note = joined({c.wrong ? wrong_result : "", c.who->name == "talus" ? lines(*p) : c.who->variant,
                       s_.uplo == talus::uplo::upper ? "upper" : "",
                       R::has_B ? "nrhs=" + std::to_string(nrhs()) : "", shortage,
                       is_cached(*p, times.runs) ? "in cache" : ""});
      keep_fastest(result.rows, r);
    }
    if (!shortage.empty()) result.warnings.push_back(shortage);
    return result;
  }

  const options& options_;
  const settings& s_;
};

}  // namespace

int run_routine(const options& o, const std::string& command) {
  settings s = settings_of(o);
  if (s.where == backend::cuda && !cuda::device_is_usable()) {
    std::fprintf(stderr, "--backend cuda: %s\n", strerror(err_no_cuda));
    return no_backend;
  }
  const auto with_measured = [&](const settings& here, const std::string& precision, auto work) {
    with_routine(o.routine, [&](auto r) {
      with_type(precision, [&](auto zero) {
        work(measured<typename decltype(r)::template of<decltype(zero)>>(o, here));
      });
    });
  };
  for (const std::string& precision : o.precisions)
    with_measured(s, precision, [&](const auto& one) { one.choose_line(s); });
  outputs files;
  const machine limits = begin(o, s.where, command, files);
  const peers_file file = find_peers(o, s.where, limits);

  bool right = true;
  const auto run_on = [&](backend where, const machine& here, const std::string& precision) {
    settings part = s;
    part.where = where;
    with_measured(part, precision, [&](const auto& one) {
      for (const series& of : one.batches())
        right = one.run(of, here, s.figure && where == backend::host ? peers_file{} : file, files) && right;
    });
  };
  std::unique_ptr<machine> host;
  for (const std::string& precision : o.precisions) {
    run_on(s.where, limits, precision);
    if (!s.figure || s.figure->on_host.empty() || s.where == backend::host) continue;
    if (!host) host = std::make_unique<machine>(machine::measure(backend::host));
    run_on(backend::host, *host, precision);
  }
  std::printf("\n%s", table::legend());
  if (right) return fine;
  std::fprintf(stderr, "\n*** Talus failed or gave a WRONG result, see above. ***\n");
  return wrong;
}

}  // namespace talus::bench
