#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

int main() {
  const int n = 16, count = 100000;
  std::vector<double> A(std::size_t{n} * n * count, 1.0), B(std::size_t{n} * count, 1.0);
  for (std::size_t b = 0; b < count; ++b)
    for (std::size_t j = 0; j < n; ++j) A[n * n * b + j * (n + 1)] = 2;
  std::vector<int> info(count);

  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  cudaStream_t stream;
  double *device_A, *device_B;
  int* device_info;
  cudaStreamCreate(&stream);
  cudaMalloc(&device_A, A.size() * sizeof(double));
  cudaMalloc(&device_B, B.size() * sizeof(double));
  cudaMalloc(&device_info, info.size() * sizeof(int));
  cudaMemcpyAsync(device_A, A.data(), A.size() * sizeof(double), cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(device_B, B.data(), B.size() * sizeof(double), cudaMemcpyHostToDevice, stream);

  // The call queues its work after the copies and returns at once.
  const int status =
      talus::posv_strided_batched(talus::uplo::lower, n, 1, device_A, n, n * n, device_B, n, n,
                                  device_info, count, talus::queue::cuda(stream));

  cudaMemcpyAsync(B.data(), device_B, B.size() * sizeof(double), cudaMemcpyDeviceToHost, stream);
  cudaMemcpyAsync(info.data(), device_info, info.size() * sizeof(int), cudaMemcpyDeviceToHost,
                  stream);
  const cudaError_t error = cudaStreamSynchronize(stream);  // reports errors of kernels
  std::printf("Talus: %s; CUDA: %s\n", talus::strerror(status), cudaGetErrorString(error));

  int wrong = 0;
  for (std::size_t b = 0; b < count; ++b)
    wrong += info[b] != 0 || std::abs(B[n * b] - 1.0 / (n + 1)) > 1e-14;
  std::printf("%d systems solved, %d of them wrong\n", count, wrong);
  cudaFree(device_info);
  cudaFree(device_B);
  cudaFree(device_A);
  cudaStreamDestroy(stream);
  return status != 0 || error != cudaSuccess || wrong != 0;
}
