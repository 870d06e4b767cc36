#include "gpu.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "backends.hpp"
#include "space.hpp"
#include "words.hpp"

#ifdef TALUS_WITH_CUDA
#include <cuda_runtime_api.h>

#include "batched/posv_table.hpp"
#include "batched/potrf_table.hpp"
#include "measure.hpp"
#include "plan.hpp"
#include "sizes.hpp"
#include "variable.hpp"
#include "vbatched/potrf_table.hpp"
#include "verify.hpp"
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

#ifdef TALUS_WITH_CUDA
namespace {

/// Index of the compiled line that is this kernel; -1: there is none in this build.
template <class T>
int compiled_line(const routine& of, const kernel& k) {
  const auto number_in = [&](const auto& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (kernel_of(lines[i]) == k) return static_cast<int>(i);
    }
    return -1;
  };
  return of.nrhs > 0 ? number_in(cuda::posv_tables::lines<T>) : number_in(cuda::potrf_tables::lines<T>);
}

template <class T>
class gpu_point : public measuring_point {
 public:
  gpu_point(const routine& of, int n, std::int64_t batch, const kernel& reference)
      : of_(of),
        p_(bench::allocate_problem<T>(uplo::lower, backend::cuda, n, of.nrhs, batch)),
        watch_(backend::cuda) {
    for (const std::int64_t b : std::set<std::int64_t>{0, p_->batch - 1}) checks_.emplace_back(n, true, b);

    // How long the reference takes decides how often runs are repeated; its first one loads code.
    run(reference, 0);
    double seconds = 1;
    for (int i = 0; i < 3; ++i) seconds = std::min(seconds, std::max(probe(reference), 1e-9));
    back_to_back_ = bench::runs_of(*p_, seconds);
    pairs_ = seconds > 10e-3 ? 3 : seconds > 4e-3 ? 4 : 6;
  }

  std::int64_t batch() const override { return p_->batch; }

  /// Faults show when the next call waits for the kernel, so all of it may throw.
  verdict check(const kernel& k) override {
    try {
      p_->restore(0);
      bench::fill_bytes(backend::cuda, p_->info(), 0xff, static_cast<std::size_t>(p_->batch) * sizeof(int));
      run(k, 0);
      const std::vector<int> info = p_->download_info();
      for (std::size_t b = 0; b < info.size(); ++b) {
        if (info[b] != 0)
          return {outcome::wrong,
                  "gave info " + std::to_string(info[b]) + " for matrix " + std::to_string(b)};
      }
      for (const bench::factor_check<T>& one : checks_) {
        double ratio = one.ratio(*p_);
        if (of_.nrhs > 0) ratio = std::max(ratio, bench::residual_ratio(*p_, of_.name, one.matrix()));
        if (!(ratio < bench::largest_ratio))
          return {outcome::wrong, "left a residual of " + std::to_string(ratio) + " n eps"};
      }
    } catch (const std::exception& e) {
      return {outcome::failed, std::string("failed: ") + e.what()};
    }
    return {};
  }

  double probe(const kernel& k) override {
    return bench::seconds_per_run(*p_, watch_, back_to_back_, [&](int copy) { run(k, copy); });
  }

  /// The reference goes first every other time.
  void measure(const kernel& k, const kernel& reference, measurement& m) override {
    std::vector<double> mine, its;
    for (int pair = 0; pair < pairs_; ++pair) {
      if (pair % 2 == 0) its.push_back(probe(reference));
      mine.push_back(probe(k));
      if (pair % 2 == 1) its.push_back(probe(reference));
    }
    m.take_times(mine, its);
  }

 private:
  void run(const kernel& k, int copy) {
    if (k != last_) {  // looked up once, not in each of the runs that are timed together
      line_ = compiled_line<T>(of_, k);
      last_ = k;
    }
    if (line_ < 0) throw std::runtime_error("this build has no " + describe(k));
    const int n = p_->n;
    const auto A = strided_batch(p_->A(copy), n, n, n, p_->stride_A(), p_->batch);
    const int status =
        of_.nrhs > 0 ? cuda::posv_at(line_, uplo::lower, A,
                                     strided_batch(p_->B(copy), n, of_.nrhs, n, p_->stride_B(), p_->batch),
                                     p_->info(), queue::cuda())
                     : cuda::potrf_at(line_, uplo::lower, A, p_->info(), queue::cuda());
    if (status != 0) throw std::runtime_error(strerror(status));
  }

  const routine& of_;
  std::unique_ptr<bench::problem<T>> p_;
  bench::stopwatch watch_;
  std::vector<bench::factor_check<T>> checks_;
  int back_to_back_ = 1, pairs_ = 6, line_ = -1;
  kernel last_;
};

// ---- different sizes -----------------------------------------------------------------------------

/// The compiled lines of some classes; -1: this build has none.
template <class T>
int compiled_class(const kernel& how, int n_max) {
  const auto& lines = cuda::potrf_vbatched_tables::lines<T>;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].n_max == n_max && as_class(kernel_of(lines[i])) == as_class(how)) return static_cast<int>(i);
  }
  return -1;
}

template <class T>
cuda::class_lines compiled_classes(const size_classes& by) {
  cuda::class_lines lines;
  for (const size_class& c : by) {
    const int line = compiled_class<T>(c.how, c.n_max);
    if (line < 0 || lines.count == cuda::vbatched_classes)
      throw std::runtime_error("this build has no " + describe(c.how) + " up to " + text_of_n(c.n_max));
    lines.line[static_cast<std::size_t>(lines.count++)] = line;
  }
  lines.ordered = by.size() == 1 && by.front().how.schedule == "ordered";
  return lines;
}

/// The matrices of calls that differ in their classes only.
class calls_on_gpu {
 public:
  virtual ~calls_on_gpu() = default;
  virtual measurement measure(const class_call& call, const size_classes& reference) = 0;
};

template <class T>
class uniform_calls : public calls_on_gpu {
 public:
  explicit uniform_calls(const class_call& first)
      : p_(bench::allocate_variable_problem<T>(
            uplo::lower, backend::cuda,
            bench::random_sizes(bench::distribution::kind::uniform, first.n_max, first.batch, 1))),
        check_(*p_),
        q_(*p_),
        watch_(backend::cuda) {
    if (first.batch > p_->batch)
      throw std::runtime_error(
          "there is memory for " + std::to_string(p_->batch) + " of " + std::to_string(first.batch) +
          " matrices to n = " + std::to_string(first.n_max) + ": --sizes and --regime ask for less");
  }

  measurement measure(const class_call& call, const size_classes& reference) override {
    measurement m = measurement_of(call);
    if (pairs_ == 0) settle(compiled_classes<T>(reference));
    try {
      const cuda::class_lines mine = compiled_classes<T>(call.by), its = compiled_classes<T>(reference);
      m.why = complaint(mine);
      if (!m.why.empty()) {
        m.result = outcome::wrong;
        return m;
      }
      std::vector<double> own, other;
      for (int pair = 0; pair < pairs_; ++pair) {  // the reference goes first every other time
        if (pair % 2 == 0) other.push_back(seconds_of(its));
        own.push_back(seconds_of(mine));
        if (pair % 2 == 1) other.push_back(seconds_of(its));
      }
      m.take_times(own, other);
    } catch (const std::exception& e) {
      m.result = outcome::failed;
      m.why = e.what();
      pairs_ = 0;  // did it take the device with it? The next call asks the reference
    }
    return m;
  }

 private:
  /// How long the reference takes decides how often runs are repeated. Throws where it fails.
  void settle(const cuda::class_lines& reference) {
    const std::string wrong = complaint(reference);
    if (!wrong.empty()) throw std::runtime_error("the generic table's classes: " + wrong);
    double seconds = 1;
    for (int i = 0; i < 3; ++i) seconds = std::min(seconds, std::max(seconds_of(reference), 1e-9));
    back_to_back_ = bench::runs_of(*p_, seconds);
    pairs_ = seconds > 10e-3 ? 2 : seconds > 4e-3 ? 3 : 5;
  }

  std::string complaint(const cuda::class_lines& by) {
    p_->restore(0);
    bench::fill_bytes(backend::cuda, p_->info(), 0xff, static_cast<std::size_t>(p_->batch) * sizeof(int));
    run(by, 0);
    return check_.complaint(true, false);
  }

  double seconds_of(const cuda::class_lines& by) {
    return bench::seconds_per_run(*p_, watch_, back_to_back_, [&](int copy) { run(by, copy); });
  }

  void run(const cuda::class_lines& by, int copy) {
    const variable_batch<T> A = {p_->A_array(copy), p_->n(), p_->n(), p_->lda(), p_->batch};
    const int status = cuda::potrf_vbatched_by<T>(by, uplo::lower, A, p_->info(), p_->n_max, q_);
    if (status != 0) throw std::runtime_error(strerror(status));
  }

  std::unique_ptr<bench::variable_problem<T>> p_;
  bench::variable_check<T> check_;
  bench::queue_with_scratch<T> q_;
  bench::stopwatch watch_;
  int back_to_back_ = 1, pairs_ = 0;
};

}  // namespace

class_timer classes_on_gpu(const table& generic) {
  struct state {
    char precision = 0;
    std::int64_t batch = 0;
    std::map<int, std::unique_ptr<calls_on_gpu>> by_n_max;
  };
  const auto now = std::make_shared<state>();
  return [now, generic](const class_call& call) {
    if (now->precision != call.precision || now->batch != call.batch) *now = {call.precision, call.batch, {}};
    std::unique_ptr<calls_on_gpu>& calls = now->by_n_max[call.n_max];
    if (!calls)
      with_type(call.precision,
                [&](auto zero) { calls = std::make_unique<uniform_calls<decltype(zero)>>(call); });
    return calls->measure(call, classes_by(generic, call.precision, call.n_max, call.batch));
  };
}

std::vector<std::string> missing_classes(const class_plan& plan, const table& generic) {
  std::set<std::string> missing;
  with_type(plan.precision, [&](auto zero) {
    const auto look_for = [&](const kernel& how, int n_max) {
      if (compiled_class<decltype(zero)>(how, n_max) < 0)
        missing.insert(std::string(1, plan.precision) + ": " + describe(how) + " up to " + text_of_n(n_max));
    };
    for (const class_space* space : {&plan.space, &plan.alone}) {
      for (const std::vector<size_class>& of : *space) {
        for (const size_class& c : of) look_for(c.how, c.n_max);
      }
    }
    for (const table_line& line : generic.lines) {
      if (line.precision == plan.precision) look_for(line.how, line.n_max);
    }
  });
  return {missing.begin(), missing.end()};
}

point_maker points_on_gpu(const routine& of) {
  return [&of](char precision, int n, std::int64_t batch, const kernel& reference) {
    std::unique_ptr<measuring_point> point;
    with_type(precision, [&](auto zero) {
      point = std::make_unique<gpu_point<decltype(zero)>>(of, n, batch, reference);
    });
    return point;
  };
}

std::vector<std::string> missing_kernels(const sweep_plan& plan, const table& generic) {
  std::set<std::string> missing;
  for (const char precision : plan.precisions) {
    with_type(precision, [&](auto zero) {
      const auto look_for = [&](const kernel& k) {
        if (compiled_line<decltype(zero)>(*plan.of, k) < 0)
          missing.insert(std::string(1, precision) + ": " + describe(k));
      };
      for (const int n : plan.sizes) {
        for (const kernel& k : candidates(*plan.of, precision, n, plan.limits)) look_for(k);
      }
      for (const table_line& line : generic.lines) {
        if (line.precision == precision) look_for(line.how);
      }
    });
  }
  return {missing.begin(), missing.end()};
}
#else
point_maker points_on_gpu(const routine&) { throw std::runtime_error("this build has no CUDA backend"); }
class_timer classes_on_gpu(const table&) { throw std::runtime_error("this build has no CUDA backend"); }
std::vector<std::string> missing_kernels(const sweep_plan&, const table&) { return {}; }
std::vector<std::string> missing_classes(const class_plan&, const table&) { return {}; }
#endif

}  // namespace talus::tune
