#include "variable.hpp"

#include "on_cuda.hpp"

namespace talus::bench {

template <class T>
void generate_variable_A(backend where, T* A, const std::int64_t* first, const int* n, std::int64_t batch) {
  TALUS_ON_CUDA(where, generate_variable_A(A, first, n, batch));
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t b = 0; b < batch; ++b) {
    T* const A_b = A + first[b];
    for (int j = 0; j < n[b]; ++j) {
      for (int i = 0; i < n[b]; ++i)
        A_b[i + std::int64_t{j} * n[b]] = to_scalar<T>(element_of_A(b, i, j, n[b]));
    }
  }
}

template <class T>
void pad(backend where, T* padded, int n_max, bool lower, const T* const* A_array, const int* n,
         std::int64_t batch) {
  TALUS_ON_CUDA(where, pad(padded, n_max, lower, A_array, n, batch));
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batch; ++b) {
    T* const slot = padded + b * n_max * n_max;
    for (int j = 0; j < n_max; ++j) {
      const int begin = lower ? j : 0, end = lower ? n_max : j + 1;
      for (int i = begin; i < end; ++i) {
        const bool inside = i < n[b] && j < n[b];
        slot[i + std::int64_t{j} * n_max] = inside ? A_array[b][i + std::int64_t{j} * n[b]] : T(i == j);
      }
    }
  }
}

template <class T>
void unpad(backend where, T* const* A_array, const int* n, bool lower, const T* padded, int n_max,
           std::int64_t batch) {
  TALUS_ON_CUDA(where, unpad(A_array, n, lower, padded, n_max, batch));
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batch; ++b) {
    const T* const slot = padded + b * n_max * n_max;
    for (int j = 0; j < n[b]; ++j) {
      const int begin = lower ? j : 0, end = lower ? n[b] : j + 1;
      std::copy(slot + begin + std::int64_t{j} * n_max, slot + end + std::int64_t{j} * n_max,
                A_array[b] + begin + std::int64_t{j} * n[b]);
    }
  }
}

#define TALUS_INSTANTIATE(T)                                                                     \
  template void generate_variable_A(backend, T*, const std::int64_t*, const int*, std::int64_t); \
  template void pad(backend, T*, int, bool, const T* const*, const int*, std::int64_t);          \
  template void unpad(backend, T* const*, const int*, bool, const T*, int, std::int64_t);
TALUS_INSTANTIATE(float)
TALUS_INSTANTIATE(double)
TALUS_INSTANTIATE(std::complex<float>)
TALUS_INSTANTIATE(std::complex<double>)

}  // namespace talus::bench
