#include "gpu.hpp"

#include <algorithm>
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

}  // namespace

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
std::vector<std::string> missing_kernels(const sweep_plan&, const table&) { return {}; }
#endif

}  // namespace talus::tune
