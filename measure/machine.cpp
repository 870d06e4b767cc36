#include "measure/machine.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "measure/memory.hpp"

extern "C" {
void sgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
            const float* alpha, const float* A, const int* lda, const float* B, const int* ldb,
            const float* beta, float* C, const int* ldc);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
            const double* alpha, const double* A, const int* lda, const double* B, const int* ldb,
            const double* beta, double* C, const int* ldc);
int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);
char* openblas_get_config(void);
}

namespace talus::measure {
namespace {

/// Of work on the host.
template <class Work>
double best_seconds(int repeats, Work work) {
  return stopwatch(backend::host).best_seconds(repeats, work);
}

// ---- bandwidth -----------------------------------------------------------------------------------

/// The better of a copy and of an update in place. The first is the custom; the second is what a
/// factorization does, and does not pay for reading the lines it is about to overwrite.
double measure_bandwidth() {
  const std::size_t bytes = std::min(available_host_memory() / 4, std::size_t{1} << 30) / 2;
  const std::size_t count = bytes / sizeof(std::uint64_t);
  // Not initialised here: each page belongs to the thread, and so to the memory, that touches it first.
  const std::unique_ptr<std::uint64_t[]> from(new std::uint64_t[count]), to(new std::uint64_t[count]);
  const auto for_each_share = [count](auto work) {
#pragma omp parallel
    {
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      work(count * thread / threads, count * (thread + 1) / threads);
    }
  };
  for_each_share([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) from[i] = to[i] = i;
  });
  const double copy = best_seconds(3, [&] {
    for_each_share([&](std::size_t begin, std::size_t end) {
      std::memcpy(&to[begin], &from[begin], (end - begin) * sizeof(std::uint64_t));
    });
  });
  const double update = best_seconds(3, [&] {
    for_each_share([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) from[i] = ~from[i];
    });
  });
  return 2 * static_cast<double>(count * sizeof(std::uint64_t)) / std::min(copy, update);
}

// ---- peaks ---------------------------------------------------------------------------------------

#if defined(__x86_64__) && defined(__GNUC__)
constexpr bool is_x86 = true;
#define TALUS_TARGET(isa) __attribute__((target(isa)))
#else
constexpr bool is_x86 = false;
#define TALUS_TARGET(isa)
#endif

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

// 32 registers of 512 bits, 16 of 256 or 128; two of them hold the constants.
template <class Real>
TALUS_TARGET("avx512f")
double multiply_add_avx512(int steps, Real* result) {
  return multiply_add_chains<Real, 64, 16>(steps, result);
}
template <class Real>
TALUS_TARGET("avx2,fma")
double multiply_add_avx2(int steps, Real* result) {
  return multiply_add_chains<Real, 32, 12>(steps, result);
}
template <class Real>
double multiply_add_baseline(int steps, Real* result) {
  return multiply_add_chains<Real, 16, 12>(steps, result);
}

enum class isa { baseline, avx2, avx512 };

isa running_isa() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f")) return isa::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return isa::avx2;
#endif
  return isa::baseline;
}

const char* name_of(isa set) {
  if (!is_x86) return "baseline instructions";
  return set == isa::avx512 ? "AVX-512" : set == isa::avx2 ? "AVX2" : "SSE2";
}

/// Flops per second of register arithmetic on all OpenMP threads at once.
template <class Real>
double multiply_add_peak() {
  const isa set = running_isa();
  constexpr int steps = 1 << 20;
  double flops = 0, sink = 0;
  const double seconds = best_seconds(4, [&] {
    flops = 0;
#pragma omp parallel reduction(+ : flops, sink)
    {
      Real result = 0;
      flops += set == isa::avx512 ? multiply_add_avx512(steps, &result)
               : set == isa::avx2 ? multiply_add_avx2(steps, &result)
                                  : multiply_add_baseline(steps, &result);
      sink += static_cast<double>(result);
    }
  });
  return sink > 0 ? flops / seconds : 0;  // always positive: asks for the result, so that it must be computed
}

void gemm(int n, const float* A, const float* B, float* C) {
  const float one = 1, zero = 0;
  sgemm_("N", "N", &n, &n, &n, &one, A, &n, B, &n, &zero, C, &n);
}
void gemm(int n, const double* A, const double* B, double* C) {
  const double one = 1, zero = 0;
  dgemm_("N", "N", &n, &n, &n, &one, A, &n, B, &n, &zero, C, &n);
}

/// Flops per second of a matrix product on as many OpenBLAS threads as OpenMP would use.
template <class Real>
double gemm_peak() {
  constexpr int n = 1536;
  std::vector<Real> A(std::size_t{n} * n), B(A.size()), C(A.size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    A[i] = static_cast<Real>(i % 17) / 17 - Real(0.5);
    B[i] = static_cast<Real>(i % 19) / 19 - Real(0.5);
  }
  const int threads = openblas_get_num_threads();
  openblas_set_num_threads(omp_get_max_threads());
  const double seconds = best_seconds(3, [&] { gemm(n, A.data(), B.data(), C.data()); });
  openblas_set_num_threads(threads);
  return 2.0 * n * n * n / seconds;
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
              " OpenMP threads, " + name_of(running_isa()) + ", " + openblas_get_config();
  while (!m.details.empty() && m.details.back() == ' ') m.details.pop_back();
  m.bandwidth = measure_bandwidth();
  m.peak_single = std::max(multiply_add_peak<float>(), gemm_peak<float>());
  m.peak_double = std::max(multiply_add_peak<double>(), gemm_peak<double>());
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
