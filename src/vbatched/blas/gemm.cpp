#include "batched/blas/backends.hpp"
#include "scratch.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {

using T = TALUS_T;

template <>
int gemm_vbatched(op of_A, op of_B, const int* m, const int* n, const int* k, T alpha,
                  const T* const* A_array, const int* lda, const T* const* B_array, const int* ldb, T beta,
                  T* const* C_array, const int* ldc, int* info_array, std::int64_t batch_count, int m_max,
                  int n_max, int k_max, queue q) {
  const bool plain_A = of_A == op::none, plain_B = of_B == op::none;
  const bounded A(A_array, plain_A ? m : k, plain_A ? k : m, lda, batch_count, plain_A ? m_max : k_max,
                  plain_A ? k_max : m_max),
      B(B_array, plain_B ? k : n, plain_B ? n : k, ldb, batch_count, plain_B ? k_max : n_max,
        plain_B ? n_max : k_max);
  const bounded C(C_array, m, n, ldc, batch_count, m_max, n_max);
  const int status = arguments(batch_count, q)
                         .list(of_A, of_B, m, n, k)
                         .anything()
                         .list(A, B)
                         .anything()
                         .list(C)
                         .anything()
                         .end(m_max, n_max, k_max)
                         .status;
  if (status != 0 || batch_count == 0) return status;
  const product_of<T> product = {of_A, of_B, alpha, beta};
  return q.where == backend::host ? host::gemm(product, A, B, C, k, info_array, m_max, n_max, k_max)
                                  : cuda::gemm(product, A, B, C, k, info_array, m_max, n_max, k_max, q);
}

template <>
std::size_t gemm_vbatched_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
