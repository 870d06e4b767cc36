#include "measure/machine.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <stdexcept>

#include "measure/memory.hpp"

extern "C" char* openblas_get_config(void);

namespace talus::measure {
namespace {

// ---- bandwidth -----------------------------------------------------------------------------------

/// The better of a copy and of an update in place. The first is the custom; the second is what a
/// factorization does, and does not pay for reading the lines it is about to overwrite.
double measure_bandwidth() {
  const std::size_t bytes = std::min(available_host_memory() / 4, std::size_t{1} << 30) / 2;
  const array<std::uint64_t> from(backend::host, bytes / sizeof(std::uint64_t)),
      to(backend::host, from.size());
  std::uint64_t *const x = from.data(), *const y = to.data();
  // Each page belongs to the thread, and so to the memory, that touches it first.
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < from.size(); ++i) x[i] = y[i] = i;
  stopwatch watch(backend::host);
  const double copy = watch.best_seconds(3, [&] { copy_within(backend::host, y, x, bytes); });
  const double update = watch.best_seconds(3, [&] {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < from.size(); ++i) x[i] = ~x[i];
  });
  return 2 * static_cast<double>(bytes) / std::min(copy, update);
}

// ---- peaks ---------------------------------------------------------------------------------------

/// `steps` multiply-adds on each of CHAINS independent vectors of BYTES: enough of them to hide the latency
/// of one behind the others, few enough to stay in registers.
template <class Real, int BYTES, int CHAINS>
__attribute__((always_inline)) inline double multiply_add_chains(int steps, Real* result) {
  typedef Real vector __attribute__((vector_size(BYTES)));
  constexpr int LANES = BYTES / static_cast<int>(sizeof(Real));
  vector x[CHAINS];
  const Real a = Real(0.999), b = Real(0.001);  // tends to 1: neither overflow nor denormals
  for (int c = 0; c < CHAINS; ++c) x[c] = static_cast<Real>(c) - vector{};
  for (int step = 0; step < steps; ++step) {
    for (int c = 0; c < CHAINS; ++c) x[c] = x[c] * a + b;
  }
  for (int c = 1; c < CHAINS; ++c) x[0] += x[c];
  *result = x[0][0];
  return 2.0 * LANES * CHAINS * steps;
}

template <class Real>
double multiply_add_baseline(int steps, Real* result) {
  return multiply_add_chains<Real, 16, 12>(steps, result);
}
#if defined(__x86_64__) && defined(__GNUC__)
// 32 registers of 512 bits, 16 of 256 or 128; two of them hold the constants.
template <class Real>
__attribute__((target("avx512f"))) double multiply_add_avx512(int steps, Real* result) {
  return multiply_add_chains<Real, 64, 16>(steps, result);
}
template <class Real>
__attribute__((target("avx2,fma"))) double multiply_add_avx2(int steps, Real* result) {
  return multiply_add_chains<Real, 32, 12>(steps, result);
}
#endif

/// The widest instruction set of this machine.
template <class Real>
struct widest {
  const char* name = "baseline instructions";
  double (*multiply_add)(int steps, Real* result) = multiply_add_baseline<Real>;

  widest() {
#if defined(__x86_64__) && defined(__GNUC__)
    name = "SSE2";
    if (__builtin_cpu_supports("avx512f")) {
      name = "AVX-512";
      multiply_add = multiply_add_avx512<Real>;
    } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      name = "AVX2";
      multiply_add = multiply_add_avx2<Real>;
    }
#endif
  }
};

/// Flops per second of register arithmetic on all OpenMP threads at once: no matrix product is faster.
template <class Real>
double multiply_add_peak() {
  const widest<Real> isa;
  double flops = 0, sink = 0;
  const double seconds = stopwatch(backend::host).best_seconds(4, [&] {
    flops = 0;
#pragma omp parallel reduction(+ : flops, sink)
    {
      Real result = 0;
      flops += isa.multiply_add(1 << 20, &result);
      sink += static_cast<double>(result);
    }
  });
  return sink > 0 ? flops / seconds : 0;  // always positive: asks for the result, so that it must be computed
}

// ---- names ---------------------------------------------------------------------------------------

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unnamed processor";
}

machine measure_host() {
  machine m;
  m.name = processor_name();
  m.details = std::to_string(omp_get_num_procs()) + " cores, " + std::to_string(omp_get_max_threads()) +
              " OpenMP threads, " + widest<double>().name + ", " + openblas_get_config();
  while (!m.details.empty() && m.details.back() == ' ') m.details.pop_back();
  m.bandwidth = measure_bandwidth();
  m.peak_single = multiply_add_peak<float>();
  m.peak_double = multiply_add_peak<double>();
  return m;
}

}  // namespace

#ifdef TALUS_WITH_CUDA
machine measure_cuda();  // machine.cu
#else
static machine measure_cuda() { throw std::runtime_error("this build has no CUDA backend"); }
#endif

machine machine::measure(backend where) { return where == backend::cuda ? measure_cuda() : measure_host(); }

}  // namespace talus::measure
