// The limits of the current GPU: what a copy moves, what multiply-adds and matrix products reach.
#include <cuda_runtime.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#ifdef TALUS_WITH_CUBLAS
#include <cublas_v2.h>
#endif

#include "measure/gpu.hpp"
#include "measure/machine.hpp"
#include "measure/memory.hpp"

namespace talus::measure {
namespace {

using gpu::check;
using gpu::check_launch;

/// The shortest of a few runs, after one that counts for nothing.
template <class Work>
double best_seconds(Work work) {
  const auto checked = [&] {
    work();
    check_launch("launch");
  };
  checked();
  return stopwatch(backend::cuda).best_seconds(5, checked);
}

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

double measure_bandwidth() {
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  const std::size_t bytes = std::min(available / 4, std::size_t{4} << 30) / 2 / 4096 * 4096;
  const array<char> from(backend::cuda, bytes), to(backend::cuda, bytes);
  fill_bytes(backend::cuda, from.data(), 0x5a, bytes);
  const double by_driver = best_seconds([&] { copy_within(backend::cuda, to.data(), from.data(), bytes); });
  const std::size_t count = bytes / sizeof(uint4);
  const double by_kernel = best_seconds([&] {
    copy_kernel<<<static_cast<unsigned>((count + 1023) / 1024), 256>>>(
        reinterpret_cast<const uint4*>(from.data()), reinterpret_cast<uint4*>(to.data()), count);
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
double multiply_add_peak(int multiprocessors) {
  constexpr int steps = 8192, threads = 256;
  const int blocks = 16 * multiprocessors;
  const array<Real> result(backend::cuda, 1);
  const double seconds = best_seconds(
      [&] { multiply_add_kernel<<<blocks, threads>>>(Real(0.999), Real(0.001), steps, result.data()); });
  return 2.0 * 8 * steps * threads * blocks / seconds;
}

#ifdef TALUS_WITH_CUBLAS
/// Pseudo-random in [-0.5, 0.5): products of constants draw less power, so they may run faster than real
/// work.
__global__ void fill_kernel(double* A, std::size_t count) {
  const std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  unsigned h = static_cast<unsigned>(e) * 2654435761u;
  h = (h ^ (h >> 15)) * 2246822519u;
  h = (h ^ (h >> 13)) * 3266489917u;
  A[e] = (h ^ (h >> 16)) / 4294967296.0 - 0.5;
}

void check_cublas(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

/// Of a matrix product, which computes on tensor units where they are exact: in double, not in float.
double gemm_peak() {
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  int n = 8192;
  while (n > 1024 &&
         3 * sizeof(double) * static_cast<std::size_t>(n) * static_cast<std::size_t>(n) > available / 4)
    n /= 2;
  const std::size_t count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const array<double> A(backend::cuda, count), B(backend::cuda, count), C(backend::cuda, count);
  const auto blocks = static_cast<unsigned>((count + 255) / 256);
  fill_kernel<<<blocks, 256>>>(A.data(), count);
  fill_kernel<<<blocks, 256>>>(B.data(), count);

  cublasHandle_t created = nullptr;
  check_cublas(cublasCreate(&created), "cublasCreate");
  const std::unique_ptr<cublasContext, cublasStatus_t (*)(cublasHandle_t)> handle(created, cublasDestroy);
  const double one = 1, zero = 0;
  const double seconds = best_seconds([&] {
    check_cublas(cublasDgemm(created, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, A.data(), n, B.data(), n,
                             &zero, C.data(), n),
                 "cublasDgemm");
  });
  return 2.0 * n * n * n / seconds;
}
#else
double gemm_peak() { return 0; }
#endif

std::string version(int number) {  // 13000 is 13.0
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// What nvidia-smi calls the driver's version; the runtime only knows which CUDA it serves.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos)
      return word;
  }
  return "";
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
  m.bandwidth = measure_bandwidth();
  const int multiprocessors = properties.multiProcessorCount;
  m.peak_single = multiply_add_peak<float>(multiprocessors);
  m.peak_double = std::max(multiply_add_peak<double>(multiprocessors), gemm_peak());
  return m;
}

}  // namespace talus::measure
