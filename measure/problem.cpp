#include "measure/problem.hpp"

#include "measure/gpu.hpp"
#include "measure/variable.hpp"

namespace talus::measure {
namespace {

/// x[i + j * rows] = element(i, j)
template <class T, class Element>
void fill(T* x, int rows, int columns, Element element) {
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) x[i + std::int64_t{j} * rows] = to_scalar<T>(element(i, j));
  }
}

}  // namespace

template <class T>
void generate_A(backend where, T* A, int n, std::int64_t batch) {
  TALUS_ON_GPU(where, generate_A(A, n, batch));
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batch; ++b)
    fill(A + b * n * n, n, n, [&](int i, int j) { return element_of_A(b, i, j, n); });
}

template <class T>
void generate_B(backend where, T* B, int n, int nrhs, std::int64_t batch) {
  TALUS_ON_GPU(where, generate_B(B, n, nrhs, batch));
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batch; ++b)
    fill(B + b * n * nrhs, n, nrhs, [&](int i, int j) { return element_of_B(b, i, j); });
}

template <class T>
void generate_variable_A(backend where, T* A, const std::int64_t* first, const int* n, std::int64_t batch) {
  TALUS_ON_GPU(where, generate_variable_A(A, first, n, batch));
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t b = 0; b < batch; ++b)
    fill(A + first[b], n[b], n[b], [&](int i, int j) { return element_of_A(b, i, j, n[b]); });
}

template <class T>
void point_to(backend where, T** array, T* first, std::int64_t stride, std::int64_t count) {
  TALUS_ON_GPU(where, point_to(reinterpret_cast<void**>(array), first,
                               stride * static_cast<std::int64_t>(sizeof(T)), count));
  for (std::int64_t k = 0; k < count; ++k) array[k] = first + k * stride;
}

template <class T>
void pad(backend where, T* padded, int n_max, bool lower, const T* const* A_array, const int* n,
         std::int64_t batch) {
  TALUS_ON_GPU(where, pad(padded, n_max, lower, A_array, n, batch));
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
  TALUS_ON_GPU(where, unpad(A_array, n, lower, padded, n_max, batch));
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
  template void generate_A(backend, T*, int, std::int64_t);                                      \
  template void generate_B(backend, T*, int, int, std::int64_t);                                 \
  template void generate_variable_A(backend, T*, const std::int64_t*, const int*, std::int64_t); \
  template void point_to(backend, T**, T*, std::int64_t, std::int64_t);                          \
  template void pad(backend, T*, int, bool, const T* const*, const int*, std::int64_t);          \
  template void unpad(backend, T* const*, const int*, bool, const T*, int, std::int64_t);
TALUS_INSTANTIATE(float)
TALUS_INSTANTIATE(double)
TALUS_INSTANTIATE(std::complex<float>)
TALUS_INSTANTIATE(std::complex<double>)

}  // namespace talus::measure
