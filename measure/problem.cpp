#include "measure/problem.hpp"

#include "measure/batch_work.hpp"
#include "measure/gpu.hpp"
#include "measure/precisions.hpp"

namespace talus::measure {
namespace {

template <class Work>
void for_each_column(backend where, const Work& work, std::int64_t batch, int columns,
                     [[maybe_unused]] int rows) {
  TALUS_ON_GPU(where, gpu::for_each_column(work, batch, columns, rows));
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batch; ++b) {
    for (int j = 0; j < columns; ++j) work(b, j, 0, 1);
  }
}

template <bool BACK, class T>
void pad(const variable_problem<T>& p, int copy, T* slots) {
  const pad_work<T, BACK> work{slots, p.n, p.uplo == uplo::lower, p.A_array(copy), p.n_array()};
  for_each_column(p.where, work, p.batch, p.n, p.n);
}

}  // namespace

template <class T>
void generate(backend where, matrix_kind kind, T* X, const std::int64_t* first, const int* m_array,
              const int* n_array, int m, int n, std::int64_t batch) {
  const generate_work<T> work{kind, X, first, m_array, n_array, m, n};
  for_each_column(where, work, batch, n, m);
}

template <class T>
void padded_problem<T>::fill(const variable_problem<T>& p, int copy) const {
  pad<false>(p, copy, A(p, copy));
}
template <class T>
void padded_problem<T>::copy_back(const variable_problem<T>& p, int copy) const {
  pad<true>(p, copy, A(p, copy));
}

#define TALUS_INSTANTIATE(T)                                                                              \
  template void generate(backend, matrix_kind, T*, const std::int64_t*, const int*, const int*, int, int, \
                         std::int64_t);                                                                   \
  template class padded_problem<T>;
TALUS_FOR_ALL_TYPES(TALUS_INSTANTIATE)

}  // namespace talus::measure
