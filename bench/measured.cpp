// Measures a routine in the precision TALUS_T, whichever routine it is: its description says how.
#include "measured.hpp"

#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "backends.hpp"
#include "batches.hpp"
#include "figures/figures.hpp"
#include "in_turn.hpp"
#include "own.hpp"
#include "peers_host.hpp"
#ifdef TALUS_WITH_CUDA
#include "peers_cuda.hpp"
#endif

namespace talus::bench {
namespace {

/// MAGMA's time from a file, which may call the routine by its short name, as a row beside the measured ones,
/// if it has one for this batch and none was measured. Its batch may have had other random sizes of the same
/// distribution, so its rate is what compares.
void add_from_file(std::vector<row>& rows, const peer_times& times, const char* short_name) {
  const auto is_magma = [](const row& r) { return r.library == "magma"; };
  if (rows.empty() || std::any_of(rows.begin(), rows.end(), is_magma)) return;
  const row like = rows.front();
  if (like.m != like.n) return;
  const auto find = [&](const std::string& routine) {
    return find_peer_time(times, "magma", routine, like.precision, like.regime, like.n, like.batch);
  };
  const peer_time* time = find(like.routine);
  if (!time && short_name) time = find(short_name);
  if (!time) return;
  row r = like;
  r.library = "magma";
  r.median_ms = r.min_ms = r.max_ms = time->median_ms;
  r.gflops = time->gflops;
  r.roofline_fraction = like.gflops > 0 ? like.roofline_fraction * time->gflops / like.gflops : 0;
  r.note = "from " + time->file + ", measured elsewhere on an H200";
  rows.push_back(r);
}

/// Whether the kernels of a figure take the place of the libraries.
bool shows_kernels(const options& o) { return o.figure && o.figure->has_kernels && o.where == backend::cuda; }

/// On a terminal, what is being done stands in the line where the result will.
struct progress_line {
  std::string name;

  void show(const std::string& words) const {
    if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s: %s ...", name.c_str(), words.c_str());
  }
  ~progress_line() {
    if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K");
  }
};

/// Of several rows under one name the fastest stays.
void keep_fastest(std::vector<row>& rows, const row& r) {
  for (row& other : rows) {
    if (other.library != r.library) continue;
    if (r.median_ms < other.median_ms) other = r;
    return;
  }
  rows.push_back(r);
}

/// A routine in one precision. R: its description.
template <class R>
class measured_routine : public measurement {
 public:
  using problem = typename R::problem;
  using T = typename problem::scalar;

  explicit measured_routine(const options& o) : o_(o) {}

  void check() const override {
    if constexpr (R::is_square && !R::mixed_sizes) {
      for (const sizes& s : o_.sizes.empty() ? std::vector<sizes>() : parse_shapes(o_.sizes)) {
        if (s.m != s.n)
          throw usage_error("--sizes: " + text_of(s) + ": the matrices of " + R::name + " are square");
      }
    }
    if (!is_triangle<R> && o_.given.count("--uplo") != 0)
      throw usage_error("--uplo: " + o_.uplo + ", but " + R::name + " takes whole matrices, no triangle");
    if (o_.forces_line() && (o_.where != backend::cuda || !has_tables<R>))
      throw usage_error((o_.line >= 0 ? "--line: " + std::to_string(o_.line) + " names a kernel"
                                      : "--table: '" + o_.table + "' holds kernels") +
                        " of " + R::name + " on cuda; " +
                        (has_tables<R> ? "this backend" : std::string(R::name)) + " has no table");
#ifdef TALUS_WITH_CUDA
    if constexpr (has_tables<R>) {
      if (o_.where != backend::cuda) return;
      std::vector<sizes> all;
      for (const series& one : batches()) {
        for (const batch_to_measure& b : one.batches) all.push_back(b.largest);
      }
      check_line<R>(o_, all);
    }
#endif
  }

  bool run(const machine& limits, const peer_times& known, results& files) const override {
    bool right = true;
    for (const series& of : batches()) right = run(of, limits, known, files) && right;
    return right;
  }

 private:
  bool run(const series& of, const machine& limits, const peer_times& known, results& files) const {
    const char* const triangle = !is_triangle<R> ? "" : o_.is_lower() ? "lower, " : "upper, ";
    std::printf("\n%c%s, %s%s, %s\n", precision_of<T>, R::name, triangle, of.title.c_str(),
                o_.where == backend::cuda ? "cuda" : "host");
    if (of.left_out > 0)
      std::printf("%lld of the tree's fronts are larger than --max and are left out.\n",
                  static_cast<long long>(of.left_out));
    const std::vector<std::string> names = names_to_run(
        o_, {R::name, R::mixed_sizes, has_one_size<R>, is_triangle<R>, has_tables<R>, find_peer<R>},
        columns_of_B<R>(0, o_.nrhs));
    const bench::table table(of.label, columns(names, known));
    std::printf("%s\n", table.head().c_str());
    bool right = true;
    std::vector<std::vector<row>> measured_here, all;
    for (const batch_to_measure& b : of.batches) {
      outcome result = measure_batch(b, names, limits, of.label + " = " + b.label);
      measured_here.push_back(result.rows);
      add_from_file(result.rows, known, R::short_name);
      if (!result.rows.empty()) std::printf("%s\n", table.line(b.label, result.rows).c_str());
      for (const std::string& warning : result.warnings)
        std::printf("%16s ^ %s\n", result.talus_is_right ? "" : "*** WRONG ***", warning.c_str());
      std::fflush(stdout);
      files.add(result.rows);
      right = right && result.talus_is_right;
      all.push_back(std::move(result.rows));
    }
    if (!of.sum_label.empty()) {
      std::vector<row> sums = sum_of(measured_here);
      for (row& r : sums) r.regime = of.sum_label;
      add_from_file(sums, known, R::short_name);
      if (!sums.empty()) std::printf("%s\n", table.line("all", sums).c_str());
      files.add(sums);
    }
    const std::string words = table.summary(all);
    if (!words.empty()) std::printf("\n%s", words.c_str());
    return right;
  }

  std::vector<series> batches() const {
    if constexpr (R::mixed_sizes) {
      return series_of_mixed<R>(o_);
    } else {
      return series_of_equal<R>(o_);
    }
  }

  std::vector<column> columns(const std::vector<std::string>& names, const peer_times& known) const {
    std::vector<column> all;
    if (shows_kernels(o_)) {
      for (const auto& one : figure_ways<problem>(o_.figure->number)) {
        if (all.empty() || all.back().library != one.name) all.push_back({one.name, one.name});
      }
    }
    for (const std::string& name : names) all.push_back({name, name});
    if (!known.empty() && std::find(names.begin(), names.end(), "magma") == names.end())
      all.push_back({"magma", "magma (file)"});
    return all;
  }

  std::unique_ptr<problem> problem_of(const batch_to_measure& b) const {
    const talus::uplo uplo = o_.is_lower() ? talus::uplo::lower : talus::uplo::upper;
    if constexpr (R::mixed_sizes) {
      return make_problem<R>(uplo, o_.where, b.each);
    } else {
      return make_problem<R>(uplo, o_.where, b.largest, b.count);
    }
  }

  /// The ways asked for on one problem, talus first.
  ways_of<R> ways_on(const problem& p, const std::vector<std::string>& names, const queue& q) const {
    ways_of<R> peers, chosen;
    // A figure's ways on the host are the others' alone.
    if (!o_.figure || p.where == backend::cuda) chosen.push_back(talus_way<R>(o_, q));
    if (shows_kernels(o_)) {
      for (const auto& one : figure_ways<problem>(o_.figure->number)) chosen.push_back(one);
      return chosen;
    }
    const auto add = [&](const ways_of<R>& some) { peers.insert(peers.end(), some.begin(), some.end()); };
    if (p.where == backend::host) {
      add(host_copies(p, traffic_of<R>));
      add(host_peers<R>());
    }
#ifdef TALUS_WITH_CUDA
    if (p.where == backend::cuda) {
      add(cuda_copies(p, traffic_of<R>));
      add(cuda_peers<R>(p));
      if constexpr (has_tables<R>) {
        // In the place of a peer: what a GPU's own table gains over the generic one.
        peers.push_back(own_way<R>("generic", [q](const typename R::operands& x) {
          return R::run_table(static_cast<int>(R::tables::gpus.size()) - 1, x, q);
        }));
        if constexpr (has_one_size<R>) peers.push_back(classes_way<R>(o_, p));
      }
    }
#endif
    if constexpr (has_one_size<R>) {
      if constexpr (is_triangle<R>) add_padding<R>(peers);
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
  std::string lines([[maybe_unused]] const problem& p) const {
#ifdef TALUS_WITH_CUDA
    if constexpr (has_tables<R>) {
      if (p.where == backend::cuda) return text_of_lines<R>(o_, p);
    }
#endif
    return "";
  }

  outcome measure_batch(const batch_to_measure& b, const std::vector<std::string>& names,
                        const machine& limits, const std::string& label) const {
    outcome result;
    const progress_line at_work{label};
    at_work.show("allocating");
    const std::unique_ptr<problem> p = problem_of(b);
    const std::string bad_start = make_start<R>(*p);
    if (!bad_start.empty()) {
      result.warnings.push_back(bad_start);
      result.talus_is_right = false;
    }
    const queue_with_scratch q(p->where, R::work_bytes(*p));
    const ways_of<R> ways = ways_on(*p, names, q);
    const result_check<R> check(*p);
    const auto times = measure_in_turn(
        *p, ways, o_.repeats,
        [&](const way<problem>& who) {
          return who.is_copy() ? check.complaint_of_copy() : check.complaint(who.writes_info);
        },
        result, [&](const std::string& words) { at_work.show(words); });

    const std::string shortage =
        b.count > p->batch ? formatted("memory for %lld of %lld matrices", static_cast<long long>(p->batch),
                                       static_cast<long long>(b.count))
                           : "";
    const double slabs = static_cast<double>(p->slab_bytes()) * times.runs;
    const bool is_cached = slabs < 2.0 * static_cast<double>(last_level_cache(p->where));
    for (const contender<problem>& c : times.contenders) {
      const double flops = c.who->is_copy() ? 0 : flops_of<R>(*p);
      const statistics time = statistics_of(c.seconds);
      const std::string note =
          joined({c.wrong ? wrong_result : "", c.who->name == "talus" ? lines(*p) : c.who->variant,
                  is_triangle<R> && !o_.is_lower() ? "upper" : "",
                  R::has_B && !R::B_like_A ? "nrhs=" + std::to_string(p->nrhs) : "", shortage,
                  is_cached ? "in cache" : ""});
      keep_fastest(result.rows,
                   {c.who->name, R::name, std::string(1, precision_of<T>), b.regime, b.largest.m, b.largest.n,
                    p->batch, time.median * 1e3, time.min * 1e3, time.max * 1e3, flops / time.median * 1e-9,
                    limits.floor_seconds<T>(bytes_of<R>(*p), flops) / time.median, note});
    }
    if (!shortage.empty()) result.warnings.push_back(shortage);
    return result;
  }

  const options& o_;
};

}  // namespace

template <>
std::unique_ptr<measurement> measurement_of<TALUS_T>(const options& o) {
  std::unique_ptr<measurement> found;
  with_routine(o.routine, [&](auto r) {
    found = std::make_unique<measured_routine<typename decltype(r)::template of<TALUS_T>>>(o);
  });
  return found;
}

}  // namespace talus::bench
