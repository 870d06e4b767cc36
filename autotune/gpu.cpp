#include "gpu.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "backends.hpp"
#include "measure/plan.hpp"
#include "measure/priced_routines.hpp"
#include "space.hpp"
#include "words.hpp"

#ifdef TALUS_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace talus::tune {

gpu_here current_gpu() {
  gpu_here gpu;
#ifdef TALUS_WITH_CUDA
  if (!cuda::device_is_usable()) return gpu;
  int device = 0, clock = 0, memory_clock = 0;
  cudaDeviceProp properties;
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
    return gpu;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, device);
  gpu.present = true;
  gpu.name = properties.name;
  gpu.memory = static_cast<double>(properties.totalGlobalMem);
  gpu.capability = 10 * properties.major + properties.minor;
  gpu.clocks = "at most " + std::to_string(clock / 1000) + " MHz, memory " +
               std::to_string(memory_clock / 1000) + " MHz";
#endif
  return gpu;
}

namespace {

/// Number of the compiled line of a kernel, and where matrices differ in size, of this bound; -1: this build
/// has none. A line that covers `extents` comes first, because some kernels are compiled for the bounds of
/// their line.
int compiled_line(const routine& of, char precision, const kernel& how, int n_max,
                  const std::vector<int>& extents = {}) {
  const auto as_compiled = [&](kernel k) {
    if (of.mixed_sizes) return as_class(k);
    k.schedule.clear();
    return k;
  };
  const kernel wanted = as_compiled(how);
  int number = 0, found = -1;
  for (const table& t : of.compiled(precision)) {
    for (const table_line& line : t.lines) {
      if (as_compiled(line.how) == wanted && (!of.mixed_sizes || line.n_max() == n_max)) {
        if (extents.empty() || line.holds(extents)) return number;
        if (found < 0) found = number;
      }
      ++number;
    }
  }
  return found;
}

}  // namespace

void require_kernels(const routine& of, const table& wanted) {
  std::set<std::string> missing;
  for (const table_line& line : wanted.lines) {
    if (compiled_line(of, line.precision, line.how, line.n_max()) < 0)
      missing.insert(std::string(1, line.precision) + ": " + describe(line.how) +
                     (of.mixed_sizes ? " up to " + text_of_n(line.n_max()) : ""));
  }
  if (missing.empty()) return;
  throw std::runtime_error("this build lacks " + std::to_string(missing.size()) +
                           " kernels of the search space, such as " + *missing.begin() +
                           ": './run tune' builds them all (or: talus-tune --candidates DIR, then cmake "
                           "-DTALUS_TABLES=DIR)");
}

#ifdef TALUS_WITH_CUDA
namespace {

/// work(description) of a routine with tables in a precision.
template <bool MIXED, class Work>
void with_description(const routine& of, char precision, Work work) {
  const auto visit = [&](auto r) {
    using routine_type = decltype(r);
    if constexpr (routine_type::has_tables && routine_type::mixed_sizes == MIXED) {
      if (of.name != routine_type::name) return;
      with_type(precision, [&](auto zero) {
        using description = typename routine_type::template of<decltype(zero)>;
        work(static_cast<description*>(nullptr));
      });
    }
  };
  measure::for_each_routine(visit);
  measure::for_each_priced_routine(visit);
}

/// True if a description has a residual, which the check of results needs.
template <class Description, class = void>
constexpr bool is_checked = false;
template <class Description>
constexpr bool is_checked<Description, std::void_t<decltype(&Description::residual)>> = true;

/// The matrices of a point, on which runs are checked, and timed in turn with those of a reference.
template <class Description>
class timed_problem {
 public:
  using problem = typename Description::problem;

  explicit timed_problem(std::unique_ptr<problem> p) : p_(std::move(p)), watch_(backend::cuda) {}

  problem* operator->() const { return p_.get(); }
  problem& operator*() const { return *p_; }

  /// One run on fresh matrices; what is wrong with its result.
  template <class Run>
  std::string complaint_of(Run run) {
    p_->restore(0);
    measure::fill_bytes(backend::cuda, p_->info(), 0xff, static_cast<std::size_t>(p_->batch) * sizeof(int));
    run(0);
    if constexpr (is_checked<Description>) {
      if (!check_) check_.emplace(*p_);
      return check_->complaint(true);
    } else {
      throw std::logic_error("results of this routine are not checked");
    }
  }

  /// One run on fresh matrices. Not under the stopwatch, which must not wait while a kernel's code is loaded.
  template <class Run>
  void run_once(Run run) {
    p_->restore(0);
    run(0);
    measure::finish(backend::cuda);
  }

  /// How long the reference takes decides how often runs are repeated, and compared at most; its first one
  /// loads code.
  template <class Run>
  void settle(Run reference, int most_pairs) {
    reference(0);
    double seconds = 1;
    for (int i = 0; i < 3; ++i) seconds = std::min(seconds, std::max(seconds_of(reference), 1e-9));
    back_to_back_ = measure::runs_of(*p_, seconds);
    pairs_ = std::max(1, most_pairs - (seconds > 10e-3 ? 3 : seconds > 4e-3 ? 2 : 0));
  }

  template <class Run>
  double seconds_of(Run run) {
    return measure::seconds_per_run(*p_, watch_, back_to_back_, run);
  }

  /// The reference goes first every other time.
  template <class Run, class Reference>
  void measure(Run run, Reference reference, measurement& m) {
    std::vector<double> mine, its;
    for (int pair = 0; pair < pairs_; ++pair) {
      if (pair % 2 == 0) its.push_back(seconds_of(reference));
      mine.push_back(seconds_of(run));
      if (pair % 2 == 1) its.push_back(seconds_of(reference));
    }
    m.take_times(mine, its);
  }

 private:
  std::unique_ptr<problem> p_;
  using checked = std::conditional_t<is_checked<Description>, Description, measure::potrf<double>>;
  std::optional<measure::result_check<checked>> check_;  // takes seconds to make for large matrices
  measure::stopwatch watch_;
  int back_to_back_ = 1, pairs_ = 1;
};

// ---- equal sizes ---------------------------------------------------------------------------------

template <class Description>
class gpu_point : public measuring_point {
 public:
  using scalar = typename Description::scalar;

  gpu_point(const named_point& at, const point_options& how)
      : checks_results_(how.checks_results),
        sizes_(sizes_at(routine_named(Description::name), at.n, at.of)),
        p_(measure::make_problem<Description>(uplo::lower, backend::cuda, sizes_, at.batch)) {
    p_.settle(run(at.reference), how.most_pairs);
  }

  std::int64_t batch() const override { return p_->batch; }

  /// Faults show when the next call waits for the kernel, so all of it may throw.
  verdict check(const kernel& k) override {
    try {
      if (!checks_results_) {
        p_.run_once(run(k));
        return {};
      }
      const std::string wrong = p_.complaint_of(run(k));
      if (!wrong.empty()) return {outcome::wrong, "is wrong: " + wrong};
    } catch (const std::exception& e) {
      return {outcome::failed, std::string("failed: ") + e.what()};
    }
    return {};
  }
  double probe(const kernel& k) override { return p_.seconds_of(run(k)); }
  void measure(const kernel& k, const kernel& reference, measurement& m) override {
    p_.measure(run(k), run(reference), m);
  }

 private:
  /// A run on a copy of the matrices. The line is looked up once, not in each run that is timed.
  auto run(const kernel& k) {
    const routine& of = routine_named(Description::name);
    const int line = compiled_line(of, precision_of<scalar>, k, p_->n,
                                   of.extents_of(sizes_.m, sizes_.n, sizes_.k, sizes_.nrhs));
    if (line < 0) throw std::runtime_error("this build has no " + describe(k));
    return [this, line](int copy) {
      measure::require_success(Description::run_line(line, p_->operands(copy), queue::cuda()));
    };
  }

  const bool checks_results_;
  const measure::sizes sizes_;
  timed_problem<Description> p_;
};

// ---- different sizes -----------------------------------------------------------------------------

template <class Description>
cuda::class_lines compiled_classes(const size_classes& by) {
  const routine& of = routine_named(Description::name);
  cuda::class_lines lines;
  for (const size_class& c : by) {
    const int line = compiled_line(of, precision_of<typename Description::scalar>, c.how, c.n_max);
    if (line < 0 || lines.count == cuda::most_classes)
      throw std::runtime_error("this build has no " + describe(c.how) + " up to " + text_of_n(c.n_max));
    lines.line[static_cast<std::size_t>(lines.count++)] = line;
  }
  if (!by.empty()) lines.how = schedule_named(by.front().how.schedule).value_or(cuda::schedule::queued);
  return lines;
}

/// The matrices of calls that differ in their classes only.
template <class Description>
class uniform_calls {
 public:
  explicit uniform_calls(const class_call& first)
      : p_(measure::make_problem<Description>(
            uplo::lower, backend::cuda,
            measure::squares(
                measure::random_sizes(measure::distribution::kind::uniform, first.n_max, first.batch, 1)))),
        queue_(backend::cuda, Description::work_bytes(*p_)) {
    if (first.batch > p_->batch)
      throw std::runtime_error(
          "there is memory for " + std::to_string(p_->batch) + " of " + std::to_string(first.batch) +
          " matrices to n = " + std::to_string(first.n_max) + ": --sizes and --regime ask for less");
  }

  measurement measure(const class_call& call, const size_classes& reference) {
    measurement m = measurement_of(call);
    if (!is_settled_) {  // throws where the reference fails
      const std::string wrong = p_.complaint_of(run(reference));
      if (!wrong.empty()) throw std::runtime_error("the generic table's classes: " + wrong);
      p_.settle(run(reference), 5);
      is_settled_ = true;
    }
    try {
      m.why = p_.complaint_of(run(call.by));
      m.result = m.why.empty() ? outcome::ok : outcome::wrong;
      if (m.why.empty()) p_.measure(run(call.by), run(reference), m);
    } catch (const std::exception& e) {
      m.result = outcome::failed;
      m.why = e.what();
      is_settled_ = false;  // did it take the device with it? The next call asks the reference
    }
    return m;
  }

 private:
  auto run(const size_classes& by) {
    return [this, lines = compiled_classes<Description>(by)](int copy) {
      measure::require_success(Description::run_lines(lines, p_->operands(copy), queue_));
    };
  }

  timed_problem<Description> p_;
  measure::queue_with_scratch queue_;
  bool is_settled_ = false;
};

/// Sizes of a call that is priced. The first matrix is the largest, because few random sizes may all be
/// small.
std::vector<measure::sizes> priced_sizes(const routine& of, const class_price_call& call) {
  std::vector<int> orders =
      measure::random_sizes(measure::distribution::kind::uniform, call.n_max, call.batch, 1);
  orders.front() = call.n_max;
  std::vector<measure::sizes> all;
  for (const int n : orders) all.push_back(sizes_at(of, n, shape_at(call.as, n)));
  return all;
}

/// The matrices of a call that is priced.
template <class Description>
class priced_call {
 public:
  priced_call(const class_price_call& call, int most_pairs)
      : p_(measure::make_problem<Description>(uplo::lower, backend::cuda,
                                              priced_sizes(routine_named(Description::name), call))),
        queue_(backend::cuda, Description::work_bytes(*p_)) {
    if (call.batch > p_->batch)
      throw std::runtime_error("there is memory for " + std::to_string(p_->batch) + " of " +
                               std::to_string(call.batch) + " matrices to n = " + std::to_string(call.n_max));
    p_.run_once(run(call.table));
    p_.settle(run(call.table), most_pairs);
  }

  measurement measure(const class_price_call& call, const class_variant& variant) {
    constexpr double far_behind = 1.5;
    measurement m = measurement_of(call, variant);
    try {
      p_.run_once(run(variant));
      const double by_table = p_.seconds_of(run(call.table));
      double seconds = p_.seconds_of(run(variant));
      if (seconds > far_behind * by_table) seconds = std::min(seconds, p_.seconds_of(run(variant)));
      if (seconds > far_behind * by_table) {
        m.result = outcome::slow;
        m.take_times({seconds}, {by_table});
      } else {
        p_.measure(run(variant), run(call.table), m);
      }
    } catch (const std::exception& e) {
      m.result = outcome::failed;
      m.why = e.what();
      p_.run_once(run(call.table));  // throws if the failure took the device with it
    }
    return m;
  }

 private:
  auto run(const class_variant& by) {
    return [this, lines = by.by](int copy) {
      measure::require_success(Description::run_lines(lines, p_->operands(copy), queue_));
    };
  }

  timed_problem<Description> p_;
  measure::queue_with_scratch queue_;
};

}  // namespace

call_timer calls_on_gpu(const routine& of, int most_pairs) {
  struct state {
    measurement of;  // the call whose matrices are there
    call_timer measure;
  };
  const auto now = std::make_shared<state>();
  return [now, &of, most_pairs](const class_price_call& call, const class_variant& variant) {
    const measurement m = measurement_of(call, call.table);
    const bool is_there = now->measure && now->of.precision == m.precision && now->of.n == m.n &&
                          now->of.regime == m.regime && now->of.batch == m.batch;
    if (!is_there) {
      now->measure = nullptr;  // frees the matrices before others are made
      with_description<true>(of, call.precision, [&](auto* description) {
        const auto made =
            std::make_shared<priced_call<std::remove_pointer_t<decltype(description)>>>(call, most_pairs);
        now->measure = [made](const auto&... what) { return made->measure(what...); };
      });
      now->of = m;
    }
    return now->measure(call, variant);
  };
}

class_timer classes_on_gpu(const routine& of, const table& generic) {
  struct state {
    char precision = 0;
    std::int64_t batch = 0;
    std::map<int, std::function<measurement(const class_call&, const size_classes&)>> by_n_max;
  };
  const auto now = std::make_shared<state>();
  return [now, &of, generic](const class_call& call) {
    if (now->precision != call.precision || now->batch != call.batch) *now = {call.precision, call.batch, {}};
    auto& measure = now->by_n_max[call.n_max];
    if (!measure) {
      with_description<true>(of, call.precision, [&](auto* description) {
        const auto calls =
            std::make_shared<uniform_calls<std::remove_pointer_t<decltype(description)>>>(call);
        measure = [calls](const auto&... of_call) { return calls->measure(of_call...); };
      });
    }
    return measure(call, classes_by(generic, call.precision, call.n_max, call.batch));
  };
}

point_maker points_on_gpu(const routine& of, const point_options& how) {
  return [&of, how](const named_point& at) {
    std::unique_ptr<measuring_point> point;
    with_description<false>(of, at.precision, [&](auto* description) {
      point = std::make_unique<gpu_point<std::remove_pointer_t<decltype(description)>>>(at, how);
    });
    return point;
  };
}
#else
point_maker points_on_gpu(const routine&, const point_options&) {
  throw std::runtime_error("this build has no CUDA backend");
}
call_timer calls_on_gpu(const routine&, int) { throw std::runtime_error("this build has no CUDA backend"); }
class_timer classes_on_gpu(const routine&, const table&) {
  throw std::runtime_error("this build has no CUDA backend");
}
#endif

}  // namespace talus::tune
