#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

namespace {

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  cudaMalloc(&memory, values.size() * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  const int n_max = 48, count = 2000;  // matrices of order 1 to 48, each in its own slot
  std::vector<double> values(std::size_t{n_max} * n_max * count);
  std::vector<int> orders(count), leading(count, n_max);
  for (int b = 0; b < count; ++b) orders[b] = 1 + b % n_max;
  for (std::size_t b = 0; b < count; ++b)
    for (std::size_t j = 0; j < n_max; ++j) values[n_max * n_max * b + j * (n_max + 1)] = 4;  // 4 I
  double* const A = on_device(values);
  std::vector<double*> starts(count);
  for (std::size_t b = 0; b < count; ++b) starts[b] = A + n_max * n_max * b;
  double** const A_array = on_device(starts);
  int* const n = on_device(orders);
  int* const lda = on_device(leading);
  int* const info = on_device(std::vector<int>(count, -1));

  // Allocate scratch once. The call itself then allocates nothing.
  talus::queue q = talus::queue::cuda();
  q.work_bytes = talus::potrf_vbatched_work<double>(n_max, count);
  cudaMalloc(&q.work, q.work_bytes);

  // Record the call. It needs n_max, because a call with -1 reads the largest size back to the
  // host and cannot be captured.
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t factorize;
  cudaStreamCreate(&stream);
  q.stream = stream;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  const int status =
      talus::potrf_vbatched<double>(talus::uplo::lower, n, A_array, lda, info, count, n_max, q);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&factorize, graph, 0);

  // Replay the graph for new values in the same memory.
  int wrong = 0;
  for (const double scale : {1.0, 4.0, 16.0}) {
    std::vector<double> scaled = values;
    for (double& a : scaled) a *= scale;
    cudaMemcpyAsync(A, scaled.data(), scaled.size() * sizeof(double), cudaMemcpyHostToDevice,
                    stream);
    cudaGraphLaunch(factorize, stream);
    cudaMemcpyAsync(scaled.data(), A, scaled.size() * sizeof(double), cudaMemcpyDeviceToHost,
                    stream);
    cudaStreamSynchronize(stream);
    for (std::size_t b = 0; b < count; ++b)
      wrong += scaled[n_max * n_max * b] != 2 * std::sqrt(scale);
  }
  const cudaError_t error = cudaGetLastError();
  std::printf("Talus: %s; CUDA: %s; %d wrong\n", talus::strerror(status), cudaGetErrorString(error),
              wrong);
  return status != 0 || error != cudaSuccess || wrong != 0;
}
