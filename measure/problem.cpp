#include "measure/problem.hpp"

#include "measure/batch_work.hpp"
#include "measure/gpu.hpp"
#include "measure/precisions.hpp"
#include "measure/variable.hpp"

namespace talus::measure {
namespace {

template <class Work>
void for_each_column(backend where, const Work& work, std::int64_t batch, int columns, int rows) {
  TALUS_ON_GPU(where, gpu::for_each_column(work, batch, columns, rows));
  static_cast<void>(rows);
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batch; ++b) {
    for (int j = 0; j < columns; ++j) work(b, j, 0, 1);
  }
}

}  // namespace

template <class T>
void generate(backend where, T* X, int n, int nrhs, std::int64_t batch) {
  for_each_column(where, generate_work<T>{X, nullptr, nullptr, n, nrhs}, batch, nrhs ? nrhs : n, n);
}

template <class T>
void generate_variable_A(backend where, T* A, const std::int64_t* first, const int* n, int n_max,
                         std::int64_t batch) {
  for_each_column(where, generate_work<T>{A, first, n, 0, 0}, batch, n_max, n_max);
}

template <class T>
void padded_problem<T>::fill(const variable_problem<T>& p, int copy) const {
  for_each_column(p.where,
                  pad_work<T, false>{A(p, copy), p.n_max, p.uplo == uplo::lower, p.A_array(copy), p.n()},
                  p.batch, p.n_max, p.n_max);
}
template <class T>
void padded_problem<T>::copy_back(const variable_problem<T>& p, int copy) const {
  for_each_column(p.where,
                  pad_work<T, true>{A(p, copy), p.n_max, p.uplo == uplo::lower, p.A_array(copy), p.n()},
                  p.batch, p.n_max, p.n_max);
}

#define TALUS_INSTANTIATE(T)                                                                          \
  template void generate(backend, T*, int, int, std::int64_t);                                        \
  template void generate_variable_A(backend, T*, const std::int64_t*, const int*, int, std::int64_t); \
  template class padded_problem<T>;
TALUS_FOR_ALL_TYPES(TALUS_INSTANTIATE)

}  // namespace talus::measure
