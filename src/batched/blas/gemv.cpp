#include "batched/blas/backends.hpp"
#include "c_api.hpp"
#include "scratch.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

/// alpha and beta by their addresses, which of a C name may be null.
int gemv(op of_A, const int* m, const int* n, const T* alpha, const T* const* A_array, const int* lda,
         const T* const* x_array, const int* incx, const T* beta, T* const* y_array, const int* incy,
         int* info, std::int64_t count, int m_max, int n_max, queue q) {
  const bounded A(A_array, m, n, lda, count, m_max, n_max);
  const bool plain = of_A == op::none;
  const int status = arguments(count, q)
                         .list(of_A, m, n)
                         .check(alpha != nullptr || count <= 0)
                         .list(A, vector_pointers(x_array, plain ? n_max : m_max), incx)
                         .check(beta != nullptr || count <= 0)
                         .list(vector_pointers(y_array, plain ? m_max : n_max), incy)
                         .anything()
                         .end(m_max, n_max)
                         .status;
  if (status != 0 || count == 0) return status;
  const product_with_vector<T> product = {of_A, *alpha, *beta};
  const stepped_vectors<const T> x = {x_array, incx};
  const stepped_vectors<T> y = {y_array, incy};
  return q.where == backend::host ? host::gemv(product, A, x, y, info, m_max, n_max)
                                  : cuda::gemv(product, A, x, y, info, m_max, n_max, q);
}

}  // namespace

template <>
int gemv_vbatched(op op, const int* m, const int* n, T alpha, const T* const* A_array, const int* lda,
                  const T* const* x_array, const int* incx, T beta, T* const* y_array, const int* incy,
                  int* info_array, std::int64_t batch_count, int m_max, int n_max, queue q) {
  return gemv(op, m, n, &alpha, A_array, lda, x_array, incx, &beta, y_array, incy, info_array, batch_count,
              m_max, n_max, q);
}

template <>
std::size_t gemv_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus

extern "C" {

int TALUS_NAME(gemv_vbatched)(int op, const int* m, const int* n, const TALUS_T* alpha,
                              TALUS_T* const* A_array, const int* lda, TALUS_T* const* x_array,
                              const int* incx, const TALUS_T* beta, TALUS_T* const* y_array, const int* incy,
                              int* info_array, int64_t batch_count, int m_max, int n_max, talus_queue q) {
  return talus::gemv(talus::to_op(op), m, n, alpha, A_array, lda, x_array, incx, beta, y_array, incy,
                     info_array, batch_count, m_max, n_max, talus::to_queue(q));
}
size_t TALUS_NAME(gemv_vbatched_work)(int m_max, int n_max, int64_t batch_count) {
  return talus::gemv_vbatched_work<TALUS_T>(m_max, n_max, batch_count);
}

}  // extern "C"
