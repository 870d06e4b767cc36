// The limits of the current GPU: what a copy moves, what multiply-adds and matrix products reach.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef TALUS_WITH_CUBLAS
#include <cublas_v2.h>
#endif

#include "machine.hpp"

namespace talus::bench {
namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// Device memory for the time of a measurement.
class buffer {
 public:
  explicit buffer(std::size_t bytes) { check(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  ~buffer() { cudaFree(data_); }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

/// A pair of events. Everything here runs on the default stream.
class stopwatch {
 public:
  stopwatch() {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  ~stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  /// The shortest of a few runs, after one that counts for nothing: a limit is what nothing disturbs.
  template <class Work>
  double best_seconds(Work work) {
    float best = 0;
    for (int run = 0; run <= 5; ++run) {
      check(cudaEventRecord(start_), "cudaEventRecord");
      work();
      check(cudaGetLastError(), "launch");
      check(cudaEventRecord(stop_), "cudaEventRecord");
      check(cudaEventSynchronize(stop_), "cudaEventSynchronize");
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
      if (run == 1 || (run > 1 && milliseconds < best)) best = milliseconds;
    }
    return static_cast<double>(best) * 1e-3;
  }

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

// ---- bandwidth -----------------------------------------------------------------------------------

/// Four loads of 16 bytes in flight per thread, consecutive threads on consecutive elements.
__global__ void copy_kernel(const uint4* __restrict__ from, uint4* __restrict__ to, std::size_t count) {
  constexpr int IN_FLIGHT = 4;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x * IN_FLIGHT + threadIdx.x;
  uint4 x[IN_FLIGHT];
  for (int i = 0; i < IN_FLIGHT; ++i) {
    const std::size_t e = first + static_cast<std::size_t>(i) * blockDim.x;
    if (e < count) x[i] = from[e];
  }
  for (int i = 0; i < IN_FLIGHT; ++i) {
    const std::size_t e = first + static_cast<std::size_t>(i) * blockDim.x;
    if (e < count) to[e] = x[i];
  }
}

double measure_bandwidth(stopwatch& watch) {
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  const std::size_t bytes = std::min(available / 4, std::size_t{4} << 30) / 2 / 4096 * 4096;
  const buffer from(bytes), to(bytes);
  check(cudaMemset(from.as<char>(), 0x5a, bytes), "cudaMemset");
  const double by_driver = watch.best_seconds([&] {
    check(cudaMemcpyAsync(to.as<char>(), from.as<char>(), bytes, cudaMemcpyDeviceToDevice),
          "cudaMemcpyAsync");
  });
  const std::size_t count = bytes / sizeof(uint4);
  const double by_kernel = watch.best_seconds([&] {
    copy_kernel<<<static_cast<unsigned>((count + 1023) / 1024), 256>>>(from.as<uint4>(), to.as<uint4>(),
                                                                       count);
  });
  return 2 * static_cast<double>(bytes) / std::min(by_driver, by_kernel);
}

// ---- peaks ---------------------------------------------------------------------------------------

/// Eight independent chains per thread; the result is written where it is never true, which only the device
/// knows.
template <class Real>
__global__ void multiply_add_kernel(Real a, Real b, int steps, Real* never_written) {
  constexpr int CHAINS = 8;
  Real x[CHAINS];
  for (int c = 0; c < CHAINS; ++c) x[c] = static_cast<Real>(threadIdx.x + c);
#pragma unroll 8
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) x[c] = fma(x[c], a, b);
  }
  for (int c = 1; c < CHAINS; ++c) x[0] += x[c];
  if (x[0] == Real(-1)) *never_written = x[0];
}

template <class Real>
double multiply_add_peak(stopwatch& watch, int multiprocessors) {
  constexpr int steps = 8192, threads = 256;
  const int blocks = 16 * multiprocessors;
  const buffer result(sizeof(Real));
  const double seconds = watch.best_seconds(
      [&] { multiply_add_kernel<<<blocks, threads>>>(Real(0.999), Real(0.001), steps, result.as<Real>()); });
  return 2.0 * 8 * steps * threads * blocks / seconds;
}

#ifdef TALUS_WITH_CUBLAS
/// Pseudo-random in [-0.5, 0.5): products of constants draw less power, so they may run faster than real
/// work.
template <class Real>
__global__ void fill_kernel(Real* A, std::size_t count) {
  const std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  unsigned h = static_cast<unsigned>(e) * 2654435761u;
  h = (h ^ (h >> 15)) * 2246822519u;
  h = (h ^ (h >> 13)) * 3266489917u;
  A[e] = static_cast<Real>(h ^ (h >> 16)) / Real(4294967296.0) - Real(0.5);
}

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

cublasStatus_t gemm(cublasHandle_t handle, int n, const float* A, const float* B, float* C) {
  const float one = 1, zero = 0;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, A, n, B, n, &zero, C, n);
}
cublasStatus_t gemm(cublasHandle_t handle, int n, const double* A, const double* B, double* C) {
  const double one = 1, zero = 0;
  return cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, A, n, B, n, &zero, C, n);
}

/// In default math: double on tensor units where they are exact, float without TF32.
template <class Real>
double gemm_peak(stopwatch& watch) {
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  int n = 8192;
  while (n > 1024 &&
         3 * sizeof(Real) * static_cast<std::size_t>(n) * static_cast<std::size_t>(n) > available / 4)
    n /= 2;
  const std::size_t count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const buffer A(count * sizeof(Real)), B(count * sizeof(Real)), C(count * sizeof(Real));
  const auto blocks = static_cast<unsigned>((count + 255) / 256);
  fill_kernel<<<blocks, 256>>>(A.as<Real>(), count);
  fill_kernel<<<blocks, 256>>>(B.as<Real>(), count);
  check(cudaGetLastError(), "launch");

  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle), "cublasCreate");
  double seconds = 0;
  try {
    check(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
    seconds = watch.best_seconds(
        [&] { check(gemm(handle, n, A.as<Real>(), B.as<Real>(), C.as<Real>()), "cuBLAS gemm"); });
  } catch (...) {
    cublasDestroy(handle);
    throw;
  }
  check(cublasDestroy(handle), "cublasDestroy");
  return 2.0 * n * n * n / seconds;
}
#else
template <class Real>
double gemm_peak(stopwatch&) {
  return 0;
}
#endif

std::string version(int number) {  // 13000 is 13.0
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// What nvidia-smi calls the driver's version; the runtime only knows which CUDA it serves.
std::string driver_version() {
  std::string text;
  if (std::FILE* file = std::fopen("/proc/driver/nvidia/version", "r")) {
    char word[64];
    while (std::fscanf(file, "%63s", word) == 1) {
      const std::string w = word;
      if (w.find_first_not_of("0123456789.") == std::string::npos && w.find('.') != std::string::npos) {
        text = w;
        break;
      }
    }
    std::fclose(file);
  }
  return text;
}

}  // namespace

machine measure_cuda() {
  int device = 0, runtime = 0, driver = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  const std::string driver_name = driver_version();

  machine m;
  m.name = properties.name;
  m.details = std::to_string(properties.multiProcessorCount) + " multiprocessors, compute capability " +
              std::to_string(properties.major) + "." + std::to_string(properties.minor) + ", driver " +
              (driver_name.empty() ? "" : driver_name + " ") + "for CUDA " + version(driver) + ", CUDA " +
              version(runtime);
  stopwatch watch;
  m.bandwidth = measure_bandwidth(watch);
  const int multiprocessors = properties.multiProcessorCount;
  m.peak_single = std::max(multiply_add_peak<float>(watch, multiprocessors), gemm_peak<float>(watch));
  m.peak_double = std::max(multiply_add_peak<double>(watch, multiprocessors), gemm_peak<double>(watch));
  return m;
}

}  // namespace talus::bench
