#include "sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>
#include <stdexcept>

#include "backends.hpp"
#include "batched/potrf_table.hpp"
#include "measure.hpp"
#include "plan.hpp"
#include "verify.hpp"

namespace talus::tune {

#ifdef TALUS_WITH_CUDA
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Index of the compiled line that is this kernel; -1: there is none in this build.
template <class T>
int compiled_line(const kernel& k) {
  const auto& lines = cuda::potrf_lines<T>;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const cuda::potrf_line& l = lines[i];
    if (kernel{cuda::name_of(l.family), l.ib, l.nb, l.tbc, l.threads, l.rows} == k)
      return static_cast<int>(i);
  }
  return -1;
}

/// The matrices of one point, and what is measured on them.
template <class T>
class at_point {
 public:
  at_point(int n, std::int64_t batch)
      : p_(bench::detail::allocate_problem<T>(uplo::lower, backend::cuda, n, 0, batch)),
        watch_(backend::cuda) {
    for (const std::int64_t b : std::set<std::int64_t>{0, p_->batch - 1}) checks_.emplace_back(n, true, b);
  }

  std::int64_t batch() const { return p_->batch; }
  double slab_bytes() const { return static_cast<double>(p_->slab_bytes()); }

  /// The reference first: how long it takes decides how often runs are repeated.
  void set_reference(int line) {
    reference_ = line;
    const std::string wrong = complaint(line);
    if (!wrong.empty()) throw std::runtime_error("the generic table's kernel " + wrong);
    double seconds = 1;
    for (int i = 0; i < 3; ++i) seconds = std::min(seconds, std::max(seconds_of(line), 1e-9));
    back_to_back_ = static_cast<int>(std::clamp(std::ceil(bench::detail::shortest_seconds / seconds), 1.0,
                                                static_cast<double>(p_->copies)));
    pairs_ = seconds > 10e-3 ? 3 : seconds > 4e-3 ? 4 : 6;
  }

  /// Empty, or how a kernel fails or goes wrong; the run that tells also loads its code.
  std::string complaint(int line) {
    p_->restore(0);
    bench::fill_bytes(backend::cuda, p_->info(), 0xff, static_cast<std::size_t>(p_->batch) * sizeof(int));
    failed_ = false;
    try {
      run(line, 0);
    } catch (const std::exception& e) {
      failed_ = true;
      return std::string("failed: ") + e.what();
    }
    const std::vector<int> info = p_->download_info();
    for (std::size_t b = 0; b < info.size(); ++b) {
      if (info[b] != 0) return "gave info " + std::to_string(info[b]) + " for matrix " + std::to_string(b);
    }
    for (const bench::factor_check<T>& check : checks_) {
      const double ratio = check.ratio(*p_);
      if (!(ratio < bench::largest_ratio)) return "left a residual of " + std::to_string(ratio) + " n eps";
    }
    return "";
  }
  bool failed() const { return failed_; }

  /// One run, to see whether more are worth it.
  double probe(int line) { return seconds_of(line); }

  /// In turn with the reference, which goes first every other time.
  void measure(int line, measurement& m) {
    std::vector<double> mine, its;
    for (int pair = 0; pair < pairs_; ++pair) {
      if (pair % 2 == 0) its.push_back(seconds_of(reference_));
      mine.push_back(seconds_of(line));
      if (pair % 2 == 1) its.push_back(seconds_of(reference_));
    }
    const bench::statistics time = bench::statistics_of(mine);
    m.median_ms = time.median * 1e3;
    m.min_ms = time.min * 1e3;
    m.max_ms = time.max * 1e3;
    m.reference_ms = bench::statistics_of(its).median * 1e3;
  }

 private:
  void run(int line, int copy) {
    const int status = cuda::potrf_at(
        line, uplo::lower, strided_batch(p_->A(copy), p_->n, p_->n, p_->n, p_->stride_A(), p_->batch),
        p_->info(), queue::cuda());
    if (status != 0) throw std::runtime_error(strerror(status));
  }

  double seconds_of(int line) {
    for (int copy = 0; copy < back_to_back_; ++copy) p_->restore(copy);
    watch_.start();  // the restoring is still under way: the runs are queued before they can begin
    for (int copy = 0; copy < back_to_back_; ++copy) run(line, copy);
    return watch_.stop() / back_to_back_;
  }

  std::unique_ptr<bench::problem<T>> p_;
  bench::stopwatch watch_;
  std::vector<bench::factor_check<T>> checks_;
  int reference_ = 0, back_to_back_ = 1, pairs_ = 6;
  bool failed_ = false;
};

std::string formatted_seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%d:%02d", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
  return text;
}

struct sweeping {
  const sweep_plan& plan;
  const table& generic;
  double bandwidth;
  const std::function<void(const measurement&)>& add;
  const std::function<void(const std::string&)>& show;
  const std::function<void(const std::string&)>& say;
  const std::function<bool()>& stop;
  std::vector<measurement> all;  // known and new
  sweep_result result;
  double started = seconds_now();
  int new_points = 0;

  /// The measurements of one precision and regime at sizes that come before n in the plan's order: what
  /// prunes a point is then the same whether the sweep was interrupted or not.
  std::vector<measurement> before(char precision, const std::string& regime, const std::vector<int>& order,
                                  std::size_t at) const {
    const std::set<int> earlier(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(at));
    std::vector<measurement> some;
    for (const measurement& m : all) {
      if (m.precision == precision && m.regime == regime && earlier.count(m.n)) some.push_back(m);
    }
    return some;
  }

  template <class T>
  bool point(char precision, const std::string& regime, const std::vector<int>& order, std::size_t at) {
    const int n = order[at];
    const double matrix_bytes = static_cast<double>(sizeof(T)) * n * n;
    const bench::fill filling = bench::fill_of(backend::cuda, precision, 1, 0);
    constexpr double most_bytes = 2e9;  // of a batch given by number: more of them say nothing new
    const std::int64_t wanted = bench::parse_regime(regime).batch_count;
    const std::int64_t batch =
        wanted == 0 ? filling.batch_count(matrix_bytes)
                    : std::min(wanted, std::max<std::int64_t>(
                                           1, static_cast<std::int64_t>(most_bytes / matrix_bytes)));
    const table_line* const line = select(generic, precision, n, batch);
    if (!line) throw std::runtime_error("the generic table has no line for n = " + std::to_string(n));

    std::set<kernel> done;
    double best = 1, best_ms = 0;
    kernel best_kernel = line->how;
    const auto count = [&](const measurement& m) {
      done.insert(m.how);
      if (m.result != outcome::ok) return;
      if (best_ms == 0 || m.ratio() < best) {
        best = m.ratio();
        best_ms = m.median_ms;
        best_kernel = m.how;
      }
    };
    for (const measurement& m : all) {
      if (m.precision == precision && m.regime == regime && m.n == n) count(m);
    }

    const std::string where = std::string(1, precision) + ", n = " + std::to_string(n) + ", " + regime;
    std::unique_ptr<at_point<T>> here;
    const auto open = [&] {  // the matrices are only made where something is left to measure
      if (here) return;
      show(where + ": making " + std::to_string(batch) + " matrices");
      here = std::make_unique<at_point<T>>(n, batch);
      here->set_reference(compiled_line<T>(line->how));
    };
    const auto record = [&](measurement m) {
      m.precision = precision;
      m.regime = regime;
      m.n = n;
      m.batch = here->batch();
      add(m);
      all.push_back(m);
      count(m);
      if (m.result == outcome::failed || m.result == outcome::wrong)
        result.troubles.push_back(where + ": " + describe(m.how) + " " + m.why);
    };

    if (!done.count(line->how)) {  // by definition its ratio is 1
      open();
      measurement m;
      m.how = line->how;
      here->measure(compiled_line<T>(line->how), m);
      m.reference_ms = m.median_ms;
      record(m);
    }
    double reference_seconds = 0;
    for (const measurement& m : all) {
      if (m.precision == precision && m.regime == regime && m.n == n && m.how == line->how)
        reference_seconds = m.reference_ms * 1e-3;
    }
    const double moved = plan.of->bytes(precision, n) * static_cast<double>(batch);
    const bool beyond_cache = matrix_bytes * static_cast<double>(batch) >
                              4.0 * static_cast<double>(bench::last_level_cache(backend::cuda));
    const worth_measuring chosen =
        prune(*plan.of, plan.limits, line->how, precision, n, regime, before(precision, regime, order, at),
              beyond_cache ? moved / bandwidth / reference_seconds : 0);

    int slow = 0, troubled = 0, number = 0;
    const auto candidates_left = chosen.kernels.size();
    for (const kernel& k : chosen.kernels) {
      ++number;
      if (done.count(k)) continue;
      if (stop()) return false;
      open();
      char progress[64];
      std::snprintf(progress, sizeof progress, ", best %.2fx: ", 1 / best);
      show(where + ", candidate " + std::to_string(number) + " of " + std::to_string(candidates_left) +
           progress + describe(k));
      measurement m;
      m.how = k;
      m.reference_ms = reference_seconds * 1e3;
      const int index = compiled_line<T>(k);
      m.why = here->complaint(index);
      if (!m.why.empty()) {
        m.result = here->failed() ? outcome::failed : outcome::wrong;
        ++troubled;
      } else {
        constexpr double hopeless = 1.2;
        double first = here->probe(index);
        const double most = hopeless * best * reference_seconds;
        if (first > most) first = std::min(first, here->probe(index));  // one run may have been disturbed
        if (first > most) {
          m.result = outcome::slow;
          m.median_ms = m.min_ms = m.max_ms = first * 1e3;
          ++slow;
        } else {
          here->measure(index, m);
        }
      }
      record(m);
    }

    ++result.points;
    if (here) ++new_points;
    const double spent = seconds_now() - started;
    const double left = new_points > 0 ? spent / new_points * (result.of_points - result.points) : 0;
    char text[256];
    std::snprintf(
        text, sizeof text,
        "%4d/%d  %s left  %c n = %4d %-6s %8.1f GFLOP/s %5.2fx  %-52s %zu tried, %d slow%s", result.points,
        result.of_points, formatted_seconds(left).c_str(), precision, n, regime.c_str(),
        plan.of->flops(precision, n) * static_cast<double>(here ? here->batch() : batch) / best_ms * 1e-6,
        1 / best, describe(best_kernel).c_str(), chosen.kernels.size() + 1, slow,
        troubled > 0 ? (", " + std::to_string(troubled) + " FAILED").c_str() : "");
    say(text);
    return true;
  }

  template <class T>
  void precision(char precision) {
    std::vector<std::string> missing;
    const auto look_for = [&](const kernel& k) {
      if (compiled_line<T>(k) < 0) missing.push_back(describe(k));
    };
    for (const int n : plan.sizes) {
      for (const kernel& k : candidates(*plan.of, precision, n, plan.limits)) look_for(k);
    }
    for (const table_line& line : generic.lines) {
      if (line.precision == precision) look_for(line.how);
    }
    if (!missing.empty())
      throw std::runtime_error("this build lacks kernels of the search space, such as " + missing.front() +
                               " in precision " + precision +
                               ": './run tune' builds them all (or: talus-tune --candidates DIR, then cmake "
                               "-DTALUS_TABLES=DIR)");
    const std::vector<int> order = coarse_to_fine(plan.sizes);
    for (std::size_t at = 0; at < order.size(); ++at) {
      for (const std::string& regime : plan.regimes) {
        // Each precision gets its share, so that none is left without measurements.
        const double share = static_cast<double>(plan.precisions.find(precision) + 1) /
                             static_cast<double>(plan.precisions.size());
        if (plan.budget_seconds > 0 && seconds_now() - started > share * plan.budget_seconds) {
          result.out_of_budget = true;
          return;
        }
        if (stop() || !point<T>(precision, regime, order, at)) {
          result.interrupted = true;
          return;
        }
      }
    }
  }
};

}  // namespace

sweep_result sweep(const sweep_plan& plan, const table& generic, const std::vector<measurement>& known,
                   double bandwidth, const std::function<void(const measurement&)>& add,
                   const std::function<void(const std::string&)>& show,
                   const std::function<void(const std::string&)>& say, const std::function<bool()>& stop) {
  sweeping s{plan, generic, bandwidth, add, show, say, stop, known, {}};
  s.result.of_points = static_cast<int>(plan.sizes.size() * plan.regimes.size() * plan.precisions.size());
  for (const char precision : plan.precisions) {
    if (s.result.interrupted) break;
#ifdef TALUS_HAVE_S
    if (precision == 's') s.precision<float>('s');
#endif
#ifdef TALUS_HAVE_D
    if (precision == 'd') s.precision<double>('d');
#endif
#ifdef TALUS_HAVE_C
    if (precision == 'c') s.precision<std::complex<float>>('c');
#endif
#ifdef TALUS_HAVE_Z
    if (precision == 'z') s.precision<std::complex<double>>('z');
#endif
  }
  return s.result;
}
#else
sweep_result sweep(const sweep_plan&, const table&, const std::vector<measurement>&, double,
                   const std::function<void(const measurement&)>&,
                   const std::function<void(const std::string&)>&,
                   const std::function<void(const std::string&)>&, const std::function<bool()>&) {
  throw std::runtime_error("this build has no CUDA backend");
}
#endif

}  // namespace talus::tune
