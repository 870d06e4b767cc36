#include "machine.hpp"

#include <omp.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>

#include "blas.hpp"
#include "common/backend.hpp"

#ifdef TALUS_WITH_CUDA
#include "common/cuda_calls.hpp"
#endif
#ifdef TALUS_HAVE_CUBLAS
#include <cublas_v2.h>
#endif

extern "C" char* openblas_get_config(void);

namespace fem {
namespace {

using example::array;

/// Returns the shortest time of four runs, which other work on the machine disturbed least.
template <class Work>
double best_seconds(talus::queue q, Work work) {
  example::stopwatch watch(q);
  double best = std::numeric_limits<double>::max();
  for (int run = 0; run < 4; ++run) {
    watch.start();
    work();
    best = std::min(best, watch.stop());
  }
  return best;
}

/// Times a large copy, and on the host an update in place, which does not read the lines that it overwrites.
double measure_bandwidth(talus::queue q) {
  const bool on_host = q.where == talus::backend::host;
  const double largest = on_host ? std::ldexp(1, 29) : std::ldexp(1, 31);
  const double bytes = std::min(example::free_memory(q.where) / 8, largest);
  const array<std::uint64_t> from(q.where, static_cast<std::size_t>(bytes) / sizeof(std::uint64_t)),
      to(q.where, from.size());
  double seconds = std::numeric_limits<double>::max();
  if (on_host) {
    std::uint64_t *const x = from.data(), *const y = to.data();
    // A page is placed in the memory of the thread that touches it first.
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < from.size(); ++i) x[i] = y[i] = i;
    seconds = best_seconds(q, [&] {
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < from.size(); ++i) x[i] = ~x[i];
    });
  }
  seconds =
      std::min(seconds, best_seconds(q, [&] { example::copy(to.data(), from.data(), from.bytes(), q); }));
  return 2 * static_cast<double>(from.bytes()) / seconds;
}

#ifdef TALUS_HAVE_CUBLAS
class cublas {
 public:
  explicit cublas(talus::queue q) {
    check(cublasCreate(&handle_));
    check(cublasSetStream(handle_, example::stream_of(q)));
  }
  ~cublas() { cublasDestroy(handle_); }
  cublas(const cublas&) = delete;
  cublas& operator=(const cublas&) = delete;

  void gemm(int n, const float* A, float* C) const { multiply(cublasSgemm, n, A, C); }
  void gemm(int n, const double* A, double* C) const { multiply(cublasDgemm, n, A, C); }

 private:
  static void check(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS)
      throw example::unavailable(std::string("cuBLAS: ") + cublasGetStatusString(status));
  }
  template <class Routine, class T>
  void multiply(Routine gemm, int n, const T* A, T* C) const {
    const T one = 1, zero = 0;
    check(gemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, A, n, A, n, &zero, C, n));
  }

  cublasHandle_t handle_ = nullptr;
};
#endif

/// Times C := A A of order n with OpenBLAS or cuBLAS.
template <class T>
double measure_peak(talus::queue q) {
  const bool on_host = q.where == talus::backend::host;
  const int n = on_host && omp_get_max_threads() < 8 ? 1024 : 4096;
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const example::sent_array<T> A(count, q);
  const array<T> C(q.where, count);
  // Products of equal numbers draw less power, so they may run faster than real work.
  for (std::size_t i = 0; i < count; ++i)
    A.here()[i] = static_cast<T>(i * 2654435761u % 1000) / 1000 - static_cast<T>(0.5);
  A.send();
  double seconds = 0;
  if (on_host) seconds = best_seconds(q, [&] { blas::gemm(n, A.here(), C.data()); });
#ifdef TALUS_HAVE_CUBLAS
  if (!on_host) {
    const cublas library(q);
    seconds = best_seconds(q, [&] { library.gemm(n, A.there(), C.data()); });
  }
#endif
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

const char* instruction_set() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "AVX2";
  return "SSE2";
#else
  return "baseline instructions";
#endif
}

machine name_host() {
  machine m{processor_name(), std::to_string(omp_get_num_procs()) + " cores, " +
                                  std::to_string(omp_get_max_threads()) + " OpenMP threads, " +
                                  instruction_set() + ", " + openblas_get_config()};
  while (m.details.back() == ' ') m.details.pop_back();
  return m;
}

#ifdef TALUS_WITH_CUDA
std::string version(int number) {  // 13000 is 13.0
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// Returns the version that nvidia-smi prints, with a space behind it, or an empty string.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos)
      return word + " ";
  }
  return "";
}

machine name_gpu() {
  using example::check;
  int device = 0, runtime = 0, driver = 0;
  cudaDeviceProp properties;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return {properties.name, std::to_string(properties.multiProcessorCount) +
                               " multiprocessors, compute capability " + std::to_string(properties.major) +
                               "." + std::to_string(properties.minor) + ", driver " + driver_version() +
                               "for CUDA " + version(driver) + ", CUDA " + version(runtime)};
}
#else
machine name_gpu() { return {}; }  // never called
#endif

}  // namespace

template <class T>
machine measure_machine(talus::queue q) {
  machine m = q.where == talus::backend::host ? name_host() : name_gpu();
  m.bandwidth = measure_bandwidth(q);
  m.peak = measure_peak<T>(q);
  return m;
}
template machine measure_machine<float>(talus::queue q);
template machine measure_machine<double>(talus::queue q);

}  // namespace fem
