#include "batched/blas/backends.hpp"
#include "scratch.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {

using T = TALUS_T;

template <>
int gemv_vbatched(op of_A, const int* m, const int* n, T alpha, const T* const* A_array, const int* lda,
                  const T* const* x_array, const int* incx, T beta, T* const* y_array, const int* incy,
                  int* info_array, std::int64_t batch_count, int m_max, int n_max, queue q) {
  const bounded A(A_array, m, n, lda, batch_count, m_max, n_max);
  const bool plain = of_A == op::none;
  const int status = arguments(batch_count, q)
                         .list(of_A, m, n)
                         .anything()
                         .list(A, vector_pointers(x_array, plain ? n_max : m_max), incx)
                         .anything()
                         .list(vector_pointers(y_array, plain ? m_max : n_max), incy)
                         .anything()
                         .end(m_max, n_max)
                         .status;
  if (status != 0 || batch_count == 0) return status;
  const product_with_vector<T> product = {of_A, alpha, beta};
  const stepped_vectors<const T> x = {x_array, incx};
  const stepped_vectors<T> y = {y_array, incy};
  return q.where == backend::host ? host::gemv(product, A, x, y, info_array, m_max, n_max)
                                  : cuda::gemv(product, A, x, y, info_array, m_max, n_max, q);
}

template <>
std::size_t gemv_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
